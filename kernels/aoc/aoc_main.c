/* SPDX-License-Identifier: Apache-2.0 */
/*
 * aoc: the name and the flags by which makefiles of FPGA designs call their compiler, in front of
 * sluicec. What it writes is a program binary for the emulated FPGA. One thread.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aoc/command.h"
#include "aoc/run.h"
#include "sluice/base/environment.h"

static const char usage[] =
    "Usage: aoc [flags] design.cl... [object.aoco...] [-o design.aocx]\n"
    "\n"
    "Compiles OpenCL C for the emulated FPGA, with the flags of Intel's aoc (series 17 to 21).\n"
    "\n"
    "  -o FILE      the result, with the ending below if it has none; default: the last source's\n"
    "               name, or the first object's, in the current folder\n"
    "  -c           an object (.aoco) of each source;  -rtl: linked (.aocr);  else .aocx\n"
    "  -report      a page about the design: NAME/reports/report.html\n"
    "  -I -D -W -Werror -g, -fp-relaxed, -fpc, -cl-...      as for any OpenCL compiler\n"
    "  -L FOLDER -l LIBRARY                                 libraries (.aoclib)\n"
    "  -emulator-channel-depth-model=strict|default|ignore-depth (or ignoredepth)\n"
    "  -sluice-timing                                       with the schedule of its loops and\n"
    "               operations, for the report and for the clock of runs (docs/timing.md)\n"
    "  -v, -help, -version\n"
    "\n"
    "Flags for boards and synthesis are accepted, and named on a line of their own.\n";

struct job {
    struct sl_aoc_command command;
    char compiler[PATH_MAX]; /* sluicec */
    char folder[PATH_MAX];   /* for objects in between; empty: none was made */
    struct sl_aoc_list made; /* files there */
    char output[PATH_MAX];   /* the name given with -o, when an ending had to be added */
};

static const char suffixes[][6] = {".aocx", ".aoco", ".aocr"}; /* as enum sl_aoc_result */

static void say_dropped(const struct sl_aoc_list *dropped)
{
    if (!dropped->count)
        return;
    fputs("aoc: without meaning for an emulation:", stderr);
    for (size_t i = 0; i < dropped->count; i++)
        fprintf(stderr, " %s", dropped->items[i]);
    fputs("\n", stderr);
}

/* The input's name without folder and ending, with another one. */
static int name_after(const char *input, const char *suffix, char *out)
{
    const char *slash = strrchr(input, '/'), *name = slash ? slash + 1 : input;
    const char *dot = strrchr(name, '.');
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    return snprintf(out, PATH_MAX, "%.*s%s", length, name, suffix) < PATH_MAX
               ? 0
               : sl_aoc_complain("%s: name too long", input);
}

/* A result that was named without an ending gets the vendor's: hosts look for it there. */
static int complete_output(struct job *job)
{
    struct sl_aoc_command *command = &job->command;
    const char *given = command->output, *slash = given ? strrchr(given, '/') : NULL;
    if (!given || strchr(slash ? slash : given, '.'))
        return 0;
    const char *suffix = suffixes[command->result];
    command->output = job->output;
    return snprintf(job->output, sizeof job->output, "%s%s", given, suffix) <
                   (int)sizeof job->output
               ? 0
               : sl_aoc_complain("%s: name too long", given);
}

static int run_compiler(struct job *job, struct sl_aoc_list *argv)
{
    int rc = argv->failed ? -1 : sl_aoc_run(job->compiler, argv->items, job->command.verbose);
    if (rc < 0)
        sl_aoc_complain("%s: %s", job->compiler, argv->failed ? strerror(ENOMEM) : strerror(errno));
    if (rc >= 128)
        sl_aoc_complain("sluicec was ended by signal %d", rc - 128);
    sl_aoc_list_finish(argv);
    return rc ? -1 : 0;
}

