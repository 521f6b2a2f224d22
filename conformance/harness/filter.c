/* SPDX-License-Identifier: Apache-2.0 */
/* See filter.h. Each filter is a list of rows, of which the first that applies decides. */
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64

enum { MOST_STEPS = 2048, ALLOWED = 0, NEWEST_CALL = 450 };
enum test { ALWAYS, HAS_BITS, EQUALS };

struct row {
    uint32_t call;
    int error; /* ALLOWED or an errno */
    enum test test;
    uint32_t argument, value; /* which argument; its lower half is looked at */
};

#define NAMESPACES 0x7e020000u /* CLONE_NEW*, as clone() takes them */
#define REFUSED(name) {SYS_##name, EPERM, ALWAYS, 0, 0}
#define MISSING(name) {SYS_##name, ENOSYS, ALWAYS, 0, 0}
#define GOOD(name) {SYS_##name, ALLOWED, ALWAYS, 0, 0}
#define GOOD_IF(name, argument, value) {SYS_##name, ALLOWED, EQUALS, argument, value}

/* What both refuse. */
#define ADMINISTRATION                                                                             \
    REFUSED(_sysctl), REFUSED(acct), REFUSED(bpf), REFUSED(clock_settime), REFUSED(delete_module), \
        REFUSED(fanotify_init), REFUSED(finit_module), REFUSED(fsconfig), REFUSED(fsmount),        \
        REFUSED(fsopen), REFUSED(fspick), REFUSED(init_module), REFUSED(ioperm), REFUSED(iopl),    \
        REFUSED(kexec_file_load), REFUSED(kexec_load), REFUSED(lookup_dcookie), REFUSED(mount),    \
        REFUSED(mount_setattr), REFUSED(move_mount), REFUSED(open_by_handle_at),                   \
        REFUSED(open_tree), REFUSED(perf_event_open), REFUSED(pidfd_getfd), REFUSED(pivot_root),   \
        REFUSED(quotactl), REFUSED(quotactl_fd), REFUSED(reboot), REFUSED(setdomainname),          \
        REFUSED(sethostname), REFUSED(settimeofday), REFUSED(swapoff), REFUSED(swapon),            \
        REFUSED(sysfs), REFUSED(syslog), REFUSED(umount2), REFUSED(uselib), REFUSED(ustat),        \
        REFUSED(vhangup)

static const struct row docker[] = {
    ADMINISTRATION,
    MISSING(clone3),
    {SYS_clone, EPERM, HAS_BITS, 0, NAMESPACES},
    {SYS_socket, EPERM, EQUALS, 0, 40 /* AF_VSOCK */},
    REFUSED(add_key),
    REFUSED(get_mempolicy),
    REFUSED(io_uring_enter),
    REFUSED(io_uring_register),
    REFUSED(io_uring_setup),
    REFUSED(kcmp),
    REFUSED(keyctl),
    REFUSED(mbind),
    REFUSED(migrate_pages),
    REFUSED(move_pages),
    REFUSED(personality),
    REFUSED(process_madvise),
    REFUSED(request_key),
    REFUSED(set_mempolicy),
    REFUSED(setns),
    REFUSED(unshare),
    REFUSED(userfaultfd),
};

static const struct row systemd[] = {
    ADMINISTRATION,
    REFUSED(adjtimex),
    REFUSED(chroot),
    REFUSED(clock_adjtime),
    REFUSED(fanotify_mark),
    REFUSED(landlock_add_rule),
    REFUSED(landlock_create_ruleset),
    REFUSED(landlock_restrict_self),
    REFUSED(memfd_secret),
    REFUSED(mincore),
    REFUSED(modify_ldt),
    REFUSED(pkey_alloc),
    REFUSED(pkey_free),
    REFUSED(pkey_mprotect),
    REFUSED(process_mrelease),
    REFUSED(ptrace),
    REFUSED(seccomp),
};

static const struct row bare[] = {
    MISSING(memfd_create),  MISSING(clone3),
    MISSING(close_range),   MISSING(pidfd_open),
    MISSING(membarrier),    MISSING(pidfd_send_signal),
    MISSING(rseq),          MISSING(statx),
    REFUSED(set_mempolicy), REFUSED(sched_setaffinity),
    REFUSED(mbind),         REFUSED(get_mempolicy),
};

