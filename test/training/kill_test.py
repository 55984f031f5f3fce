# SPDX-License-Identifier: Apache-2.0
"""Training runs that are killed at random moments, and go on: no kill loses the last good
checkpoint, and what the last run ends with is what an undisturbed one ends with.

usage: kill_test.py BIN [--kills N]
"""
import argparse
import random
import subprocess
import tempfile
import time
from pathlib import Path

NET = """model killed(input = 6x5x2, classes = 4) {
  seq(cbr(6, 3, 1, 1), dropout(0.2), cbr(8, 3, 2, 1), gap_fc(classes, true))
}
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin")
    parser.add_argument("--kills", type=int, default=25)
    args = parser.parse_args()
    random.seed(11)
    with tempfile.TemporaryDirectory() as folder:
        return run(Path(args.bin).resolve(), Path(folder), args.kills)


def run(tools, folder, kills):
    (folder / "net.bp").write_text(NET)
    subprocess.run([tools / "tr-compile", "net.bp", "-o", "net.plan", "--batch", "32",
                    "--val-batch", "32", "--optimizer", "adamw"], cwd=folder, check=True)
    train = [tools / "tr-run", "train", "net.plan", "--dataset", "synthetic", "--epochs", "6",
             "--threads", "1", "--schedule", "cosine", "--augment", "pad(1), random_crop(), flip()"]
    start = time.monotonic()
    subprocess.run([*train, "--save", "whole.safetensors"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    whole = time.monotonic() - start
    again = [*train, "--checkpoint-dir", "d", "--checkpoint-every", "3", "--keep", "2", "--resume",
             "latest", "--save", "killed.safetensors"]
    lost = 0
    for _ in range(kills):
        best = max((p.name for p in (folder / "d").glob("step-*.ckpt")), default="")
        lost += killed_run(again, folder, random.uniform(0, 0.7 * whole))
        if max((p.name for p in (folder / "d").glob("step-*.ckpt")), default="") < best:
            print("a checkpoint is gone")
            lost += 1
    end = subprocess.run(again, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    same = (folder / "whole.safetensors").read_bytes() == (folder / "killed.safetensors").read_bytes()
    left = [p.name for p in (folder / "d").iterdir() if p.name.startswith(".")]
    if end.returncode or not same or "warning" in end.stderr or left:
        print(f"exit code {end.returncode}, equal weights: {same}, left behind: {left}\n{end.stderr}")
        lost += 1
    print(f"{kills} kills: {'1 passed, 0 failed' if not lost else '0 passed, 1 failed'}")
    return 1 if lost else 0


def killed_run(command, folder, seconds):
    """Whether a run that was not killed failed, or one met a damaged checkpoint."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    error = process.communicate()[1]
    if process.returncode not in (0, -9) or "damaged" in error or "warning" in error:
        print(f"exit code {process.returncode}: {error}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
