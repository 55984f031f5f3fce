// SPDX-License-Identifier: Apache-2.0
//
// The pass that says what to compile for.
#ifndef TR_OPTIONS_PASSES_TD
#define TR_OPTIONS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AttachOptions : Pass<"tr-attach-options", "::mlir::ModuleOp"> {
  let summary = "write #tr.options on the module";
  let description = [{
    What to compile for must travel with the module, so that each pass finds it there and none has
    options of its own. The pass sets the module attribute `tr.options` from its own options, the
    rows of `renaissance/Options/CompileOptions.def`, replacing one that is there. The six
    variants are shaped for whole batches and for the last batch of a data set of the given size,
    for the given resolutions or else for the network's own input. Variants that coincide share
    everything.

    Requires that no program of the module was compiled with other options, which would not change
    it. Ensures valid options on the module. Does not look at the network.

    ```mlir
    module {
    }
    ```

    gets, among others, `#tr.variant<name = "train_base", training = true, batch = 32>`.
  }];
  let dependentDialects = ["::tr::TRDialect"];
}

#endif // TR_OPTIONS_PASSES_TD
