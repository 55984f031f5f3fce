#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The batch that tr-compile calls the largest fits, and one more does not.

Usage: largest_batch.py TR_COMPILE MODEL BYTES
"""
import re
import subprocess
import sys

tool, model, size = sys.argv[1:]


def compile_with(*flags):
    command = [tool, model, "--dry-run", "--device-memory", size, *flags]
    return subprocess.run(command, capture_output=True, text=True)


answer = compile_with()
batch = int(re.search(r"fits is (\d+)", answer.stdout + answer.stderr).group(1))
assert batch & (batch - 1) and batch % 2, "choose a size whose answer is no even number"
assert compile_with("--batch", str(batch)).returncode == 0
assert compile_with("--batch", str(batch + 1)).returncode == 1
