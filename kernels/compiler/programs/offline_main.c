/* SPDX-License-Identifier: Apache-2.0 */
/* sluicec: the offline compiler. Files to one request, its result to a file. No locks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/build.h"
#include "compiler/programs/heap.h"
#include "compiler/programs/offline_report.h"
#include "compiler/programs/offline_sizes.h"
#include "compiler/programs/programs.h"
#include "compiler/programs/settings.h"
#include "compiler/request/options.h"
#include "compiler/stage/crash.h"
#include "sluice/base/container.h"
#include "sluice/base/environment.h"
#include "sluice/base/file.h"
#include "sluice/base/level.h"
#include "sluice/base/module_check.h"
#include "sluice/base/near_name.h"
#include "llvm/target.h"

struct command { /* what the command line asks for */
    struct sl_build_request request;
    struct sl_strings options, settings, inputs;
    const char *output, *report, *schedule;
    bool compile_only, times, done;
    bool cpu;              /* it says so */
    struct sl_text *files; /* contents of inputs */
    int status;
};

static const char usage[] =
    "Usage: sluicec [options] file.cl|file.spv -o module.slb\n"
    "       sluicec [-create-library] object.slb... -o module.slb\n"
    "\n"
    "Compiles OpenCL C or SPIR-V into a binary for clCreateProgramWithBinary, or links such "
    "binaries.\n"
    "\n"
    "  -o FILE            where the result goes; - is standard output\n"
    "  -c                 stop at a compiled object, as clCompileProgram does\n"
    "  --target=LEVEL     " SL_LEVEL_NAMES "; default: this machine\n"
    "  --device=NAME      cpu (default) or fpga: with channels and pipes\n"
    "  --report FILE      a page with the design as a graph; implies --device=fpga, and -o may be "
    "left out\n"
    "  --schedule FILE    JSON that says of each loop of a design how many cycles apart its rounds "
    "begin,\n"
    "                     and what keeps them apart; implies --device=fpga and -sluice-timing, and "
    "-o may be\n"
    "                     left out\n"
    "  --emit=FORM        slb (default), ll, obj or elf\n"
    "  --extensions=LIST  space separated extensions and features that the program may use, in "
    "place of those\n"
    "                     of the device\n"
    "  --times            print microseconds of CPU time per stage\n"
    "  --quick            compile in less time, into slower code: what the driver does for a "
    "kernel that has\n"
    "                     run little yet\n"
    "  --help, --version\n"
    "\n"
    "All other options are OpenCL build options: -D, -I, -cl-std=, -cl-fast-relaxed-math, -g...\n"
    "SLUICE_DUMP=FOLDER in the environment keeps the outcome of each stage.\n";

/* Who is called: programs in front of this one (aoc) give their own name. */
static const char *called = "sluicec";

static int complain(const char *format, const char *what)
{
    fprintf(stderr, "%s: ", called);
    fprintf(stderr, format, what);
    fputs("\n", stderr);
    return -1;
}

static int complain_of(const char *name, const char *why)
{
    fprintf(stderr, "%s: %s: %s\n", called, name, why);
    return -1;
}

/* ---- command line ---------------------------------------------------------------------------- */

static const char *after(const char *arg, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(arg, prefix, length) ? NULL : arg + length;
}

static int choose_emit(struct command *command, const char *form)
{
    static const char *const names[] = {"slb", "ll", "obj", "elf"}; /* as enum sl_form */
    for (int i = 0; i < 4; i++)
        if (!strcmp(form, names[i])) {
            command->request.form = (enum sl_form)i;
            return 0;
        }
    return complain("--emit=%s: must be slb, ll, obj or elf", form);
}

static int choose_target(struct command *command, const char *name)
{
    const struct sl_level *level = sl_level_find(name);
    if (!level)
        return complain("--target=%s: must be " SL_LEVEL_NAMES, name);
    command->request.target = level->target;
    return 0;
}

static int choose_device(struct command *command, const char *name)
{
    command->cpu = !strcmp(name, "cpu");
    if (!strcmp(name, "fpga"))
        command->request.extensions = sl_target_extensions(true);
    else if (!command->cpu)
        return complain("--device=%s: must be cpu or fpga", name);
    return 0;
}

static bool among(const char *words, const char *word, size_t length)
{
    for (; *words; words += strspn(words, " ")) {
        size_t here = strcspn(words, " ");
        if (here == length && !strncmp(words, word, length))
            return true;
        words += here;
    }
    return false;
}

