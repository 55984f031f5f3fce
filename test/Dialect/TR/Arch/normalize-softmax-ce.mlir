// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-normalize-softmax-ce --split-input-file --verify-diagnostics | FileCheck %s
// RUN: tr-opt %s --tr-arch-normalize-softmax-ce --split-input-file --remarks-filter-analyse=tr-arch-normalize-softmax-ce -o /dev/null 2>&1 | FileCheck %s --check-prefix=STAT

// STAT-DAG: num-losses-appended=1

// CHECK-LABEL: tr.arch.network @appended
// CHECK: %[[FC:.+]] = tr.arch.fc
// CHECK: %[[LOSS:.+]] = tr.arch.softmax_ce %[[FC]] ["softmax_ce"] classes 4
// CHECK-NEXT: tr.arch.yield %[[LOSS]]
tr.arch.network @appended classes 4 {
^bb0(%x: tensor<?x1x1x4xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 4 bias false : tensor<?x1x1x4xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

// -----

// STAT-DAG: num-losses-appended=1
// STAT-DAG: num-losses-moved=2

// Also from inside a branch; the new one's name is free.
// CHECK-LABEL: tr.arch.network @moved
// CHECK-SAME: classes 4
// CHECK-NEXT: (%[[X:.+]]: tensor
// CHECK-NEXT: tr.arch.add2 %[[X]]
// CHECK-NOT: softmax_ce %
// CHECK: %[[FC:.+]] = tr.arch.fc {{.*}} ["softmax_ce"]
// CHECK-NEXT: tr.arch.softmax_ce %[[FC]] ["softmax_ce_2"] classes 4
tr.arch.network @moved classes 4 {
^bb0(%x: tensor<?x1x1x4xf32>):
  // expected-remark @+1 {{softmax_ce layer '0' moved to the end of the network}}
  %0 = tr.arch.softmax_ce %x ["0"] classes 4 : tensor<?x1x1x4xf32> -> tensor<?x?x?x?xf32>
  %1 = tr.arch.add2 %0 ["1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32> shortcut {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    tr.arch.yield %a : tensor<?x?x?x?xf32>
  } stem {
  ^bb0(%a: tensor<?x?x?x?xf32>):
    // expected-remark @+1 {{softmax_ce layer '1.1.0' moved to the end of the network}}
    %2 = tr.arch.softmax_ce %a ["1.1.0"] classes 4 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    %3 = tr.arch.act %2 ["1.1.1"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %3 : tensor<?x?x?x?xf32>
  }
  %4 = tr.arch.fc %1 ["softmax_ce"] out 4 bias false : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %4 : tensor<?x?x?x?xf32>
}

// -----

// STAT-DAG: num-losses-moved=1

// The user's last loss stays, with its name; readers beside the end get its input.
// CHECK-LABEL: tr.arch.network @kept
// CHECK: %[[FC:.+]] = tr.arch.fc
// CHECK-NEXT: tr.arch.softmax_ce %[[FC]] ["2"]
// CHECK-NEXT: tr.arch.act %[[FC]]
tr.arch.network @kept classes 4 {
^bb0(%x: tensor<?x1x1x4xf32>):
  %0 = tr.arch.fc %x ["0.fc"] out 4 bias false : tensor<?x1x1x4xf32> -> tensor<?x?x?x?xf32>
  // expected-remark @+1 {{softmax_ce layer '1' moved to the end of the network}}
  %1 = tr.arch.softmax_ce %0 ["1"] classes 4 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %2 = tr.arch.softmax_ce %1 ["2"] classes 4 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  %3 = tr.arch.act %2 ["3"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
  tr.arch.yield %2 : tensor<?x?x?x?xf32>
}

// -----

// STAT-DAG: num-losses-moved=1

// Where it stands there need not be as many values as classes.
// CHECK-LABEL: tr.arch.network @moved_from_features
// CHECK: %[[FC:.+]] = tr.arch.fc %{{.+}} ["1.fc"]
// CHECK-NEXT: tr.arch.softmax_ce %[[FC]] ["softmax_ce"] classes 4
tr.arch.network @moved_from_features classes 4 {
^bb0(%x: tensor<?x3x2x4xf32>):
  // expected-remark @+1 {{softmax_ce layer '0' moved to the end of the network}}
  %0 = tr.arch.softmax_ce %x ["0"] classes 4 : tensor<?x3x2x4xf32> -> tensor<?x3x2x4xf32>
  %1 = tr.arch.fc %0 ["1.fc"] out 4 bias false : tensor<?x3x2x4xf32> -> tensor<?x1x1x4xf32>
  tr.arch.yield %1 : tensor<?x1x1x4xf32>
}
