/* SPDX-License-Identifier: Apache-2.0 */
/* Components and libraries, made by sluicec. No shared state. */
#include "aoc/library.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aoc/list.h"
#include "aoc/run.h"

struct request {
    const char *output;       /* borrowed; NULL: made from name or the first input */
    const char *name;         /* borrowed; NULL: none */
    struct sl_aoc_list input; /* owned */
};

/* ---- the compiler ---------------------------------------------------------------------------- */

/* sluicec with these words; takes the list over. */
static int compile(struct sl_aoc_list *words)
{
    char path[PATH_MAX];
    int rc = -1;
    if (words->failed)
        sl_aoc_complain("%s", strerror(ENOMEM));
    else if (sl_aoc_beside("sluicec", path, sizeof path))
        sl_aoc_complain("the folder of this program is not known");
    else if ((rc = sl_aoc_run(path, words->items, false)) < 0)
        sl_aoc_complain("%s: %s", path, strerror(errno));
    sl_aoc_list_finish(words);
    return rc ? -1 : 0;
}

static int make_object(const char *source, const char *output)
{
    struct sl_aoc_list words = {0};
    sl_aoc_add(&words, "sluicec");
    sl_aoc_add(&words, "--device=fpga");
    sl_aoc_say_who(&words);
    sl_aoc_add(&words, "-c");
    sl_aoc_add(&words, "%s", source);
    sl_aoc_add(&words, "-o");
    sl_aoc_add(&words, "%s", output);
    return compile(&words);
}

static int make_library(const struct sl_aoc_list *objects, const char *output)
{
    struct sl_aoc_list words = {0};
    sl_aoc_add(&words, "sluicec");
    sl_aoc_add(&words, "--device=fpga");
    sl_aoc_add(&words, "-create-library");
    for (size_t i = 0; i < objects->count; i++)
        sl_aoc_add(&words, "%s", objects->items[i]);
    sl_aoc_add(&words, "-o");
    sl_aoc_add(&words, "%s", output);
    return compile(&words);
}

/* ---- descriptions of components -------------------------------------------------------------- */

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t capacity = 0;
    if (file && getdelim(&text, &capacity, 0, file) < 0) {
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static void blank_comments(char *text)
{
    for (char *at = text; (at = strstr(at, "<!--"));) {
        char *end = strstr(at, "-->");
        memset(at, ' ', end ? (size_t)(end + 3 - at) : strlen(at));
    }
}

/* <FILE name="..."/> between <C_MODEL> and </C_MODEL>, each relative to the description. */
static void find_models(const char *path, char *text, struct sl_aoc_list *models)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    for (char *part = text; (part = strstr(part, "<C_MODEL"));) {
        const char *end = strstr(part, "</C_MODEL");
        for (char *name = part; (name = strstr(name, "name")) && (!end || name < end);) {
            name += strlen("name");
            char *value = name + strspn(name, " \t\r\n=");
            const char *close = *value == '"' || *value == '\'' ? strchr(value + 1, *value) : NULL;
            if (close)
                sl_aoc_add(models, "%.*s%.*s", *value && value[1] == '/' ? 0 : folder, path,
                           (int)(close - value - 1), value + 1);
        }
        part += strlen("<C_MODEL");
    }
}

static int pack_models(const struct sl_aoc_list *models, const char *output)
{
    struct sl_aoc_list parts = {0};
    int rc = 0;
    if (models->count == 1)
        return make_object(models->items[0], output);
    for (size_t i = 0; !rc && i < models->count; i++) {
        sl_aoc_add(&parts, "%s.%zu", output, i);
        rc = parts.failed ? -1 : make_object(models->items[i], parts.items[i]);
    }
    if (!rc)
        rc = make_library(&parts, output);
    for (size_t i = 0; i < parts.count; i++)
        remove(parts.items[i]);
    sl_aoc_list_finish(&parts);
    return rc;
}

static int pack_hdl(const struct request *request, const char *output)
{
    const char *path = request->input.items[0];
    struct sl_aoc_list models = {0};
    char *text = read_text(path);
    int rc;
    if (!text)
        return sl_aoc_complain("%s: cannot be read", path);
    blank_comments(text);
    find_models(path, text, &models);
    if (models.count && !models.failed)
        rc = pack_models(&models, output);
    else
        rc = sl_aoc_complain("%s: names no C model (C_MODEL): RTL cannot be emulated", path);
    sl_aoc_list_finish(&models);
    free(text);
    return rc;
}

static int pack_source(const struct request *request, const char *output)
{
    return make_object(request->input.items[0], output);
}

static int create(const struct request *request, const char *output)
{
    return make_library(&request->input, output);
}

/* ---- the words ------------------------------------------------------------------------------- */

static const struct kind {
    const char *word, *suffix;
    int (*make)(const struct request *, const char *output);
    bool many;
} kinds[] = {
    {"hdl-comp-pkg", ".aoco", pack_hdl, false},
    {"ocl-comp-pkg", ".aoco", pack_source, false},
    {"create", ".aoclib", create, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int read_words(struct request *request, char **args)
{
    for (; *args; args++) {
        const char *flag = **args == '-' ? *args + strspn(*args, "-") : NULL;
        if (!flag)
            sl_aoc_add(&request->input, "%s", *args);
        else if (strcmp(flag, "o") != 0 && strcmp(flag, "name") != 0 &&
                 strcmp(flag, "vendor") != 0 && strcmp(flag, "version") != 0)
            return sl_aoc_complain("library: unknown flag %s", *args);
        else if (!args[1])
            return sl_aoc_complain("library: %s needs a value", *args);
        else if (!strcmp(flag, "o"))
            request->output = *++args;
        else if (!strcmp(flag, "name"))
            request->name = *++args;
        else
            args++;
    }
    return request->input.failed ? sl_aoc_complain("%s", strerror(ENOMEM)) : 0;
}

/* NAME.aoclib; else the first input's name with another ending, in the current folder. */
static int name_output(const struct request *request, const struct kind *kind, char *out)
{
    const char *name = request->name ? request->name : request->input.items[0];
    const char *slash = request->name ? NULL : strrchr(name, '/');
    if (slash)
        name = slash + 1;
    const char *dot = request->name ? NULL : strrchr(name, '.');
    const int length = (int)(dot ? (size_t)(dot - name) : strlen(name));
    return snprintf(out, PATH_MAX, "%.*s%s", length, name, kind->suffix) < PATH_MAX
               ? 0
               : sl_aoc_complain("%s: name too long", name);
}

static int make(const struct kind *kind, char **args)
{
    struct request request = {0};
    char name[PATH_MAX];
    int rc = read_words(&request, args);
    if (!rc && !request.input.count)
        rc = sl_aoc_complain("library %s: no input file", kind->word);
    if (!rc && !kind->many && request.input.count > 1)
        rc = sl_aoc_complain("library %s: takes one file", kind->word);
    if (!rc && !request.output)
        rc = name_output(&request, kind, name);
    if (!rc)
        rc = kind->make(&request, request.output ? request.output : name);
    sl_aoc_list_finish(&request.input);
    return rc ? 1 : 0;
}

int sl_aoc_library(char **args)
{
    for (int i = 0; args[0] && i < KINDS; i++)
        if (!strcmp(args[0], kinds[i].word))
            return make(&kinds[i], args + 1);
    sl_aoc_complain("library: want hdl-comp-pkg, ocl-comp-pkg or create");
    return 1;
}
