/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings, descriptions of pipes and places as constants of the module, in the layouts of
 * sluice/pipe.h. They are declared while code is optimised and get their contents afterwards: LLVM
 * follows every reference of a function into what it refers to, which takes kernels times pipes.
 * No shared state.
 */
#include "pipes/pipe.h"

#include "ir/memory.h"
#include "pipes/stages.h"
#include "sluice/movable_slots.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- layouts --------------------------------------------------------------------------------- */

static LLVMTypeRef info_type(const struct sl_emit *e)
{
    LLVMTypeRef p = e->ptr, n = e->i32;
    LLVMTypeRef fields[] = {p, p, p, p, p, n, n, n, n, n, n, n, n};
    return LLVMStructTypeInContext(e->context, fields, sizeof fields / sizeof *fields, false);
}
static_assert(sizeof(struct sl_pipe_info) == 72 && offsetof(struct sl_pipe_info, ring) == 32 &&
                  offsetof(struct sl_pipe_info, writer) == 68,
              "info_type follows this layout");

static LLVMTypeRef site_type(LLVMContextRef context)
{
    LLVMTypeRef p = LLVMPointerTypeInContext(context, 0), n = LLVMInt32TypeInContext(context);
    LLVMTypeRef b = LLVMInt8TypeInContext(context), h = LLVMInt16TypeInContext(context);
    LLVMTypeRef fields[] = {p, p, n, n, n, b, b, h, n, n};
    return LLVMStructTypeInContext(context, fields, sizeof fields / sizeof *fields, false);
}
static_assert(sizeof(struct sl_pipe_site) == 40 && offsetof(struct sl_pipe_site, op) == 28 &&
                  offsetof(struct sl_pipe_site, arg_index) == 36,
              "site_type follows this layout");

#define RINGS "sluice.rings"
#define INFOS "sluice.pipes"
#define SITES "sluice.sites"
#define SLOTS "sluice.slots"
#define USERS "sluice.users"
#define TABLE_ALIGN 8 /* who loads modules looks for it */
#define SLOTS_ALIGN 64

struct writer {
    struct sl_pass *pass;
    struct sl_pipe_design *design;
    struct sl_emit e;
};

static LLVMValueRef number(struct writer *w, uint32_t value)
{
    return sl_emit_i32(&w->e, value);
}

static LLVMValueRef text(struct writer *w, const char *value)
{
    if (!value)
        return LLVMConstNull(w->e.ptr);
    LLVMValueRef bytes = LLVMConstStringInContext2(w->e.context, value, strlen(value), 0);
    LLVMValueRef global = LLVMAddGlobal(w->pass->module, LLVMTypeOf(bytes), "sluice.text");
    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(global, 1);
    return global;
}

static LLVMValueRef element(struct writer *w, LLVMValueRef table, uint32_t index, size_t bytes)
{
    LLVMValueRef offset = sl_emit_i64(&w->e, (uint64_t)index * bytes);
    return LLVMConstInBoundsGEP2(w->e.i8, table, &offset, 1);
}

/* Code of the same program in other objects refers to tables by name. */
static void limit_scope(struct writer *w, LLVMValueRef table)
{
    bool shared = sl_pass_has(w->pass, SL_PASS_SHARED_TABLES);
    LLVMSetLinkage(table, shared ? LLVMExternalLinkage : LLVMInternalLinkage);
    LLVMSetVisibility(table, shared ? LLVMHiddenVisibility : LLVMDefaultVisibility);
}

static void define(struct writer *w, LLVMValueRef table, LLVMTypeRef type, LLVMValueRef *rows,
                   uint32_t count)
{
    LLVMSetInitializer(table, LLVMConstArray2(type, rows, count));
    limit_scope(w, table);
}

/* The optimiser drops what nobody refers to. */
static LLVMValueRef find(struct writer *w, const char *name, LLVMTypeRef type, uint64_t count)
{
    LLVMValueRef table = LLVMGetNamedGlobal(w->pass->module, name);
    return table ? table : LLVMAddGlobal(w->pass->module, LLVMArrayType2(type, count), name);
}

/* ---- rings and descriptions ------------------------------------------------------------------ */

static uint32_t flags_of(struct writer *w, const struct sl_pipe_variable *v, uint32_t ring)
{
    const struct sl_pipe_ends *ends = &w->design->ends[ring];
    uint32_t flags = v->flags;
    if (flags & SL_PIPE_IO)
        flags |= SL_PIPE_MOVABLE | SL_PIPE_MORE_SLOTS;
    if (flags & SL_PIPE_HOST && ends->kernel[SL_PIPE_WRITE] >= 0)
        flags |= SL_PIPE_HOST_READS;
    if (flags & SL_PIPE_HOST && ends->kernel[SL_PIPE_READ] >= 0)
        flags |= SL_PIPE_HOST_WRITES;
    for (unsigned op = 0; op < 2; op++)
        if (ends->contested[op])
            flags |= (uint32_t)SL_PIPE_CONTESTED << op;
    return flags;
}

