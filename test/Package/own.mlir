// RUN: tr-opt %s --pass-pipeline='builtin.module(tr.arch.network(tr-verify-arch))' | FileCheck %s
// The input of package_test.sh, where the activation becomes a layer of an outside project.

// CHECK: tr.arch.act
tr.arch.network @net classes 3 {
^bb0(%x: tensor<?x6x6x1xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [3, 3], pad = [1, 1]> first : tensor<?x6x6x1xf32> -> tensor<?x6x6x8xf32>
  %1 = tr.arch.act %0 ["1"] <relu> : tensor<?x6x6x8xf32> -> tensor<?x6x6x8xf32>
  %2 = tr.arch.gap %1 ["2"] : tensor<?x6x6x8xf32> -> tensor<?x1x1x8xf32>
  %3 = tr.arch.fc %2 ["3.fc"] out 3 bias true : tensor<?x1x1x8xf32> -> tensor<?x1x1x3xf32>
  %4 = tr.arch.softmax_ce %3 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %4 : tensor<?x1x1x3xf32>
}
