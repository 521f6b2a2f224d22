/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops are noted, and the code for that; see the header. No shared state. */
#include "pipes/journal.h"

#include <stdlib.h>
#include <string.h>

#include "items/work_item.h"
#include "pipes/batch.h"
#include "llvm/pass_support.h"

/* More rounds than that at a time are told, which lets the clock go through all of them at once. */
enum { ITERATIONS = 3, MOST_MARKS = 8, MOST_BLOCKS = 256, FEW_ROUNDS = 64 };
#define NO_EVENT UINT32_MAX

/* Of an operation, with the marks in front of it in its block; or of marks alone. */
struct note {
    LLVMValueRef call; /* the operation, or the last mark */
    LLVMValueRef marks[MOST_MARKS];
    uint32_t mark_count, move, event;
    uint32_t marks_event; /* of an operation's marks alone */
};

struct sl_journal {
    struct sl_list notes; /* owned */
    struct sl_map of;     /* operation -> its note */
    struct sl_map left;   /* operation that the runtime notes -> itself */
    struct sl_map marks;  /* mark -> itself */
    struct sl_map blocks; /* of such loops -> itself */
    struct sl_list ways_out, events, kinds;
    struct sl_kept_pipe_end *rings[SL_PIPE_MOST_RINGS];
    uint32_t places[SL_PIPE_MOST_RINGS]; /* one at each of them */
    uint32_t ring_count;
    bool shares;
    LLVMValueRef journal; /* address, in the whole function */
    LLVMValueRef kept;    /* variable, for code that is made before it is; NULL: there is none */
};

struct region { /* a loop that is looked at */
    struct sl_pipe_expander *x;
    const struct sl_cfg *cfg;
    bool *body;
    uint32_t header, count, operations;
    bool shares;
};

static struct note *note_of(const struct sl_pipe_expander *x, LLVMValueRef call)
{
    return x->journal ? sl_map_get(&x->journal->of, call) : NULL;
}

/* ---- which loops ----------------------------------------------------------------------------- */

/* False: it is not entered at its header only, or too large. */
static bool add_body(struct region *r, uint32_t b)
{
    if (r->body[b])
        return true;
    if (b < r->header || ++r->count > MOST_BLOCKS)
        return false;
    r->body[b] = true;
    const struct sl_block *block = &r->cfg->blocks[b];
    for (uint32_t i = 0; i < block->pred_count; i++)
        if (!add_body(r, block->pred[i]))
            return false;
    return true;
}

static bool find_body(struct region *r)
{
    const struct sl_block *header = &r->cfg->blocks[r->header];
    bool good = true;
    memset(r->body, 0, r->cfg->count * sizeof *r->body);
    r->body[r->header] = true;
    r->count = 0;
    for (uint32_t i = 0; i < header->pred_count && good; i++)
        if (header->pred[i] >= r->header)
            good = add_body(r, header->pred[i]);
    for (uint32_t i = 0; i < header->pred_count; i++) /* of one block */
        r->count += header->pred[i] == r->header;
    return good && r->count;
}

static bool is_plain_mark(LLVMValueRef call)
{
    bool plain = !sl_pipe_nest_rows(call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && plain; i++)
        plain = LLVMIsAConstantInt(LLVMGetArgOperand(call, i)) ||
                (i == ITERATIONS && LLVMIsAConstantInt(LLVMGetArgOperand(call, 0)) &&
                 LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 0)) == SL_LOOP_IS_THROUGH);
    return plain;
}

static bool is_item(LLVMValueRef mark)
{
    return !sl_pipe_nest_rows(mark) &&
           (!LLVMIsAConstantInt(LLVMGetArgOperand(mark, 0)) ||
            LLVMConstIntGetZExtValue(LLVMGetArgOperand(mark, 0)) == SL_LOOP_IS_ITEM);
}

static bool is_allowed(struct region *r, LLVMValueRef i)
{
    const struct sl_pipe_place *place = sl_batch_place(r->x, i);
    if (place) {
        r->operations++;
        return place->blocking && !place->foreign && !place->claims && place->variable >= 0;
    }
    if (sl_batch_is_mark(i))
        return !is_item(i);
    const enum sl_batch_sight sight = sl_batch_sight_of(i);
    r->shares |= sight == SL_BATCH_SHARED;
    return sight != SL_BATCH_SEEN;
}

static bool is_good(struct region *r)
{
    bool good = find_body(r);
    r->operations = 0;
    r->shares = false;
    for (uint32_t b = r->header; b < r->cfg->count && good; b++) {
        LLVMValueRef i = r->body[b] ? LLVMGetFirstInstruction(r->cfg->blocks[b].ref) : NULL;
        for (; i && good; i = LLVMGetNextInstruction(i))
            good = is_allowed(r, i);
    }
    return good && r->operations;
}

