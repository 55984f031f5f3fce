# SPDX-License-Identifier: Apache-2.0
"""lit configuration: .mlir and .bp files, the tools of the build tree, FileCheck."""
import os
import sys

import lit.formats
from lit.llvm import llvm_config

config.name = "TR"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".bp", ".test"]
config.test_source_root = os.path.join(config.tr_source_root, "test")
config.test_exec_root = config.tr_test_binary_dir
config.excludes = ["Inputs", "CMakeLists.txt", "unit", "oracle"]
config.substitutions.append(("%models", os.path.join(config.tr_source_root, "tools", "models")))
config.substitutions.append(("%tr_src", config.tr_source_root))
config.substitutions.append(("%tr_bin", config.tr_tools_dir))

config.substitutions.append(
    ("%exit_code", '"%s" "%s"' % (sys.executable, os.path.join(config.test_source_root, "exit_code.py")))
)

llvm_config.with_system_environment(["HOME", "TMPDIR"])
llvm_config.use_default_substitutions()
llvm_config.add_tool_substitutions(
    ["tr-opt", "tr-translate", "tr-compile", "tr-memplan", "tr-run", "tr-reduce", "tr-lsp-server"],
    [config.tr_tools_dir],
)
# Scripts that a tool runs find the tools too.
llvm_config.with_environment("PATH", config.tr_tools_dir, append_path=True)
config.substitutions.append(("%mlir_opt", os.path.join(config.llvm_tools_dir, "mlir-opt")))
config.substitutions.append(("%tr_plugin", config.tr_plugin))
if config.tr_link_dylib != "ON":  # a static MLIR has no plugins
    lit_config.note("MLIR is linked statically: the tests of the plugin are left out")
    config.excludes.append("Plugin")
else:
    config.available_features.add("mlir-dylib")
llvm_config.add_tool_substitutions(["mlir-tblgen", "split-file"], [config.llvm_tools_dir])
