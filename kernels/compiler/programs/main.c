/* SPDX-License-Identifier: Apache-2.0 */
/* Begins the program that argv[0] names: sluicec, else what the driver starts. */
#include <string.h>

#include "compiler/programs/programs.h"

int main(int argc, char **argv)
{
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;
    const char *name = slash ? slash + 1 : argc ? argv[0] : "";
    return !strcmp(name, SL_OFFLINE_NAME) ? sl_offline_main(argc, argv)
                                          : sl_server_main(argc, argv);
}