/* What a device of somebody else's announces may be in the list, so this is no error. */
static int choose_extensions(struct command *command, const char *list)
{
    const char *cpu = sl_target_extensions(false), *fpga = sl_target_extensions(true);
    command->request.extensions = list;
    for (const char *at = list; *at; at += strspn(at, " ")) {
        int length = (int)strcspn(at, " ");
        if (length && !among(cpu, at, (size_t)length) && !among(fpga, at, (size_t)length))
            fprintf(stderr,
                    "%s: warning: --extensions: neither the CPU device nor the emulated FPGA "
                    "has '%.*s'%s\n",
                    called, length, at,
                    strncmp(at, "cl_", 3) ? "" : "; it is announced to the program all the same");
        at += length;
    }
    return 0;
}

static int print_and_stop(struct command *command, const char *text)
{
    puts(text);
    command->done = true;
    return 0;
}

/* Those in front have their values behind a =: "--target avx2" is what other compilers take. */
enum { OPTIONS_WITH_VALUE = 4 };
static const char *const long_options[] = {"--target", "--device",   "--emit",  "--extensions",
                                           "--report", "--schedule", "--times", "--quick",
                                           "--help",   "--version"};

static bool wants_equals(const char *arg)
{
    bool does = false;
    for (size_t i = 0; i < OPTIONS_WITH_VALUE; i++)
        does |= !strcmp(arg, long_options[i]);
    return does;
}

static int complain_unknown(const char *arg)
{
    const size_t length = strcspn(arg, "=");
    for (size_t i = 0; i < sizeof long_options / sizeof *long_options; i++)
        if (sl_near_name(arg, length, long_options[i]) <= SL_NEAR_NAME_SLIPS) {
            fprintf(stderr, "%s: unknown option %s: did you mean %s%s?\n", called, arg,
                    long_options[i], arg + length);
            return -1;
        }
    return complain("unknown option %s; see sluicec --help", arg);
}

/* What others write with one dash, or in place of it, would be an option of a build here. */
static int check_short_option(const char *arg)
{
    const size_t length = strcspn(arg, "=");
    if (!strncmp(arg, "-march=", sizeof "-march=" - 1))
        return complain("%s is aoc's: sluicec has --device=fpga, --device=cpu and --target=LEVEL",
                        arg);
    for (size_t i = 0; i < sizeof long_options / sizeof *long_options; i++)
        if (strlen(long_options[i]) == length + 1 && !strncmp(arg, long_options[i] + 1, length)) {
            fprintf(stderr, "%s: unknown option %s: did you mean -%s?\n", called, arg, arg);
            return -1;
        }
    return 0;
}

static int read_long_option(struct command *command, const char *arg)
{
    const char *value;
    if (!strcmp(arg, "--help") || !strcmp(arg, "-h"))
        return print_and_stop(command, usage);
    if (!strcmp(arg, "--version"))
        return print_and_stop(command, sl_compiler_version());
    if (!strcmp(arg, "--times"))
        return (command->times = true, 0);
    if (!strcmp(arg, "--quick"))
        return (command->request.quick = true, 0);
    if ((value = after(arg, "--target=")))
        return choose_target(command, value);
    if ((value = after(arg, "--device=")))
        return choose_device(command, value);
    if ((value = after(arg, "--emit=")))
        return choose_emit(command, value);
    if ((value = after(arg, "--called="))) /* of who starts it; not of users */
        return (called = value, 0);
    if ((value = after(arg, "--extensions=")))
        return choose_extensions(command, value);
    if (wants_equals(arg))
        return complain("%s: its value stands behind a =, in one word; see sluicec --help", arg);
    return complain_unknown(arg);
}

static bool takes_value(const char *arg)
{
    return !strcmp(arg, "-D") || !strcmp(arg, "-I") || !strcmp(arg, "-U") || !strcmp(arg, "-x");
}

/* Of an option that is followed by the name of a file, or has it behind a `=`. */
static const char **file_named_by(struct command *command, const char *arg)
{
    if (!strcmp(arg, "-o"))
        return &command->output;
    if (!strcmp(arg, "--report") || after(arg, "--report="))
        return &command->report;
    if (!strcmp(arg, "--schedule") || after(arg, "--schedule="))
        return &command->schedule;
    return NULL;
}

/* "--schedule design.cl" has forgotten where it goes, and would write over the source. */
static int check_written(const char *option, const char *file)
{
    if (!sl_names_source(file))
        return 0;
    const int name = (int)strcspn(option, "=");
    fprintf(stderr,
            "%s: %.*s %s: that is a source; behind %.*s stands the file to be written, "
            "or - for standard output\n",
            called, name, option, file, name, option);
    return -1;
}

