/* SPDX-License-Identifier: Apache-2.0 */
/* spirv_assemble: a text for spirv_text.h on standard input, the module of version 1.1 on standard
 * output. */
#include <stdio.h>
#include <stdlib.h>

#include "spirv_text.h"

int main(void)
{
    char *text = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes);
    if (!memory)
        return 1;
    for (int c; (c = getchar()) != EOF;)
        putc(c, memory);
    if (fclose(memory))
        return 1;
    struct spirv_module module = spirv_assemble(text, 0x10100);
    const size_t written = fwrite(module.words, sizeof *module.words, module.count, stdout);
    const int failed = written != module.count || fflush(stdout);
    spirv_module_finish(&module);
    free(text);
    return failed;
}
