/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Log and trace lines. The environment is read once into two atomics, so that "off" costs one load.
 * No lock and no open file is kept: each line is one write to stderr or to the named file opened in
 * append mode, which survives fork, dlclose and several processes writing at once.
 */
#include "base/log/log.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/config/config.h"
#include "sluice/base/file.h"
#include "sluice/base/io.h"
#include "sluice/base/wait.h"

#define LINE_BYTES 2048
enum { UNREAD = -100, OFF = -2, SILENT = -1 };

static const char *const level_names[] = {"error", "warn", "info", "debug"};
static atomic_int ceiling = UNREAD; /* the most talkative level of any topic */
static atomic_int trace_mask = UNREAD;

/* OFF: "off"; SILENT: it is no level. */
static int level_from(const char *text, size_t length)
{
    if (length == strlen("off") && !strncmp(text, "off", length))
        return OFF;
    for (int level = 0; level < 4; level++)
        if (strlen(level_names[level]) == length && !strncmp(level_names[level], text, length))
            return level;
    return SILENT;
}

/* The level of `topic` in "topic:level,level,..."; the most talkative of all for topic NULL. */
static int level_of(const char *spec, const char *topic)
{
    int general = SILENT, own = SILENT;
    while (spec && *spec) {
        size_t length = strcspn(spec, ",");
        const char *colon = memchr(spec, ':', length);
        size_t name = colon ? (size_t)(colon - spec) : 0;
        const char *word = colon ? colon + 1 : spec;
        int level = level_from(word, (size_t)(spec + length - word));
        bool here = colon && topic && strlen(topic) == name && !strncmp(topic, spec, name);
        if (!colon || !topic)
            general = general == SILENT || level > general ? level : general;
        else if (here)
            own = level;
        if (here && level == SILENT)
            return SILENT;
        spec += length + (spec[length] == ',');
    }
    return own != SILENT ? own : general;
}

/* Part by part: is there a level in it, and only levels? */
bool sl_log_spec_valid(const char *spec)
{
    while (*spec) {
        size_t length = strcspn(spec, ",");
        const char *colon = memchr(spec, ':', length);
        const char *word = colon ? colon + 1 : spec;
        if (level_from(word, (size_t)(spec + length - word)) == SILENT)
            return false;
        spec += length + (spec[length] == ',');
    }
    return true;
}

bool sl_log_enabled(int level, const char *topic)
{
    int top = atomic_load_explicit(&ceiling, memory_order_relaxed);
    if (top == UNREAD) {
        top = level_of(sl_config(SL_CONFIG_LOG), NULL);
        atomic_store_explicit(&ceiling, top, memory_order_relaxed);
    }
    /* who set a variable to what it cannot mean, or loses packets, is told, also without a log */
    if (level <= SL_LOG_WARN && (!strcmp(topic, SL_LOG_SETTING) || !strcmp(topic, SL_LOG_IO))) {
        int asked = level_of(sl_config(SL_CONFIG_LOG), topic);
        return asked == SILENT || level <= asked;
    }
    return level <= top && level <= level_of(sl_config(SL_CONFIG_LOG), topic);
}

static void say_once(enum sl_config_key file, const char *path, const char *why)
{
    static atomic_uint said; /* a bit for each file */
    unsigned bit = file == SL_CONFIG_LOG_FILE ? 1 : 2;
    if (atomic_fetch_or_explicit(&said, bit, memory_order_relaxed) & bit)
        return;
    dprintf(STDERR_FILENO, "sluice: %s=%s: %s\n", sl_config_name(file), path, why);
}

static void write_line(enum sl_config_key file, const char *text, size_t bytes)
{
    const char *path = sl_config(file), *why;
    if (!path || !*path) {
        sl_write_all(STDERR_FILENO, text, bytes);
        return;
    }
    int fd = sl_output_open(path, O_APPEND, &why);
    if (fd < 0)
        say_once(file, path, why);
    sl_write_all(fd < 0 ? STDERR_FILENO : fd, text,
                 bytes); /* rather in the wrong place than lost */
    if (fd >= 0)
        close(fd);
}

__attribute__((format(printf, 4, 0))) static void
line(enum sl_config_key file, const char *kind, const char *topic, const char *fmt, va_list args)
{
    char text[LINE_BYTES];
    uint64_t now_us = sl_clock_ns() / 1000;
    int head =
        snprintf(text, sizeof text,
                 "sluice %llu.%06u [%ld] %s%s%s: ", (unsigned long long)(now_us / 1000000),
                 (unsigned)(now_us % 1000000), syscall(SYS_gettid), kind, *topic ? " " : "", topic);
    int body = vsnprintf(text + head, sizeof text - (size_t)head - 1, fmt, args);
    size_t bytes = (size_t)head + (size_t)(body < 0 ? 0 : body);
    if (bytes > sizeof text - 2)
        bytes = sizeof text - 2;
    if (text[bytes - 1] != '\n') /* logs of builds end with one, and what is empty leaves one */
        text[bytes++] = '\n';
    write_line(file, text, bytes);
}

void sl_log(int level, const char *topic, const char *fmt, ...)
{
    if (!sl_log_enabled(level, topic))
        return;
    va_list args;
    va_start(args, fmt);
    line(SL_CONFIG_LOG_FILE, level_names[level < 0 ? 0 : level & 3], topic, fmt, args);
    va_end(args);
}

__attribute__((format(printf, 2, 3))) static void error_line(const char *topic, const char *fmt,
                                                             ...)
{
    va_list args;
    va_start(args, fmt);
    line(SL_CONFIG_LOG_FILE, level_names[SL_LOG_ERROR], topic, fmt, args);
    va_end(args);
}

void sl_log_always(const char *topic, const char *text)
{
    int asked = level_of(sl_config(SL_CONFIG_LOG), topic);
    if (asked != SILENT && asked < SL_LOG_ERROR)
        return;
    while (*text) {
        size_t length = strcspn(text, "\n");
        error_line(topic, "%.*s", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

bool sl_trace_enabled(int bit)
{
    int mask = atomic_load_explicit(&trace_mask, memory_order_relaxed);
    if (mask == UNREAD) {
        mask = (int)sl_config_long(SL_CONFIG_TRACE, -1, 0xffff);
        atomic_store_explicit(&trace_mask, mask, memory_order_relaxed);
    }
    return mask & bit;
}

void sl_trace(int bit, const char *fmt, ...)
{
    if (!sl_trace_enabled(bit))
        return;
    va_list args;
    va_start(args, fmt);
    line(SL_CONFIG_TRACE_FILE, "trace", "", fmt, args);
    va_end(args);
}
