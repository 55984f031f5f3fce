// SPDX-License-Identifier: Apache-2.0
// Every diagnostic of the verifiers of tr.arch and of the attributes it uses.
// RUN: tr-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expected classes in [1, 2147483647], but got 0}}
tr.arch.network @classes classes 0 {
^bb0(%x: tensor<?x5x4x3xf32>):
  tr.arch.yield %x : tensor<?x5x4x3xf32>
}

// -----

// expected-error @+1 {{expected classes in [1, 2147483647], but got -1}}
tr.arch.network @classes classes -1 {
^bb0(%x: tensor<?x5x4x3xf32>):
  tr.arch.yield %x : tensor<?x5x4x3xf32>
}

// -----

// expected-error @+1 {{network 'images': images: expected tensor<?xHxWxCxf32>, but got 'i32'}}
tr.arch.network @images classes 3 {
^bb0(%x: i32):
  %0 = "builtin.unrealized_conversion_cast"(%x) : (i32) -> tensor<?x5x4x3xf32>
  tr.arch.yield %0 : tensor<?x5x4x3xf32>
}

// -----

// expected-error @+1 {{images: expected tensor<?xHxWxCxf32>, but got 'tensor<?x5x4x3xf32, "encoded">'}}
tr.arch.network @images classes 3 {
^bb0(%x: tensor<?x5x4x3xf32, "encoded">):
  tr.arch.yield %x : tensor<?x5x4x3xf32, "encoded">
}

// -----

// Fields and extents are checked before the input's extents are known.
tr.arch.network @fields classes 3 {
^bb0(%x: tensor<?x?x?x?xf32>):
  // expected-error @+1 {{expected classes in [1, 2147483647], but got -1}}
  %0 = tr.arch.softmax_ce %x ["0"] classes -1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @fields classes 3 {
^bb0(%x: tensor<?x?x?x?xf32>):
  // expected-error @+1 {{expected out features in [1, 2147483647], but got -5}}
  %0 = tr.arch.fc %x ["0"] out -5 bias true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @fields classes 3 {
^bb0(%x: tensor<?x?x?x?xf32>):
  // expected-error @+1 {{expected eps > 0, but got 0.000000e+00}}
  %0 = tr.arch.block %x ["a", "b", "c", "d"] <basic_block, out = 3, shortcut = identity, act = relu> eps 0.0 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @extents classes 3 {
^bb0(%x: tensor<?x?x?x?xf32>):
  // expected-error @+1 {{expected fewer than 2147483648 elements, but got 4611686018427387904x1x4}}
  %0 = tr.arch.identity %x ["0"] : tensor<?x?x?x?xf32> -> tensor<?x4611686018427387904x?x4xf32>
  tr.arch.yield %0 : tensor<?x4611686018427387904x?x4xf32>
}

// -----

tr.arch.network @extents classes 3 {
^bb0(%x: tensor<?x?x?x?xf32>):
  // expected-error @+1 {{expected tensor<?xHxWxCxf32>, but got 'tensor<?x?x?x?xf32, 1 : i64>'}}
  %0 = tr.arch.identity %x ["0"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32, 1 : i64>
  tr.arch.yield %0 : tensor<?x?x?x?xf32, 1 : i64>
}

// -----

// expected-error @+1 {{expected one block argument, the images, but got 2}}
tr.arch.network @arguments classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>, %y: tensor<?x5x4x3xf32>):
  tr.arch.yield %x : tensor<?x5x4x3xf32>
}

// -----

// expected-error @+1 {{expected a tr.arch.yield at the end}}
tr.arch.network @yield classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  %0 = tr.arch.gap %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @add2 classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 1 parts, but got 0}}
  %0 = tr.arch.add2 %x [] : tensor<?x5x4x3xf32> -> tensor<?x5x4x3xf32> shortcut {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    tr.arch.yield %a : tensor<?x5x4x3xf32>
  } stem {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    tr.arch.yield %a : tensor<?x5x4x3xf32>
  }
  tr.arch.yield %0 : tensor<?x5x4x3xf32>
}

// -----

