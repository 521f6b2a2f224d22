/* SPDX-License-Identifier: Apache-2.0 */
/* SLUICE_* variables, the log's topics and levels, allocation failure on demand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/config/config.h"
#include "base/config_check.h"
#include "base/log/error.h"
#include "base/log/log.h"
#include "base/log/timeline.h"
#include "base/object/alloc.h"
#include "platform/compiler_path.h"
#include "sluice/base/environment.h"
#include "sluice/build_mode.h"

static void test_defaults_and_values(void **state)
{
    (void)state;
    unsetenv("SLUICE_CACHE_MAX_MB");
    assert_string_equal(sl_config(SL_CONFIG_CACHE_MAX_MB), "512");
    assert_string_equal(sl_config_by_name("SLUICE_CACHE_MAX_MB"), "512");
    setenv("SLUICE_CACHE_MAX_MB", "77", 1);
    assert_string_equal(sl_config(SL_CONFIG_CACHE_MAX_MB), "77");
    assert_null(sl_config_by_name("SLUICE_NO_SUCH"));
    unsetenv("SLUICE_DUMP");
    assert_null(sl_config(SL_CONFIG_DUMP));
}

static void test_names_are_known_by_name(void **state)
{
    (void)state;
    static const char *const names[] = {
#define SL_CONFIG(id, name, fallback, help) name,
#include "base/config/config.def"
#undef SL_CONFIG
    };
    static const char *const helps[] = {
#define SL_CONFIG(id, name, fallback, help) help,
#include "base/config/config.def"
#undef SL_CONFIG
    };
    for (size_t i = 0; i < SL_CONFIG_COUNT; i++) {
        assert_true(!strncmp(names[i], "SLUICE_", 7) || !strncmp(names[i], "CL_CON", 6));
        assert_true(strlen(helps[i]) > 10);
        setenv(names[i], "x", 1);
        assert_string_equal(sl_config_by_name(names[i]), "x");
        unsetenv(names[i]);
    }
}

static void test_numbers(void **state)
{
    (void)state;
    const struct {
        const char *text;
        long expected;
    } cases[] = {{"12", 12}, {"0x10", 16}, {"-5", 512},  {"99999999999999999999", 1000},
                 {"", 512},  {"12k", 512}, {"many", 512}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("SLUICE_CACHE_MAX_MB", cases[i].text, 1);
        assert_int_equal(sl_config_long(SL_CONFIG_CACHE_MAX_MB, 0, 1000), cases[i].expected);
    }
    unsetenv("SLUICE_CACHE_MAX_MB");
}

static void test_switches(void **state)
{
    (void)state;
    const char *const off[] = {"", "0", "no", "OFF", "False"}, *const on[] = {"1", "yes", "2"};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        setenv("SLUICE_CACHE", off[i], 1);
        assert_false(sl_config_bool(SL_CONFIG_CACHE));
    }
    for (size_t i = 0; i < sizeof on / sizeof *on; i++) {
        setenv("SLUICE_CACHE", on[i], 1);
        assert_true(sl_config_bool(SL_CONFIG_CACHE));
    }
    unsetenv("SLUICE_CACHE");
    assert_true(sl_config_bool(SL_CONFIG_CACHE));
    const char *const timing[] = {"of", "2", "Off", ""};
    for (size_t i = 0; i < sizeof timing / sizeof *timing; i++) {
        setenv("SLUICE_FPGA_TIMING", timing[i], 1);
        assert_false(sl_config_bool(SL_CONFIG_FPGA_TIMING));
    }
    setenv("SLUICE_FPGA_TIMING", "On", 1);
    assert_true(sl_config_bool(SL_CONFIG_FPGA_TIMING));
    unsetenv("SLUICE_FPGA_TIMING");
}

/* The environment is read once per process, so each case has its own. */
static void in_child(void (*body)(const char *), const char *argument)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        body(argument);
        _exit(42);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void expect(bool fact)
{
    if (!fact)
        _exit(1);
}

static void silent(const char *unused)
{
    (void)unused;
    unsetenv("SLUICE_LOG");
    expect(!sl_log_enabled(SL_LOG_ERROR, "api") && !sl_trace_enabled(SL_TRACE_API));
    _exit(0);
}

static void off(const char *path)
{
    setenv("SLUICE_LOG", "off", 1);
    setenv("SLUICE_LOG_FILE", path, 1);
    setenv("SLUICE_TRACE", "all", 1);
    sl_config_check();
    sl_log_always("fpga", "nothing can move");
    expect(access(path, F_OK));
    expect(!sl_log_enabled(SL_LOG_ERROR, "api") && !sl_log_enabled(SL_LOG_ERROR, SL_LOG_SETTING));
    _exit(0);
}

