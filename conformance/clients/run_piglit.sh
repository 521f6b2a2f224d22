#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Piglit's OpenCL profile; TESTS is a pattern of its test names.
. "$(dirname "$0")/lib.sh"
need_program piglit piglit
export PIGLIT_PLATFORM=surfaceless_egl
rm -rf "$work/run"
piglit run --timeout "${LIMIT:-60}" --overwrite --jobs 1 -t "${TESTS:-^api@}" cl "$work/run" >"$work/log" 2>&1 ||
    tail -20 "$work/log"
python3 - "$work/run" >"$work/results" <<'P'
import bz2, glob, gzip, json, sys
path = glob.glob(sys.argv[1] + "/results.json*")[0]
opener = bz2.open if path.endswith("bz2") else gzip.open if path.endswith("gz") else open
with opener(path, "rt") as file:
    tests = json.load(file)["tests"]
for name, test in sorted(tests.items()):
    result = test["result"]
    parts = {k: v for k, v in (test.get("subtests") or {}).items() if k != "__type__"}
    verdict = "pass" if result in ("pass", "warn") else "skip" if result in ("skip", "notrun") else "fail"
    if not parts:
        print(verdict, name)
    for part, value in sorted(parts.items()):
        print("pass" if value in ("pass", "warn") else "skip" if value == "skip" else "fail", name + "/" + part)
P
judge piglit
