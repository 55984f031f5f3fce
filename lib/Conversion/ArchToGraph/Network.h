// SPDX-License-Identifier: Apache-2.0
//
// A `tr.arch.network` as lists: layers in the order in which they run, values between them.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_NETWORK_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_NETWORK_H

#include "Ids.h"

#include "renaissance/Dialect/TR/IR/ArchOps.h"

namespace tr {

struct NetworkNode {
  LayerOpInterface layer;
  llvm::SmallVector<ValueId, 2> inputs;
  ValueId output;
  bool endsResidualStem = false; ///< the last layer of the stem of an add2

  bool readsImages() const { return llvm::is_contained(inputs, ValueId::Images); }
};

/// Order and connections, the same for all variants.
class Network {
public:
  /// Errors: no loss at the end, a loss elsewhere, an unused layer, an op that is no layer.
  static mlir::FailureOr<Network> read(arch::NetworkOp network);

  arch::NetworkOp op;
  ImageShape input;
  IdVector<LayerId, NetworkNode> nodes; ///< the last one is the loss
  IdVector<ValueId, LayerId> producers; ///< none for the images
  ValueId logits = ValueId::None;       ///< the loss's input

  /// In the size that the network is written for, the same for all variants.
  ImageShape getShape(ValueId value) const {
    return producers[value] == LayerId::None
               ? input
               : getImageShape(
                     LayerOpInterface(nodes[producers[value]].layer)->getResult(0).getType());
  }

  const NetworkNode &getLoss() const { return *std::prev(nodes.end()); }
  LayerId layerAt(size_t position) const { return static_cast<LayerId>(position); }
  mlir::Location getLoc(LayerId layer) const {
    return layer == LayerId::None ? arch::NetworkOp(op).getLoc()
                                  : LayerOpInterface(nodes[layer].layer).getLoc();
  }
  /// An error at a layer, or at the network for tensors of no layer.
  mlir::InFlightDiagnostic emitError(LayerId layer, llvm::StringRef variant) const;
};

/// One variant to lower a network for.
struct Variant {
  std::string name;
  bool training;
  int64_t batch;
  ImageShape input;

  /// Whether both have the same tensors and kernel ops.
  bool coincides(const Variant &other) const {
    return training == other.training && batch == other.batch && input == other.input;
  }
};

/// The variants that the options ask for.
llvm::SmallVector<Variant> getVariants(OptionsAttr options, ImageShape input);

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_NETWORK_H