static bool is_same(const char *a, const char *b)
{
    return a && b && !strcmp(a, b) && strcmp(a, "/dev/null") != 0;
}

/* What is written last would be all there is. */
static int check_distinct(const struct command *command)
{
    const char *twice = is_same(command->report, command->schedule)   ? command->report
                        : is_same(command->output, command->report)   ? command->output
                        : is_same(command->output, command->schedule) ? command->output
                                                                      : NULL;
    return twice ? complain_of(twice, "two things are to be written there") : 0;
}

static int read_args(struct command *command, int argc, char **argv)
{
    int rc = 0;
    for (int i = 1; !rc && !command->done && i < argc; i++) {
        const char *arg = argv[i];
        const char **const file = file_named_by(command, arg);
        if (file) {
            const char *value = strchr(arg, '=');
            *file = value ? value + 1 : i + 1 < argc ? argv[++i] : NULL;
            rc =
                *file && **file ? check_written(arg, *file) : complain("%s needs a file name", arg);
        } else if (!strncmp(arg, "--", 2) || !strcmp(arg, "-h")) {
            rc = read_long_option(command, arg);
        } else if (!strcmp(arg, "-c")) {
            command->compile_only = true;
        } else if (arg[0] == '-' && arg[1]) {
            rc = check_short_option(arg);
            sl_strings_addf(&command->options, "%s", arg);
            if (takes_value(arg) && i + 1 < argc)
                sl_strings_addf(&command->options, "%s", argv[++i]);
        } else {
            sl_strings_addf(&command->inputs, "%s", arg);
        }
    }
    return rc ? rc : check_distinct(command);
}

/* ---- files ----------------------------------------------------------------------------------- */

static int read_file(const char *name, struct sl_text *out)
{
    char block[65536];
    FILE *file = strcmp(name, "-") ? fopen(name, "rbe") : stdin;
    if (!file)
        return complain_of(name, strerror(errno));
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;)
        sl_text_add(out, block, got);
    const char *why = ferror(file) ? strerror(errno) : out->failed ? strerror(ENOMEM) : NULL;
    if (file != stdin)
        fclose(file);
    return why ? complain_of(name, why) : 0;
}

static int write_file(const char *name, const struct sl_text *text)
{
    const char *why = "cannot be written";
    FILE *file = strcmp(name, "-") ? sl_output_stream(name, &why) : stdout;
    if (!file)
        return complain_of(name, why);
    struct stat status;
    bool ours = file != stdout && !fstat(fileno(file), &status) && S_ISREG(status.st_mode);
    bool failed = fwrite(text->data, 1, text->bytes, file) != text->bytes;
    failed |= file == stdout ? fflush(file) != 0 : fclose(file) != 0;
    if (!failed)
        return 0;
    if (ours) /* half a file; what is none is not ours to remove */
        remove(name);
    return complain_of(name, "cannot be written");
}

/* Of the text that the module keeps. */
static int write_schedule(const struct sl_text *binary, const char *name)
{
    struct sl_module_view view;
    struct sl_module_tables tables;
    struct sl_text text = {0};
    const char *why = sl_container_check(binary->data, binary->bytes, NULL, &view);
    if (!why)
        why = sl_module_open(&tables, view.payload, view.header.payload_bytes);
    if (why)
        return complain_of(name, why);
    if (tables.info->timing)
        sl_text_addf(&text, "%s\n", tables.info->timing);
    int rc = text.bytes ? write_file(name, &text) : complain_of(name, "there is no schedule");
    sl_module_close(&tables);
    sl_text_finish(&text);
    return rc;
}

static bool is_container(const struct sl_text *text)
{
    return text->bytes >= 8 && !memcmp(text->data, SL_BINARY_MAGIC, 8);
}

/* The compiler knows inputs by their numbers only. */
static int check_linkable(const struct command *command)
{
    struct sl_binary_header header;
    for (size_t i = 0; i < command->inputs.count; i++) {
        const struct sl_text *file = &command->files[i];
        if (file->bytes < sizeof header)
            continue;
        memcpy(&header, file->data, sizeof header);
        if (header.kind == SL_BINARY_EXECUTABLE)
            return complain_of(command->inputs.items[i],
                               "that is a program already; compiled objects (-c) and libraries "
                               "are linked");
    }
    return 0;
}

