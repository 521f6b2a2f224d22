#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A set-uid program that uses the driver believes nothing of its user's environment.

privilege_test.py PROGRAM LIBRARY COMPILER BUILTINS-FOLDER NULL-DEVICE DEVICE

Installs the program for a user of its own with the set-uid bit, runs it as somebody else with every variable pointing
at places that the program could write to or load from, and finds that it works, that nothing was written or loaded, and
that its compiler process was told nothing. The same without the bit shows that the variables mean something. 77: only
root can do this, or the file system ignores the bit.
"""
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

OWNER, USER = 61001, 61002


def fail(text):
    sys.exit(f"privilege_test: {text}")


def install(folder, program, library, compiler, builtins, device):
    """The layout of an installation, where any user may read, with a device library beside the driver."""
    for name in ("bin", "lib/sluice/devices", "libexec/sluice"):
        (folder / name).mkdir(parents=True)
    shutil.copy(program, folder / "bin/program")
    shutil.copy(library, folder / "lib/libsluice.so")
    shutil.copy(compiler, folder / "libexec/sluice/sluice-compiler")
    shutil.copy(device, folder / "lib/sluice/devices/null.sluice7.so")
    for name in pathlib.Path(builtins).iterdir():
        if name.suffix in (".slb", ".a"):
            shutil.copy(name, folder / "lib/sluice" / name.name)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() or path.parent.name in ("bin", "sluice") else 0o644)


def hostile(folder, null_device):
    """Every variable with a value that shows, and the folder that it would show in."""
    open_folder = folder / "open"
    for name in ("", "cache", "library", "plugins", "listed"):
        (open_folder / name).mkdir(parents=True, exist_ok=True)
        (open_folder / name).chmod(0o777)
    shutil.copy(null_device, open_folder / "plugins/null.sluice7.so")
    shutil.copy(null_device, open_folder / "listed/null.sluice7.so")
    (open_folder / "listed/devices.conf").write_text(f"{open_folder}/listed/null.sluice7.so\n")
    (open_folder / "library/builtins.slb").write_bytes(b"not an archive")
    stolen = open_folder / "compiler"
    stolen.write_text(f"#!/bin/sh\ntouch {open_folder}/stolen\n")
    stolen.chmod(0o755)
    at = str(open_folder)
    variables = {
        "SLUICE_LOG": "debug", "SLUICE_LOG_FILE": f"{at}/log", "SLUICE_TRACE": "-1", "SLUICE_TRACE_FILE": f"{at}/trace",
        "SLUICE_TIMELINE": f"{at}/timeline", "SLUICE_DUMP": f"{at}/dump", "SLUICE_CACHE_DIR": f"{at}/cache",
        "XDG_CACHE_HOME": f"{at}/cache", "HOME": f"{at}/cache", "SLUICE_FPGA_PROFILE": f"{at}/profile",
        "SLUICE_PLUGIN_PATH": f"{at}/plugins", "SLUICE_PLUGIN_CONFIG": f"{at}/listed/devices.conf",
        "SLUICE_DEVICES": "null,cpu,fpga", "SLUICE_FPGA_DEVICES": "3",
        "HWLOC_XMLFILE": f"{at}/machine.xml", "TZ": "UTC-7", "SOURCE_DATE_EPOCH": "1", "PATH": at,
        "SLUICE_TEST_MARK": "mark",
    }
    alone = {"SLUICE_LIBRARY_DIR": f"{at}/library", "SLUICE_COMPILER": str(stolen), "SLUICE_CPU": "sse4.2"}
    return open_folder, variables, alone


def written(folder):
    kept = {"compiler", "builtins.slb", "null.sluice7.so", "devices.conf"}
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file() and p.name not in kept)


def compiler_environments(folder):
    """Of each process that runs the installed compiler, the variables it has."""
    for process in pathlib.Path("/proc").iterdir():
        try:
            if process.name.isdigit() and str((process / "exe").readlink()).startswith(f"{folder}/libexec/"):
                yield [row for row in (process / "environ").read_bytes().split(b"\0") if row]
        except OSError:
            continue


def run(folder, device, variables):
    """What it prints, and what its compiler processes know."""
    def become_user():
        os.setgroups([])
        os.setgid(USER)
        os.setuid(USER)

    with subprocess.Popen([folder / "bin/program", folder / "lib/libsluice.so", device], env=variables, text=True, cwd="/",
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          preexec_fn=become_user) as child:
        lines = []
        for line in child.stdout:
            lines.append(line.split())
            if line.startswith("done"):
                break
        known = list(compiler_environments(folder))
        _, errors = child.communicate("go\n", timeout=60)
    facts = {line[0]: line[1:] for line in lines}
    return child.returncode, facts, known, errors


def with_rights(folder, device, open_folder, variables):
    program = folder / "bin/program"
    os.chown(program, OWNER, OWNER)
    program.chmod(0o755 | stat.S_ISUID)
    status, facts, known, errors = run(folder, device, variables)
    if facts.get("secure") == ["0"]:
        print("set-uid bits mean nothing here")
        sys.exit(77)
    if status or "done" not in facts:
        fail(f"with rights: status {status}, {facts}\n{errors}")
    if written(open_folder):
        fail(f"with rights: written: {written(open_folder)}")
    if errors:
        fail(f"with rights: it says {errors}")
    if facts["devices"] != ["2"]:
        fail(f"with rights: {facts['devices']} devices")
    if facts["customs"] != ["0"]:
        fail(f"with rights: {facts['customs']} devices of libraries")
    if not known:
        fail("with rights: no compiler process was seen")
    if any(known):
        fail(f"with rights: the compiler process knows {known}")


def without_rights(folder, device, open_folder, variables, alone):
    """Each variable is honoured, the compiler process knows those of the list and no others."""
    (folder / "bin/program").chmod(0o755)
    status, facts, known, errors = run(folder, device, variables)
    if status or "done" not in facts:
        fail(f"without rights: status {status}, {facts}\n{errors}")
    if facts["customs"] != ["3"]:
        fail(f"without rights: {facts['customs']} devices: by path, by list, and beside the driver are 3")
    names = written(open_folder)
    for name in ("log", "trace", "timeline", "dump/"):
        if not any(n.startswith(name) for n in names):
            fail(f"without rights: {name} was not written; {names}")
    wanted = [b"SLUICE_TEST_MARK=mark", b"SOURCE_DATE_EPOCH=1", b"TZ=UTC-7"]
    if not known or any(sorted(rows) != wanted for rows in known):
        fail(f"without rights: the compiler process knows {known}")
    for name, value in alone.items():
        if name == "SLUICE_CPU":
            continue
        status, facts, known, errors = run(folder, device, {**variables, name: value})
        if not status:
            fail(f"without rights: {name} means nothing")


def main():
    program, library, compiler, builtins, null_device, device = sys.argv[1:7]
    if os.geteuid():
        print("only root can install a set-uid program")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="sluice-privilege-") as name:
        folder = pathlib.Path(name)
        install(folder, program, library, compiler, builtins, null_device)
        open_folder, variables, alone = hostile(folder, null_device)
        with_rights(folder, device, open_folder, {**variables, **alone})
        without_rights(folder, device, open_folder, variables, alone)
    print("nothing of the environment is believed")


main()
