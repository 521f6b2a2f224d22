/* SPDX-License-Identifier: Apache-2.0 */
/* Build options of the OpenCL specification, and what clang is told anyway. Constant tables, no
 * locks. */
#include "compiler/request/options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sluice/base/opencl_version.h"
#include "sluice/depth_mode.h"
#include "llvm/target.h"

enum { COMPILE = 1, LINK = 2, BOTH = 3 };

enum shape {
    WHOLE,  /* the token is the option */
    PREFIX, /* the option's value follows in the same token, and is one of those known */
    REST,   /* whatever follows in the same token */
    VALUE,  /* the value follows in the same token or is the next one */
};

enum effect {
    PASS,
    STANDARD,
    IGNORE,
    NO_OPTIMIZE,
    DEBUG_INFO,
    QUIET,
    LIBRARY,
    FLUSH,
    DEPTH,
    NAME,
    TIMING,
    CHANNELS,
    CLEAR
};

struct row {
    const char *name;
    uint8_t shape, when, effect;
};

static const struct row rows[] = {
    {"-D", VALUE, COMPILE, PASS},
    {"-U", VALUE, COMPILE, PASS},
    {"-I", VALUE, COMPILE, PASS},
    {"-cl-std=", PREFIX, COMPILE, STANDARD},
    {"-cl-single-precision-constant", WHOLE, COMPILE, PASS},
    {"-cl-denorms-are-zero", WHOLE, BOTH, FLUSH},
    {"-cl-fp32-correctly-rounded-divide-sqrt", WHOLE, COMPILE, PASS},
    {"-cl-opt-disable", WHOLE, COMPILE, NO_OPTIMIZE},
    {"-cl-strict-aliasing", WHOLE, COMPILE, PASS},
    {"-cl-mad-enable", WHOLE, COMPILE, PASS},
    {"-cl-no-signed-zeros", WHOLE, BOTH, PASS},
    {"-cl-unsafe-math-optimizations", WHOLE, BOTH, PASS},
    {"-cl-finite-math-only", WHOLE, BOTH, PASS},
    {"-cl-fast-relaxed-math", WHOLE, BOTH, PASS},
    {"-cl-uniform-work-group-size", WHOLE, COMPILE, PASS},
    {"-cl-no-subgroup-ifp", WHOLE, BOTH, IGNORE}, /* none rely on each other's progress anyway */
    {"-cl-no-subgroup-ipf", WHOLE, BOTH, IGNORE}, /* as old specifications misspelt it */
    {"-cl-kernel-arg-info", WHOLE, COMPILE, PASS},
    {"-w", WHOLE, COMPILE, QUIET},
    {"-Werror", WHOLE, COMPILE, PASS},
    {"-W", REST, COMPILE, PASS},
    {"-g", WHOLE, COMPILE, DEBUG_INFO},
    {"-gline-tables-only", WHOLE, COMPILE, DEBUG_INFO},
    {"-x", VALUE, COMPILE, IGNORE}, /* SPIR-V says so by its first word */
    {"-spir-std=", REST, COMPILE, IGNORE},
    {"-ze-intel-greater-than-4GB-buffer-required", WHOLE, BOTH, IGNORE},
    {"-cl-intel-greater-than-4GB-buffer-required", WHOLE, BOTH, IGNORE},
    {"-ze-opt-large-register-file", WHOLE, BOTH, IGNORE},
    {"-cl-intel-256-GRF-per-thread", WHOLE, BOTH, IGNORE},
    {"-O0", WHOLE, BOTH, NO_OPTIMIZE},
    {"-O1", WHOLE, BOTH, IGNORE},
    {"-O2", WHOLE, BOTH, IGNORE},
    {"-O3", WHOLE, BOTH, IGNORE},
    {"-emulator-channel-depth-model=", PREFIX, BOTH, DEPTH},
    {"-s=", PREFIX, COMPILE, NAME}, /* the driver's form of "-s FILE" */
    {"-sluice-timing", WHOLE, BOTH, TIMING},
    {"-sluice-channels", WHOLE, COMPILE, CHANNELS},
    {"-sluice-clear-private", WHOLE, BOTH, CLEAR},
    {"-create-library", WHOLE, LINK, LIBRARY},
    {"-enable-link-options", WHOLE, LINK, IGNORE},
};

