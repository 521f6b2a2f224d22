/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opencl-c-base.h of the clang that this compiler was built with, but for CLK_NULL_EVENT: clang
 * makes no code of what it stands for there. Constant data, no locks.
 */
#include "clang/base_header.h"

__asm__(".pushsection .rodata\n"
        "sl_base_header_text:\n"
        ".incbin \"" SL_OPENCL_BASE_HEADER "\"\n"
        ".ascii \"#if defined(__opencl_c_device_enqueue) && __OPENCL_C_VERSION__ >= 200\\n\"\n"
        ".ascii \"#undef CLK_NULL_EVENT\\n\"\n"
        ".ascii \"clk_event_t __attribute__((const)) __sl_null_event(void);\\n\"\n"
        ".ascii \"#define CLK_NULL_EVENT __sl_null_event()\\n\"\n"
        ".ascii \"#endif\\n\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char sl_base_header_text[] __attribute__((visibility("hidden")));

const char *sl_opencl_base_header(void)
{
    return sl_base_header_text;
}
