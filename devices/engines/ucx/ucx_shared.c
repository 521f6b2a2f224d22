/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets within one machine: the memory in which a writer keeps what is not read is shared
 * (ucx_memory.c), and the reader copies from there. The writer offers it when both have said who
 * they are; where UCX finds no way from one process to the other (ucp_rkey_ptr of a page of its
 * own), or is told not to use one, packets are a stream.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ucx/ucx_end.h"

/* What begins that memory; what is kept is behind its page. */
struct ucx_board {
    uint64_t self;                          /* whose it is */
    _Alignas(64) _Atomic(uint64_t) written; /* where what is there ends; the writer's */
    _Atomic(uint64_t) turn;                 /* its connections so far */
    _Alignas(64) atomic_uint sleeps;        /* the reader wants a word when there is more */
};

enum { BOARD_BYTES = 4096 };
_Static_assert(sizeof(struct ucx_board) <= BOARD_BYTES, "it has a page");

struct offer {
    uint64_t address, window, turn; /* address: of UCX's page, which begins with who offers it */
    struct ucx_place place;
    char key[];
};

/* ---- the writer's ---------------------------------------------------------------------------- */

/* A page that UCX can find for whoever it has shared memory with, if there is one. */
static bool make_page(struct sl_engine_end *end)
{
    const ucp_mem_map_params_t params = {
        .field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                      UCP_MEM_MAP_PARAM_FIELD_FLAGS,
        .length = BOARD_BYTES,
        .flags = UCP_MEM_MAP_ALLOCATE,
    };
    ucp_mem_attr_t attr = {.field_mask = UCP_MEM_ATTR_FIELD_ADDRESS};
    if (ucp_mem_map(ucx_context(), &params, &end->page))
        return false;
    if (!ucp_mem_query(end->page, &attr) && attr.address) {
        end->page_at = (uintptr_t)attr.address;
        memcpy(attr.address, &end->self, sizeof end->self);
        return true;
    }
    ucp_mem_unmap(ucx_context(), end->page);
    end->page = NULL;
    return false;
}

/* What cannot be shared is as good for a stream. */
bool ucx_make_kept(struct sl_engine_end *end, size_t spare)
{
    end->window = end->slots ? end->slot_bytes : end->window;
    if (make_page(end) && ucx_make_memory(&end->memory, BOARD_BYTES + end->window)) {
        end->board = end->memory.at;
        end->kept = (char *)end->memory.at + BOARD_BYTES;
        end->board->self = end->self;
        return !end->slots || ucx_place_kept(end, spare) || !end->refused;
    }
    end->kept = malloc(end->window);
    return end->kept != NULL;
}

void ucx_free_kept(struct sl_engine_end *end)
{
    if (!end->board)
        free(end->kept);
    ucx_free_memory(&end->memory);
    if (end->page)
        ucp_mem_unmap(ucx_context(), end->page);
}

void ucx_offer_kept(struct sl_engine_end *end)
{
    size_t key_bytes = 0;
    void *key = NULL;
    char text[UCX_MOST_OFFER];
    if (end->offered)
        return;
    end->offered = true;
    if (!end->board || ucp_rkey_pack(ucx_context(), end->page, &key, &key_bytes))
        return;
    if (sizeof(struct offer) + key_bytes <= sizeof text) {
        const struct offer offer = {end->page_at, end->window,
                                    atomic_load_explicit(&end->board->turn, memory_order_relaxed),
                                    ucx_place_of(&end->memory)};
        memcpy(text, &offer, sizeof offer);
        memcpy(text + sizeof offer, key, key_bytes);
        end->sharing = UCX_OFFERED;
        ucx_say_offer(end, text, sizeof offer + key_bytes);
    }
    ucp_rkey_buffer_release(key);
}

/* Who is about to sleep says so and looks again; who has written looks whether he sleeps. */
void ucx_show(struct sl_engine_end *end)
{
    struct ucx_board *board = end->board;
    end->sent = end->written;
    atomic_store_explicit(&board->written, end->written, memory_order_seq_cst);
    if (atomic_load_explicit(&board->sleeps, memory_order_seq_cst) &&
        atomic_exchange_explicit(&board->sleeps, 0, memory_order_relaxed))
        ucx_say(end, UCX_MORE);
}

/* ---- the reader's ---------------------------------------------------------------------------- */

/* The eight bytes there, whatever is there: who lies about an address does not end this process. */
static bool peek(const void *at, uint64_t *word)
{
    int fds[2];
    if (pipe(fds))
        return false;
    bool fine = write(fds[1], at, sizeof *word) == sizeof *word &&
                read(fds[0], word, sizeof *word) == sizeof *word;
    close(fds[0]);
    close(fds[1]);
    return fine;
}

