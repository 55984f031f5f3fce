// SPDX-License-Identifier: Apache-2.0
//
// Ops of the `tr.arch` family.
#ifndef RENAISSANCE_DIALECT_TR_IR_ARCHOPS_H
#define RENAISSANCE_DIALECT_TR_IR_ARCHOPS_H

#include "renaissance/Dialect/TR/IR/LayerDescription.h"
#include "renaissance/Dialect/TR/IR/TRDialect.h"
#include "renaissance/Dialect/TR/IR/TRInterfaces.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "renaissance/Dialect/TR/IR/ArchOps.h.inc"

#endif // RENAISSANCE_DIALECT_TR_IR_ARCHOPS_H
