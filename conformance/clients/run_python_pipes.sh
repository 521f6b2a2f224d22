#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The module sluice (scripts/python/sluice) and its example, with the first Python that has pyopencl: SLUICE_TEST_PYTHON,
# that of the other clients, or the system's.
. "$(dirname "$0")/lib.sh"
: "${SLUICE_TEST_BUILD:?names the build folder}"
python=
for one in "${SLUICE_TEST_PYTHON:-}" "$shared/venv/bin/python" python3 /usr/bin/python3; do
    if [ -n "$one" ] && "$one" -c 'import numpy, pyopencl' 2>/dev/null; then
        python=$one
        break
    fi
done
if [ -z "$python" ]; then
    echo "SKIP: no Python with pyopencl (SLUICE_TEST_PYTHON may name one)"
    exit 77
fi
export PYTHONPATH=$here/../../scripts/python PYOPENCL_NO_CACHE=1 PYTHONDONTWRITEBYTECODE=1
expect completes limited "${LIMIT:-600}" "$work/log" "$python" "$here/python_pipes.py" \
    "$here/../../examples/python/moving_average.py" "$SLUICE_TEST_BUILD/kernels/compiler/sluicec"
cat "$work/log"
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
judge
