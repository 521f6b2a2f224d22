/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler process from the driver's side, with a compiler that misbehaves on demand: crash,
 * hang, garbage, memory, stale helpers, concurrency, and that the application's own children and
 * signals are left alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/compiler_path.h"
#include "program/compiler/compiler.h"
#include "program/compiler/spawn.h"

static volatile sig_atomic_t child_signals, pipe_signals;

static void on_child(int number)
{
    (void)number;
    child_signals++;
}

static void on_pipe(int number)
{
    (void)number;
    pipe_signals++;
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

struct result {
    cl_int rc;
    int32_t status;
    char log[2048], why[SL_COMPILER_WHY];
};

static struct result run(const char *source)
{
    struct result result = {0};
    struct sl_request request = {0};
    struct sl_reply reply;
    struct sl_reply_chunk chunk;
    size_t at = 0;
    sl_request_begin(&request, SL_BUILD_BUILD);
    sl_request_add_text(&request, SL_CHUNK_SOURCE, source);
    result.rc = sl_compiler_run(&request, &reply, result.why);
    sl_request_finish(&request);
    if (result.rc)
        return result;
    result.status = reply.status;
    while (sl_reply_next(&reply, &at, &chunk))
        if (chunk.tag == SL_CHUNK_LOG)
            snprintf(result.log, sizeof result.log, "%.*s", (int)chunk.bytes,
                     (const char *)chunk.data);
    sl_reply_finish(&reply);
    return result;
}

static void expect_works(void)
{
    struct result result = run("plain");
    assert_int_equal(result.rc, CL_SUCCESS);
    assert_int_equal(result.status, 0);
    assert_int_equal(strncmp(result.log, "pid ", 4), 0);
}

static pid_t helper_pid(void)
{
    struct result result = run("plain");
    assert_int_equal(result.rc, CL_SUCCESS);
    return (pid_t)atoi(result.log + 4);
}

static bool gone(pid_t pid)
{
    for (int i = 0; i < 200; i++) {
        char path[64], state = 'Z';
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "r");
        if (!file)
            return true;
        if (fscanf(file, "%*d %*s %c", &state) != 1)
            state = 'Z';
        fclose(file);
        if (state == 'Z' || state == 'X')
            return true;
        usleep(10000);
    }
    return false;
}

static int clean(void **state)
{
    (void)state;
    sl_compiler_shutdown();
    return 0;
}

static void test_reuses(void **state)
{
    (void)state;
    pid_t first = helper_pid();
    assert_int_equal(helper_pid(), first);
    assert_int_not_equal(first, getpid());
}

static void test_large(void **state)
{
    (void)state;
    char *source = malloc(8 << 20);
    memset(source, ' ', 8 << 20);
    source[(8 << 20) - 1] = 0;
    assert_int_equal(run(source).rc, CL_SUCCESS);
    free(source);
}

static void test_compile_error(void **state)
{
    (void)state;
    struct result result = run("error");
    assert_int_equal(result.rc, CL_SUCCESS);
    assert_int_equal(result.status, CL_BUILD_PROGRAM_FAILURE);
    assert_string_equal(result.log, "1:1: error: as you wish");
}

