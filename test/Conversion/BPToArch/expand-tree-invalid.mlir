// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-expand-tree --split-input-file --verify-diagnostics
// RUN: tr-opt %s --tr-attach-options=fuse=false --tr-arch-expand-tree --split-input-file --verify-diagnostics

tr.bp.model @m input [5, 4, 3] classes 10 {
  tr.bp.seq {
    tr.bp.act <relu>
    // expected-error@+1 {{layer '1.conv': expected a kernel no larger than the padded input, but got kernel height 7 on padded height 5}}
    tr.bp.conv <out = 8, kernel = [7, 1]>
  }
}

// -----

tr.bp.model @m input [5, 4, 3] classes 10 {
  tr.bp.seq {
    // expected-error@+1 {{layer 'stem.conv': expected input channels divisible by groups 2, but got 3}}
    tr.bp.cbr <out = 8, kernel = [1, 1], groups = 2> eps 1.0e-5 momentum 0.1 act <relu> name "stem"
  }
}

// -----

tr.bp.model @m input [5, 4, 3] classes 10 {
  tr.bp.seq {
    tr.bp.repeat 3 {
      // expected-error@+1 {{layer '0.2': expected a kernel no larger than the padded input, but got kernel height 2 on padded height 1}}
      tr.bp.maxpool <kernel = [2, 1], stride = [2, 1]>
    }
  }
}

// -----

// The channels of a depthwise convolution are those of its input.
tr.bp.model @m input [5, 4, 3] classes 10 {
  tr.bp.seq {
    // expected-error@+1 {{layer '0.conv': expected a kernel no larger than the padded input, but got kernel width 6 on padded width 4}}
    tr.bp.conv_dw kernel [3, 6] stride [1, 1] pad [0, 0] dilation [1, 1] bias false
  }
}

// -----

tr.bp.model @m input [40000, 40000, 1] classes 10 {
  tr.bp.seq {
    // expected-error@+1 {{layer '0.conv': expected fewer than 2147483648 elements, but got 40000x40000x2}}
    tr.bp.conv <out = 2, kernel = [1, 1]>
  }
}

// -----

// Extents that would overflow 64 bits.
tr.bp.model @m input [1, 1, 1] classes 10 {
  tr.bp.seq {
    // expected-error@+1 {{expected fewer than 2147483648 elements, but got 4294967295x4294967295x2147483647}}
    tr.bp.conv <out = 2147483647, kernel = [1, 1], pad = [2147483647, 2147483647]>
  }
}

// -----

// expected-error@+1 {{model 'm': input: expected fewer than 2147483648 elements, but got 65536x65536x1}}
tr.bp.model @m input [65536, 65536, 1] classes 10 {
  tr.bp.gap
}

// -----

// What --tr-verify-bp checks is required.
tr.bp.model @m input [5, 4, 3] classes 10 {
  // expected-error@+1 {{expected at least one layer, but got none}}
  tr.bp.seq {
  }
}

// -----

tr.bp.model @m input [1, 1, 3] classes 10 {
  tr.bp.repeat 1000 {
    // expected-error@+1 {{expected at most 1000000 layers after repetition, but got more}}
    tr.bp.repeat 1000 {
      tr.bp.identity
    }
  }
}

// -----

// The expansion multiplies the channels.
tr.bp.model @m input [1, 1, 500000000] classes 10 {
  tr.bp.seq {
    // expected-error@+1 {{block layer '0': expected inner in [0, 2147483647], but got 3000000000}}
    tr.bp.block <MB_E6_K3> out 8
  }
}

// -----

// The default of 32 groups does not divide the channels.
tr.bp.model @m input [5, 4, 3] classes 10 {
  tr.bp.seq {
    // expected-error@+1 {{block layer '0': expected inner channels divisible by groups 32, but got 48}}
    tr.bp.block <RESNEXT_1_3_1> mid 48 out 64
  }
}

// -----

tr.bp.model @m input [5, 4, 3] classes 10 {
  tr.bp.seq {
    // expected-error@+1 {{block layer 'b': expected inner channels divisible by groups 5, but got 8}}
    tr.bp.block <RESNET_1_3_1_DS> mid 8 out 16 groups 5 name "b"
  }
}

// -----

// Each fault that does not follow from another is told: of both branches, of a join in a branch and
// of the next model, but not of the layers behind, nor twice in a repeat.
tr.bp.model @m input [6, 8, 3] classes 10 {
  tr.bp.seq {
    tr.bp.add2 shortcut {
      tr.bp.repeat 2 {
        // expected-error@+1 {{conv layer '0.0.0.conv': expected a kernel no larger than the padded input}}
        tr.bp.conv <out = 8, kernel = [7, 1]>
      }
    } stem {
      tr.bp.add2 shortcut {
        // expected-error@+1 {{conv layer '0.1.0.conv': expected a kernel no larger than the padded input}}
        tr.bp.conv <out = 8, kernel = [8, 1]>
      } stem {
        // expected-error@+1 {{conv layer '0.1.1.conv': expected a kernel no larger than the padded input}}
        tr.bp.conv <out = 8, kernel = [9, 1]>
      }
    }
    tr.bp.conv <out = 8, kernel = [10, 1]>
  }
}
tr.bp.model @n input [6, 8, 3] classes 10 {
  tr.bp.seq {
    // expected-error@+1 {{conv layer '0.conv': expected a kernel no larger than the padded input}}
    tr.bp.conv <out = 8, kernel = [11, 1]>
  }
}
