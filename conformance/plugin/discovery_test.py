#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How device libraries are found, refused and let go.

discovery_test.py CASE PROGRAM LIBRARY ODD-DEVICE SUFFIX [EXIT-SHIM ADAPTER-TEST PIPE-TEST]

Lays out folders with copies of the odd device, whose names say what is wrong with them, runs the program and holds what
it prints, and what stands on stderr without any setting of the log, against what is right.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

CASE, PROGRAM, LIBRARY, ODD, SUFFIX, *EXTRA = sys.argv[1:]
VERSION = int("".join(filter(str.isdigit, SUFFIX)))

# What each fault is called on stderr.
FAULTS = {
    "no_name": 'device "": name is empty',
    "no_vendor": "vendor is empty",
    "no_word": 'short_name "a,b" is no word for SLUICE_DEVICES',
    "type_0": "type 0x0 is not one of CL_DEVICE_TYPE_*",
    "type_two": "type 0x12 is not one of CL_DEVICE_TYPE_*",
    "no_units": "compute_units is 0",
    "no_group": "max_work_group_size is 0",
    "no_sizes": "compute_units, max_work_group_size, global_mem_bytes are 0",
    "no_items": "max_work_item_sizes[2] is 0",
    "no_memory": "global_mem_bytes is 0",
    "alloc": "max_alloc_bytes is more than global_mem_bytes",
    "align": "mem_base_align_bits 1000 is no power of two of bytes",
    "no_local": "local_mem_bytes, max_constant_bytes, print_buffer_bytes, single_fp_config are 0",
    "fp64": "SL_FEATURE_FP64 without double_fp_config",
    "images": "SL_FEATURE_IMAGES without image2d_max",
    "no_target": "target is empty",
    "long_target": "target has 64 letters, 63 are possible",
    "cpu": 'cpu "skylak" is no processor that the compiler knows',
    "feature": 'cpu_features has "+avx521f", which the compiler does not know',
    "sign": 'cpu_features has "avx2", which the compiler does not know',
    "extension": '"cl nobody" cannot be the name of an extension',
    "kernel": '"two;three" cannot be the name of a built-in kernel',
    "other_abi": f"a device of it has another version of the interface than {VERSION}",
    "no_submit": "a device of it has no submit",
    "unheard_of": "it answers CL_OUT_OF_RESOURCES (-5) when it is asked for devices",
}


def fail(text):
    sys.exit(f"discovery_test {CASE}: {text}")


def lay(folder, *names):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copy(ODD, folder / (name if name.endswith(".so") else name + SUFFIX))
    return folder


def run(library=LIBRARY, *arguments, **variables):
    environment = {"PATH": os.environ["PATH"], "SLUICE_PLUGIN_CONFIG": "", **variables}
    done = subprocess.run([PROGRAM, library, *arguments], env=environment, capture_output=True, text=True, timeout=120,
                          check=False)
    if done.returncode or not done.stdout.endswith("unloaded\n"):
        fail(f"status {done.returncode}\n{done.stdout}{done.stderr}")
    lines = done.stdout.splitlines()
    return [line for line in lines if line.startswith("device Odd")], lines, done.stderr.splitlines()


def expect(what, got, wanted):
    if got != wanted:
        fail(f"{what}: {got}, not {wanted}")


def pi3(root):
    """By SLUICE_PLUGIN_PATH (folders and files), a list, and a folder beside the driver; each file once."""
    one, two = lay(root / "one", "sound"), lay(root / "two", "twin", "good_cpu")
    path = f"{one}:{two / ('twin' + SUFFIX)}"
    found, _, errors = run(SLUICE_PLUGIN_PATH=path)
    expect("by path", (len(found), errors), (2, []))
    listing = root / "devices.conf"
    listing.write_text(f"# devices\n\n  {two}  # both of them\n{one}/sound{SUFFIX}\n{one}\nrelative\n")
    found, _, errors = run(SLUICE_PLUGIN_PATH=path, SLUICE_PLUGIN_CONFIG=str(listing))
    expect("by path and list, twice", len(found), 3)
    if len(errors) != 1 or not errors[0].endswith("only names that begin with / mean something"):
        fail(f"relative name: {errors}")
    moved = root / "moved"
    moved.mkdir()
    shutil.copy(LIBRARY, moved / "libsluice.so")
    lay(moved / "sluice/devices", "sound")
    found, _, errors = run(str(moved / "libsluice.so"))
    expect("beside the driver", (len(found), errors), (1, []))
    found, _, errors = run(SLUICE_PLUGIN_PATH=str(root / "nowhere"))
    expect("nowhere", (len(found), len(errors)), (0, 1))
    if "nowhere: not used: No such file" not in errors[0]:
        fail(f"nowhere: {errors}")
    found, _, errors = run(SLUICE_PLUGIN_CONFIG=str(root / "nowhere"))
    expect("no list", (len(found), len(errors)), (0, 1))
    if "nowhere: not used: No such file" not in errors[0]:
        fail(f"no list: {errors}")
    if os.getuid():
        one.chmod(0)
        found, _, errors = run(SLUICE_PLUGIN_PATH=str(one))
        expect("unreadable", (len(found), len(errors)), (0, 1))
        one.chmod(0o755)


