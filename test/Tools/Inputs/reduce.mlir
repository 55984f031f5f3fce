tr.arch.network @good classes 3 {
^bb0(%x: tensor<?x1x1x4xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x4xf32> -> tensor<?x1x1x3xf32>
  %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %1 : tensor<?x1x1x3xf32>
}
tr.arch.network @bad classes 3 {
^bb0(%x: tensor<?x1x1x4xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x4xf32> -> tensor<?x1x1x3xf32>
  %1 = tr.arch.mul2 %0 ["1"] : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32> a {
  ^bb0(%a: tensor<?x1x1x3xf32>):
    tr.arch.yield %a : tensor<?x1x1x3xf32>
  } b {
  ^bb0(%a: tensor<?x1x1x3xf32>):
    %2 = tr.arch.act %a ["1.1"] <sigmoid> : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
    tr.arch.yield %2 : tensor<?x1x1x3xf32>
  }
  tr.arch.yield %1 : tensor<?x1x1x3xf32>
}
tr.arch.network @other classes 3 {
^bb0(%x: tensor<?x1x1x4xf32>):
  %0 = tr.arch.identity %x ["0"] first : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
  %1 = tr.arch.concat %0 ["1"] : tensor<?x1x1x4xf32> -> tensor<?x1x1x8xf32> {
  ^bb0(%a: tensor<?x1x1x4xf32>):
    tr.arch.yield %a : tensor<?x1x1x4xf32>
  }, {
  ^bb0(%a: tensor<?x1x1x4xf32>):
    tr.arch.yield %a : tensor<?x1x1x4xf32>
  }
  %2 = tr.arch.fc %1 ["2.fc"] out 3 bias true : tensor<?x1x1x8xf32> -> tensor<?x1x1x3xf32>
  %3 = tr.arch.softmax_ce %2 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %3 : tensor<?x1x1x3xf32>
}
