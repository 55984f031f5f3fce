// SPDX-License-Identifier: Apache-2.0
//
// Layers without children.
#include "LayerChain.h"

#include "renaissance/Dialect/TR/IR/BPOps.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tr {
namespace {
Dims2 toDims(ArrayRef<int64_t> values) { return {values[0], values[1]}; }

// The op's verifier has checked the geometry.
LogicalResult expandConvDw(LayerChain &chain, bp::ConvDwOp op, LayerSite site) {
  int64_t channels = chain.getShape().c;
  auto geometry = ConvAttr::get(op.getContext(), channels, toDims(op.getKernel()),
                                toDims(op.getStride()), toDims(op.getPad()),
                                toDims(op.getDilation()), /*groups=*/channels, op.getBias());
  return chain.append<arch::ConvOp>(site, {"conv"}, geometry);
}

// cbr and cbrp share everything but the pooling.
template <typename OpT> LogicalResult expandCbr(LayerChain &chain, OpT op, LayerSite site) {
  return failure(
      failed(chain.append<arch::ConvOp>(site, {"conv"}, op.getGeometryAttr())) ||
      failed(chain.append<arch::BnOp>(site, {"bn"}, op.getEpsAttr(), op.getMomentumAttr())) ||
      failed(chain.append<arch::ActOp>(site, {"act"}, op.getActAttr())));
}

LogicalResult expand(LayerChain &chain, bp::CbrOp op, LayerSite site, bool fuse) {
  if (!fuse)
    return expandCbr(chain, op, site);
  return chain.append<arch::CbrOp>(site, {"conv", "bn"}, op.getGeometryAttr(), op.getEpsAttr(),
                                   op.getMomentumAttr(), op.getActAttr());
}

LogicalResult expand(LayerChain &chain, bp::CbrpOp op, LayerSite site, bool fuse) {
  if (fuse)
    return chain.append<arch::CbrpOp>(site, {"conv", "bn"}, op.getGeometryAttr(), op.getEpsAttr(),
                                      op.getMomentumAttr(), op.getActAttr(), op.getWindowAttr());
  if (failed(expandCbr(chain, op, site)))
    return failure();
  return chain.append<arch::MaxPoolOp>(site, {"pool"}, op.getWindowAttr());
}

LogicalResult expand(LayerChain &chain, bp::GapFcOp op, LayerSite site, bool fuse) {
  if (fuse)
    return chain.append<arch::GapFcOp>(site, {"fc"}, op.getOutAttr(), op.getBiasAttr());
  if (failed(chain.append<arch::GapOp>(site, {"gap"})))
    return failure();
  return chain.append<arch::FcOp>(site, {"fc"}, op.getOutAttr(), op.getBiasAttr());
}

LogicalResult expandOne(LayerChain &chain, Operation *leaf, StringRef path, int64_t classes,
                        bool fuse) {
  LayerSite site{leaf->getLoc(), path};
  return TypeSwitch<Operation *, LogicalResult>(leaf)
      .Case([&](bp::ConvOp op) {
        return chain.append<arch::ConvOp>(site, {"conv"}, op.getGeometryAttr());
      })
      .Case([&](bp::ConvDwOp op) { return expandConvDw(chain, op, site); })
      .Case([&](bp::BnOp op) {
        return chain.append<arch::BnOp>(site, {"bn"}, op.getEpsAttr(), op.getMomentumAttr());
      })
      .Case([&](bp::ActOp op) { return chain.append<arch::ActOp>(site, {}, op.getKindAttr()); })
      .Case(
          [&](bp::DropoutOp op) { return chain.append<arch::DropoutOp>(site, {}, op.getPAttr()); })
      .Case([&](bp::FlattenOp) { return chain.append<arch::FlattenOp>(site, {}); })
      .Case([&](bp::ChannelPaddingOp) { return chain.append<arch::ChannelPaddingOp>(site, {}); })
      .Case([&](bp::MaxPoolOp op) {
        return chain.append<arch::MaxPoolOp>(site, {}, op.getWindowAttr());
      })
      .Case([&](bp::AvgPoolOp op) {
        return chain.append<arch::AvgPoolOp>(site, {}, op.getWindowAttr());
      })
      .Case([&](bp::GapOp) { return chain.append<arch::GapOp>(site, {}); })
      .Case([&](bp::FcOp op) {
        return chain.append<arch::FcOp>(site, {"fc"}, op.getOutAttr(), op.getBiasAttr());
      })
      .Case([&](bp::IdentityOp) { return chain.append<arch::IdentityOp>(site, {}); })
      .Case([&](bp::SoftmaxCeOp) {
        chain.appendLoss(site, classes);
        return success();
      })
      .Case<bp::CbrOp, bp::CbrpOp, bp::GapFcOp>(
          [&](auto op) { return expand(chain, op, site, fuse); })
      .Case([&](bp::BlockOp op) { return expandBlock(chain, op, site, fuse); })
      .Default([](Operation *op) {
        return emitError(op->getLoc(), "expected a layer of tr.bp, but got ") << op->getName();
      });
}

// Merging passes tell what they fuse; this is what was written as one layer.
void reportFused(LayerChain &chain, Operation *leaf, StringRef path) {
  auto what = [&] {
    StringRef layer = chain.getValue().getDefiningOp()->getName().getStringRef();
    return (leaf->getName().getStringRef() + " '" + path + "' is one " + layer +
            ": it is written as one layer")
        .str();
  };
  remark::passed(leaf->getLoc(), remark::RemarkOpts::name("fused").category("tr-arch-expand-tree"))
      << remark::detail::LazyTextBuild{"Reason", what};
}
} // namespace

LogicalResult expandLeaf(LayerChain &chain, Operation *leaf, StringRef path, int64_t classes,
                         bool fuse) {
  if (failed(expandOne(chain, leaf, path, classes, fuse)))
    return failure();
  if (fuse && isa<bp::CbrOp, bp::CbrpOp, bp::GapFcOp, bp::BlockOp>(leaf))
    reportFused(chain, leaf, path);
  return success();
}

} // namespace tr
