/* SPDX-License-Identifier: Apache-2.0 */
/* Starting jobs and looking at processes. One thread; no lock. */
#include "child.h"
#include "cl_help.h"
#include "runner.h"

#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 64 };
static const char job_flag[] = "--job";

/* ---- starting -------------------------------------------------------------------------------- */

static void change_environment(const char *const *env)
{
    for (; env && *env; env++) {
        const char *equal = strchr(*env, '=');
        if (!equal) {
            unsetenv(*env);
            continue;
        }
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)(equal - *env), *env);
        setenv(name, equal + 1, 1);
    }
}

static _Noreturn void become_job(const struct child_plan *plan, int out, int err)
{
    static char self[4096];
    char *argv[MOST_ARGUMENTS];
    int count = 0;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    signal(SIGALRM, SIG_DFL);
    alarm(0);
    change_environment(plan->env);
    if (length < 0 || (plan->prepare && !plan->prepare()))
        _exit(CHILD_SKIP);
    for (const char *const *each = plan->wrap; each && *each; each++)
        argv[count++] = (char *)(uintptr_t)*each;
    argv[count++] = self;
    argv[count++] = (char *)(uintptr_t)job_flag;
    argv[count++] = (char *)(uintptr_t)plan->job;
    argv[count] = NULL;
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execvp(argv[0], argv);
    _exit(CHILD_SKIP);
}

static char *take_text(int fd, size_t *bytes)
{
    off_t end = lseek(fd, 0, SEEK_END);
    size_t size = end > 0 ? (size_t)end : 0;
    char *text = calloc(1, size + 1);
    ssize_t got = text ? pread(fd, text, size, 0) : 0;
    if (bytes)
        *bytes = got > 0 ? (size_t)got : 0;
    close(fd);
    return text;
}

static int wait_for(pid_t pid, const struct child_plan *plan)
{
    double limit = plan->limit_seconds > 0 ? plan->limit_seconds : 60;
    int status;
    for (double end = now_seconds() + limit; now_seconds() < end; usleep(1000)) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            return WIFEXITED(status) ? WEXITSTATUS(status) : CHILD_SIGNAL + WTERMSIG(status);
    }
    kill(pid, plan->gentle ? SIGTERM : SIGKILL);
    waitpid(pid, &status, 0);
    return CHILD_LATE;
}

struct child child_run(const struct child_plan *plan)
{
    struct child child = {.status = CHILD_LATE};
    int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
    double start = now_seconds();
    fflush(NULL);
    child.pid = fork();
    if (!child.pid)
        become_job(plan, out, err);
    REQUIRE(child.pid > 0);
    child.status = wait_for(child.pid, plan);
    child.seconds = now_seconds() - start;
    child.out = take_text(out, &child.out_bytes);
    child.err = take_text(err, NULL);
    REQUIRE(child.out && child.err);
    return child;
}

void child_finish(struct child *child)
{
    free(child->out);
    free(child->err);
    *child = (struct child){0};
}

void child_ends(const struct child_plan *plan, int status)
{
    struct child child = child_run(plan);
    int skip = child.status == CHILD_SKIP && status != CHILD_SKIP;
    if (!skip && child.status != status)
        check_fail(__FILE__, __LINE__, "job %s: expected end %d, got %d after %.1f s\n%.2000s",
                   plan->job, status, child.status, child.seconds, child.err);
    child_finish(&child);
    if (skip)
        check_skip("what the job needs is not here");
}

/* ---- namespaces ------------------------------------------------------------------------------ */

static int write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    if (!file)
        return 0;
    int ok = fputs(text, file) >= 0;
    return !fclose(file) && ok;
}

