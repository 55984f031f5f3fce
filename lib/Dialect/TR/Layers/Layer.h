// SPDX-License-Identifier: Apache-2.0
//
// What the file of a layer needs.
#ifndef RENAISSANCE_LIB_DIALECT_TR_LAYERS_LAYER_H
#define RENAISSANCE_LIB_DIALECT_TR_LAYERS_LAYER_H

#include "Params.h"
#include "Shapes.h"
#include "Units.h"

#include "renaissance/Dialect/TR/IR/ArchOps.h"
#include "renaissance/Dialect/TR/IR/BPOps.h"
#include "renaissance/Dialect/TR/IR/LayerChain.h"
#include "renaissance/Dialect/TR/IR/TensorBuilder.h"

#endif // RENAISSANCE_LIB_DIALECT_TR_LAYERS_LAYER_H
