// SPDX-License-Identifier: Apache-2.0
//
// The contract between tr.arch and --tr-arch-to-graph: what every later pass may rely on
// without looking. It reports each breach, not only the first.
#include "../LevelPass.h"
#include "Layers.h"

#include "renaissance/Dialect/TR/Transforms/Passes.h"

namespace tr {
#define GEN_PASS_DEF_VERIFYARCH
#include "renaissance/Dialect/TR/Transforms/ArchPasses.h.inc"
} // namespace tr

#define DEBUG_TYPE "tr-verify-arch"

using namespace mlir;
using namespace tr;
using namespace tr::arch;

namespace {

class Contract {
public:
  explicit Contract(NetworkOp network) : network(network) {}

  LogicalResult check() {
    if (failed(shapeOf(imagesOf(network))))
      breach(network.emitError("network '")
             << network.getSymName() << "': expected images of known height, "
             << "width and channels, but got " << imagesOf(network).getType());
    network.walk([&](LayerOpInterface layer) {
      checkLayer(layer);
      checkParts(layer);
    });
    checkLoss();
    checkFirst();
    return failure(broken);
  }

private:
  void breach(const InFlightDiagnostic &) { broken = true; }

  void checkLayer(Operation *op) {
    if (failed(shapeOf(op->getResult(0))))
      return breach(emitLayerError(op)
                    << "expected an inferred shape, but got " << op->getResult(0).getType());
    if (op->use_empty())
      breach(emitLayerError(op) << "expected a use of its result, but got none");
    if (isa<BnOp>(op))
      breach(emitLayerError(op) << "expected bn1d or bn2d, but got bn");
    if (auto identity = dyn_cast<IdentityOp>(op))
      checkIdentity(identity);
    if (auto branches = dyn_cast<JoinOpInterface>(op))
      checkBranches(branches);
  }

  // Parts name parameters, so two layers may not share one.
  void checkParts(LayerOpInterface layer) {
    for (auto part : layer.getParts().getAsRange<StringAttr>()) {
      auto [entry, fresh] = owners.try_emplace(part, layer);
      if (fresh)
        continue;
      InFlightDiagnostic error = emitLayerError(layer);
      error << "expected parts of its own, but got '" << part.getValue() << "' again";
      error.attachNote(entry->second->getLoc()) << "the other layer with this part is here";
      breach(error);
    }
  }

  void checkIdentity(IdentityOp identity) {
    if (identity.getInput() == imagesOf(network))
      return;
    if (isa<Add2Op>(identity->getParentOp()) &&
        yieldOf(*identity->getParentRegion()).getValue() == identity.getOutput() &&
        &identity->getBlock()->front() == identity.getOperation())
      return;
    breach(emitLayerError(identity)
           << "expected an identity only before the first layer or as a whole branch of an add2, "
           << "but got one elsewhere");
  }

  void checkBranches(JoinOpInterface op) {
    auto layer = cast<LayerOpInterface>(op.getOperation());
    SmallVector<ImageShape, 2> inputs;
    for (Value input : getLayerInputs(layer)) {
      FailureOr<ImageShape> shape = shapeOf(input);
      if (failed(shape))
        return; // reported at the layer that makes it
      inputs.push_back(*shape);
    }
    auto emit = [&] {
      broken = true;
      return emitLayerError(layer);
    };
    FailureOr<ImageShape> output = layer.inferOutputShape(inputs, emit);
    if (succeeded(output) && *output != *shapeOf(layer->getResult(0)))
      breach(emitLayerError(layer) << "expected a result of shape " << toString(*output)
                                   << ", but got " << layer->getResult(0).getType());
  }

  void checkLoss() {
    auto last = yieldOf(network.getBody()).getValue().getDefiningOp<SoftmaxCeOp>();
    if (!last)
      breach(network.emitError("network '")
             << network.getSymName()
             << "': expected softmax_ce as the last layer, but got another");
    else if (failed(shapeOf(last.getInput())) || shapeOf(last.getInput())->h != 1 ||
             shapeOf(last.getInput())->w != 1)
      breach(emitLayerError(last) << "expected 1x1xC logits, but got "
                                  << last.getInput().getType());
    else if (last.getClasses() != network.getClasses())
      breach(emitLayerError(last) << "expected the network's " << network.getClasses()
                                  << " classes, but got " << last.getClasses());
    network.walk([&](SoftmaxCeOp loss) {
      if (loss != last)
        breach(emitLayerError(loss) << "expected one softmax_ce, but got this one before the end");
    });
  }

  void checkFirst() {
    Value images = imagesOf(network);
    if (!images.hasOneUse())
      breach(network.emitError("network '")
             << network.getSymName() << "': expected one reader of the images, but got "
             << llvm::range_size(images.getUses()));
    else if (!canBeFirst(*images.user_begin()))
      breach(network.emitError("network '")
             << network.getSymName() << "': expected a layer that reads the "
             << "images, but got a " << tr::detail::getLayerKind(*images.user_begin()));
    network.walk([&](LayerOpInterface layer) {
      bool first = layer->getOperand(0) == images;
      if (first && !canBeFirst(layer))
        return; // reported above, and it cannot carry the mark
      if (first != layer->hasAttr("first"))
        breach(emitLayerError(layer)
               << (first ? "expected the mark 'first' on the reader of the images, but got none"
                         : "expected the mark 'first' only on the reader of the images, but got "
                           "it here"));
    });
  }

  NetworkOp network;
  llvm::DenseMap<StringAttr, Operation *> owners;
  bool broken = false;
};

struct VerifyArchPass : LevelPass<tr::impl::VerifyArchBase<VerifyArchPass>, NetworkOp> {
  LogicalResult runOn(NetworkOp network) override {
    markAllAnalysesPreserved();
    return Contract(network).check();
  }
};

} // namespace