def pi4(root):
    """No device library is opened before somebody asks for the platform; questions start no thread."""
    folder = lay(root / "late", "sound")
    expect("no question", trace_of(folder, "sound", "nothing"), [])
    expect("questions", trace_of(folder, "sound"), ["load", "close", "unload"])
    _, lines, _ = run(SLUICE_PLUGIN_PATH=str(folder))
    expect("threads", [line for line in lines if line.startswith("threads")], ["threads 1"])


def pi5(root):
    """SLUICE_TRACE: 1 is discovery, 2 calls, -1 all, 0 nothing; into a file by SLUICE_TRACE_FILE."""
    folder = lay(root / "traced", "sound")
    path = f"{folder}/sound{SUFFIX}"
    traced = {}
    for mask in ("0", "1", "2", "3", "-1"):
        _, _, lines = run(SLUICE_PLUGIN_PATH=str(folder), SLUICE_TRACE=mask)
        traced[mask] = any(path in line for line in lines), any("clGetDeviceIDs" in line for line in lines)
    expect("library, calls", traced, {"0": (False, False), "1": (True, False), "2": (False, True),
                                      "3": (True, True), "-1": (True, True)})
    _, _, errors = run(SLUICE_PLUGIN_PATH=str(folder), SLUICE_TRACE="1", SLUICE_TRACE_FILE=str(root / "trace"))
    expect("with a file", (errors, path in (root / "trace").read_text()), ([], True))


def pi8(root):
    """SLUICE_DEVICES chooses devices, those of libraries too, and their order."""
    path = str(lay(root / "chosen", "sound"))
    for words, wanted in {"odd": ["Odd"], "cpu": ["CPU"], "cpu,odd": ["Odd", "CPU"], "fpga,cpu": ["FPGA", "CPU"],
                          "cpu,fpga": ["CPU", "FPGA"]}.items():
        _, lines, _ = run(SLUICE_PLUGIN_PATH=path, SLUICE_DEVICES=words)
        names = [line for line in lines if line.startswith("device ")]
        kinds = ["Odd" if "Odd" in name else "FPGA" if "FPGA" in name else "CPU" for name in names]
        expect(words, kinds, wanted)


def refuses(root):
    """Each fault is named once, whatever the log is set to, and the other devices are there."""
    for name, words in FAULTS.items():
        folder = lay(root / name, name, "sound")
        found, _, errors = run(SLUICE_PLUGIN_PATH=str(folder))
        expect(name, len(found), 1)
        if len(errors) != 1 or words not in errors[0] or f"{folder}/{name}{SUFFIX}: not used: " not in errors[0]:
            fail(f"{name}: {errors}")
    found, _, errors = run(SLUICE_PLUGIN_PATH=str(lay(root / "good", "good_cpu", "short_table")))
    expect("a processor with features, a table without its last row", (len(found), errors), (2, []))


def pi7(root):
    """Libraries of other versions are named and not opened; what is no library of devices is neither."""
    folder = lay(root / "versions", f"old.sluice{VERSION - 1}.so", f"new.sluice{VERSION + 1}.so", "plain.so")
    for name in folder.iterdir():
        (folder / (name.name + ".trace")).touch()
    found, _, errors = run(SLUICE_PLUGIN_PATH=str(folder))
    expect("devices of other versions", (len(found), len(errors)), (0, 2))
    for version, line in zip((VERSION + 1, VERSION - 1), errors):
        if f"made for version {version} of the device interface, this driver has {VERSION}" not in line:
            fail(f"version {version}: {line}")
    expect("opened", [p.name for p in folder.glob("*.trace") if p.read_text()], [])
    found, _, errors = run(SLUICE_PLUGIN_PATH=str(folder / "plain.so"))
    if found or len(errors) != 1 or f"the name of a device library ends in {SUFFIX}" not in errors[0]:
        fail(f"plain: {errors}")
    broken = root / f"broken{SUFFIX}"
    broken.write_bytes(b"\x7fELF")
    found, _, errors = run(SLUICE_PLUGIN_PATH=str(broken))
    if found or len(errors) != 1 or "file too short" not in errors[0]:
        fail(f"broken: {errors}")
    alien = root / f"alien{SUFFIX}"
    shutil.copy(PROGRAM + ".alien.so", alien)
    found, _, errors = run(SLUICE_PLUGIN_PATH=str(alien))
    if found or len(errors) != 1 or "it has no function sl_device_plugin" not in errors[0]:
        fail(f"alien: {errors}")