static LLVMValueRef ring_row(struct writer *w, const struct sl_pipe_variable *v, uint32_t at)
{
    const struct sl_emit *e = &w->e;
    LLVMTypeRef types[17];
    LLVMGetStructElementTypes(w->design->ring_type, types);
    LLVMValueRef zero = sl_emit_i64(e, 0), null = LLVMConstNull(e->ptr);
    LLVMValueRef slots = sl_emit_i64(e, v->slots_offset + at * v->element_bytes);
    uint32_t ring = v->first_ring + at;
    LLVMValueRef fields[] = {
        zero,
        zero, /* read_limit: empty */
        LLVMConstNull(types[2]),
        zero,
        sl_emit_i64(e, v->depth), /* write_limit */
        LLVMConstNull(types[5]),
        LLVMConstInBoundsGEP2(e->i8, w->design->slots, &slots, 1),
        sl_emit_i64(e, v->slot_count - 1),
        number(w, v->packet_bytes),
        number(w, v->depth),
        number(w, flags_of(w, v, ring)),
        number(w, 0),
        element(w, w->design->infos, ring, sizeof(struct sl_pipe_info)),
        null,
        LLVMConstNull(types[14]),
        LLVMConstNull(types[15]),
        LLVMConstNull(types[16]),
    };
    return LLVMConstStructInContext(e->context, fields, sizeof fields / sizeof *fields, false);
}

static LLVMValueRef info_row(struct writer *w, const struct sl_pipe_variable *v, uint32_t at,
                             LLVMValueRef texts[3])
{
    uint32_t ring = v->first_ring + at;
    char *name = sl_pipe_element_name(v, at);
    LLVMValueRef fields[] = {
        text(w, name),
        texts[0],
        texts[1],
        texts[2],
        element(w, w->design->rings, ring, sizeof(struct sl_pipe_ring)),
        number(w, v->packet_bytes),
        number(w, v->packet_align),
        number(w, v->declared_depth),
        number(w, v->depth),
        number(w, flags_of(w, v, ring)),
        number(w, v->line),
        number(w, (uint32_t)w->design->ends[ring].kernel[SL_PIPE_READ]),
        number(w, (uint32_t)w->design->ends[ring].kernel[SL_PIPE_WRITE]),
    };
    free(name);
    return LLVMConstStructInContext(w->e.context, fields, sizeof fields / sizeof *fields, false);
}

static void write_slots(struct writer *w)
{
    LLVMValueRef slots = find(w, SLOTS, w->e.i8, w->design->slots_bytes);
    LLVMSetInitializer(slots, LLVMConstNull(LLVMGlobalGetValueType(slots)));
    limit_scope(w, slots);
    LLVMSetAlignment(slots, SLOTS_ALIGN);
    w->design->slots = slots;
}

static void write_rings(struct writer *w)
{
    struct sl_pipe_design *design = w->design;
    LLVMValueRef *rings = sl_ir_alloc(design->ring_count, sizeof(*rings));
    LLVMValueRef *infos = sl_ir_alloc(design->ring_count, sizeof(*infos));
    design->rings = find(w, RINGS, design->ring_type, design->ring_count);
    design->infos = find(w, INFOS, design->info_type, design->ring_count);
    LLVMSetAlignment(design->rings, SLOTS_ALIGN);
    LLVMSetGlobalConstant(design->infos, true);
    for (uint32_t i = 0; i < design->variable_count; i++) {
        const struct sl_pipe_variable *v = &design->variables[i];
        if (v->first_ring == UINT32_MAX)
            continue;
        LLVMValueRef texts[] = {text(w, v->type_name), text(w, v->io), text(w, v->file)};
        for (uint32_t at = 0; at < v->count; at++) {
            rings[v->first_ring + at] = ring_row(w, v, at);
            infos[v->first_ring + at] = info_row(w, v, at, texts);
        }
    }
    define(w, design->rings, design->ring_type, rings, design->ring_count);
    define(w, design->infos, design->info_type, infos, design->ring_count);
    free(rings);
    free(infos);
}

/* ---- places ---------------------------------------------------------------------------------- */

