// SPDX-License-Identifier: Apache-2.0
//
// Passes that go from one family to the next.
#ifndef TR_CONVERSION_PASSES_TD
#define TR_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// tr.bp to tr.arch
//===----------------------------------------------------------------------===//

def ArchExpandTree : Pass<"tr-arch-expand-tree", "::mlir::ModuleOp"> {
  let summary = "layer trees to lists of layers";
  let description = [{
    A BluePrint is a tree because people write trees; passes that look at neighbours want a list.
    Replaces every `tr.bp.model` by a `tr.arch.network` of the same name. `seq` and
    `repeat` disappear, a join (`add2`, `mul2`, `concat`) becomes an op with a region for each branch. The ops `block`, `cbr`, `cbrp`
    and `gap_fc` become fused layers, or primitives where `fuse = false` in `#tr.options`.
    Whether a block has a projection depends on the channels at its place, so extents
    are inferred on the way and all result types are concrete.

    Requires what `--tr-verify-bp` checks; ensures that no `tr.bp` op is left and that
    layers keep their locations. Parameter names do not depend on `fuse`. Reports
    layers that cannot take their input. Does not handle branches that
    disagree (`--tr-arch-infer-shapes`) nor the position of the loss
    (`--tr-arch-normalize-softmax-ce`). Does nothing where the module has networks and no
    `tr.bp.model`; a module that has neither is an error, and so is a model in a nested module.

    ```mlir
    tr.bp.model @m input [8, 8, 3] classes 10 {
      tr.bp.cbr <out = 4, kernel = [3, 3]> eps 1.0e-5 momentum 1.0e-1 act <relu>
      tr.bp.gap_fc out 10 bias true
    }
    ```
  }];
  let dependentDialects = ["::tr::TRDialect"];
  let statistics = [Statistic<"numModels", "num-models", "models expanded">,
                    Statistic<"numLayers", "num-layers", "layers made">];
}

//===----------------------------------------------------------------------===//
// tr.arch to tr.graph
//===----------------------------------------------------------------------===//

def ArchToGraph : Pass<"tr-arch-to-graph", "::mlir::ModuleOp"> {
  let summary = "layers to tensors and subgraphs of kernel ops";
  let description = [{
    A plan must serve every variant with one table of tensors and one set of subgraphs, so
    that weights lie where they lie whatever the batch is. Every layer describes itself once under
    each distinct variant of `#tr.options`: its tensors, its parameters and its kernel ops. The
    pass replaces each `tr.arch.network` by a `tr.graph.program` of the same name with the
    variants, the layers, the tensors with a shape for each variant, the parameters, the count of
    fused layers and the 33 subgraphs: kernel ops of the layers, forward, backward and inference,
    and of the options, transfers, checks, optimizer and metrics. A subgraph that stays empty
    carries the reason.

    Requires a network of layers only that ends in its only `softmax_ce` and whose input extents are
    known, and a precision that kernels have. Does nothing where the module has programs and no
    network; one that has neither is an error. Where not exactly one layer reads the images, an identity is put before
    them. Ensures that all variants have the same tensors by name, region and type, and
    parameters of one shape; a fully connected layer whose input grows with the
    resolution is an error with both shapes. No kernel op computes a gradient that reaches only
    the images. Does not place tensors nor order kernel ops: `--tr-graph-place-memory` and
    `--tr-graph-schedule` do.

    ```mlir
    module attributes {tr.options = #tr.options<variants = [#tr.variant<name = "train_base", training = true, batch = 5>]>} {
      tr.arch.network @net classes 3 {
      ^bb0(%x: tensor<?x1x1x7xf32>):
        %0 = tr.arch.fc %x ["0.fc"] out 3 bias true first : tensor<?x1x1x7xf32> -> tensor<?x1x1x3xf32>
        %1 = tr.arch.softmax_ce %0 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
        tr.arch.yield %1 : tensor<?x1x1x3xf32>
      }
    }
    ```
  }];
  let dependentDialects = ["::tr::TRDialect"];
  let statistics = [Statistic<"numTensors", "num-tensors", "Number of tensors made">,
                    Statistic<"numKernelOps", "num-kernel-ops", "Number of kernel ops made">];
}

//===----------------------------------------------------------------------===//
// tr.arch to upstream dialects
//===----------------------------------------------------------------------===//

def ArchToLinalg : Pass<"tr-arch-to-linalg", "::mlir::ModuleOp"> {
  let summary = "inference of a network in linalg, weights as arguments";
  let description = [{
    A second way to a network's numbers, through dialects that others wrote and run, is a witness
    against our own kernels. Replaces every `tr.arch.network` by a `func.func` of the same name that computes the logits
    of `batch` images: (batch, h, w, c) to (batch, 1, 1, classes). Parameters and running
    statistics are further arguments, each with its name in weight files as the attribute
    `tr.param`, in the layouts of the plan: convolutions (o, kh, kw, i / groups), FC layers
    (o, h, w, c), vectors (c).

    Requires networks of layers only with known shapes (`--tr-arch-infer-shapes`), and precision fp32.
    Ensures that no `tr.arch` op is left. Does not handle training: dropout and the loss pass their input on.

    ```mlir
    tr.arch.network @net classes 3 {
    ^bb0(%x: tensor<?x6x6x1xf32>):
      %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [3, 3], pad = [1, 1]> first : tensor<?x6x6x1xf32> -> tensor<?x6x6x8xf32>
      %1 = tr.arch.act %0 ["1"] <relu> : tensor<?x6x6x8xf32> -> tensor<?x6x6x8xf32>
      %2 = tr.arch.gap %1 ["2"] : tensor<?x6x6x8xf32> -> tensor<?x1x1x8xf32>
      %3 = tr.arch.fc %2 ["3.fc"] out 3 bias true : tensor<?x1x1x8xf32> -> tensor<?x1x1x3xf32>
      %4 = tr.arch.softmax_ce %3 ["loss"] classes 3 : tensor<?x1x1x3xf32> -> tensor<?x1x1x3xf32>
      tr.arch.yield %4 : tensor<?x1x1x3xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
  let options = [Option<"batch", "batch", "int64_t", "1", "images of a call">];
}

#endif // TR_CONVERSION_PASSES_TD
