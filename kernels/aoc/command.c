/* SPDX-License-Identifier: Apache-2.0 */
/* Words to flags by one table, in both spellings. No shared state. */
#include "aoc/command.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sluice/base/near_name.h"

enum value { NONE, NEXT, EITHER, MAYBE };
enum action {
    DROP,
    QUIET,
    GIVE,
    OUTPUT,
    OBJECT,
    LINKED,
    REPORT,
    MARCH,
    BOARD,
    LIBRARY,
    FOLDER,
    VERBOSE,
    HELP,
    VERSION,
    BOARDS,
    DEPTHS,
};

struct flag {
    const char *name;
    enum value value;
    enum action action;
    const char *text;
};

static const struct flag flags[] = {
#define AOC_FLAG(name, value, action, text) {name, value, action, text},
#include "aoc/options.def"
#undef AOC_FLAG
};

/* ---- words ----------------------------------------------------------------------------------- */

/* The flag that the word names, with the value that is part of the word (NULL: none). A flag that
 * takes the next word may be glued to it, as in -Ifolder; the longest name wins. */
static const struct flag *find(const char *word, const char **value)
{
    const char *name = word + 1 + (word[1] == '-');
    const size_t length = strcspn(name, "=");
    const struct flag *glued = NULL;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const struct flag *flag = &flags[i];
        if (strlen(flag->name) == length && !strncmp(flag->name, name, length)) {
            *value = name[length] ? name + length + 1 : NULL;
            return flag;
        }
        if (flag->value == NEXT && word[1] != '-' && word[1] == flag->name[0])
            glued = flag;
    }
    if (glued)
        *value = name + 1;
    return glued;
}

static bool is_number_or_default(const char *word)
{
    return isdigit((unsigned char)*word) || !strcmp(word, "default");
}

static bool ends_with(const char *name, const char *suffix)
{
    size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && !strcmp(name + length - tail, suffix);
}

/* A library is a file among the folders of -L and the current one. */
static void add_library(struct sl_aoc_command *command, const struct sl_aoc_list *folders,
                        const char *name)
{
    char path[4096];
    for (size_t i = 0; i < folders->count; i++)
        if (snprintf(path, sizeof path, "%s/%s", folders->items[i], name) < (int)sizeof path &&
            !access(path, R_OK)) {
            sl_aoc_add(&command->objects, "%s", path);
            return;
        }
    sl_aoc_add(&command->objects, "%s", name);
}

/* Sources ask which board they are for by a macro. */
static void add_board(struct sl_aoc_command *command, const char *board)
{
    sl_aoc_add(&command->options, "-DAOCL_BOARD_%s=1", board);
    struct sl_aoc_list *options = &command->options;
    char *name = options->count ? options->items[options->count - 1] : NULL;
    for (char *c = name ? name + 2 : NULL; c && *c && *c != '='; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
}

static int apply(struct sl_aoc_command *command, struct sl_aoc_list *folders,
                 struct sl_aoc_list *libraries, const struct flag *flag, const char *word,
                 const char *value)
{
    switch (flag->action) {
    case QUIET:
        return 0;
    case DROP:
        return (sl_aoc_add(&command->dropped, "%s", word), 0);
    case GIVE:
        if (strstr(flag->text, "%s"))
            sl_aoc_add(&command->options, "%.*s%s", (int)strlen(flag->text) - 2, flag->text, value);
        else
            sl_aoc_add(&command->options, "%s", flag->text);
        return 0;
    case OUTPUT:
        return (command->output = value, 0);
    case OBJECT:
        return (command->result = SL_AOC_OBJECT, 0);
    case LINKED:
        return (command->result = SL_AOC_LINKED, 0);
    case REPORT:
        return (command->report = true, 0);
    case VERBOSE:
        return (command->verbose = true, 0);
    case HELP:
        return (command->question = SL_AOC_HELP, 0);
    case VERSION:
        return (command->question = SL_AOC_VERSION, 0);
    case BOARDS:
        return (command->question = SL_AOC_BOARDS, 0);
    case LIBRARY:
        return (sl_aoc_add(libraries, "%s", value), 0);
    case FOLDER:
        return (sl_aoc_add(folders, "%s", value), 0);
    case DEPTHS: /* the vendor writes one of them in two ways */
        sl_aoc_add(&command->options, "-emulator-channel-depth-model=%s",
                   strcmp(value, "ignoredepth") ? value : "ignore-depth");
        return 0;
    case BOARD:
        add_board(command, value);
        return (sl_aoc_add(&command->dropped, "%s", word), 0);
    case MARCH:
        if (!strcmp(value, "simulator"))
            sl_aoc_add(&command->dropped, "%s", word);
        else if (strcmp(value, "emulator") != 0)
            return sl_aoc_complain("-march=%s: want emulator or simulator", value);
        return 0;
    }
    return -1;
}

static int refuse(const char *word)
{
    const char *name = word + strspn(word, "-"), *near = NULL;
    size_t length = strcspn(name, "="), fewest = SL_NEAR_NAME_SLIPS + 1;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        size_t slips = sl_near_name(name, length, flags[i].name);
        near = slips < fewest ? flags[i].name : near;
        fewest = slips < fewest ? slips : fewest;
    }
    /* Of so short a word no letter is a slip. */
    if (near && length > 2 * fewest)
        return sl_aoc_complain("unknown flag %s: did you mean -%s? See aoc -help", word, near);
    return sl_aoc_complain("unknown flag %s; see aoc -help", word);
}

