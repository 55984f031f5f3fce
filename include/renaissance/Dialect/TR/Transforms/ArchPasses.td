// SPDX-License-Identifier: Apache-2.0
//
// Passes within `tr.arch`, in the order of --tr-arch-pipeline, and the boundary checks of
// `tr.bp` and `tr.arch`.
#ifndef TR_ARCH_PASSES_TD
#define TR_ARCH_PASSES_TD

include "mlir/Pass/PassBase.td"

// On a network, or on each network of a module. All require networks of layers only: an op of
// another dialect in one is an error that names it (docs/embedding.md).
class TR_ArchPass<string flag> : Pass<"tr-arch-" # flag> {
  let dependentDialects = ["::tr::TRDialect"];
}

class TR_ArchVerifyPass<string flag> : Pass<"tr-" # flag> {
  let dependentDialects = ["::tr::TRDialect"];
}

//===----------------------------------------------------------------------===//
// Normalisation
//===----------------------------------------------------------------------===//

def ArchRenameBn : TR_ArchPass<"rename-bn"> {
  let summary = "tell bn1d from bn2d";
  let description = [{
    One word, `bn`, serves maps and vectors in a BluePrint, but fusion and kernels tell them apart.
    Gives each `bn` its kind by the layer that its input comes from: `bn1d` after
    `fc`, `gap_fc`, `flatten` and `gap`, else `bn2d`. It looks through every layer that
    keeps height and width of any input (activations, dropout, identity,
    channel_padding, normalisations, the loss) and into the stem of an `add2`. A `bn`
    that reads the images is `bn1d` only where they are known to be 1x1. Each choice
    is a remark.

    Requires: layers only. Ensures: no `tr.arch.bn` is left. Does not handle: a `bn` that
    turns into another kind when a later pass inserts a Flatten; no pass does so before a `bn`.

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
  let summary = "exactly one loss, at the end";
  let description = [{
    The lowering to kernels starts the backward pass at the loss, so there must be one and only one.
    Appends `softmax_ce` with the network's class count where the network does not end in
    one. A loss elsewhere (also inside a branch) is moved there, which is reported:
    its readers get its input, which is what a loss hands on.

    Requires: layers only. Ensures: the network yields the result of its only `softmax_ce`.
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
  let summary = "identities only where a layer is needed";
  let description = [{
    An identity costs a pass over its map; most are there to be readable and can go.
    Drops every `identity` but one that is a whole branch of an `add2`, then puts one where the
    compiler needs a layer: into a
    shortcut that has none, at any nesting, and before the first layer where that
    cannot read the images itself (an `add2`, the loss, or several layers).

    Requires: layers only. Ensures: no other identity is left. Does not handle: an empty
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
  let summary = "the shape of every value";
  let description = [{
    Everything that follows, from fusion to memory, is decided by shapes, and a user's mistake is
    best told here, at the layer. Refines the result type of each layer from its input through
    `LayerOpInterface::inferOutputShape`, in order, into the branches of each join;
    the batch stays symbolic. Errors stand at the layer and name it: channels, extents
    or a kernel that do not fit, branches of different shape (with notes at both
    branches), more than 2^31 elements in a sample, a declared shape that is another.

    Requires: layers only, images of known height, width and channels. Ensures: every value has
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
  let summary = "Flatten before FC layers and the loss, only where needed";
  let description = [{
    A Flatten changes no byte where the channels of a map are read in order, so only some readers
    need one. Decides for each `fc` and for the loss on its own. An input of 1x1xC needs no
    Flatten. An `fc` reads an HxWxC map in place where C is a multiple of 8. Any other
    map gets a Flatten directly before its reader. A Flatten that stands before a
    reader that does not need it is dropped there; one before other layers stays.

    Requires: layers only, inferred shapes. Ensures: the loss reads 1x1xC, an `fc` reads 1x1xC or a
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
  let summary = "check the contract of the BluePrint level";
  let description = [{
    Passes that read a tree must be able to trust it, whoever wrote it.
    Layers of `tr.bp` are inside of a `tr.bp.model`, which holds nothing else; lists
    are empty only as a branch of `add2`, `mul2` or `concat`; at most 1,000 layers are nested; activations
    are not `none`; a `name` has 1 to 100 letters, digits, `_` or `-` and differs from
    the names and indices of its siblings. Reports the first fault at its layer.
    Changes nothing.

    Requires: nothing. Ensures: `--tr-arch-expand-tree` can read the models. Does not look at
    other levels, so a module without models passes, nor at extents: `--tr-arch-expand-tree` does.

    ```mlir
    tr.bp.model @m input [8, 8, 3] classes 10 {
      tr.bp.add2 shortcut {} stem { tr.bp.act <relu> name "branch" }
    }
    ```
  }];
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

class TR_ArchMergePass<string flag> : TR_ArchPass<flag> {
  let statistics = [
    Statistic<"numMerged", "num-merged", "Number of merged layers made">,
    Statistic<"numNearMisses", "num-near-misses", "Number of candidates that stayed unmerged">
  ];
}

def ArchMergeBlocks : TR_ArchMergePass<"merge-blocks"> {
  let summary = "merge residual blocks and inverted residuals";
  let description = [{
    A block that the compiler knows as one layer runs its sums, activations and normalisations
    without a pass over the map of their own. Replaces the layers of a ResNet
    bottleneck, a ResNet basic block or an inverted residual by the one layer that stands for them, whether they are written with
    `conv`, `bn2d` and `act` or with `cbr`.

    A block is merged only when the fused layer means exactly the same: kernels,
    strides, pads, dilation and missing biases are those of the block; only the 3x3 of a
    bottleneck may have groups; every convolution has its `bn2d`, all with one eps and one
    momentum; there is one activation, the same everywhere; the shortcut is the input itself, a
    1x1 convolution with `bn2d` at the block's stride, or one of stride 1 after an `avgpool`
    over windows of that stride, rounded up (ResNet-D); channels agree; no value is used a
    second time; nothing stands before or after these layers in a branch; and the
    add of a ResNet block goes into the activation and nowhere else, which then belongs to the
    block. Depthwise convolutions tell an inverted residual from a bottleneck. An
    inverted residual without a shortcut is found as a chain; in a branch it must
    change the shape, because otherwise it is the stem of an identity block.

    Requires layers only, the shapes of `--tr-arch-infer-shapes` and the `bn2d` of
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
      %0 = tr.arch.block %x ["0.1.0.conv", "0.1.0.bn", "0.1.1.conv", "0.1.2.bn"] <basic_block, out = 8, shortcut = identity, act = relu> eps 1.0e-5 momentum 0.1 : tensor<?x9x7x8xf32> -> tensor<?x9x7x8xf32>
      tr.arch.yield %0 : tensor<?x9x7x8xf32>
    }
    ```
  }];
}

def ArchMergeCbrp : TR_ArchMergePass<"merge-cbrp"> {
  let summary = "merge convolution, normalisation, activation and max-pooling";
  let description = [{
    The stem of most networks ends in a pooling that can normalise as it reads, which saves the
    largest map of the network a read and a write.
    Replaces `conv`, `bn2d`, `act`, `maxpool` or `cbr`, `maxpool` by `cbrp`. Geometry,
    bias, eps, momentum, kind of activation and window are kept as they are.

    Requires layers only and `bn2d` (`--tr-arch-rename-bn`). Ensures that no value that something else
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

def ArchMergeCbr : TR_ArchMergePass<"merge-cbr"> {
  let summary = "merge convolution, batch normalisation and activation";
  let description = [{
    The layers of this trio are kernels of one another: a normalisation can be read into the next
    convolution, and an activation costs nothing where its input is at hand.
    Replaces `conv`, `bn2d`, `act` by `cbr` for every kind of activation. The geometry
    with its bias and this layer's own eps and momentum are kept.

    Requires layers only and `bn2d` (`--tr-arch-rename-bn`). Ensures that no value that something else
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

def ArchMergeGapFc : TR_ArchMergePass<"merge-gap-fc"> {
  let summary = "merge global average pooling and a fully connected layer";
  let description = [{
    The head of most networks pools a map to a vector that one layer reads; as one layer it needs
    no tensor between. Replaces `gap`, `fc` by `gap_fc`.

    Requires layers only and that a needless `flatten` between the two is gone
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
  let summary = "mark the layer that reads the images";
  let description = [{
    Nobody needs the gradient of an image, so the layer that reads the images computes none; its
    weights are a region of their own. Runs with and without fusion. Marks the
    only reader of the images `first` and takes other marks away. An identity between
    the images and a single layer that can read them itself is dropped: it stood before
    an `add2` that has become one layer.

    Requires: layers only, `--tr-arch-normalize-identity`. Ensures: exactly one layer is marked, the reader of the images.
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
  let summary = "check that layers have kernels for the precision";
  let description = [{
    A layer without a kernel should be told at its line, not at the load of the plan. The pass asks
    each layer for the kernel ops of training and inference that it needs and the table of instances
    whether those exist in the precision of `#tr.options`. A kernel op that does not is an error that
    names the layer, the kernel op and the remedy.

    Requires: layers only, inferred shapes. Ensures: layers can run in the precision. Does not handle: what a
    kernel library has; the load of a plan checks that.

    ```mlir
    tr.arch.network @net classes 4 {
    ^bb0(%x: tensor<?x5x4x8xf32>):
      %0 = tr.arch.gap_fc %x ["0.fc"] out 4 bias true first : tensor<?x5x4x8xf32> -> tensor<?x1x1x4xf32>
      tr.arch.yield %0 : tensor<?x1x1x4xf32>
    }
    ```
  }];
}

def VerifyArch : TR_ArchVerifyPass<"verify-arch"> {
  let summary = "check that a network is fit to be lowered to kernels";
  let description = [{
    The lowering to kernels checks nothing twice, so this is where a network is found fit for it.
    Reports every breach: static height, width and channels
    everywhere; no `bn`; exactly one `softmax_ce`, last, on 1x1xC logits, with the
    network's classes; identities only before the first layer or as a whole branch of an `add2`;
    every result used; no part in two layers; branches of equal shape; one reader of
    the images, and the mark `first` on it alone.

    Requires: layers only. Ensures: the contract. Does not handle: what depends on the
    variants, which `--tr-arch-to-graph` checks.

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