static LLVMValueRef place_name(struct writer *w, const struct sl_pipe_place *place)
{
    if (place->variable < 0)
        return text(w, w->pass->kernels[place->kernel].args[place->argument].name);
    const struct sl_pipe_variable *v = &w->design->variables[place->variable];
    if (place->element < 0 || !v->rank)
        return text(w, v->symbol);
    char *name = sl_pipe_element_name(v, (uint32_t)place->element);
    LLVMValueRef value = text(w, name);
    free(name);
    return value;
}

static LLVMValueRef site_row(struct writer *w, const struct sl_pipe_place *place)
{
    const struct sl_kernel_facts *kernel = &w->pass->kernels[place->kernel];
    uint32_t pipe = UINT32_MAX;
    if (place->variable >= 0)
        pipe = w->design->variables[place->variable].first_ring +
               (place->element < 0 ? 0 : (uint32_t)place->element);
    LLVMValueRef fields[] = {
        place_name(w, place),
        text(w, place->file ? place->file : ""),
        number(w, kernel->first_unit),
        number(w, place->line),
        number(w, place->column),
        LLVMConstInt(w->e.i8, place->operation->direction, false),
        LLVMConstInt(w->e.i8, place->blocking, false),
        LLVMConstInt(w->e.i16, 0, false),
        number(w, pipe),
        number(w, (uint32_t)place->argument),
    };
    return LLVMConstStructInContext(w->e.context, fields, sizeof fields / sizeof *fields, false);
}

static LLVMTypeRef user_type(const struct sl_emit *e)
{
    return LLVMArrayType2(e->i32, 3);
}
static_assert(sizeof(struct sl_pipe_user) == 12 && offsetof(struct sl_pipe_user, op) == 8,
              "user_type follows this layout");

static void write_users(struct writer *w)
{
    struct sl_pipe_design *design = w->design;
    LLVMTypeRef type = user_type(&w->e);
    LLVMValueRef *rows = sl_ir_alloc(design->other_count, sizeof(*rows));
    for (uint32_t i = 0; i < design->other_count; i++) {
        const struct sl_pipe_user *user = &design->others[i];
        LLVMValueRef fields[] = {number(w, user->pipe), number(w, user->kernel),
                                 number(w, user->op)};
        rows[i] = LLVMConstArray2(w->e.i32, fields, 3);
    }
    LLVMValueRef users = find(w, USERS, type, design->other_count);
    LLVMSetAlignment(users, TABLE_ALIGN);
    LLVMSetGlobalConstant(users, true);
    define(w, users, type, rows, design->other_count);
    free(rows);
}

static void write_sites(struct writer *w)
{
    struct sl_pipe_design *design = w->design;
    LLVMValueRef *rows = sl_ir_alloc(design->place_count, sizeof(*rows));
    for (uint32_t i = 0; i < design->place_count; i++)
        rows[i] = site_row(w, &design->places[i]);
    design->sites = find(w, SITES, design->site_type, design->place_count);
    LLVMSetGlobalConstant(design->sites, true);
    define(w, design->sites, design->site_type, rows, design->place_count);
    free(rows);
}

static LLVMValueRef declare(struct sl_pass *pass, const char *name, LLVMTypeRef type,
                            uint32_t count)
{
    LLVMValueRef table = LLVMAddGlobal(pass->module, LLVMArrayType2(type, count), name);
    LLVMSetVisibility(table, LLVMHiddenVisibility);
    return table;
}

/* Before code is made that refers to them. */
int sl_pass_pipe_tables(struct sl_pass *pass)
{
    struct sl_pipe_design *design = pass->pipes;
    struct sl_emit e;
    sl_emit_init(&e, pass->context);
    design->info_type = info_type(&e);
    design->site_type = site_type(pass->context);
    if (design->ring_count)
        design->infos = declare(pass, INFOS, design->info_type, design->ring_count);
    if (design->place_count)
        design->sites = declare(pass, SITES, design->site_type, design->place_count);
    LLVMValueRef users =
        design->other_count ? declare(pass, USERS, user_type(&e), design->other_count) : NULL;
    pass->pipe_tables = (struct sl_pipe_tables){
        .rings = design->rings,
        .infos = design->infos,
        .sites = design->sites,
        .ring_count = design->ring_count,
        .site_count = design->place_count,
        .users = users,
        .user_count = design->other_count,
    };
    sl_emit_finish(&e);
    return 0;
}

void sl_pipe_define_tables(struct sl_pass *pass)
{
    struct writer w = {.pass = pass, .design = pass->pipes};
    if (!w.design)
        return;
    sl_emit_init(&w.e, pass->context);
    if (w.design->ring_count) {
        write_slots(&w);
        write_rings(&w);
    }
    if (w.design->place_count)
        write_sites(&w);
    if (w.design->other_count)
        write_users(&w);
    sl_emit_finish(&w.e);
}