static void test_faults(void **state)
{
    static const struct {
        const char *source, *word;
    } rows[] = {{"crash", "ended"}, {"half", "ended"}, {"garbage", "unreadable"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int warm = 0; warm < 2; warm++) {
            if (warm)
                expect_works();
            else
                sl_compiler_unload();
            struct result result = run(rows[i].source);
            assert_int_equal(result.rc, CL_BUILD_PROGRAM_FAILURE);
            assert_non_null(strstr(result.why, rows[i].word));
            expect_works();
        }
}

static void test_hang(void **state)
{
    (void)state;
    setenv("SLUICE_COMPILE_TIMEOUT", "1", 1);
    pid_t pid = helper_pid();
    double start = now_ms();
    struct result result = run("hang");
    double took = now_ms() - start;
    unsetenv("SLUICE_COMPILE_TIMEOUT");
    assert_int_equal(result.rc, CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(result.why, "time limit of 1 s"));
    assert_true(took > 900 && took < 5000);
    assert_true(gone(pid));
    expect_works();
}

static void *kill_past_limit(void *data)
{
    usleep(1500000);
    sl_process_kill(data);
    return NULL;
}

/* 0 is no limit, rather than the least one, a second. */
static void test_no_time_limit(void **state)
{
    (void)state;
    struct sl_process process = {helper_pid(), -1};
    pthread_t killer;
    setenv("SLUICE_COMPILE_TIMEOUT", "0", 1);
    assert_int_equal(pthread_create(&killer, NULL, kill_past_limit, &process), 0);
    double start = now_ms();
    struct result result = run("hang");
    double took = now_ms() - start;
    pthread_join(killer, NULL);
    unsetenv("SLUICE_COMPILE_TIMEOUT");
    assert_int_equal(result.rc, CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(result.why, "ended"));
    assert_true(took > 1400);
    expect_works();
}

static void test_memory(void **state)
{
    (void)state;
    if (getenv("SLUICE_TEST_SANITIZED"))
        skip();
    sl_compiler_unload();
    setenv("SLUICE_COMPILE_MEMORY_MB", "512", 1);
    struct result result = run("memory");
    unsetenv("SLUICE_COMPILE_MEMORY_MB");
    assert_string_equal(result.log, "memory limit reached");
    sl_compiler_unload();
    expect_works();
}

static void *kill_later(void *data)
{
    usleep(100000);
    sl_process_kill(data);
    return NULL;
}

/* Helpers that died while idle are replaced without the caller noticing. */
static void test_stale(void **state)
{
    (void)state;
    pid_t pid = helper_pid();
    kill(pid, SIGKILL);
    assert_true(gone(pid));
    pid_t next = helper_pid();
    assert_int_not_equal(next, pid);
    kill(next, SIGSTOP); /* alive when asked, dead before it answers */
    pthread_t killer;
    struct sl_process process = {next, -1};
    assert_int_equal(pthread_create(&killer, NULL, kill_later, &process), 0);
    expect_works();
    pthread_join(killer, NULL);
    run("leave");
    expect_works();
}

static void *run_slow(void *data)
{
    *(struct result *)data = run("slow");
    return NULL;
}

static void test_concurrent(void **state)
{
    pthread_t threads[6];
    struct result results[6];
    (void)state;
    double start = now_ms();
    for (int i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_slow, &results[i]), 0);
    for (int i = 0; i < 6; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(results[i].rc, CL_SUCCESS);
    }
    assert_true(now_ms() - start < 6 * 300); /* at least two at a time */
}

/* A burst of builds leaves no more than two helpers waiting. */
static void test_trims(void **state)
{
    pthread_t threads[6];
    struct result results[6];
    int alive = 0;
    (void)state;
    sl_compiler_unload();
    for (int i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_slow, &results[i]), 0);
    for (int i = 0; i < 6; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 6; i++) {
        bool again = false;
        for (int k = 0; k < i; k++)
            again |= !strcmp(results[i].log, results[k].log);
        alive += !again && !kill((pid_t)atoi(results[i].log + 4), 0);
    }
    assert_in_range(alive, 1, 2);
    expect_works();
}

static int field(const char *log, const char *name)
{
    const char *at = strstr(log, name);
    assert_non_null(at);
    return atoi(at + strlen(name));
}

