/* SPDX-License-Identifier: Apache-2.0 */
/* filtered NAME PROGRAM [ARGUMENT...]: runs the program under a filter of system calls (filter.h).
 */
#include "filter.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: filtered NAME PROGRAM [ARGUMENT...]\n");
        return 2;
    }
    if (!filter_install(argv[1])) {
        fprintf(stderr, "no filter %s here\n", argv[1]);
        return 77;
    }
    execv(argv[2], argv + 2);
    perror(argv[2]);
    return 1;
}
