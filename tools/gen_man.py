#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Man pages and completion for bash from what the tools say of their options.

usage: tools/gen_man.py BIN_DIR OUT_DIR

Writes OUT_DIR/man/man1/*.1 and OUT_DIR/bash-completion/completions/*. The tools print their help
from the tables that parse the options, so nothing is listed twice.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Option:
    def __init__(self, head, text):
        # "-o,--output TEXT", "--batch INT:INT in [1 - 3]=32", "--input FILE"
        words = head.split(" ", 1)
        self.names = re.sub(r"\{\w+\}", "", words[0]).split(",")  # "--flag{text}", its default
        self.value = words[1] if len(words) > 1 else ""
        self.text = text
        choices = re.search(r"\{([^}]*)\}", self.value)
        self.choices = choices[1].split(",") if choices else []

    def takes_file(self):
        return bool(re.search(r"\b(FILE|CSV|PLAN|MODEL)\b", self.value)) or self.names[-1] in (
            "--output", "--dump-dir", "--html")


class Page:
    """A command: its first sentences, its usage and its options."""

    def __init__(self, name, text):
        self.name, self.options = name, []
        usage = re.search(r"^usage: (.*)$", text, re.M | re.I)
        self.usage = usage[1]
        body = text[:usage.start()] + text[usage.end():]
        sections = re.split(r"^(\w+):$", body, flags=re.M)
        self.about = sections[0].strip()
        self.operands = []
        for title, section in zip(sections[1::2], sections[2::2]):
            entries = self.parse(section)
            if title.lower() == "options":
                self.options = [Option(head, words) for head, words in entries]
            elif title.lower() == "positionals":
                self.operands = entries

    @staticmethod
    def parse(section):
        entries = []
        for line in section.splitlines():
            entry = re.match(r"  (\S.*?)(?:\s{2,}(\S.*))?$", line)
            if entry:
                entries.append([entry[1], entry[2] or ""])
            elif line.strip() and entries:
                entries[-1][1] = (entries[-1][1] + " " + line.strip()).strip()
        return entries


DRIVERS = {
    "tr-opt": "Runs passes and pipelines on MLIR files.",
    "tr-translate": "Translates between BluePrint, MLIR, YAML, Graphviz and plans.",
    "tr-reduce": "Makes a module smaller that a script finds interesting.",
    "tr-lsp-server": "Language server for MLIR files with the tr dialect and for BluePrints.",
}
# Of the options that MLIR's drivers have beside hundreds of LLVM's code generators.
DRIVER_OPTIONS = """pass-pipeline split-input-file verify-diagnostics verify-each emit-bytecode o
    mlir-timing mlir-print-op-generic mlir-print-ir-before mlir-print-ir-after
    mlir-print-ir-after-change mlir-print-ir-after-all remarks-filter remarks-filter-passed
    remarks-filter-missed remarks-filter-failed remarks-filter-analyse load-pass-plugin
    load-dialect-plugin list-passes show-dialects allow-unregistered-dialect tr-debug-only
    tr-statistics tr-statistics-output
    reduction-tree opt-reduction-pass log lit-test pretty bp help version network model input
    classes""".split()


class DriverPage:
    """A tool of MLIR's own driver: our passes, pipelines and translations, and what is used with
    them."""

    LINE = re.compile(r"^( +)--?([\w-]+)(=<[^>]*>)?(?:\[=<[^\]]*\])? *- +(\S.*)$")

    def __init__(self, name, about, text):
        self.name, self.about, self.operands, self.options = name, about, [], []
        self.usage = re.search(r"^USAGE: (.*)$", text, re.M)[1]
        listed, kept = 0, None  # indentation of passes and translations; the last one, if ours
        for line in text.splitlines():
            if re.match(r" *(Passes|Pass Pipelines|Translations to perform):?$", line):
                listed = -1  # that of the next option
                continue
            found = self.LINE.match(line)
            if not found:
                continue
            indent, name, value, words = len(found[1]), found[2], found[3] or "", found[4].strip()
            listed = indent if listed < 0 else 0 if indent < listed else listed
            option = Option("--%s %s" % (name, value[1:]) if value else "--" + name, words)
            if listed and indent > listed:
                if kept:
                    kept.text += "; %s%s: %s" % (name, value, words)
                continue
            ours = listed == indent and (name.startswith("tr-") or self.name == "tr-translate")
            kept = option if ours or name in DRIVER_OPTIONS else None
            if kept:
                self.options.append(kept)


def escape(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("\n.", "\n\\&.").replace("\n'", "\n\\&'")


def man_page(page, version):
    summary = page.about.splitlines()[0].rstrip(".")
    lines = ['.TH "%s" 1 "" "Renaissance %s" ""' % (page.name.upper().replace(" ", "-"), version),
             ".SH NAME", "%s \\- %s" % (escape(page.name.replace(" ", "-")), escape(summary)),
             ".SH SYNOPSIS", escape(page.usage)]
    rest = page.about.split("\n", 1)[1].strip() if "\n" in page.about else ""
    if rest:
        lines += [".SH DESCRIPTION", escape(rest)]
    if page.operands:
        lines.append(".SH OPERANDS")
        for head, text in page.operands:
            lines += [".TP", "\\fB%s\\fR" % escape(head.split()[0]), escape(text)]
    lines.append(".SH OPTIONS")
    for option in page.options:
        value = " \\fI%s\\fR" % escape(option.value) if option.value else ""
        lines += [".TP", "\\fB%s\\fR%s" % (escape(", ".join(option.names)), value),
                  escape(option.text)]
    lines += [".SH EXIT STATUS", "0 success, 1 an error, 2 a wrong command line"]
    return "\n".join(lines) + "\n"


def words_of(options):
    return " ".join(sorted({name for option in options for name in option.names}))


def cases_of(options):
    """What may stand after an option."""
    text = ""
    for option in options:
        if option.choices:
            text += "    %s) COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n" % (
                "|".join(option.names), " ".join(option.choices))
        elif option.value and not option.takes_file():
            text += "    %s) return ;;\n" % "|".join(option.names)
    return text


def completion(tool, pages):
    """Of one command, or of one with subcommands."""
    function = "_" + tool.replace("-", "_")
    text = "# Completion of %s. Written by tools/gen_man.py from the tool's options.\n" % tool
    text += "%s() {\n  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n" % function
    text += "  local options=''\n"
    if len(pages) == 1:
        text += "  options='%s'\n" % words_of(pages[0].options)
    else:
        commands = [page.name.split()[1] for page in pages]
        text += "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
        text += "    COMPREPLY=($(compgen -W '%s --help --version' -- \"$word\"))\n    return\n  fi\n" % " ".join(commands)
        text += "  case \"${COMP_WORDS[1]}\" in\n"
        for command, page in zip(commands, pages):
            text += "    %s) options='%s' ;;\n" % (command, words_of(page.options))
        text += "  esac\n"
    seen = {}
    for page in pages:
        for option in page.options:
            seen.setdefault(option.names[-1], option)
    text += "  case \"$before\" in\n%s  esac\n" % cases_of(seen.values())
    text += "  if [ \"${word:0:1}\" = - ]; then\n"
    text += "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n  else\n"
    text += "    COMPREPLY=($(compgen -f -- \"$word\"))\n  fi\n}\n"
    return text + "complete -o filenames -F %s %s\n" % (function, tool)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: tools/gen_man.py BIN_DIR OUT_DIR")
    bin_dir, out = sys.argv[1:]

    def help_of(*words):
        command = [os.path.join(bin_dir, words[0]), *words[1:], "--help"]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    with open(os.path.join(ROOT, "VERSION")) as file:
        version = file.read().strip()
    tools = {"tr-memplan": [Page("tr-memplan", help_of("tr-memplan"))]}
    if os.path.exists(os.path.join(bin_dir, "tr-compile")):
        tools["tr-compile"] = [Page("tr-compile", help_of("tr-compile"))]
    for name, about in DRIVERS.items():
        if os.path.exists(os.path.join(bin_dir, name)):
            tools[name] = [DriverPage(name, about, help_of(name))]
    commands = re.findall(r"^  (\w+)  ", help_of("tr-run"), re.M)
    tools["tr-run"] = [Page("tr-run " + name, help_of("tr-run", name)) for name in commands]
    man, completions = os.path.join(out, "man", "man1"), os.path.join(
        out, "bash-completion", "completions")
    for folder in (man, completions):
        os.makedirs(folder, exist_ok=True)
    count = 0
    for tool, pages in tools.items():
        for page in pages:
            if not page.options:
                sys.exit("error: no options in the help of " + page.name)
            with open(os.path.join(man, page.name.replace(" ", "-") + ".1"), "w") as file:
                file.write(man_page(page, version))
            count += 1
        with open(os.path.join(completions, tool), "w") as file:
            file.write(completion(tool, pages))
    print("%d man pages, completion of %d tools" % (count, len(tools)))


if __name__ == "__main__":
    main()