/* Who looks at something else still hears that a design stands still. */
static void other_topic(const char *path)
{
    setenv("SLUICE_LOG", "vectorize:debug", 1);
    setenv("SLUICE_LOG_FILE", path, 1);
    expect(!sl_log_enabled(SL_LOG_ERROR, "fpga"));
    sl_log_always("fpga", "nothing can move");
    expect(!access(path, F_OK));
    _exit(0);
}

static void off_but_one(const char *unused)
{
    (void)unused;
    setenv("SLUICE_LOG", "build:info,off", 1);
    expect(sl_log_enabled(SL_LOG_INFO, "build") && !sl_log_enabled(SL_LOG_DEBUG, "build"));
    expect(!sl_log_enabled(SL_LOG_ERROR, "api"));
    _exit(0);
}

static void by_topic(const char *unused)
{
    (void)unused;
    setenv("SLUICE_LOG", "api:debug,build:error,warn", 1);
    expect(sl_log_enabled(SL_LOG_DEBUG, "api"));
    expect(sl_log_enabled(SL_LOG_ERROR, "build") && !sl_log_enabled(SL_LOG_WARN, "build"));
    expect(sl_log_enabled(SL_LOG_WARN, "cache") && !sl_log_enabled(SL_LOG_INFO, "cache"));
    _exit(0);
}

static void told(const char *path)
{
    static const char *const wrong[][2] = {
        {"SLUICE_LOG", "loud"},           {"SLUICE_TRACE", "all"},
        {"SLUICE_CACHE", "perhaps"},      {"SLUICE_CACHE_MAX_MB", "1G"},
        {"SLUICE_PIN_THREADS", "core 3"}, {"SLUICE_COMPILE_TIMEOUT", "a while"},
        {"SLUICE_FPGA_TIMING", "of"}};
    static const char *const fine[][2] = {{"SLUICE_PASS_LIMIT", ""},
                                          {"SLUICE_COMPILE_MEMORY_MB", "0x100"},
                                          {"SLUICE_CACHE_DIR", "?"}};
    char text[4096] = "";
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        setenv(wrong[i][0], wrong[i][1], 1);
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        setenv(fine[i][0], fine[i][1], 1);
    setenv("SLUICE_LOG_FILE", path, 1);
    sl_config_check();
    FILE *file = fopen(path, "r");
    expect(file && fread(text, 1, sizeof text - 1, file) > 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char value[64];
        snprintf(value, sizeof value, "%s=%s is not ", wrong[i][0], wrong[i][1]);
        expect(strstr(text, value));
    }
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        expect(!strstr(text, fine[i][0]));
    expect(!sl_log_enabled(SL_LOG_WARN, "api") && !sl_log_enabled(SL_LOG_INFO, SL_LOG_SETTING));
    _exit(0);
}

static void not_told(const char *path)
{
    setenv("SLUICE_LOG", "error", 1);
    setenv("SLUICE_TRACE", "all", 1);
    setenv("SLUICE_LOG_FILE", path, 1);
    sl_config_check();
    expect(access(path, F_OK));
    _exit(0);
}

static void misspelt(const char *path)
{
    static const char *const slips[][2] = {
        {"SLUICE_FPGA_DEPHTS", "SLUICE_FPGA_DEPTHS"}, {"SLUICE_FPGA_PROFIL", "SLUICE_FPGA_PROFILE"},
        {"SLUICE_PROFILE", "SLUICE_FPGA_PROFILE"},    {"SLUICE_CACHES", "SLUICE_CACHE"},
        {"SLUICE_LOGFILE", "SLUICE_LOG_FILE"},        {"SLUICE_NUM_THRAEDS", "SLUICE_NUM_THREADS"},
        {"SLUICE_DIVECES", "SLUICE_DEVICES"},         {"SLUCE_LOG", "SLUICE_LOG"},
        {"SLIUCE_CACHE_DIR", "SLUICE_CACHE_DIR"}};
    static const char *const others[] = {"SLUICE_FPGA_DEPTH",
                                         "SLUICE_MINE",
                                         "SLUICE_",
                                         "SLUICE_FOO",
                                         "SLUICE_OF_A_NAME_THAT_IS_AS_LONG_AS_IT_GETS",
                                         "SLURM_CPU",
                                         "LUICE_LOG"};
    char text[4096] = "";
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        setenv(slips[i][0], "1", 1);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        setenv(others[i], "1", 1);
    setenv("SLUICE_LOG_FILE", path, 1);
    sl_config_check_names();
    FILE *file = fopen(path, "r");
    expect(file && fread(text, 1, sizeof text - 1, file) > 0);
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        char line[128];
        snprintf(line, sizeof line, "there is no %s: did you mean %s?", slips[i][0], slips[i][1]);
        expect(strstr(text, line));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char line[128];
        snprintf(line, sizeof line, "there is no %s:", others[i]);
        expect(!strstr(text, line));
    }
    _exit(0);
}

