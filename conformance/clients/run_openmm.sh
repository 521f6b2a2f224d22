#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# OpenMM: forces and motion of molecules against its reference platform, which is plain C++ in double.
. "$(dirname "$0")/lib.sh"
need_python openmm numpy
expect completes limited "${LIMIT:-400}" "$work/log" "$python" "$here/openmm_forces.py"
cat "$work/log"
grep -E '^(pass|fail) ' "$work/log" | cut -d' ' -f1,2 >>"$results" || true
judge
