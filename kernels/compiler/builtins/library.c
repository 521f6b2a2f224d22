/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks builtins up in the mapped archive and links them into a module. Nothing here is locked:
 * the mapping never changes, all else belongs to the caller's module.
 */
#include "compiler/builtins/library.h"

#include <errno.h>
#include <fcntl.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "builtins/archive.h"
#include "compiler/builtins/convert.h"
#include "compiler/builtins/lane_code.h"
#include "passes/passes.h"
#include "vector/analysis/image_call.h"

enum { PIECE_MAX = 1 << 30 };

struct sl_library {
    const char *base; /* owned mapping */
    size_t size;
    const struct sl_archive_symbol *symbols; /* in the mapping, sorted by name */
    uint32_t symbol_count;
    const unsigned char *dictionary; /* in the mapping */
    uInt dictionary_bytes;
};

static bool inside(const struct sl_library *lib, uint64_t at, uint64_t size)
{
    return at <= lib->size && size <= lib->size - at;
}

/* Only what a truncated or foreign file would break: the archive is installed with the compiler. */
static bool is_valid(const struct sl_library *lib)
{
    struct sl_archive_header header;
    if (!inside(lib, 0, sizeof header))
        return false;
    memcpy(&header, lib->base, sizeof header);
    return header.magic == SL_ARCHIVE_MAGIC && header.total_bytes == lib->size &&
           header.symbols % 8 == 0 && header.dictionary_bytes <= SL_ARCHIVE_DICTIONARY_MAX &&
           inside(lib, header.dictionary, header.dictionary_bytes) &&
           inside(lib, header.symbols, (uint64_t)header.symbol_count * sizeof *lib->symbols);
}

static int map_file(int fd, struct sl_library *lib)
{
    struct stat stat;
    if (fstat(fd, &stat))
        return -1;
    void *base = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_SHARED, fd, 0);
    if (base == MAP_FAILED)
        return -1;
    lib->base = base;
    lib->size = (size_t)stat.st_size;
    if (!is_valid(lib)) {
        errno = EINVAL;
        return -1;
    }
    const struct sl_archive_header *header = base;
    lib->symbols = (const void *)(lib->base + header->symbols);
    lib->symbol_count = header->symbol_count;
    lib->dictionary = (const unsigned char *)lib->base + header->dictionary;
    lib->dictionary_bytes = (uInt)header->dictionary_bytes;
    return 0;
}

int sl_library_open(const char *path, struct sl_library **out)
{
    struct sl_library *lib = calloc(1, sizeof *lib);
    if (!lib)
        return -1;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int status = fd < 0 ? -1 : map_file(fd, lib);
    int why = errno;
    if (fd >= 0)
        close(fd);
    if (status) {
        sl_library_close(lib);
        errno = why;
        return -1;
    }
    *out = lib;
    return 0;
}

void sl_library_close(struct sl_library *lib)
{
    if (!lib)
        return;
    if (lib->base)
        munmap((void *)lib->base, lib->size);
    free(lib);
}

