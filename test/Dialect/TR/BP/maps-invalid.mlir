// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --split-input-file --verify-diagnostics

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected pad at the end height in [0, 2147483647], but got -1}}
  tr.bp.conv <out = 8, kernel = [3, 3], pad = [1, 1], more = [-2, 0]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected more of a pad in [-2147483647, 2147483647], but got [0, -4294967296]}}
  tr.bp.conv <out = 8, kernel = [3, 3], more = [0, -4294967296]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected pad smaller than kernel [2, 3], but got [1, 3]}}
  tr.bp.maxpool <kernel = [2, 3], stride = [1, 1], more = [1, 3]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected dilation height in [1, 2147483647], but got 0}}
  tr.bp.maxpool <kernel = [2, 3], stride = [1, 1], dilation = [0, 1]>
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected pad + more in [0, 2147483647], but got -1}}
  tr.bp.conv_dw kernel [3, 3] stride [1, 1] pad [1, 0] dilation [1, 1] bias false more [0, -1]
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected 2 values for more, but got 1}}
  tr.bp.conv_dw kernel [3, 3] stride [1, 1] pad [1, 0] dilation [1, 1] bias false more [1]
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected begin in [0, 2147483647], but got -1}}
  tr.bp.slice begin -1 count 2
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected count in [1, 2147483647], but got 0}}
  tr.bp.slice begin 1 count 0
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected groups in [1, 2147483647], but got 0}}
  tr.bp.channel_shuffle groups 0
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected zero channels in [0, 2147483647], but got -3}}
  tr.bp.channel_padding before 1 after -3
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected height in [1, 2147483647], but got 0}}
  tr.bp.adaptive_avgpool height 0 width 1
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected width in [1, 2147483647], but got 0}}
  tr.bp.adaptive_avgpool height 1 width 0
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected factor_h in [1, 2147483647], but got 0}}
  tr.bp.upsample factor_h 0 factor_w 1 bilinear true
}

// -----

tr.bp.model @m input [7, 5, 3] classes 10 {
  // expected-error@+1 {{expected factor_w in [1, 2147483647], but got -1}}
  tr.bp.upsample factor_h 1 factor_w -1 bilinear true
}
