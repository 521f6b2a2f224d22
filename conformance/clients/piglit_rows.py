#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""piglit_rows.py RUN_FOLDER: piglit's results as lines "pass|fail|skip TEST"."""
import bz2
import glob
import gzip
import json
import lzma
import sys

OPENERS = {"bz2": bz2.open, "gz": gzip.open, "xz": lzma.open, "json": open}
VERDICTS = {"pass": "pass", "warn": "pass", "skip": "skip", "notrun": "skip"}


def main():
    path = glob.glob(sys.argv[1] + "/results.json*")[0]
    with OPENERS[path.rsplit(".", 1)[1]](path, "rt") as file:
        tests = json.load(file)["tests"]
    for name, test in sorted(tests.items()):
        print(VERDICTS.get(test["result"], "fail"), name)


if __name__ == "__main__":
    main()
