#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a built Khronos OpenCL conformance suite on one device and compares with a list.

    run_cts.py --bin DIR [--platform NAME] [--device NAME|INDEX] [--tier smoke|core|full]

DIR is the suite's build folder, or any folder below which its test_* programs lie. Each program says
which tests it has; they run one after another in one process, and when that process dies or a test
takes too long, that test is marked and the rest goes on in a new one. Results are "pass", "fail",
"skip", "crash", "timeout", and "inside": the suite counts the test as passed, but all that it says is why
it did nothing. A pass that says so of a part only is counted as "partly" as well. The list
(lists/cts-DEVICE.txt) has lines "SUITE/TEST: RESULT: reason" for all that is no pass and was not skipped;
whatever differs from it, in either direction, makes the exit status 1.
Nothing of the suite itself is in this repository: docs/conformance.md says how to get it.
"""
import argparse
import concurrent.futures
import ctypes
import fnmatch
import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as tree

from cts_suites import SUITES, TIERS

RESULT_LINE = re.compile(
    r"(?:^|[\s.])([^\s.]+) (?:(passed)|(FAILED)|(test (?:not supported|currently not implemented))"
    r"|(skipped \(requires at least .*))$")
# The suite's words for what a test leaves out.
LEFT_OUT = re.compile(
    r"\bskip(?:ped|ping|s)?\b|\b(?:not|un)[ -]?supported\b|\bdoes(?: not|n't) support\b"
    r"|\b(?:test|tests) not (?:run|executed)\b|\bcan ?not test\b|\bnot testing\b", re.I)
QUIET = ("pass", "skip", "inside")  # what needs no line of the list
INIT_LINE = re.compile(r"^Test (skipped|failed) while initialization$")
DEVICE_TYPES = (("cpu", 2), ("gpu", 4), ("accelerator", 8))
START_LINE = re.compile(r"^(\S+)\.\.\.$")
LIST_SECONDS = 600.0  # a machine may be busy with the other suites
RUNNING = set()  # the suite's processes: each leads a group of its own, which nobody else ends


class Case:
    """One test and what became of it."""

    def __init__(self, suite, name):
        self.suite, self.name = suite, name
        self.result, self.seconds, self.text = None, 0.0, []
        self.left_out = []  # the lines that say what it did not do

    @property
    def key(self):
        return self.suite + "/" + self.name

    @property
    def partly(self):
        return self.result == "pass" and bool(self.left_out)

    def passed(self, frame):
        """What the suite's word for success is worth. `frame`: what says nothing of what was tested."""
        said = [line.strip() for line in self.text
                if re.search(r"\w", line) and not (frame and re.search(frame, line))]
        self.left_out = [line for line in said if LEFT_OUT.search(line)]
        return "inside" if said and len(self.left_out) == len(said) else "pass"


def find_program(folder, relative):
    """The program where the build leaves it, else anything of its name below the folder."""
    for place in (os.path.join(folder, relative), os.path.join(folder, "test_conformance", relative),
                  os.path.join(folder, os.path.basename(relative))):
        if os.access(place, os.X_OK) and os.path.isfile(place):
            return os.path.abspath(place)
    return None


def info_text(call, handle, key):
    size = ctypes.c_size_t()
    if call(handle, key, 0, None, ctypes.byref(size)):
        return ""
    text = ctypes.create_string_buffer(size.value + 1)
    call(handle, key, size, text, None)
    return text.value.decode(errors="replace")


def handles(call, *first):
    count = ctypes.c_uint()
    if call(*first, 0, None, ctypes.byref(count)) or not count.value:
        return []
    array = (ctypes.c_void_p * count.value)()
    call(*first, count, array, None)
    return [ctypes.c_void_p(handle) for handle in array]


def choose(names, wanted, what):
    """Index of the one that is meant: a number, or a part of its name."""
    found = [i for i, name in enumerate(names)
             if wanted == str(i) or wanted and wanted.lower() in name.lower()]
    if wanted and not found or not names:
        sys.exit("no %s %r among %s" % (what, wanted, names))
    return found[0] if found else 0


