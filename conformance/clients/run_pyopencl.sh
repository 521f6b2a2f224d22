#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pyopencl's own tests, from its source archive, against the installed wheel.
. "$(dirname "$0")/lib.sh"
need_python pyopencl pytest pytest-timeout mako scipy numpy scikit-build-core nanobind
source=$(echo "$work"/source/pyopencl-*/test)
if [ ! -d "$source" ]; then
    mkdir -p "$work/source"
    "$work/venv/bin/pip" -q download --no-binary pyopencl --no-deps --no-build-isolation \
        -d "$work/source" pyopencl >>"$work/pip.log" 2>&1 ||
        { echo "cannot download the source of pyopencl" >&2; exit $not_here; }
    tar -C "$work/source" -xf "$work"/source/pyopencl-*.tar.gz
    source=$(echo "$work"/source/pyopencl-*/test)
fi
cd "$source"
export PYOPENCL_NO_CACHE=1
"$python" -m pytest -q -p no:cacheprovider --timeout "${LIMIT:-300}" -rfE \
    --junitxml="$work/junit.xml" ${TESTS:-test_wrapper.py test_enqueue_copy.py \
    test_arrays_in_structs.py test_clrandom.py} >"$work/log" 2>&1 || tail -40 "$work/log"
"$python" - "$work/junit.xml" >"$work/results" <<'P'
import sys, xml.etree.ElementTree as tree
for case in tree.parse(sys.argv[1]).iter("testcase"):
    kinds = {child.tag for child in case}
    verdict = "fail" if kinds & {"failure", "error"} else "skip" if "skipped" in kinds else "pass"
    # the platform's name in brackets says nothing about the test
    print(verdict, case.get("classname") + "." + case.get("name").replace(" ", "_"))
P
judge pyopencl
