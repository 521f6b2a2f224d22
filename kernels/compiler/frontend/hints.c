/* SPDX-License-Identifier: Apache-2.0 */
/* See hints.h. Constant tables, no locks. */
#include "compiler/frontend/hints.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool mentions(const struct sl_build_request *request, const char *word)
{
    const void *text = request->source.data;
    return text && memmem(text, request->source.bytes, word, strlen(word));
}

static void hint_at_other_device(struct sl_stages *stages)
{
    const char *log = stages->result->log.data;
    if (sl_compile_pipe_kind(stages->request) != SL_PIPES_DATAFLOW &&
        ((log && strstr(log, "error: unknown type name 'channel'")) ||
         mentions(stages->request, "cl_intel_channels") ||
         mentions(stages->request, "write_channel_intel") ||
         mentions(stages->request, "read_channel_intel") ||
         mentions(stages->request, "cl_altera_channels")))
        sl_text_addf(&stages->result->log,
                     "note: this device has no channels: such designs are built for the emulated "
                     "FPGA (a device of type accelerator; sluicec --device=fpga)\n");
}

/* How the names begin that OpenCL C 2.0 brought (those of 3.0 and of its extensions among them). */
static const char *const later_names[] = {
    "atomic_",
    "clk_event_t",
    "commit_read_pipe",
    "commit_write_pipe",
    "create_user_event",
    "ctz",
    "enqueue_",
    "generic",
    "get_default_queue",
    "get_enqueued_",
    "get_global_linear_id",
    "get_kernel_",
    "get_local_linear_id",
    "get_max_sub_group_size",
    "get_num_sub_groups",
    "get_pipe_",
    "get_sub_group_",
    "is_valid_",
    "memory_order",
    "memory_scope",
    "ndrange_",
    "pipe",
    "queue_t",
    "read_pipe",
    "reserve_id_t",
    "reserve_read_pipe",
    "reserve_write_pipe",
    "sub_group_",
    "to_global",
    "to_local",
    "to_private",
    "work_group_",
    "write_pipe",
};

static bool is_later(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sizeof later_names / sizeof *later_names; i++) {
        size_t length = strlen(later_names[i]);
        bool whole = length && later_names[i][length - 1] != '_' && length != bytes;
        if (bytes >= length && !whole && !strncmp(name, later_names[i], length))
            return true;
    }
    return false;
}

static bool is_of_cxx(const char *name, size_t bytes)
{
    static const char *const words[] = {
        "class",  "const_cast",       "constexpr",   "decltype", "namespace", "nullptr",
        "public", "reinterpret_cast", "static_cast", "template", "typename",  "using",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == bytes && !strncmp(name, words[i], bytes))
            return true;
    return false;
}

/* The first name of `log` between `before` and a quote of which `is` says yes; 0 bytes: none. */
static size_t find_name(const char *log, const char *before, bool (*is)(const char *, size_t),
                        const char **name)
{
    for (const char *at = strstr(log, before); at; at = strstr(*name, before)) {
        *name = at + strlen(before);
        size_t bytes = strcspn(*name, "'\n");
        if ((*name)[bytes] == '\'' && is(*name, bytes))
            return bytes;
    }
    return 0;
}

/* "1.0", "1.1" or "1.2"; NULL: the source is of a later one. */
static const char *old_standard(const struct sl_stages *stages)
{
    static const char option[] = "-cl-std=";
    const char *version = "CL1.2";
    for (size_t i = 0; i < stages->options.clang.count; i++)
        if (!strncmp(stages->options.clang.items[i], option, sizeof option - 1))
            version = stages->options.clang.items[i] + sizeof option - 1;
    return strncasecmp(version, "CL1.", 4) ? NULL : version + 2;
}

static void hint_at_standard(struct sl_stages *stages)
{
    static const char *const places[] = {
        "error: use of undeclared identifier '",
        "error: unknown type name '",
        "error: OpenCL C version 1.2 does not support the '",
    };
    const char *log = stages->result->log.data, *standard = old_standard(stages);
    for (size_t i = 0; log && standard && i < sizeof places / sizeof *places; i++) {
        const char *name = NULL;
        size_t bytes = find_name(log, places[i], is_later, &name);
        if (bytes) {
            char copy[64] = "";
            memcpy(copy, name, bytes < sizeof copy ? bytes : sizeof copy - 1);
            sl_text_addf(&stages->result->log,
                         "note: '%s' is of a later OpenCL C than %s, which this source is built "
                         "as: -cl-std=CL3.0\n",
                         copy, standard);
            return;
        }
    }
}

static void hint_at_variables(struct sl_stages *stages)
{
    static const char wrong[] = "program scope variable must reside in constant address space";
    const char *log = stages->result->log.data, *standard = old_standard(stages);
    if (log && standard && strstr(log, wrong))
        sl_text_addf(&stages->result->log,
                     "note: variables at program scope are constant in OpenCL C %s; -cl-std=CL3.0 "
                     "has global ones, too\n",
                     standard);
}

static void hint_at_cxx(struct sl_stages *stages)
{
    static const char *const places[] = {"error: unknown type name '",
                                         "error: use of undeclared identifier '"};
    const char *log = stages->result->log.data;
    for (size_t i = 0; log && i < sizeof places / sizeof *places; i++) {
        const char *name = NULL;
        size_t bytes = find_name(log, places[i], is_of_cxx, &name);
        if (bytes) {
            char copy[32] = "";
            memcpy(copy, name, bytes);
            sl_text_addf(&stages->result->log,
                         "note: '%s' is of C++, and this source is built as OpenCL C: "
                         "-cl-std=CLC++2021\n",
                         copy);
            return;
        }
    }
}

/* Does the line quote a type that points into that memory? */
static bool quotes_pointer_to(const char *line, const char *space)
{
    char plain[32], constant[32];
    snprintf(plain, sizeof plain, "'%s ", space);
    snprintf(constant, sizeof constant, "'const %s ", space);
    return strstr(line, plain) || strstr(line, constant);
}

/* A pointer without an address space, which is a private one, is given a global or local one. */
static void hint_at_generic(struct sl_stages *stages)
{
    static const char wrong[] = "changes address space of pointer";
    const char *log = stages->result->log.data, *standard = old_standard(stages);
    for (const char *line = log; line && standard; line = strchr(line, '\n')) {
        line += *line == '\n';
        char copy[400];
        snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
        if (!strstr(copy, wrong) || !quotes_pointer_to(copy, "__private") ||
            !(quotes_pointer_to(copy, "__global") || quotes_pointer_to(copy, "__local")))
            continue;
        sl_text_addf(&stages->result->log,
                     "note: in OpenCL C %s a pointer without an address space is one to private "
                     "memory: say global or local, or take -cl-std=CL3.0\n",
                     standard);
        return;
    }
}

void sl_hint_after_errors(struct sl_stages *stages)
{
    if (stages->reads_again)
        return;
    hint_at_other_device(stages);
    hint_at_standard(stages);
    hint_at_variables(stages);
    hint_at_generic(stages);
    hint_at_cxx(stages);
}
