// Two networks in a module of somebody else's.
func.func @other(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %zero to %n step %one iter_args(%c = %b) -> tensor<4x4xf32> {
    %next = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %next : tensor<4x4xf32>
  }
  return %sum : tensor<4x4xf32>
}
tr.arch.network @small classes 3 {
^bb0(%x: tensor<?x6x6x1xf32>):
  %0 = tr.arch.gap %x ["0"] : tensor<?x6x6x1xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.fc %0 ["1.fc"] out 3 bias true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %1 : tensor<?x?x?x?xf32>
}
tr.arch.network @large classes 5 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [3, 3], pad = [1, 1]> : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.gap %0 ["1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.fc %1 ["2.fc"] out 5 bias true : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %2 : tensor<?x?x?x?xf32>
}
