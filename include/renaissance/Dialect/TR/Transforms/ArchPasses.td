// SPDX-License-Identifier: Apache-2.0
//
// Passes within `tr.arch` (steps 2 to 10) and the boundary checks of `tr.bp` and
// `tr.arch`.
#ifndef TR_ARCH_PASSES_TD
#define TR_ARCH_PASSES_TD

include "mlir/Pass/PassBase.td"

class TR_ArchPass<string flag> : Pass<"tr-arch-" # flag, "::tr::arch::PlanOp"> {
  let dependentDialects = ["::tr::TRDialect"];
}

//===----------------------------------------------------------------------===//
// Boundary of tr.bp
//===----------------------------------------------------------------------===//

def VerifyBp : Pass<"tr-verify-bp", "::mlir::ModuleOp"> {
  let summary = "check the contract of the blueprint level";
  let description = [{
    Accepts a module that holds `tr.bp.model` and nothing else, at least one. In each
    model only layers of `tr.bp`; lists are empty only as a branch of `add2`; at most
    1,000 layers are nested; activations are not `none`; a `name` has 1 to 100
    letters, digits, `_` or `-` and differs from the names and indices of its
    siblings. Reports the first fault at its layer. Changes nothing. Does not check
    extents: `--tr-arch-expand-tree` does.

    ```mlir
    tr.bp.model @m input [8, 8, 3] classes 10 {
      tr.bp.add2 shortcut {} stem { tr.bp.act <relu> name "branch" }
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Merging, steps 7 to 10
//===----------------------------------------------------------------------===//

class TR_ArchMergePass<string flag> : TR_ArchPass<flag> {
  let statistics = [
    Statistic<"numMerged", "num-merged", "Number of merged layers made">,
    Statistic<"numNearMisses", "num-near-misses", "Number of candidates that stayed unmerged">
  ];
}

def ArchMergeBlocks : TR_ArchMergePass<"merge-blocks"> {
  let summary = "merge residual blocks and inverted residuals (step 7)";
  let description = [{
    Replaces the layers of a ResNet bottleneck, a ResNet basic block or an inverted
    residual by the one layer that stands for them, whether they are written with
    `conv`, `bn2d` and `act` or with `cbr`.

    A block is merged only when the fused layer means exactly the same: kernels,
    strides, pads, dilation, groups and missing biases are those of the block; every
    convolution has its `bn2d`, all with one eps and one momentum; the activations are
    ReLU (ReLU6 in an inverted residual); the shortcut is the input itself or a 1x1
    convolution with `bn2d` at the block's stride; channels agree; no value is used a
    second time; nothing stands before or after these layers in a branch; and the
    add of a ResNet block goes into a ReLU and nowhere else, which then belongs to the
    block. Depthwise convolutions tell an inverted residual from a bottleneck. An
    inverted residual without a shortcut is found as a chain; in a branch it must
    change the shape, because otherwise it is the stem of an identity block.

    Requires the shapes of `--tr-arch-infer-shapes` and the `bn2d` of
    `--tr-arch-rename-bn`. Ensures that parameter names stay: the merged layer's
    `parts` are those of its layers in canonical order. Does not reorder the branches
    of an add, and does not merge a depthwise-separable pair whose projection has an
    activation.

    A candidate that fails a condition stays as it is; the reason is a remark
    (`--remarks-filter-missed=tr-arch-merge-blocks`).

    ```mlir
    tr.arch.plan @net classes 10 {
    ^bb0(%x: tensor<?x9x7x8xf32>):
      %0 = tr.arch.add2 %x ["0"] : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32> shortcut {
      ^bb0(%a: tensor<?x9x7x8xf32>):
        tr.arch.yield %a : tensor<?x9x7x8xf32>
      } stem {
      ^bb0(%a: tensor<?x9x7x8xf32>):
        %1 = tr.arch.cbr %a ["0.1.0.conv", "0.1.0.bn"] <out = 8, kernel = [3, 3], pad = [1, 1]> eps 1.0e-5 momentum 0.1 act <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
        %2 = tr.arch.conv %1 ["0.1.1.conv"] <out = 8, kernel = [3, 3], pad = [1, 1]> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
        %3 = tr.arch.bn2d %2 ["0.1.2.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
        tr.arch.yield %3 : tensor<?x9x7x8xf32>
      }
      %4 = tr.arch.act %0 ["1"] <relu> : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
      tr.arch.yield %4 : tensor<?x9x7x8xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.plan @net classes 10 {
    ^bb0(%x: tensor<?x9x7x8xf32>):
      %0 = tr.arch.basic_block_identity %x ["0.1.0.conv", "0.1.0.bn", "0.1.1.conv", "0.1.2.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
      tr.arch.yield %0 : tensor<?x9x7x8xf32>
    }
    ```
  }];
}

def ArchMergeQuadruple : TR_ArchMergePass<"merge-quadruple"> {
  let summary = "merge convolution, normalisation, activation and max-pooling (step 8)";
  let description = [{
    Replaces `conv`, `bn2d`, `act`, `maxpool` or `cbr`, `maxpool` by `cbrp`. Geometry,
    bias, eps, momentum, kind of activation and window are kept as they are.

    Requires `bn2d` (`--tr-arch-rename-bn`). Ensures that no value that something else
    reads disappears: each layer but the last must have one use, in the same block.
    Does not handle average pooling and `bn1d`. A candidate with a second use stays as it
    is, with a remark.

    ```mlir
    tr.arch.plan @net classes 10 {
    ^bb0(%x: tensor<?x9x7x3xf32>):
      %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 8, kernel = [3, 3]> eps 1.0e-5 momentum 0.1 act <silu> : tensor<?x9x7x3xf32> -> tensor<?x7x5x8xf32>
      %1 = tr.arch.maxpool %0 ["1"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x7x5x8xf32> -> tensor<?x3x2x8xf32>
      tr.arch.yield %1 : tensor<?x3x2x8xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.plan @net classes 10 {
    ^bb0(%x: tensor<?x9x7x3xf32>):
      %0 = tr.arch.cbrp %x ["0.conv", "0.bn"] <out = 8, kernel = [3, 3]> eps 1.0e-5 momentum 0.1 act <silu> window <kernel = [2, 2], stride = [2, 2]> : tensor<?x9x7x3xf32> -> tensor<?x3x2x8xf32>
      tr.arch.yield %0 : tensor<?x3x2x8xf32>
    }
    ```
  }];
}

def ArchMergeTriple : TR_ArchMergePass<"merge-triple"> {
  let summary = "merge convolution, batch normalisation and activation (step 9)";
  let description = [{
    Replaces `conv`, `bn2d`, `act` by `cbr` for every kind of activation. The geometry
    with its bias and this layer's own eps and momentum are kept.

    Requires `bn2d` (`--tr-arch-rename-bn`). Ensures that no value that something else
    reads disappears: convolution and normalisation must have one use each, in the
    same block. Does not merge a convolution and its `bn2d` without an activation; this
    and a second use are remarks.

    ```mlir
    tr.arch.plan @net classes 10 {
    ^bb0(%x: tensor<?x9x7x3xf32>):
      %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [3, 3], bias = true> first : tensor<?x9x7x3xf32> -> tensor<?x7x5x8xf32>
      %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-3 momentum 0.2 : tensor<?x7x5x8xf32> -> tensor<?x7x5x8xf32>
      %2 = tr.arch.act %1 ["2"] <hardswish> : tensor<?x7x5x8xf32> -> tensor<?x7x5x8xf32>
      tr.arch.yield %2 : tensor<?x7x5x8xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.plan @net classes 10 {
    ^bb0(%x: tensor<?x9x7x3xf32>):
      %0 = tr.arch.cbr %x ["0.conv", "1.bn"] <out = 8, kernel = [3, 3], bias = true> eps 1.0e-3 momentum 0.2 act <hardswish> first : tensor<?x9x7x3xf32> -> tensor<?x7x5x8xf32>
      tr.arch.yield %0 : tensor<?x7x5x8xf32>
    }
    ```
  }];
}

def ArchMergeBinary : TR_ArchMergePass<"merge-binary"> {
  let summary = "merge global average pooling and a fully connected layer (step 10)";
  let description = [{
    Replaces `gap`, `fc` by `gap_fc`.

    Requires that a needless `flatten` between the two is gone
    (`--tr-arch-normalize-flatten`). Ensures that no value that something else reads
    disappears: the `gap` must have one use, in the same block. Does not handle
    average pooling whose window happens to be the whole image. A `gap` with a second use
    stays as it is, with a remark.

    ```mlir
    tr.arch.plan @net classes 10 {
    ^bb0(%x: tensor<?x9x7x8xf32>):
      %0 = tr.arch.gap %x ["0"] : tensor<?x9x7x8xf32> -> tensor<?x1x1x8xf32>
      %1 = tr.arch.fc %0 ["1.fc"] out 10 bias true : tensor<?x1x1x8xf32> -> tensor<?x1x1x10xf32>
      tr.arch.yield %1 : tensor<?x1x1x10xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.plan @net classes 10 {
    ^bb0(%x: tensor<?x9x7x8xf32>):
      %0 = tr.arch.gap_fc %x ["1.fc"] out 10 bias true : tensor<?x9x7x8xf32> -> tensor<?x1x1x10xf32>
      tr.arch.yield %0 : tensor<?x1x1x10xf32>
    }
    ```
  }];
}

#endif // TR_ARCH_PASSES_TD