static const struct sl_archive_symbol *find(const struct sl_library *lib, const char *name)
{
    uint32_t low = 0;
    uint32_t high = lib->symbol_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(name, lib->base + lib->symbols[middle].name);
        if (!order)
            return &lib->symbols[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

bool sl_library_has(const struct sl_library *lib, const char *name)
{
    return find(lib, name) || sl_is_conversion(name);
}

enum sl_library_form sl_library_form(const char *cpu, const char *features)
{
    if (!strcmp(cpu, "x86-64-v4") || strstr(features, "+avx512f"))
        return SL_LIBRARY_AVX512;
    return !strcmp(cpu, "x86-64-v3") || strstr(features, "+fma") ? SL_LIBRARY_FMA
                                                                 : SL_LIBRARY_PLAIN;
}

static const struct sl_archive_symbol *find_in_form(const struct sl_library *lib, const char *name,
                                                    enum sl_library_form form)
{
    static const char *const suffix[] = {"", ".fma", ".avx512"};
    const struct sl_archive_symbol *symbol = NULL;
    for (int f = (int)form; f >= 0 && !symbol; f--) {
        char full[256];
        int length = snprintf(full, sizeof full, "%s%s", name, suffix[f]);
        symbol = length < (int)sizeof full ? find(lib, full) : NULL;
    }
    return symbol;
}

bool sl_library_member(const struct sl_library *lib, const char *name,
                       struct sl_library_member *out)
{
    const struct sl_archive_symbol *symbol = find(lib, name);
    return symbol && sl_library_member_at(lib, (uint32_t)(symbol - lib->symbols), out);
}

bool sl_library_member_in_form(const struct sl_library *lib, const char *name,
                               enum sl_library_form form, struct sl_library_member *out)
{
    const struct sl_archive_symbol *symbol = find_in_form(lib, name, form);
    return symbol && sl_library_member_at(lib, (uint32_t)(symbol - lib->symbols), out);
}

bool sl_library_member_at(const struct sl_library *lib, uint32_t index,
                          struct sl_library_member *out)
{
    if (index >= lib->symbol_count)
        return false;
    const struct sl_archive_symbol *symbol = &lib->symbols[index];
    if (!inside(lib, symbol->code, symbol->code_bytes) || symbol->plain_bytes > PIECE_MAX)
        return false;
    *out = (struct sl_library_member){.name = lib->base + symbol->name,
                                      .data = lib->base + symbol->code,
                                      .bytes = symbol->code_bytes,
                                      .index = index};
    if (symbol->plain_bytes) {
        out->data = NULL;
        out->bytes = symbol->plain_bytes;
    }
    return true;
}

/* In memory of the caller's. */
static void *unpack(const struct sl_library *lib, const struct sl_library_member *member)
{
    const struct sl_archive_symbol *symbol = &lib->symbols[member->index];
    void *plain = malloc(member->bytes + 1);
    z_stream stream = {.next_in = (unsigned char *)lib->base + symbol->code,
                       .avail_in = (uInt)symbol->code_bytes,
                       .next_out = plain,
                       .avail_out = (uInt)member->bytes};
    if (!plain || inflateInit2(&stream, SL_ARCHIVE_WINDOW_BITS)) {
        free(plain);
        return NULL;
    }
    bool done = !inflateSetDictionary(&stream, lib->dictionary, lib->dictionary_bytes) &&
                inflate(&stream, Z_FINISH) == Z_STREAM_END && !stream.avail_out;
    inflateEnd(&stream);
    if (done)
        return plain;
    free(plain);
    return NULL;
}

/* ---- linking --------------------------------------------------------------------------------- */

/*
 * Atoms are gathered in a module of their own and joined to the caller's in one step: a link walks
 * the types of its destination, which may be large.
 */
struct gather {
    const struct sl_library *lib;
    const struct sl_library_machine *machine;
    LLVMModuleRef into;
    char **names; /* owned, each name too: modules and their strings vanish when linked */
    size_t count, done, room;
    char *error; /* owned */
};

static bool is_lanes(const char *name)
{
    return strstr(name, SL_LANES_SUFFIX) != NULL;
}

static bool known(const struct gather *gather, const char *name)
{
    for (size_t i = 0; i < gather->count; i++)
        if (!strcmp(gather->names[i], name))
            return true;
    return false;
}

/* Queues `name` if the library has it. False: out of memory. */
static bool want_one(struct gather *gather, const char *name)
{
    const struct sl_library_machine *machine = gather->machine;
    if (!sl_library_has(gather->lib, name))
        return true;
    if (known(gather, name) || (machine->has_code && machine->has_code(machine->code_data, name)))
        return true;
    if (gather->count == gather->room) {
        size_t room = gather->room ? gather->room * 2 : 64;
        char **names = realloc(gather->names, room * sizeof *names);
        if (!names)
            return false;
        gather->names = names;
        gather->room = room;
    }
    gather->names[gather->count] = strdup(name);
    return gather->names[gather->count] && ++gather->count;
}

/* And its versions for the items of a vector. */
static bool want(struct gather *gather, const char *name)
{
    static const char *const suffixes[] = SL_IMAGE_SUFFIXES;
    char version[64];
    if (!want_one(gather, name))
        return false;
    if (strncmp(name, SL_IMAGE_CORE, strlen(SL_IMAGE_CORE)) != 0 || !gather->machine->lanes ||
        is_lanes(name))
        return true;
    for (unsigned k = 0; k < SL_IMAGE_VERSIONS; k++) {
        snprintf(version, sizeof version, "%s%s%u", name, suffixes[k], gather->machine->lanes);
        if (!want_one(gather, version))
            return false;
    }
    return true;
}

static bool want_undefined(struct gather *gather, LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) &&
            !want(gather, LLVMGetValueName2(f, &length)))
            return false;
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        size_t length;
        if (LLVMIsDeclaration(g) && !want(gather, LLVMGetValueName2(g, &length)))
            return false;
    }
    return true;
}

