/* SPDX-License-Identifier: Apache-2.0 */
/* A process that lives one of the lives twice: while requests fail, when an error is an answer, and
 * afterwards, when nothing may fail. Status 1: a wrong value or code, or something was left. */
#include "shortage_life.h"

#include <dirent.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    void (*run)(const struct client *);
} lives[] = {
    {"buffers", life_of_buffers},       {"images", life_of_images},
    {"channels", life_of_channels},     {"pipes", life_of_pipes},
    {"pointers", life_of_pointers},     {"binaries", life_of_binaries},
    {"recordings", life_of_recordings}, {"parts", life_of_parts},
};
enum { LIVES = sizeof lives / sizeof *lives, SETTLE_STEPS = 1000, STEP_US = 5000 };

static void CL_CALLBACK on_context(const char *text, const void *info, size_t bytes, void *data)
{
    (void)text, (void)info, (void)bytes, (void)data;
}

/* The loader asks a library once, and the library opens its devices once: what could not begin then
 * is not there. */
static bool never_began;

static bool find_device(struct client *client)
{
    cl_device_type type =
        strcmp(client->device_name, "fpga") ? CL_DEVICE_TYPE_CPU : CL_DEVICE_TYPE_ACCELERATOR;
    cl_int rc = clGetPlatformIDs(1, &client->platform, NULL);
    if (rc == CL_PLATFORM_NOT_FOUND_KHR && !exhaust_judge_whole()) {
        never_began = true;
        return false;
    }
    bool found = exhaust_judge("clGetPlatformIDs", rc) &&
                 TRY(clGetDeviceIDs(client->platform, type, 1, &client->device, NULL));
    never_began |= !found && !exhaust_judge_whole();
    return found;
}

static bool open_client(struct client *client)
{
    const cl_queue_properties timed[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    const cl_queue_properties loose[] = {CL_QUEUE_PROPERTIES,
                                         CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    void *made_of;
    cl_int rc;
    if (!find_device(client))
        return false;
    client->context = MAKE(clCreateContext(NULL, 1, &client->device, on_context, NULL, &rc));
    if (!client->context)
        return false;
    client->queue =
        MAKE(clCreateCommandQueueWithProperties(client->context, client->device, timed, &rc));
    client->loose =
        MAKE(clCreateCommandQueueWithProperties(client->context, client->device, loose, &rc));
    return true;
}

static void close_client(struct client *client)
{
    if (client->queue)
        SURE(clReleaseCommandQueue(client->queue));
    if (client->loose)
        SURE(clReleaseCommandQueue(client->loose));
    SURE(clReleaseContext(client->context));
}

static bool live(int which, const char *device, bool nothing_fails)
{
    struct client client = {.device_name = device};
    exhaust_judge_begin(nothing_fails);
    if (open_client(&client)) {
        if (client.queue && client.loose)
            lives[which].run(&client);
        close_client(&client);
    }
    return exhaust_judge_good();
}

static int entries(const char *folder)
{
    DIR *dir = opendir(folder);
    int count = 0;
    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count;
}

/* Threads that end let go a moment after the last release. */
static bool all_went(int descriptors, int threads)
{
    for (int i = 0; i < SETTLE_STEPS; i++, usleep(STEP_US)) {
        if (entries("/proc/self/fd") <= descriptors && entries("/proc/self/task") <= threads)
            return true;
    }
    fprintf(stderr, "left: %d descriptors of %d, %d threads of %d\n", entries("/proc/self/fd"),
            descriptors, entries("/proc/self/task"), threads);
    return false;
}

static void nothing(void)
{
}

static void (*lift)(void) = nothing;

/* The preloaded library's function of that name, if there is one. */
static void (*find(const char *name))(void)
{
    void (*function)(void);
    *(void **)&function = dlsym(RTLD_DEFAULT, name);
    return function ? function : nothing;
}

/* Who waits for memory waits for as long as there is none: then he goes on. */
static void on_alarm(int number)
{
    (void)number;
    lift();
}

int main(int argc, char **argv)
{
    int which = 0, descriptors = entries("/proc/self/fd"), threads = entries("/proc/self/task");
    while (argc >= 3 && which < LIVES && strcmp(argv[1], lives[which].name))
        which++;
    if (argc < 3 || which == LIVES)
        return 2;
    lift = find("shortage_lift");
    signal(SIGALRM, on_alarm);
    alarm(1);
    find("shortage_begin")();
    bool good = live(which, argv[2], false);
    find("shortage_end")();
    good = all_went(descriptors, threads) && good;
    if (getenv("SLUICE_TEST_ONE_LIFE"))
        return !good;
    good = (never_began || live(which, argv[2], true)) && good;
    return !(all_went(descriptors, threads) && good);
}
