/* SPDX-License-Identifier: Apache-2.0 */
/* The reader as a whole: its stages, in order. */
#include <llvm-c/Analysis.h>
#include <string.h>

#include "spirv/module/debug_lines.h"
#include "spirv/module/module.h"

static const struct {
    int (*run)(struct sl_spirv *);
} stages[] = {
    {sl_spirv_split_words},         {sl_spirv_check},
    {sl_spirv_check_capabilities},  {sl_spirv_read_annotations},
    {sl_spirv_translate_globals},   {sl_spirv_open_lines},
    {sl_spirv_translate_functions}, {sl_spirv_describe_kernels},
};

/* As clang's, so that sizes are known from the first type on. */
static const char layout[] = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-"
                             "v512:512-v1024:1024-G1";

static void open_module(struct sl_spirv *s)
{
    const char *name = s->input->name ? s->input->name : "SPIR-V";
    s->module = LLVMModuleCreateWithNameInContext(name, s->context);
    LLVMSetTarget(s->module, "spir64");
    LLVMSetDataLayout(s->module, layout);
    s->builder = LLVMCreateBuilderInContext(s->context);
}

static int verify(struct sl_spirv *s)
{
    char *why = NULL;
    if (LLVMVerifyModule(s->module, LLVMReturnStatusAction, &why))
        sl_spirv_fail(s, NULL, "the module is not valid: %.300s", why);
    LLVMDisposeMessage(why);
    return s->failed ? -1 : 0;
}

static int run(struct sl_spirv *s)
{
    for (size_t k = 0; k < sizeof stages / sizeof *stages; k++)
        if (stages[k].run(s) || s->failed)
            return -1;
    sl_spirv_close_lines(s);
    return verify(s);
}

LLVMModuleRef sl_spirv_read(LLVMContextRef context, const struct sl_spirv_input *input)
{
    struct sl_spirv s = {.input = input, .context = context};
    open_module(&s);
    if (run(&s)) {
        sl_spirv_close_lines(&s);
        LLVMDisposeModule(s.module);
        s.module = NULL;
    }
    LLVMDisposeBuilder(s.builder);
    sl_spirv_free_chunks(&s);
    return s.module;
}
