/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formatting of printf records. Each conversion is checked, then made by the C library from a
 * conversion of our own making, so that nothing in the kernel's format reaches it unseen. `order`
 * keeps what threads print apart; stdout's own lock is only tried, as the application may hold it
 * while it waits for the kernel.
 */
#include "common/kernel/printf.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sluice/base/io.h"
#include "sluice/module.h"

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(locale_t) plain_locale; /* the locale "C" once it was needed; never freed */

/* ---- text ------------------------------------------------------------------------------------ */

void sl_printed_init(struct sl_printed *text)
{
    text->at = text->initial;
    text->length = 0;
    text->capacity = sizeof text->initial;
}

void sl_printed_finish(struct sl_printed *text)
{
    if (text->at != text->initial)
        free(text->at);
    sl_printed_init(text);
}

static bool text_room(struct sl_printed *text, size_t more)
{
    if (more <= text->capacity - text->length)
        return true;
    size_t capacity = (text->length + more) * 2;
    char *at = malloc(capacity);
    if (!at)
        return false;
    memcpy(at, text->at, text->length);
    if (text->at != text->initial)
        free(text->at);
    text->at = at;
    text->capacity = capacity;
    return true;
}

static bool text_add(struct sl_printed *text, const char *bytes, size_t count)
{
    if (!text_room(text, count))
        return false;
    memcpy(text->at + text->length, bytes, count);
    text->length += count;
    return true;
}

__attribute__((format(printf, 2, 3))) static bool text_printf(struct sl_printed *text,
                                                              const char *fmt, ...)
{
    va_list list;
    va_start(list, fmt);
    int need = vsnprintf(NULL, 0, fmt, list);
    va_end(list);
    if (need < 0 || !text_room(text, (size_t)need + 1))
        return false;
    va_start(list, fmt);
    vsnprintf(text->at + text->length, (size_t)need + 1, fmt, list);
    va_end(list);
    text->length += (size_t)need;
    return true;
}

/* ---- one conversion -------------------------------------------------------------------------- */

enum { MOST_WIDTH = 1 << 20 }; /* beyond it a width is a mistake, not a wish */

struct conversion {
    bool minus, plus, space, hash, zero;
    int width, precision; /* -1: absent */
    uint32_t lanes;       /* of %vN; 1 without */
    uint32_t elem_bytes;  /* told by hh, h, hl, l, z, t; 0 without */
    bool is_size;         /* z, t: size_t, ptrdiff_t */
    char kind;
};

static bool *flag_of(struct conversion *c, char flag)
{
    switch (flag) {
    case '-':
        return &c->minus;
    case '+':
        return &c->plus;
    case ' ':
        return &c->space;
    case '#':
        return &c->hash;
    case '0':
        return &c->zero;
    default:
        return NULL;
    }
}

/* Digits at *at; -1 without any, -2 when absurd. */
static int parse_number(const char **at)
{
    if (**at < '0' || **at > '9')
        return -1;
    int value = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        value = value * 10 + (**at - '0');
        if (value > MOST_WIDTH)
            return -2;
    }
    return value;
}

static bool parse_vector(const char **at, struct conversion *c)
{
    if (**at != 'v')
        return true;
    ++*at;
    int lanes = parse_number(at);
    c->lanes = lanes > 0 ? (uint32_t)lanes : 0;
    return lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
}

static void parse_length(const char **at, struct conversion *c)
{
    static const struct {
        char text[3];
        uint32_t bytes;
    } lengths[] = {{"hh", 1}, {"hl", 4}, {"h", 2}, {"ll", 8}, {"l", 8}, {"z", 8}, {"t", 8}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        size_t count = strlen(lengths[i].text);
        if (!strncmp(*at, lengths[i].text, count)) {
            *at += count;
            c->elem_bytes = lengths[i].bytes;
            c->is_size = lengths[i].text[0] == 'z' || lengths[i].text[0] == 't';
            return;
        }
    }
}

/* *at is behind the '%'; moves it behind the conversion. */
static bool parse(const char **at, struct conversion *c)
{
    *c = (struct conversion){.precision = -1, .lanes = 1};
    for (bool *flag; (flag = flag_of(c, **at)); ++*at)
        *flag = true;
    c->width = parse_number(at);
    if (**at == '.') {
        ++*at;
        c->precision = parse_number(at);
        if (c->precision == -1)
            c->precision = 0;
    }
    if (c->width == -2 || c->precision == -2 || !parse_vector(at, c))
        return false;
    parse_length(at, c);
    /* 6.15.14.2: hl belongs to vectors only */
    if (c->elem_bytes == 4 && c->lanes == 1)
        return false;
    c->kind = **at;
    if (!c->kind || !strchr("diouxXfFeEgGaAcsp", c->kind))
        return false;
    ++*at;
    /* of OpenCL C 3.1: z and t belong to one integer */
    if (c->is_size && (c->lanes != 1 || !strchr("diouxX", c->kind)))
        return false;
    return c->lanes == 1 || !strchr("csp", c->kind);
}

