# SPDX-License-Identifier: Apache-2.0
"""Checks the JSON of `tr-run bench --profile` and the Chrome trace of the same run."""
import json
import sys

bench, trace = (json.load(open(path)) for path in sys.argv[1:3])
assert bench["mode"] == "train" and bench["batch"] == 4 and bench["steps"] == 2, bench
assert bench["p10_ms"] <= bench["median_ms"] <= bench["p90_ms"]
ops = bench["ops"]
convs = [op for op in ops if op["op"].startswith("conv_")]
assert len(convs) == 5, convs  # two forward, two weight gradients, one gradient of an input
for op in convs:
    assert op["layer"] and op["implementation"] and op["ms"] > 0 and op["bytes"] > 0
# 4 images, 24x24 outputs of 20 channels from 5x5x1 windows, 2 operations each.
first = next(op for op in ops if op["op"].startswith("conv_") and op["layer"].startswith("0"))
assert abs(first["gflop_per_s"] * first["ms"] * 1e6 - 2 * 4 * 24 * 24 * 20 * 25) < 1, first
assert abs(sum(op["ms"] for op in ops) - sum(kind["ms"] for kind in bench["kinds"])) < 1e-6
events = trace["traceEvents"]
assert [event["name"] for event in events] == [op["op"] for op in ops]
assert [event["args"]["layer"] for event in events] == [op["layer"] for op in ops]
for before, after in zip(events, events[1:]):
    assert before["ph"] == "X" and before["ts"] + before["dur"] <= after["ts"] + 1e-3