/* ---- what is noted --------------------------------------------------------------------------- */

static uint32_t add_ring(struct sl_pipe_expander *x, LLVMValueRef call)
{
    struct sl_journal *j = x->journal;
    struct sl_kept_pipe_end *end = sl_pipe_kept_end(x, call);
    uint32_t i = 0;
    while (i < j->ring_count && j->rings[i] != end)
        i++;
    if (!end || i == SL_PIPE_MOST_RINGS)
        return SL_PIPE_NO_MOVE;
    j->places[i] = sl_pipe_place_of(call);
    j->rings[i] = end;
    j->ring_count += i == j->ring_count;
    return i;
}

static struct note *open_note(struct sl_journal *j)
{
    struct note *note = sl_ir_alloc(1, sizeof *note);
    *note = (struct note){.move = SL_PIPE_NO_MOVE, .event = NO_EVENT, .marks_event = NO_EVENT};
    sl_list_add(&j->notes, note);
    return note;
}

static void add_mark(struct sl_journal *j, struct note *note, LLVMValueRef mark)
{
    note->marks[note->mark_count++] = mark;
    note->call = mark;
    sl_map_set(&j->marks, mark, mark);
}

static void note_block(struct sl_pipe_expander *x, LLVMBasicBlockRef block)
{
    struct sl_journal *j = x->journal;
    struct note *note = NULL;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (sl_batch_is_mark(i) && is_plain_mark(i)) {
            if (!note || note->mark_count == MOST_MARKS)
                note = open_note(j);
            add_mark(j, note, i);
        } else if (sl_batch_is_mark(i)) {
            note = NULL;
        } else if (sl_batch_place(x, i)) {
            const uint32_t move = add_ring(x, i);
            if (move != SL_PIPE_NO_MOVE) {
                note = note ? note : open_note(j);
                note->call = i;
                note->move = move;
                sl_map_set(&j->of, i, note);
            } else {
                sl_map_set(&j->left, i, i);
            }
            note = NULL;
        }
    }
}

/* Ways out of the region become blocks. */
static void find_ways_out(const struct region *r)
{
    for (uint32_t b = r->header; b < r->cfg->count; b++) {
        const struct sl_block *block = &r->cfg->blocks[b];
        for (uint32_t i = 0; r->body[b] && i < block->succ_count; i++) {
            bool again = r->body[block->succ[i]];
            for (uint32_t k = 0; k < i; k++)
                again |= block->succ[k] == block->succ[i];
            if (!again)
                sl_list_add(&r->x->journal->ways_out,
                            sl_llvm_split_edge(block->ref, r->cfg->blocks[block->succ[i]].ref));
        }
    }
}