/* UCX has a way to memory of the writer. */
static bool reaches(const struct sl_engine_end *end, const struct offer *offer)
{
    ucp_rkey_h key;
    void *at;
    uint64_t self = 0;
    if (ucp_ep_rkey_unpack(end->ep, end->offer + sizeof *offer, &key))
        return false;
    bool fine = !ucp_rkey_ptr(key, offer->address, &at) && peek(at, &self) && self == end->writer;
    ucp_rkey_destroy(key);
    return fine;
}

/* Whatever the peer says of it, it is there, stays so, and holds whole packets. */
static bool open_offer(struct sl_engine_end *end)
{
    enum { MOST = 1 << 30 };
    struct offer offer;
    if (end->offer_bytes <= sizeof offer)
        return false;
    memcpy(&offer, end->offer, sizeof offer);
    if (!offer.window || offer.window > MOST || offer.window % end->packet_bytes ||
        !reaches(end, &offer) ||
        !ucx_open_memory(&end->memory, &offer.place, BOARD_BYTES + (size_t)offer.window))
        return false;
    end->board = end->memory.at;
    end->kept = (char *)end->memory.at + BOARD_BYTES;
    end->window = offer.window;
    end->turn = offer.turn;
    return end->board->self == end->writer;
}

/* What it had of the writer's memory. */
static void let_go(struct sl_engine_end *end)
{
    ucx_free_memory(&end->memory);
    end->board = NULL;
    end->kept = NULL;
    end->window = end->own_window;
}

void ucx_answer_offer(struct sl_engine_end *end)
{
    if (!end->input || !end->offered)
        return;
    end->sharing = open_offer(end) ? UCX_SHARED : UCX_APART;
    if (end->sharing == UCX_APART)
        let_go(end);
    end->offered = false;
    ucx_say(end, end->sharing == UCX_SHARED ? UCX_SHARE : UCX_STREAM);
}

static uint64_t shown(const struct sl_engine_end *end)
{
    uint64_t written = atomic_load_explicit(&end->board->written, memory_order_acquire);
    uint64_t turn = atomic_load_explicit(&end->board->turn, memory_order_acquire);
    bool any = turn == end->turn && written > end->handed && written - end->handed <= end->window;
    return any ? written - end->handed : 0;
}

static void copy_shared(const struct sl_engine_end *end, char *to, size_t bytes)
{
    size_t at = end->handed % end->window, behind = end->window - at;
    behind = behind < bytes ? behind : bytes;
    memcpy(to, end->kept + at, behind);
    memcpy(to + behind, end->kept, bytes - behind);
}

/* What a writer has written for the next reader, since it has given up this one, is not ours. */
size_t ucx_read_shared(struct sl_engine_end *end, char *to, size_t bytes)
{
    uint64_t there = shown(end);
    bytes = bytes < there ? bytes : (size_t)there;
    if (!bytes)
        return 0;
    if (ucx_is_in_place(end, to))
        bytes = (size_t)ucx_whole(end, bytes);
    else
        copy_shared(end, to, bytes);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load_explicit(&end->board->turn, memory_order_relaxed) != end->turn)
        return 0;
    ucx_hand(end, bytes);
    return bytes;
}

bool ucx_has_shared(const struct sl_engine_end *end)
{
    return end->input && end->sharing == UCX_SHARED && end->head_bytes == sizeof end->head &&
           shown(end);
}

bool ucx_may_sleep(struct sl_engine_end *end)
{
    if (!end->input || end->sharing != UCX_SHARED)
        return true;
    atomic_store_explicit(&end->board->sleeps, 1, memory_order_seq_cst);
    atomic_thread_fence(memory_order_seq_cst);
    if (!ucx_has_shared(end))
        return true;
    atomic_store_explicit(&end->board->sleeps, 0, memory_order_relaxed);
    return false;
}

/* ---- both ------------------------------------------------------------------------------------ */

void ucx_stop_sharing(struct sl_engine_end *end)
{
    if (!end->input && end->board) {
        atomic_fetch_add_explicit(&end->board->turn, 1, memory_order_seq_cst);
        atomic_store_explicit(&end->board->sleeps, 0, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst); /* before anything else is written there */
    }
    ucx_leave_place(end);
    end->copies = false;
    if (end->input)
        let_go(end);
    end->offered = false;
    end->sharing = UCX_APART;
}
