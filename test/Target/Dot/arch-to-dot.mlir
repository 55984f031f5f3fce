// RUN: tr-translate --arch-to-dot %s | FileCheck %s --strict-whitespace
// RUN: tr-translate --blueprint-to-mlir %models/resnet50.bp | tr-opt --tr-arch-pipeline | tr-translate --arch-to-dot | FileCheck %s --check-prefix=ZOO

// ZOO: digraph "resnet50" {
// ZOO: label="2.0.conv1\nbottleneck_projection"
// ZOO: [label="56x56x64"];

// CHECK: digraph "net" {
// CHECK:   n0 [label="images"];
// CHECK:   n1 [label="0\nact"];
// CHECK:   n0 -> n1 [label="8x8x4"];
// CHECK:   n2 [label="1.1.0\nact"];
// CHECK:   n1 -> n2 [label="8x8x4"];
// CHECK:   n3 [label="1\n+"];
// CHECK:   n2 -> n3 [label="8x?x4"];
// CHECK:   n1 -> n3 [label="8x8x4"];
// CHECK: }
tr.arch.network @net classes 3 {
^bb0(%x: tensor<?x8x8x4xf32>):
  %0 = tr.arch.act %x ["0"] <relu> first : tensor<?x8x8x4xf32> -> tensor<?x8x8x4xf32>
  %1 = tr.arch.add2 %0 ["1"] : tensor<?x8x8x4xf32> -> tensor<?x8x8x4xf32> shortcut {
  ^bb0(%a: tensor<?x8x8x4xf32>):
    tr.arch.yield %a : tensor<?x8x8x4xf32>
  } stem {
  ^bb0(%a: tensor<?x8x8x4xf32>):
    %2 = tr.arch.act %a ["1.1.0"] <relu> : tensor<?x8x8x4xf32> -> tensor<?x8x?x4xf32>
    tr.arch.yield %2 : tensor<?x8x?x4xf32>
  }
  tr.arch.yield %1 : tensor<?x8x8x4xf32>
}
