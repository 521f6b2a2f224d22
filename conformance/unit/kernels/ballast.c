/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into a compiler process: memory as of a huge program, which nobody can give back. */
#include <stdlib.h>
#include <string.h>

enum { BALLAST_MB = 600 };
static void *volatile ballast;

__attribute__((constructor)) static void load(void)
{
    ballast = malloc((size_t)BALLAST_MB << 20);
    if (ballast)
        memset(ballast, 1, (size_t)BALLAST_MB << 20);
}
