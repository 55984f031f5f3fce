// The distribution's own mlir-opt runs every pass, on a module that holds other dialects too, and
// leaves those alone.
// RUN: %mlir_opt --load-dialect-plugin=%tr_plugin --load-pass-plugin=%tr_plugin %s --pass-pipeline='builtin.module(tr-arch-pipeline)' | FileCheck %s
// RUN: %mlir_opt --load-dialect-plugin=%tr_plugin --load-pass-plugin=%tr_plugin %s --pass-pipeline='builtin.module(tr-attach-options{batch=4},tr-arch-pipeline,tr-graph-pipeline,tr.graph.program(tr-verify-graph))' | FileCheck %s --check-prefix=GRAPH
// RUN: %mlir_opt --load-pass-plugin=%tr_plugin --help | FileCheck %s --check-prefix=HELP

// HELP: --tr-arch-expand-tree
// HELP: --tr-graph-place-memory
// HELP: --tr-verify-arch

// CHECK: func.func @other
// CHECK: scf.for
// CHECK: linalg.matmul
// CHECK: tr.arch.network @net classes 3
// CHECK: tr.arch.cbr %{{.*}} ["0.conv", "1.bn"]
// GRAPH: func.func @other
// GRAPH: scf.for
// GRAPH: linalg.matmul
// GRAPH: tr.graph.program @net classes 3
// GRAPH: tr.graph.schedule "train_a"
func.func @other(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %zero to %n step %one iter_args(%c = %b) -> tensor<4x4xf32> {
    %next = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %next : tensor<4x4xf32>
  }
  return %sum : tensor<4x4xf32>
}
tr.arch.network @net classes 3 {
^bb0(%x: tensor<?x6x6x1xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [3, 3], pad = [1, 1]> : tensor<?x6x6x1xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.bn %0 ["1.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.act %1 ["2"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.gap %2 ["3"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %4 = tr.arch.fc %3 ["4.fc"] out 3 bias true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %4 : tensor<?x?x?x?xf32>
}
