// RUN: not tr-translate --arch-to-dot %s 2>&1 | FileCheck %s
// CHECK: error: expected a tr.arch.network, but got none
module {}
