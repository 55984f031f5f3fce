// SPDX-License-Identifier: Apache-2.0
//
// Passes within `tr.arch` (steps 2 to 10) and the boundary checks of `tr.bp` and
// `tr.arch`.
#ifndef TR_ARCH_PASSES_TD
#define TR_ARCH_PASSES_TD

include "mlir/Pass/PassBase.td"

class TR_ArchPass<string flag> : Pass<"tr-arch-" # flag, "::tr::arch::NetworkOp"> {
  let dependentDialects = ["::tr::TRDialect"];
}

class TR_ArchVerifyPass<string flag> : Pass<"tr-" # flag, "::tr::arch::NetworkOp"> {
  let dependentDialects = ["::tr::TRDialect"];
}

def TR_PrecisionOption : Option<"precision", "precision", "::trf::Precision",
    "::trf::Precision::FP32", "what activations are stored in", [{
      ::llvm::cl::values(
        clEnumValN(::trf::Precision::FP32, "fp32", "32 bits"),
        clEnumValN(::trf::Precision::AmpFP16, "amp_fp16", "16 bits, FP32 accumulation"),
        clEnumValN(::trf::Precision::AmpBF16, "amp_bf16", "16 bits of bfloat, FP32 accumulation"))
    }]>;

//===----------------------------------------------------------------------===//
// Steps 2 to 6
//===----------------------------------------------------------------------===//

