/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Starting the compiler process. We clone a middle process, it clones the program's process and
 * ends, we wait for the middle one with __WCLONE. Both clones carry exit signal 0. Orphaned, the
 * program belongs to init; exec would turn a direct child into an ordinary one with SIGCHLD.
 *
 * Both processes share our memory (CLONE_VM) while we sleep (CLONE_VFORK), so they may only make
 * system calls and write to struct child; the C library's wrappers are avoided because sanitizers
 * put code into them. Under valgrind, which cannot follow CLONE_VM, plain forks are made and the
 * answer comes through a pipe. No state, no lock.
 */
#include "program/compiler/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/object/alloc.h"
#include "sluice/base/environment.h"
#include "sluice/base/io.h"
#include "sluice/build.h"

#define NO_SANITIZE __attribute__((noinline, no_sanitize("address", "thread", "undefined")))
#define STACK_BYTES 16384
#define SAFE_FD 16 /* above every descriptor the child rearranges */
#define KERNEL_SIGNALS 64
#define CALL(...) syscall(__VA_ARGS__)

struct answer {
    pid_t pid;
    int pidfd;
    int error; /* errno of the step that failed, 0 */
};

struct child { /* shared with the children in the CLONE_VM way */
    const struct sl_spawn *spawn;
    char *const *argv;
    void *stack;
    struct answer answer;
};

/* ---- in the program's process, before exec --------------------------------------------------- */

struct kernel_sigaction { /* as rt_sigaction wants it, on aarch64 too */
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
};