def find_device(platform_name, device_name):
    """Name and version of the device, and the environment that makes the suite choose it."""
    cl = ctypes.CDLL("libOpenCL.so.1")
    for name in ("clGetPlatformInfo", "clGetDeviceInfo"):
        getattr(cl, name).argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_size_t,
                                      ctypes.c_void_p, ctypes.c_void_p]
    cl.clGetDeviceIDs.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_uint, ctypes.c_void_p,
                                  ctypes.c_void_p]
    platforms = handles(cl.clGetPlatformIDs)
    platform = choose([info_text(cl.clGetPlatformInfo, p, 0x0902) for p in platforms], platform_name,
                      "platform")
    devices = handles(cl.clGetDeviceIDs, platforms[platform], 0xFFFFFFFF)
    names = [info_text(cl.clGetDeviceInfo, d, 0x102B) for d in devices]
    device = choose(names, device_name, "device")
    kind = ctypes.c_ulong()
    cl.clGetDeviceInfo(devices[device], 0x1000, ctypes.sizeof(kind), ctypes.byref(kind), None)
    word, mask = next(((word, mask) for word, mask in DEVICE_TYPES if kind.value & mask),
                      ("all", 0xFFFFFFFF))
    alike = [d.value for d in handles(cl.clGetDeviceIDs, platforms[platform], mask)]
    choice = {"CL_PLATFORM_INDEX": str(platform), "CL_DEVICE_TYPE": word,
              "CL_DEVICE_INDEX": str(alike.index(devices[device].value))}
    return names[device], info_text(cl.clGetDeviceInfo, devices[device], 0x102F), choice


class Program:
    """Runs the tests of one suite; a new process for what a dead one left."""

    def __init__(self, suite, path, environment, limit):
        self.suite, self.path, self.environment = suite, path, environment
        self.limit = limit or suite.limit

    def tests(self):
        out = subprocess.run([self.path, "--list"], cwd=os.path.dirname(self.path), text=True,
                             env=self.environment, stdout=subprocess.PIPE, timeout=LIST_SECONDS,
                             check=False).stdout
        return [line.strip() for line in out.splitlines() if re.match(r"^\t\S+$", line)]

    def run(self, names, note):
        """One Case for each name."""
        cases = {name: Case(self.suite.name, name) for name in names}
        left = list(names)
        while left:
            self.one_process(left, cases, note)
            after = [name for name in left if cases[name].result is None]
            if len(after) == len(left):  # it never came to its first test
                for name in after:
                    cases[name].result = "crash"
                    cases[name].text = ["the program ends before its first test"]
            left = [name for name in after if cases[name].result is None]
        return [cases[name] for name in names]

    def one_process(self, names, cases, note):
        hung = False
        master, slave = pty.openpty()  # a terminal: lines come when they are printed
        chosen = [] if self.suite.nameless else names
        process = subprocess.Popen([self.path] + list(self.suite.args) + chosen, stdout=slave,
                                   stderr=slave, stdin=subprocess.DEVNULL, env=self.environment,
                                   cwd=os.path.dirname(self.path), start_new_session=True)
        RUNNING.add(process.pid)
        os.close(slave)
        state = {"now": None, "since": time.monotonic()}
        rest = b""
        while True:
            waiting = state["since"] + self.limit - time.monotonic()
            if waiting <= 0 or not select.select([master], [], [], waiting)[0]:
                hung = True
                os.killpg(process.pid, signal.SIGKILL)
                break
            try:
                data = os.read(master, 65536)
            except OSError:  # the other side of a terminal is closed
                data = b""
            if not data:
                break
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self.line(line.decode(errors="replace").rstrip("\r"), state, cases, note)
        os.close(master)
        died = process.wait() < 0
        RUNNING.discard(process.pid)
        self.end(state, cases, "timeout" if hung else "crash", died, note)

    def end(self, state, cases, result, died, note):
        """The result of the test that the process was in; it dies between two: of the one before."""
        case = cases.get(state["now"])
        if case and (case.result is None or died and case.result in QUIET):
            if case.result:
                case.text.append("the program ends badly after this test, which says: " + case.result)
            case.result, case.seconds = result, time.monotonic() - state["since"]
            note(case)

    def line(self, line, state, cases, note):
        start, done = START_LINE.match(line), RESULT_LINE.search(line)
        if start and start.group(1) in cases:
            state["now"], state["since"] = start.group(1), time.monotonic()
            return
        refused = INIT_LINE.match(line)
        if refused and not state["now"]:
            for case in cases.values():
                case.result = "skip" if refused.group(1) == "skipped" else "fail"
        if not state["now"]:
            return
        case = cases[state["now"]]
        mine = done and done.group(1) == case.name
        case.text.append((line[:done.start()] if mine else line)[:400])
        del case.text[:-400]
        if not mine:
            return
        case.result = case.passed(self.suite.frame) if done.group(2) else "fail" if done.group(3) else "skip"
        case.seconds = time.monotonic() - state["since"]
        state["since"] = time.monotonic()
        note(case)