/* As root plainly; else as the root of a user namespace of our own. */
int own_mounts(void)
{
    char map[64];
    unsigned uid = (unsigned)geteuid(), gid = (unsigned)getegid();
    if (unshare(CLONE_NEWNS)) {
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
            return 0;
        snprintf(map, sizeof map, "0 %u 1", uid);
        write_text("/proc/self/setgroups", "deny");
        if (!write_text("/proc/self/uid_map", map))
            return 0;
        snprintf(map, sizeof map, "0 %u 1", gid);
        write_text("/proc/self/gid_map", map);
    }
    return !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

/* An empty file system in place of the folder; options NULL: a read-only one. No folder: fine. */
int hide_folder(const char *path, const char *options)
{
    struct stat folder;
    if (stat(path, &folder))
        return 1;
    if (mount("hidden", path, "tmpfs", options ? 0 : MS_RDONLY, options ? options : "size=4k"))
        return 0;
    return 1;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

int is_job_process(int argc, char **argv)
{
    return argc == 3 && !strcmp(argv[1], job_flag);
}

int job_main(const struct test_case *jobs, size_t count, int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(jobs[i].name, argv[argc - 1]))
            return run_alone(jobs[i].run) ? 1 : 0;
    }
    fprintf(stderr, "no job %s\n", argv[argc - 1]);
    return 2;
}

/* ---- looking at processes -------------------------------------------------------------------- */

const char *driver_library(void)
{
    static char path[4096];
    char pattern[4096];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*.icd",
             getenv("OCL_ICD_VENDORS") ? getenv("OCL_ICD_VENDORS") : "/etc/OpenCL/vendors");
    if (glob(pattern, 0, NULL, &found))
        check_skip("the vendor list is no folder");
    FILE *file = fopen(found.gl_pathv[0], "re");
    int got = file && fgets(path, sizeof path, file);
    if (file)
        fclose(file);
    globfree(&found);
    path[strcspn(path, "\n")] = 0;
    if (!got || path[0] != '/')
        check_skip("the vendor list has no absolute path");
    return path;
}

int count_entries(const char *folder)
{
    DIR *dir = opendir(folder);
    int count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    if (dir)
        closedir(dir);
    return count;
}

/* The ninth field of a thread's stat, behind the name's last parenthesis, has the kernel's PF_
 * flags. */
static bool is_exiting(const char *task)
{
    enum { PF_EXITING = 0x4 };
    char path[64], line[512] = "";
    unsigned flags = 0;
    snprintf(path, sizeof path, "/proc/self/task/%.16s/stat", task);
    FILE *file = fopen(path, "re");
    if (!file)
        return true; /* gone meanwhile */
    char *name_end = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    fclose(file);
    return !name_end || sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %u", &flags) != 1 ||
           flags & PF_EXITING;
}

int count_threads(void)
{
    DIR *dir = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        count += entry->d_name[0] != '.' && !is_exiting(entry->d_name);
    if (dir)
        closedir(dir);
    return count;
}

long resident_kib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int traced_helpers(const char *trace, pid_t *pids, int most)
{
    static const char mark[] = " as process ";
    int count = 0;
    for (const char *at = trace; count < most && (at = strstr(at, mark)); at += sizeof mark - 1)
        pids[count++] = (pid_t)atoi(at + sizeof mark - 1);
    return count;
}

int process_gone(pid_t pid, double seconds)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    for (double end = now_seconds() + seconds; now_seconds() < end; usleep(2000)) {
        FILE *file = fopen(path, "re");
        if (!file)
            return 1;
        int got = fscanf(file, "%*d %*s %c", &state);
        fclose(file);
        if (got != 1 || state == 'Z' || state == 'X')
            return 1;
    }
    return 0;
}

/* ---- a whole small program ------------------------------------------------------------------- */

enum { LIFE_ITEMS = 1000 };

void whole_life(unsigned salt)
{
    static cl_uint data[LIFE_ITEMS];
    char options[64];
    REQUIRE(!env_open());
    snprintf(options, sizeof options, "-DSALT=%uu", salt);
    cl_kernel kernel = new_kernel("kernel void life(global uint *x)\n"
                                  "{\n"
                                  "    size_t i = get_global_id(0);\n"
                                  "    x[i] = popcount((uint)i) * 7u + SALT;\n"
                                  "}\n",
                                  "life", options);
    cl_mem mem = new_buffer(CL_MEM_READ_WRITE, sizeof data, NULL);
    ARG(kernel, 0, mem);
    run_1d(kernel, LIFE_ITEMS, 0);
    read_back(mem, sizeof data, data);
    for (cl_uint i = 0; i < LIFE_ITEMS; i++)
        if (!CHECK_EQ(data[i], (cl_uint)__builtin_popcount(i) * 7u + salt))
            break;
    RELEASE_KERNEL(kernel);
    RELEASE_MEM(mem);
    env_close(1);
}
