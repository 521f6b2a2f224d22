#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_script.py SLUICE_REPORT: the page's script in headless Chromium. A reader's clicks and drags are made as events, and
what the page shows then is held against the profile; 77 (skip) where there is no browser.

Of a page without scripts nothing may be missing: report.page and report.browser look at that one."""
import html
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

FAILURES = []
KERNELS = ["reader", "stage", "writer"]
PACKETS = [900, 12000, 40]
END = 80000

ACTS = """
const said = {};
const names = (list) => list.map((row) => row.cells[0].textContent);
const table = (name) => Array.from(document.querySelectorAll('table')).find((t) => t.rows[0].cells[0].textContent === name);
const body = (name) => Array.from(table(name).rows).slice(1);
const click = (element) => element.dispatchEvent(new MouseEvent('click', {bubbles: true}));
const lit = () => ({
    graph: Array.from(document.querySelectorAll('.graph g.lit')).map((g) => g.querySelector('text').textContent).sort(),
    rows: Array.from(document.querySelectorAll('tr.lit')).map((r) => r.cells[0].textContent + '/' + r.cells[1].textContent),
    picked: document.querySelector('.graph > svg').classList.contains('picked'),
});
const node = (name) => Array.from(document.querySelectorAll('.graph g.node')).find(
    (g) => g.querySelector('text').textContent === name);
said.before = lit();
click(node('stage'));
said.kernel = lit();
click(node('stage'));
said.again = lit();
click(body('pipe')[2]);
said.pipe = lit();
document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}));
said.escape = lit();

const head = Array.from(table('pipe').rows[0].cells).find((cell) => cell.textContent === 'packets');
said.sorted = [];
for (let n = 0; n < 3; n++) {
    click(head);
    said.sorted.push([head.getAttribute('aria-sort'), names(body('pipe'))]);
}
const waiting = Array.from(table('kernel').rows[0].cells).find((cell) => cell.textContent === 'waiting');
click(waiting);
said.times = names(body('kernel'));

const box = document.querySelector('input[type=search]');
const search = (text) => {
    box.value = text;
    box.dispatchEvent(new Event('input'));
    return Array.from(document.querySelectorAll('tr')).filter((r) => !r.hidden && r.cells[0].tagName === 'TD')
        .map((r) => r.cells[0].textContent).sort();
};
said.found = search('MID writes');
said.told = box.parentElement.querySelector('[role=status]').textContent;
said.all = search('').length;

const svg = document.querySelector('svg.timeline'), bars = svg.querySelector('svg.bars');
const outer = svg.getBoundingClientRect(), scale = outer.width / svg.getAttribute('viewBox').split(' ')[2];
const at = {left: outer.left + bars.getAttribute('x') * scale, top: outer.top + bars.getAttribute('y') * scale,
            width: bars.getAttribute('width') * scale};
const drag = (from, to) => {
    const event = (name, part) => new PointerEvent(name, {bubbles: true, button: 0, clientX: at.left + at.width * part,
                                                          clientY: at.top + 5});
    svg.dispatchEvent(event('pointerdown', from));
    svg.dispatchEvent(event('pointermove', to));
    said.chosen = chosen();
    said.hover = svg.previousElementSibling.querySelector('.at').textContent;
    svg.dispatchEvent(event('pointerup', to));
};
const chosen = () => Number(bars.querySelector('.chosen').getAttribute('width'));
const shown = () => [bars.getAttribute('viewBox').split(' ').map(Number),
                     Array.from(svg.querySelectorAll('text[data-tick]')).map((t) => t.textContent)];
drag(0.25, 0.5);
said.part = shown();
drag(0.5, 1);
said.deeper = shown();
svg.dispatchEvent(new MouseEvent('dblclick', {bubbles: true}));
said.whole = shown();
said.left = chosen();

const picture = document.querySelector('.graph > svg'), width = picture.getBoundingClientRect().width;
const tool = (name) => click(Array.from(document.querySelectorAll('.tools button')).find((b) => b.textContent === name));
said.least = picture.style.minWidth; /* a wide one is there as a whole */
tool('+');
said.larger = picture.getBoundingClientRect().width / width;
tool('fit');
said.fit = picture.getBoundingClientRect().width / width;
const result = document.createElement('pre');
result.id = 'said';
result.textContent = JSON.stringify(said);
document.body.append(result);
"""

CYCLES = 50000
FILL_ACTS = """
const svg = document.querySelector('svg#fills'), bars = svg.querySelector('svg.bars');
const outer = svg.getBoundingClientRect(), scale = outer.width / svg.getAttribute('viewBox').split(' ')[2];
const at = {left: outer.left + bars.getAttribute('x') * scale, width: bars.getAttribute('width') * scale};
const drag = (from, to) => {
    const event = (name, part) => new PointerEvent(name, {bubbles: true, button: 0, clientX: at.left + at.width * part,
                                                          clientY: outer.top + 40});
    svg.dispatchEvent(event('pointerdown', from));
    svg.dispatchEvent(event('pointerup', to));
};
const group = Array.from(svg.querySelectorAll('g.level')).find((g) => g.querySelector('title').textContent.startsWith('mid'));
const drawn = () => ({most: group.querySelector('path.most').getAttribute('d'),
                      least: group.querySelector('path:not(.most)').getAttribute('d')});