def read_list(path):
    """{pattern: (result, reason)}"""
    rows = {}
    if not os.path.exists(path):
        return rows
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if line and not line.startswith("#"):
                parts = line.split(": ", 2)
                if len(parts) != 3:
                    sys.exit("%s:%d: not \"SUITE/TEST: RESULT: reason\"" % (path, number))
                rows[parts[0]] = (parts[1], parts[2])
    return rows


def judge(cases, known):
    """(what is not as listed, rows that fit nothing which ran)."""
    unexpected, used = [], set()
    for case in cases:
        rows = [row for row in known if fnmatch.fnmatchcase(case.key, row)]
        used.update(rows)
        expected = known[rows[-1]][0] if rows else "pass"
        if case.result not in ("skip", "inside") and case.result not in expected.split("|"):
            unexpected.append((case, expected))
    return unexpected, used


def write_junit(path, cases, unexpected, device):
    surprises = {case.key: expected for case, expected in unexpected}
    root = tree.Element("testsuites", name="OpenCL-CTS on " + device)
    for suite in dict.fromkeys(case.suite for case in cases):
        rows = [case for case in cases if case.suite == suite]
        node = tree.SubElement(
            root, "testsuite", name=suite, tests=str(len(rows)),
            failures=str(sum(case.key in surprises for case in rows)),
            skipped=str(sum(case.result in ("skip", "inside") for case in rows)),
            time="%.2f" % sum(case.seconds for case in rows))
        for case in rows:
            item = tree.SubElement(node, "testcase", classname=suite, name=case.name,
                                   time="%.2f" % case.seconds)
            if case.key in surprises:
                text = "".join(c for c in "\n".join(case.text) if c >= " " or c == "\n")
                tree.SubElement(item, "failure", message="%s, expected %s" % (
                    case.result, surprises[case.key])).text = text
            elif case.result != "pass":
                tree.SubElement(item, "skipped", message="; ".join([case.result] + case.left_out[:1]))
            elif case.partly:
                tree.SubElement(item, "system-out").text = "\n".join(case.left_out)
    tree.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def print_table(cases):
    kinds = ("pass", "fail", "crash", "timeout", "skip", "inside")
    print("%-28s" % "suite" + "".join("%8s" % kind for kind in kinds + ("partly",)) + "%9s" % "seconds")
    suites = list(dict.fromkeys(case.suite for case in cases))
    for suite in suites + ["all"]:
        rows = [case for case in cases if suite in ("all", case.suite)]
        print("%-28s" % suite + "".join("%8d" % sum(c.result == kind for c in rows) for kind in kinds) +
              "%8d%9.0f" % (sum(case.partly for case in rows), sum(case.seconds for case in rows)))


def print_left_out(cases, verbose):
    """Tests that did nothing, with their reason; with --verbose also those that left something out."""
    for case in cases:
        if case.result == "inside" or case.partly and verbose:
            print("%s: %s: %s" % (case.key, "skipped inside" if case.result == "inside" else "partly",
                                  "; ".join(dict.fromkeys(case.left_out))[:300]))


def arguments():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--bin", default=os.environ.get("SLUICE_CTS_BIN"), help="the suite's build folder")
    parser.add_argument("--platform", default="Sluice", help="a part of its name, or its index")
    parser.add_argument("--device", default="", help="a part of its name, or its index; default: 0")
    parser.add_argument("--tier", choices=TIERS, default="core")
    parser.add_argument("--suite", action="append", help="only these suites (pattern); several are joined")
    parser.add_argument("--test", action="append", help="only tests that match this pattern")
    parser.add_argument("--list", help="file of known results; default: lists/cts-DEVICE.txt")
    parser.add_argument("--lists", default=os.path.join(here, "lists"), help=argparse.SUPPRESS)
    parser.add_argument("--junit", help="write a JUnit file")
    parser.add_argument("--logs", help="folder for the text of all that does not pass as a whole")
    parser.add_argument("--limit", type=float, help="seconds for one test instead of the suite's")
    parser.add_argument("--jobs", type=int, default=1, help="suites at a time")
    parser.add_argument("--verbose", action="store_true", help="a line for each test that ends")
    parser.add_argument("--full-math", action="store_true", help="no wimpy mode in any suite")
    options = parser.parse_args()
    if not options.bin or not os.path.isdir(options.bin):
        parser.error("--bin (or SLUICE_CTS_BIN) must name the suite's build folder")
    return options


