/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a row of SLUICE_FPGA_IO can work, before anything is opened: a wrong path is not found
 * out about only when packets are lost. No state. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "fpga/stream/io_binding.h"
#include "fpga/stream/io_error.h"
#include "fpga/stream/io_stream.h"

static bool refuse(char *why, size_t bytes, const char *reason)
{
    snprintf(why, bytes, "%s", reason);
    return false;
}

static bool refuse_errno(char *why, size_t bytes)
{
    return refuse(why, bytes, sl_io_error_text(errno, (char[64]){0}, 64));
}

/* The folder in which a file is to be made. */
static bool check_folder(const char *path, char *why, size_t bytes)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    bool fine = folder && !access(folder, W_OK);
    if (!fine)
        refuse_errno(why, bytes);
    free(folder);
    return fine;
}

static bool check_path(const struct sl_io_binding *b, bool input, char *why, size_t bytes)
{
    struct stat status;
    const bool fifo = b->kind == SL_IO_FIFO;
    if (stat(b->target, &status)) {
        if (errno == ENOENT && !fifo && (!input || b->follow))
            return input ? true : check_folder(b->target, why, bytes);
        return refuse_errno(why, bytes);
    }
    if (S_ISDIR(status.st_mode))
        return refuse(why, bytes, "it is a folder");
    if (fifo && !S_ISFIFO(status.st_mode))
        return refuse(why, bytes, "it is no named pipe");
    if (S_ISSOCK(status.st_mode))
        return refuse(why, bytes, "it is a socket");
    return access(b->target, input ? R_OK : W_OK) ? refuse_errno(why, bytes) : true;
}

/* Whoever is to be connected to may come later. */
static bool check_socket(const struct sl_io_binding *b, char *why, size_t bytes)
{
    struct stat status;
    if (strlen(b->target) >= sizeof((struct sockaddr_un *)0)->sun_path)
        return refuse(why, bytes, "a path that is too long for a socket");
    if (stat(b->target, &status))
        return errno == ENOENT && !b->listen ? true
               : errno == ENOENT             ? check_folder(b->target, why, bytes)
                                             : refuse_errno(why, bytes);
    return S_ISSOCK(status.st_mode) ? true : refuse(why, bytes, "it is no socket");
}

bool sl_io_binding_check(const struct sl_io_binding *b, bool input, char *why, size_t bytes)
{
    switch (b->kind) {
    case SL_IO_FILE:
    case SL_IO_FIFO:
        return check_path(b, input, why, bytes);
    case SL_IO_UNIX:
        return check_socket(b, why, bytes);
    case SL_IO_TCP:
    case SL_IO_PIPE:
    case SL_IO_SHM:
    case SL_IO_MPI:
    case SL_IO_UCX:
    case SL_IO_NULL:
        break;
    }
    return true;
}
