// SPDX-License-Identifier: Apache-2.0
// What layers that change extents or the order of channels cannot take.
// RUN: tr-opt %s --tr-arch-infer-shapes --split-input-file --verify-diagnostics

tr.arch.network @pad_end classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.conv' op expected a kernel no larger than the padded input, but got kernel width 7 on padded width 6}}
  %0 = tr.arch.conv %x ["0.conv"] <out = 4, kernel = [9, 7], pad = [0, 0], more = [0, 1]> : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @dilated classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.maxpool' op expected a dilation no larger than the padded input, but got dilation 6 on width 5}}
  %0 = tr.arch.maxpool %x ["0"] <kernel = [1, 2], stride = [1, 1], pad = [0, 5], dilation = [1, 6]> : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @counted classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.maxpool' op expected no count_pad of a maximum, but got it}}
  %0 = tr.arch.maxpool %x ["0"] <kernel = [2, 2], stride = [1, 1], count_pad = true> : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @dilated_average classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.avgpool' op expected dilation [1, 1] of an average, but got [1, 2]}}
  %0 = tr.arch.avgpool %x ["0"] <kernel = [2, 2], stride = [1, 1], dilation = [1, 2]> : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @grid classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.adaptive_avgpool' op expected height in [1, 2147483647], but got 0}}
  %0 = tr.arch.adaptive_avgpool %x ["0"] height 0 width 4 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @grid_width classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.adaptive_avgpool' op expected width in [1, 2147483647], but got -4}}
  %0 = tr.arch.adaptive_avgpool %x ["0"] height 3 width -4 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @factor classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.upsample' op expected factor_h in [1, 2147483647], but got 0}}
  %0 = tr.arch.upsample %x ["0"] factor_h 0 factor_w 2 bilinear true : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @factor_width classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.upsample' op expected factor_w in [1, 2147483647], but got 2147483648}}
  %0 = tr.arch.upsample %x ["0"] factor_h 1 factor_w 2147483648 bilinear false : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @too_large classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.upsample' op expected fewer than 2147483648 elements, but got 19327352823x5x6}}
  %0 = tr.arch.upsample %x ["0"] factor_h 2147483647 factor_w 1 bilinear false : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @padding classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.channel_padding' op expected zero channels in [0, 2147483647], but got -1}}
  %0 = tr.arch.channel_padding %x ["0"] before -1 after 4 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @shuffle classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.channel_shuffle' op expected input channels divisible by groups 4, but got 6}}
  %0 = tr.arch.channel_shuffle %x ["0"] groups 4 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @no_groups classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.channel_shuffle' op expected groups in [1, 2147483647], but got 0}}
  %0 = tr.arch.channel_shuffle %x ["0"] groups 0 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @slice classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.slice' op expected channels 3 to 6 in the input, but got 6 channels}}
  %0 = tr.arch.slice %x ["0"] begin 3 count 4 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @slice_begin classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.slice' op expected begin in [0, 2147483647], but got -1}}
  %0 = tr.arch.slice %x ["0"] begin -1 count 4 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @slice_count classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.slice' op expected count in [1, 2147483647], but got 0}}
  %0 = tr.arch.slice %x ["0"] begin 1 count 0 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @transposed_groups classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.conv_transpose' op expected input channels divisible by groups 4, but got 6}}
  %0 = tr.arch.conv_transpose %x ["0.conv"] <out = 8, kernel = [3, 3], groups = 4> extra_h 0 extra_w 0 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @transposed_extra classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.conv_transpose' op expected output_pad smaller than stride 2x1, but got 1x1}}
  %0 = tr.arch.conv_transpose %x ["0.conv"] <out = 8, kernel = [3, 3], stride = [2, 1]> extra_h 1 extra_w 1 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

tr.arch.network @transposed_pad classes 4 {
^bb0(%x: tensor<?x9x5x6xf32>):
  // expected-error @+1 {{'tr.arch.conv_transpose' op expected pads smaller than what the windows cover, but got an output of 9x-1x8}}
  %0 = tr.arch.conv_transpose %x ["0.conv"] <out = 8, kernel = [3, 3], pad = [1, 4]> extra_h 0 extra_w 0 : tensor<?x9x5x6xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}
