/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Itanium C++ ABI's names, as far as builtins need them. What has been written once and is no
 * builtin type is referred to when it comes again (S_, S0_, ...). Such a component is kept here as
 * its full text, without references, by which it is found again.
 */
#include "spirv/builtins/mangle.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_COMPONENTS = 36, COMPONENT_ROOM = 64 };

struct mangler {
    char *out; /* borrowed, SL_MANGLE_ROOM */
    size_t length;
    bool overflow;
    char components[MOST_COMPONENTS][COMPONENT_ROOM];
    unsigned count;
};

static void put(struct mangler *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct mangler *m, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(m->out + m->length, SL_MANGLE_ROOM - m->length, format, arguments);
    va_end(arguments);
    if (written < 0 || (size_t)written >= SL_MANGLE_ROOM - m->length)
        m->overflow = true;
    else
        m->length += (size_t)written;
}

/* Writes a reference to the component, if it has come before. */
static bool refers(struct mangler *m, const char *component)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (unsigned i = 0; i < m->count; i++) {
        if (strcmp(m->components[i], component) != 0)
            continue;
        if (i)
            put(m, "S%c_", digits[i - 1]);
        else
            put(m, "S_");
        return true;
    }
    return false;
}

static void remember(struct mangler *m, const char *component)
{
    if (m->count == MOST_COMPONENTS || strlen(component) >= COMPONENT_ROOM)
        m->overflow = true;
    else
        strcpy(m->components[m->count++], component);
}

/* The four layers of a type, from the inside: each may be a component. */
struct layers {
    char base[COMPONENT_ROOM], atomic[COMPONENT_ROOM], qualified[COMPONENT_ROOM],
        pointer[COMPONENT_ROOM], qualifiers[16];
};

static bool spell(const struct sl_mangle_type *type, struct layers *l)
{
    int n = 0;
    n |= type->lanes > 1
             ? snprintf(l->base, sizeof l->base, "Dv%u_%s", (unsigned)type->lanes, type->base)
             : snprintf(l->base, sizeof l->base, "%s", type->base);
    snprintf(l->qualifiers, sizeof l->qualifiers, type->space ? "U3AS%u%s%s" : "%.0u%s%s",
             (unsigned)type->space, type->is_volatile ? "V" : "", type->is_const ? "K" : "");
    const char *atomic = type->is_atomic ? "U7_Atomic" : "";
    n |= snprintf(l->atomic, sizeof l->atomic, "%s%.40s", atomic, l->base);
    n |= snprintf(l->qualified, sizeof l->qualified, "%s%.48s", l->qualifiers, l->atomic);
    n |= snprintf(l->pointer, sizeof l->pointer, "P%.62s", l->qualified);
    return n >= 0 && strlen(l->base) < 40;
}

static void write_base(struct mangler *m, const struct sl_mangle_type *type, const struct layers *l)
{
    bool has_name = isdigit((unsigned char)*type->base); /* an enumeration, an image and the like */
    bool is_component = type->lanes > 1 || has_name;
    if (is_component && refers(m, l->base))
        return;
    put(m, "%s", l->base);
    if (is_component)
        remember(m, l->base);
}

static void write_atomic(struct mangler *m, const struct sl_mangle_type *type,
                         const struct layers *l)
{
    if (type->is_atomic && refers(m, l->atomic))
        return;
    put(m, type->is_atomic ? "U7_Atomic" : "%s", "");
    write_base(m, type, l);
    if (type->is_atomic)
        remember(m, l->atomic);
}

static void write_qualified(struct mangler *m, const struct sl_mangle_type *type,
                            const struct layers *l)
{
    bool is_component = *l->qualifiers;
    if (is_component && refers(m, l->qualified))
        return;
    put(m, "%s", l->qualifiers);
    write_atomic(m, type, l);
    if (is_component)
        remember(m, l->qualified);
}

static void write_type(struct mangler *m, const struct sl_mangle_type *type)
{
    struct layers l;
    if (!spell(type, &l)) {
        m->overflow = true;
        return;
    }
    if (!type->is_pointer) {
        write_base(m, type, &l);
        return;
    }
    if (refers(m, l.pointer))
        return;
    put(m, "P");
    write_qualified(m, type, &l);
    remember(m, l.pointer);
}

bool sl_mangle(char out[SL_MANGLE_ROOM], const char *name, const struct sl_mangle_type *parameters,
               size_t count)
{
    struct mangler m = {.out = out};
    put(&m, "_Z%zu%s", strlen(name), name);
    for (size_t i = 0; i < count; i++)
        write_type(&m, &parameters[i]);
    if (!count)
        put(&m, "v");
    return !m.overflow;
}
