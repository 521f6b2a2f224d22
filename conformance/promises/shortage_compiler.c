/* SPDX-License-Identifier: Apache-2.0 */
/* In place of the compiler, which gets nothing of LD_PRELOAD from the driver: becomes the compiler
 * with the library that makes requests fail. */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    (void)argc;
    if (setenv("LD_PRELOAD", SLUICE_TEST_SHIM, 1))
        return 1;
    execv(SLUICE_TEST_COMPILER, argv);
    return 1;
}
