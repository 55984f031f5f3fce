// A tool that has the dialect and the passes already says why the plugin cannot be loaded. To tr-opt that
// is a wrong command line.
// RUN: %exit_code 2 tr-opt --load-dialect-plugin=%tr_plugin %s 2>&1 | FileCheck %s --check-prefix=DIALECT
// RUN: %exit_code 2 tr-opt --load-pass-plugin=%tr_plugin %s 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: %exit_code 1 %mlir_opt --load-pass-plugin=%tr_plugin --load-pass-plugin=%tr_plugin %s 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: %exit_code 1 %mlir_opt --load-dialect-plugin=%tr_plugin --load-dialect-plugin=%tr_plugin %s 2>&1 | FileCheck %s --check-prefix=DIALECT

// DIALECT: error: libTRPlugin.so: expected a tool without the dialect 'tr', but got one that has it; leave out --load-dialect-plugin
// DIALECT-NOT: {{.}}
// PASS: error: libTRPlugin.so: expected a tool without the pass 'tr-attach-options', but got one that has it; leave out --load-pass-plugin
// PASS-NOT: {{.}}
