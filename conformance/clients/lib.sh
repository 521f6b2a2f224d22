# SPDX-License-Identifier: Apache-2.0
# For the run_*.sh scripts: what a client needs is installed here, and its results are judged.
# Called as run_NAME.sh WORK_FOLDER; OCL_ICD_VENDORS leaves one vendor's library visible.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=${1:?usage: $(basename "$0") WORK_FOLDER}
mkdir -p "$work"
work=$(cd "$work" && pwd)
not_here=77

# Clients get a home of their own: nothing of the user's is read or written.
export HOME=$work/home XDG_CACHE_HOME=$work/home/.cache XDG_DATA_HOME=$work/home/.local
export POCL_CACHE_DIR=$work/home/.cache/pocl
mkdir -p "$HOME" "$XDG_CACHE_HOME" "$POCL_CACHE_DIR"

# As root; anybody else skips the test.
install_package() {
    if [ "$(id -u)" != 0 ]; then
        echo "package $1 is missing" >&2
        exit $not_here
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y --no-install-recommends "$1" >"$work/apt.log" 2>&1 && return
    apt-get update >>"$work/apt.log" 2>&1 || true
    apt-get install -y --no-install-recommends "$1" >>"$work/apt.log" 2>&1 && return
    echo "cannot install $1; see $work/apt.log" >&2
    exit $not_here
}

# need_program PROGRAM PACKAGE
need_program() {
    command -v "$1" >/dev/null || install_package "$2"
}

# need_python PACKAGE...: a virtual environment in the work folder with these; sets $python.
need_python() {
    local venv=$work/venv stamp
    stamp=$venv/.$(printf '%s' "$*" | md5sum | cut -c1-12)
    python=$venv/bin/python
    [ -e "$stamp" ] && return
    python3 -c 'import ensurepip' 2>/dev/null || install_package python3-venv
    python3 -m venv "$venv"
    "$venv/bin/pip" -q install "$@" >"$work/pip.log" 2>&1 ||
        { echo "cannot install $*; see $work/pip.log" >&2; exit $not_here; }
    touch "$stamp"
}

# judge NAME: $work/results (lines "pass|fail|skip TEST") against lists/client-NAME.txt.
judge() {
    python3 "$here/judge.py" "$work/results" "${CLIENT_LIST:-$here/../lists/client-$1.txt}"
}
