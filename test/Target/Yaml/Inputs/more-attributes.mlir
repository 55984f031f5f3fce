tr.arch.network @n classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.act %x ["0"] <relu> {note = 1 : i64} : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %0 : tensor<?x1x1x3xf32>
}
