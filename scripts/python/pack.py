#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel of an installed tree.

pack.py [--deflate] PREFIX SOURCE-FOLDER OUT-FOLDER

The tree becomes the package's folder, where everything finds everything else by relative paths; pyopencl/.libs, where
the loader in pyopencl's wheels looks, gets an .icd file. Large programs are packed by LZMA, which pip unpacks wherever
Python has its lzma module; --deflate is for other installers.
"""
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

PACKAGE, NAME = "sluice_opencl", "sluice-opencl"
KEPT = ("bin/", "lib/", "libexec/", "include/", "share/")
LEFT_OUT = re.compile(r"^lib/pkgconfig/|^share/man/|^etc/")
TIME = (1980, 1, 1, 0, 0, 0)
LARGE = 16 << 20  # bytes from which the better method is worth its time


def version_of(source):
    return re.search(r"project\(sluice VERSION ([\d.]+)", (source / "CMakeLists.txt").read_text())[1]


def is_elf(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def newest_glibc(paths):
    """The version of the C library that all of them can be loaded with."""
    found = [(2, 17)]
    for path in paths:
        text = subprocess.run(["readelf", "-VW", path], capture_output=True, text=True, check=True).stdout
        found += [tuple(map(int, name.split("."))) for name in re.findall(r"GLIBC_(2\.\d+)", text)]
    return max(found)


def foreign_libraries(paths):
    """What they need that the C library does not bring, nor the tree."""
    own = re.compile(r"^(lib(c|m|dl|pthread|rt)\.so|ld-linux)")
    for path in paths:
        text = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
        yield from (name for name in re.findall(r"NEEDED.*\[(.*)\]", text) if not own.match(name))


class Wheel:
    """A wheel that is being written: files, then the list of them."""

    def __init__(self, path, info, large_method):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.info = info
        self.large_method = large_method
        self.rows = []

    def add(self, name, data, program=False):
        entry = zipfile.ZipInfo(name, TIME)
        entry.compress_type = self.large_method if len(data) >= LARGE else zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if program else 0o100644) << 16
        self.zip.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.rows.append(f"{name},sha256={digest},{len(data)}")

    def close(self):
        name = f"{self.info}/RECORD"
        self.zip.writestr(zipfile.ZipInfo(name, TIME), "\n".join([*self.rows, f"{name},,", ""]))
        self.zip.close()


def tree(prefix):
    for path in sorted(prefix.rglob("*")):
        name = path.relative_to(prefix).as_posix()
        if path.is_file() and name.startswith(KEPT) and not LEFT_OUT.match(name):
            yield name, path


def main():
    arguments = [a for a in sys.argv[1:] if a != "--deflate"]
    large_method = zipfile.ZIP_DEFLATED if "--deflate" in sys.argv else zipfile.ZIP_LZMA
    prefix, source, out = map(pathlib.Path, arguments)
    files = list(tree(prefix))
    elf = [path for _, path in files if is_elf(path)]
    foreign = sorted(set(foreign_libraries(elf)))
    if foreign:
        print(f"needs libraries of this system, so it is for systems like it: {' '.join(foreign)}")
    tag = "linux_x86_64" if foreign else "manylinux_{}_{}_x86_64".format(*newest_glibc(elf))
    version = version_of(source)
    info = f"{PACKAGE}-{version}.dist-info"
    path = out / f"{PACKAGE}-{version}-py3-none-{tag}.whl"
    wheel = Wheel(path, info, large_method)
    for name, file in files:
        wheel.add(f"{PACKAGE}/{name}", file.read_bytes(), bool(file.stat().st_mode & 0o100))
    for package in (PACKAGE, "sluice"):
        for file in sorted((source / "scripts/python" / package).glob("*.py")):
            wheel.add(f"{package}/{file.name}", file.read_bytes())
    wheel.add("pyopencl/.libs/sluice.icd", f"$ORIGIN/../../{PACKAGE}/lib/libsluice.so\n".encode())
    wheel.add(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n"
              "Summary: OpenCL driver for CPUs and an emulated FPGA\nLicense: Apache-2.0 (parts that are built in: see LICENSE)\n"
              "Requires-Python: >=3.7\n".encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: {NAME}\nRoot-Is-Purelib: false\n"
              f"Tag: py3-none-{tag}\n".encode())
    wheel.add(f"{info}/entry_points.txt", f"[console_scripts]\nsluicec = {PACKAGE}:sluicec\n".encode())
    wheel.add(f"{info}/LICENSE", (prefix / "share/doc/sluice-opencl-icd/copyright").read_bytes())
    wheel.close()
    total = sum(file.stat().st_size for _, file in files)
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB, {total / 1e6:.1f} MB when installed")


main()
