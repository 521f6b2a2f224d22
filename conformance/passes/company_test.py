#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""company_test.py SLUICEC: a kernel's code is the same alone and among others.

The kernels need different passes of LLVM's: one keeps its own sums, one's rows go in step, one has no vector form.
"""
import re
import subprocess
import sys
import tempfile

SOURCE = """
kernel void counter(global int *c) { atomic_inc(c); }

kernel void copy(global const float *a, global float *o)
{
    size_t i = get_global_id(0);
    o[i] = a[i];
}

kernel void reduce(global const float *a, global float *o, local float *t)
{
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        o[get_group_id(0)] = t[0];
}

kernel void product(global const float *a, global const float *b, global float *c)
{
    int j = get_global_id(0), i = get_global_id(1);
    float s = 0;
    for (int k = 0; k < 512; k++)
        s += a[i * 512 + k] * b[k * 512 + j];
    c[i * 512 + j] = s;
}

kernel void prints(global const char *a, global char *o)
{
    char16 v = vload16(get_global_id(0), a);
    vstore16(v + v, 0, o + 16 * (int)a[get_global_id(0)]);
    printf("%d\\n", (int)v.s0);
}
"""


def code(compiler, text, name):
    """The kernel's code without the numbers that names and metadata have in the module."""
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as source:
        source.write(text)
        source.flush()
        ll = subprocess.run([compiler, "--target=avx2", "--emit=ll", "-o", "-", source.name],
                            check=True, stdout=subprocess.PIPE, text=True, timeout=60).stdout
    found = re.search(r"(?ms)^define [^\n]*@%s\(.*?^}" % name, ll)
    if not found:
        sys.exit("there is no code of %s" % name)
    return re.sub(r"[!#@]\S*\d+\b", "N", found[0])


def main():
    failed = 0
    for kernel in re.split(r"(?m)^(?=kernel )", SOURCE)[1:]:
        name = re.search(r"void (\w+)", kernel)[1]
        alone, among = (code(sys.argv[1], text, name) for text in (kernel, SOURCE))
        if alone != among:
            print("%s: %d lines of code alone, other %d among others" %
                  (name, alone.count("\n"), among.count("\n")))
            failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