/* "%-+ #0W.PllX": the same conversion in the C library's words. */
static void spell(char out[48], const struct conversion *c, const char *length, bool zero)
{
    char *at = out;
    *at++ = '%';
    const char *flags = "-+ #";
    const bool set[] = {c->minus, c->plus, c->space, c->hash};
    for (int i = 0; flags[i]; i++) {
        if (set[i])
            *at++ = flags[i];
    }
    if (zero && c->zero)
        *at++ = '0';
    if (c->width >= 0)
        at += sprintf(at, "%d", c->width);
    if (c->precision >= 0)
        at += sprintf(at, ".%d", c->precision);
    sprintf(at, "%s%c", length, c->kind);
}

/* ---- values ---------------------------------------------------------------------------------- */

static double half_value(uint16_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
    uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 0) {
        double tiny = fraction * 0x1p-24;
        return sign ? -tiny : tiny;
    }
    uint32_t word = exponent == 31 ? sign | 0x7f800000 | fraction << 13
                                   : sign | (exponent + 112) << 23 | fraction << 13;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static bool float_value(const unsigned char *at, uint32_t bytes, double *out)
{
    uint16_t half;
    float single;
    switch (bytes) {
    case sizeof half:
        memcpy(&half, at, sizeof half);
        *out = half_value(half);
        return true;
    case sizeof single:
        memcpy(&single, at, sizeof single);
        *out = single;
        return true;
    case sizeof *out:
        memcpy(out, at, sizeof *out);
        return true;
    default:
        return false;
    }
}