tr.arch.network @add2 classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected the shortcut to have one argument of type 'tensor<?x5x4x3xf32>'}}
  %0 = tr.arch.add2 %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x5x4x3xf32> shortcut {
  ^bb0(%a: tensor<?x5x4x2xf32>):
    tr.arch.yield %a : tensor<?x5x4x2xf32>
  } stem {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    tr.arch.yield %a : tensor<?x5x4x3xf32>
  }
  tr.arch.yield %0 : tensor<?x5x4x3xf32>
}

// -----

tr.arch.network @add2 classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected the stem to have one argument of type 'tensor<?x5x4x3xf32>'}}
  %0 = tr.arch.add2 %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x5x4x3xf32> shortcut {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    tr.arch.yield %a : tensor<?x5x4x3xf32>
  } stem {
  ^bb0(%a: tensor<?x5x4x2xf32>):
    tr.arch.yield %a : tensor<?x5x4x2xf32>
  }
  tr.arch.yield %0 : tensor<?x5x4x3xf32>
}

// -----

tr.arch.network @add2 classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected a tr.arch.yield at the end of the shortcut}}
  %0 = tr.arch.add2 %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x5x4x3xf32> shortcut {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    %1 = tr.arch.gap %a ["1"] : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    tr.arch.yield %a : tensor<?x5x4x3xf32>
  }
  tr.arch.yield %0 : tensor<?x5x4x3xf32>
}

// -----

tr.arch.network @add2 classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected a tr.arch.yield at the end of the stem}}
  %0 = tr.arch.add2 %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x5x4x3xf32> shortcut {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    tr.arch.yield %a : tensor<?x5x4x3xf32>
  } stem {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    %1 = tr.arch.gap %a ["1"] : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  }
  tr.arch.yield %0 : tensor<?x5x4x3xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 1 parts, but got 0}}
  %0 = tr.arch.gap %x [] : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

// expected-error @+1 {{images: expected a symbolic batch, but got 'tensor<2x5x4x3xf32>'}}
tr.arch.network @layer classes 3 {
^bb0(%x: tensor<2x5x4x3xf32>):
  %0 = tr.arch.gap %x ["0"] : tensor<2x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected a symbolic batch, but got 'tensor<2x1x1x3xf32>'}}
  %0 = tr.arch.gap %x ["0"] : tensor<?x5x4x3xf32> -> tensor<2x1x1x3xf32>
  tr.arch.yield %0 : tensor<2x1x1x3xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected result extents 1x1x3, but got 'tensor<?x1x1x4xf32>'}}
  %0 = tr.arch.gap %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x1x1x4xf32>
  tr.arch.yield %0 : tensor<?x1x1x4xf32>
}

// -----

// expected-error @+1 {{images: expected extents of at least 1, but got 5x0x3}}
tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x0x3xf32>):
  %0 = tr.arch.gap %x ["0"] : tensor<?x5x0x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

// expected-error @+1 {{images: expected fewer than 2147483648 elements, but got 65536x65536x3}}
tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x65536x65536x3xf32>):
  %0 = tr.arch.flatten %x ["0"] : tensor<?x65536x65536x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected fewer than 2147483648 elements, but got 5x4x1073741824}}
  %0 = tr.arch.conv %x ["0"] <out = 1073741824, kernel = [1, 1]> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

// expected-error @+1 {{images: expected tensor<?xHxWxCxf32>, but got 'tensor<?x5x4xf32>'}}
tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4xf32>):
  %0 = tr.arch.gap %x ["0"] : tensor<?x5x4xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

