# SPDX-License-Identifier: Apache-2.0
"""What the driver and its compiler know of a design, as dictionaries (docs/dataflow.md, docs/timing.md)."""
import json
import pathlib
import shutil
import subprocess
import tempfile

from . import calls

PROFILE = 0x534C0010


def profile(program):
    """What the pipes and kernels of a program have done so far. SLUICE_FPGA_PROFILE names a file for it before the
    first context is made."""
    return json.loads(calls.program_text(program, PROFILE))


def _compiler():
    try:
        import sluice_opencl
        beside = pathlib.Path(sluice_opencl.FOLDER) / "bin" / "sluicec"
        if beside.exists():
            return str(beside)
    except ImportError:
        pass
    found = shutil.which("sluicec")
    if not found:
        raise FileNotFoundError("sluicec is neither in the package sluice_opencl nor in PATH")
    return found


def schedule(source, options=(), compiler=None):
    """Each loop's initiation interval and what limits it, and so on, of OpenCL C for the emulated FPGA; options as
    for a build. What is wrong with the source is a ValueError."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "design.cl"
        file.write_text(source, encoding="utf-8")
        done = subprocess.run([compiler or _compiler(), "--device=fpga", "--schedule", "-", *options, str(file)],
                              capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.strip())
    return json.loads(done.stdout)
