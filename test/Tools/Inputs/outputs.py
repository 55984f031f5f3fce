# SPDX-License-Identifier: Apache-2.0
"""Every output of the compiler's tools at its edges: a table of commands times a table of places.

usage: outputs.py TOOLS MODEL SCRATCH. Prints what differs from what is wanted, and a count.
"""
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

TOOLS, MODEL, SCRATCH = (Path(word).resolve() for word in sys.argv[1:4])
OUT = object()

# Tool, arguments; OUT is the output.
OUTPUTS = {
    "tr-compile --output": ["tr-compile", MODEL, "-o", OUT],
    "tr-compile --html": ["tr-compile", MODEL, "--dry-run", "--html", OUT],
    "tr-opt -o": ["tr-opt", SCRATCH / "in.mlir", "--tr-arch-pipeline", "-o", OUT],
    "tr-reduce -o": ["tr-reduce", SCRATCH / "in.mlir", "-o", OUT],
    "tr-translate -o": ["tr-translate", "--blueprint-to-mlir", MODEL, "-o", OUT],
}
# Commands that print.
PRINTS = {
    "tr-compile --summary": ["tr-compile", MODEL, "--dry-run", "--summary"],
    "tr-compile --memory": ["tr-compile", MODEL, "--dry-run", "--memory"],
    "tr-opt": ["tr-opt", SCRATCH / "in.mlir"],
    "tr-opt --help": ["tr-opt", "--help"],
    "tr-translate": ["tr-translate", "--blueprint-to-mlir", MODEL],
    "tr-translate --help": ["tr-translate", "--help"],
}
failures = count = 0


def expect(name, good, detail=""):
    global failures, count
    count += 1
    if not good:
        failures += 1
        print(f"FAIL {name}: {detail}")


def run(command, out=None, **more):
    words = [str(out if word is OUT else word) for word in command]
    done = subprocess.run([str(TOOLS / words[0]), *words[1:]], stderr=subprocess.PIPE, check=False,
                          **{"stdout": subprocess.DEVNULL, **more})
    done.stderr = done.stderr.decode()
    return done


def left_overs():
    return [name for name in os.listdir(SCRATCH) if name.startswith(".")]


def check_output(name, command):
    target, link = SCRATCH / "x", SCRATCH / "link"
    wanted = SCRATCH / "wanted"
    expect(name, run(command, wanted).returncode == 0, "it does not run")

    done = run(command, "/dev/full")
    expect(name, (done.returncode, done.stderr) ==
           (1, "error: cannot write '/dev/full': No space left on device\n"), done)

    target.write_text("old")
    target.chmod(0o600)
    limit = lambda: (signal.signal(signal.SIGXFSZ, signal.SIG_DFL),
                     resource.setrlimit(resource.RLIMIT_FSIZE,
                                        (100, 100)))
    done = run(command, target, preexec_fn=limit)
    expect(name + " (cut)", (done.returncode, done.stderr) ==
           (1, f"error: cannot write '{target}': File too large\n"), done)
    expect(name + " (cut)", target.read_text() == "old" and not left_overs(), "the old file is gone")

    run(command, target)
    expect(name + " (mode)", stat.S_IMODE(target.stat().st_mode) == 0o600, "another mode")
    for path in (target, SCRATCH / "made"):
        link.symlink_to(path.name)
        run(command, link)
        same = path.exists() and path.read_bytes() == wanted.read_bytes()
        expect(name + " (link)", link.is_symlink() and same, "not through the link")
        link.unlink()
        path.unlink(missing_ok=True)

    pipe, got = SCRATCH / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    done = run(command, pipe)
    reader.join(20)
    expect(name + " (pipe)", got == [wanted.read_bytes()] and stat.S_ISFIFO(pipe.stat().st_mode),
           done)
    pipe.unlink()

    done = run(command, "/dev/stdout", stdout=subprocess.PIPE)
    expect(name + " (stdout)", done.stdout == wanted.read_bytes(), "another text")

    inputs = [word for word in command if isinstance(word, Path)]
    before = inputs[0].read_bytes()
    link.symlink_to(inputs[0])
    for same in (inputs[0], link):
        done = run(command, same)
        expect(name + " (input)", done.returncode == 1 and "are the same file" in done.stderr, done)
    link.unlink()
    expect(name + " (input)", inputs[0].read_bytes() == before, "the input changed")
    expect(name, not left_overs(), left_overs())


def check_print(name, command):
    with open("/dev/full", "w") as full:
        done = run(command, stdout=full)
    expect(name, (done.returncode, done.stderr) ==
           (1, "error: cannot write standard output: No space left on device\n"), done)
    done = run(command, preexec_fn=lambda: os.close(1))
    expect(name + " (closed)", (done.returncode, done.stderr) ==
           (1, "error: cannot write standard output: Bad file descriptor\n"), done)
    reader, writer = os.pipe()
    os.close(reader)
    done = run(command, stdout=writer)
    os.close(writer)
    expect(name + " (nobody reads)", (done.returncode, done.stderr) == (0, ""), done)


def main():
    run(["tr-translate", "--blueprint-to-mlir", MODEL, "-o", OUT], SCRATCH / "in.mlir")
    for name, command in OUTPUTS.items():
        check_output(name, command)
    for name, command in PRINTS.items():
        check_print(name, command)
    print(f"{count - failures} passed, {failures} failed")
    return 1 if failures else 0


sys.exit(main())
