/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The card's memory, in blocks. Memory of the application's (CL_MEM_USE_HOST_PTR) stays where it
 * is; a kernel gets a copy on the card, and what it has changed there comes back behind it.
 */
#include <stdlib.h>
#include <string.h>

#include "card.h"

unsigned char *card_take(struct remote *remote, size_t bytes)
{
    size_t want = bytes / BLOCK + 1, run = 0;
    unsigned char *found = NULL;
    pthread_mutex_lock(&remote->blocks);
    for (size_t i = 0; i < BLOCKS && !found && want <= BLOCKS; i++) {
        run = remote->used[i] ? 0 : run + 1;
        if (run < want)
            continue;
        memset(&remote->used[i + 1 - want], 2, want);
        remote->used[i + 1 - want] = 1;
        found = REMOTE_BASE + (i + 1 - want) * BLOCK;
    }
    pthread_mutex_unlock(&remote->blocks);
    return found;
}

void card_give(struct remote *remote, unsigned char *at)
{
    if (!at)
        return;
    size_t i = (size_t)(at - REMOTE_BASE) / BLOCK;
    pthread_mutex_lock(&remote->blocks);
    do
        remote->used[i++] = 0;
    while (i < BLOCKS && remote->used[i] == 2);
    pthread_mutex_unlock(&remote->blocks);
}

int card_memory_create(struct sl_device *device, const struct sl_memory_desc *desc,
                       struct sl_memory **out)
{
    struct remote *remote = remote_of(device);
    struct sl_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return SL_OUT_OF_HOST_MEMORY;
    *memory = (struct sl_memory){.remote = remote,
                                 .bytes = desc->size_bytes,
                                 .at = card_take(remote, desc->size_bytes),
                                 .host = desc->host_ptr};
    if (memory->host)
        memory->sent = malloc(desc->size_bytes);
    if (!memory->at || (memory->host && !memory->sent)) {
        card_memory_destroy(memory);
        return SL_MEM_ALLOCATION_FAILURE;
    }
    if (!desc->filled)
        memset(memory->at, 0, desc->size_bytes);
    *out = memory;
    return 0;
}

void card_memory_destroy(struct sl_memory *memory)
{
    if (!memory)
        return;
    card_give(memory->remote, memory->at);
    free(memory->sent);
    free(memory);
}

void *card_memory_host(struct sl_memory *memory)
{
    return memory->host ? memory->host : memory->at;
}

void card_memory_send(struct sl_memory *memory)
{
    if (!memory->host)
        return;
    memcpy(memory->sent, memory->host, memory->bytes);
    memcpy(memory->at, memory->sent, memory->bytes);
}

/* Only bytes that have changed: the application may write to others meanwhile. */
void card_memory_receive(struct sl_memory *memory)
{
    for (size_t first = 0; memory->host && first < memory->bytes; first += BLOCK) {
        size_t left = memory->bytes - first, end = first + (left < BLOCK ? left : BLOCK);
        if (!memcmp(memory->at + first, memory->sent + first, end - first))
            continue;
        for (size_t i = first; i < end; i++)
            if (memory->at[i] != memory->sent[i])
                memory->host[i] = memory->at[i];
    }
}
