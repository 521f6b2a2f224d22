/* SPDX-License-Identifier: Apache-2.0 */
#include "common/base/peer.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/base/values.h"

static bool beside(void (*inside)(void), const char *name, char *path, size_t bytes)
{
    Dl_info own;
    if (!dladdr((void *)(uintptr_t)inside, &own) || !strchr(own.dli_fname, '/'))
        return false;
    int folder = (int)(strrchr(own.dli_fname, '/') - own.dli_fname);
    return snprintf(path, bytes, "%.*s/%s", folder, own.dli_fname, name) < (int)bytes;
}

/* Above the numbers that descriptors get in the program. */
static int moved_up(int fd)
{
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, SL_PEER_HIGH);
    if (fd >= 0)
        close(fd);
    return high;
}

int sl_peer_memory(const char *name, size_t bytes)
{
    int fd = moved_up(memfd_create(name, MFD_CLOEXEC));
    if (fd < 0 || !ftruncate(fd, (off_t)bytes))
        return fd;
    close(fd);
    return -1;
}

static int spawn(struct sl_peer *peer, char *path, int socket, const int *descriptors, size_t count)
{
    char *const none[] = {NULL}, *argv[] = {path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, peer->output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, socket, SL_PEER_SOCKET);
    for (size_t i = 0; i < count; i++)
        posix_spawn_file_actions_adddup2(&actions, descriptors[i], SL_PEER_DESCRIPTORS + (int)i);
    int rc = posix_spawn(&peer->process, path, &actions, NULL, argv, none);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

int sl_peer_start(struct sl_peer *peer, const char *name, void (*inside)(void),
                  const int *descriptors, size_t descriptor_count)
{
    char path[PATH_MAX];
    int ends[2];
    if (!beside(inside, name, path, sizeof path) ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
        return SL_OUT_OF_RESOURCES;
    int theirs = moved_up(ends[1]);
    peer->socket = ends[0];
    peer->output = sl_peer_memory("output", 0);
    int rc = theirs < 0 || peer->output < 0 || fcntl(peer->output, F_SETFL, O_APPEND) ||
             spawn(peer, path, theirs, descriptors, descriptor_count);
    if (theirs >= 0)
        close(theirs);
    if (!rc) {
        pthread_mutex_init(&peer->lock, NULL);
        return 0;
    }
    close(peer->socket);
    if (peer->output >= 0)
        close(peer->output);
    return SL_OUT_OF_RESOURCES;
}

/* false: it goes on. What the application has waited for itself has ended too. */
static bool ended_within(pid_t process, int64_t ms)
{
    const int64_t ns = 1000000;
    int64_t nap = ns / 10;
    for (int64_t left = ms * ns;; left -= nap, nap = nap < 20 * ns ? 2 * nap : nap) {
        pid_t ended = waitpid(process, NULL, WNOHANG);
        if (ended == process || (ended < 0 && errno != EINTR))
            return true;
        if (left <= 0)
            return false;
        nanosleep(&(struct timespec){0, (long)nap}, NULL);
    }
}

void sl_peer_stop(struct sl_peer *peer)
{
    close(peer->socket);
    /* What even a killed program still waits for, in the kernel, is not waited for. */
    if (!ended_within(peer->process, SL_PEER_GRACE_MS) && !kill(peer->process, SIGKILL))
        (void)ended_within(peer->process, SL_PEER_GRACE_MS);
    close(peer->output);
    pthread_mutex_destroy(&peer->lock);
}

static void pass_output(int fd)
{
    char part[1024];
    off_t at = 0;
    ssize_t got;
    while ((got = pread(fd, part, sizeof part, at)) > 0) {
        fwrite(part, 1, (size_t)got, stdout);
        at += got;
    }
    if (at && (fflush(stdout) || ftruncate(fd, 0)))
        fprintf(stderr, "a device's output is lost\n");
}

bool sl_peer_ask(struct sl_peer *peer, const void *request, size_t request_bytes, void *answer,
                 size_t answer_bytes)
{
    pthread_mutex_lock(&peer->lock);
    ssize_t sent, got = 0;
    /* A handler of the application's may come between: an answer that is left would be taken for
     * the next one's. */
    while ((sent = send(peer->socket, request, request_bytes, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    while (sent == (ssize_t)request_bytes &&
           (got = recv(peer->socket, answer, answer_bytes, 0)) < 0 && errno == EINTR)
        ;
    pass_output(peer->output);
    pthread_mutex_unlock(&peer->lock);
    return got == (ssize_t)answer_bytes;
}
