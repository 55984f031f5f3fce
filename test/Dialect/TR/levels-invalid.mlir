// SPDX-License-Identifier: Apache-2.0
//
// A pass that finds nothing of its level says so and what is there instead; one that would miss a
// network deeper in the module says that; one for layers names the op that is none.
// RUN: split-file %s %t

// RUN: not tr-opt %t/model.mlir --tr-arch-rename-bn 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-normalize-softmax-ce 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-normalize-identity 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-infer-shapes 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-normalize-flatten 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-merge-blocks 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-merge-cbrp 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-merge-cbr 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-merge-gap-fc 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-check-kernels 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-mark-first-layer 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-verify-arch 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-to-graph 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-arch-to-linalg 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: not tr-opt %t/model.mlir --tr-graph-share-variants 2>&1 | FileCheck %s --check-prefix=NOPROGRAM
// RUN: not tr-opt %t/model.mlir --tr-graph-choose-algorithms 2>&1 | FileCheck %s --check-prefix=NOPROGRAM
// RUN: not tr-opt %t/model.mlir --tr-graph-schedule 2>&1 | FileCheck %s --check-prefix=NOPROGRAM
// RUN: not tr-opt %t/model.mlir --tr-graph-place-memory 2>&1 | FileCheck %s --check-prefix=NOPROGRAM
// RUN: not tr-opt %t/model.mlir --tr-verify-graph 2>&1 | FileCheck %s --check-prefix=NOPROGRAM
// RUN: not tr-opt %t/program.mlir --tr-arch-rename-bn 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not tr-opt %t/program.mlir --tr-arch-to-linalg 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not tr-opt %t/program.mlir --tr-arch-pipeline 2>&1 | FileCheck %s --check-prefix=LATE
// RUN: not tr-opt %t/foreign.mlir --tr-arch-rename-bn 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-normalize-softmax-ce 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-normalize-identity 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-infer-shapes 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-normalize-flatten 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-merge-blocks 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-merge-cbrp 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-merge-cbr 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-merge-gap-fc 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-check-kernels 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-mark-first-layer 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-verify-arch 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-to-graph 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/foreign.mlir --tr-arch-to-linalg 2>&1 | FileCheck %s --check-prefix=FOREIGN
// RUN: not tr-opt %t/nested.mlir --tr-arch-pipeline 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not tr-opt %t/nested.mlir --tr-arch-to-graph 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not tr-opt %t/nested.mlir --tr-arch-to-linalg 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not tr-opt %t/nested.mlir --tr-arch-infer-shapes 2>&1 | FileCheck %s --check-prefix=NESTED
// RUN: not tr-opt %t/nested-model.mlir --tr-verify-bp 2>&1 | FileCheck %s --check-prefix=NESTEDMODEL
// RUN: not tr-opt %t/nested-model.mlir --tr-arch-pipeline 2>&1 | FileCheck %s --check-prefix=NESTEDMODEL
// RUN: not tr-opt %t/nothing.mlir --tr-compile 2>&1 | FileCheck %s --check-prefix=NOTHING
// The module inside is a module like any other.
// RUN: tr-opt %t/nested.mlir --pass-pipeline='builtin.module(builtin.module(tr-arch-infer-shapes))' | FileCheck %s --check-prefix=INSIDE

// EARLY: error: expected a tr.arch.network, but got none
// EARLY: model.mlir:1:1: note: this tr.bp.model is not so far yet: run the pipeline that comes before
// NOPROGRAM: error: expected a tr.graph.program, but got none
// NOPROGRAM: model.mlir:1:1: note: this tr.bp.model is not so far yet
// LATE: error: expected a tr.{{bp.model|arch.network}}, but got none
// LATE: program.mlir:1:1: note: this tr.graph.program is past this pass: it is compiled already
// FOREIGN: foreign.mlir:5:10: error: expected layers only in a network, but got 'builtin.unrealized_conversion_cast'; lower this op first
// NESTED: nested.mlir:3:3: error: expected every tr.arch.network directly in the module that the pass runs on, but got one inside of 'builtin.module'; run the pass on that
// NESTEDMODEL: nested-model.mlir:3:3: error: expected every tr.bp.model directly in the module that the pass runs on, but got one inside of 'builtin.module'; run the pass on that
// NOTHING: error: expected a tr.bp.model, but got none
// INSIDE: tr.arch.gap {{.*}} -> tensor<?x1x1x3xf32>

//--- model.mlir
tr.bp.model @m input [8, 8, 3] classes 10 {
  tr.bp.fc out 10 bias true
}

//--- program.mlir
tr.graph.program @p classes 3 {
}

//--- foreign.mlir
tr.arch.network @n classes 4 {
^bb0(%x: tensor<?x8x8x3xf32>):
  %0 = tr.arch.concat %x ["0"] : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32> {
  ^bb0(%a: tensor<?x8x8x3xf32>):
    %1 = builtin.unrealized_conversion_cast %a : tensor<?x8x8x3xf32> to tensor<?x?x?x?xf32>
    %2 = tr.arch.act %1 ["0.0"] <relu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %2 : tensor<?x?x?x?xf32>
  }
  tr.arch.yield %0 : tensor<?x?x?x?xf32>
}

//--- nested.mlir
module {
module {
  tr.arch.network @n classes 3 {
  ^bb0(%x: tensor<?x8x8x3xf32>):
    %0 = tr.arch.gap %x ["0"] : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
    tr.arch.yield %0 : tensor<?x?x?x?xf32>
  }
}
}

//--- nested-model.mlir
module {
module {
  tr.bp.model @m input [8, 8, 3] classes 10 {
    tr.bp.fc out 10 bias true
  }
}
}

//--- nothing.mlir
module {
}