static void begin(struct job *job, struct sl_aoc_list *argv)
{
    *argv = (struct sl_aoc_list){0};
    sl_aoc_add(argv, "sluicec");
    sl_aoc_add(argv, "--device=fpga");
    sl_aoc_add(argv, "--called=aoc");
    for (size_t i = 0; i < job->command.options.count; i++)
        sl_aoc_add(argv, "%s", job->command.options.items[i]);
    sl_aoc_say_who(argv);
}

static int make_folder(const char *name)
{
    return mkdir(name, 0777) && errno != EEXIST ? sl_aoc_complain("%s: %s", name, strerror(errno))
                                                : 0;
}

/* The folders that a result is named in, as far as they are not there: makefiles that name one for
 * each set of parameters leave making them to aoc. */
static int make_folders_of(const char *output)
{
    char path[PATH_MAX];
    if (!output)
        return 0;
    if (snprintf(path, sizeof path, "%s", output) >= (int)sizeof path)
        return sl_aoc_complain("%s: name too long", output);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (make_folder(path))
            return -1;
        *slash = '/';
    }
    return 0;
}

/* As the vendor's: NAME/reports/report.html beside the result. */
static int add_report(struct sl_aoc_list *argv, const char *output)
{
    char path[PATH_MAX];
    const char *dot = strrchr(output, '.');
    if (!sl_aoc_has("sluice-report")) {
        fputs("aoc: -report: no page: sluice-report is not installed\n", stderr);
        return 0;
    }
    int stem = dot && !strchr(dot, '/') ? (int)(dot - output) : (int)strlen(output);
    if (snprintf(path, sizeof path, "%.*s/reports", stem, output) >= (int)sizeof path)
        return sl_aoc_complain("%s: name too long", output);
    path[stem] = 0;
    if (make_folder(path))
        return -1;
    path[stem] = '/';
    if (make_folder(path))
        return -1;
    sl_aoc_add(argv, "--report");
    sl_aoc_add(argv, "%s/report.html", path);
    return 0;
}

static int compile(struct job *job, const char *source, bool object, const char *output)
{
    struct sl_aoc_list argv;
    begin(job, &argv);
    sl_aoc_add(&argv, "-sluice-channels"); /* early versions of Intel's took them unasked */
    if (object)
        sl_aoc_add(&argv, "-c");
    if (!object && job->command.report && add_report(&argv, output)) {
        sl_aoc_list_finish(&argv);
        return -1;
    }
    sl_aoc_add(&argv, "%s", source);
    sl_aoc_add(&argv, "-o");
    sl_aoc_add(&argv, "%s", output);
    return run_compiler(job, &argv);
}

/* A linked design (.aocr) is complete: the last step only gives it its name. */
static int copy(const char *from, const char *to)
{
    char block[65536];
    FILE *in = fopen(from, "rbe"), *out = in ? fopen(to, "wbe") : NULL;
    int rc = out ? 0 : sl_aoc_complain("%s: %s", in ? to : from, strerror(errno));
    for (size_t got; !rc && (got = fread(block, 1, sizeof block, in)) > 0;)
        if (fwrite(block, 1, got, out) != got)
            rc = sl_aoc_complain("%s: %s", to, strerror(errno));
    if (!rc && ferror(in))
        rc = sl_aoc_complain("%s: cannot be read", from);
    if (out && fclose(out) && !rc)
        rc = sl_aoc_complain("%s: %s", to, strerror(errno));
    if (in)
        fclose(in);
    return rc;
}

static bool is_linked(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && !strcmp(dot, ".aocr");
}

static int link_objects(struct job *job, const struct sl_aoc_list *more, const char *output)
{
    struct sl_aoc_list argv;
    begin(job, &argv); /* how deep channels are is found out here */
    if (job->command.report && add_report(&argv, output)) {
        sl_aoc_list_finish(&argv);
        return -1;
    }
    for (size_t i = 0; i < more->count; i++)
        sl_aoc_add(&argv, "%s", more->items[i]);
    for (size_t i = 0; i < job->command.objects.count; i++)
        sl_aoc_add(&argv, "%s", job->command.objects.items[i]);
    sl_aoc_add(&argv, "-o");
    sl_aoc_add(&argv, "%s", output);
    return run_compiler(job, &argv);
}

