# SPDX-License-Identifier: Apache-2.0
"""usage: exit_code.py CODE COMMAND...: runs COMMAND; fails unless it exits with CODE."""
import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit("expected exit code %s, but got %d" % (sys.argv[1], code))
