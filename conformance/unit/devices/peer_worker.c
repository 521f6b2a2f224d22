/* SPDX-License-Identifier: Apache-2.0 */
/* A program that a device has as a process (peer_test.c): answers each request with its first byte
 * until the socket closes; after a request "s" it does not end with that. */
#include <signal.h>
#include <unistd.h>

int main(void)
{
    enum { SOCKET = 3 };
    char request = 0, stays = 0;
    while (read(SOCKET, &request, 1) == 1) {
        stays |= request == 's';
        if (write(SOCKET, &request, 1) != 1)
            break;
    }
    signal(SIGTERM, SIG_IGN);
    while (stays)
        pause();
    return 0;
}