def trace_of(folder, name, *arguments, **variables):
    trace = folder / f"{name}{SUFFIX}.trace"
    trace.write_text("")
    run(LIBRARY, *arguments, SLUICE_PLUGIN_PATH=str(folder), **variables)
    return trace.read_text().split()


def pi10(root):
    """Tear-down: contexts stop devices, devices are closed before their library; who is not chosen goes at once."""
    folder = lay(root / "order", "sound", "twin", "cpu")
    expect("questions only", trace_of(folder, "sound"), ["load", "close", "unload"])
    expect("a context", trace_of(folder, "sound", "use")[:3], ["load", "start", "stop"])
    expect("not chosen", trace_of(folder, "twin", "use", SLUICE_DEVICES="odd"), ["load", "close", "unload"])
    expect("refused", trace_of(folder, "cpu", "use"), ["load", "close", "unload"])


def words_of(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout.split()


def pi11(root):
    """No object has a destructor: one function at the library's end, nothing left for that of threads and process."""
    sections = words_of("readelf", "-SW", LIBRARY)
    # Two pointers: the compiler's own, and the one of icd/entry.c.
    expect("functions at the end", int(sections[sections.index(".fini_array") + 4], 16), 16)
    imports = words_of("nm", "-D", "--undefined-only", LIBRARY)
    expect("what C++ has for threads", [name for name in imports if name.startswith(("__cxa_thread_atexit", "_Z"))], [])
    for program in ([PROGRAM, LIBRARY], [PROGRAM, LIBRARY, "use"], [EXTRA[1], "pi2_*"], [EXTRA[1], "pi14_*"]):
        for device in ("cpu", "fpga"):
            lay(root / "own", "sound")
            done = subprocess.run(program, capture_output=True, text=True, timeout=120, check=False, env={
                **os.environ, "LD_PRELOAD": EXTRA[0], "SLUICE_PLUGIN_PATH": str(root / "own"), "SLUICE_TEST_DEVICE": device})
            left = [line for line in done.stderr.splitlines() if line.startswith("LEFT")]
            expect(" ".join(program), (done.returncode, left), (0, []))
    # The shim sees such a thing: the profile that was asked for is written at the end.
    done = subprocess.run([EXTRA[2], "contents_stay"], capture_output=True, text=True, timeout=120, check=False, env={
        **os.environ, "LD_PRELOAD": EXTRA[0], "SLUICE_TEST_DEVICE": "fpga", "SLUICE_FPGA_PROFILE": str(root / "profile")})
    if "LEFT atexit" not in done.stderr:
        fail(f"the shim sees nothing: {done.stderr}")


def pi15(root):
    """Extensions of the device's own are in its list, and its functions are found by name."""
    folder = lay(root / "own", "sound")
    _, lines, _ = run(SLUICE_PLUGIN_PATH=str(folder), SLUICE_DEVICES="odd")
    expect("own", lines[1:4], ["device Odd device, own, no compiler", "extension cl_nobody_units 402000", "units 7, of nothing 0"])
    _, lines, _ = run(SLUICE_DEVICES="cpu")
    expect("without it", [line for line in lines if "units" in line], [])


def compiler(root):
    """A device that loads no code compiles none, and says so."""
    found, lines, _ = run(LIBRARY, "use", SLUICE_PLUGIN_PATH=str(lay(root / "plain", "sound")), SLUICE_DEVICES="odd")
    expect("asked", found, ["device Odd device, own, no compiler"])
    expect("built", [line for line in lines if line.startswith("build")], ["build -3"])


def pi16(root):
    """The version of the interface is a query of the platform, and the one in the file's name."""
    lay(root / "version", "sound")
    found, lines, _ = run(SLUICE_PLUGIN_PATH=str(root / "version"))
    expect("version", (len(found), lines[0]), (1, f"interface {VERSION}"))


def main():
    with tempfile.TemporaryDirectory(prefix="sluice-plugin-") as name:
        globals()[CASE](pathlib.Path(name))
    print(globals()[CASE].__doc__)


main()
