// Every edge of every schedule of a packed residual net is missed when it is gone.
// RUN: tr-opt %s --tr-graph-pipeline -o %t
// RUN: %python %S/Inputs/remove_edges.py < %t > %t.programs 2> %t.checks
// RUN: not tr-opt %t.programs --split-input-file --tr-verify-graph -o %t.none 2>&1 | FileCheck %t.checks
// RUN: FileCheck %s --check-prefix=COUNT < %t.checks
// COUNT: CHECK-COUNT-{{[1-9][0-9][0-9]}}: no path of edges leads from node

// Memory that two live tensors share, and operands of one op that overlap, are found too.
// RUN: sed '/"1.conv1.output" region/s/offset [0-9]*/offset 102912/; /"0.bn.output" region/s/offset [0-9]*/offset 102912/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=APART
// APART: error: {{.*}}expected operands in different places, but x ('0.bn.output') and y ('1.conv1.output') overlap
// RUN: sed '/"0.conv.output" region/s/offset [0-9]*/offset 102912/; /"1.conv1.output" region/s/offset [0-9]*/offset 102912/' %t | not tr-opt --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=STALE
// STALE: error: {{.*}}schedule' op node {{[0-9]+}} ({{.*}}): {{[a-z0-9_]+}}: tensor '{{.*}}' is read, but tensor '{{.*}}' was written over it
tr.arch.network @net classes 3 {
^bb0(%x: tensor<?x11x7x3xf32>):
  %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 4, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> first : tensor<?x11x7x3xf32> -> tensor<?x11x7x4xf32>
  %1 = tr.arch.block %0 ["1.conv1", "1.bn1", "1.conv2", "1.bn2", "1.proj.conv", "1.proj.bn"] <basic_block, out = 6, stride = 2, shortcut = projection, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x11x7x4xf32> -> tensor<?x6x4x6xf32>
  %2 = tr.arch.gap_fc %1 ["2.fc"] out 3 bias true : tensor<?x6x4x6xf32> -> tensor<?x1x1x3xf32>
  %3 = tr.arch.softmax_ce %2 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
  tr.arch.yield %3 : tensor<?x1x1x3xf32>
}
