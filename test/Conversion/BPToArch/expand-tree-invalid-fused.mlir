// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-expand-tree=fuse=true --split-input-file --verify-diagnostics

// The expansion multiplies the channels.
tr.bp.model @m input [1, 1, 500000000] classes 10 {
  tr.bp.seq {
    // expected-error@+1 {{inv_residual_no_shortcut layer '0.expand.conv': expected expand in [0, 2147483647], but got 3000000000}}
    tr.bp.block <MB_E6_K3> out 8
  }
}
