// SPDX-License-Identifier: Apache-2.0
//
// Blocks as one fused layer or as primitives. Both forms have the same parts, so
// the parameters have the same names.
#include "LayerChain.h"

#include "renaissance/Dialect/TR/IR/BPOps.h"

using namespace mlir;

namespace tr {
namespace {

/// What the builders of one block share.
class BlockExpander {
public:
  BlockExpander(LayerChain &chain, bp::BlockOp block, LayerSite site)
      : chain(chain), block(block), site(site), in(chain.getShape().c), out(block.getOut()),
        eps(chain.builder.getF64FloatAttr(1e-5)), momentum(chain.builder.getF64FloatAttr(0.1)) {}

  LogicalResult expand(bool fuse) {
    switch (block.getStyle()) {
    case BlockStyle::RESNET_1_3_1:
      return fuse ? fuseBottleneck(1) : expandBottleneck(1);
    case BlockStyle::RESNET_1_3_1_DS:
      return fuse ? fuseBottleneck(2) : expandBottleneck(2);
    case BlockStyle::RESNET_3_3:
      return fuse ? fuseBasic(1) : expandBasic(1);
    case BlockStyle::RESNET_3_3_DS:
      return fuse ? fuseBasic(2) : expandBasic(2);
    case BlockStyle::MB_E1_K3:
      return fuse ? fuseInverted(0, 1) : expandInverted(0, 1);
    case BlockStyle::MB_E1_K3_DS:
      return fuse ? fuseInverted(0, 2) : expandInverted(0, 2);
    case BlockStyle::MB_E6_K3:
      return fuse ? fuseInverted(6 * in, 1) : expandInverted(6 * in, 1);
    case BlockStyle::MB_E6_K3_DS:
      return fuse ? fuseInverted(6 * in, 2) : expandInverted(6 * in, 2);
    }
    llvm_unreachable("all styles handled");
  }

private:
  IntegerAttr integer(int64_t value) { return chain.builder.getI64IntegerAttr(value); }
  bool needsProjection(int64_t stride) const { return stride != 1 || in != out; }

  // conv and bn with parts `<prefix>conv<suffix>` and `<prefix>bn<suffix>`.
  LogicalResult convBn(StringRef prefix, StringRef suffix, int64_t channels, int64_t kernel,
                       int64_t stride, int64_t groups = 1) {
    int64_t pad = kernel / 2;
    auto geometry = ConvAttr::getChecked(
        [&] { return emitError(site.loc) << "block layer '" << site.path << "': "; },
        chain.builder.getContext(), channels, Dims2{kernel, kernel}, Dims2{stride, stride},
        Dims2{pad, pad}, Dims2{1, 1}, groups, /*bias=*/false);
    std::string conv = (prefix + "conv" + suffix).str(), bn = (prefix + "bn" + suffix).str();
    return failure(!geometry || failed(chain.append<arch::ConvOp>(site, {conv}, geometry)) ||
                   failed(chain.append<arch::BnOp>(site, {bn}, eps, momentum)));
  }

  LogicalResult act(StringRef part, Activation kind) {
    return chain.append<arch::ActOp>(site, {part},
                                     ActivationAttr::get(chain.builder.getContext(), kind));
  }

  // Opens the sum of a residual block with its shortcut, and the stem.
  FailureOr<OpenAdd2> openResidual(int64_t stride) {
    OpenAdd2 sum = chain.openAdd2(site);
    if (needsProjection(stride) && failed(convBn("proj.", "", out, 1, stride)))
      return failure();
    chain.openStem(sum);
    return sum;
  }

  LogicalResult expandBottleneck(int64_t stride) {
    int64_t mid = *block.getMid();
    FailureOr<OpenAdd2> sum = openResidual(stride);
    if (failed(sum) || failed(convBn("", "1", mid, 1, 1)) ||
        failed(act("act1", Activation::ReLU)) || failed(convBn("", "2", mid, 3, stride)) ||
        failed(act("act2", Activation::ReLU)) || failed(convBn("", "3", out, 1, 1)))
      return failure();
    chain.closeAdd2(*sum);
    return act("act3", Activation::ReLU);
  }

  LogicalResult fuseBottleneck(int64_t stride) {
    IntegerAttr mid = integer(*block.getMid());
    SmallVector<StringRef, 8> parts{"conv1", "bn1", "conv2", "bn2", "conv3", "bn3"};
    if (!needsProjection(stride))
      return chain.append<arch::BottleneckIdentityOp>(site, parts, mid, eps, momentum);
    parts.append({"proj.conv", "proj.bn"});
    return chain.append<arch::BottleneckProjectionOp>(site, parts, mid, integer(out),
                                                      integer(stride), eps, momentum);
  }

  LogicalResult expandBasic(int64_t stride) {
    FailureOr<OpenAdd2> sum = openResidual(stride);
    if (failed(sum) || failed(convBn("", "1", out, 3, stride)) ||
        failed(act("act1", Activation::ReLU)) || failed(convBn("", "2", out, 3, 1)))
      return failure();
    chain.closeAdd2(*sum);
    return act("act2", Activation::ReLU);
  }

  LogicalResult fuseBasic(int64_t stride) {
    SmallVector<StringRef, 8> parts{"conv1", "bn1", "conv2", "bn2"};
    if (!needsProjection(stride))
      return chain.append<arch::BasicBlockIdentityOp>(site, parts, eps, momentum);
    parts.append({"proj.conv", "proj.bn"});
    return chain.append<arch::BasicBlockProjectionOp>(site, parts, integer(out), integer(stride),
                                                      eps, momentum);
  }

  // `expanded` is 0 when there is no expansion convolution.
  LogicalResult expandInverted(int64_t expanded, int64_t stride) {
    std::optional<OpenAdd2> sum;
    if (!needsProjection(stride)) {
      sum = chain.openAdd2(site);
      chain.openStem(*sum);
    }
    if (expanded && (failed(convBn("expand.", "", expanded, 1, 1)) ||
                     failed(act("expand.act", Activation::ReLU6))))
      return failure();
    int64_t channels = expanded ? expanded : in;
    if (failed(convBn("dw.", "", channels, 3, stride, /*groups=*/channels)) ||
        failed(act("dw.act", Activation::ReLU6)) || failed(convBn("project.", "", out, 1, 1)))
      return failure();
    if (sum)
      chain.closeAdd2(*sum);
    return success();
  }

  LogicalResult fuseInverted(int64_t expanded, int64_t stride) {
    SmallVector<StringRef, 8> parts;
    if (expanded)
      parts.append({"expand.conv", "expand.bn"});
    parts.append({"dw.conv", "dw.bn", "project.conv", "project.bn"});
    if (!needsProjection(stride))
      return chain.append<arch::InvResidualIdentityOp>(site, parts, integer(expanded), eps,
                                                       momentum);
    return chain.append<arch::InvResidualNoShortcutOp>(site, parts, integer(expanded), integer(out),
                                                       integer(stride), eps, momentum);
  }

  LayerChain &chain;
  bp::BlockOp block;
  LayerSite site;
  int64_t in, out;
  FloatAttr eps, momentum;
};
} // namespace

LogicalResult expandBlock(LayerChain &chain, bp::BlockOp block, LayerSite site, bool fuse) {
  return BlockExpander(chain, block, site).expand(fuse);
}

} // namespace tr
