// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{expected input height, width and channels, but got 2 values}}
tr.bp.model @m input [7, 5] classes 10 { tr.bp.gap }

// -----

// expected-error@+1 {{expected input extent in [1, 2147483647], but got 0}}
tr.bp.model @m input [7, 0, 3] classes 10 { tr.bp.gap }

// -----

// expected-error@+1 {{expected input extent in [1, 2147483647], but got 2147483648}}
tr.bp.model @m input [7, 5, 2147483648] classes 10 { tr.bp.gap }

// -----

// expected-error@+1 {{expected classes in [1, 2147483647], but got -1}}
tr.bp.model @m input [7, 5, 3] classes -1 { tr.bp.gap }

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected times in [1, 2147483647], but got 0}}
  tr.bp.repeat 0 { tr.bp.gap }
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected output channels in [1, 2147483647], but got 0}}
  tr.bp.conv <out = 0, kernel = [3, 3]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected kernel width in [1, 2147483647], but got -3}}
  tr.bp.conv <out = 8, kernel = [3, -3]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected stride height in [1, 2147483647], but got 0}}
  tr.bp.conv <out = 8, kernel = [3, 3], stride = [0, 1]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected pad height in [0, 2147483647], but got -1}}
  tr.bp.conv <out = 8, kernel = [3, 3], pad = [-1, 1]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected dilation width in [1, 2147483647], but got 0}}
  tr.bp.conv <out = 8, kernel = [3, 3], dilation = [1, 0]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected output channels divisible by groups 3, but got 8}}
  tr.bp.conv <out = 8, kernel = [3, 3], groups = 3>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected 2 values for kernel, but got 1}}
  tr.bp.conv_dw kernel [3] stride [1, 1] pad [0, 0] dilation [1, 1] bias false
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected stride in [1, 2147483647], but got 0}}
  tr.bp.conv_dw kernel [3, 3] stride [1, 0] pad [0, 0] dilation [1, 1] bias false
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected pad in [0, 2147483647], but got -1}}
  tr.bp.conv_dw kernel [3, 3] stride [1, 1] pad [-1, 0] dilation [1, 1] bias false
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected dilation in [1, 2147483647], but got 0}}
  tr.bp.conv_dw kernel [3, 3] stride [1, 1] pad [0, 0] dilation [0, 1] bias false
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected pad smaller than kernel [2, 3], but got [0, 3]}}
  tr.bp.maxpool <kernel = [2, 3], stride = [1, 1], pad = [0, 3]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected eps > 0, but got 0.000000e+00}}
  tr.bp.bn eps 0.0 momentum 0.1
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected momentum in [0, 1], but got 1.500000e+00}}
  tr.bp.cbr <out = 8, kernel = [3, 3]> eps 1.0e-5 momentum 1.5 act <relu>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected eps > 0}}
  tr.bp.cbrp <out = 8, kernel = [3, 3]> eps -1.0 momentum 0.1 act <relu> window <kernel = [2, 2], stride = [2, 2]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected p in [0, 1), but got 1.000000e+00}}
  tr.bp.dropout 1.0
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected start_dim 1 (the batch stays), but got 2}}
  tr.bp.flatten start_dim 2
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected out features in [1, 2147483647], but got 0}}
  tr.bp.fc out 0 bias true
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected out features in [1, 2147483647], but got -5}}
  tr.bp.gap_fc out -5 bias true
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected mid for style RESNET_1_3_1}}
  tr.bp.block <RESNET_1_3_1> out 8
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected no mid for style RESNET_3_3, but got 4}}
  tr.bp.block <RESNET_3_3> mid 4 out 8
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected mid in [1, 2147483647], but got 0}}
  tr.bp.block <RESNET_1_3_1_DS> mid 0 out 8
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected out in [1, 2147483647], but got 0}}
  tr.bp.block <MB_E6_K3> out 0
}

// -----

// One of the two 3x3 of a basic block would have to be the grouped one.
tr.bp.model @m input [8, 8, 16] classes 10 {
  // expected-error@+1 {{expected no groups for style RESNET_3_3, but got 2}}
  tr.bp.block <RESNET_3_3> out 16 groups 2
}

// -----

tr.bp.model @m input [8, 8, 16] classes 10 {
  // expected-error@+1 {{expected groups in [1, 2147483647], but got 0}}
  tr.bp.block <RESNEXT_1_3_1> mid 16 out 16 groups 0
}

// -----

// expected-error @+1 {{expected a name, but got an empty one}}
"tr.bp.model"() <{sym_name = "", input = array<i64: 8, 8, 3>, classes = 10 : i64}> ({
  tr.bp.fc out 10 bias true
}) : () -> ()
