tr.arch.network @good classes 3 {
^bb0(%x: tensor<?x1x1x4xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x4xf32> -> tensor<?x1x1x3xf32>
  %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %1 : tensor<?x1x1x3xf32>
}
tr.arch.network @bad classes 3 {
^bb0(%x: tensor<?x1x1x4xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x4xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %0 : tensor<?x1x1x3xf32>
}
tr.arch.network @other classes 3 {
^bb0(%x: tensor<?x1x1x4xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x4xf32> -> tensor<?x1x1x3xf32>
  %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %1 : tensor<?x1x1x3xf32>
}
