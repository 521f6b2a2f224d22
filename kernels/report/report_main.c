/* SPDX-License-Identifier: Apache-2.0 */
/* sluice-report: a compiled module or a run's profile to a page. No locks. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/cycles_text.h"
#include "report/depths_text.h"
#include "report/input/demangle.h"
#include "report/input/events.h"
#include "report/page/page.h"
#include "sluice/base/environment.h"
#include "sluice/base/file.h"
#include "sluice/base/near_name.h"
#include "sluice/module.h"

static const char usage[] =
    "Usage: sluice-report profile.json -o run.html\n"
    "       sluice-report module.slb -o design.html\n"
    "       sluice-report --depths profile.json\n"
    "       sluice-report --cycles profile.json\n"
    "       sluice-report --vcd profile.json [-o run.vcd]\n"
    "       sluice-report --perfetto profile.json [-o run.trace.json]\n"
    "\n"
    "Draws the kernels and pipes of a dataflow design as one self-contained page: from the "
    "profile\n"
    "of a run (SLUICE_FPGA_PROFILE=profile.json) with its flow, stalls and timeline, or from a\n"
    "module that sluicec has compiled.\n"
    "\n"
    "  -o FILE        where it goes; - is standard output, as it is without -o of all but pages\n"
    "  --depths       the least depths of pipes, from a run with SLUICE_FPGA_TRACE=1, as text\n"
    "  --cycles       the cycles of a run of programs built with -sluice-timing, as text\n"
    "  --vcd          that run as a waveform, with SLUICE_FPGA_TRACE=1: kernels and pipes by "
    "cycle\n"
    "  --perfetto     the same as a trace for ui.perfetto.dev\n"
    "  --title=TEXT   heading of the page; default: what the input says\n"
    "  --said=TEXT    a line of the build's log that the page begins with; may be repeated\n"
    "  --help, --version\n";

static const char said[] = "--said=";

struct input {
    char *bytes; /* owned */
    size_t size;
};

enum { GRAPH_SECONDS = 60 };

static int complain(const char *what, const char *why)
{
    fprintf(stderr, "sluice-report: %s: %s\n", what, why);
    return -1;
}

/* Room for a whole file at once, and the NUL behind it; of what has no size as it comes. */
static bool has_room(struct input *input, size_t *room)
{
    if (input->bytes && input->size + 1 < *room)
        return true;
    const size_t more = 2 * *room;
    char *bytes = realloc(input->bytes, more);
    if (!bytes)
        return false;
    input->bytes = bytes;
    *room = more;
    return true;
}

static int read_input(struct input *input, const char *name)
{
    FILE *file = strcmp(name, "-") ? fopen(name, "rbe") : stdin;
    struct stat status;
    if (!file)
        return complain(name, strerror(errno));
    size_t room = 32768;
    if (!fstat(fileno(file), &status) && S_ISREG(status.st_mode) && status.st_size > 0)
        room = (size_t)status.st_size / 2 + 1;
    int rc = 0;
    while (!rc && !feof(file)) {
        if (!has_room(input, &room))
            rc = complain(name, strerror(ENOMEM));
        else
            input->size += fread(input->bytes + input->size, 1, room - 1 - input->size, file);
        if (!rc && ferror(file))
            rc = complain(name, strerror(errno));
    }
    if (!rc)
        input->bytes[input->size] = '\0';
    if (file != stdin)
        fclose(file);
    return rc;
}

/* Of a profile; a module's tables are read first. */
static int read_readable(struct input *input, const char *name)
{
    if (read_input(input, name))
        return -1;
    if (!input->size || *input->bytes != '{')
        return 0;
    size_t bytes;
    char *text = sl_readable_names(__cxa_demangle, input->bytes, input->size, &bytes);
    if (!text)
        return complain(name, strerror(ENOMEM));
    free(input->bytes);
    *input = (struct input){text, bytes};
    return 0;
}

static int write_page(const struct sl_report_design *design, const char *name)
{
    const char *why;
    FILE *out = strcmp(name, "-") ? sl_output_stream(name, &why) : stdout;
    if (!out)
        return complain(name, why);
    if (sl_report_page(design, out, GRAPH_SECONDS))
        complain(name, "without the graph, which Graphviz could not lay out in time");
    bool failed = ferror(out) != 0;
    failed |= out == stdout ? fflush(out) != 0 : fclose(out) != 0;
    return failed ? complain(name, "cannot be written") : 0;
}

/* What would be lost is not written over. */
static int check_output(const char *input, const char *output)
{
    struct stat in, out;
    if (!strcmp(output, "-"))
        return 0;
    if (sl_names_source(output))
        return complain(output, "that is a source; behind -o stands the file to be written");
    bool same = !stat(input, &in) && !stat(output, &out) && in.st_dev == out.st_dev &&
                in.st_ino == out.st_ino && S_ISREG(in.st_mode);
    return same ? complain(output, "that is the file to be read; behind -o stands another one") : 0;
}

/* Of what the reader does not understand. */
static int refuse_input(const char *name, const char *why)
{
    return complain(name, sl_names_source(name)
                              ? "that is a source: a profile of a run is wanted, or a program "
                                "that sluicec has made"
                              : why);
}