/* Of topics only what is nearly one of ours: devices of others have their own. */
static void misspelt_topics(const char *path)
{
    static const char *const told[][2] = {{"vectorise", "vectorize"}, {"vectroize", "vectorize"},
                                          {"fgpa", "fpga"},           {"buid", "build"},
                                          {"settings", "setting"},    {"devices", "device"}};
    char text[4096] = "";
    setenv("SLUICE_LOG",
           "warn,vectorise:debug,vectroize:info,fgpa:info,buid:debug,settings:warn,devices:info,"
           "gpu:debug,npu:info,cpu:info,io:info,vectorize:debug,mine:info,:info",
           1);
    setenv("SLUICE_LOG_FILE", path, 1);
    sl_config_check();
    FILE *file = fopen(path, "r");
    expect(file && fread(text, 1, sizeof text - 1, file) > 0);
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    expect(lines == sizeof told / sizeof *told);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        char line[128];
        snprintf(line, sizeof line, "SLUICE_LOG: there is no topic %s: did you mean %s?",
                 told[i][0], told[i][1]);
        expect(strstr(text, line));
    }
    _exit(0);
}

static void no_compiler(const char *path)
{
    static const char *const values[] = {"/no/such/compiler", "/tmp", "/etc/passwd"};
    char text[4096] = "";
    setenv("SLUICE_LOG_FILE", path, 1);
    unsetenv("SLUICE_COMPILER");
    sl_compiler_check_setting();
    setenv("SLUICE_COMPILER", "", 1);
    sl_compiler_check_setting();
    setenv("SLUICE_COMPILER", "/proc/self/exe", 1);
    sl_compiler_check_setting();
    expect(access(path, F_OK));
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        setenv("SLUICE_COMPILER", values[i], 1);
        sl_compiler_check_setting();
    }
    FILE *file = fopen(path, "r");
    expect(file && fread(text, 1, sizeof text - 1, file) > 0);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char line[128];
        snprintf(line, sizeof line, "SLUICE_COMPILER=%s is no program that can be started",
                 values[i]);
        expect(strstr(text, line));
    }
    _exit(0);
}

static void trace_bits(const char *unused)
{
    (void)unused;
    setenv("SLUICE_TRACE", "-1", 1);
    expect(sl_trace_enabled(SL_TRACE_API) && sl_trace_enabled(SL_TRACE_COMPILER));
    _exit(0);
}

static void to_file(const char *path)
{
    setenv("SLUICE_LOG", "debug", 1);
    setenv("SLUICE_LOG_FILE", path, 1);
    expect(sl_refuse(CL_INVALID_BUFFER_SIZE, "size is %d", 0) == CL_INVALID_BUFFER_SIZE);
    char text[512] = "";
    FILE *file = fopen(path, "r");
    expect(file && fgets(text, sizeof text, file));
    expect(strstr(text, "CL_INVALID_BUFFER_SIZE (-61): size is 0\n") && strstr(text, "to_file"));
    _exit(0);
}

static void timeline(const char *path)
{
    char text[1024] = "";
    setenv("SLUICE_TIMELINE", path, 1);
    expect(sl_timeline_enabled());
    sl_timeline_span("command", "a \"quoted\"\nname", 1500, 4750, NULL);
    sl_timeline_span("build", "b", 5000, 4000, "{\"n\":1}");
    FILE *file = fopen(path, "r");
    expect(file);
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    expect(bytes && !strncmp(text, "[\n{", 3) && !strcmp(text + bytes - 4, "}\n]\n"));
    expect(strstr(text, "\"name\":\"a \\\"quoted\\\"\\u000aname\",\"ts\":1.500,\"dur\":3.250"));
    expect(strstr(text, "},\n{\"ph\":\"X\",\"cat\":\"build\""));
    expect(strstr(text, "\"dur\":0.000") && strstr(text, "\"args\":{\"n\":1}}"));
    _exit(0);
}

static void fail_third(const char *unused)
{
    (void)unused;
    setenv("SLUICE_FAIL_ALLOC", "3", 1);
    void *kept[4];
    kept[0] = sl_alloc(1);
    kept[1] = sl_strdup("x");
    kept[2] = sl_zalloc(1);
    kept[3] = sl_memdup("y", 2);
    expect(kept[0] && kept[1] && !kept[2] && kept[3]);
    for (int i = 0; i < 4; i++)
        sl_free(kept[i]);
    _exit(0);
}