static const struct row chromium[] = {
    /* files: by descriptor only */
    GOOD(close),
    GOOD(dup),
    GOOD(dup2),
    GOOD(dup3),
    GOOD(fstat),
    GOOD(ftruncate),
    GOOD(lseek),
    GOOD(read),
    GOOD(readv),
    GOOD(pread64),
    GOOD(preadv),
    GOOD(write),
    GOOD(writev),
    GOOD(pwrite64),
    GOOD(pwritev),
    GOOD(poll),
    GOOD(ppoll),
    GOOD(select),
    GOOD(pselect6),
    GOOD(recvfrom),
    GOOD(recvmsg),
    GOOD(sendto),
    GOOD(sendmsg),
    GOOD(shutdown),
    GOOD(pipe),
    GOOD(pipe2),
    GOOD(socketpair),
    GOOD(epoll_create1),
    GOOD(epoll_ctl),
    GOOD(epoll_wait),
    GOOD(epoll_pwait),
    GOOD(eventfd2),
    GOOD(memfd_create),
    GOOD_IF(newfstatat, 3, AT_EMPTY_PATH),
    MISSING(statx),
    GOOD_IF(fcntl, 1, F_GETFL),
    GOOD_IF(fcntl, 1, F_SETFL),
    GOOD_IF(fcntl, 1, F_GETFD),
    GOOD_IF(fcntl, 1, F_SETFD),
    GOOD_IF(fcntl, 1, F_DUPFD),
    GOOD_IF(fcntl, 1, F_DUPFD_CLOEXEC),
    /* memory */
    GOOD(brk),
    GOOD(mmap),
    GOOD(munmap),
    GOOD(mprotect),
    GOOD(mlock),
    GOOD(munlock),
    GOOD(mincore),
    GOOD_IF(madvise, 2, MADV_DONTNEED),
    GOOD_IF(madvise, 2, MADV_RANDOM),
    GOOD_IF(madvise, 2, MADV_REMOVE),
    GOOD_IF(madvise, 2, MADV_NORMAL),
    GOOD_IF(madvise, 2, MADV_FREE),
    /* threads, no processes */
    {SYS_clone, ALLOWED, HAS_BITS, 0, CLONE_THREAD},
    MISSING(clone3),
    MISSING(pidfd_open),
    GOOD(exit),
    GOOD(exit_group),
    GOOD(wait4),
    GOOD(waitid),
    GOOD(futex),
    GOOD(rseq),
    GOOD(sched_yield),
    GOOD(nanosleep),
    GOOD(clock_nanosleep),
    GOOD(clock_gettime),
    GOOD(gettimeofday),
    GOOD(time),
    GOOD(rt_sigaction),
    GOOD(rt_sigprocmask),
    GOOD(rt_sigreturn),
    GOOD(rt_sigtimedwait),
    GOOD(sigaltstack),
    GOOD(restart_syscall),
    GOOD(kill),
    GOOD(tgkill),
    GOOD_IF(prctl, 0, PR_SET_NAME),
    GOOD_IF(prctl, 0, PR_GET_DUMPABLE),
    /* who am I */
    GOOD(getpid),
    GOOD(gettid),
    GOOD(getppid),
    GOOD(getuid),
    GOOD(geteuid),
    GOOD(getgid),
    GOOD(getegid),
    GOOD(getrandom),
    GOOD(uname),
    GOOD(prlimit64),
    GOOD(getrlimit),
    GOOD(sched_getaffinity), /* of renderers, for themselves */
};

static const struct {
    const char *name;
    const struct row *rows;
    size_t count;
    int otherwise;
} filters[] = {
#define FILTER(name, otherwise) {#name, name, sizeof name / sizeof *name, otherwise}
    FILTER(docker, ALLOWED),
    FILTER(systemd, ALLOWED),
    FILTER(bare, ALLOWED),
    FILTER(chromium, EPERM),
};

/* ---- as a program of the kernel's ------------------------------------------------------------ */

struct program {
    struct sock_filter steps[MOST_STEPS];
    unsigned short count;
};

static void add(struct program *p, struct sock_filter step)
{
    if (p->count < MOST_STEPS)
        p->steps[p->count++] = step;
}

static void load(struct program *p, size_t offset)
{
    add(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void answer(struct program *p, int error)
{
    uint32_t what =
        error == ALLOWED ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | ((uint32_t)error & 0xffff);
    add(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what));
}

/* The number of the call is loaded before and afterwards. */
static void add_row(struct program *p, const struct row *row)
{
    if (row->test == ALWAYS) {
        add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, row->call, 0, 1));
        answer(p, row->error);
        return;
    }
    int test = row->test == EQUALS ? BPF_JEQ : BPF_JSET;
    add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, row->call, 0, 4));
    load(p, offsetof(struct seccomp_data, args) + row->argument * sizeof(uint64_t));
    add(p, (struct sock_filter)BPF_JUMP(BPF_JMP | (unsigned short)test | BPF_K, row->value, 0, 1));
    answer(p, row->error);
    load(p, offsetof(struct seccomp_data, nr));
}

int filter_install(const char *name)
{
    static struct program p;
    size_t which = 0;
    while (which < sizeof filters / sizeof *filters && strcmp(filters[which].name, name))
        which++;
    if (which == sizeof filters / sizeof *filters)
        return 0;
    p.count = 0;
    load(&p, offsetof(struct seccomp_data, arch));
    add(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0));
    answer(&p, EPERM);
    load(&p, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < filters[which].count; i++)
        add_row(&p, &filters[which].rows[i]);
    add(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, NEWEST_CALL, 0, 1));
    answer(&p, ENOSYS); /* newer than the lists */
    answer(&p, filters[which].otherwise);
    const struct sock_fprog program = {p.count, p.steps};
    return p.count < MOST_STEPS && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
           !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}
#else
int filter_install(const char *name)
{
    (void)name;
    return 0; /* the numbers are another machine's */
}
#endif
