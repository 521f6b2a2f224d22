/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linking in this process, where coverage guides: any containers, whose checksum is made right. Two
 * inputs are linked: the changed one, and a good object if the first byte says so. A link ends with
 * code or with a reason. Each has a thread of its own, for its stack. No lock.
 */
#include "fuzz.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/binary/container.h"
#include "compiler/build.h"
#include "container_sum.h"
#include "link_seed.h"
#include "llvm/target.h"

struct job {
    struct sl_build_request request;
    struct sl_build_result result;
    int status;
};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    sl_compiler_warm_up();
    return link_seeds_make();
}

size_t fuzz_seed(uint32_t which, const uint8_t **data)
{
    return link_seed(which, data);
}

static void run(void *data)
{
    struct job *job = data;
    job->status = sl_compiler_build(&job->request, &job->result);
}

static void check(const struct job *job)
{
    const char *log = job->result.log.data ? job->result.log.data : "";
    if (!job->status ? job->result.binary.bytes != 0 : *log != 0)
        return;
    fprintf(stderr, "a link answers %d with the log \"%s\"\n", job->status, log);
    abort();
}

/* Of sanitizers: what runs before they end the process, which is where a fuzzer notes its finding.
 */
__attribute__((weak)) void __sanitizer_set_death_callback(void (*)(void));

static void die_quietly(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGALRM};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        signal(numbers[i], SIG_DFL);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(NULL);
    close(STDERR_FILENO);
}

/* LLVM's reader of bitcode crashes over damage: that is between it and its users, to whom the
 * compiler says so. What it survives in a child is linked here. */
static bool is_readable(const char *container, size_t bytes)
{
    struct sl_blob blob = {container, bytes}, bitcode;
    int status = 0;
    if (sl_container_payload(&blob, SL_BINARY_OBJECT | SL_BINARY_LIBRARY, &bitcode))
        return true; /* to be refused */
    pid_t child = fork();
    if (!child) {
        LLVMModuleRef module = NULL;
        die_quietly();
        LLVMMemoryBufferRef buffer =
            LLVMCreateMemoryBufferWithMemoryRangeCopy(bitcode.data, bitcode.bytes, "object");
        LLVMBool bad = LLVMParseBitcodeInContext2(LLVMContextCreate(), buffer, &module);
        if (!bad)
            LLVMVerifyModule(module, LLVMReturnStatusAction, NULL);
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && !status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const uint8_t *good;
    const char *option = "-create-library";
    if (bytes < 2)
        return 0;
    char *copy = malloc(bytes - 1); /* of that size, so that a read behind it shows */
    if (!copy)
        return 0;
    memcpy(copy, data + 1, bytes - 1);
    container_sum(copy, bytes - 1);
    size_t good_bytes = link_seed(1, &good);
    if (!is_readable(copy, bytes - 1)) {
        free(copy);
        return 0;
    }
    struct sl_blob inputs[2] = {{copy, bytes - 1}, {(const char *)good + 1, good_bytes - 1}};
    struct job job = {
        .request = {.kind = SL_BUILD_LINK,
                    .inputs = inputs,
                    .input_count = data[0] & 32 ? 2 : 1,
                    .options = &option,
                    .option_count = data[0] & 2 ? 1 : 0,
                    .extensions = data[0] & 1 ? sl_target_extensions(true) : NULL,
                    .quick = data[0] >> 2 & 1},
    };
    if (!sl_compiler_on_large_stack(run, &job))
        check(&job);
    sl_build_result_finish(&job.result);
    free(copy);
    return 0;
}
