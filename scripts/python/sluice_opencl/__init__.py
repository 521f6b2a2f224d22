# SPDX-License-Identifier: Apache-2.0
"""Sluice, an OpenCL driver. Nothing needs to be imported: pyopencl finds it by itself.

For programs with another loader: python -m sluice_opencl prints what to set.
"""
import os
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent


def library():
    """The path of the driver, for OCL_ICD_FILENAMES (the Khronos loader) or OCL_ICD_VENDORS (ocl-icd)."""
    return str(FOLDER / "lib" / "libsluice.so")


def include():
    """The folder with the headers of extensions (CL/cl_ext_sluice.h) and of devices (sluice/device.h)."""
    return str(FOLDER / "include")


def register(prefix=sys.prefix):
    """Writes PREFIX/etc/OpenCL/vendors/sluice.icd, where the loaders of environments look; returns that folder. Both are
    absolute: loaders know no other place to start from. After the package was moved it is to be written again."""
    vendors = pathlib.Path(prefix).resolve() / "etc" / "OpenCL" / "vendors"
    vendors.mkdir(parents=True, exist_ok=True)
    (vendors / "sluice.icd").write_text(library() + "\n", encoding="utf-8")
    return str(vendors)


def sluicec():
    """Becomes the offline compiler, with this process's arguments."""
    program = FOLDER / "bin" / "sluicec"
    os.execv(program, [str(program), *sys.argv[1:]])
