/* SPDX-License-Identifier: Apache-2.0 */
/* SLUICE_FPGA_IO as rows. No lock: each program's are read once, then constant. */
#include "fpga/stream/io_binding.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fpga/stream/shm_ring.h"

enum { OPTION_APPEND = 1, OPTION_LOOP = 2, OPTION_LISTEN = 4, OPTION_FOLLOW = 8 };

static const struct {
    const char *word;
    enum sl_io_kind kind;
    bool wants_target;
    unsigned options;
} kinds[] = {
    {"file", SL_IO_FILE, true, OPTION_APPEND | OPTION_LOOP | OPTION_FOLLOW},
    {"fifo", SL_IO_FIFO, true, 0},
    {"unix", SL_IO_UNIX, true, OPTION_LISTEN},
    {"tcp", SL_IO_TCP, true, OPTION_LISTEN},
    {"pipe", SL_IO_PIPE, true, 0},
    {"shm", SL_IO_SHM, true, 0},
    {"mpi", SL_IO_MPI, true, 0},
    {"ucx", SL_IO_UCX, true, OPTION_LISTEN},
    {"null", SL_IO_NULL, false, 0},
};

static const struct {
    const char *word;
    unsigned bit;
} options[] = {{"append", OPTION_APPEND},
               {"loop", OPTION_LOOP},
               {"follow", OPTION_FOLLOW},
               {"listen", OPTION_LISTEN}};

/* What does not fit is cut off. */
static int refuse(struct sl_io_bindings *b, const char *row, const char *reason)
{
    size_t used = strlen(b->fault);
    snprintf(b->fault + used, sizeof b->fault - used, "%s\"%s\": %s", used ? "\n" : "", row,
             reason);
    return -1;
}

/* No fault of the setting's: what it binds is not known, and nobody may go on without that. */
static int starve(struct sl_io_bindings *b)
{
    b->starved = true;
    return -1;
}

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = 0;
    return text;
}

/* Cuts known options off the end of the target: a path may hold commas. */
static unsigned take_options(char *target)
{
    unsigned found = 0;
    for (char *comma; (comma = strrchr(target, ','));) {
        unsigned bit = 0;
        for (size_t i = 0; i < sizeof options / sizeof *options; i++)
            if (!strcmp(comma + 1, options[i].word))
                bit = options[i].bit;
        if (!bit)
            break;
        found |= bit;
        *comma = 0;
    }
    return found;
}

/* Letters behind the last comma of something that is not there. */
static const char *unknown_option(const char *target)
{
    const char *comma = strrchr(target, ','), *at = comma ? comma + 1 : "";
    if (!*at || !access(target, F_OK))
        return NULL;
    while (isalpha((unsigned char)*at))
        at++;
    return *at ? NULL : comma + 1;
}

static int refuse_option(struct sl_io_bindings *b, const char *row, size_t k, const char *word)
{
    char reason[128];
    size_t used =
        (size_t)snprintf(reason, sizeof reason, "no option \"%.32s\", %s has", word, kinds[k].word);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (kinds[k].options & options[i].bit)
            used += (size_t)snprintf(reason + used, sizeof reason - used, " %s", options[i].word);
    if (!kinds[k].options)
        snprintf(reason + used, sizeof reason - used, " none");
    return refuse(b, row, reason);
}

/* A number, or the name of a service. */
static bool is_port(const char *text)
{
    char *end;
    long port = strtol(text, &end, 10);
    if (!isdigit((unsigned char)*text))
        return *text != 0;
    return !*end && port > 0 && port <= 65535;
}

static void drop_row(struct sl_io_binding *binding)
{
    free(binding->name);
    free(binding->target);
    free(binding->row);
}

static int append(struct sl_io_bindings *b, struct sl_io_binding binding)
{
    struct sl_io_binding *rows = realloc(b->rows, (b->count + 1) * sizeof *rows);
    if (rows)
        b->rows = rows;
    if (!rows || !binding.name || !binding.target || !binding.row) {
        drop_row(&binding);
        return starve(b);
    }
    rows[b->count++] = binding;
    return 0;
}

static int add(struct sl_io_bindings *b, const char *row, const char *name, size_t k, char *target)
{
    bool has_port = kinds[k].kind == SL_IO_TCP || kinds[k].kind == SL_IO_UCX;
    unsigned found = take_options(target);
    const char *unknown = unknown_option(target);
    if (found & ~kinds[k].options)
        return refuse(b, row, "an option that this kind does not have");
    if (kinds[k].kind == SL_IO_SHM && *target && !sl_shm_is_key(target))
        return refuse(b, row, "a key is up to 63 letters, digits, '.', '_' and '-'");
    if (unknown && kinds[k].kind != SL_IO_PIPE)
        return refuse_option(b, row, k, unknown);
    if (kinds[k].wants_target && !*target)
        return refuse(b, row, "nothing behind the colon");
    if (has_port && !strrchr(target, ':'))
        return refuse(b, row, "it wants HOST:PORT");
    if (has_port && !is_port(strrchr(target, ':') + 1))
        return refuse(b, row, "no port from 1 to 65535");
    if (sl_io_binding_of(b, name))
        return refuse(b, row, "this name is bound already");
    if (found & OPTION_LOOP && found & OPTION_FOLLOW)
        return refuse(b, row, "loop and follow mean different things at the end of the file");
    return append(b, (struct sl_io_binding){
                         .name = strdup(name),
                         .target = strdup(target),
                         .row = strdup(row),
                         .kind = kinds[k].kind,
                         .append = found & OPTION_APPEND,
                         .loop = found & OPTION_LOOP,
                         .follow = found & OPTION_FOLLOW,
                         .listen = found & OPTION_LISTEN,
                     });
}

