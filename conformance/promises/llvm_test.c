/* SPDX-License-Identifier: Apache-2.0 */
/* An application that carries an LLVM of its own, whichever version is installed: loaded before us
 * or after, visible to all, in use while we build. */
#include "child.h"
#include "cl_help.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const libraries[] = {
    "libLLVM-13.so.1", "libLLVM-14.so.1", "libLLVM-15.so.1",      "libLLVM-16.so.1",
    "libLLVM-17.so.1", "libLLVM.so.18.1", "libLLVM.so.19.1",      "libLLVM.so.20.1",
    "libLLVM.so.21.1", "libLLVM.so.22.1", "libclang-cpp.so.22.1", "libclang-cpp.so.14",
};
static const char variable[] = "SLUICE_TEST_LLVM";

struct llvm { /* a little of LLVM's C interface, to have it alive */
    void *handle;
    void *context;
    void *module;
};

static void *symbol(const struct llvm *llvm, const char *name)
{
    void *found = dlsym(llvm->handle, name);
    return found ? found : dlsym(RTLD_DEFAULT, name);
}

static struct llvm open_llvm(void)
{
    struct llvm llvm = {.handle = dlopen(getenv(variable), RTLD_NOW | RTLD_GLOBAL)};
    REQUIRE(llvm.handle);
    void *(*context_create)(void);
    void *(*module_create)(const char *, void *);
    void (*initialize)(void);
    *(void **)&context_create = symbol(&llvm, "LLVMContextCreate");
    *(void **)&module_create = symbol(&llvm, "LLVMModuleCreateWithNameInContext");
    *(void **)&initialize = symbol(&llvm, "LLVMInitializeX86Target");
    REQUIRE(context_create && module_create && initialize);
    initialize();
    llvm.context = context_create();
    llvm.module = module_create("the application's", llvm.context);
    REQUIRE(llvm.module);
    return llvm;
}

static void close_llvm(const struct llvm *llvm)
{
    void (*module_dispose)(void *), (*context_dispose)(void *);
    char *(*print)(void *);
    *(void **)&module_dispose = symbol(llvm, "LLVMDisposeModule");
    *(void **)&context_dispose = symbol(llvm, "LLVMContextDispose");
    *(void **)&print = symbol(llvm, "LLVMPrintModuleToString");
    char *text = print(llvm->module);
    CHECK(text && strstr(text, "the application's"));
    free(text);
    module_dispose(llvm->module);
    context_dispose(llvm->context);
}

static void job_llvm_first(void)
{
    struct llvm llvm = open_llvm();
    whole_life(11);
    close_llvm(&llvm);
}

static void job_llvm_last(void)
{
    whole_life(12);
    struct llvm llvm = open_llvm();
    whole_life(13);
    close_llvm(&llvm);
    whole_life(14);
}

static void job_life(void)
{
    whole_life(15);
}

/* Runs the job with each library there is. */
static void with_each(const char *job, int preloaded)
{
    int tried = 0;
    for (size_t i = 0; i < LEN(libraries); i++) {
        void *there = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
        if (!there)
            continue;
        dlclose(there);
        tried++;
        char name[128], preload[128];
        snprintf(name, sizeof name, "%s=%s", variable, libraries[i]);
        snprintf(preload, sizeof preload, "LD_PRELOAD=%s", libraries[i]);
        const char *env[] = {name, "SLUICE_CACHE=0", preloaded ? preload : NULL, NULL};
        printf("%s with %s\n", job, libraries[i]);
        child_ends(&(struct child_plan){.job = job, .env = env}, 0);
    }
    if (!tried)
        check_skip("no LLVM library is installed");
}

static void llvm_loaded_first(void)
{
    with_each("job_llvm_first", 0);
}

static void llvm_loaded_last(void)
{
    with_each("job_llvm_last", 0);
}

static void llvm_preloaded(void)
{
    with_each("job_life", 1);
}

static const struct test_case jobs[] = {CASE(job_llvm_first), CASE(job_llvm_last), CASE(job_life)};
static const struct test_case cases[] = {CASE(llvm_loaded_first), CASE(llvm_loaded_last),
                                         CASE(llvm_preloaded)};
JOBS_MAIN("llvm", cases, jobs)