static NO_SANITIZE void reset_signals(void)
{
    struct kernel_sigaction action = {0};
    uint64_t none = 0;
    for (int number = 1; number <= KERNEL_SIGNALS; number++)
        CALL(SYS_rt_sigaction, number, &action, NULL, sizeof action.mask);
    CALL(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
}

/* Nothing is ever written to that pipe. The signal of its end is one that a stopped process gets
 * too; where the kernel has no such signals the program's own eyes must do. */
static NO_SANITIZE void watch_life(void)
{
    long flags = CALL(SYS_fcntl, STDIN_FILENO, F_GETFL);
    CALL(SYS_fcntl, STDIN_FILENO, F_SETOWN, CALL(SYS_getpid));
    if (!CALL(SYS_fcntl, STDIN_FILENO, F_SETSIG, SIGKILL))
        CALL(SYS_fcntl, STDIN_FILENO, F_SETFL, flags | O_ASYNC);
}

/* Leaves 0, 1, 2 and SL_BUILD_FD; every other descriptor of the application is closed. */
static NO_SANITIZE bool arrange_descriptors(const struct sl_spawn *spawn)
{
    long peer = CALL(SYS_fcntl, spawn->peer, F_DUPFD, SAFE_FD);
    long life = CALL(SYS_fcntl, spawn->life, F_DUPFD, SAFE_FD);
    long null = CALL(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR, 0);
    if (peer < 0 || life < 0) {
        errno = errno == EINVAL ? EMFILE : errno; /* what a limit below SAFE_FD means */
        return false;
    }
    if (null >= 0) {
        null = CALL(SYS_fcntl, null, F_DUPFD, SAFE_FD);
        CALL(SYS_dup3, null, STDOUT_FILENO, 0);
        if (!spawn->keep_stderr)
            CALL(SYS_dup3, null, STDERR_FILENO, 0);
    }
    if (CALL(SYS_dup3, life, STDIN_FILENO, 0) < 0 || CALL(SYS_dup3, peer, SL_BUILD_FD, 0) < 0)
        return false;
    watch_life();
    if (!CALL(SYS_close_range, SL_BUILD_FD + 1, ~0u, 0))
        return true;
    struct rlimit limit = {1024, 1024};
    CALL(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit);
    for (rlim_t fd = SL_BUILD_FD + 1; fd < limit.rlim_cur && fd < 65536; fd++)
        CALL(SYS_close, (int)fd);
    return true;
}

static NO_SANITIZE void set_limits(const struct sl_spawn *spawn)
{
    struct rlimit space = {(rlim_t)spawn->memory_mb << 20, (rlim_t)spawn->memory_mb << 20};
    struct rlimit core = {0, 0};
    if (spawn->memory_mb)
        CALL(SYS_prlimit64, 0, RLIMIT_AS, &space, NULL);
    CALL(SYS_prlimit64, 0, RLIMIT_CORE, &core, NULL);
}

static NO_SANITIZE int run_program(void *data)
{
    struct child *child = data;
    reset_signals();
    CALL(SYS_setsid); /* the terminal's Ctrl-C is for the application */
    set_limits(child->spawn);
    if (arrange_descriptors(child->spawn))
        CALL(SYS_execve, child->spawn->path, child->argv, child->spawn->env);
    child->answer.error = errno;
    CALL(SYS_exit_group, 127);
    return 127;
}

/* ---- in the middle process ------------------------------------------------------------------- */

static NO_SANITIZE int run_middle(void *data)
{
    struct child *child = data;
    int flags = CLONE_VM | CLONE_VFORK;
    char *top = (char *)child->stack + STACK_BYTES;
    int pidfd = -1;
    int pid = clone(run_program, top, flags | CLONE_PIDFD, child, &pidfd);
    if (pid < 0 && errno == EINVAL) {
        pidfd = -1;
        pid = clone(run_program, top, flags, child);
    }
    if (pid < 0)
        child->answer.error = errno;
    child->answer.pid = pid;
    child->answer.pidfd = pidfd;
    CALL(SYS_exit_group, 0);
    return 0;
}

/* ---- in the application ---------------------------------------------------------------------- */

/* What the compiler process may know of the application's environment. Nothing else of it can
 * change what a build gives, or make the process load or write anything. */
static const char *const passed[] = {
    "SLUICE_LIBRARY_DIR", "TZ", /* of __DATE__ and __TIME__, and which moment these are */
    "SOURCE_DATE_EPOCH",  "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    "SLUICE_TEST_*", /* which nothing of ours reads */
};

char **sl_spawn_environment(void)
{
    return sl_environment_copy(passed, sizeof passed / sizeof *passed, sl_alloc);
}

#if defined(__SANITIZE_THREAD__)
#define THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREAD_SANITIZER 1
#endif
#endif
#ifndef THREAD_SANITIZER
#define THREAD_SANITIZER 0
#endif

static bool must_copy(void)
{
    const char *preload = sl_environment("LD_PRELOAD");
    return THREAD_SANITIZER || (preload && strstr(preload, "vgpreload"));
}

static int spawn_shared(struct child *child)
{
    char *stacks = mmap(NULL, 2 * STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED)
        return errno;
    child->stack = stacks;
    /* CLONE_FILES: the pidfd that the middle process gets is ours. */
    int middle =
        clone(run_middle, stacks + 2 * STACK_BYTES, CLONE_VM | CLONE_VFORK | CLONE_FILES, child);
    int error = middle < 0 ? errno : 0;
    if (middle > 0)
        while (waitpid(middle, NULL, __WCLONE) < 0 && errno == EINTR)
            ;
    munmap(stacks, 2 * STACK_BYTES);
    return error;
}

/* Without shared memory: the pid comes through a pipe; a failing exec shows as end-of-file of the
 * program's socket. The middle process has all that we have, our ends of the program's socket and
 * pipe among it: it must not outlive us, who may end at any time, before it can ask to be told. */
static int spawn_copied(struct child *child)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return errno;
    const long self = CALL(SYS_getpid);
    long middle = CALL(SYS_clone, 0, NULL, NULL, NULL, NULL);
    int error = middle < 0 ? errno : 0;
    if (!middle) {
        CALL(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        while (CALL(SYS_getppid) != self)
            CALL(SYS_kill, CALL(SYS_getpid), SIGKILL); /* as it would have been */
        long pid = CALL(SYS_clone, 0, NULL, NULL, NULL, NULL);
        if (!pid)
            run_program(child);
        child->answer.pid = (pid_t)pid;
        child->answer.error = pid < 0 ? errno : 0;
        CALL(SYS_write, ends[1], &child->answer, sizeof child->answer);
        for (;;) /* any end of its own making would bring valgrind's report */
            CALL(SYS_ppoll, NULL, 0, NULL, NULL, 0);
    }
    close(ends[1]);
    if (!error && !sl_read_all(ends[0], &child->answer, sizeof child->answer))
        error = ECHILD;
    close(ends[0]);
    if (middle > 0) {
        kill((pid_t)middle, SIGKILL);
        waitpid((pid_t)middle, NULL, __WCLONE);
    }
    return error;
}

int sl_spawn(const struct sl_spawn *spawn, struct sl_process *out)
{
    char *argv[] = {(char *)(uintptr_t)spawn->path, NULL};
    struct child child = {.spawn = spawn, .argv = argv, .answer = {-1, -1, 0}};
    uint64_t all = ~UINT64_C(0), before;
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    CALL(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
    int error = must_copy() ? spawn_copied(&child) : spawn_shared(&child);
    CALL(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    pthread_setcancelstate(cancel, NULL);
    if (!error)
        error = child.answer.error;
    if (!error) {
        *out = (struct sl_process){child.answer.pid, child.answer.pidfd};
        return 0;
    }
    if (child.answer.pidfd >= 0)
        close(child.answer.pidfd);
    return error;
}

/* ---- afterwards ------------------------------------------------------------------------------ */

void sl_process_kill(const struct sl_process *process)
{
    if (process->pidfd >= 0)
        CALL(SYS_pidfd_send_signal, process->pidfd, SIGKILL, NULL, 0);
    else if (process->pid > 0)
        kill(process->pid, SIGKILL);
}

static bool inherits_orphans(void)
{
    int reaper = 0;
    return getpid() == 1 || (!prctl(PR_GET_CHILD_SUBREAPER, &reaper) && reaper);
}

/* A zombie keeps its number until we collect it, so the number is still the process's. Without a
 * descriptor for it (kernels before 5.3) only looking tells of its end: SIGCHLD is the
 * application's. */
static void collect(const struct sl_process *process, int patience_ms)
{
    struct timespec nap = {0, 1000000};
    siginfo_t info;
    struct pollfd ended = {.fd = process->pidfd, .events = POLLIN};
    if (process->pidfd >= 0) {
        if (poll(&ended, 1, patience_ms) > 0)
            waitid((idtype_t)P_PIDFD, (id_t)process->pidfd, &info, WEXITED | WNOHANG | __WALL);
        return;
    }
    for (int i = 0; i < patience_ms && !waitpid(process->pid, NULL, WNOHANG | __WALL); i++)
        nanosleep(&nap, NULL);
}

void sl_process_finish(struct sl_process *process, int patience_ms)
{
    if (process->pid > 0 && inherits_orphans())
        collect(process, patience_ms);
    if (process->pidfd >= 0)
        close(process->pidfd);
    *process = (struct sl_process){-1, -1};
}