/* Sources compile, one at a time; containers link. */
static int choose_kind(struct command *command, struct sl_blob *blobs)
{
    struct sl_build_request *request = &command->request;
    size_t count = command->inputs.count, containers = 0;
    for (size_t i = 0; i < count; i++) {
        blobs[i] = (struct sl_blob){command->files[i].data ? command->files[i].data : "",
                                    command->files[i].bytes};
        containers += is_container(&command->files[i]);
    }
    if (containers == count) {
        request->kind = SL_BUILD_LINK;
        request->inputs = blobs;
        request->input_count = count;
        return check_linkable(command);
    }
    if (count > 1)
        return complain("%s: compile sources one at a time with -c, then link them",
                        command->inputs.items[1]);
    request->kind = command->compile_only ? SL_BUILD_COMPILE : SL_BUILD_BUILD;
    request->source = blobs[0];
    request->source_name =
        strcmp(command->inputs.items[0], "-") ? command->inputs.items[0] : "<stdin>";
    return 0;
}

/* ---- the build ------------------------------------------------------------------------------- */

/* Of the only build, for the crash handler. */
static const struct sl_build_result *current;

static void report_crash(const char *text, size_t bytes)
{
    ssize_t done = write(STDERR_FILENO, current->log.data, current->log.bytes);
    done = done < 0 ? done : write(STDERR_FILENO, text, bytes);
    (void)done; /* nobody is left to be told */
}

static void build(void *data)
{
    struct command *command = data;
    struct sl_build_result result = {0};
    current = &result;
    sl_heap_claim();
    sl_crash_watch(report_crash);
    command->status = sl_compiler_build(&command->request, &result);
    if (result.log.bytes)
        fwrite(result.log.data, 1, result.log.bytes, stderr);
    if (result.remarks.bytes)
        fwrite(result.remarks.data, 1, result.remarks.bytes, stderr);
    if (command->times && result.times.bytes)
        fwrite(result.times.data, 1, result.times.bytes, stderr);
    if (!command->status && !command->request.form)
        sl_offline_warn_of_sizes(&result.binary,
                                 sl_compile_pipe_kind(&command->request) == SL_PIPES_DATAFLOW);
    bool wrong = !command->status && command->output && write_file(command->output, &result.binary);
    if (!command->status && command->report)
        wrong |= sl_offline_report(&result.binary, result.log.data, called,
                                   command->inputs.items[0], command->report) != 0;
    if (!command->status && command->schedule)
        wrong |= write_schedule(&result.binary, command->schedule) != 0;
    if (wrong)
        command->status = SL_BUILD_FAILED;
    if (!result.poisoned)
        sl_build_result_finish(&result);
}

static int run(struct command *command)
{
    struct sl_blob *blobs = calloc(command->inputs.count, sizeof *blobs);
    command->files = calloc(command->inputs.count, sizeof *command->files);
    int rc = blobs && command->files ? 0 : complain("%s", strerror(ENOMEM));
    for (size_t i = 0; !rc && i < command->inputs.count; i++)
        rc = read_file(command->inputs.items[i], &command->files[i]);
    if (!rc)
        rc = choose_kind(command, blobs);
    sl_offline_settings(&command->settings, called);
    command->request.options = (const char *const *)command->options.items;
    command->request.option_count = command->options.count;
    command->request.settings = (const char *const *)command->settings.items;
    command->request.setting_count = command->settings.count;
    if (!rc && sl_compiler_on_large_stack(build, command))
        rc = complain("%s", "no memory for the compiler's stack");
    for (size_t i = 0; command->files && i < command->inputs.count; i++)
        sl_text_finish(&command->files[i]);
    free(command->files);
    free(blobs);
    return rc ? -1 : command->status;
}

int sl_offline_main(int argc, char **argv)
{
    struct command command = {.output = NULL};
    sl_environment_clean();
    int rc = read_args(&command, argc, argv);
    if (!rc && !command.done && !command.inputs.count)
        rc = complain("no input file; see %s", "sluicec --help");
    const bool page = command.report || command.schedule;
    if (!rc && !command.done && !command.output && !page)
        rc = complain("no output file; see %s", "sluicec --help");
    if (!rc && page && (command.compile_only || command.request.form))
        rc = complain("%s wants a whole program, neither -c nor --emit",
                      command.report ? "--report" : "--schedule");
    if (!rc && page && command.cpu)
        rc = complain("%s is of designs for the emulated FPGA: leave --device=cpu out",
                      command.report ? "--report" : "--schedule");
    if (!rc && page && !command.request.extensions)
        command.request.extensions = sl_target_extensions(true);
    if (!rc && command.schedule)
        sl_strings_addf(&command.options, "-sluice-timing");
    if (!rc && !command.done)
        rc = run(&command);
    sl_strings_finish(&command.options);
    sl_strings_finish(&command.settings);
    sl_strings_finish(&command.inputs);
    return rc ? 1 : 0;
}
