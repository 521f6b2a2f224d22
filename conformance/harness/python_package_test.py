#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python_package_test.py PACKAGE-FOLDER: python -m sluice_opencl in folders with names that a shell would take apart, found
by relative paths: what the shell then has, and what is registered.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

NAMES = ["plain", "two words", "it's", 'a "b" $HOME `id` \\', "a;b&c|d*"]


def run(command, folder, **environment):
    return subprocess.run(command, cwd=folder, env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1",
                                                    **environment}, capture_output=True, text=True, check=False)


def shell_has(place):
    """What a shell that does as documented has in its variables; the package is found by a relative path."""
    script = 'eval "$("$PYTHON" -m sluice_opencl)" && printf "%s\\n" "$OCL_ICD_FILENAMES" "$OCL_ICD_VENDORS"'
    done = run(["sh", "-euc", script], place, PYTHON=sys.executable, PYTHONPATH=".")
    return done.stdout.splitlines() == [str(place / "sluice_opencl/lib/libsluice.so")] * 2


def registers(place):
    """The folder that is printed has the file, which names the library; both are absolute."""
    code = "import sys; sys.prefix = 'there'; sys.argv = ['', '--register']; import runpy; " \
           "runpy.run_module('sluice_opencl', run_name='__main__')"
    done = run([sys.executable, "-c", code], place, PYTHONPATH=".")
    vendors = pathlib.Path(done.stdout.rstrip("\n"))
    return vendors == place / "there/etc/OpenCL/vendors" and \
        (vendors / "sluice.icd").read_text(encoding="utf-8") == f"{place}/sluice_opencl/lib/libsluice.so\n"


def refuses(place):
    """A place that cannot be written, in a sentence; and words that it does not know."""
    (place / "file").write_text("", encoding="utf-8")
    code = "import sys; sys.prefix = 'file'; sys.argv = ['', '--register']; import runpy; " \
           "runpy.run_module('sluice_opencl', run_name='__main__')"
    failed = run([sys.executable, "-c", code], place, PYTHONPATH=".")
    unknown = run([sys.executable, "-m", "sluice_opencl", "--what"], place, PYTHONPATH=".")
    return failed.returncode == 1 and failed.stderr.startswith("sluice_opencl: cannot register: ") and \
        "Traceback" not in failed.stderr and unknown.returncode == 1 and "--register" in unknown.stderr


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as top:
        for name in NAMES:
            place = pathlib.Path(top).resolve() / name
            shutil.copytree(sys.argv[1], place / "sluice_opencl", ignore=shutil.ignore_patterns("__pycache__"))
            for test in (shell_has, registers, refuses):
                if not test(place):
                    print(f"{test.__name__} fails in a folder called {name}")
                    failed = 1
    return failed


sys.exit(main())
