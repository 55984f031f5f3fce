# SPDX-License-Identifier: Apache-2.0
"""Looks at a page of `tr-compile --html` in headless Chromium.

usage: check_report.py PAGE PLAN FOLDER

The numbers that the drawn page shows must be those of `tr-run inspect PLAN --json`, its rectangles
those of `--memory-csv`, its steps the schedules of the plan; the console must stay empty and a
screenshot must show something. FOLDER takes the browser's profile and the screenshot.
"""
import html.parser
import json
import os
import subprocess
import sys

import PIL.Image

PAGE, PLAN, FOLDER = sys.argv[1:]


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, timeout=120)


def browse(page, *flags):
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []  # Chromium has none for root
    return run("chromium", "--headless", "--disable-gpu", "--disable-dev-shm-usage", *sandbox,
               "--enable-logging=stderr", "--user-data-dir=" + os.path.join(FOLDER, "profile"), *flags,
               "file://" + os.path.abspath(page))


class Page(html.parser.HTMLParser):
    """What was drawn: texts by data-key, rectangles and edges by the picture they are in."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.rows, self.nodes, self.edges = {}, {}, 0, {}
        self.key = self.picture = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.picture = attrs.get("data-schedule", self.picture)
        if "data-key" in attrs:
            self.key = attrs["data-key"]
            assert self.key not in self.texts, f"{self.key} is shown twice"
            self.texts[self.key] = ""
        if "data-row" in attrs:
            self.rows.setdefault(self.picture, []).append(attrs["data-row"])
        self.nodes += "data-node" in attrs
        if tag == "path":
            kind = attrs["class"]
            self.edges[kind] = self.edges.get(kind, 0) + 1

    def handle_endtag(self, tag):
        if tag in ("td", "b", "span"):
            self.key = None

    def handle_data(self, data):
        if self.key is not None:
            self.texts[self.key] += data


def expected_texts(plan):
    """What a reader of the page should see, by data-key."""
    values = {"parameters": sum(p["elements"] for p in plan["parameters"]),
              "arena_bytes": plan["arena_bytes"],
              "memory.persistent_bytes": plan["memory"]["persistent_bytes"]}
    for name, memory in plan["memory"]["schedules"].items():
        for field, value in memory.items():
            values[f"memory.schedules.{name}.{field}"] = value
    for kind, count in plan["fusions"].items():
        values[f"fusions.{kind}"] = count
    for number, subgraph in plan["subgraphs"].items():
        values[f"subgraphs.{number}.nodes"] = subgraph["nodes"]
        values[f"subgraphs.{number}.reason"] = subgraph["reason"] or ""
    for region in plan["regions"]:
        values[f"regions.{region['name']}.offset"] = region["offset"]
        values[f"regions.{region['name']}.bytes"] = region["bytes"]
    for variant in plan["variants"]:
        values[f"variants.{variant['name']}.batch"] = variant["batch"]
        values[f"variants.{variant['name']}.channels"] = variant["channels"]
    for schedule in plan["schedules"]:
        key = f"schedules.{schedule['name']}.{schedule['graph']}"
        values[key + ".nodes"] = len(schedule["nodes"])
        values[key + ".edges"] = sum(len(node["after"]) for node in schedule["nodes"])
    return {key: f"{value:,}" if isinstance(value, int) else value
            for key, value in values.items()}


def check_numbers(page, plan):
    expected = expected_texts(plan)
    differing = {key: (page.texts.get(key), expected.get(key))
                 for key in page.texts.keys() | expected.keys()
                 if page.texts.get(key) != expected.get(key)}
    assert not differing, f"(page, tr-run inspect) differ: {differing}"
    return len(expected)


def check_pictures(page, plan):
    for name in plan["memory"]["schedules"]:
        csv = run("tr-run", "inspect", PLAN, "--memory-csv", name).stdout
        assert sorted(page.rows[name]) == sorted(csv.splitlines()[1:]), name
    first = plan["schedules"][0]["nodes"]
    assert page.nodes == len(first), (page.nodes, len(first))
    assert page.edges.get("edge", 0) == sum(len(node["after"]) for node in first), page.edges
    return sum(len(rows) for rows in page.rows.values())


def check_clicks(source, plan):
    """A click on a kernel op marks its edges, one on a time shows what is alive there."""
    clicked = os.path.join(FOLDER, "clicked.html")
    schedule, nodes = next(iter(plan["memory"]["schedules"])), plan["schedules"][0]["nodes"]
    node = max(range(len(nodes)), key=lambda i: len(nodes[i]["after"]))
    with open(clicked, "w", encoding="utf-8") as file:
        file.write(source.replace("</body>", f"""<script>
          document.querySelector('#steps [data-node="{node}"]').dispatchEvent(
            new MouseEvent('click'));
          const line = document.querySelector('svg[data-schedule="{schedule}"]');
          line.dispatchEvent(new MouseEvent('click',
            {{ clientX: line.getBoundingClientRect().right + 1 }}));
        </script></body>"""))
    shown = browse(clicked, "--dump-dom").stdout
    page = Page(shown)
    after = sum(node in other["after"] for other in nodes)
    assert page.edges.get("edge into", 0) == len(nodes[node]["after"]), page.edges
    assert page.edges.get("edge outof", 0) == after, page.edges
    assert f"kernel op {node}: {nodes[node]['op']}" in shown
    steps = max(int(row.split(",")[2]) for row in page.rows[schedule])
    assert f"Alive at kernel op {steps - 1}, " in shown


def check_screenshot():
    path = os.path.join(FOLDER, "page.png")
    browse(PAGE, "--window-size=1400,2400", "--screenshot=" + path)
    picture = PIL.Image.open(path).convert("RGB")
    colors = {color: count for count, color in picture.getcolors(maxcolors=1 << 24)}
    drawn = 1 - max(colors.values()) / (picture.width * picture.height)
    # Text alone has shades of few colours; the rectangles of layers have many.
    strong = {color for color in colors if max(color) - min(color) > 60}
    assert drawn > 0.02 and len(strong) >= 8, (drawn, len(strong))


def main():
    with open(PAGE, encoding="utf-8") as file:
        source = file.read()
    assert "default-src 'none'" in source
    for word in ("src=", "href=", "url(", "@import", "fetch("):
        assert word not in source, f"the page asks for another file: {word}"
    shown = browse(PAGE, "--dump-dom")
    console = [line for line in shown.stderr.splitlines() if "CONSOLE" in line]
    assert not console, console
    page = Page(shown.stdout)
    plan = json.loads(run("tr-run", "inspect", PLAN, "--json", "--schedule").stdout)
    numbers, rectangles = check_numbers(page, plan), check_pictures(page, plan)
    check_clicks(source, plan)
    check_screenshot()
    print(f"{plan['model']}: {numbers} numbers, {rectangles} rectangles, {page.nodes} kernel ops, "
          f"{page.edges.get('edge', 0)} edges agree")


main()
