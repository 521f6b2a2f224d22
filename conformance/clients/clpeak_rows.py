#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clpeak_rows.py LOG DEVICE: clpeak's output as lines "pass|fail|skip DEVICE.SECTION.ROW"."""
import math
import re
import sys

VECTORS = ["", "2", "4", "8", "16"]
TRANSFERS = ["enqueueWriteBuffer", "enqueueReadBuffer", "enqueueWriteBuffer non-blocking",
             "enqueueReadBuffer non-blocking", "enqueueMapBuffer(for read)",
             "memcpy from mapped ptr", "enqueueUnmap(after write)", "memcpy to mapped ptr"]
SECTIONS = {
    "Global memory bandwidth": ["float" + n for n in VECTORS],
    "Single-precision compute": ["float" + n for n in VECTORS],
    "Half-precision compute": ["half" + n for n in VECTORS],
    "Double-precision compute": ["double" + n for n in VECTORS],
    "Integer compute": ["int" + n for n in VECTORS],
    "Integer compute Fast 24bit": ["int" + n for n in VECTORS],
    "Transfer bandwidth": TRANSFERS,
    "Kernel launch latency": [""],
}


def read_log(path):
    rows, absent, section = {}, set(), None
    with open(path) as lines:
        for line in lines:
            title = re.match(r"\s*([\w -]+?) *\((?:GBPS|GFLOPS|GIOPS)\)", line)
            missing = re.match(r"\s*No (\w+) precision support", line)
            row = re.match(r"\s*(.+?) *: ([\d.einfa+-]+)( us)?\s*$", line)
            if title:
                section = title.group(1)
            elif missing:
                absent.add(missing.group(1).capitalize() + "-precision compute")
            elif row and row.group(1) in SECTIONS:
                rows[row.group(1), ""] = float(row.group(2))
            elif row and section:
                rows[section, row.group(1)] = float(row.group(2))
    return rows, absent


def main():
    rows, absent = read_log(sys.argv[1])
    for section, names in SECTIONS.items():
        for name in names:
            # a map that takes no measurable time has an infinite bandwidth
            value = rows.get((section, name), math.nan)
            verdict = "skip" if section in absent else "pass" if value > 0 else "fail"
            print(verdict, ".".join(filter(None, [sys.argv[2], section, name])))


if __name__ == "__main__":
    main()