// expected-error @+1 {{images: expected tensor<?xHxWxCxf32>, but got 'tensor<?x5x4x3xf16>'}}
tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf16>):
  %0 = tr.arch.gap %x ["0"] : tensor<?x5x4x3xf16> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected input channels divisible by groups 2, but got 3}}
  %0 = tr.arch.conv %x ["0"] <out = 4, kernel = [1, 1], groups = 2> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected a kernel no larger than the padded input, but got kernel height 8 on padded height 7}}
  %0 = tr.arch.conv %x ["0"] <out = 4, kernel = [8, 1], pad = [1, 1]> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected a kernel no larger than the padded input, but got kernel width 5 on padded width 4}}
  %0 = tr.arch.conv %x ["0"] <out = 4, kernel = [1, 3], dilation = [1, 2]> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected a kernel no larger than the padded input, but got kernel height 6 on padded height 5}}
  %0 = tr.arch.maxpool %x ["0"] <kernel = [6, 1], stride = [1, 1]> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected a kernel no larger than the padded input, but got kernel width 5 on padded width 4}}
  %0 = tr.arch.avgpool %x ["0"] <kernel = [1, 5], stride = [1, 1]> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected a kernel no larger than the padded input, but got kernel width 3 on padded width 2}}
  %0 = tr.arch.cbrp %x ["0.conv", "0.bn"] <out = 4, kernel = [3, 3]> eps 1.0e-5 momentum 0.1 act <relu> window <kernel = [3, 3], stride = [1, 1]> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected input channels divisible by groups 2, but got 3}}
  %0 = tr.arch.cbrp %x ["0.conv", "0.bn"] <out = 4, kernel = [3, 3], groups = 2> eps 1.0e-5 momentum 0.1 act <relu> window <kernel = [3, 3], stride = [1, 1]> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected input channels divisible by groups 2, but got 3}}
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 4, kernel = [3, 3], groups = 2> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected a 1x1xC input, but got 5x4x3}}
  %0 = tr.arch.bn1d %x ["0"] eps 1.0e-5 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected p in [0, 1), but got 1.000000e+00}}
  %0 = tr.arch.dropout %x ["0"] 1.0 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected p in [0, 1), but got -1.000000e-01}}
  %0 = tr.arch.dropout %x ["0"] -0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected out features in [1, 2147483647], but got 0}}
  %0 = tr.arch.fc %x ["0"] out 0 bias true : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected out features in [1, 2147483647], but got 2147483648}}
  %0 = tr.arch.gap_fc %x ["0"] out 2147483648 bias true : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 3 logits for 3 classes, but got 5x4x3}}
  %0 = tr.arch.softmax_ce %x ["0"] classes 3 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected eps > 0, but got 0.000000e+00}}
  %0 = tr.arch.bn %x ["0"] eps 0.0 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected eps > 0, but got INF}}
  %0 = tr.arch.bn2d %x ["0"] eps 0x7FF0000000000000 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected eps > 0, but got nan}}
  %0 = tr.arch.bn2d %x ["0"] eps 0x7FF8000000000000 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected momentum in [0, 1], but got 1.500000e+00}}
  %0 = tr.arch.bn2d %x ["0"] eps 1.0e-5 momentum 1.5 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected momentum in [0, 1], but got -5.000000e-01}}
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 4, kernel = [1, 1]> eps 1.0e-5 momentum -0.5 act <relu> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  // expected-error @+1 {{expected eps > 0, but got 0.000000e+00}}
  %0 = tr.arch.bn1d %x ["0"] eps 0.0 momentum 0.1 : tensor<?x1x1x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected eps > 0, but got 0.000000e+00}}
  %0 = tr.arch.cbrp %x ["0.conv", "0.bn"] <out = 4, kernel = [1, 1]> eps 0.0 momentum 0.1 act <relu> window <kernel = [3, 3], stride = [1, 1]> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected eps > 0, but got 0.000000e+00}}
  %0 = tr.arch.block %x ["0.conv1", "0.bn1", "0.conv2", "0.bn2", "0.conv3", "0.bn3"] <bottleneck, inner = 4, out = 3, shortcut = identity, act = relu> eps 0.0 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 1 parts, but got 2}}
  %0 = tr.arch.fc %x ["0.fc", "1.fc"] out 3 bias true : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 2 parts, but got 1}}
  %0 = tr.arch.cbr %x ["0.conv"] <out = 4, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 2 parts, but got 3}}
  %0 = tr.arch.cbrp %x ["0.conv", "0.bn", "1"] <out = 4, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> window <kernel = [2, 2], stride = [2, 2]> : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 8 parts, but got 6}}
  %0 = tr.arch.block %x ["a", "b", "c", "d", "e", "f"] <bottleneck, inner = 2, out = 4, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 6 parts, but got 4}}
  %0 = tr.arch.block %x ["a", "b", "c", "d"] <bottleneck, inner = 2, out = 3, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 6 parts, but got 4}}
  %0 = tr.arch.block %x ["a", "b", "c", "d"] <basic_block, out = 4, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 4 parts, but got 6}}
  %0 = tr.arch.block %x ["a", "b", "c", "d", "e", "f"] <basic_block, out = 3, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 4 parts, but got 6}}
  %0 = tr.arch.block %x ["a", "b", "c", "d", "e", "f"] <inv_residual, out = 4, shortcut = no_shortcut, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @layer classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 6 parts, but got 4}}
  %0 = tr.arch.block %x ["a", "b", "c", "d"] <inv_residual, inner = 6, out = 3, shortcut = identity, act = relu6> eps 1.0e-5 momentum 0.1 : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @no_branch classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected at least one branch, but got none}}
  %0 = "tr.arch.concat"(%x) <{parts = ["0"]}> : (tensor<?x5x4x3xf32>) -> tensor<?x5x4x3xf32>
  tr.arch.yield %0 : tensor<?x5x4x3xf32>
}

