#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""package_test.py tree|deb|wheel SOURCE-FOLDER BUILD-FOLDER PROGRAM CMAKE CPACK: what is handed out is made, its contents
and sizes are looked at, and PROGRAM runs kernels with a copy that lies in another folder than it was made for.

tree: what cmake installs. deb: the packages of cpack, in a repository for apt. wheel: scripts/wheel, whose compiler brings
its own libstdc++. Exit status 77: a tool is missing here.
"""
import base64
import csv
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

KIND = sys.argv[1]
SOURCE, BUILD, PROGRAM = map(pathlib.Path, sys.argv[2:5])
CMAKE, CPACK = sys.argv[5:7]
MOST_INSTALLED, MOST_DOWNLOAD = 110e6, 30e6
LICENCES = {"ours": "Apache License", "LLVM's": "LLVM Exceptions to the Apache 2.0 License", "xxHash's": "==== xxHash"}
LICENCES_OF_RUNTIME = {"libstdc++'s": "GCC RUNTIME LIBRARY EXCEPTION", "zlib's": "Jean-loup Gailly", "zstd's": "Meta Platforms"}
WANTED = [r"libsluice\.so", r"libexec/sluice/sluice-compiler", r"bin/sluicec", r"sluice/builtins\.slb",
          r"sluice/code_avx512\.slb", r"sluice/code_avx2\.slb", r"sluice/code_sse4\.2\.slb", r"CL/cl_ext_sluice\.h",
          r"CL/sluice\.hpp", r"sluice/device\.h"]
failures = []


def expect(good, text):
    print("ok  " if good else "FAIL", text)
    if not good:
        failures.append(text)


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{command[0]} failed: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def size_of(folder):
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def lost_links(prefix):
    """What installed documents refer to and is not installed."""
    for page in prefix.rglob("*.md"):
        for link in re.findall(r"\]\(([^)#\s]+)[^)\s]*\)", re.sub(r"```.*?```", "", page.read_text(), flags=re.S)):
            if not re.match(r"\w+:", link) and not (page.parent / link).exists():
                yield f"{page.name}: {link}"


def look_at(prefix):
    """Contents of an installed tree, wherever it came from."""
    names = [path.relative_to(prefix).as_posix() for path in prefix.rglob("*")]
    lost = list(lost_links(prefix))
    expect(not lost, f"documents refer to what is there: {lost}")
    expect(KIND == "wheel" or any(name.endswith("sluice-opencl-icd/docs/binding.md") for name in names), "has documents")
    for wanted in WANTED:
        expect(any(re.search(f"(^|/){wanted}$", name) for name in names), f"has {wanted}")
    size = size_of(prefix)
    expect(size <= MOST_INSTALLED, f"{size / 1e6:.0f} MB installed, {MOST_INSTALLED / 1e6:.0f} at most")
    large = [path for path in prefix.rglob("*") if path.is_file() and path.stat().st_size > 30e6]
    expect(len(large) == 1, f"the compiler is there once: {[path.name for path in large]}")


def has_licences(text, wanted):
    for whose, words in wanted.items():
        expect(words in text, f"{whose} licence is there")


def environment(place, **own):
    """Nothing of this machine's settings. What is cached is the test's own, so that each use has something to compile."""
    return {"PATH": "/usr/bin:/bin", "HOME": str(place), "SLUICE_CACHE": "0", **own}


def kernels_run(settings):
    done = subprocess.run([PROGRAM], env=settings, capture_output=True, text=True, check=False, timeout=300)
    lines = done.stdout.splitlines()
    return done.returncode == 0 and lines.count("pass two_devices") == 1 and "pass platform" in lines and \
        sum(line.startswith("pass kernel.") for line in lines) == 2, done.stdout + done.stderr


def use(prefix, place, settings=None):
    """Kernels on both devices, and the offline compiler; by this tree's own compiler: without it nothing runs."""
    library = next(prefix.rglob("libsluice.so"))
    vendors = place / "vendors"
    vendors.mkdir(exist_ok=True)
    (vendors / "sluice.icd").write_text(f"{library}\n", encoding="utf-8")
    settings = settings or environment(place, OCL_ICD_VENDORS=f"{vendors}/")
    good, said = kernels_run(settings)
    expect(good, "kernels run on both devices" + ("" if good else f": {said}"))
    (place / "k.cl").write_text("kernel void k(global int *a) { a[get_global_id(0)] = 3; }\n", encoding="utf-8")
    done = subprocess.run([prefix / "bin/sluicec", "k.cl", "-o", "k.slb"], cwd=place, env=environment(place), check=False)
    expect(done.returncode == 0 and (place / "k.slb").stat().st_size > 1000, "sluicec compiles")
    hidden = prefix / "libexec"
    hidden.rename(place / "hidden")
    expect(not kernels_run(settings)[0], "without its compiler they do not, so it was that one")
    (place / "hidden").rename(hidden)


def tree(place):
    run(CMAKE, "--install", BUILD, "--strip", "--component", "Unspecified", "--prefix", place / "first",
        env={**os.environ, "DESTDIR": ""})
    manifest = (BUILD / "install_manifest_Unspecified.txt").read_text(encoding="utf-8")  # other tests write it as well
    registered = (place / "first/etc/OpenCL/vendors/sluice.icd").read_text(encoding="utf-8").strip()
    expect(pathlib.Path(registered).samefile(next(place.rglob("libsluice.so"))), "the registered library is there")
    listed = {pathlib.Path(line).resolve() for line in manifest.splitlines()}
    there = {path.resolve() for path in (place / "first").rglob("*") if path.is_file()}
    expect(there == listed, "all that is installed is in the list by which it is removed, and nothing else")
    moved = place / "it's moved"
    (place / "first").rename(moved)
    look_at(moved)
    has_licences((moved / "share/doc/sluice-opencl-icd/copyright").read_text(encoding="utf-8"), LICENCES)
    use(moved, place)


