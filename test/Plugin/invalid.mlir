// Errors are those of tr-opt.
// RUN: not %mlir_opt --load-dialect-plugin=%tr_plugin --load-pass-plugin=%tr_plugin %s --pass-pipeline='builtin.module(tr.arch.network(tr-verify-arch))' 2>&1 | FileCheck %s
// CHECK: invalid.mlir:[[@LINE+1]]:1: error: network 'net': expected softmax_ce as the last layer, but got another
tr.arch.network @net classes 3 {
^bb0(%x: tensor<?x1x1x4xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x4xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %0 : tensor<?x1x1x3xf32>
}
