# SPDX-License-Identifier: Apache-2.0
"""What `tr-run inspect --memory-csv` says about each network of the zoo, computed again.

usage: check_memory_csv.py BIN_DIR SOURCE_DIR

Planner and runtime are not asked: from the rows alone come the peak, the most bytes that
are alive at once, and that no two tensors overlap while both are alive. The peak may be
1.001 of that bound, and `inspect --json` must say the same numbers.
"""
import argparse
import bisect
import collections
import json
import os
import tempfile

import plans

RATIO = 1.001
BATCHES = (32, 27)
RESNET50_TRAINING = 2.30e9  # bytes, batch 32 at 224x224

Row = collections.namedtuple("Row", "id lower upper size offset")


def parse(text):
    lines = text.splitlines()
    assert lines[0] == "id,lower,upper,size,offset", lines[0]
    rows = [Row(*map(int, line.split(","))) for line in lines[1:]]
    assert rows and len({row.id for row in rows}) == len(rows)
    for row in rows:
        assert 0 <= row.lower < row.upper and row.size > 0 and row.offset >= 0, row
        assert row.offset % 256 == 0, row
    return rows


def bound(rows):
    change = collections.Counter()
    for row in rows:
        change[row.lower] += row.size
        change[row.upper] -= row.size
    alive = most = 0
    for node in sorted(change):
        alive += change[node]
        most = max(most, alive)
    return most


def check_apart(rows):
    """Tensors come and go; the living ones lie sorted, so only neighbours can overlap."""
    events = sorted([(row.upper, 0, row) for row in rows] + [(row.lower, 1, row) for row in rows])
    living = []  # (offset, end, id)
    for _, born, row in events:
        entry = (row.offset, row.offset + row.size, row.id)
        if not born:
            living.remove(entry)
            continue
        place = bisect.bisect(living, entry)
        for other in living[max(0, place - 1):place + 1]:
            assert other[1] <= entry[0] or entry[1] <= other[0], (row, other)
        living.insert(place, entry)


def self_test():
    """The checks must be able to fail."""
    apart = [Row(0, 0, 2, 256, 0), Row(1, 1, 3, 256, 256), Row(2, 2, 3, 256, 0)]
    check_apart(apart)
    assert bound(apart) == 512
    for wrong in (apart + [Row(3, 2, 3, 256, 256)], apart + [Row(3, 0, 1, 512, 0)]):
        try:
            check_apart(wrong)
        except AssertionError:
            continue
        raise SystemExit("error: an overlap was not found")


def check(tools, plan, label, reuse):
    inspect = os.path.join(tools, "tr-run")
    memory = json.loads(plans.run(inspect, "inspect", plan, "--json"))["memory"]
    assert sorted(memory["schedules"]) == ["infer", "train"], memory
    peaks = {}
    for schedule, told in memory["schedules"].items():
        text = plans.run(inspect, "inspect", plan, "--memory-csv", schedule)
        rows = parse(text)
        check_apart(rows)
        peak = max(row.offset + row.size for row in rows)
        assert told == {"activation_peak_bytes": peak,
                        "activation_lower_bound_bytes": bound(rows),
                        "activation_no_reuse_bytes": sum(row.size for row in rows)}, (label, told)
        pool = memory["arena_bytes"] - memory["persistent_bytes"]
        assert peak <= pool, (label, peak, pool)
        ratio = peak / bound(rows)
        if reuse:
            assert ratio <= RATIO, (label, schedule, ratio)
        with open(plan + ".csv", "w") as file:
            file.write(text)
        plans.run(os.path.join(tools, "tr-memplan"), plan + ".csv")  # reads it
        print("%-16s %-5s %5d tensors, peak %13d, bound %13d, ratio %.5f"
              % (label, schedule, len(rows), peak, bound(rows), ratio))
        peaks[schedule] = peak
    if reuse:
        assert pool == max(peaks.values()), (label, pool, peaks)
    return peaks


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tools")
    parser.add_argument("source")
    args = parser.parse_args()
    self_test()
    with tempfile.TemporaryDirectory() as folder:
        plan = os.path.join(folder, "net.plan")
        for name, network in plans.zoo(args.source).items():
            for batch in BATCHES:
                plans.compile_plan(args.tools, network, plan, "--batch", str(batch))
                peaks = check(args.tools, plan, "%s/%d" % (name, batch), reuse=True)
                if name == "resnet50" and batch == 32:
                    assert peaks["train"] <= RESNET50_TRAINING, peaks
            plans.compile_plan(args.tools, network, plan, "--batch", "2", "--no-reuse")
            check(args.tools, plan, name + "/no-reuse", reuse=False)


if __name__ == "__main__":
    main()
