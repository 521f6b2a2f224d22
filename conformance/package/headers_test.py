#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""headers_test.py BUILD-FOLDER CMAKE C-COMPILER...: every header of an installed tree, each alone in a file, in C17
and C++17 without any extension of a compiler's; and what the library for devices has is the same from C and from C++.
The C++ compilers are those beside the C compilers. Exit status 77: pkg-config is missing.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BUILD, CMAKE, COMPILERS = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
STRICT = ["-pedantic-errors", "-Wall", "-Wextra", "-Werror"]
# Structs with members that C and C++ write differently.
SHARED = {"sl_job": "common/runtime/job.h", "sl_work_queue": "common/runtime/scheduler.h",
          "sl_sched": "common/runtime/scheduler.h", "sl_code": "common/runtime/code.h",
          "sl_hosted": "common/runtime/hosted.h", "sl_hasher": "sluice/base/hash.h", "sl_pipe_ring": "sluice/pipe.h",
          "sl_device": "sluice/device.h"}


def run(command, text=None):
    return subprocess.run(list(map(str, command)), input=text, capture_output=True, text=True, check=False)


def cxx_of(compiler):
    """gcc-12 to g++-12, clang-22 to clang++-22 or clang++, cc to c++."""
    folder, name = os.path.split(compiler)
    name = re.sub(r"gcc(?=-[\d.]+$|$)", "g++", name) if "gcc" in name else re.sub(r"^(.*clang|cc)", r"\1++", name)
    name = "c++" if name == "cc++" else name
    if not shutil.which(os.path.join(folder, name)):
        name = re.sub(r"-[\d.]+$", "", name)
    return os.path.join(folder, name)


def install(place):
    """Everything, in a place that it was not made for."""
    for component in ("Unspecified", "device", "aoc"):
        done = subprocess.run([CMAKE, "--install", BUILD, "--component", component, "--prefix", place / "first"],
                              env={**os.environ, "DESTDIR": ""}, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
    (place / "first").rename(place / "moved")
    return place / "moved"


def headers(prefix):
    """(what it is included as, its folder for -I)."""
    for path in sorted((prefix / "include").rglob("*")):
        if path.suffix in (".h", ".hpp"):
            top = next(one for one in path.parents if one.name in ("include", "sluice-device"))
            yield path.relative_to(top).as_posix(), top


def jobs(prefix, flags):
    for name, top in headers(prefix):
        text = f"#include <{name}>\nextern int nothing_else;\n"
        for compiler in COMPILERS:
            languages = [(cxx_of(compiler), "c++", "c++17")]
            if name.endswith(".h"):
                languages += [(compiler, "c", "c17")]
            for program, language, standard in languages:
                yield [program, "-x", language, f"-std={standard}", *STRICT, f"-I{top}", *flags, "-fsyntax-only", "-"], text


def compile_alone(job):
    done = run(*job)
    return f"{job[0][0]} {job[0][3]}: {job[1].splitlines()[0]}\n{done.stderr}" if done.returncode else ""


def declared_functions(prefix, library):
    """What the library defines and a header of the devices' declares."""
    texts = {name: (top / name).read_text(encoding="utf-8") for name, top in headers(prefix) if name.endswith(".h") and
             name.startswith(("common/", "sluice/base/"))}
    defined = set(re.findall(r" T (sl_\w+)$", run(["nm", "--defined-only", library]).stdout, re.M))
    found = {function: name for name, text in texts.items() for function in re.findall(r"\b(sl_\w+)\(", text)}
    return {function: name for function, name in found.items() if function in defined}


def layout_source(language):
    """A table of the sizes and alignments of what both languages see."""
    includes = "".join(f"#include <{header}>\n" for header in sorted(set(SHARED.values())))
    word = "alignof" if language == "cxx" else "_Alignof"
    rows = "".join(f"sizeof(struct {name}), {word}(struct {name}), " for name in SHARED)
    return f"{includes}#include <stddef.h>\n", f"sizes_{language}[] = {{{rows}}};\n"


def same_from_both(prefix, flags, libraries, place):
    """A program of C and C++ that refers to every function, and compares the layouts."""
    library = next(prefix.rglob("libsluice-device*.a"))
    functions = declared_functions(prefix, library)
    if len(functions) < 60:
        return [f"only {len(functions)} functions of the library are declared"]
    includes, table = layout_source("c")
    (place / "c.c").write_text(f"{includes}extern const size_t sizes_c[];\nconst size_t {table}", encoding="utf-8")
    includes, table = layout_source("cxx")
    includes += "".join(f"#include <{name}>\n" for name in sorted(set(functions.values())))
    pointers = "".join(f"reinterpret_cast<any>(&{function}), " for function in sorted(functions))
    (place / "cxx.cpp").write_text(
        f"{includes}extern \"C\" const size_t sizes_c[];\nstatic const size_t {table}using any = void (*)();\n"
        f"any volatile all[] = {{{pointers}}};\nint main()\n{{\n    for (size_t i = 0; i < sizeof sizes_cxx / "
        f"sizeof *sizes_cxx; i++)\n        if (sizes_c[i] != sizes_cxx[i])\n            return int(i) + 1;\n"
        f"    return all[0] == nullptr ? 100 : 0;\n}}\n", encoding="utf-8")
    bad = []
    for compiler in COMPILERS:
        c = run([compiler, "-std=c11", *flags, "-c", place / "c.c", "-o", place / "c.o"])
        cxx = run([cxx_of(compiler), "-std=c++17", *flags, place / "cxx.cpp", place / "c.o", *libraries, "-o", place / "both"])
        ran = run([place / "both"]) if c.returncode == cxx.returncode == 0 else None
        if ran is None or ran.returncode:
            bad.append(f"{compiler}: {c.stderr}{cxx.stderr[-3000:]}" + (f"layout {ran.returncode}" if ran else ""))
    print(f"{len(functions)} functions called from C++")
    return bad


def main():
    if not shutil.which("pkg-config"):
        return 77
    with tempfile.TemporaryDirectory(prefix="sluice-headers-") as name:
        place = pathlib.Path(name)
        prefix = install(place)
        os.environ["PKG_CONFIG_PATH"] = str(next(prefix.rglob("sluice-device.pc")).parent)
        flags = run(["pkg-config", "--cflags", "sluice-device", "sluice", "sluice-binding"]).stdout.split()
        libraries = run(["pkg-config", "--libs", "sluice-device"]).stdout.split()
        todo = list(jobs(prefix, flags))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            bad = [text for text in threads.map(compile_alone, todo) if text]
        bad += same_from_both(prefix, flags, libraries, place)
    print("\n".join(bad) or f"{len(todo)} compilations")
    return 1 if bad or len(todo) < 100 else 0


sys.exit(main())