def list_file(options, device):
    """lists/cts-cpu.txt and so on: by a word of the device's and the platform's name."""
    if options.list:
        return options.list
    who = "fpga" if "fpga" in device.lower() else "cpu"
    if "sluice" not in options.platform.lower():
        who = options.platform.lower().split()[0] + "-" + who
    return os.path.join(options.lists, "cts-%s.txt" % who)


def selected(names, suite, options):
    patterns = suite.tests(options.tier)
    return [name for name in names
            if any(fnmatch.fnmatchcase(name, p) for p in patterns if p[0] != "!")
            and not any(fnmatch.fnmatchcase(name, p[1:]) for p in patterns if p[0] == "!")
            and (not options.test or any(fnmatch.fnmatchcase(name, p) for p in options.test))]


def run_suite(suite, options, environment, note):
    path = find_program(options.bin, suite.program)
    if not path:
        print("NOT BUILT:", suite.name, "(%s)" % suite.program, flush=True)
        return []
    own = dict(environment)
    if suite.wimpy and not options.full_math:
        own["CL_WIMPY_MODE"] = "1"
    program = Program(suite, path, own, options.limit)
    try:
        names = selected(program.tests(), suite, options)
    except subprocess.TimeoutExpired:
        silent = Case(suite.name, "--list")
        silent.result, silent.seconds, silent.text = "timeout", LIST_SECONDS, ["no list of tests"]
        note(silent)
        return [silent]
    return program.run(names, note) if names else []


def write_logs(folder, cases):
    os.makedirs(folder, exist_ok=True)
    for case in cases:
        if case.result not in ("pass", "skip") or case.partly:
            name = re.sub(r"[^\w.-]", "_", case.key) + ".log"
            with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
                out.write("%s after %.1f s\n" % (case.result, case.seconds) + "\n".join(case.text) + "\n")


def stop(number, _):
    """Whoever ends this program ends the suite's as well."""
    for group in list(RUNNING):
        os.killpg(group, signal.SIGKILL)
    os._exit(128 + number)


def main():
    options = arguments()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    name, version, choice = find_device(options.platform, options.device)
    environment = dict(os.environ, **choice)
    environment.pop("CL_CONFORMANCE_RESULTS_FILENAME", None)
    print("%s (%s), tier %s" % (name, version, options.tier), flush=True)
    suites = [suite for suite in SUITES if suite.tests(options.tier) and
              (not options.suite or any(fnmatch.fnmatchcase(suite.name, p) for p in options.suite))]
    lock = threading.Lock()

    def note(case):
        if case.result not in QUIET or options.verbose:
            with lock:
                print("  %s %s (%.1f s)" % (case.result, case.key, case.seconds), flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        parts = list(pool.map(lambda suite: run_suite(suite, options, environment, note), suites))
    cases = [case for part in parts for case in part]
    known = read_list(list_file(options, name))
    unexpected, used = judge(cases, known)
    print_table(cases)
    print_left_out(cases, options.verbose)
    for case, expected in unexpected:
        print("%s: %s, expected %s" % (case.key, case.result, expected))
    if options.tier == "full" and not options.suite and not options.test:
        unused = [row for row in known if row not in used]
        for row in unused:
            print("LISTED, BUT NO SUCH TEST:", row)
    else:
        unused = []
    if options.junit:
        write_junit(options.junit, cases, unexpected, name)
    if options.logs:
        write_logs(options.logs, cases)
    if not any(case.result == "pass" for case in cases):
        print("NOTHING PASSES")
        return 1
    return 1 if unexpected or unused else 0


if __name__ == "__main__":
    sys.exit(main())
