/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. */
#include "fpga/stream/io_error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const char *sl_io_error_text(int error, char *text, size_t bytes)
{
    static const struct {
        int error;
        const char *name;
    } names[] = {{ENOSPC, "ENOSPC"},
                 {EDQUOT, "EDQUOT"},
                 {EFBIG, "EFBIG"},
                 {EIO, "EIO"},
                 {EACCES, "EACCES"},
                 {EPERM, "EPERM"},
                 {EROFS, "EROFS"},
                 {ENOENT, "ENOENT"},
                 {EISDIR, "EISDIR"},
                 {EPIPE, "EPIPE"},
                 {ECONNREFUSED, "ECONNREFUSED"},
                 {ECONNRESET, "ECONNRESET"},
                 {EADDRINUSE, "EADDRINUSE"}};
    const char *name = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !name; i++)
        name = names[i].error == error ? names[i].name : NULL;
    if (error == SL_IO_UNKNOWN_NAME)
        snprintf(text, bytes, "no host or service of this name is known");
    else if (error == SL_IO_NO_ANSWER)
        snprintf(text, bytes, "whoever knows the host's name has not answered yet");
    else if (error == SL_IO_NO_ENGINE)
        snprintf(text, bytes, "there is nothing that would move them");
    else if (error == SL_IO_NO_RING)
        snprintf(text, bytes, "the ring in shared memory cannot be joined");
    else
        snprintf(text, bytes, "%s%s%s%s", strerror(error), name ? " (" : "", name ? name : "",
                 name ? ")" : "");
    return text;
}