static int set_folder(struct sl_io_bindings *b, const char *row, const char *folder)
{
    if (b->folder)
        return refuse(b, row, "there is such a row already");
    b->folder = strdup(*folder ? folder : ".");
    return b->folder ? 0 : starve(b);
}

static int read_row(struct sl_io_bindings *b, char *text)
{
    static const char folder[] = "files:";
    char row[128];
    text = trim(text);
    if (!*text)
        return 0;
    snprintf(row, sizeof row, "%s", text);
    if (!strncmp(text, folder, strlen(folder)))
        return set_folder(b, row, trim(text + strlen(folder)));
    char *equals = strchr(text, '='), *colon = equals ? strchr(equals, ':') : NULL;
    if (!colon)
        return refuse(b, row, "want NAME=KIND:TARGET");
    *equals = *colon = 0;
    char *name = trim(text), *word = trim(equals + 1);
    if (!*name)
        return refuse(b, row, "a name is missing");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(word, kinds[k].word))
            return add(b, row, name, k, trim(colon + 1));
    return refuse(b, row,
                  "no kind of this name (file, fifo, unix, tcp, pipe, shm, mpi, ucx, null)");
}

static void read_rows(struct sl_io_bindings *b, char *text)
{
    for (char *at = text, *line; (line = strsep(&at, "\n"));) {
        char *comment = strchr(line, '#');
        if (comment)
            *comment = 0;
        for (char *row; (row = strsep(&line, ";"));)
            read_row(b, row);
    }
}

static char *file_text(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t capacity = 0;
    if (!file)
        return NULL;
    ssize_t length = getdelim(&text, &capacity, 0, file);
    if (length < 0 && !ferror(file) && text)
        *text = 0; /* an empty file */
    else if (length < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

void sl_io_bindings_read(struct sl_io_bindings *bindings, const char *setting)
{
    *bindings = (struct sl_io_bindings){0};
    if (!setting || !*setting)
        return;
    char *text = *setting == '@' ? file_text(setting + 1) : strdup(setting);
    if (text)
        read_rows(bindings, text);
    else if (errno == ENOMEM || errno == EMFILE || errno == ENFILE)
        starve(bindings);
    else
        refuse(bindings, setting, strerror(errno));
    free(text);
}

/* No path that leads out of the folder. */
static bool is_plain(const char *name)
{
    return *name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..");
}

void sl_io_bindings_cover(struct sl_io_bindings *b, const char *name)
{
    struct stat status;
    char *path = NULL, *row = NULL;
    if (!b->folder || !is_plain(name) || sl_io_is_bound(b, name))
        return;
    if (asprintf(&path, "%s/%s", b->folder, name) < 0)
        path = NULL;
    bool fifo = path && !stat(path, &status) && S_ISFIFO(status.st_mode);
    if (!path || asprintf(&row, "%s=%s:%s", name, fifo ? "fifo" : "file", path) < 0)
        row = NULL;
    append(b, (struct sl_io_binding){.name = strdup(name),
                                     .target = path,
                                     .row = row,
                                     .kind = fifo ? SL_IO_FIFO : SL_IO_FILE,
                                     .append = !fifo,
                                     .follow = !fifo,
                                     .late = !fifo});
}

void sl_io_bindings_finish(struct sl_io_bindings *bindings)
{
    for (size_t i = 0; i < bindings->count; i++)
        drop_row(&bindings->rows[i]);
    free(bindings->rows);
    free(bindings->folder);
    *bindings = (struct sl_io_bindings){0};
}

const struct sl_io_binding *sl_io_binding_of(const struct sl_io_bindings *bindings,
                                             const char *name)
{
    for (size_t i = 0; i < bindings->count; i++)
        if (!strcmp(bindings->rows[i].name, name))
            return &bindings->rows[i];
    return NULL;
}

bool sl_io_is_source(const struct sl_io_bindings *bindings, const char *name)
{
    for (size_t i = 0; i < bindings->count; i++)
        if (bindings->rows[i].kind == SL_IO_PIPE && !strcmp(bindings->rows[i].target, name))
            return true;
    return false;
}

bool sl_io_is_bound(const struct sl_io_bindings *bindings, const char *name)
{
    return sl_io_binding_of(bindings, name) || sl_io_is_source(bindings, name);
}
