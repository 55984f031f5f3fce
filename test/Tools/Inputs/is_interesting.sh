#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Exit code 1 says that the module is interesting: a network has no loss.
tr-opt "$1" --pass-pipeline='builtin.module(tr.arch.network(tr-verify-arch))' 2>&1 |
  grep -q "network 'bad': expected softmax_ce" && exit 1
exit 0
