#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_calls_test.py CC: scripts/check_calls.py on objects made up for it: it finds calls and uses of data
against the order of folders, and nothing else."""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
SCRIPT = os.path.join(ROOT, "scripts/check_calls.py")
LOW, HIGH = "devices/fpga/base/made_up.c", "devices/fpga/stall/made_up.c"
COMPILER = "cc"


class CheckCalls(unittest.TestCase):
    def run_on(self, sources, stale=(), together=()):
        """Exit status and what is said of a build of these sources; those of `stale` are gone since. `together`:
        files of the tree that count as one source with what calls sl_made_high()."""
        with tempfile.TemporaryDirectory() as build:
            if together:
                unity = os.path.join(build, "devices/CMakeFiles/library.dir/Unity/unity_0.c")
                os.makedirs(os.path.dirname(unity))
                code = "int sl_made_high(void); int sl_made_one(void) { return sl_made_high(); }"
                subprocess.run([COMPILER, "-x", "c", "-c", "-", "-o", unity + ".o"], input=code, text=True, check=True)
                with open(unity, "w", encoding="utf-8") as file:
                    file.writelines(f'#include "{os.path.join(ROOT, path)}"\n' for path in together)
            for path, text in sources.items():
                top, _, rest = path.partition("/")
                source = os.path.join(build, path)
                object_file = os.path.join(build, top, "CMakeFiles/library.dir", rest + ".o")
                for file in (source, object_file):
                    os.makedirs(os.path.dirname(file), exist_ok=True)
                with open(source, "w", encoding="utf-8") as file:
                    file.write(text)
                subprocess.run([COMPILER, "-c", source, "-o", object_file], check=True)
                if path in stale:
                    os.remove(source)
            result = subprocess.run([sys.executable, "-B", SCRIPT, build], capture_output=True, text=True, check=False)
            return result.returncode, result.stderr.splitlines()

    def test_downward(self):
        found = self.run_on({LOW: "int sl_made_low(void) { return 1; }",
                             HIGH: "int sl_made_low(void); int sl_made_high(void) { return sl_made_low(); }"})
        self.assertEqual(found, (0, []))

    def test_upward_call(self):
        found = self.run_on({LOW: "int sl_made_high(void); int sl_made_low(void) { return sl_made_high(); }",
                             HIGH: "int sl_made_high(void) { return 1; }"})
        self.assertEqual(found, (1, [f"{LOW}: calls sl_made_high of {HIGH}"]))

    def test_upward_address_and_data(self):
        found = self.run_on({LOW: "int sl_made_high(void); extern int sl_made_data;"
                                  "int (*sl_made_pointer)(void) = sl_made_high; int *sl_made_place = &sl_made_data;",
                             HIGH: "int sl_made_data = 1; int sl_made_high(void) { return 1; }"})
        self.assertEqual(found, (1, [f"{LOW}: calls sl_made_data of {HIGH}", f"{LOW}: calls sl_made_high of {HIGH}"]))

    def test_between_components(self):
        found = self.run_on({"driver/memory/made_up.c": "int sl_made_of_device(void); int sl_made_pipe(void);"
                                                        "int sl_made_low(void) { return sl_made_of_device(); }",
                             "driver/pipes/made_up.c": "int sl_made_low(void);"
                                                       "int sl_made_pipe(void) { return sl_made_low(); }",
                             "devices/cpu/made_up.c": "int sl_made_of_device(void) { return 1; }"})
        self.assertEqual(found, (1, ["driver/memory/made_up.c: calls sl_made_of_device of devices/cpu/made_up.c"]))

    def test_interface(self):
        """What a header in include/ declares may be defined anywhere, and statics are nobody else's business."""
        found = self.run_on({"driver/platform/made_up.c": "int sl_builtin_devices(void);"
                                                          "int sl_made_low(void) { return sl_builtin_devices(); }",
                             "devices/made_up.c": "int sl_builtin_devices(void) { return 1; }"
                                                  "static int sl_made_low(void) { return 1; }"
                                                  "int sl_made_high(void) { return sl_made_low(); }"})
        self.assertEqual(found, (0, []))

    def test_stale_object(self):
        found = self.run_on({LOW: "int sl_made_high(void); int sl_made_low(void) { return sl_made_high(); }",
                             HIGH: "int sl_made_high(void) { return 1; }",
                             "devices/cpu/made_up.c": "int puts(const char *); int sl_made_other(void) { return puts(\"\"); }"},
                            stale=(LOW,))
        self.assertEqual(found, (0, []))

    def test_together(self):
        high = {HIGH: "int sl_made_high(void) { return 1; }"}
        low = ("devices/fpga/base/stack.c", "devices/fpga/base/shadow.c")
        self.assertEqual(self.run_on(high, together=low), (1, [f"{', '.join(low)}: calls sl_made_high of {HIGH}"]))
        self.assertEqual(self.run_on(high, together=("devices/fpga/stall/stall.c",)), (0, []))

    def test_nothing(self):
        self.assertEqual(self.run_on({}), (77, []))


if __name__ == "__main__":
    COMPILER = sys.argv.pop(1) if len(sys.argv) > 1 else COMPILER
    unittest.main()