/* Several sources, or sources and objects: each becomes an object first. */
static int compile_and_link(struct job *job, const char *output)
{
    const char *temporary = sl_environment("TMPDIR");
    if (snprintf(job->folder, sizeof job->folder, "%s/aoc-XXXXXX",
                 temporary && *temporary ? temporary : "/tmp") >= (int)sizeof job->folder ||
        !mkdtemp(job->folder)) {
        int rc = sl_aoc_complain("%s: %s", job->folder, strerror(errno));
        job->folder[0] = 0;
        return rc;
    }
    int rc = 0;
    for (size_t i = 0; !rc && i < job->command.sources.count; i++) {
        sl_aoc_add(&job->made, "%s/%zu.aoco", job->folder, i);
        rc = job->made.failed
                 ? sl_aoc_complain("%s", strerror(ENOMEM))
                 : compile(job, job->command.sources.items[i], true, job->made.items[i]);
    }
    return rc ? rc : link_objects(job, &job->made, output);
}

static int make_objects(struct job *job)
{
    char name[PATH_MAX];
    int rc = 0;
    for (size_t i = 0; !rc && i < job->command.sources.count; i++) {
        const char *source = job->command.sources.items[i];
        rc = job->command.output ? 0 : name_after(source, ".aoco", name);
        if (!rc)
            rc = compile(job, source, true, job->command.output ? job->command.output : name);
    }
    return rc;
}

static int make_design(struct job *job)
{
    const struct sl_aoc_command *command = &job->command;
    const size_t sources = command->sources.count, objects = command->objects.count;
    char name[PATH_MAX];
    /* Of several sources Intel's takes the name of the last. */
    const char *namer = sources ? command->sources.items[sources - 1] : command->objects.items[0];
    if (!command->output && name_after(namer, suffixes[command->result], name))
        return -1;
    const char *output = command->output ? command->output : name;
    if (!sources && objects == 1 && is_linked(namer))
        return copy(namer, output);
    if (sources == 1 && !objects)
        return compile(job, namer, false, output);
    return sources ? compile_and_link(job, output) : link_objects(job, &job->made, output);
}

static void clean(struct job *job)
{
    for (size_t i = 0; i < job->made.count; i++)
        remove(job->made.items[i]);
    if (job->folder[0])
        rmdir(job->folder);
    sl_aoc_list_finish(&job->made);
    sl_aoc_command_finish(&job->command);
}

static int answer(struct job *job)
{
    char *argv[] = {(char *)"sluicec", (char *)"--version", NULL};
    switch (job->command.question) {
    case SL_AOC_HELP:
        return (fputs(usage, stdout), 0);
    case SL_AOC_BOARDS:
        return (puts("Board list:\n  emulator"), 0);
    case SL_AOC_VERSION:
        /* Makefiles cut the number out of the line with "Build" in it, by columns. */
        puts("Sluice's aoc, in the place of Intel's for emulation\nVersion 21.1.0 Build 0");
        fflush(stdout);
        return sl_aoc_run(job->compiler, argv, false);
    case SL_AOC_BUILD:
        break;
    }
    say_dropped(&job->command.dropped);
    if (complete_output(job) || make_folders_of(job->command.output))
        return -1;
    return job->command.result == SL_AOC_OBJECT ? make_objects(job) : make_design(job);
}

int main(int argc, char **argv)
{
    static struct job job;
    sl_environment_clean();
    int rc = sl_aoc_command_read(&job.command, argc, argv);
    if (!rc && sl_aoc_beside("sluicec", job.compiler, sizeof job.compiler))
        rc = sl_aoc_complain("the folder of this program is not known");
    if (!rc)
        rc = answer(&job);
    clean(&job);
    return rc ? 1 : 0;
}
