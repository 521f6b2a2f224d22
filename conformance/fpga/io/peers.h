/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that run at once: jobs of this very program (child.h) that talk to each other by I/O
 * pipes. What cannot be started ends the case. */
#ifndef SLUICE_TEST_PEERS_H
#define SLUICE_TEST_PEERS_H

#include <stddef.h>
#include <sys/types.h>

struct peer {
    pid_t pid;
    int out, err; /* owned: pipes from there */
    char said[8192];
    size_t said_bytes; /* of stderr, as far as it was listened to, and all once it has ended */
};

/* `env` as in child.h. It dies with this process. */
struct peer peer_start(const char *job, const char *const *env);
/* Until it has printed a line, which is put into `line`; ends the case when it does not. */
void peer_await(struct peer *peer, char *line, size_t bytes);
/* Until it has said that on stderr, at most a minute. */
void peer_listen(struct peer *peer, const char *words);
/* Its exit status, or 128 + the signal; what it has said on stderr is in peer->said. After
 * `seconds` it is killed. */
int peer_end(struct peer *peer, double seconds);
/* SIGKILL, and waits for that. */
void peer_kill(struct peer *peer);

#endif