static void test_surroundings(void **state)
{
    (void)state;
    if (getenv("SLUICE_TEST_SANITIZED"))
        skip(); /* the sanitizer's own handlers and limits are in the way */
    int leaked = open("/dev/null", O_RDONLY); /* without close-on-exec, as applications have them */
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    sl_compiler_unload();
    pthread_sigmask(SIG_BLOCK, &usr1, NULL);
    signal(SIGUSR2, SIG_IGN);
    setenv("LD_LIBRARY_PATH", "/nowhere", 1);
    setenv("SLUICE_COMPILE_MEMORY_MB", "3000", 1);
    struct result result = run("around");
    unsetenv("SLUICE_COMPILE_MEMORY_MB");
    unsetenv("LD_LIBRARY_PATH");
    signal(SIGUSR2, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
    close(leaked);
    sl_compiler_unload();
    assert_int_equal(field(result.log, "fds="), 4);
    assert_int_equal(field(result.log, "caught="), 0);
    assert_int_equal(field(result.log, "blocked="), 0);
    assert_int_equal(field(result.log, "preload="), 0);
    assert_int_equal(field(result.log, "libpath="), 0);
    assert_int_equal(field(result.log, "as_mb="), 3000);
    assert_int_equal(field(result.log, "core="), 0);
    assert_int_equal(field(result.log, "session="), 1);
}

/* No SIGCHLD, nothing to wait for, and the application's own child is still its own. */
static void test_no_child(void **state)
{
    struct sigaction action = {.sa_handler = on_child}, before;
    int status;
    (void)state;
    sl_compiler_unload();
    sigaction(SIGCHLD, &action, &before);
    child_signals = 0;
    pid_t helper = helper_pid();
    assert_int_equal(waitpid(-1, &status, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    assert_int_equal(waitpid(-1, &status, WNOHANG | __WALL), -1);
    assert_int_equal(run("crash").rc, CL_BUILD_PROGRAM_FAILURE);
    helper = helper_pid();
    sl_compiler_shutdown();
    assert_true(gone(helper));
    assert_int_equal(child_signals, 0);
    pid_t own = fork();
    if (!own)
        _exit(7);
    expect_works();
    assert_int_equal(waitpid(-1, &status, 0), own);
    assert_int_equal(WEXITSTATUS(status), 7);
    sigaction(SIGCHLD, &before, NULL);
}

/* Where orphans come to us, as to process 1 of a container, no zombie stays. */
static void test_sub_reaper(void **state)
{
    int status;
    (void)state;
    sl_compiler_unload();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    expect_works();
    assert_int_equal(run("crash").rc, CL_BUILD_PROGRAM_FAILURE);
    expect_works();
    sl_compiler_shutdown();
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    assert_int_equal(waitpid(-1, &status, WNOHANG | __WALL), -1);
    assert_int_equal(errno, ECHILD);
}

static void test_no_sigpipe(void **state)
{
    void (*before)(int) = signal(SIGPIPE, on_pipe);
    (void)state;
    for (int i = 0; i < 5; i++)
        run(i & 1 ? "leave" : "crash");
    signal(SIGPIPE, before);
    assert_int_equal(pipe_signals, 0);
}

static void test_prestart(void **state)
{
    (void)state;
    sl_compiler_unload();
    double start = now_ms();
    sl_compiler_prestart();
    double took = now_ms() - start;
    printf("prestart returned after %.3f ms\n", took);
    if (!getenv("SLUICE_TEST_SANITIZED"))
        assert_true(took < 5);
    pid_t pid = helper_pid();
    sl_compiler_shutdown();
    assert_true(gone(pid));
    sl_compiler_prestart();
    sl_compiler_shutdown(); /* at once, while the helper may be starting */
    expect_works();
}

static void test_not_there(void **state)
{
    char *path = strdup(getenv("SLUICE_COMPILER"));
    struct sl_hash identity;
    (void)state;
    sl_compiler_unload();
    assert_true(sl_compiler_available());
    assert_true(sl_compiler_identity(&identity));
    setenv("SLUICE_COMPILER", "/nowhere/compiler", 1);
    assert_false(sl_compiler_available());
    assert_false(sl_compiler_identity(&identity));
    struct result result = run("plain");
    assert_int_equal(result.rc, CL_COMPILER_NOT_AVAILABLE);
    assert_non_null(strstr(result.why, "/nowhere/compiler"));
    sl_compiler_prestart();
    setenv("SLUICE_COMPILER", "/bin/true", 1); /* starts and says nothing */
    assert_int_equal(run("plain").rc, CL_BUILD_PROGRAM_FAILURE);
    setenv("SLUICE_COMPILER", path, 1);
    expect_works();
    free(path);
}

/* A child of fork gets a helper of its own and leaves the parent's alone. */
static void test_fork(void **state)
{
    int status;
    (void)state;
    pid_t helper = helper_pid();
    pid_t child = fork();
    if (!child) {
        struct result result = run("plain");
        _exit(!result.rc && atoi(result.log + 4) != helper ? 3 : 4);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 3);
    assert_int_equal(helper_pid(), helper);
}

/* ---- fork while a helper starts: sl_spawn is wrapped ----------------------------------------- */

int __real_sl_spawn(const struct sl_spawn *, struct sl_process *);
int __wrap_sl_spawn(const struct sl_spawn *, struct sl_process *);
static bool fork_in_spawn;
static int sockets_in_child = -1;

static int count_sockets(void)
{
    int count = 0;
    for (int fd = 3; fd < 1024; fd++) {
        struct stat file;
        count += !fstat(fd, &file) && S_ISSOCK(file.st_mode);
    }
    return count;
}

int __wrap_sl_spawn(const struct sl_spawn *spawn, struct sl_process *out)
{
    int status;
    pid_t child = fork_in_spawn ? fork() : -1;
    if (!child)
        _exit(count_sockets());
    if (child > 0 && waitpid(child, &status, 0) == child)
        sockets_in_child = WEXITSTATUS(status);
    return __real_sl_spawn(spawn, out);
}

/* The child has neither end: else the parent would not notice that its helper is gone. */
static void test_fork_while_starting(void **state)
{
    (void)state;
    sl_compiler_unload();
    int before = count_sockets();
    fork_in_spawn = true;
    expect_works();
    fork_in_spawn = false;
    assert_int_equal(sockets_in_child, before);
    assert_int_equal(count_sockets(), before + 1);
}

/* ---- the application ends while a helper starts ---------------------------------------------- */

static void *start_nothing(void *data)
{
    struct sl_process process;
    char *env[] = {NULL};
    struct sl_spawn spawn = {
        .path = "/nonexistent", .env = env, .peer = *(int *)data, .life = *(int *)data};
    (void)!__real_sl_spawn(&spawn, &process);
    return NULL;
}

/* As under valgrind or ThreadSanitizer, by plain forks: each of these has our end of `alive`. */
static _Noreturn void die_while_starting(unsigned after_us, int fd)
{
    pthread_t thread;
    setenv("LD_PRELOAD", "/nonexistent/vgpreload", 1);
    if (!pthread_create(&thread, NULL, start_nothing, &fd))
        usleep(after_us);
    syscall(SYS_exit_group, 0);
    abort();
}

static void test_death_while_starting(void **state)
{
    enum { TIMES = 150, STEP_US = 10, PATIENCE_MS = 60000 };
    int alive[2];
    (void)state;
    assert_int_equal(pipe2(alive, O_CLOEXEC), 0);
    for (int i = 0; i < TIMES; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (!child)
            die_while_starting((unsigned)(i % (TIMES / 2)) * STEP_US, alive[1]);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    close(alive[1]);
    struct pollfd end = {.fd = alive[0], .events = POLLIN};
    assert_int_equal(poll(&end, 1, PATIENCE_MS), 1);
    close(alive[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reuses),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_compile_error),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_hang),
        cmocka_unit_test(test_no_time_limit),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_stale),
        cmocka_unit_test(test_concurrent),
        cmocka_unit_test(test_trims),
        cmocka_unit_test(test_surroundings),
        cmocka_unit_test(test_no_child),
        cmocka_unit_test(test_sub_reaper),
        cmocka_unit_test(test_no_sigpipe),
        cmocka_unit_test(test_prestart),
        cmocka_unit_test(test_not_there),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_fork_while_starting),
        cmocka_unit_test(test_death_while_starting),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
