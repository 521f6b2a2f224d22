#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clblast_rows.py LOG ROUTINE: a CLBlast test's output as lines "pass|fail|skip TEST"."""
import re
import sys

PLAIN = re.compile(r"\x1b\[[0-9;]*m")


def main():
    precision, case = "", ""
    with open(sys.argv[1], errors="replace") as lines:
        for line in lines:
            line = PLAIN.sub("", line).strip()
            start = re.search(r"Starting tests for the '(\w+)' routine", line)
            rate = re.search(r"(\d+) passed / (\d+) skipped / (\d+) failed", line)
            about = re.match(r"\* Testing '(.*)' for '(.*)'", line)
            if start:
                precision = start.group(1)
            elif about:
                case = about.group(1) + "." + about.group(2)
            elif "All tests skipped" in line:
                print("skip %s.%s" % (sys.argv[2], precision))
            elif rate:
                counts = [("pass", rate.group(1)), ("skip", rate.group(2)), ("fail", rate.group(3))]
                number = 0
                for verdict, count in counts:
                    for _ in range(int(count)):
                        number += 1
                        print("%s %s.%s.%s.%d" % (verdict, sys.argv[2], precision, case, number))


if __name__ == "__main__":
    main()
