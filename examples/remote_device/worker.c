/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The process that stands for a card: it has nothing but the shared memory, loads modules and runs
 * kernels one after the other, and ends with its socket. One thread.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "common/base/peer.h"
#include "common/base/values.h"
#include "common/kernel/alone.h"
#include "common/kernel/loader.h"
#include "remote.h"

static int load(const struct remote_request *request, uint64_t *code)
{
    struct sl_loaded *loaded = calloc(1, sizeof *loaded);
    if (!loaded)
        return SL_OUT_OF_HOST_MEMORY;
    int rc =
        sl_loader_open(loaded, request->elf, request->elf_bytes, "remote", NULL, &sl_alone_host);
    if (rc)
        free(loaded);
    else
        *code = (uintptr_t)loaded;
    return rc;
}

static struct remote_answer answer_to(const struct remote_request *request)
{
    struct sl_loaded *loaded = (struct sl_loaded *)(uintptr_t)request->code;
    struct remote_answer answer = {0};
    switch (request->kind) {
    case REMOTE_LOAD:
        answer.status = load(request, &answer.code);
        break;
    case REMOTE_UNLOAD:
        sl_loader_close(loaded);
        free(loaded);
        break;
    case REMOTE_RUN:
        answer.status = sl_alone_run(loaded->info, &request->launch, answer.why, sizeof answer.why);
        break;
    }
    return answer;
}

int main(void)
{
    struct remote_request request;
    if (mmap(REMOTE_BASE, REMOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
             SL_PEER_DESCRIPTORS, 0) != REMOTE_BASE)
        return 1;
    while (recv(SL_PEER_SOCKET, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        struct remote_answer answer = answer_to(&request);
        if (send(SL_PEER_SOCKET, &answer, sizeof answer, MSG_NOSIGNAL) != (ssize_t)sizeof answer)
            break;
    }
    return 0;
}
