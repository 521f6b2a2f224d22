#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""apt_repository_test.py SCRIPT: apt finds in a repository of scripts/apt_repository what was put there, and fetches it
whole. Exit status 77: there is no apt here.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile


def make_package(folder, name, version):
    control = folder / name / "DEBIAN" / "control"
    control.parent.mkdir(parents=True)
    control.write_text(f"Package: {name}\nVersion: {version}\nArchitecture: amd64\nMaintainer: nobody <n@example.org>\n"
                       f"Depends: libc6\nDescription: a package\n of a test\n", encoding="utf-8")
    (folder / name / "words").write_text(name * 100, encoding="utf-8")
    package = folder / f"{name}_{version}_amd64.deb"
    subprocess.run(["dpkg-deb", "-b", "--root-owner-group", folder / name, package], check=True, capture_output=True)
    return package


def main():
    if not all(map(shutil.which, ("apt-get", "apt-cache", "dpkg-deb"))):
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        packages = [make_package(folder, "one", "1.0"), make_package(folder, "two", "2.5-1")]
        line = subprocess.run([sys.argv[1], folder / "apt", *packages], check=True, capture_output=True, text=True).stdout
        (folder / "list").write_text(line, encoding="utf-8")
        for part in ("state/lists/partial", "cache/archives/partial"):
            (folder / part).mkdir(parents=True)
        (folder / "status").write_text("", encoding="utf-8")
        settings = {"Dir::Etc::sourcelist": folder / "list", "Dir::Etc::sourceparts": "-", "Dir::State": folder / "state",
                    "Dir::State::status": folder / "status", "Dir::Cache": folder / "cache", "APT::Architecture": "amd64",
                    "APT::Architectures": "amd64", "APT::Sandbox::User": ""}
        options = [word for pair in settings.items() for word in ("-o", "=".join(map(str, pair)))]
        done = subprocess.run(["apt-get", *options, "update"], capture_output=True, text=True, check=False)
        known = subprocess.run(["apt-cache", *options, "show", "one", "two"], capture_output=True, text=True, check=False)
        fetched = subprocess.run(["apt-get", *options, "download", "two"], cwd=folder / "cache", capture_output=True,
                                 text=True, check=False)
        copy = folder / "cache" / packages[1].name
        good = done.returncode == 0 and "W:" not in done.stderr and "Version: 2.5-1" in known.stdout and \
            fetched.returncode == 0 and copy.exists() and copy.read_bytes() == packages[1].read_bytes()
        if not good:
            print(done.stdout, done.stderr, known.stdout, known.stderr, fetched.stdout, fetched.stderr)
        return 0 if good else 1


sys.exit(main())
