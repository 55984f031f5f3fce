// SPDX-License-Identifier: Apache-2.0
// Two merges and a near miss; the pooling has a name that would end a script element.
tr.arch.network @net classes 10 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.conv %x ["a.conv"] <out = 4, kernel = [3, 3], pad = [1, 1]> : tensor<?x8x8x3xf32> -> tensor<?x8x8x4xf32>
  %1 = tr.arch.bn2d %0 ["a.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x8x8x4xf32> -> tensor<?x8x8x4xf32>
  %2 = tr.arch.act %1 ["a.act"] <relu> : tensor<?x8x8x4xf32> -> tensor<?x8x8x4xf32>
  %3 = tr.arch.conv %2 ["b.conv"] <out = 4, kernel = [3, 3], pad = [1, 1]> : tensor<?x8x8x4xf32> -> tensor<?x8x8x4xf32>
  %4 = tr.arch.bn2d %3 ["b.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x8x8x4xf32> -> tensor<?x8x8x4xf32>
  %5 = tr.arch.maxpool %4 ["</script><b>"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x8x8x4xf32> -> tensor<?x4x4x4xf32>
  %6 = tr.arch.gap %5 ["c"] : tensor<?x4x4x4xf32> -> tensor<?x1x1x4xf32>
  %7 = tr.arch.fc %6 ["d.fc"] out 10 bias true : tensor<?x1x1x4xf32> -> tensor<?x1x1x10xf32>
  tr.arch.yield %7 : tensor<?x1x1x10xf32>
}
