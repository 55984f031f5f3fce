#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tr.graph programs of random kernel ops, for check_schedule.py.

Usage: random_programs.py COUNT

Few tensors give dense conflicts, many give long chains; range ops over a region of
many tensors give ops with many predecessors. Half of the programs have pooled tensors
too, which may share memory and are written before they are read; in half of those, some
are channels of others. Seeds are fixed.
"""
import random
import sys


CHANNELS = 8


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        count = self.rng.choice([3, 10, 60])
        self.regions = [
            "g_first_conv" if i % 3 == 2 else "f_feature" if seed % 2 and i % 3 else "g_fc_weight"
            for i in range(count)
        ]
        self.runs = self.choose_runs() if seed % 4 == 3 else []
        self.tensors = count + len(self.runs)
        self.written = {
            place for i, region in enumerate(self.regions) if region != "f_feature"
            for place in self.places(i)
        }

    def choose_runs(self):
        """Parent, first channel and channels of each run."""
        runs = []
        for parent in (i for i, region in enumerate(self.regions) if region == "f_feature"):
            for _ in range(self.rng.choice([0, 2, 3])):
                first = self.rng.randrange(CHANNELS)
                runs.append((parent, first, self.rng.randint(1, CHANNELS - first)))
        return runs

    def places(self, tensor):
        count = len(self.regions)
        parent, first, channels = (
            (tensor, 0, CHANNELS) if tensor < count else self.runs[tensor - count])
        return {(parent, channel) for channel in range(first, first + channels)}

    def choose(self, tensors):
        """One near the current place in the table, so that lives are short."""
        near = [i for i in tensors if any(abs(root - self.at) < 4 for root, _ in self.places(i))]
        return self.rng.choice(near or tensors)

    def read(self):
        return self.choose([i for i in range(self.tensors) if self.places(i) <= self.written])

    def write(self):
        tensor = self.choose(range(self.tensors))
        self.written |= self.places(tensor)
        return tensor

    def kernel_op(self):
        kind = self.rng.randrange(8)
        if kind == 0:
            regions = self.rng.choice(['"g_fc_weight"', '"g_first_conv"', '"g_fc_weight", "g_first_conv"'])
            return f'tr.graph.range "range_clear" [[{regions}]] tensors []'
        if kind == 1:
            return f'tr.graph.range "range_check_finite" [["g_fc_weight"]] tensors [{self.tensors}]'
        if kind < 5:
            return f'tr.graph.compute "copy" [{self.read()}, {self.write()}] {{}} layer -1'
        if kind == 5:
            index = self.rng.choice([-1, self.tensors + 1])
            window = ", ".join(f"{n} = 1 : i64" for n in ["ceil", "kernel_h", "kernel_w", "pad_h", "pad_w", "stride_h", "stride_w"])
            return f'tr.graph.compute "maxpool_fwd" [{self.read()}, {self.write()}, {index}] {{{window}}} layer -1'
        return f'tr.graph.compute "add_fwd" [{self.read()}, {self.read()}, {self.write()}] {{act = 0 : i64}} layer -1'

    def print(self, name):
        print(f"tr.graph.program @{name} classes 2 {{")
        print('  tr.graph.variant "v" batch 1 input [1, 1, 1] graph 0 shape_id 0')
        print('  tr.graph.layer "0" kind "any"')
        rows = [*((f"t{i}", region, "f32", 0, CHANNELS, "") for i, region in enumerate(self.regions)),
                *((f"r{i}", "f_feature", "f32", 0, channels, f" parent {parent} from {first}")
                  for i, (parent, first, channels) in enumerate(self.runs)),
                ("flag", "s_scalar_int32", "i32", -1, 1, ""), ("index", "s_mask", "u8", -1, 1, "")]
        for i, (tensor, region, dtype, layer, channels, run) in enumerate(rows):
            print(f'  tr.graph.tensor {i} "{tensor}" region "{region}" dtype "{dtype}" layer {layer} '
                  f"shapes [array<i64: 1, 1, 1, {channels}>]{run}")
        print('  tr.graph.subgraph "inf_main_a" graph 0 {')
        steps = self.rng.choice([2, 20, 90])
        for step in range(steps):
            self.at = step * len(self.regions) // steps
            print("    " + self.kernel_op())
        print("  }\n}")


for number in range(int(sys.argv[1])):
    Program(number).print(f"p{number}")
