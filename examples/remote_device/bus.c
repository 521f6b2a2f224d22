/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process that stands for the card, and requests to it. What its kernels print is in a file
 * that only the two have, and becomes output of this process when the kernel has ended.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "card.h"

/* A program beside this library. */
static bool worker_path(char *path, size_t bytes)
{
    Dl_info own;
    if (!dladdr((void *)(uintptr_t)worker_path, &own))
        return false;
    int folder = (int)(strrchr(own.dli_fname, '/') - own.dli_fname);
    return snprintf(path, bytes, "%.*s/remote_worker", folder, own.dli_fname) < (int)bytes;
}

static int spawn(struct remote *remote, int peer)
{
    char path[4096];
    char *const none[] = {NULL}, *argv[] = {path, NULL};
    posix_spawn_file_actions_t actions;
    if (!worker_path(path, sizeof path))
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, remote->output_fd, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, peer, REMOTE_SOCKET);
    posix_spawn_file_actions_adddup2(&actions, remote->memory_fd, REMOTE_MEMORY);
    int rc = posix_spawn(&remote->worker, path, &actions, NULL, argv, none);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

/* Above the numbers that descriptors get in the process. */
static int moved_up(int fd)
{
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 64);
    if (fd >= 0)
        close(fd);
    return high;
}

int card_start_worker(struct remote *remote)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return SL_OUT_OF_RESOURCES;
    int peer = moved_up(ends[1]);
    remote->socket = ends[0];
    remote->output_fd = moved_up(memfd_create("remote-output", MFD_CLOEXEC));
    int rc = peer < 0 || remote->output_fd < 0 || fcntl(remote->output_fd, F_SETFL, O_APPEND) ||
             spawn(remote, peer);
    if (peer >= 0)
        close(peer);
    if (!rc)
        return 0;
    close(remote->socket);
    if (remote->output_fd >= 0)
        close(remote->output_fd);
    return SL_OUT_OF_RESOURCES;
}

/* It ends with its socket. */
void card_stop_worker(struct remote *remote)
{
    close(remote->socket);
    while (waitpid(remote->worker, NULL, 0) < 0 && errno == EINTR)
        ;
    close(remote->output_fd);
}

static void pass_output(int fd)
{
    char part[4096];
    off_t at = 0;
    ssize_t got;
    while ((got = pread(fd, part, sizeof part, at)) > 0) {
        fwrite(part, 1, (size_t)got, stdout);
        at += got;
    }
    if (at && (fflush(stdout) || ftruncate(fd, 0)))
        fprintf(stderr, "remote device: output is lost\n");
}

struct remote_answer card_ask(struct remote *remote, const struct remote_request *request)
{
    const struct remote_answer none = {.status = SL_OUT_OF_RESOURCES,
                                       .why = "the card's process has ended"};
    struct remote_answer answer;
    pthread_mutex_lock(&remote->bus);
    ssize_t sent, got = 0;
    /* A handler of the application's may come between: an answer that is left would be taken for
     * the next one's. */
    while ((sent = send(remote->socket, request, sizeof *request, MSG_NOSIGNAL)) < 0 &&
           errno == EINTR)
        ;
    while (sent == (ssize_t)sizeof *request &&
           (got = recv(remote->socket, &answer, sizeof answer, 0)) < 0 && errno == EINTR)
        ;
    if (request->kind == REMOTE_RUN)
        pass_output(remote->output_fd);
    pthread_mutex_unlock(&remote->bus);
    return got == (ssize_t)sizeof answer ? answer : none;
}