void sl_journal_find(struct sl_pipe_expander *x, const struct sl_cfg *cfg,
                     bool (*has_batch)(const void *, LLVMBasicBlockRef), const void *data)
{
    struct region r = {.x = x, .cfg = cfg, .body = sl_ir_alloc(cfg->count, sizeof(bool))};
    bool *done = sl_ir_alloc(cfg->count, sizeof *done);
    for (r.header = 1; r.header < cfg->count; r.header++) {
        if (done[r.header] || has_batch(data, cfg->blocks[r.header].ref) || !is_good(&r))
            continue;
        if (!x->journal)
            x->journal = sl_ir_alloc(1, sizeof *x->journal);
        x->journal->shares |= r.shares;
        for (uint32_t b = r.header; b < cfg->count; b++) {
            done[b] |= r.body[b];
            if (!r.body[b])
                continue;
            sl_map_set(&x->journal->blocks, cfg->blocks[b].ref, cfg->blocks[b].ref);
            note_block(x, cfg->blocks[b].ref);
        }
        find_ways_out(&r);
    }
    free(done);
    free(r.body);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static LLVMValueRef make_table(const struct sl_pipe_expander *x, LLVMValueRef *rows, uint32_t count,
                               const char *name)
{
    LLVMValueRef table = LLVMConstArray2(LLVMTypeOf(rows[0]), rows, count);
    LLVMValueRef global = LLVMAddGlobal(x->pass->module, LLVMTypeOf(table), name);
    LLVMSetInitializer(global, table);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

static bool varies(LLVMValueRef mark)
{
    return !LLVMIsAConstantInt(LLVMGetArgOperand(mark, ITERATIONS));
}

/* struct sl_loop_told */
static LLVMValueRef make_told(const struct sl_pipe_expander *x, const struct note *note)
{
    const struct sl_emit *e = &x->e;
    LLVMValueRef rows[MOST_MARKS];
    for (uint32_t i = 0; i < note->mark_count; i++) {
        LLVMValueRef mark = note->marks[i];
        LLVMValueRef fields[] = {LLVMGetArgOperand(mark, 0), LLVMGetArgOperand(mark, 1),
                                 LLVMGetArgOperand(mark, 2), sl_emit_i32(e, 0),
                                 varies(mark) ? sl_emit_i64(e, SL_PIPE_TRIPS_VARY)
                                              : LLVMGetArgOperand(mark, ITERATIONS)};
        rows[i] = LLVMConstStructInContext(e->context, fields, 5, false);
    }
    return make_table(x, rows, note->mark_count, "sluice.noted");
}

/* struct sl_pipe_event; `place`: of the packet, if one moves. */
static LLVMValueRef make_event(struct sl_pipe_expander *x, LLVMValueRef told, uint32_t count,
                               uint32_t move, uint32_t place)
{
    const struct sl_emit *e = &x->e;
    LLVMValueRef fields[] = {told ? told : LLVMConstNull(e->ptr),
                             move == SL_PIPE_NO_MOVE ? LLVMConstNull(e->ptr)
                                                     : sl_pipe_site_address(x, place),
                             sl_emit_i32(e, count), sl_emit_i32(e, move)};
    return LLVMConstStructInContext(e->context, fields, 4, false);
}

static uint32_t add_event(struct sl_pipe_expander *x, const struct note *note, LLVMValueRef told,
                          uint32_t move)
{
    const uint32_t place = move == SL_PIPE_NO_MOVE ? 0 : sl_pipe_place_of(note->call);
    sl_list_add(&x->journal->events, make_event(x, told, note->mark_count, move, place));
    return (uint32_t)x->journal->events.count - 1;
}

static void number_events(struct sl_pipe_expander *x)
{
    for (size_t i = 0; i < x->journal->notes.count; i++) {
        struct note *note = x->journal->notes.items[i];
        LLVMValueRef told = note->mark_count ? make_told(x, note) : NULL;
        note->event = add_event(x, note, told, note->move);
        if (told && note->move != SL_PIPE_NO_MOVE)
            note->marks_event = add_event(x, note, told, SL_PIPE_NO_MOVE);
    }
}

static void set(const struct sl_emit *e, LLVMValueRef record, size_t offset, LLVMValueRef value)
{
    LLVMBuildStore(e->builder, value, sl_emit_byte_offset(e, record, sl_emit_i64(e, offset), ""));
}

/* Where the function begins, before it knows anything of its pipes. */
static void open_journal(struct sl_pipe_expander *x)
{
    const struct sl_emit *e = &x->e;
    struct sl_journal *j = x->journal;
    LLVMValueRef of =
        sl_emit_entry_alloca(e, x->function, LLVMArrayType2(e->i8, sizeof(struct sl_pipe_events)),
                             alignof(struct sl_pipe_events), "events");
    LLVMValueRef events =
        make_table(x, (LLVMValueRef *)j->events.items, (uint32_t)j->events.count, "sluice.events");
    sl_emit_at_entry(e, x->function);
    set(e, of, offsetof(struct sl_pipe_events, events), events);
    set(e, of, offsetof(struct sl_pipe_events, kind_count), sl_emit_i32(e, j->kinds.count));
    if (j->kinds.count)
        set(e, of, offsetof(struct sl_pipe_events, kinds),
            make_table(x, (LLVMValueRef *)j->kinds.items, (uint32_t)j->kinds.count,
                       "sluice.kinds"));
    set(e, of, offsetof(struct sl_pipe_events, ring_count), sl_emit_i32(e, j->ring_count));
    set(e, of, offsetof(struct sl_pipe_events, shares), sl_emit_i32(e, j->shares));
    for (uint32_t i = 0; i < j->ring_count; i++) {
        size_t at = offsetof(struct sl_pipe_events, rings) + i * sizeof(struct sl_pipe_move);
        set(e, of, at + offsetof(struct sl_pipe_move, ring), j->rings[i]->address);
        set(e, of, at + offsetof(struct sl_pipe_move, site), sl_pipe_site_address(x, j->places[i]));
    }
    LLVMValueRef args[] = {x->launch, of};
    j->journal =
        sl_pipe_call_runtime(x, offsetof(struct sl_runtime, pipe_journal), e->ptr, args, 2);
    if (j->kept)
        LLVMBuildStore(e->builder, j->journal, j->kept);
}

/* ---- code ------------------------------------------------------------------------------------ */

/* At the end of a block: where there is room, and where there is none, or `many`, if that is not
 * NULL. The builder is where there is: the address. */
static LLVMValueRef emit_room(const struct sl_pipe_expander *x, LLVMValueRef journal,
                              LLVMValueRef many, LLVMBasicBlockRef ends[2])
{
    const struct sl_emit *e = &x->e;
    LLVMBasicBlockRef noted = LLVMAppendBasicBlockInContext(e->context, x->function, "noted"),
                      full = LLVMAppendBasicBlockInContext(e->context, x->function, "full");
    LLVMValueRef next =
        sl_emit_load_field(e, e->ptr, journal, offsetof(struct sl_pipe_journal, next), "next");
    LLVMValueRef end =
        sl_emit_load_field(e, e->ptr, journal, offsetof(struct sl_pipe_journal, end), "end");
    LLVMValueRef none = LLVMBuildICmp(e->builder, LLVMIntUGE, next, end, "none");
    none = many ? LLVMBuildOr(e->builder, none, many, "") : none;
    LLVMValueRef branch = LLVMBuildCondBr(e->builder, none, full, noted);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->context, "prof", 4),
                    LLVMMetadataAsValue(e->context, x->unlikely));
    LLVMPositionBuilderAtEnd(e->builder, noted);
    ends[0] = noted;
    ends[1] = full;
    return next;
}

