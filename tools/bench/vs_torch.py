#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Training speed of a .bp network: tr-run against PyTorch eager, side by side.

Rounds alternate between the programs on the same pinned CPUs; the table shows
medians. PyTorch runs the same .bp file (test/oracle/bp_torch.py), channels_last, with
in-place ReLU and SGD with momentum and weight decay. Debian's OpenBLAS takes newer
CPUs for an old one, so its kernel choice is set explicitly; "tuned" also keeps glibc
from returning every large tensor to the system.

  tools/bench/vs_torch.py tools/models/fashion_resnet.bp --batch 64 --threads 1 2

--processor-time counts the processor time of one thread instead of the clock, for a
machine that is busy with other work. It counts our validation pass too.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SYNTHETIC_IMAGES = 2048  # training images of `--dataset synthetic`
TUNED = {
    "MALLOC_MMAP_THRESHOLD_": "4294967296",
    "MALLOC_TRIM_THRESHOLD_": "17179869184",
    "MALLOC_TOP_PAD_": "268435456",
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", help="a .bp file")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=5, help="measured time of PyTorch")
    parser.add_argument("--epochs", type=int, default=3, help="epochs of tr-run; the first is warm-up")
    parser.add_argument("--processor-time", action="store_true")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build", "bin"))
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def torch_child(options):
    """Prints the images per second of PyTorch in this process."""
    sys.path.insert(0, os.path.join(ROOT, "test", "oracle"))
    import types

    import bp_torch
    import torch
    import torch.nn.functional as F

    torch.set_num_threads(options.child)
    inplace = lambda x: F.relu(x, inplace=True)
    bp_torch.F = types.SimpleNamespace(**dict(vars(F), relu=inplace))
    bp_torch.ACTIVATIONS["relu"] = inplace
    bp_torch.ACTIVATIONS["relu6"] = lambda x: F.relu6(x, inplace=True)
    with open(options.model) as file:
        net = bp_torch.Net(file.read())
    net.initialise(1, dtype=torch.float32)
    cl = torch.channels_last
    params = []
    for name, value in net.params.items():
        value = value.contiguous(memory_format=cl) if value.dim() == 4 else value
        net.params[name] = value.requires_grad_()
        params.append(value)
    optimizer = torch.optim.SGD(params, lr=0.01, momentum=0.9, weight_decay=1e-4)
    h, w, c = net.input
    x = torch.randn(options.batch, c, h, w).contiguous(memory_format=cl)
    y = torch.randint(0, net.classes, (options.batch,))

    def step():
        optimizer.zero_grad()
        F.cross_entropy(net.forward(x), y).backward()
        optimizer.step()

    for _ in range(3):
        step()
    clock = time.process_time if options.processor_time else time.perf_counter
    steps, start = 0, clock()
    while clock() - start < options.seconds:
        step()
        steps += 1
    print(steps * options.batch / (clock() - start))


def pinned(threads):
    cpus = sorted(os.sched_getaffinity(0))[-threads:]
    return lambda: os.sched_setaffinity(0, cpus)


def run_torch(options, threads, extra):
    command = [sys.executable, os.path.abspath(__file__), options.model, "--batch",
               str(options.batch), "--seconds", str(options.seconds), "--child", str(threads)]
    command += ["--processor-time"] if options.processor_time else []
    env = dict(os.environ, OPENBLAS_CORETYPE="SkylakeX", OMP_NUM_THREADS=str(threads), **extra)
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, check=True,
                          preexec_fn=pinned(threads))
    return float(done.stdout)


def train(options, plan, threads, epochs):
    """Returns the log lines and the processor time of tr-run."""
    command = [os.path.join(options.bin, "tr-run"), "train", plan, "--dataset", "synthetic",
               "--epochs", str(epochs), "--threads", str(threads), "--lr", "0.01",
               "--momentum", "0.9", "--weight-decay", "1e-4", "--json"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                          preexec_fn=pinned(threads))
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return [json.loads(line) for line in done.stdout.splitlines()], used


def run_ours(options, plan, threads):
    lines, used = train(options, plan, threads, options.epochs)
    if options.processor_time:
        _, once = train(options, plan, threads, 1)
        images = SYNTHETIC_IMAGES // options.batch * options.batch
        return images * (options.epochs - 1) / (used - once)
    rates = [line["images_per_s"] for line in lines]
    return statistics.median(rates[1:] or rates)


def main():
    options = arguments()
    if options.child:
        return torch_child(options)
    if options.processor_time and options.threads != [1]:
        sys.exit("error: --processor-time needs --threads 1")
    programs = ["ours", "torch stock", "torch tuned"]
    with tempfile.TemporaryDirectory() as folder:
        plan = os.path.join(folder, "bench.plan")
        subprocess.run([os.path.join(options.bin, "tr-compile"), options.model, "-o", plan,
                        "--batch", str(options.batch)], check=True)
        print("| threads | ours img/s | PyTorch img/s | ratio | PyTorch, tuned malloc | ratio |")
        print("|---|---|---|---|---|---|")
        for threads in options.threads:
            rates = {name: [] for name in programs}
            for _ in range(options.rounds):
                rates["ours"].append(run_ours(options, plan, threads))
                rates["torch stock"].append(run_torch(options, threads, {}))
                rates["torch tuned"].append(run_torch(options, threads, TUNED))
            ours, stock, tuned = (statistics.median(rates[name]) for name in programs)
            print("| %d | %.0f | %.0f | %.2f | %.0f | %.2f |"
                  % (threads, ours, stock, ours / stock, tuned, ours / tuned), flush=True)


if __name__ == "__main__":
    main()