static const char *const standards[] = {
    "CL1.0", "CL1.1", "CL1.2", "CL2.0", "CL3.0", "CL3.1", "CL", "CLC++", "CLC++1.0", "CLC++2021",
    "cl1.0", "cl1.1", "cl1.2", "cl2.0", "cl3.0", "cl3.1", "cl", "clc++", "clc++1.0", "clc++2021"};

static int refusal_of(enum sl_build_kind kind)
{
    switch (kind) {
    case SL_BUILD_COMPILE:
        return SL_BUILD_BAD_COMPILE_OPTIONS;
    case SL_BUILD_LINK:
        return SL_BUILD_BAD_LINK_OPTIONS;
    case SL_BUILD_BUILD:
    case SL_BUILD_HELLO:
    case SL_BUILD_FINISH:
        break;
    }
    return SL_BUILD_BAD_OPTIONS;
}

static const struct row *find_row(const char *token)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        size_t length = strlen(row->name);
        if (row->shape == WHOLE ? !strcmp(token, row->name) : !strncmp(token, row->name, length))
            return row;
    }
    return NULL;
}

static bool known_standard(const char *name)
{
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
        if (!strcmp(name, standards[i]))
            return true;
    return false;
}

static bool is_known_value(const struct row *row, const char *value)
{
    if (row->effect == NAME)
        return *value;
    if (row->effect != DEPTH)
        return known_standard(value);
    return sl_pipe_depth_mode_of(value) != SL_PIPE_DEPTH_COUNT;
}

/* clang ends at 3.0. What 3.1 has more is there in all versions, so that its number remains. The
 * last one counts. */
static void take_standard(struct sl_compile_options *options, const char *token, const char *value)
{
    options->standard_31 = !strcasecmp(value, "CL3.1");
    sl_strings_addf(&options->clang, "%s", options->standard_31 ? "-cl-std=CL3.0" : token);
}

static void apply(struct sl_compile_options *options, const struct row *row, const char *token,
                  const char *value)
{
    switch ((enum effect)row->effect) {
    case PASS:
        sl_strings_addf(&options->clang, "%s", token);
        if (value)
            sl_strings_addf(&options->clang, "%s", value);
        break;
    case STANDARD:
        take_standard(options, token, token + strlen(row->name));
        break;
    case IGNORE:
        break;
    case NO_OPTIMIZE:
        options->optimize = false;
        break;
    case DEBUG_INFO:
        options->debug_info = true;
        break;
    case QUIET:
        options->quiet = true;
        sl_strings_addf(&options->clang, "-w");
        break;
    case LIBRARY:
        options->create_library = true;
        break;
    case FLUSH:
        options->flush_denormals = true;
        break;
    case CHANNELS:
        options->channels = true;
        break;
    case TIMING:
        options->timing = true;
        break;
    case CLEAR:
        options->clear_private = true;
        break;
    case DEPTH:
        options->depth_mode = token + strlen(row->name);
        break;
    case NAME:
        options->source_name = token + strlen(row->name);
        break;
    }
}

/* What a message says of the values that an option takes. */
static const char *values_of(const struct row *row)
{
    if (row && row->effect == DEPTH)
        return ": it takes strict, default or ignore-depth";
    if (row && row->effect == STANDARD)
        return ": it takes CL1.0, CL1.1, CL1.2, CL2.0, CL3.0, CL3.1, CLC++1.0 or CLC++2021";
    return "";
}

