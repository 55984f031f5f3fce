// SPDX-License-Identifier: Apache-2.0
//
// Modules as text and as IR, and changes of both.
#ifndef RENAISSANCE_TEST_FUZZ_MODULE_MUTATIONS_H
#define RENAISSANCE_TEST_FUZZ_MODULE_MUTATIONS_H

#include "fuzz.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace fuzz {

/// A context with our dialect, in which ops of unknown dialects parse.
mlir::MLIRContext &moduleContext();
/// Ends the context now and then, as attributes stay in one for its life. No module may be alive.
void renewModuleContext();

/// Null where the text is no module; `verify` asks the verifiers too.
mlir::OwningOpRef<mlir::ModuleOp> parseModule(llvm::StringRef text, bool verify);

/// Changes a number, a word, a line or a few of them.
std::string mutateText(std::string text, Random &random);

/// Changes one thing about an op: an attribute, an operand, a type, its place, or whether it is
/// there. What comes out need not verify.
void mutateModule(mlir::ModuleOp module, Random &random);

} // namespace fuzz

#endif // RENAISSANCE_TEST_FUZZ_MODULE_MUTATIONS_H