static void emit_next(const struct sl_emit *e, LLVMValueRef journal, LLVMValueRef next,
                      uint64_t words)
{
    LLVMValueRef behind =
        sl_emit_byte_offset(e, next, sl_emit_i64(e, words * sizeof(uint64_t)), "");
    set(e, journal, offsetof(struct sl_pipe_journal, next), behind);
}

/* At the end of a block: `ends`: where an event has been noted, and where there was no room. */
static void emit_note(struct sl_pipe_expander *x, const struct note *note, uint32_t event,
                      LLVMBasicBlockRef ends[2])
{
    const struct sl_emit *e = &x->e;
    LLVMValueRef journal = x->journal->journal, next = emit_room(x, journal, NULL, ends);
    LLVMBuildStore(e->builder, sl_emit_i64(e, event), next);
    uint64_t words = 1;
    for (uint32_t i = 0; i < note->mark_count; i++)
        if (varies(note->marks[i]))
            set(e, next, words++ * sizeof(uint64_t), LLVMGetArgOperand(note->marks[i], ITERATIONS));
    emit_next(e, journal, next, words);
    LLVMPositionBuilderAtEnd(e->builder, ends[1]);
    for (uint32_t i = 0; i < note->mark_count; i++) {
        LLVMValueRef args[5] = {x->launch};
        for (unsigned n = 0; n < 4; n++)
            args[n + 1] = LLVMGetArgOperand(note->marks[i], n);
        sl_pipe_call_runtime(x, offsetof(struct sl_runtime, loop_mark), e->none, args, 5);
        sl_pipe_reload(x);
    }
}

static void join(const struct sl_emit *e, const LLVMBasicBlockRef ends[2], LLVMBasicBlockRef behind)
{
    for (int i = 0; i < 2; i++) {
        LLVMPositionBuilderAtEnd(e->builder, ends[i]);
        LLVMBuildBr(e->builder, behind);
    }
}

bool sl_journal_has_block(const struct sl_pipe_expander *x, LLVMBasicBlockRef block)
{
    return x->journal && sl_map_get(&x->journal->blocks, block);
}

bool sl_journal_has(const struct sl_pipe_expander *x, LLVMValueRef call)
{
    return note_of(x, call) != NULL;
}

bool sl_journal_leaves(const struct sl_pipe_expander *x, LLVMValueRef call)
{
    return x->journal && sl_map_get(&x->journal->left, call);
}

bool sl_journal_has_mark(const struct sl_pipe_expander *x, LLVMValueRef call)
{
    return x->journal && sl_map_get(&x->journal->marks, call);
}

void sl_journal_emit_moved(struct sl_pipe_expander *x, LLVMValueRef call, LLVMValueRef ring,
                           uint32_t place, LLVMBasicBlockRef ends[2])
{
    const struct note *note = note_of(x, call);
    emit_note(x, note, note->event, ends);
    LLVMPositionBuilderAtEnd(x->e.builder, ends[1]);
    sl_pipe_emit_moved(x, ring, place, false);
}

