#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""turned_test.py SLUICEC: which stores to columns of a tile become stores of 16 bytes for each lane.

Values are lang_turned_tile's affair; this is about the code. Nothing is left to scatter where rows of a known shape lie
side by side, in a kernel as others write it too (a product of matrices, four columns at once); what the lanes' masks,
unknown shapes or elements of two bytes forbid stays as it is. Members of a record that are stored at once are not said to
be one of them (TBAA).
"""
import re
import subprocess
import sys
import tempfile

KERNELS = {
    "turned": (True, "int", "t[x * 17 + y] = a[l];"),
    "of_eight_rows": (True, "int", "t[x * 17 + y] = a[l];"),
    "of_six_rows": (False, "int", "t[x * 17 + y] = a[l];"),
    "of_longs": (True, "long", "t[x * 17 + y] = a[l];"),
    "backward": (False, "int", "t[x * 17 + 15 - y] = a[l];"),
    "under_condition": (False, "int", "if (a[l]) t[x * 17 + y] = a[l + 1];"),
    "apart": (False, "int", "t[x * 64 + y * 2] = a[l];"),
    "columns_of_a_product": (True, "int", "for (int i = 0; i < 4; i++) t[(l + i * 256) % 16 * 64 + (l + i * 256) / 16] = "
                                          "a[(l + i * 256) / 16 * n + (l + i * 256) % 16];"),
}


ROWS = {"of_eight_rows": 8, "of_six_rows": 6}


def source():
    return "".join(f"""
__attribute__((reqd_work_group_size(16, {ROWS.get(name, 16)}, 1)))
kernel void {name}(global const {kind} *a, global {kind} *o, int n)
{{
    local {kind} t[1024];
    int x = get_local_id(0), y = get_local_id(1), l = y * 16 + x;
    {text}
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_group_id(0) * 256 + l] = t[l];
}}
""" for name, (_, kind, text) in KERNELS.items()) + """
struct record { int a, b, c, d, e; };
__attribute__((reqd_work_group_size(16, 16, 1)))
kernel void members(global const int *a, global int *o, int n)
{
    int x = get_local_id(0), y = get_local_id(1), l = y * 16 + x, v = a[l];
    global struct record *r = (global struct record *)o + x * 16 + y;
    r->a = v, r->b = v + 1, r->c = v + 2, r->d = v + 3, r->e = n;
}
"""


def main():
    failures = 0
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as file:
        file.write(source())
        file.flush()
        for target in ("avx2", "avx512"):
            code = subprocess.run([sys.argv[1], f"--target={target}", "--emit=ll", "-o", "-", file.name],
                                  check=True, stdout=subprocess.PIPE, text=True, timeout=60).stdout
            for name, (turned, _, _) in KERNELS.items():
                body = re.search(r"(?ms)^define [^\n]*@%s\(.*?^}" % name, code).group(0)
                if bool(re.search(r"store <(4 x i32|2 x i64)>", body)) != turned or ("masked.scatter" in body and turned):
                    print(f"{target}: {name} is {'not ' if turned else ''}turned")
                    failures += 1
            for tag in re.findall(r"store <4 x i32>.*!tbaa (!\d+)", code):
                kind = re.search(rf"(?m)^{tag} = !{{(!\d+), (!\d+), i64 0}}$", code)
                if not kind or kind.group(1) != kind.group(2):
                    print(f"{target}: four members are said to be one")
                    failures += 1
    return failures != 0


sys.exit(main())