int sl_compile_options_read(struct sl_compile_options *options,
                            const struct sl_build_request *request, struct sl_text *log)
{
    options->optimize = true;
    for (size_t i = 0; i < request->option_count; i++) {
        const char *token = request->options[i], *value = NULL;
        const struct row *row = find_row(token);
        /* A link may be given what its objects were compiled with. */
        const char *why = !row                                                       ? "unknown"
                          : request->kind != SL_BUILD_LINK && !(row->when & COMPILE) ? "misplaced"
                                                                                     : NULL;
        if (!why && row->shape == PREFIX && !is_known_value(row, token + strlen(row->name)))
            why = "unsupported value in";
        if (!why && row->shape == VALUE && !token[strlen(row->name)]) {
            value = i + 1 < request->option_count ? request->options[++i] : NULL;
            if (!value)
                why = "missing value after";
        }
        if (why) {
            sl_text_addf(log, "error: %s build option '%s'%s\n", why, token, values_of(row));
            return refusal_of(request->kind);
        }
        apply(options, row, token, value);
    }
    if (options->standard_31) {
        sl_strings_addf(&options->clang, "-U__OPENCL_C_VERSION__");
        sl_strings_addf(&options->clang, "-D__OPENCL_C_VERSION__=310");
    }
    return options->clang.failed ? SL_BUILD_NO_MEMORY : SL_BUILD_OK;
}

const char *sl_compile_source_name(const struct sl_compile_options *options,
                                   const struct sl_build_request *request)
{
    if (options->source_name)
        return options->source_name;
    return request->source_name ? request->source_name : "<source>";
}

void sl_compile_options_finish(struct sl_compile_options *options)
{
    sl_strings_finish(&options->clang);
}

/*
 * What clang accepted as warnings when today's kernels were written stays a warning. spir64's own
 * macros would tell programs that they run on something else than they do.
 */
static const char *const base_args[] = {
    "-triple",
    "spir64",
    "-x",
    "cl",
    "-cl-std=CL1.2",
    "-O2",
    "-disable-llvm-passes",
    "-emit-llvm-only",
    "-fdeclare-opencl-builtins",
    "-finclude-default-header",
    "-ffp-contract=on",
    "-fbracket-depth",
    "256",
    "-ferror-limit",
    "50",
    "-fmessage-length=0",
    "-disable-pragma-debug-crash",
    "-nostdsysteminc",
    "-nobuiltininc",
    "-D__OPENCL_VERSION__=" SL_OPENCL_VERSION_DIGITS,
    "-DCL_VERSION_3_1=310",
    "-U__SPIR__",
    "-U__SPIR",
    "-U__SPIR64__",
    "-U__SPIR64",
};

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

