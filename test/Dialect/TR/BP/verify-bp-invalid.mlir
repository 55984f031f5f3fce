// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt --tr-verify-bp %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected at least one layer, but got none}}
tr.bp.model @m input [8, 8, 3] classes 10 {
}

// -----

tr.bp.model @m input [8, 8, 3] classes 10 {
  // expected-error@+1 {{expected at least one layer, but got none}}
  tr.bp.repeat 2 {
  }
}

// -----

tr.bp.model @m input [8, 8, 3] classes 10 {
  tr.bp.add2 shortcut {
  } stem {
    tr.bp.seq {
      // expected-error@+1 {{expected at least one layer, but got none}}
      tr.bp.seq {
      }
    }
  }
}

// -----

tr.bp.model @m input [8, 8, 3] classes 10 {
  // expected-error@+1 {{expected a name of 1 to 100 letters, digits, '_' or '-', but got "a.b"}}
  tr.bp.gap name "a.b"
}

// -----

tr.bp.model @m input [8, 8, 3] classes 10 {
  // expected-error@+1 {{expected a name of 1 to 100 letters, digits, '_' or '-', but got ""}}
  tr.bp.gap name ""
}

// -----

// Field report 17.1: two layers of one name.
tr.bp.model @m input [8, 8, 3] classes 10 {
  // expected-note@+1 {{the other one is here}}
  tr.bp.act <relu> name "x"
  // expected-error@+1 {{expected a name of its own for each of these layers, but got 'x' twice}}
  tr.bp.gap name "x"
}

// -----

// A name can collide with an index.
tr.bp.model @m input [8, 8, 3] classes 10 {
  // expected-note@+1 {{the other one is here}}
  tr.bp.act <relu> name "1"
  // expected-error@+1 {{but got '1' twice}}
  tr.bp.gap
}

// -----

// The branches of an add2 are siblings.
tr.bp.model @m input [8, 8, 3] classes 10 {
  tr.bp.add2 shortcut {
    // expected-note@+1 {{the other one is here}}
    tr.bp.identity name "x"
  } stem {
    // expected-error@+1 {{but got 'x' twice}}
    tr.bp.act <relu> name "x"
  }
}

// -----

tr.bp.model @m input [8, 8, 3] classes 10 {
  // expected-error@+1 {{expected an activation other than none}}
  tr.bp.act <none>
}

// -----

tr.bp.model @m input [8, 8, 3] classes 10 {
  // expected-error@+1 {{expected an activation other than none}}
  tr.bp.cbr <out = 8, kernel = [3, 3]> eps 1.0e-5 momentum 0.1 act <none>
}

// -----

tr.bp.model @m input [8, 8, 3] classes 10 {
  // expected-error@+1 {{expected a layer of tr.bp, but got builtin.module}}
  builtin.module {}
}

// -----

// expected-error@+1 {{expected a tr.bp.model around tr.bp.seq}}
tr.bp.seq {
  tr.bp.gap
}

// -----

tr.bp.model @m input [8, 8, 3] classes 10 {
  // expected-error@+1 {{expected at least one branch, but got none}}
  "tr.bp.concat"() : () -> ()
}

// -----

// And so are those of a concat and a mul2.
tr.bp.model @m input [8, 8, 3] classes 10 {
  tr.bp.concat {}, {
    // expected-note@+1 {{the other one is here}}
    tr.bp.identity name "x"
  }, {
    tr.bp.identity name "y"
  }, {
    // expected-error@+1 {{but got 'x' twice}}
    tr.bp.act <relu> name "x"
  }
}

// -----

// A seq is empty as a branch alone, not deeper in one.
tr.bp.model @m input [8, 8, 3] classes 10 {
  tr.bp.mul2 a {} b {
    tr.bp.seq {
      // expected-error@+1 {{expected at least one layer, but got none}}
      tr.bp.seq {
      }
    }
  }
}
