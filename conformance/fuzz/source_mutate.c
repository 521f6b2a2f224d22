/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of sources that leave most of them programs, so that the passes get to see them: a word,
 * number or operator becomes another one, statements and what is in parentheses are moved, copied,
 * left out and put under conditions. One change of eight is of bytes. One thread; no lock.
 */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"

enum { MOST_TOKENS = 4096, MOST_PIECE = 512 };

static uint64_t state;

static size_t draw(size_t below)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (size_t)((z ^ z >> 31) % below);
}

/* ---- what stands for what -------------------------------------------------------------------- */

static const char *const numbers[] = {
    "0",           "1",   "2",    "3",     "7",       "8",          "16",         "31",
    "32",          "63",  "64",   "-1",    "255",     "0x7fffffff", "0x80000000", "0xffffffffu",
    "1ul << 63",   "1.f", "0.5f", "1e38f", "-0.0f",   "1e-40f",     "1.0e300",    "NAN",
    "(1 ? 2 : 3)", "'a'", "1000", "65536", "INT_MIN",
};
static const char *const types[] = {
    "int",    "uint",    "long",    "ulong", "short",   "ushort", "char",  "uchar",  "float",
    "half",   "double",  "size_t",  "int2",  "int3",    "int4",   "uint8", "float2", "float3",
    "float4", "float16", "uchar16", "long4", "double4", "short8", "half4", "bool",   "void",
};
static const char *const operators[] = {
    "+",  "-",  "*",  "/",  "%",  "&",  "|", "^", "<<", ">>", "<",   ">",
    "<=", ">=", "==", "!=", "&&", "||", ",", "=", "+=", "*=", "<<=", "? 1 :",
};
static const char *const calls[] = {
    "get_global_id",
    "get_local_id",
    "get_group_id",
    "get_local_size",
    "get_sub_group_local_id",
    "sin",
    "exp2",
    "sqrt",
    "rsqrt",
    "fabs",
    "native_cos",
    "popcount",
    "clz",
    "abs",
    "convert_int",
    "convert_float",
    "as_int",
    "as_float",
    "any",
    "all",
    "isnan",
    "min",
    "max",
    "fmod",
    "pow",
    "hypot",
    "rotate",
    "mul_hi",
    "add_sat",
    "dot",
    "atomic_add",
    "atomic_inc",
    "atomic_max",
    "vload4",
    "vload_half",
    "sub_group_reduce_add",
    "work_group_broadcast",
    "work_group_scan_inclusive_add",
};
static const char *const fronts[] = {
    "if (get_local_id(0) & 1) ",
    "if (get_group_id(0)) ",
    "for (int q = 0; q < 5; q++) ",
    "while (get_local_size(0) > 7) ",
    "do ; while (0); ",
    "switch (get_global_id(0) % 3) case 1: default: ",
    "barrier(CLK_LOCAL_MEM_FENCE);\n",
    "if (get_global_id(0) > 9) return;\n",
    "if (get_local_id(0) == 3) break;\n",
    "if (get_local_id(0) == 2) continue;\n",
    "{ int q[9]; q[get_local_id(0) % 9] = 1; } ",
    "{ local int w[64]; w[get_local_id(0) % 64] = 1; barrier(CLK_LOCAL_MEM_FENCE); } ",
    "#pragma unroll\n",
    "__attribute__((opencl_unroll_hint(3))) ",
};
#define ANY(table) ((table)[draw(sizeof(table) / sizeof *(table))])

/* ---- tokens ---------------------------------------------------------------------------------- */

enum class { WORD, NAME, KEYWORD, CALL, TYPE, NUMBER, OPERATOR, BRACKET, END, OTHER };

struct token {
    size_t at, bytes;
    enum class class; /* NAME: a word where it is declared, or outside of functions */
    bool inside;      /* of braces */
};

static struct text {
    char *data; /* the first byte of the input is not in it */
    size_t bytes, most;
    struct token tokens[MOST_TOKENS];
    size_t count;
} text;

static bool is_one_of(const char *const *words, size_t count, const char *word, size_t bytes)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == bytes && !memcmp(words[i], word, bytes))
            return true;
    return false;
}

static bool continues(unsigned char c)
{
    return isalnum(c) || c == '_' || c == '.';
}

static enum class class_of_word(const struct token *token)
{
    static const char *const keywords[] = {
        "kernel",    "__kernel",   "global",     "__global",  "local",     "__local",
        "constant",  "const",      "private",    "if",        "else",      "for",
        "while",     "do",         "switch",     "case",      "default",   "return",
        "break",     "continue",   "goto",       "struct",    "typedef",   "union",
        "enum",      "volatile",   "restrict",   "pipe",      "channel",   "__attribute__",
        "read_only", "write_only", "read_write", "sampler_t", "image2d_t", "image3d_t",
        "generic",   "static",     "inline",     "extern",    "sizeof",    "__constant",
    };
    const char *word = text.data + token->at;
    const size_t next = token->at + token->bytes;
    const struct token *last = text.count ? &text.tokens[text.count - 1] : NULL;
    if (is_one_of(keywords, sizeof keywords / sizeof *keywords, word, token->bytes))
        return KEYWORD;
    if (is_one_of(types, sizeof types / sizeof *types, word, token->bytes))
        return TYPE;
    if (!token->inside || (last && (last->class == TYPE || last->class == KEYWORD) &&
                           memcmp(text.data + last->at, "return", 6)))
        return NAME;
    return next < text.bytes && text.data[next] == '(' ? CALL : WORD;
}

