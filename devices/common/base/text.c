/* SPDX-License-Identifier: Apache-2.0 */
/* See text.h. */
#include "common/base/text.h"

#include <stdlib.h>

#include "common/base/values.h"

int sl_text_close(FILE *out, char **text)
{
    int failed = ferror(out);
    failed |= fclose(out);
    if (!failed && *text)
        return 0;
    free(*text);
    *text = NULL;
    return SL_OUT_OF_HOST_MEMORY;
}
