/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. One thread; no lock. */
#include "peers.h"

#include "cl_help.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static _Noreturn void become(const char *job, const char *const *env, int out, int err,
                             pid_t parent)
{
    char self[4096] = "";
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127); /* it ended before */
    signal(SIGALRM, SIG_DFL);
    alarm(0);
    for (; env && *env; env++) {
        const char *equal = strchr(*env, '=');
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)(equal ? equal - *env : 127), *env);
        if (equal)
            setenv(name, equal + 1, 1);
        else
            unsetenv(name);
    }
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    if (readlink("/proc/self/exe", self, sizeof self - 1) > 0)
        execl(self, self, "--job", job, NULL);
    _exit(127);
}

struct peer peer_start(const char *job, const char *const *env)
{
    struct peer peer = {0};
    int out[2], err[2];
    REQUIRE(!pipe(out) && !pipe(err));
    fflush(NULL);
    pid_t self = getpid();
    peer.pid = fork();
    REQUIRE(peer.pid >= 0);
    if (!peer.pid) {
        close(out[0]);
        close(err[0]);
        become(job, env, out[1], err[1], self);
    }
    close(out[1]);
    close(err[1]);
    peer.out = out[0];
    peer.err = err[0];
    return peer;
}

/* What there is; false at the end, or when nothing comes until then. */
static int take(int fd, char *to, size_t room, double until, size_t *got)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    double left = until - now();
    if (poll(&ready, 1, left > 0 ? (int)(left * 1000) : 0) <= 0)
        return 0;
    ssize_t count = read(fd, to, room);
    *got = count > 0 ? (size_t)count : 0;
    return count > 0;
}

void peer_await(struct peer *peer, char *line, size_t bytes)
{
    double until = now() + 60;
    size_t used = 0, got;
    while (used + 1 < bytes && take(peer->out, line + used, 1, until, &got) && line[used] != '\n')
        used++;
    line[used] = 0;
    REQUIRE(used);
}

void peer_listen(struct peer *peer, const char *words)
{
    const size_t room = sizeof peer->said - 1;
    double until = now() + 60;
    size_t got;
    while (!strstr(peer->said, words) && peer->said_bytes < room &&
           take(peer->err, peer->said + peer->said_bytes, room - peer->said_bytes, until, &got))
        peer->said_bytes += got;
}

static int status_of(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int peer_end(struct peer *peer, double seconds)
{
    double until = now() + seconds;
    size_t room = sizeof peer->said - 1, got;
    char rest[256];
    int status;
    /* Its stderr ends when it does; a reader that keeps up keeps it from waiting. */
    while (take(peer->err, peer->said_bytes < room ? peer->said + peer->said_bytes : rest,
                peer->said_bytes < room ? room - peer->said_bytes : sizeof rest, until, &got))
        if (peer->said_bytes < room)
            peer->said_bytes += got;
    while (waitpid(peer->pid, &status, WNOHANG) == 0) {
        if (now() > until)
            kill(peer->pid, SIGKILL);
        usleep(2000);
    }
    close(peer->out);
    close(peer->err);
    return status_of(status);
}

void peer_kill(struct peer *peer)
{
    kill(peer->pid, SIGKILL);
    peer_end(peer, 10);
}
