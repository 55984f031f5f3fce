// SPDX-License-Identifier: Apache-2.0
//
// A concat where no variant trains: runs of outputs alone, no gradients and no copies of anything but
// what a step brings.
// RUN: tr-opt %s --tr-graph-pipeline --remarks-filter-missed=tr-arch-to-graph -o %t 2> %t.remarks
// RUN: not grep . %t.remarks
// RUN: FileCheck %s < %t
// RUN: %python %S/Inputs/named_ops.py < %t | FileCheck %s --check-prefix=OPS

// CHECK-NOT: .grad"
// CHECK: tensor {{[0-9]+}} "0.conv.output" {{.*}} parent [[ALL:[0-9]+]] from 0 slot [[SLOT:[0-9]+]] offset [[AT:[0-9]+]]
// CHECK: tensor {{[0-9]+}} "1.1.conv.output" {{.*}} parent [[ALL]] from 4 slot [[SLOT]] offset [[AT]]
// CHECK: tensor [[ALL]] "1.output" region "f_feature" dtype "f32" layer {{[0-9]+}} shapes [array<i64: 2, 8, 8, 7>] slot [[SLOT]] offset [[AT]]

// OPS: inf_main_a:
// OPS-NEXT: copy label_a label {}
// OPS-NEXT: copy valid_a valid {}
// OPS-NEXT: conv_fwd data_a 0.conv.weight - 0.conv.output
// OPS-NEXT: conv_fwd 0.conv.output 1.1.conv.weight - 1.1.conv.output
// OPS-NEXT: gap_fwd 1.output 2.fc.gap {}
module attributes {tr.options = #tr.options<variants = [#tr.variant<name = "serve", training = false, batch = 2>]>} {
  tr.arch.network @side classes 3 {
  ^bb0(%x: tensor<?x8x8x3xf32>):
    %0 = tr.arch.conv %x ["0.conv"] <out = 4, kernel = [1, 1]> first : tensor<?x8x8x3xf32> -> tensor<?x8x8x4xf32>
    %1 = tr.arch.concat %0 ["1"] : tensor<?x8x8x4xf32> -> tensor<?x8x8x7xf32> {
    ^bb0(%a: tensor<?x8x8x4xf32>):
      tr.arch.yield %a : tensor<?x8x8x4xf32>
    }, {
    ^bb0(%a: tensor<?x8x8x4xf32>):
      %2 = tr.arch.conv %a ["1.1.conv"] <out = 3, kernel = [1, 1]> : tensor<?x8x8x4xf32> -> tensor<?x8x8x3xf32>
      tr.arch.yield %2 : tensor<?x8x8x3xf32>
    }
    %3 = tr.arch.gap_fc %1 ["2.fc"] out 3 bias true : tensor<?x8x8x7xf32> -> tensor<?x1x1x3xf32>
    %4 = tr.arch.softmax_ce %3 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %4 : tensor<?x1x1x3xf32>
  }
}
