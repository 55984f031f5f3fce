// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --tr-arch-expand-tree=fuse=false --split-input-file --verify-diagnostics

// The expansion multiplies the channels.
tr.bp.model @m input [1, 1, 500000000] classes 10 {
  tr.bp.seq {
    // expected-error@+1 {{block layer '0': expected output channels in [1, 2147483647], but got 3000000000}}
    tr.bp.block <MB_E6_K3> out 8
  }
}