void sl_journal_emit_marks(struct sl_pipe_expander *x, LLVMValueRef call)
{
    const struct sl_emit *e = &x->e;
    const struct note *note = note_of(x, call);
    LLVMBasicBlockRef ends[2];
    if (!note || !note->mark_count)
        return;
    LLVMBasicBlockRef behind = LLVMAppendBasicBlockInContext(e->context, x->function, "marked");
    emit_note(x, note, note->marks_event, ends);
    join(e, ends, behind);
    LLVMPositionBuilderAtEnd(e->builder, behind);
}

LLVMBasicBlockRef sl_journal_emit_rounds(struct sl_pipe_expander *x, LLVMBasicBlockRef header,
                                         const struct sl_kept_pipe_end *end, uint32_t place,
                                         LLVMValueRef told, LLVMValueRef rounds)
{
    const struct sl_emit *e = &x->e;
    struct sl_journal *j = x->journal;
    uint32_t ring = 0;
    if (!sl_journal_has_block(x, header) || j->kinds.count == SL_PIPE_MOST_KINDS)
        return NULL;
    while (ring < j->ring_count && j->rings[ring] != end)
        ring++;
    if (ring == j->ring_count)
        return NULL;
    if (!j->kept)
        j->kept = sl_emit_entry_alloca(e, x->function, e->ptr, alignof(void *), "journal");
    const uint64_t word = SL_PIPE_NOTED_ROUNDS | j->kinds.count;
    sl_list_add(&j->kinds, make_event(x, told, 1, ring, place));
    LLVMBasicBlockRef ends[2],
        behind = LLVMAppendBasicBlockInContext(e->context, x->function, "rounds.noted");
    LLVMValueRef journal = LLVMBuildLoad2(e->builder, e->ptr, j->kept, "");
    LLVMValueRef many =
        LLVMBuildICmp(e->builder, LLVMIntUGT, rounds, sl_emit_i64(e, FEW_ROUNDS), "many");
    LLVMValueRef next = emit_room(x, journal, many, ends);
    LLVMBuildStore(e->builder, sl_emit_i64(e, word), next);
    set(e, next, sizeof(uint64_t), rounds);
    emit_next(e, journal, next, 2);
    LLVMBuildBr(e->builder, behind);
    LLVMPositionBuilderAtEnd(e->builder, ends[1]);
    return behind;
}

static void erase_marks(const struct note *note)
{
    for (uint32_t i = 0; i < note->mark_count; i++)
        LLVMInstructionEraseFromParent(note->marks[i]);
}

void sl_journal_drop_marks(struct sl_pipe_expander *x, LLVMValueRef call)
{
    const struct note *note = note_of(x, call);
    if (note)
        erase_marks(note);
}

static void expand_marks(struct sl_pipe_expander *x, const struct note *note)
{
    const struct sl_emit *e = &x->e;
    LLVMBasicBlockRef head = LLVMGetInstructionParent(note->call), ends[2];
    LLVMBasicBlockRef rest = sl_llvm_split_block(note->call, "marked");
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(head));
    LLVMPositionBuilderAtEnd(e->builder, head);
    emit_note(x, note, note->event, ends);
    join(e, ends, rest);
    erase_marks(note);
}

void sl_journal_expand(struct sl_pipe_expander *x)
{
    struct sl_journal *j = x->journal;
    if (!j)
        return;
    number_events(x);
    if (j->events
            .count) /* such loops may have no marks that are plain, and no ends that are kept */
        open_journal(x);
    for (size_t i = 0; i < j->ways_out.count; i++) {
        LLVMPositionBuilderBefore(x->e.builder, LLVMGetFirstInstruction(j->ways_out.items[i]));
        LLVMValueRef args[] = {x->launch};
        sl_pipe_call_runtime(x, offsetof(struct sl_runtime, pipe_catch_up), x->e.none, args, 1);
        sl_pipe_reload(x);
    }
    /* Each takes what is behind it off its block: from the end on, that is never much. */
    for (size_t i = j->notes.count; i-- > 0;) {
        const struct note *note = j->notes.items[i];
        if (note->move == SL_PIPE_NO_MOVE)
            expand_marks(x, note);
    }
}

void sl_journal_finish(struct sl_pipe_expander *x)
{
    struct sl_journal *j = x->journal;
    if (!j)
        return;
    for (size_t i = 0; i < j->notes.count; i++)
        free(j->notes.items[i]);
    sl_list_finish(&j->notes);
    sl_list_finish(&j->ways_out);
    sl_list_finish(&j->events);
    sl_list_finish(&j->kinds);
    sl_map_finish(&j->of);
    sl_map_finish(&j->left);
    sl_map_finish(&j->marks);
    sl_map_finish(&j->blocks);
    free(j);
    x->journal = NULL;
}