// -----

tr.arch.network @branch_argument classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected branch 1 to have one argument of type 'tensor<?x5x4x3xf32>'}}
  %0 = tr.arch.concat %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x5x4x6xf32> {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    tr.arch.yield %a : tensor<?x5x4x3xf32>
  }, {
    tr.arch.yield %x : tensor<?x5x4x3xf32>
  }
  tr.arch.yield %0 : tensor<?x5x4x6xf32>
}

// -----

tr.arch.network @branch_yield classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected a tr.arch.yield at the end of branch 0}}
  %0 = tr.arch.mul2 %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x5x4x3xf32> a {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    %1 = tr.arch.gap %a ["0.0"] : tensor<?x5x4x3xf32> -> tensor<?x1x1x3xf32>
  } b {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    tr.arch.yield %a : tensor<?x5x4x3xf32>
  }
  tr.arch.yield %0 : tensor<?x5x4x3xf32>
}

// -----

tr.arch.network @join_parts classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  // expected-error @+1 {{expected 1 parts, but got 2}}
  %0 = tr.arch.concat %x ["0", "1"] : tensor<?x5x4x3xf32> -> tensor<?x5x4x3xf32> {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    tr.arch.yield %a : tensor<?x5x4x3xf32>
  }
  tr.arch.yield %0 : tensor<?x5x4x3xf32>
}

// -----

func.func @elsewhere(%x: tensor<?x5x4x3xf32>) {
  // expected-error @+1 {{expected to end a network or a branch of a layer, but got a place in 'func.func'}}
  tr.arch.yield %x : tensor<?x5x4x3xf32>
}

// -----

// A name that would print as text that does not parse.
// expected-error @+1 {{expected a name, but got an empty one}}
"tr.arch.network"() <{classes = 3 : i64, sym_name = ""}> ({
^bb0(%x: tensor<?x5x4x3xf32>):
  "tr.arch.yield"(%x) : (tensor<?x5x4x3xf32>) -> ()
}) : () -> ()

// -----

// A branch that names what a later one defines, in a text that breaks off.
tr.arch.network @broken_off classes 3 {
^bb0(%x: tensor<?x5x4x3xf32>):
  %0 = tr.arch.mul2 %x ["0"] : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32> a {
  ^bb0(%a: tensor<?x5x4x3xf32>):
    %1 = tr.arch.gap %c ["1"] : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %1 : tensor<?x?x?x?xf32>
  } b {
  ^bb0(%c: tensor<?x5x4x3xf32>):
    %2 = tr.arch.gap %c ["2"] : tensor<?x5x4x3xf32> -> tensor<?x?x?x?xf32>
    // expected-error @+1 {{expected ':'}}
    tr.arch.yield %2
  }
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}