static bool fail(struct gather *gather, const char *name)
{
    if (!gather->error && asprintf(&gather->error, "builtin %s cannot be linked", name) < 0)
        gather->error = NULL;
    return false;
}

static LLVMModuleRef parse(const struct sl_library_member *member, const void *bitcode,
                           LLVMContextRef context)
{
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(bitcode, member->bytes, member->name, 0);
    LLVMModuleRef atom = NULL;
    bool bad = LLVMParseBitcodeInContext2(context, buffer, &atom);
    LLVMDisposeMemoryBuffer(buffer);
    return bad ? NULL : atom;
}

LLVMModuleRef sl_library_parse(const struct sl_library *lib, const struct sl_library_member *member,
                               LLVMContextRef context)
{
    if (member->data)
        return parse(member, member->data, context);
    void *plain = unpack(lib, member);
    LLVMModuleRef atom = plain ? parse(member, plain, context) : NULL;
    free(plain);
    return atom;
}

static bool take_atom(struct gather *gather, const struct sl_archive_symbol *symbol)
{
    const char *name = gather->lib->base + symbol->name;
    LLVMContextRef context = LLVMGetModuleContext(gather->into);
    struct sl_library_member member;
    if (!sl_library_member_at(gather->lib, (uint32_t)(symbol - gather->lib->symbols), &member))
        return fail(gather, name);
    LLVMModuleRef atom = sl_library_parse(gather->lib, &member, context);
    if (!atom)
        return fail(gather, name);
    LLVMSetDataLayout(atom, LLVMGetDataLayoutStr(gather->into));
    LLVMSetTarget(atom, LLVMGetTarget(gather->into));
    bool queued = want_undefined(gather, atom);
    return !LLVMLinkModules2(gather->into, atom) && queued ? true : fail(gather, name);
}

static bool take_all(struct gather *gather)
{
    while (gather->done < gather->count) {
        const char *name = gather->names[gather->done++];
        const struct sl_archive_symbol *symbol =
            find_in_form(gather->lib, name, gather->machine->form);
        if (symbol ? !take_atom(gather, symbol) : !sl_define_conversion(gather->into, name))
            return fail(gather, name);
    }
    return true;
}

/* ---- versions for several lanes (builtins/rare.h, vector/analysis/image_call.h) -------------- */

static const char used_name[] = "llvm.compiler.used";

static bool is_rare(const char *name)
{
    return sl_archive_is_named(name, "sl_rare_");
}

static bool is_version(const char *name)
{
    return (is_rare(name) && strchr(name, '.')) || is_lanes(name);
}

typedef bool (*is_fn)(const char *name);

/* Makes the list of what must stay from `count` pointers; frees them. */
static void set_used(LLVMModuleRef module, LLVMValueRef *kept, unsigned count)
{
    LLVMValueRef old = LLVMGetNamedGlobal(module, used_name);
    if (old)
        LLVMDeleteGlobal(old);
    if (count) {
        LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
        LLVMValueRef used = LLVMAddGlobal(module, LLVMArrayType2(pointer, count), used_name);
        LLVMSetInitializer(used, LLVMConstArray2(pointer, kept, count));
        LLVMSetLinkage(used, LLVMAppendingLinkage);
        LLVMSetSection(used, "llvm.metadata");
    }
    free(kept);
}

/* What the list names but these, with room for `more`. NULL: out of memory. */
static LLVMValueRef *used_but(LLVMModuleRef module, is_fn is_out, size_t more, unsigned *count)
{
    LLVMValueRef old = LLVMGetNamedGlobal(module, used_name);
    LLVMValueRef list = old ? LLVMGetInitializer(old) : NULL;
    unsigned length = list ? (unsigned)LLVMGetNumOperands(list) : 0;
    LLVMValueRef *kept = calloc(length + more + 1, sizeof(LLVMValueRef));
    *count = 0;
    for (unsigned i = 0; kept && i < length; i++)
        if (!is_out(LLVMGetValueName(LLVMGetOperand(list, i))))
            kept[(*count)++] = LLVMGetOperand(list, i);
    return kept;
}

