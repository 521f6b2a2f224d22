#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""timed.py SECONDS LOG TIMES COMMAND...: runs a command with a time limit.

What it prints goes to LOG, its exit status to LOG's last line and to the caller, its processor
seconds to a line of TIMES. Those of all descendants count, also of a compiler process that nobody
waits for: orphans become children of this process, which waits for them.
"""
import ctypes
import os
import resource
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
ORPHANS = 10  # seconds that they may take to end


def run(command, seconds, log):
    """124 when the time is over, as timeout(1)."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                          start_new_session=True) as process:
        try:
            status = process.wait(seconds)
            return status if status >= 0 else 128 - status
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return 124


def collect_orphans():
    end = time.monotonic() + ORPHANS
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.01)
        except ChildProcessError:
            return


def main():
    seconds, path, times, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    start = time.monotonic()
    with open(path, "wb") as log:
        try:
            status = run(command, float(seconds), log)
        except OSError as error:
            log.write(("%s\n" % error).encode())
            status = 127
        wall = time.monotonic() - start
        collect_orphans()
        log.write(b"exit status %d\n" % status)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(times, "a") as out:
        out.write("%.2f %.2f %s\n" % (used.ru_utime + used.ru_stime, wall, os.path.basename(path)))
    return status


if __name__ == "__main__":
    sys.exit(main())
