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
    if kind == "inside":
        print("cl_khr_nothing is not supported on this platform. Skipping test.")
    if kind == "glued":
        print("\\nThings are not supported by this device. Skipping test.\\t", end="")
    if kind == "partly":
        print("Testing with 2 queues.\\nExtension cl_khr_fp16 not supported; skipping half tests.")
    if kind == "spoken":
        print("Testing with 2 queues.")
    print(name + {"fail": " FAILED", "skip": " test not supported"}.get(kind, " passed"), flush=True)
    if kind == "late":
        os.kill(os.getpid(), signal.SIGABRT)
"""

EVENTS = {"good": "pass", "wrong": "fail", "absent": "skip", "dies": "crash", "after_dead": "pass",
          "hangs": "hang", "after_hung": "pass", "dies_later": "late", "hollow": "inside",
          "hollow_glued": "glued", "half_done": "partly", "spoken": "spoken"}
RESULTS = {"good": "pass", "wrong": "fail", "absent": "skip", "dies": "crash", "after_dead": "pass",
           "hangs": "timeout", "after_hung": "pass", "dies_later": "crash", "hollow": "inside",
           "hollow_glued": "inside", "half_done": "pass", "spoken": "pass"}
QUIET = ("pass", "skip", "inside")
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
               (result not in QUIET), text)
    row = [line.split() for line in text.splitlines() if line.startswith("all ")]
    expect("the table's sums", row and row[0][1:8] == ["6", "1", "2", "1", "1", "2", "1"], text)
    expect("why a test did nothing", "events/hollow: skipped inside: cl_khr_nothing is not" in text, text)
    expect("what a test left out", "events/half_done: partly: Extension cl_khr_fp16" in text, text)
    cases = {case.get("name"): case for case in tree.parse(report).getroot().iter("testcase")}
    expect("JUnit: all tests", set(cases) == set(RESULTS) | {"other"})
    for name, result in RESULTS.items():
        failure = cases[name].find("failure")
        expect("JUnit: " + name, (failure is not None) == (result not in QUIET))
        skipped = cases[name].find("skipped")
        expect("JUnit, skipped: " + name, (skipped is not None) == (result in ("skip", "inside")))
    expect("JUnit: why", "cl_khr_nothing" in cases["hollow"].find("skipped").get("message"))
    expect("JUnit: what is left out", "cl_khr_fp16" in cases["half_done"].findtext("system-out", ""))
    expect("JUnit: the text", "2 is not 3" in cases["wrong"].find("failure").text)
    expect("logs", sorted(os.listdir(os.path.join(folder, "logs"))) == [
        "events_%s.log" % name
        for name in ("dies", "dies_later", "half_done", "hangs", "hollow", "hollow_glued", "wrong")])


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


def check_words():
    """Of what tests of the suite say: which have tested nothing."""
    sys.path.insert(0, os.path.dirname(RUNNER))
    import run_cts  # pylint: disable=import-outside-toplevel
    frame = "^(Maximal number of sub-devices|Testing on all device .* finished)"
    about, end = "Maximal number of sub-devices on device 0x1 is 0.", "Testing on all device 0x1 finished"
    refused = 'Device partition type "CL_X" is not supported on device 0x1. Skipping test...'
    for lines, result in (
            ([], "pass"), (["", "  "], "pass"), ([about, refused, end], "inside"), ([about, end], "pass"),
            ([about, refused, 'Testing on device 0x1 partition type "CL_Y" (1,0)', end], "pass"),
            (["Double is not supported, test not run."], "inside"), (["3 of 4 supported"], "pass"),
            (["Can't partition device, test not supported"], "inside"), (["Device supports all."], "pass"),
            (["Longs unsupported, skipping."], "inside"), (["skipper.cl builds"], "pass"),
            (["This device does not support cl_khr_3d_image_writes."], "inside")):
        case = run_cts.Case("suite", "test")
        case.text = lines
        expect("%r is %s" % (lines, result), case.passed(frame) == result)


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
        check_words()
        check_silent(folder)
        check_stopped(folder, hanging)
    print("%d wrong" % len(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