def ArchRenameBn : TR_ArchPass<"rename-bn"> {
  let summary = "step 2: decides between bn1d and bn2d";
  let description = [{
    Gives each `bn` its kind by the layer that its input comes from: `bn1d` after
    `fc`, `gap_fc`, `flatten` and `gap`, else `bn2d`. It looks through every layer that
    keeps height and width of any input (activations, dropout, identity,
    channel_padding, normalisations, the loss) and into the stem of an `add2`. A `bn`
    that reads the images is `bn1d` only where they are known to be 1x1. Each choice
    is a remark.

    Requires: nothing. Ensures: no `tr.arch.bn` is left. Does not handle: a `bn` that
    turns into another kind when a later step inserts a Flatten; those steps never
    do so before a `bn`.

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x8x8x3xf32>):
      %0 = tr.arch.bn %x ["0.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
      %1 = tr.arch.fc %0 ["1.fc"] out 4 bias false : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      %2 = tr.arch.act %1 ["2"] <silu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      %3 = tr.arch.bn %2 ["3.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      tr.arch.yield %3 : tensor<?x?x?x?xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x8x8x3xf32>):
      %0 = tr.arch.bn2d %x ["0.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x8x8x3xf32> -> tensor<?x?x?x?xf32>
      %1 = tr.arch.fc %0 ["1.fc"] out 4 bias false : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      %2 = tr.arch.act %1 ["2"] <silu> : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      %3 = tr.arch.bn1d %2 ["3.bn"] eps 1.0e-5 momentum 0.1 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      tr.arch.yield %3 : tensor<?x?x?x?xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numBn1dRenamed", "num-bn1d-renamed", "bn layers that became bn1d">,
    Statistic<"numBn2dRenamed", "num-bn2d-renamed", "bn layers that became bn2d">];
}

def ArchNormalizeSoftmaxCe : TR_ArchPass<"normalize-softmax-ce"> {
  let summary = "step 3: exactly one loss, at the end";
  let description = [{
    Appends `softmax_ce` with the network's class count where the network does not end in
    one. A loss elsewhere (also inside a branch) is moved there, which is reported:
    its readers get its input, which is what a loss hands on.

    Requires: nothing. Ensures: the network yields the result of its only `softmax_ce`.
    Does not handle: other losses. A loss with another class count than the network's
    is an error.

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x1x1x4xf32>):
      %0 = tr.arch.softmax_ce %x ["0"] classes 4 : tensor<?x1x1x4xf32> -> tensor<?x?x?x?xf32>
      %1 = tr.arch.fc %0 ["1.fc"] out 4 bias false : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      tr.arch.yield %1 : tensor<?x?x?x?xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x1x1x4xf32>):
      %0 = tr.arch.fc %x ["1.fc"] out 4 bias false : tensor<?x1x1x4xf32> -> tensor<?x?x?x?xf32>
      %1 = tr.arch.softmax_ce %0 ["softmax_ce"] classes 4 : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      tr.arch.yield %1 : tensor<?x?x?x?xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numLossesAppended", "num-losses-appended", "losses put at the end">,
    Statistic<"numLossesMoved", "num-losses-moved", "losses taken away from elsewhere">];
}

def ArchNormalizeIdentity : TR_ArchPass<"normalize-identity"> {
  let summary = "step 4: identities only where a layer is needed";
  let description = [{
    Drops every `identity`, then puts one where the compiler needs a layer: into a
    shortcut that has none, at any nesting, and before the first layer where that
    cannot read the images itself (an `add2`, the loss, or several layers).

    Requires: nothing. Ensures: no other identity is left. Does not handle: an empty
    stem, which is an error.

    ```mlir
    tr.arch.network @net classes 8 {
    ^bb0(%x: tensor<?x1x1x8xf32>):
      %0 = tr.arch.add2 %x ["0"] : tensor<?x1x1x8xf32> -> tensor<?x?x?x?xf32> shortcut {
      ^bb0(%a: tensor<?x1x1x8xf32>):
        tr.arch.yield %a : tensor<?x1x1x8xf32>
      } stem {
      ^bb0(%a: tensor<?x1x1x8xf32>):
        %1 = tr.arch.identity %a ["0.1.0"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
        %2 = tr.arch.act %1 ["0.1.1"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
        tr.arch.yield %2 : tensor<?x1x1x8xf32>
      }
      tr.arch.yield %0 : tensor<?x?x?x?xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.network @net classes 8 {
    ^bb0(%x: tensor<?x1x1x8xf32>):
      %i = tr.arch.identity %x ["input"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
      %0 = tr.arch.add2 %i ["0"] : tensor<?x1x1x8xf32> -> tensor<?x?x?x?xf32> shortcut {
      ^bb0(%a: tensor<?x1x1x8xf32>):
        %1 = tr.arch.identity %a ["0.0"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
        tr.arch.yield %1 : tensor<?x1x1x8xf32>
      } stem {
      ^bb0(%a: tensor<?x1x1x8xf32>):
        %2 = tr.arch.act %a ["0.1.1"] <relu> : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
        tr.arch.yield %2 : tensor<?x1x1x8xf32>
      }
      tr.arch.yield %0 : tensor<?x?x?x?xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numIdentitiesDropped", "num-identities-dropped", "identities dropped">,
    Statistic<"numIdentitiesInserted", "num-identities-inserted", "identities inserted">];
}

def ArchInferShapes : TR_ArchPass<"infer-shapes"> {
  let summary = "step 6: the shape of every value";
  let description = [{
    Refines the result type of each layer from its input through
    `LayerOpInterface::inferOutputShape`, in order, into both branches of each `add2`;
    the batch stays symbolic. Errors stand at the layer and name it: channels, extents
    or a kernel that do not fit, branches of different shape (with notes at both
    branches), more than 2^31 elements in a sample, a declared shape that is another.

    Requires: images of known height, width and channels. Ensures: every value has
    static height, width and channels. Does not handle: nothing is left out.

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x9x8x3xf32>):
      %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [3, 3], stride = [2, 2]> : tensor<?x9x8x3xf32> -> tensor<?x?x?x?xf32>
      %1 = tr.arch.gap %0 ["1"] : tensor<?x?x?x?xf32> -> tensor<?x?x?x?xf32>
      tr.arch.yield %1 : tensor<?x?x?x?xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x9x8x3xf32>):
      %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [3, 3], stride = [2, 2]> : tensor<?x9x8x3xf32> -> tensor<?x4x3x8xf32>
      %1 = tr.arch.gap %0 ["1"] : tensor<?x4x3x8xf32> -> tensor<?x1x1x8xf32>
      tr.arch.yield %1 : tensor<?x1x1x8xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numLayersShaped", "num-layers-shaped", "layers whose result type was refined">];
}

def ArchNormalizeFlatten : TR_ArchPass<"normalize-flatten"> {
  let summary = "step 5: Flatten before FC layers and the loss, only where needed";
  let description = [{
    Decides for each `fc` and for the loss on its own. An input of 1x1xC needs no
    Flatten. An `fc` reads an HxWxC map in place where C is a multiple of 8. Any other
    map gets a Flatten directly before its reader. A Flatten that stands before a
    reader that does not need it is dropped there; one before other layers stays.

    Requires: inferred shapes. Ensures: the loss reads 1x1xC, an `fc` reads 1x1xC or a
    map whose C is a multiple of 8. Does not handle: `gap_fc`, which reads any map.

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x5x4x8xf32>):
      %0 = tr.arch.flatten %x ["0"] : tensor<?x5x4x8xf32> -> tensor<?x1x1x160xf32>
      %1 = tr.arch.fc %0 ["1.fc"] out 4 bias true : tensor<?x1x1x160xf32> -> tensor<?x1x1x4xf32>
      tr.arch.yield %1 : tensor<?x1x1x4xf32>
    }
    tr.arch.network @odd classes 4 {
    ^bb0(%x: tensor<?x5x4x3xf32>):
      %0 = tr.arch.fc %x ["0.fc"] out 4 bias true : tensor<?x5x4x3xf32> -> tensor<?x1x1x4xf32>
      tr.arch.yield %0 : tensor<?x1x1x4xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x5x4x8xf32>):
      %0 = tr.arch.fc %x ["1.fc"] out 4 bias true : tensor<?x5x4x8xf32> -> tensor<?x1x1x4xf32>
      tr.arch.yield %0 : tensor<?x1x1x4xf32>
    }
    tr.arch.network @odd classes 4 {
    ^bb0(%x: tensor<?x5x4x3xf32>):
      %0 = tr.arch.flatten %x ["0.fc.flatten"] : tensor<?x5x4x3xf32> -> tensor<?x1x1x60xf32>
      %1 = tr.arch.fc %0 ["0.fc"] out 4 bias true : tensor<?x1x1x60xf32> -> tensor<?x1x1x4xf32>
      tr.arch.yield %1 : tensor<?x1x1x4xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numFlattensInserted", "num-flattens-inserted", "Flattens inserted">,
    Statistic<"numFlattensDropped", "num-flattens-dropped", "Flattens dropped">];
}

//===----------------------------------------------------------------------===//
// Boundary of tr.bp
//===----------------------------------------------------------------------===//

def VerifyBp : Pass<"tr-verify-bp", "::mlir::ModuleOp"> {
  let summary = "check the contract of the blueprint level";
  let description = [{
    Layers of `tr.bp` are inside of a `tr.bp.model`, which holds nothing else; lists
    are empty only as a branch of `add2`; at most 1,000 layers are nested; activations
    are not `none`; a `name` has 1 to 100 letters, digits, `_` or `-` and differs from
    the names and indices of its siblings. Reports the first fault at its layer.
    Changes nothing.

    Requires: nothing. Ensures: step 1 can read the models. Does not look at other levels, so a module without models passes,
    and not at extents: `--tr-arch-expand-tree` does.

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
    tr.arch.network @net classes 10 {
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
    tr.arch.network @net classes 10 {
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
    tr.arch.network @net classes 10 {
    ^bb0(%x: tensor<?x9x7x3xf32>):
      %0 = tr.arch.cbr %x ["0.conv", "0.bn"] <out = 8, kernel = [3, 3]> eps 1.0e-5 momentum 0.1 act <silu> : tensor<?x9x7x3xf32> -> tensor<?x7x5x8xf32>
      %1 = tr.arch.maxpool %0 ["1"] <kernel = [2, 2], stride = [2, 2]> : tensor<?x7x5x8xf32> -> tensor<?x3x2x8xf32>
      tr.arch.yield %1 : tensor<?x3x2x8xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.network @net classes 10 {
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
    tr.arch.network @net classes 10 {
    ^bb0(%x: tensor<?x9x7x3xf32>):
      %0 = tr.arch.conv %x ["0.conv"] <out = 8, kernel = [3, 3], bias = true> first : tensor<?x9x7x3xf32> -> tensor<?x7x5x8xf32>
      %1 = tr.arch.bn2d %0 ["1.bn"] eps 1.0e-3 momentum 0.2 : tensor<?x7x5x8xf32> -> tensor<?x7x5x8xf32>
      %2 = tr.arch.act %1 ["2"] <hardswish> : tensor<?x7x5x8xf32> -> tensor<?x7x5x8xf32>
      tr.arch.yield %2 : tensor<?x7x5x8xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.network @net classes 10 {
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
    Replaces `gap`, `fc` by `gap_fc`. The other half of step 10, the mark of the first
    layer, is `--tr-arch-mark-first-layer`, because it is due without fusion too.

    Requires that a needless `flatten` between the two is gone
    (`--tr-arch-normalize-flatten`). Ensures that no value that something else reads
    disappears: the `gap` must have one use, in the same block. Does not handle
    average pooling whose window happens to be the whole image. A `gap` with a second use
    stays as it is, with a remark.

    ```mlir
    tr.arch.network @net classes 10 {
    ^bb0(%x: tensor<?x9x7x8xf32>):
      %0 = tr.arch.gap %x ["0"] : tensor<?x9x7x8xf32> -> tensor<?x1x1x8xf32>
      %1 = tr.arch.fc %0 ["1.fc"] out 10 bias true : tensor<?x1x1x8xf32> -> tensor<?x1x1x10xf32>
      tr.arch.yield %1 : tensor<?x1x1x10xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.network @net classes 10 {
    ^bb0(%x: tensor<?x9x7x8xf32>):
      %0 = tr.arch.gap_fc %x ["1.fc"] out 10 bias true : tensor<?x9x7x8xf32> -> tensor<?x1x1x10xf32>
      tr.arch.yield %0 : tensor<?x1x1x10xf32>
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// First layer and contract
//===----------------------------------------------------------------------===//

def ArchMarkFirstLayer : TR_ArchPass<"mark-first-layer"> {
  let summary = "marks the layer that reads the images";
  let description = [{
    The end of step 10 as a pass of its own, which also runs without fusion. Marks the
    only reader of the images `first` and takes other marks away. An identity between
    the images and a single layer that can read them itself is dropped: it stood before
    an `add2` that has become one layer.

    Requires: step 4. Ensures: exactly one layer is marked, the reader of the images.
    Does not handle: images with several readers, which is an error.

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x1x1x8xf32>):
      %0 = tr.arch.identity %x ["input"] : tensor<?x1x1x8xf32> -> tensor<?x1x1x8xf32>
      %1 = tr.arch.fc %0 ["0.fc"] out 4 bias true : tensor<?x1x1x8xf32> -> tensor<?x1x1x4xf32>
      tr.arch.yield %1 : tensor<?x1x1x4xf32>
    }
    ```

    becomes

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x1x1x8xf32>):
      %0 = tr.arch.fc %x ["0.fc"] out 4 bias true first : tensor<?x1x1x8xf32> -> tensor<?x1x1x4xf32>
      tr.arch.yield %0 : tensor<?x1x1x4xf32>
    }
    ```
  }];
  let statistics = [Statistic<"numLayersMarked", "num-layers-marked", "layers marked">];
}

def ArchCheckKernels : TR_ArchPass<"check-kernels"> {
  let summary = "checks that fused layers have kernels for the precision";
  let description = [{
    Asks each fused layer for the kernel ops of training and inference that it needs
    and the kernel table for the element types that those take. A kernel op that does
    not take the precision's activations is an error that names the layer, the kernel
    op and the remedy. Layers that are not fused are not looked at.

    Requires: inferred shapes. Ensures: fused layers can run in the precision. Does not
    handle: what a device has; the load of a plan checks that.

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x5x4x8xf32>):
      %0 = tr.arch.gap_fc %x ["0.fc"] out 4 bias true first : tensor<?x5x4x8xf32> -> tensor<?x1x1x4xf32>
      tr.arch.yield %0 : tensor<?x1x1x4xf32>
    }
    ```
  }];
  let options = [TR_PrecisionOption];
}

def VerifyArch : TR_ArchVerifyPass<"verify-arch"> {
  let summary = "checks the contract between the ten steps and the phases";
  let description = [{
    Reports every breach of what the phases rely on: static height, width and channels
    everywhere; no `bn`; exactly one `softmax_ce`, last, on 1x1xC logits, with the
    network's classes; identities only before the first layer or as a whole shortcut;
    every result used; no part in two layers; branches of equal shape; one reader of
    the images, and the mark `first` on it alone.

    Requires: nothing. Ensures: the contract. Does not handle: what depends on the
    variants, which phase 1 checks.

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x1x1x8xf32>):
      %0 = tr.arch.fc %x ["0.fc"] out 4 bias true first : tensor<?x1x1x8xf32> -> tensor<?x1x1x4xf32>
      %1 = tr.arch.softmax_ce %0 ["softmax_ce"] classes 4 : tensor<?x1x1x4xf32> -> tensor<?x1x1x4xf32>
      tr.arch.yield %1 : tensor<?x1x1x4xf32>
    }
    ```
  }];
}

#endif // TR_ARCH_PASSES_TD