const said = {top: group.dataset.top, bottom: group.dataset.bottom, drawn: drawn()};
drag(0.25, 0.5);
said.part = drawn();
drag(0.4, 0.44);
said.deeper = drawn();
const result = document.createElement('pre');
result.id = 'said';
result.textContent = JSON.stringify(said);
document.body.append(result);
"""


def expect(got, wanted, what):
    if got != wanted:
        FAILURES.append(what)
        print(f"{what}: {got}, not {wanted}")


def near(got, wanted, what):
    if any(abs(a - b) > 1e-3 * max(1, abs(b)) for a, b in zip(got, wanted)) or len(got) != len(wanted):
        expect(got, wanted, what)


def make_profile():
    """in -> reader -> mid -> ... a chain of three kernels with a pipe in front of each; names that are HTML are only names."""
    kernels = [{"name": name, "file": "chain.cl", "line": 10 * n + 1, "autorun": False, "unit": [0, 0, 0], "launches": 1,
                "run_ns": 1000 * n, "stall_ns": stall} for n, (name, stall) in enumerate(zip(KERNELS, (950, 7000, 61000000)))]
    names = ["in</script><b>", "mid", "out"]
    pipes = [{"name": names[n], "type": "int", "kind": "channel", "packet_bytes": 4, "declared_depth": 4, "depth": 4,
              "file": "chain.cl", "line": n + 1, "host": "", "io": "", "writer": n - 1, "reader": n, "packets": PACKETS[n],
              "mean_fill": 1.5, "high_water": 4, "full_ns": 10, "empty_ns": 20} for n in range(3)]
    sites = [{"kernel": n, "pipe": p, "op": op, "blocking": True, "file": "chain.cl", "line": 10 * n + 2, "column": 5, "stalls": 1,
              "stall_ns": 30} for n, p, op in ((0, 0, "read"), (0, 1, "write"), (1, 1, "read"), (1, 2, "write"), (2, 2, "read"))]
    spans = [{"kernel": n, "start_ns": 100 * n, "end_ns": END - 1000 * n, "state": "run", "pipe": -1} for n in range(3)]
    return {"sluice_profile": 1, "program": "chain.cl", "device": "x", "time_ns": END, "kernels": kernels, "pipes": pipes,
            "sites": sites, "timeline": spans}


def make_fills():
    """A run of 50000 cycles, and what was in 'mid' in each: seldom the same for long, and bursts of a few cycles between."""
    numbers, profile = random.Random(5), make_profile()
    changes = {cycle: [] for cycle in range(CYCLES)}
    level, cycle = 0, 0
    while cycle < CYCLES - 100:
        for op in numbers.choice((["write"], ["write", "write"], ["write", "read"], ["read"], [])):
            if op == "write" or level:
                changes[cycle].append(op)
                level += 1 if op == "write" else -1
                cycle += numbers.choice((0, 1, 1))
        if level > 9:
            changes[cycle] += ["read"] * 8
            level -= 8
        cycle += numbers.choice((1, 2, 3, 400))
    levels, now = [], 0
    for cycle in range(CYCLES):
        now += sum(1 if op == "write" else -1 for op in changes[cycle])
        levels.append(now)
    events = [[cycle, 0 if op == "write" else 1, op, 1, 1, 0] for cycle, ops in changes.items() for op in ops]
    kernels = [{"kernel": n, "runs": 1, "begin": 0, "end": CYCLES, "busy": CYCLES, "stalled": 0, "loops": []} for n in range(3)]
    profile["clock"] = {"cycles": CYCLES, "whole": True, "exact": True, "doubts": [], "kernels": kernels, "sites": [],
                        "pipes": [], "events": numbers.sample(events, len(events)), "events_left_out": 0}
    return profile, levels


def ask_browser(browser, report, folder, profile_of_run, acts):
    profile, page = os.path.join(folder, "chain.json"), os.path.join(folder, "chain.html")
    with open(profile, "w", encoding="utf-8") as file:
        json.dump(profile_of_run, file)
    subprocess.run([report, profile, "-o", page], check=True)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    with open(page, "w", encoding="utf-8") as file:
        file.write(text.replace("</body>", f"<script>{acts}</script></body>"))
    dom = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1300,900",
                          f"--user-data-dir={folder}/profile", "--dump-dom", f"file://{page}"], check=True, timeout=100,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    said = re.search(r'<pre id="said">(.*?)</pre>', dom, re.S)
    if not said:
        sys.exit("check_script: the script or what is done to it has failed")
    return json.loads(html.unescape(said[1]))


def check_picking(said):
    nothing = {"graph": [], "rows": [], "picked": False}
    for when in ("before", "again", "escape"):
        expect(said[when], nothing, when)
    expect(said["kernel"]["graph"], ["mid", "out", "reader", "stage", "writer"], "beside stage")
    expect(said["kernel"]["rows"], ["stage/launched", "stage/reads mid", "stage/writes out"], "rows of stage")
    expect(said["pipe"]["graph"], ["out", "stage", "writer"], "ends of out")
    expect(said["pipe"]["rows"], ["out/channel", "stage/writes out", "writer/reads out"], "rows of out")


def check_tables(said):
    first, pipes = "in</script><b>", ["mid", "in</script><b>", "out"]
    expect(said["sorted"], [["descending", pipes], ["ascending", pipes[::-1]], [None, [first, "mid", "out"]]], "sorted")
    expect(said["times"], ["writer", "stage", "reader"], "sorted by 61 ms, 7 us, 950 ns")
    expect(said["found"], ["reader"], "rows with mid and writes")
    expect(said["told"], "1 of 11 rows", "how many were found")
    expect(said["all"], 11, "all rows")


def check_timeline(said):
    def ticks(start, end):
        return [start + (end - start) * n / 5 for n in range(6)]

    def nanoseconds(texts):
        scale = {"ns": 1, "us": 1e3, "ms": 1e6}
        return [float(t.split()[0]) * scale[t.split()[1]] for t in texts]

    for name, start, end in (("part", 0.25, 0.5), ("deeper", 0.375, 0.5), ("whole", 0, 1)):
        near(said[name][0][:3:2], [1000 * start, 1000 * (end - start)], f"{name}: what is shown")
        near(nanoseconds(said[name][1]), ticks(start * END, end * END), f"{name}: ticks")
    near(nanoseconds([said["hover"]]), [0.5 * END], "the time under the pointer")
    near([said["chosen"], said["left"]], [125, 0], "what the pointer has chosen")
    near([said["fit"]], [1], "all of the graph")
    if said["least"]:
        sys.exit(f"check_script: the graph is at least {said['least']} wide")
    near([said["larger"]], [1.25], "a larger graph")


def columns(path):
    """(height, right end) of each column of a path; the left end of the first."""
    numbers = re.findall(r"V([\d.]+) H([\d.]+)", path)
    return [(float(v), float(h)) for v, h in numbers], float(re.match(r"M([\d.]+)", path)[1])


def check_fills(said, levels):
    """Each column tells the least and the most of what was in the pipe in all of its cycles, in the picture as in a part of it."""
    for name, first, last, widest in (("drawn", 0, CYCLES, 150), ("part", CYCLES // 4, CYCLES // 2, 13), ("deeper", None, None, 13)):
        (most, left), (least, _) = columns(said[name]["most"]), columns(said[name]["least"])
        top, bottom, start = int(said["top"]), float(said["bottom"]), round(left * CYCLES / 1000)
        expect(len(most) == len(least) and len(most) > (300 if first is not None else 30), True, f"{name}: {len(most)} columns")
        expect(first is None or abs(start - first) <= widest, True, f"{name}: begins at {start}")
        wrong = 0
        for (high, right), (low, _) in zip(most, least):
            end = round(right * CYCLES / 1000)
            part = levels[start:end]
            wrong += not part or end - start > widest
            wrong += any(abs((bottom - y) * top / 22 - value) > 0.06 * top / 10 + 0.01
                         for y, value in ((high, max(part)), (low, min(part)))) if part else 0
            start = end
        expect(wrong, 0, f"{name}: columns that are wrong, of {len(most)}")
        expect(last is None or abs(start - last) <= widest, True, f"{name}: ends at {start}")


def main():
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        said = ask_browser(browser, sys.argv[1], folder, make_profile(), ACTS)
        profile, levels = make_fills()
        check_fills(ask_browser(browser, sys.argv[1], folder, profile, FILL_ACTS), levels)
    check_picking(said)
    check_tables(said)
    check_timeline(said)
    sys.exit(1 if FAILURES else 0)


main()
