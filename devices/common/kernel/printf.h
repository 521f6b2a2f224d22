/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printf of OpenCL C, section 6.15.14: a format and the packed arguments that compiled code
 * recorded (sl_runtime.print). A SL_PRINT_STRING argument is the 8-byte address of a NUL-terminated
 * text.
 */
#ifndef SL_DEVICES_PRINTF_H
#define SL_DEVICES_PRINTF_H

#include <stddef.h>
#include <stdint.h>

#include "sluice/base/linkage.h"

SL_BEGIN_C

struct sl_printed {
    char *at; /* owned once it is not `initial` */
    size_t length, capacity;
    char initial[512];
};
void sl_printed_init(struct sl_printed *);
void sl_printed_finish(struct sl_printed *);

/* Appends the formatted text. 0, or -1 for a bad format or record; what came before it stays. */
int sl_print_format(struct sl_printed *, const char *format, const void *record,
                    size_t record_bytes, uint32_t arg_count);

/* Formats and hands the text to stdout at once, so that it is seen even
 * if the kernel hangs next. */
int32_t sl_print(const char *format, const void *record, uint32_t record_bytes, uint32_t arg_count);

SL_END_C

#endif