/* The low `use` bytes of an integer of `bytes`, widened with its sign or zeros. */
static bool int_value(const unsigned char *at, uint32_t bytes, uint32_t use, bool is_signed,
                      long long *out)
{
    unsigned long long bits = 0;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
        return false;
    memcpy(&bits, at, bytes);
    if (!use || use > bytes)
        use = bytes;
    unsigned shift = 64 - use * 8;
    bits <<= shift;
    *out = is_signed ? (long long)bits >> shift : (long long)(bits >> shift);
    return true;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static bool print_int(struct sl_printed *text, const struct conversion *c, const unsigned char *at,
                      uint32_t bytes)
{
    char spec[48];
    long long value;
    bool is_signed = c->kind == 'd' || c->kind == 'i';
    if (!int_value(at, bytes, c->elem_bytes, is_signed, &value))
        return false;
    if (c->kind == 'c') {
        spell(spec, c, "", false);
        return text_printf(text, spec, (int)value);
    }
    spell(spec, c, "ll", true);
    return text_printf(text, spec, value);
}

static bool print_float(struct sl_printed *text, const struct conversion *c,
                        const unsigned char *at, uint32_t bytes)
{
    char spec[48];
    double value;
    if (!float_value(at, bytes, &value))
        return false;
    /* zeros do not pad words: "inf", "nan" */
    spell(spec, c, "", __builtin_isfinite(value));
    return text_printf(text, spec, value);
}

static bool print_pointer(struct sl_printed *text, const struct conversion *c,
                          const unsigned char *at)
{
    char spec[48];
    void *value;
    memcpy(&value, at, sizeof value);
    spell(spec, c, "", false);
    return text_printf(text, spec, value);
}

static bool print_string(struct sl_printed *text, const struct conversion *c,
                         const unsigned char *at)
{
    char spec[48];
    const char *value;
    memcpy(&value, at, sizeof value);
    spell(spec, c, "", false);
    return text_printf(text, spec, value ? value : "(null)");
}

#pragma GCC diagnostic pop

static bool print_lane(struct sl_printed *text, const struct conversion *c, uint16_t kind,
                       const unsigned char *at, uint32_t bytes)
{
    bool wide = bytes == sizeof(void *);
    switch (c->kind) {
    case 's':
        return kind == SL_PRINT_STRING && wide && print_string(text, c, at);
    case 'p':
        return (kind == SL_PRINT_POINTER || kind == SL_PRINT_STRING) && wide &&
               print_pointer(text, c, at);
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        return kind == SL_PRINT_FLOAT && print_float(text, c, at, bytes);
    default:
        return kind == SL_PRINT_INT && print_int(text, c, at, bytes);
    }
}

/* ---- a whole call ---------------------------------------------------------------------------- */

struct record {
    const unsigned char *at, *end;
    uint32_t left; /* arguments */
};

static bool next_arg(struct record *record, struct sl_print_arg *arg, const unsigned char **value)
{
    size_t room = (size_t)(record->end - record->at);
    if (!record->left || room < sizeof *arg)
        return false;
    memcpy(arg, record->at, sizeof *arg);
    *value = record->at + sizeof *arg;
    room -= sizeof *arg;
    uint64_t bytes = (uint64_t)arg->lanes * arg->elem_bytes;
    uint64_t padded = (bytes + 7) / 8 * 8;
    if (bytes > room)
        return false;
    record->at = *value + (padded < room ? padded : room);
    record->left--;
    return true;
}

static void skip_arg(struct record *record)
{
    struct sl_print_arg arg;
    const unsigned char *value;
    next_arg(record, &arg, &value);
}

static bool print_arg(struct sl_printed *text, const struct conversion *c, struct record *record)
{
    struct sl_print_arg arg;
    const unsigned char *value;
    if (!next_arg(record, &arg, &value))
        return false;
    /* a three-lane vector may have been recorded with the four it occupies */
    bool padded = c->lanes == 3 && arg.lanes == 4;
    if (arg.lanes != c->lanes && !padded)
        return false;
    for (uint32_t i = 0; i < c->lanes; i++) {
        if (i && !text_add(text, ",", 1))
            return false;
        if (!print_lane(text, c, arg.kind, value + (size_t)i * arg.elem_bytes, arg.elem_bytes))
            return false;
    }
    return true;
}

/* *at is behind the '%'. What cannot be printed stands in the text as it stands in the format, and
 * the rest of the line follows: what people print tells them what is wrong. False: it did not go
 * well, and *at is behind the conversion, as far as it could be read. */
static bool print_conversion(struct sl_printed *text, const char **at, struct record *record)
{
    const char *begin = *at - 1;
    const size_t before = text->length;
    struct conversion c;
    const bool known = parse(at, &c);
    if (known && print_arg(text, &c, record))
        return true;
    if (!known)
        skip_arg(record);
    text->length = before;
    text_add(text, begin, (size_t)(*at - begin));
    return false;
}

static bool print_all(struct sl_printed *text, const char *format, struct record *record)
{
    bool well = true;
    while (*format) {
        size_t plain = strcspn(format, "%");
        well &= text_add(text, format, plain);
        format += plain;
        if (!*format)
            break;
        format++;
        if (*format == '%')
            well &= text_add(text, format++, 1);
        else
            well &= print_conversion(text, &format, record);
    }
    return well;
}

/* NULL when there is no memory. */
static locale_t get_plain_locale(void)
{
    locale_t known = atomic_load_explicit(&plain_locale, memory_order_acquire);
    if (known)
        return known;
    locale_t made = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (made && !atomic_compare_exchange_strong_explicit(
                    &plain_locale, &known, made, memory_order_acq_rel, memory_order_acquire)) {
        freelocale(made); /* another thread was first */
        return known;
    }
    return made;
}

int sl_print_format(struct sl_printed *text, const char *format, const void *record,
                    size_t record_bytes, uint32_t arg_count)
{
    struct record args = {.at = record, .left = arg_count};
    args.end = args.at + record_bytes;
    /* the application's locale must not turn decimal points into commas */
    locale_t before = uselocale(get_plain_locale());
    bool ok = print_all(text, format, &args);
    uselocale(before);
    return ok ? 0 : -1;
}

/* ---- out ------------------------------------------------------------------------------------- */

/* What the application printed before comes first, unless one of its threads is at it. A stdout
 * without a descriptor (a stream in memory) can only be written through its buffer. */
static int put(const struct sl_printed *text)
{
    bool ours = !ftrylockfile(stdout);
    int fd = fileno(stdout), rc = 0;
    if (ours && fd < 0 && fwrite_unlocked(text->at, 1, text->length, stdout) != text->length)
        rc = -1;
    if (ours && fflush_unlocked(stdout))
        rc = -1;
    if (ours)
        funlockfile(stdout);
    if (fd >= 0)
        return sl_write_all(fd, text->at, text->length) ? 0 : -1;
    return ours ? rc : -1;
}

int32_t sl_print(const char *format, const void *record, uint32_t record_bytes, uint32_t arg_count)
{
    struct sl_printed text;
    sl_printed_init(&text);
    int rc = sl_print_format(&text, format, record, record_bytes, arg_count);
    pthread_mutex_lock(&order);
    if (put(&text))
        rc = -1;
    pthread_mutex_unlock(&order);
    sl_printed_finish(&text);
    return rc;
}