static struct token read_token(size_t at, bool inside)
{
    const unsigned char *from = (const unsigned char *)text.data + at;
    struct token token = {at, 1, OTHER, inside};
    if (isalnum(*from) || *from == '_') {
        while (at + token.bytes < text.bytes && continues(from[token.bytes]))
            token.bytes++;
        token.class = isdigit(*from) ? NUMBER : class_of_word(&token);
    } else if (*from == '#') { /* a line for the preprocessor */
        while (at + token.bytes < text.bytes && from[token.bytes] != '\n')
            token.bytes++;
    } else if (*from && strchr("+-*/%&|^<>=!", *from)) {
        token.class = inside ? OPERATOR : OTHER;
    } else if (*from && strchr("()[]", *from)) {
        token.class = BRACKET;
    } else if (*from && strchr(";{}", *from)) {
        token.class = END;
    }
    return token;
}

static void read_tokens(void)
{
    size_t depth = 0;
    text.count = 0;
    for (size_t at = 0; at < text.bytes && text.count < MOST_TOKENS;) {
        if (isspace((unsigned char)text.data[at])) {
            at++;
            continue;
        }
        depth -= text.data[at] == '}' && depth;
        text.tokens[text.count] = read_token(at, depth != 0);
        depth += text.data[at] == '{';
        at += text.tokens[text.count++].bytes;
    }
}

/* A token of that class from `start` on, or in front of all; SIZE_MAX: there is none. */
static size_t find_from(size_t start, enum class class)
{
    for (size_t i = 0; i < text.count; i++) {
        size_t n = (start + i) % text.count;
        if (text.tokens[n].class == class && (class != END || text.tokens[n].inside))
            return n;
    }
    return SIZE_MAX;
}

static size_t find(enum class class)
{
    return text.count ? find_from(draw(text.count), class) : SIZE_MAX;
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void replace(size_t at, size_t old, const char *piece, size_t bytes)
{
    if (text.bytes - old + bytes > text.most)
        return;
    memmove(text.data + at + bytes, text.data + at + old, text.bytes - at - old);
    memcpy(text.data + at, piece, bytes);
    text.bytes += bytes - old;
}

static void replace_token(size_t n, const char *piece)
{
    if (n != SIZE_MAX)
        replace(text.tokens[n].at, text.tokens[n].bytes, piece, strlen(piece));
}

struct piece {
    size_t at, bytes;
};

/* Behind the end of a statement or block, to the end of the next, with what is in brackets. */
static struct piece draw_statement(void)
{
    size_t n = find(END);
    if (n == SIZE_MAX || n + 1 >= text.count)
        return (struct piece){0, 0};
    size_t from = text.tokens[n].at + 1, to = from;
    int depth = 0;
    for (n++; n < text.count; n++) {
        char c = text.data[text.tokens[n].at];
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (depth < 0)
            break;
        to = text.tokens[n].at + text.tokens[n].bytes;
        if (!depth && (c == ';' || c == '}'))
            break;
    }
    return (struct piece){from, to - from};
}

/* "(...)" or "[...]" */
static struct piece draw_parentheses(void)
{
    size_t n = find(BRACKET);
    if (n == SIZE_MAX)
        return (struct piece){0, 0};
    size_t from = text.tokens[n].at;
    int depth = 0;
    for (; n < text.count; n++) {
        char c = text.data[text.tokens[n].at];
        depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (depth <= 0)
            break;
    }
    size_t to = n < text.count ? text.tokens[n].at + 1 : from;
    return (struct piece){from, to - from};
}

static void put_copy(struct piece from, struct piece to)
{
    char copy[MOST_PIECE];
    if (!from.bytes || from.bytes > sizeof copy)
        return;
    memcpy(copy, text.data + from.at, from.bytes);
    replace(to.at, to.bytes, copy, from.bytes);
}

static void put_twin(enum class class)
{
    size_t to = find(class);
    if (to == SIZE_MAX)
        return;
    size_t back = draw(60); /* the same function's, most of the time */
    size_t from = find_from(to > back ? to - back : 0, class);
    if (from != SIZE_MAX)
        put_copy((struct piece){text.tokens[from].at, text.tokens[from].bytes},
                 (struct piece){text.tokens[to].at, text.tokens[to].bytes});
}

static void edit(void)
{
    const struct piece here = draw_statement();
    switch (draw(14)) {
    case 0:
    case 1:
        put_twin(WORD);
        break;
    case 2:
        put_twin(NUMBER);
        break;
    case 3:
        replace_token(find(NUMBER), ANY(numbers));
        break;
    case 4:
        replace_token(find(WORD), ANY(numbers));
        break;
    case 5:
        replace_token(find(TYPE), ANY(types));
        break;
    case 6:
    case 7:
        replace_token(find(OPERATOR), ANY(operators));
        break;
    case 8:
        replace_token(find(CALL), ANY(calls));
        break;
    case 9:
        put_copy(draw_statement(), (struct piece){here.at, 0});
        break;
    case 10:
        replace(here.at, here.bytes, "", 0);
        break;
    case 11:
        put_copy(draw_parentheses(), draw_parentheses());
        break;
    default: {
        const char *front = ANY(fronts);
        replace(here.at, 0, front, strlen(front));
    }
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t most, unsigned seed)
{
    state = seed;
    if (bytes < 2 || !draw(8))
        return LLVMFuzzerMutate(data, bytes, most);
    if (!draw(8))
        data[0] = (uint8_t)draw(256);
    text.data = (char *)data + 1;
    text.bytes = bytes - 1;
    text.most = most - 1;
    for (size_t edits = 1 + draw(2); edits; edits--) {
        read_tokens();
        edit();
    }
    return text.bytes + 1;
}
