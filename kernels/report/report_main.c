/* SPDX-License-Identifier: Apache-2.0 */
/* sluice-report: a compiled module or a run's profile to a page. No locks. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "page.h"
#include "sluice/module.h"

static const char usage[] =
    "Usage: sluice-report profile.json -o run.html\n"
    "       sluice-report module.slb -o design.html\n"
    "\n"
    "Draws the kernels and pipes of a dataflow design as one self-contained page: from the "
    "profile\n"
    "of a run (SLUICE_FPGA_PROFILE=profile.json) with its flow, stalls and timeline, or from a\n"
    "module that sluicec has compiled.\n"
    "\n"
    "  -o FILE        where the page goes; - is standard output\n"
    "  --title=TEXT   heading of the page; default: what the input says\n"
    "  --help\n";

struct input {
    char *bytes; /* owned */
    size_t size;
    void *library; /* owned; of a module */
};

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "sluice-report: %s: %s\n", what, why);
    return -1;
}

static int read_input(struct input *input, const char *name)
{
    FILE *file = strcmp(name, "-") ? fopen(name, "rbe") : stdin;
    FILE *memory = open_memstream(&input->bytes, &input->size);
    char block[65536];
    int rc = file && memory ? 0 : -1;
    for (size_t got; !rc && (got = fread(block, 1, sizeof block, file)) > 0;)
        fwrite(block, 1, got, memory);
    if (rc || ferror(file))
        rc = complain(name, strerror(errno));
    if (file && file != stdin)
        fclose(file);
    if (memory && fclose(memory))
        rc = complain(name, strerror(ENOMEM));
    return rc;
}

/* The ELF object within a container, or NULL. */
static const char *payload_of(const struct input *input, size_t *bytes)
{
    struct sl_binary_header header;
    if (input->size < sizeof header || memcmp(input->bytes, SL_BINARY_MAGIC, 8))
        return NULL;
    memcpy(&header, input->bytes, sizeof header);
    if (header.header_bytes != sizeof header || header.total_bytes > input->size ||
        header.options_bytes > input->size || header.log_bytes > input->size)
        return NULL;
    uint64_t at = SL_BINARY_PAD(header.header_bytes);
    at = SL_BINARY_PAD(at + header.options_bytes);
    at = SL_BINARY_PAD(at + header.log_bytes);
    if (at > input->size || header.payload_bytes > input->size - at)
        return NULL;
    *bytes = (size_t)header.payload_bytes;
    return input->bytes + at;
}

static const struct sl_module_info *load(struct input *input, const char *elf, size_t bytes)
{
    char path[64];
    int fd = memfd_create("module", MFD_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (write(fd, elf, bytes) == (ssize_t)bytes) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        input->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    close(fd);
    const struct sl_module_info *info =
        input->library ? dlsym(input->library, SL_MODULE_SYMBOL) : NULL;
    return info && info->abi == SL_MODULE_ABI ? info : NULL;
}

static int read_module(struct sl_design *design, struct input *input, const char *name)
{
    size_t bytes;
    char why[256] = "";
    const char *elf = payload_of(input, &bytes);
    const struct sl_module_info *info = elf ? load(input, elf, bytes) : NULL;
    if (!info)
        return complain(name, "neither a profile nor an executable module of this version");
    if (sl_design_from_module(design, info, name, why, sizeof why))
        return complain(name, why);
    return 0;
}

static int read_design(struct sl_design *design, struct input *input, const char *name)
{
    char why[256] = "";
    if (input->size >= 8 && !memcmp(input->bytes, SL_BINARY_MAGIC, 8))
        return read_module(design, input, name);
    if (!input->size || input->bytes[0] != '{')
        return complain(name, "neither a profile nor a module");
    if (sl_design_from_json(design, input->bytes, input->size, why, sizeof why))
        return complain(name, why);
    return 0;
}

static int write_page(const struct sl_design *design, const char *name)
{
    FILE *out = strcmp(name, "-") ? fopen(name, "wbe") : stdout;
    if (!out)
        return complain(name, strerror(errno));
    int rc = sl_report_page(design, out) ? complain(name, "the graph could not be laid out") : 0;
    bool failed = ferror(out) != 0;
    failed |= out == stdout ? fflush(out) != 0 : fclose(out) != 0;
    return failed ? complain(name, "cannot be written") : rc;
}

static int run(const char *input_name, const char *output, const char *title)
{
    struct input input = {0};
    struct sl_design design = {0};
    int rc = read_input(&input, input_name);
    if (!rc)
        rc = read_design(&design, &input, input_name);
    if (!rc && (title || !design.title || !*design.title)) {
        free(design.title);
        design.title = strdup(title ? title : input_name);
    }
    if (!rc)
        rc = write_page(&design, output);
    sl_design_finish(&design);
    if (input.library)
        dlclose(input.library);
    free(input.bytes);
    return rc;
}

int main(int argc, char **argv)
{
    const char *input = NULL, *output = NULL, *title = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help"))
            return fputs(usage, stdout) < 0;
        if (!strcmp(argv[i], "-o") && i + 1 < argc)
            output = argv[++i];
        else if (!strncmp(argv[i], "--title=", 8))
            title = argv[i] + 8;
        else if ((argv[i][0] == '-' && argv[i][1]) || input)
            return complain(argv[i], "not understood; see sluice-report --help"), 1;
        else
            input = argv[i];
    }
    if (!input || !output)
        return complain(input ? "no output file" : "no input file", "see sluice-report --help"), 1;
    return run(input, output, title) ? 1 : 0;
}