/* Features that clang does not know by name: it only asks for their macros. */
static bool is_only_macro(const char *name)
{
    static const char *const prefixes[] = {"cl_", "__opencl_c_ext_", "__opencl_c_integer_dot_",
                                           "__opencl_c_kernel_clock_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return true;
    return false;
}

/*
 * What is defined where channels are. Loads and stores by a kind of unit that Intel's compiler can
 * be told are plain ones here. The statement expressions make values, which cannot be assigned to.
 */
static void add_dataflow_macros(struct sl_strings *args)
{
    static const char *const macros[] = {
        "-DCLK_CHANNEL_MEM_FENCE=0x8",
        "-D__pipelined_load(sl_at)=({ *(sl_at); })",
        "-D__prefetching_load(sl_at)=({ *(sl_at); })",
        "-D__burst_coalesced_load(sl_at)=({ *(sl_at); })",
        ("-D__burst_coalesced_cached_load(sl_at, sl_bytes)="
         "({ _Static_assert((sl_bytes) >= 0, \"the size of a cache\"); *(sl_at); })"),
        "-D__pipelined_store(sl_at, sl_value)=((void)(*(sl_at) = (sl_value)))",
        "-D__burst_coalesced_store(sl_at, sl_value)=((void)(*(sl_at) = (sl_value)))",
    };
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        sl_strings_addf(args, "%s", macros[i]);
}

/* Exactly the announced extensions and features exist, known to clang or not. */
static void add_extensions(struct sl_strings *args, const char *extensions)
{
    static const char channels[] = "cl_intel_channels", pipes[] = "__opencl_c_pipes";
    bool dataflow = has_word(extensions, channels);
    struct sl_text enabled = {0};
    sl_text_addf(&enabled, "-cl-ext=-all");
    for (const char *at = extensions; *at;) {
        size_t length = strcspn(at, " ");
        if (length) {
            /* With channels they are up to the front end's shim: clang wants generic pointers. */
            if (!dataflow || length != strlen(pipes) || strncmp(at, pipes, length) != 0)
                sl_text_addf(&enabled, ",+%.*s", (int)length, at);
            if (is_only_macro(at))
                sl_strings_addf(args, "-D%.*s=1", (int)length, at);
        }
        at += length + (at[length] == ' ');
    }
    if (dataflow)
        add_dataflow_macros(args);
    if (enabled.failed)
        args->failed = true;
    else
        sl_strings_add(args, enabled.data, enabled.bytes);
    sl_text_finish(&enabled);
    if (!has_word(extensions, "__opencl_c_subgroups")) { /* which OpenCL 3.1 asks for */
        sl_strings_addf(args, "-U__OPENCL_VERSION__");
        sl_strings_addf(args, "-D__OPENCL_VERSION__=300");
    }
    if (!has_word(extensions, "__opencl_c_images"))
        sl_strings_addf(args, "-U__IMAGE_SUPPORT__");
}

const char *sl_offered_extensions(const struct sl_build_request *request)
{
    return request->extensions ? request->extensions : sl_target_extensions(false);
}

enum sl_pipe_kind sl_compile_pipe_kind(const struct sl_build_request *request)
{
    const char *offered = sl_offered_extensions(request);
    return has_word(offered, "cl_intel_channels")  ? SL_PIPES_DATAFLOW
           : has_word(offered, "__opencl_c_pipes") ? SL_PIPES_SHARED
                                                   : SL_PIPES_NONE;
}

/* What clang has made an error since kernels were written that do it is a warning as it was, which
 * -Werror turns into an error as any other. */
static void add_leniency(struct sl_strings *args, const struct sl_build_request *request)
{
    static const char *const groups[] = {
        "incompatible-pointer-types",
        "incompatible-pointer-types-discards-qualifiers",
        "incompatible-function-pointer-types",
        "int-conversion",
        "implicit-int",
        "implicit-function-declaration",
        "return-mismatch",
        "return-type",
        "parentheses",
    };
    for (size_t i = 0; i < request->option_count; i++)
        if (!strcmp(request->options[i], "-Werror"))
            return;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        sl_strings_addf(args, "-Wno-error=%s", groups[i]);
}

/* The last one counts. */
static bool is_cxx(const struct sl_build_request *request)
{
    static const char name[] = "-cl-std=";
    const char *version = "";
    for (size_t i = 0; i < request->option_count; i++)
        if (!strncmp(request->options[i], name, sizeof name - 1))
            version = request->options[i] + sizeof name - 1;
    return !strncasecmp(version, "clc++", 5);
}

/* Nobody can see an object at program scope when it goes, and nobody else runs while it is made. */
static void add_cxx(struct sl_strings *args)
{
    sl_strings_addf(args, "-fc++-static-destructors=none");
    sl_strings_addf(args, "-fno-threadsafe-statics");
}

void sl_compile_options_base(struct sl_strings *args, const struct sl_build_request *request)
{
    for (size_t i = 0; i < sizeof base_args / sizeof *base_args; i++)
        sl_strings_addf(args, "%s", base_args[i]);
    add_leniency(args, request);
    if (is_cxx(request))
        add_cxx(args);
    add_extensions(args, sl_offered_extensions(request));
}
