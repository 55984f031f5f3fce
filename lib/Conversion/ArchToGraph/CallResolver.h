// SPDX-License-Identifier: Apache-2.0
//
// From the kernel ops of descriptions, whose operands are relative to a layer, to kernel ops on
// tensors of the table.
#ifndef RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_CALLRESOLVER_H
#define RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_CALLRESOLVER_H

#include "GradientRoutes.h"
#include "LoweredNetwork.h"

namespace tr {

/// The tensors that a value is in.
struct ValuePlaces {
  TensorId training = TensorId::Images;
  TensorId inference = TensorId::Images;
  TensorId backward = TensorId::Images; ///< what backward reads: the tensor or a copy made anew
};

/// Everything that an operand may refer to.
struct Places {
  explicit Places(const Network &network)
      : values(network.producers.size()), gradients(network.producers.size()),
        own(network.nodes.size()), ownInference(network.nodes.size()) {}

  TensorId getGradient(GradientRef ref) const { return gradients[ref.value][ref.part]; }

  IdVector<ValueId, ValuePlaces> values;
  IdVector<ValueId, llvm::SmallVector<TensorId, 1>> gradients; ///< that the value owns
  IdVector<LayerId, llvm::SmallVector<TensorId, 4>> own;       ///< tensors of a layer
  IdVector<LayerId, llvm::SmallVector<TensorId, 4>> ownInference;
};

enum class Phase { Forward, Backward, Inference };

class CallResolver {
public:
  CallResolver(const Network &network, const IdVector<LayerId, LayerDescription> &descriptions,
               const GradientRoutes &routes, const TensorTable &table, const Places &places)
      : network(network), descriptions(descriptions), routes(routes), table(table), places(places) {
  }

  TensorId resolve(LayerId layer, TensorRef ref, Phase phase) const;
  TableCall resolve(LayerId layer, const KernelCall &call, Phase phase) const;

private:
  TensorId resolveInput(LayerId layer, int32_t index, Phase phase) const;

  const Network &network;
  const IdVector<LayerId, LayerDescription> &descriptions;
  const GradientRoutes &routes;
  const TensorTable &table;
  const Places &places;
};

} // namespace tr

#endif // RENAISSANCE_LIB_CONVERSION_ARCHTOGRAPH_CALLRESOLVER_H
