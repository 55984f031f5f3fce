tr.arch.network @n classes 3 {
^bb0(%x: tensor<?x1x1x3xf32>):
  %0 = tr.arch.act %x ["a\22b\5Cc\09\C3\A9\F0\9F\98\80"] <relu> : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %0 : tensor<?x1x1x3xf32>
}
