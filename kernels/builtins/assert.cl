/* SPDX-License-Identifier: Apache-2.0 */
/* cl_intel_devicelib_assert: what a failed assert() of SYCL calls, by a name that is not mangled. */

void __devicelib_assert_fail(const generic char *text, const generic char *file, int line,
                             const generic char *function, ulong global_0, ulong global_1,
                             ulong global_2, ulong local_0, ulong local_1, ulong local_2)
{
    printf("%s:%d: %s: global id: [%lu,%lu,%lu], local id: [%lu,%lu,%lu] Assertion `%s` failed.\n",
           file, line, function, global_0, global_1, global_2, local_0, local_1, local_2, text);
    __builtin_trap();
}
