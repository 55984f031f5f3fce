// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-infer-shapes --allow-unregistered-dialect --split-input-file --verify-diagnostics

// expected-error @+1 {{network 'unknown': expected images of known height, width and channels, but got 'tensor<?x?x8x3xf32>'}}
tr.arch.network @unknown classes 4 {
^bb0(%x: tensor<?x?x8x3xf32>):
  tr.arch.yield %x : tensor<?x?x8x3xf32>
}

// -----

// expected-error @+1 {{network 'empty': images: expected extents of at least 1, but got 0x8x3}}
tr.arch.network @empty classes 4 {
^bb0(%x: tensor<?x0x8x3xf32>):
  tr.arch.yield %x : tensor<?x0x8x3xf32>
}

// -----

// expected-error @+1 {{network 'large': images: expected fewer than 2147483648 elements, but got 65536x65536x3}}
tr.arch.network @large classes 4 {
^bb0(%x: tensor<?x65536x65536x3xf32>):
  tr.arch.yield %x : tensor<?x65536x65536x3xf32>
}

// -----

// expected-error @+1 {{network 'huge': images: expected fewer than 2147483648 elements, but got 4611686018427387904x4x1}}
tr.arch.network @huge classes 4 {
^bb0(%x: tensor<?x4611686018427387904x4x1xf32>):
  tr.arch.yield %x : tensor<?x4611686018427387904x4x1xf32>
}

// -----

