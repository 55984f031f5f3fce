#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Speed and memory of a .bp network: tr-run bench against PyTorch, side by side.

Rounds alternate between the programs on the same pinned CPUs; the table shows
medians. PyTorch runs the same .bp file (test/oracle/bp_torch.py), channels_last:
training with in-place ReLU and SGD with momentum and weight decay; inference eager
without gradients, and traced, frozen and through optimize_for_inference. Debian's
OpenBLAS takes newer CPUs for an old one, so its kernel choice is set explicitly; "tuned"
also keeps glibc from returning every large tensor to the system.

  tools/bench/vs_torch.py tools/models/resnet50.bp --batch 16 --threads 1 2
  tools/bench/vs_torch.py tools/models/resnet50.bp --batch 1 --mode infer --threads 1

--memory adds the largest resident set of each process, less what it had before its work
began (for PyTorch: after its imports).
"""
import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TUNED = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "17179869184",
    "MALLOC_TOP_PAD_": "268435456",
}
# Columns beside ours: name, kind of PyTorch program, environment.
PEERS = {
    "train": [("PyTorch", "eager", {}), ("PyTorch, tuned malloc", "eager", TUNED)],
    "infer": [("PyTorch eager", "eager", {}),
              ("optimize_for_inference", "frozen", {})],
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="a .bp file")
    parser.add_argument("--mode", choices=["train", "infer"], default="train")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5, help="measured time of each run")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--target", default="native", help="of tr-compile")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--child", choices=["eager", "frozen"], help=argparse.SUPPRESS)
    return parser.parse_args()


def load_network(options):
    """The network of the .bp file with initial weights, channels_last."""
    sys.path.insert(0, os.path.join(ROOT, "test", "oracle"))
    import types

    import bp_torch
    import torch
    import torch.nn.functional as F

    bp_torch.F = types.SimpleNamespace(**dict(vars(F), relu=lambda x: F.relu(x, inplace=True)))
    bp_torch.ACTIVATIONS["relu"] = lambda x: F.relu(x, inplace=True)
    bp_torch.ACTIVATIONS["relu6"] = lambda x: F.relu6(x, inplace=True)
    with open(options.model) as file:
        # Its draws cannot be compared; in a benchmark the layer is left out on both sides.
        net = bp_torch.Net(re.sub(r"dropout\([^)]*\)", "dropout(0.0)", file.read()))
    net.initialise(1, dtype=torch.float32)
    for name, value in net.params.items():
        if value.dim() == 4:
            net.params[name] = value.contiguous(memory_format=torch.channels_last)
    h, w, c = net.input
    x = torch.randn(options.batch, c, h, w).contiguous(memory_format=torch.channels_last)
    return net, x


def training_step(options):
    import torch
    import torch.nn.functional as F

    net, x = load_network(options)
    params = [value.requires_grad_() for value in net.params.values()]
    optimizer = torch.optim.SGD(params, lr=0.01, momentum=0.9, weight_decay=1e-4)
    y = torch.randint(0, net.classes, (options.batch,))

    def step():
        optimizer.zero_grad()
        F.cross_entropy(net.forward(x), y).backward()
        optimizer.step()

    return step


def inference_step(options):
    import torch

    net, x = load_network(options)
    net.training = False

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.names = list(net.params) + list(net.buffers)
            self.values = torch.nn.ParameterList(
                [torch.nn.Parameter(value, requires_grad=False)
                 for value in list(net.params.values()) + list(net.buffers.values())])

        def forward(self, images):
            return net.forward(images)

    module = Module().eval()
    if options.child == "frozen":
        with torch.no_grad():
            module = torch.jit.optimize_for_inference(
                torch.jit.freeze(torch.jit.trace(module, x)))

    def step():
        with torch.no_grad():
            module(x)

    return step


def torch_child(options):
    """Prints what tr-run bench prints, measured on PyTorch in this process."""
    import torch

    torch.set_num_threads(options.threads[0])
    torch.set_flush_denormal(True)  # as we do; gradients of a batch that is learned vanish
    sys.path.insert(0, os.path.join(ROOT, "test", "oracle"))
    import bp_torch  # noqa: F401  (an import that the memory must not count)
    with open("/proc/self/maps") as maps:
        if "openblas" not in maps.read():
            sys.exit("error: expected PyTorch on OpenBLAS, but got another BLAS: "
                     "apt-get install libopenblas0-pthread")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    step = training_step(options) if options.mode == "train" else inference_step(options)
    for _ in range(3):
        step()
    times, start = [], time.perf_counter()
    while time.perf_counter() - start < options.seconds:
        begin = time.perf_counter()
        step()
        times.append(time.perf_counter() - begin)
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(json.dumps({"median_ms": statistics.median(times) * 1e3,
                      "resident_bytes": resident * 1024}))


def pinned(threads):
    cpus = sorted(os.sched_getaffinity(0))[-threads:]
    return lambda: os.sched_setaffinity(0, cpus)


def measure(command, threads, extra):
    env = dict(os.environ, OPENBLAS_CORETYPE="SkylakeX", OMP_NUM_THREADS=str(threads), **extra)
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, check=True,
                          preexec_fn=pinned(threads))
    return json.loads(done.stdout)


def run_ours(options, plan, threads):
    return measure([os.path.join(options.bin, "tr-run"), "bench", plan, "--mode", options.mode,
                    "--threads", str(threads), "--seconds", str(options.seconds), "--json"],
                   threads, {})


def run_torch(options, threads, kind, extra):
    return measure([sys.executable, os.path.abspath(__file__), options.model, "--mode",
                    options.mode, "--batch", str(options.batch), "--seconds",
                    str(options.seconds), "--threads", str(threads), "--child", kind],
                   threads, extra)


def main():
    options = arguments()
    if options.child:
        return torch_child(options)
    peers = PEERS[options.mode]
    with tempfile.TemporaryDirectory() as folder:
        plan = os.path.join(folder, "bench.plan")
        subprocess.run([os.path.join(options.bin, "tr-compile"), options.model, "-o", plan,
                        "--batch", str(options.batch), "--target", options.target], check=True)
        header = ["threads", "ours, ms"]
        for name, _, _ in peers:
            header += [name + ", ms", "ratio"] + (["memory, ours / its"] if options.memory else [])
        print("| " + " | ".join(header) + " |")
        print("|---" * len(header) + "|")
        for threads in options.threads:
            results = [[] for _ in range(1 + len(peers))]
            for _ in range(options.rounds):
                results[0].append(run_ours(options, plan, threads))
                for result, (_, kind, extra) in zip(results[1:], peers):
                    result.append(run_torch(options, threads, kind, extra))
            ours = statistics.median(one["median_ms"] for one in results[0])
            row = [str(threads), "%.2f" % ours]
            for result in results[1:]:
                theirs = statistics.median(one["median_ms"] for one in result)
                row += ["%.2f" % theirs, "%.2f" % (theirs / ours)]
                if options.memory:
                    mine, its = (max(one["resident_bytes"] for one in runs) / 1e6
                                 for runs in (results[0], result))
                    row.append("%.0f / %.0f MB = %.2f" % (mine, its, mine / its))
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