static int read_flag(struct sl_aoc_command *command, struct sl_aoc_list *folders,
                     struct sl_aoc_list *libraries, char **argv, int argc, int *at)
{
    const char *word = argv[*at], *value = NULL;
    if (!strncmp(word, "-cl-", 4))
        return (sl_aoc_add(&command->options, "%s", word), 0);
    const struct flag *flag = find(word, &value);
    if (!flag && !strncmp(word, "-W", 2)) /* which warnings: the vendor's front end knows others */
        return 0;
    if (!flag)
        return refuse(word);
    if (value && flag->value == NONE)
        return sl_aoc_complain("%s takes no value", word);
    bool next = *at + 1 < argc;
    if (!value && (flag->value == NEXT || flag->value == EITHER)) {
        if (!next)
            return sl_aoc_complain("%s needs a value", word);
        value = argv[++*at];
    } else if (!value && flag->value == MAYBE && next && is_number_or_default(argv[*at + 1])) {
        ++*at;
    }
    return apply(command, folders, libraries, flag, word, value);
}

static int read_input(struct sl_aoc_command *command, const char *name)
{
    if (ends_with(name, ".cl"))
        sl_aoc_add(&command->sources, "%s", name);
    else if (ends_with(name, ".aoco") || ends_with(name, ".aocr") || ends_with(name, ".aoclib") ||
             ends_with(name, ".slb"))
        sl_aoc_add(&command->objects, "%s", name);
    else
        return sl_aoc_complain(
            "%s: not a source (.cl), an object (.aoco), a linked design (.aocr) or a "
            "library (.aoclib)",
            name);
    return 0;
}

static int check(const struct sl_aoc_command *command)
{
    size_t inputs = command->sources.count + command->objects.count;
    if (command->sources.failed || command->objects.failed || command->options.failed ||
        command->dropped.failed)
        return sl_aoc_complain("%s", strerror(ENOMEM));
    if (command->question == SL_AOC_BUILD && !inputs)
        return sl_aoc_complain("no input file; see aoc -help");
    if (command->result == SL_AOC_OBJECT && command->sources.count > 1 && command->output)
        return sl_aoc_complain("-c with -o takes one source");
    return 0;
}

int sl_aoc_command_read(struct sl_aoc_command *command, int argc, char **argv)
{
    struct sl_aoc_list folders = {0}, libraries = {0};
    int rc = 0;
    for (int i = 1; !rc && i < argc; i++)
        rc = argv[i][0] == '-' && argv[i][1]
                 ? read_flag(command, &folders, &libraries, argv, argc, &i)
                 : read_input(command, argv[i]);
    for (size_t i = 0; i < libraries.count; i++)
        add_library(command, &folders, libraries.items[i]);
    bool failed = folders.failed || libraries.failed;
    sl_aoc_list_finish(&folders);
    sl_aoc_list_finish(&libraries);
    if (!rc && failed)
        rc = sl_aoc_complain("%s", strerror(ENOMEM));
    return rc ? rc : check(command);
}

void sl_aoc_command_finish(struct sl_aoc_command *command)
{
    sl_aoc_list_finish(&command->sources);
    sl_aoc_list_finish(&command->objects);
    sl_aoc_list_finish(&command->options);
    sl_aoc_list_finish(&command->dropped);
}
