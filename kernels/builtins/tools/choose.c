/* SPDX-License-Identifier: Apache-2.0 */
/* See the header. Single-threaded; the process ends when this is done, and keeps what it has. */
#include "choose.h"

#include <llvm-c/BitReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../archive.h"

struct builtin {
    const char *name;
    char **needs; /* names; known once seen */
    size_t need_count;
    uint32_t instructions;
    uint32_t visit; /* number of the walk that was here last */
    bool seen, inlined, chosen, reached;
};

struct sl_choice {
    const struct sl_library *library;
    struct builtin *builtins; /* by name */
    uint32_t count, visits;
    enum sl_library_form form;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct builtin *)a)->name, ((const struct builtin *)b)->name);
}

static struct builtin *find(const struct sl_choice *choice, const char *name)
{
    const struct builtin key = {.name = name};
    return bsearch(&key, choice->builtins, choice->count, sizeof key, by_name);
}

LLVMModuleRef sl_choice_read(const struct sl_choice *choice, const char *name,
                             LLVMContextRef context)
{
    struct sl_library_member member;
    if (!sl_library_member_in_form(choice->library, name, choice->form, &member))
        return NULL;
    return sl_library_parse(choice->library, &member, context);
}

/* ---- what a builtin is ----------------------------------------------------------------------- */

static void add_need(struct builtin *builtin, LLVMValueRef value)
{
    size_t bytes;
    builtin->needs = realloc(builtin->needs, (builtin->need_count + 1) * sizeof *builtin->needs);
    if (!builtin->needs)
        abort();
    builtin->needs[builtin->need_count++] = strdup(LLVMGetValueName2(value, &bytes));
}

static uint32_t count_instructions(LLVMValueRef f)
{
    uint32_t count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            count++;
    return count;
}

static bool is_inlined(LLVMValueRef f)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    return LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
}

static void look(const struct sl_choice *choice, struct builtin *builtin)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = sl_choice_read(choice, builtin->name, context);
    builtin->seen = true;
    for (LLVMValueRef f = module ? LLVMGetFirstFunction(module) : NULL; f;
         f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f)) {
            builtin->instructions = count_instructions(f);
            builtin->inlined = is_inlined(f);
        } else if (!LLVMGetIntrinsicID(f) && LLVMGetFirstUse(f)) {
            add_need(builtin, f);
        }
    }
    for (LLVMValueRef g = module ? LLVMGetFirstGlobal(module) : NULL; g; g = LLVMGetNextGlobal(g))
        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g))
            add_need(builtin, g);
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

/* ---- which ones ------------------------------------------------------------------------------ */

static bool is_rare(const char *name)
{
    return sl_archive_is_named(name, "sl_rare_") || sl_archive_is_named(name, "sl_cold_");
}

static bool is_special(const char *name)
{
    const char *form = strrchr(name, '.');
    return form && (!strcmp(form, ".avx512") || !strcmp(form, ".fma"));
}

/* By its mangled parameters. */
static bool is_small_type(const char *name)
{
    static const char *const large[] = {"Dh",    "Dv8_",  "Dv16_", "Dv3_d", "Dv4_d",
                                        "Dv3_l", "Dv4_l", "Dv3_m", "Dv4_m"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++)
        if (strstr(name, large[i]))
            return false;
    return true;
}

static bool may_have_code(const char *name)
{
    return sl_archive_is_named(name, "") && !is_special(name) && is_small_type(name);
}

/* Instructions of the builtin and of all that it takes; UINT32_MAX: it asks its kernel. */
static uint32_t weigh(struct sl_choice *choice, struct builtin *builtin)
{
    uint32_t all = 0;
    if (builtin->visit == choice->visits || is_rare(builtin->name))
        return 0;
    builtin->visit = choice->visits;
    if (!builtin->seen)
        look(choice, builtin);
    all = builtin->instructions;
    for (size_t i = 0; i < builtin->need_count && all != UINT32_MAX; i++) {
        struct builtin *need = find(choice, builtin->needs[i]);
        uint32_t more = need ? weigh(choice, need) : 0;
        bool unknown = !need && !sl_library_has(choice->library, builtin->needs[i]);
        all = unknown || more == UINT32_MAX ? UINT32_MAX : all + more;
    }
    return all;
}

static bool is_large(struct sl_choice *choice, struct builtin *builtin)
{
    choice->visits++;
    uint32_t size = weigh(choice, builtin);
    return size >= SL_CODE_LEAST && size != UINT32_MAX;
}

/* With what a function with code takes in or calls. */
static void reach(struct sl_choice *choice, struct builtin *builtin)
{
    if (builtin->reached)
        return;
    builtin->reached = true;
    if (!builtin->seen)
        look(choice, builtin);
    builtin->chosen |= !builtin->inlined && builtin->instructions;
    for (size_t i = 0; i < builtin->need_count; i++) {
        struct builtin *need = find(choice, builtin->needs[i]);
        if (need)
            reach(choice, need);
    }
}

struct sl_choice *sl_choose(const struct sl_library *library, enum sl_library_form form)
{
    struct sl_choice *choice = calloc(1, sizeof *choice);
    struct sl_library_member member;
    if (!choice)
        return NULL;
    *choice = (struct sl_choice){.library = library, .form = form};
    while (sl_library_member_at(library, choice->count, &member))
        choice->count++;
    choice->builtins = calloc(choice->count + 1, sizeof *choice->builtins);
    for (uint32_t b = 0; choice->builtins && b < choice->count; b++)
        if (sl_library_member_at(library, b, &member))
            choice->builtins[b].name = member.name;
    for (uint32_t b = 0; choice->builtins && b < choice->count; b++) {
        struct builtin *builtin = &choice->builtins[b];
        if (is_special(builtin->name))
            continue;
        if (is_rare(builtin->name) || (may_have_code(builtin->name) && is_large(choice, builtin)))
            builtin->chosen = true;
    }
    for (uint32_t b = 0; choice->builtins && b < choice->count; b++)
        if (choice->builtins[b].chosen)
            reach(choice, &choice->builtins[b]);
    return choice->builtins ? choice : NULL;
}

const char *sl_choice_next(const struct sl_choice *choice, uint32_t *at)
{
    while (*at < choice->count) {
        const struct builtin *builtin = &choice->builtins[(*at)++];
        if (builtin->chosen)
            return builtin->name;
    }
    return NULL;
}

bool sl_choice_is_called(const struct sl_choice *choice, const char *name)
{
    const struct builtin *builtin = find(choice, name);
    return builtin && builtin->chosen && !builtin->inlined;
}