/* Nobody calls them before loops are vectorised. */
static bool keep_versions(const struct gather *gather, LLVMModuleRef module)
{
    unsigned count;
    bool any = false;
    for (size_t i = 0; i < gather->count; i++)
        any |= is_version(gather->names[i]);
    if (!any)
        return true;
    LLVMValueRef *kept = used_but(module, is_version, gather->count, &count);
    for (size_t i = 0; kept && i < gather->count; i++) {
        LLVMValueRef f =
            is_version(gather->names[i]) ? LLVMGetNamedFunction(module, gather->names[i]) : NULL;
        if (f)
            kept[count++] = f;
    }
    if (!kept)
        return false;
    set_used(module, kept, count);
    return true;
}

static bool is_called(LLVMValueRef f)
{
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
        if (LLVMIsAInstruction(LLVMGetUser(use)))
            return true;
    return false;
}

/* Did any go? The others may be unused now. The old list of used ones still names them. */
static bool drop_unused(LLVMModuleRef module, is_fn is_out)
{
    bool any = false;
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (is_called(f) || !is_out(LLVMGetValueName(f)))
            continue;
        LLVMReplaceAllUsesWith(f, LLVMGetUndef(LLVMTypeOf(f)));
        LLVMDeleteFunction(f);
        any = true;
    }
    return any;
}

static void drop(LLVMModuleRef module, is_fn is_listed, is_fn is_out)
{
    unsigned count;
    LLVMValueRef *kept =
        LLVMGetNamedGlobal(module, used_name) ? used_but(module, is_listed, 0, &count) : NULL;
    if (!kept)
        return;
    set_used(module, kept, count);
    while (drop_unused(module, is_out))
        ;
}

void sl_library_drop_lanes(LLVMModuleRef module)
{
    drop(module, is_lanes, is_lanes);
}

void sl_library_drop_versions(LLVMModuleRef module)
{
    drop(module, is_version, is_rare);
}

static bool join(struct gather *gather, LLVMModuleRef module)
{
    LLVMModuleRef builtins = gather->into;
    gather->into = NULL; /* a link eats its source */
    LLVMAttributeRef ours = LLVMCreateStringAttribute(
        LLVMGetModuleContext(module), SL_BUILTIN_ATTRIBUTE, sizeof SL_BUILTIN_ATTRIBUTE - 1, "", 0);
    if (LLVMLinkModules2(module, builtins))
        return fail(gather, "library");
    for (size_t i = 0; i < gather->count; i++) {
        LLVMValueRef linked = LLVMGetNamedFunction(module, gather->names[i]);
        if (linked)
            LLVMAddAttributeAtIndex(linked, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, ours);
        else
            linked = LLVMGetNamedGlobal(module, gather->names[i]);
        if (linked)
            LLVMSetLinkage(linked, LLVMInternalLinkage);
    }
    return keep_versions(gather, module) || fail(gather, "library");
}

/* What stays declared because there is code of it is complete (passes.h). */
static void mark_ready(LLVMModuleRef module, const struct sl_library_machine *machine)
{
    LLVMAttributeRef ready = LLVMCreateStringAttribute(
        LLVMGetModuleContext(module), SL_READY_ATTRIBUTE, sizeof SL_READY_ATTRIBUTE - 1, "", 0);
    LLVMValueRef f = machine->has_code ? LLVMGetFirstFunction(module) : NULL;
    for (; f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && !LLVMGetIntrinsicID(f) &&
            machine->has_code(machine->code_data, LLVMGetValueName(f)))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, ready);
}

int sl_library_link(const struct sl_library *lib, LLVMModuleRef module,
                    const struct sl_library_machine *machine, char **error)
{
    struct gather gather = {.lib = lib, .machine = machine};
    gather.into =
        LLVMModuleCreateWithNameInContext("sluice builtins", LLVMGetModuleContext(module));
    LLVMSetDataLayout(gather.into, LLVMGetDataLayoutStr(module));
    LLVMSetTarget(gather.into, LLVMGetTarget(module));
    bool done = want_undefined(&gather, module) && take_all(&gather);
    if (done && machine->form == SL_LIBRARY_AVX512)
        sl_lane_code(gather.into);
    done = done && (!gather.count || join(&gather, module));
    if (gather.into)
        LLVMDisposeModule(gather.into);
    while (gather.count)
        free(gather.names[--gather.count]);
    free(gather.names);
    if (done) {
        mark_ready(module, machine);
        return 0;
    }
    *error = gather.error ? gather.error : strdup("out of memory while linking builtins");
    return -1;
}