def fetched_by_apt(packages, place):
    """The driver's package, from a repository of all of them, through apt's own checks."""
    line = run(SOURCE / "scripts/apt_repository", place / "apt", *packages)
    (place / "list").write_text(line, encoding="utf-8")
    for part in ("state/lists/partial", "cache/archives/partial", "download"):
        (place / part).mkdir(parents=True)
    (place / "status").write_text("", encoding="utf-8")
    settings = {"Dir::Etc::sourcelist": place / "list", "Dir::Etc::sourceparts": "-", "Dir::State": place / "state",
                "Dir::State::status": place / "status", "Dir::Cache": place / "cache", "APT::Sandbox::User": ""}
    options = [word for pair in settings.items() for word in ("-o", "=".join(map(str, pair)))]
    run("apt-get", *options, "update")
    run("apt-get", *options, "download", "sluice-opencl-icd", cwd=place / "download")
    return next((place / "download").glob("*.deb"))


def fields(package):
    text = run("dpkg-deb", "-f", package)
    return dict(line.split(": ", 1) for line in text.splitlines() if re.match(r"[\w-]+: ", line))


def deb(place):
    if not all(map(shutil.which, ("dpkg-deb", "dpkg-shlibdeps", "apt-get"))):
        sys.exit(77)
    run(CPACK, "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", place / "made", cwd=place)
    packages = {fields(path)["Package"]: path for path in (place / "made").glob("*.deb")}
    expect(set(packages) >= {"sluice-opencl-icd", "sluice-report", "sluice-device-dev"}, f"packages: {sorted(packages)}")
    driver = fetched_by_apt(packages.values(), place)
    expect(driver.read_bytes() == packages["sluice-opencl-icd"].read_bytes(), "apt fetches what cpack has made")
    about, size = fields(driver), driver.stat().st_size
    expect(size <= MOST_DOWNLOAD, f"{size / 1e6:.1f} MB to download, {MOST_DOWNLOAD / 1e6:.0f} at most")
    expect(int(about["Installed-Size"]) * 1024 <= MOST_INSTALLED, f"it says {about['Installed-Size']} KiB installed")
    expect("libc6" in about["Depends"] and not re.search("llvm|clang|lld", about["Depends"]), f"needs {about['Depends']}")
    expect(about.get("Provides") == "opencl-icd", "provides opencl-icd")
    (place / "x").mkdir()
    for name, package in packages.items():
        run("dpkg-deb", "-x", package, place / "x" / name)
        has_licences((place / "x" / name / "usr/share/doc" / name / "copyright").read_text(encoding="utf-8"), LICENCES)
    root = place / "x/sluice-opencl-icd"
    library = (root / "etc/OpenCL/vendors/sluice.icd").read_text(encoding="utf-8").strip()
    expect((root / library.lstrip("/")).is_file(), f"the registered library is {library}")
    look_at(root / "usr")
    use(root / "usr", place)


def unpack(wheel, place):
    """As pip does: with the hashes of RECORD, and programs that may be run."""
    with zipfile.ZipFile(wheel) as archive:
        record = next(name for name in archive.namelist() if name.endswith("/RECORD"))
        rows = {row[0]: row[1] for row in csv.reader(archive.read(record).decode().splitlines())}
        right = set(rows) == set(archive.namelist())
        for entry in archive.infolist():
            data = archive.read(entry)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            right = right and rows[entry.filename] in ("", f"sha256={digest}")
            path = pathlib.Path(archive.extract(entry, place))
            path.chmod(entry.external_attr >> 16 & 0o777 or 0o644)
    expect(right, "RECORD has all files with their hashes")


def wheel(place):
    if not shutil.which("readelf"):
        sys.exit(77)
    run(SOURCE / "scripts/wheel", "--build", BUILD / "package_wheel", "--out", place)
    made = next(place.glob("*.whl"))
    tag = re.search(r"-py3-none-manylinux_2_(\d+)_x86_64\.whl$", made.name)
    expect(tag and int(tag[1]) <= 36, f"for Debian 12 and later, with nothing but the C library: {made.name}")
    size = made.stat().st_size
    expect(size <= MOST_DOWNLOAD, f"{size / 1e6:.1f} MB to download, {MOST_DOWNLOAD / 1e6:.0f} at most")
    moved = place / "it's moved"
    unpack(made, moved)
    look_at(moved / "sluice_opencl")
    for path in [*moved.glob("*.dist-info/LICENSE"), moved / "sluice_opencl/share/doc/sluice-opencl-icd/copyright"]:
        has_licences(path.read_text(encoding="utf-8"), {**LICENCES, **LICENCES_OF_RUNTIME})
    needed = run("readelf", "-dW", next(moved.rglob("sluice-compiler")))
    expect("libstdc++" not in needed, "the compiler has its own libstdc++")
    said = run("sh", "-euc", 'eval "$("$0" -B -m sluice_opencl)"; printf %s "$OCL_ICD_VENDORS"', sys.executable,
               env=environment(place, PYTHONPATH=str(moved)))
    expect(said == str(moved / "sluice_opencl/lib/libsluice.so"), "the module says where it is")
    use(moved / "sluice_opencl", place, environment(place, OCL_ICD_VENDORS=said, OCL_ICD_FILENAMES=said))


def main():
    with tempfile.TemporaryDirectory(prefix="sluice-package-") as name:
        place = pathlib.Path(name).resolve()
        place.chmod(0o755)
        {"tree": tree, "deb": deb, "wheel": wheel}[KIND](place)
    return 1 if failures else 0


sys.exit(main())
