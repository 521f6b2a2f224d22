/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of whole pages that nobody copies between the two kernels: the ring of the writer's pipe
 * is what it keeps, and within one machine the reader has that memory in place of its own ring, the
 * other way round if their packets have other numbers. Its kernel goes on with what is in the ring
 * while memory comes and goes there: the packets in it are the same before and after.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "ucx/ucx_end.h"

enum { PAGE = 4096 };

/* UCX has a mremap of its own in the process, which forgets where to. */
static char *remap(char *at, size_t bytes, size_t wanted, int how, char *to)
{
    return (char *)syscall(SYS_mremap, at, bytes, wanted, MREMAP_MAYMOVE | how, to);
}

/* The same pages at a second address; only shared ones can have that. */
static char *again(char *at, size_t bytes)
{
    return remap(at, 0, bytes, 0, NULL);
}

/* All at once, as other threads see it. */
static bool move_to(char *to, char *from, size_t bytes)
{
    return remap(from, bytes, bytes, MREMAP_FIXED, to) == to;
}

static char *fresh_pages(size_t bytes)
{
    return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* There may be nothing at all now where kernels look: empty pages, if they can be had. */
static void give_up(struct sl_engine_end *end)
{
    void *at = mmap(end->slots, end->slot_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    strcpy(end->trouble, at == end->slots ? "no memory" : "no memory, not even for its ring");
    end->refused = end->broken = true;
}

bool ucx_place_kept(struct sl_engine_end *end, size_t spare)
{
    if ((uintptr_t)end->kept % PAGE || end->window != end->slot_bytes)
        return false;
    char *kept = again(end->kept, end->window);
    if (kept == MAP_FAILED)
        return false;
    if (!move_to(end->slots, kept, end->window)) {
        munmap(kept, end->window);
        give_up(end);
        return false;
    }
    end->in_place = true;
    end->spare = spare;
    return true;
}

/* ---- the reader's ---------------------------------------------------------------------------- */

static bool take_place(struct sl_engine_end *end, size_t shift)
{
    size_t rest = end->window - shift;
    char *high = again(end->kept, rest), *low = shift ? again(end->kept + rest, shift) : NULL;
    bool fine = high != MAP_FAILED && low != MAP_FAILED;
    end->shift = shift;
    end->in_place = fine && move_to(end->slots + shift, high, rest) &&
                    (!shift || move_to(end->slots, low, shift));
    if (fine && !end->in_place)
        give_up(end);
    else if (!fine && high != MAP_FAILED)
        munmap(high, rest);
    if (!fine && shift && low != MAP_FAILED)
        munmap(low, shift);
    return end->in_place;
}

/* Nothing is in the pipe that would have to stay. */
static bool can_take_place(const struct sl_engine_end *end, size_t at)
{
    return end->slots && end->slot_bytes == end->window && !end->held && !end->copies &&
           (uintptr_t)end->kept % PAGE == 0 && at < end->window && at % end->packet_bytes == 0 &&
           end->handed % end->packet_bytes == 0 && end->packet_bytes % PAGE == 0;
}

bool ucx_is_in_place(struct sl_engine_end *end, const char *to)
{
    const size_t at = (size_t)(to - end->slots); /* of anywhere else it is too much */
    const size_t wanted = end->handed % end->window;
    if (!end->in_place && can_take_place(end, at))
        end->copies = !take_place(end, (at + end->window - wanted) % end->window);
    if (end->in_place && at != (wanted + end->shift) % end->window)
        ucx_leave_place(end);
    return end->in_place;
}

static void copy_held(const struct sl_engine_end *end, char *to)
{
    size_t at = (size_t)((end->handed - end->held + end->shift) % end->window);
    size_t bytes = end->held < end->window ? (size_t)end->held : end->window;
    size_t behind = end->window - at;
    behind = behind < bytes ? behind : bytes;
    memcpy(to + at, end->slots + at, behind);
    memcpy(to, end->slots, bytes - behind);
}

void ucx_leave_place(struct sl_engine_end *end)
{
    if (!end->in_place || !end->input)
        return;
    char *own = fresh_pages(end->slot_bytes);
    end->in_place = false;
    end->copies = true;
    if (own != MAP_FAILED)
        copy_held(end, own);
    if (own == MAP_FAILED || !move_to(end->slots, own, end->slot_bytes))
        give_up(end);
}
