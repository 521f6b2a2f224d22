/* SPDX-License-Identifier: Apache-2.0 */
/* opencl-c-base.h of the clang that this compiler was built with. Constant data, no locks. */
#include "base_header.h"

__asm__(".pushsection .rodata\n"
        "sl_base_header_text:\n"
        ".incbin \"" SL_OPENCL_BASE_HEADER "\"\n"
        ".byte 0\n"
        ".popsection\n");
extern const char sl_base_header_text[] __attribute__((visibility("hidden")));

const char *sl_opencl_base_header(void)
{
    return sl_base_header_text;
}