tr.arch.network @overflow classes 4 {
^bb0(%x: tensor<?x4096x4096x3xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x4096x4096x3xf32> -> tensor<?x?x?x?xf32>
  // expected-error @+1 {{conv layer '1.conv': expected fewer than 2147483648 elements, but got 4096x4096x2147483647}}
  %1 = tr.arch.conv %0 ["1.conv"] <out = 2147483647, kernel = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @kernel_height classes 4 {
^bb0(%x: tensor<?x5x9x3xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x5x9x3xf32> -> tensor<?x?x?x?xf32>
  // expected-error @+1 {{conv layer '1.conv': expected a kernel no larger than the padded input, but got kernel height 9 on padded height 7}}
  %1 = tr.arch.conv %0 ["1.conv"] <out = 4, kernel = [3, 3], pad = [1, 1], dilation = [4, 4]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

// 3.9: a fixed pool that is larger than the map.
tr.arch.network @kernel_width classes 4 {
^bb0(%x: tensor<?x9x4x3xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x9x4x3xf32> -> tensor<?x?x?x?xf32>
  // expected-error @+1 {{avgpool layer '1': expected a kernel no larger than the padded input, but got kernel width 7 on padded width 4}}
  %1 = tr.arch.avgpool %0 ["1"] <kernel = [7, 7], stride = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @groups classes 4 {
^bb0(%x: tensor<?x9x9x3xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x9x9x3xf32> -> tensor<?x?x?x?xf32>
  // expected-error @+1 {{conv layer '1.conv': expected input channels divisible by groups 2, but got 3}}
  %1 = tr.arch.conv %0 ["1.conv"] <out = 4, kernel = [1, 1], groups = 2> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @classes classes 4 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 5 bias true : tensor<?x1x1x3xf32> -> tensor<?x?x?x?xf32>
  // expected-error @+1 {{softmax_ce layer '1': expected 4 logits for 4 classes, but got 1x1x5}}
  %1 = tr.arch.softmax_ce %0 ["1"] classes 4 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @declared classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.act %x ["0"] <relu> : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
  // expected-error @+1 {{gap layer '1': expected result extents 1x1x3, but got 'tensor<?x1x2x?xf32>'}}
  %1 = tr.arch.gap %0 ["1"] : tensor<?x?x?x?xf32> -> tensor<?x1x2x?xf32>
  tr.arch.yield %1 : tensor<?x1x2x?xf32>
}

// -----

// 5.1: an odd map, a floor pool in the shortcut against a padded stem.
tr.arch.network @branches classes 4 {
^bb0(%x: tensor<?x15x15x8xf32>):
  %0 = tr.arch.identity %x ["0"] : tensor<?x15x15x8xf32> -> tensor<?x?x?x?xf32>
  // expected-error @+1 {{add2 layer '1': expected stem and shortcut of equal shape, but got stem 8x8x6 and shortcut 7x7x6}}
  %1 = tr.arch.add2 %0 ["1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    %2 = tr.arch.avgpool %a ["1.0.0"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    // expected-note @+1 {{the shortcut gives 7x7x6 here}}
    %3 = tr.arch.conv %2 ["1.0.1.conv"] <out = 6, kernel = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %3 : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    // expected-note @+1 {{the stem gives 8x8x6 here}}
    %2 = tr.arch.conv %a ["1.1.0.conv"] <out = 6, kernel = [3, 3], stride = [2, 2], pad = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %2 : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @inside classes 4 {
^bb0(%x: tensor<?x3x3x8xf32>):
  %1 = tr.arch.add2 %x ["1"] : tensor<?x3x3x8xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x3x3x8xf32>):
    tr.arch.yield %a : tensor<?x3x3x8xf32>
  } stem {
  ^bb0(%a: tensor<?x3x3x8xf32>):
    %2 = tr.arch.act %a ["1.1.0"] <relu> : tensor<?x3x3x8xf32> -> tensor<?x?x?x?xf32>
    // expected-error @+1 {{'tr.arch.dropout' op expected p in [0, 1), but got 1.000000e+00}}
    %3 = tr.arch.dropout %2 ["1.1.1"] 1.0 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %3 : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

// What is no layer has no shape rule.
tr.arch.network @foreign classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  // expected-error @+1 {{expected layers only in a network, but got 'builtin.unrealized_conversion_cast'; lower this op first}}
  %0 = "builtin.unrealized_conversion_cast"(%x) : (tensor<?x8x8x3xf32>) -> tensor<?x?x?x?xf32>
  %1 = tr.arch.act %0 ["1"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @concat classes 4 {
^bb0(%x: tensor<?x6x8x3xf32>):
  // expected-error @+1 {{concat layer '0': expected branches of equal height and width, but got branch 0 6x8x3 and branch 2 3x4x3}}
  %0 = tr.arch.concat %x ["0"] : tensor<?x6x8x3xf32> -> tensor<?x?x?x?xf32> {
  // expected-note @+1 {{branch 0 gives 6x8x3 here}}
  ^bb0(%a: tensor<?x6x8x3xf32>):
    tr.arch.yield %a : tensor<?x6x8x3xf32>
  }, {
  ^bb0(%a: tensor<?x6x8x3xf32>):
    // expected-note @+1 {{branch 1 gives 6x8x5 here}}
    %1 = tr.arch.conv %a ["0.1.conv"] <out = 5, kernel = [1, 1]> : tensor<?x6x8x3xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %1 : tensor<?x?x?x?xf32>
  }, {
  ^bb0(%a: tensor<?x6x8x3xf32>):
    // expected-note @+1 {{branch 2 gives 3x4x3 here}}
    %2 = tr.arch.maxpool %a ["0.2"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x6x8x3xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %2 : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @channels_of_a_concat classes 4 {
^bb0(%x: tensor<?x1x1x1500000000xf32>):
  // expected-error @+1 {{concat layer '0': expected fewer than 2147483648 elements, but got 1x1x3000000000}}
  %0 = tr.arch.concat %x ["0"] : tensor<?x1x1x1500000000xf32> -> tensor<?x?x?x?xf32> {
  // expected-note @+1 {{branch 0 gives 1x1x1500000000 here}}
  ^bb0(%a: tensor<?x1x1x1500000000xf32>):
    tr.arch.yield %a : tensor<?x1x1x1500000000xf32>
  }, {
  // expected-note @+1 {{branch 1 gives 1x1x1500000000 here}}
  ^bb0(%a: tensor<?x1x1x1500000000xf32>):
    tr.arch.yield %a : tensor<?x1x1x1500000000xf32>
  }
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

// A gate of one value per channel has as many channels as the map.
tr.arch.network @gate classes 4 {
^bb0(%x: tensor<?x6x8x3xf32>):
  // expected-error @+1 {{mul2 layer '0': expected branches of equal shape, or one of them 1x1xC, but got a 6x8x3 and b 1x1x4}}
  %0 = tr.arch.mul2 %x ["0"] : tensor<?x6x8x3xf32> -> tensor<?x?x?x?xf32> a {
  // expected-note @+1 {{branch 0 gives 6x8x3 here}}
  ^bb0(%a: tensor<?x6x8x3xf32>):
    tr.arch.yield %a : tensor<?x6x8x3xf32>
  } b {
  ^bb0(%a: tensor<?x6x8x3xf32>):
    %1 = tr.arch.gap %a ["0.1.0"] : tensor<?x6x8x3xf32> -> tensor<?x?x?x?xf32>
    // expected-note @+1 {{branch 1 gives 1x1x4 here}}
    %2 = tr.arch.conv %1 ["0.1.1.conv"] <out = 4, kernel = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %2 : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

// A row or a column is no gate.
tr.arch.network @row classes 4 {
^bb0(%x: tensor<?x6x8x3xf32>):
  // expected-error @+1 {{mul2 layer '0': expected branches of equal shape, or one of them 1x1xC, but got a 1x8x3 and b 6x8x3}}
  %0 = tr.arch.mul2 %x ["0"] : tensor<?x6x8x3xf32> -> tensor<?x?x?x?xf32> a {
  ^bb0(%a: tensor<?x6x8x3xf32>):
    // expected-note @+1 {{branch 0 gives 1x8x3 here}}
    %1 = tr.arch.avgpool %a ["0.0"] <kernel = [6, 1], stride = [1, 1]> : tensor<?x6x8x3xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %1 : tensor<?x?x?x?xf32>
  } b {
  // expected-note @+1 {{branch 1 gives 6x8x3 here}}
  ^bb0(%a: tensor<?x6x8x3xf32>):
    tr.arch.yield %a : tensor<?x6x8x3xf32>
  }
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

// Each fault that does not follow from another is told: both branches, but not the layers behind.
tr.arch.network @both classes 4 {
^bb0(%x: tensor<?x6x8x3xf32>):
  %0 = tr.arch.mul2 %x ["0"] : tensor<?x6x8x3xf32> -> tensor<?x?x?x?xf32> a {
  ^bb0(%a: tensor<?x6x8x3xf32>):
    %1 = tr.arch.act %a ["0.0.0"] <relu> : tensor<?x6x8x3xf32> -> tensor<?x?x?x?xf32>
    // expected-error @+1 {{avgpool layer '0.0.1': expected a kernel no larger than the padded input}}
    %2 = tr.arch.avgpool %1 ["0.0.1"] <kernel = [7, 1], stride = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %3 = tr.arch.avgpool %2 ["0.0.2"] <kernel = [7, 1], stride = [1, 1]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %3 : tensor<?x?x?x?xf32>
  } b {
  ^bb0(%a: tensor<?x6x8x3xf32>):
    %1 = tr.arch.act %a ["0.1.0"] <relu> : tensor<?x6x8x3xf32> -> tensor<?x?x?x?xf32>
    // expected-error @+1 {{conv layer '0.1.1.conv': expected a kernel no larger than the padded input}}
    %2 = tr.arch.conv %1 ["0.1.1.conv"] <out = 4, kernel = [1, 9]> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %2 : tensor<?x?x?x?xf32>
  }
  %3 = tr.arch.gap %0 ["2"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %3 : tensor<?x?x?x?xf32>
}