static void test_once_per_process(void **state)
{
    (void)state;
    char path[] = "/tmp/sluice-config-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    in_child(silent, NULL);
    in_child(by_topic, NULL);
    in_child(off_but_one, NULL);
    in_child(trace_bits, NULL);
    in_child(to_file, path);
    unlink(path);
    in_child(not_told, path);
    in_child(off, path);
    in_child(other_topic, path);
    unlink(path);
    in_child(told, path);
    unlink(path);
    in_child(misspelt, path);
    unlink(path);
    in_child(misspelt_topics, path);
    unlink(path);
    in_child(no_compiler, path);
    unlink(path);
    in_child(timeline, path);
    in_child(fail_third, NULL);
    close(file);
    unlink(path);
}

static void test_error_names(void **state)
{
    (void)state;
    assert_string_equal(sl_error_name(CL_SUCCESS), "CL_SUCCESS");
    assert_string_equal(sl_error_name(CL_INVALID_PROPERTY), "CL_INVALID_PROPERTY");
    assert_string_equal(sl_error_name(-12345), "CL_?");
}

/* What a child may have: names as they are, and beginnings of names. */
static void test_copied_environment(void **state)
{
    (void)state;
    static const char *const names[] = {"SLUICE_TEST_A", "SLUICE_TEST_P*", "NOT_SET"};
    static const char *const set[][2] = {
        {"SLUICE_TEST_A", "1=2"}, {"SLUICE_TEST_AB", "no"}, {"SLUICE_TEST_P", ""},
        {"SLUICE_TEST_PX", "x"},  {"XSLUICE_TEST_A", "no"},
    };
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        setenv(set[i][0], set[i][1], 1);
    char **copy = sl_environment_copy(names, 3, malloc);
    int found = 0, rows = 0;
    for (; copy[rows]; rows++)
        found += !strcmp(copy[rows], "SLUICE_TEST_A=1=2") ||
                 !strcmp(copy[rows], "SLUICE_TEST_P=") || !strcmp(copy[rows], "SLUICE_TEST_PX=x");
    assert_int_equal(found, 3);
    assert_int_equal(rows, 3);
    free(copy);
    copy = sl_environment_copy(names, 0, malloc);
    assert_null(copy[0]);
    free(copy);
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        unsetenv(set[i][0]);
}

static bool warns_of_mode(const char *word)
{
    char path[] = "/tmp/sluice-config-XXXXXX", text[1024] = "";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    setenv("SLUICE_LOG_FILE", path, 1);
    setenv("SLUICE_LOG", "warn", 1);
    setenv("SLUICE_BUILD", word, 1);
    sl_config_check();
    assert_true(read(fd, text, sizeof text - 1) >= 0);
    close(fd);
    unlink(path);
    unsetenv("SLUICE_LOG_FILE");
    unsetenv("SLUICE_LOG");
    unsetenv("SLUICE_BUILD");
    return strstr(text, "is not whole, auto, on-demand or quick");
}

/* What is none of the words means the same as none at all, to the compiler and to the driver, and
 * is said. */
static void test_words_of_build_modes(void **state)
{
    (void)state;
    assert_int_equal(sl_build_mode_of(NULL), SL_MODE_WHOLE);
    assert_int_equal(sl_build_mode_of("sometimes"), SL_MODE_WHOLE);
    assert_int_equal(sl_build_mode_of("whole"), SL_MODE_WHOLE);
    assert_int_equal(sl_build_mode_of("auto"), SL_MODE_AUTO);
    assert_int_equal(sl_build_mode_of("On-Demand"), SL_MODE_ON_DEMAND);
    assert_int_equal(sl_build_mode_of("quick"), SL_MODE_QUICK);
    assert_string_equal(sl_build_mode_meant("sometimes"), "auto");
    assert_string_equal(sl_build_mode_meant(""), "auto");
    assert_string_equal(sl_build_mode_meant("WHOLE"), "WHOLE");
    assert_string_equal(sl_build_mode_meant("quick"), "quick");
    assert_true(warns_of_mode("sometimes"));
    assert_false(warns_of_mode("On-Demand"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copied_environment),
        cmocka_unit_test(test_defaults_and_values),
        cmocka_unit_test(test_names_are_known_by_name),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_switches),
        cmocka_unit_test(test_once_per_process),
        cmocka_unit_test(test_error_names),
        cmocka_unit_test(test_words_of_build_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
