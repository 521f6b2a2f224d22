/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. io->lock guards all that changes. */
#include "fpga/io/io_shared.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/values.h"
#include "fpga/stream/io_binding.h"

int sl_io_create(const struct sl_host_ops *host, const char *topic, struct sl_io **out)
{
    struct sl_io *io = calloc(1, sizeof *io);
    if (!io)
        return SL_OUT_OF_HOST_MEMORY;
    io->host = host;
    io->topic = topic;
    pthread_mutex_init(&io->lock, NULL);
    struct sl_io_bindings now;
    sl_io_read(io, &now);
    sl_io_bindings_finish(&now);
    *out = io;
    return 0;
}

/* It is news, and is not from now on. */
static bool is_news_locked(struct sl_io *io, const char *text)
{
    for (size_t i = 0; i < io->told_count; i++)
        if (!strcmp(io->told[i], text))
            return false;
    char **told = realloc(io->told, (io->told_count + 1) * sizeof *told);
    if (told)
        io->told = told;
    if (told && (told[io->told_count] = strdup(text)))
        io->told_count++;
    return true;
}

void sl_io_say_once(struct sl_io *io, const char *text)
{
    pthread_mutex_lock(&io->lock);
    bool news = is_news_locked(io, text);
    pthread_mutex_unlock(&io->lock);
    if (news)
        io->host->log(SL_LOG_ERROR, SL_LOG_IO, "SLUICE_FPGA_IO: %s", text);
}

void sl_io_read(struct sl_io *io, struct sl_io_bindings *bindings)
{
    sl_io_bindings_read(bindings, io->host->config("SLUICE_FPGA_IO"));
    char *copy = strdup(bindings->fault), *at = copy;
    for (char *line; at && (line = strsep(&at, "\n"));)
        if (*line)
            sl_io_say_once(io, line);
    bindings->starved |= !copy;
    free(copy);
}

void sl_io_destroy(struct sl_io *io)
{
    if (!io)
        return;
    for (size_t i = 0; i < io->pair_count; i++) {
        close(io->pairs[i].fds[0]);
        close(io->pairs[i].fds[1]);
        free(io->pairs[i].name);
    }
    free(io->pairs);
    for (size_t i = 0; i < io->told_count; i++)
        free(io->told[i]);
    free(io->told);
    pthread_mutex_destroy(&io->lock);
    free(io);
}

static struct sl_io_pair *find_pair_locked(struct sl_io *io, const char *name)
{
    size_t i = 0;
    while (i < io->pair_count && strcmp(io->pairs[i].name, name))
        i++;
    return i < io->pair_count ? &io->pairs[i] : NULL;
}

static struct sl_io_pair *add_pair_locked(struct sl_io *io, const char *name)
{
    struct sl_io_pair *pairs = realloc(io->pairs, (io->pair_count + 1) * sizeof *pairs), *pair;
    char *copy = strdup(name);
    if (pairs)
        io->pairs = pairs;
    pair = pairs && copy ? &pairs[io->pair_count] : NULL;
    if (!pair || pipe2(pair->fds, O_CLOEXEC | O_NONBLOCK)) {
        free(copy);
        return NULL;
    }
    pair->name = copy;
    pair->readers = 0;
    io->pair_count++;
    return pair;
}

int sl_io_pair_end(struct sl_io *io, const char *name, bool input)
{
    pthread_mutex_lock(&io->lock);
    struct sl_io_pair *pair = find_pair_locked(io, name);
    if (!pair)
        pair = add_pair_locked(io, name);
    int fd = pair ? pair->fds[!input] : -1;
    if (pair && input)
        pair->readers++;
    pthread_mutex_unlock(&io->lock);
    return fd;
}

void sl_io_pair_leave(struct sl_io *io, const char *name)
{
    pthread_mutex_lock(&io->lock);
    find_pair_locked(io, name)->readers--;
    pthread_mutex_unlock(&io->lock);
}

bool sl_io_pair_is_read(struct sl_io *io, const char *name)
{
    pthread_mutex_lock(&io->lock);
    const struct sl_io_pair *pair = find_pair_locked(io, name);
    bool read = !pair || pair->readers;
    pthread_mutex_unlock(&io->lock);
    return read;
}