static bool is_program(const struct input *input)
{
    return input->size >= sizeof SL_BINARY_MAGIC - 1 &&
           !memcmp(input->bytes, SL_BINARY_MAGIC, sizeof SL_BINARY_MAGIC - 1);
}

typedef int (*print_fn)(FILE *, const char *profile, size_t bytes, char *why, size_t size);

/* Opened last: nothing is written when there is nothing to say. */
static int write_text(print_fn print, const char *input_name, const char *output)
{
    struct input input = {0};
    char why[256] = "", *text = NULL;
    size_t bytes;
    FILE *memory = open_memstream(&text, &bytes), *out = NULL;
    /* depths are set by the names that the linker has */
    int rc = print == sl_depths_print ? read_input(&input, input_name)
                                      : read_readable(&input, input_name);
    if (!rc && (!memory || print(memory, input.bytes, input.size, why, sizeof why)))
        rc = !memory ? complain(input_name, strerror(ENOMEM))
             : is_program(&input)
                 ? complain(input_name, "that is a program: the profile of a run is wanted, which "
                                        "SLUICE_FPGA_PROFILE=FILE writes")
                 : refuse_input(input_name, why);
    if (memory && fclose(memory) && !rc)
        rc = complain(input_name, strerror(ENOMEM));
    const char *reason = "cannot be written";
    if (!rc)
        out = strcmp(output, "-") ? sl_output_stream(output, &reason) : stdout;
    bool bad = !rc && (!out || fputs(text, out) < 0);
    if (out)
        bad |= out == stdout ? fflush(out) != 0 : fclose(out) != 0;
    free(text);
    free(input.bytes);
    return bad ? complain(output, reason) : rc;
}

/* `args` are the program's. */
static int run(const char *input_name, const char *output, const char *title, char **args)
{
    struct input input = {0};
    struct sl_report_design design = {0};
    char why[256] = "";
    int rc = read_readable(&input, input_name);
    if (!rc)
        rc = sl_design_read(&design, input.bytes, input.size, input_name, why, sizeof why)
                 ? refuse_input(input_name, why)
                 : 0;
    if (!rc && (title || !design.title || !*design.title)) {
        free(design.title);
        design.title = sl_design_copy(&design, title ? title : input_name);
        rc = sl_design_whole(&design, why, sizeof why) ? complain(input_name, why) : 0;
    }
    for (char **arg = args; !rc && *arg; arg++)
        if (!strncmp(*arg, said, sizeof said - 1))
            sl_design_say(&design, *arg + sizeof said - 1);
    if (!rc)
        rc = write_page(&design, output);
    sl_design_finish(&design);
    free(input.bytes);
    return rc;
}

static const struct {
    const char *option;
    print_fn print;
} forms[] = {{"--depths", sl_depths_print},
             {"--cycles", sl_cycles_print},
             {"--vcd", sl_vcd_print},
             {"--perfetto", sl_perfetto_print}};

/* NULL: the option names none. */
static print_fn form_of(const char *option)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(option, forms[i].option))
            return forms[i].print;
    return NULL;
}

static int complain_argument(const char *arg, const char *input)
{
    char why[128];
    if (arg[0] != '-') {
        snprintf(why, sizeof why, "one input file only, and %.80s is another", input);
        return complain(arg, why), 1;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (sl_near_name(arg, strlen(arg), forms[i].option) <= SL_NEAR_NAME_SLIPS) {
            snprintf(why, sizeof why, "not understood: did you mean %s?", forms[i].option);
            return complain(arg, why), 1;
        }
    return complain(arg, "not understood; see sluice-report --help"), 1;
}

int main(int argc, char **argv)
{
    const char *input = NULL, *output = NULL, *title = NULL;
    print_fn print = NULL;
    sl_environment_clean(); /* Graphviz loads what variables name */
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return fputs(usage, stdout) < 0;
        if (!strcmp(argv[i], "--version"))
            return puts("sluice-report " SLUICE_VERSION) < 0;
        const print_fn form = form_of(argv[i]);
        if (form && print && form != print)
            return complain(argv[i], "there is another form already"), 1;
        print = form ? form : print;
        if (form)
            continue;
        if (!strcmp(argv[i], "-o") && i + 1 == argc)
            return complain("-o", "needs the name of a file, or -"), 1;
        if (!strcmp(argv[i], "-o"))
            output = argv[++i];
        else if (!strncmp(argv[i], "--title=", 8))
            title = argv[i] + 8;
        else if (!strncmp(argv[i], said, sizeof said - 1))
            continue;
        else if ((argv[i][0] == '-' && argv[i][1]) || input)
            return complain_argument(argv[i], input);
        else
            input = argv[i];
    }
    if (print && !output)
        output = "-";
    if (!input)
        return complain("no input file", "see sluice-report --help"), 1;
    if (!output && access(input, R_OK))
        return complain(input, strerror(errno)), 1;
    if (!output)
        return complain(input, "where to? -o PAGE.html, or -o - for standard output"), 1;
    if (check_output(input, output))
        return 1;
    return (print ? write_text(print, input, output) : run(input, output, title, argv + 1)) ? 1 : 0;
}
