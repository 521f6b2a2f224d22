#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run_cts.py before a suite that passes, fails, crashes and hangs on purpose.

Run by ctest with the driver visible to the loader; only the device's name is asked of it. The suite is a
folder with two small programs that print what the Khronos harness prints.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as tree

RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run_cts.py")

# Dies between two tests, in one, at its end; the harness's own words for each result.
PROGRAM = """#!%s
import os, signal, sys, time
TESTS = %r
if sys.argv[1:] == ["--list"]:
    print("\\n".join("\\t" + name for name in TESTS))
    sys.exit(0)
for name in sys.argv[1:]:
    kind = TESTS[name]
    print(name + "...", flush=True)
    if kind == "fail":
        print("ERROR: 2 is not 3")
    if kind == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if kind == "hang":
        open(sys.argv[0] + ".pid", "w").write(str(os.getpid()))
        time.sleep(1000)
    print(name + {"fail": " FAILED", "skip": " test not supported"}.get(kind, " passed"), flush=True)
    if kind == "late":
        os.kill(os.getpid(), signal.SIGABRT)
"""

EVENTS = {"good": "pass", "wrong": "fail", "absent": "skip", "dies": "crash", "after_dead": "pass",
          "hangs": "hang", "after_hung": "pass", "dies_later": "late"}
RESULTS = {"good": "pass", "wrong": "fail", "absent": "skip", "dies": "crash", "after_dead": "pass",
           "hangs": "timeout", "after_hung": "pass", "dies_later": "crash"}
LISTED = "".join("events/%s: %s: on purpose\n" % row for row in (
    ("wrong", "fail"), ("dies*", "crash"), ("hangs", "timeout")))

problems = []


def expect(what, condition, text=""):
    if not condition:
        problems.append(what)
        print("WRONG: %s\n%s" % (what, text))


def write_suite(folder, name, tests):
    path = os.path.join(folder, name, "test_" + name)
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as out:
        out.write(PROGRAM % (sys.executable, tests))
    os.chmod(path, 0o755)
    return path


def command(folder, known, *more):
    path = os.path.join(folder, "list.txt")
    with open(path, "w", encoding="utf-8") as out:
        out.write(known)
    return [sys.executable, RUNNER, "--bin", folder, "--list", path, "--limit", "2", "--tier", "smoke",
            "--platform", "0", "--suite", "events", "--suite", "api", *more]


def run(folder, known, *more):
    done = subprocess.run(command(folder, known, *more), text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=100, check=False)
    return done.returncode, done.stdout


def is_alive(path):
    with open(path + ".pid", encoding="utf-8") as text:
        number = text.read()
    return os.path.exists("/proc/%s/cmdline" % number) and open(
        "/proc/%s/cmdline" % number, "rb").read() != b""


def check_unlisted(folder, hanging):
    """Nothing is listed: each bad result makes the status 1 and stands in table, text and JUnit file."""
    report = os.path.join(folder, "report.xml")
    status, text = run(folder, "", "--verbose", "--junit", report, "--logs", os.path.join(folder, "logs"))
    expect("status 1 for what is not listed", status == 1, text)
    expect("the hung program is gone", not is_alive(hanging))
    for name, result in RESULTS.items():
        expect("%s is %s" % (name, result), "  %s events/%s (" % (result, name) in text, text)
        expect("unexpected: " + name, ("events/%s: %s, expected pass" % (name, result) in text) ==
               (result not in ("pass", "skip")), text)
    row = [line.split() for line in text.splitlines() if line.startswith("all ")]
    expect("the table's sums", row and row[0][1:6] == ["4", "1", "2", "1", "1"], text)
    cases = {case.get("name"): case for case in tree.parse(report).getroot().iter("testcase")}
    expect("JUnit: all tests", set(cases) == set(RESULTS) | {"other"})
    for name, result in RESULTS.items():
        failure = cases[name].find("failure")
        expect("JUnit: " + name, (failure is not None) == (result not in ("pass", "skip")))
    expect("JUnit: the text", "2 is not 3" in cases["wrong"].find("failure").text)
    expect("logs", sorted(os.listdir(os.path.join(folder, "logs"))) == [
        "events_%s.log" % name for name in ("dies", "dies_later", "hangs", "wrong")])


def check_stopped(folder, hanging):
    """A run that is ended takes the suite's program with it."""
    os.remove(hanging + ".pid")
    with subprocess.Popen(command(folder, "", "--test", "hangs", "--limit", "60"),
                          stdout=subprocess.DEVNULL) as runner:
        until = time.monotonic() + 60
        while not os.path.exists(hanging + ".pid") and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.2)
        runner.terminate()
        expect("status of a run that was ended", runner.wait(20) == 128 + 15)
    time.sleep(0.2)
    expect("the program is ended too", not is_alive(hanging))


def check_silent(folder):
    """A suite that never says which tests it has is a row of its own, and ends."""
    sys.path.insert(0, os.path.dirname(RUNNER))
    import cts_suites  # pylint: disable=import-outside-toplevel
    import run_cts  # pylint: disable=import-outside-toplevel
    path = write_suite(folder, "silent", {})
    with open(path, "w", encoding="utf-8") as out:
        out.write("#!%s\nimport time\ntime.sleep(1000)\n" % sys.executable)
    run_cts.LIST_SECONDS = 0.5
    options = argparse.Namespace(bin=folder, limit=2, tier="smoke", test=None, full_math=False)
    cases = run_cts.run_suite(cts_suites.suite("silent", "silent/test_silent", smoke="*"), options, os.environ,
                              lambda case: None)
    expect("a suite without a list of tests", [(case.key, case.result) for case in cases] ==
           [("silent/--list", "timeout")])


def main():
    with tempfile.TemporaryDirectory() as folder:
        hanging = write_suite(folder, "events", EVENTS)
        write_suite(folder, "api", {"other": "pass", "work_3D": "fail"})  # the latter is not of this tier
        check_unlisted(folder, hanging)
        status, text = run(folder, LISTED)
        expect("status 0 when all is as listed", status == 0, text)
        status, text = run(folder, LISTED + "events/good: fail: it does not\n")
        expect("status 1 for a listed test that passes",
               status == 1 and "events/good: pass, expected fail" in text, text)
        check_silent(folder)
        check_stopped(folder, hanging)
    print("%d wrong" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
