# SPDX-License-Identifier: Apache-2.0
"""Writes a batch of random images and labels for tr-run step: OUT N H W C CLASSES."""
import os
import sys

import numpy

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../oracle"))
import safetensors_io  # noqa: E402

out, (n, h, w, c, classes) = sys.argv[1], map(int, sys.argv[2:])
draw = numpy.random.default_rng(7)
safetensors_io.save(out, {"input": draw.standard_normal((n, h, w, c), dtype=numpy.float32),
                          "label": draw.integers(0, classes, n, dtype=numpy.int32)})
