/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Devices with code of their own: the null device, but kernels run. Their code is one number, by
 * which the kernel "scale" multiplies a buffer. Three of them, which take programs as source and
 * SPIR-V, as the driver's bitcode, and as nothing but their own binaries. No lock: nothing is
 * shared.
 */
#define _GNU_SOURCE
#define sl_device_plugin null_plugin
#include "null_device.c"
#undef sl_device_plugin

#include <stdio.h>

#define MAGIC "OWNCODE1"
enum { BUILD_FAILURE = -11, OWN_DEVICES = 3 };

struct own_code { /* as a binary */
    char magic[8];
    int32_t factor;
    char made_of; /* 's'ource, spir-'v', 'b'itcode, 'l'inked, built 'i'n */
    char rest[3];
    char names[2][16]; /* of built-in kernels; "": there is no second one */
};

struct sl_code {
    struct own_code code;
    struct sl_module_info info;
    struct sl_kernel_info kernels[2];
};

struct own_device {
    struct sl_device base;
    struct sl_program_ops programs;
};

/* ---- the compiler ---------------------------------------------------------------------------- */

static bool is_code(const void *bytes, size_t size)
{
    return size == sizeof(struct own_code) && !memcmp(bytes, MAGIC, 8);
}

/* "BY=7" of the options, else of the text. */
static int factor_of(const struct sl_program_part *part, const char *options)
{
    const char *at = strstr(options, "BY=");
    if (!at)
        at = memmem(part->bytes, part->byte_count, "BY=", 3);
    return at ? atoi(at + 3) : 0;
}

/* Each multiplies a buffer. */
static const struct sl_named_version built_in[] = {
    {"triple", 1u << 22}, {"negate", 1u << 22 | 2u << 12}, {NULL, 0}};

static int32_t built_in_factor(const char *name)
{
    return strcmp(name, "triple") ? -1 : 3;
}

static int name_kernels(const struct sl_program_part *part, struct own_code *code)
{
    char names[32] = "";
    memcpy(names, part->bytes, part->byte_count < 31 ? part->byte_count : 31);
    char *second = strchr(names, ';');
    if (second)
        *second++ = 0;
    code->made_of = 'i';
    snprintf(code->names[0], sizeof code->names[0], "%.15s", names);
    snprintf(code->names[1], sizeof code->names[1], "%.15s", second ? second : "");
    return second && strchr(second, ';') ? 0 : 1; /* it has room for two */
}

static int compile_part(const struct sl_program_request *r, struct own_code *code)
{
    const struct sl_program_part *part = &r->parts[0];
    const unsigned char *bytes = part->bytes;
    switch (part->form) {
    case SL_PROGRAM_SOURCE:
        code->made_of = 's';
        code->factor = factor_of(part, r->options);
        return code->factor;
    case SL_PROGRAM_SPIRV:
        code->made_of = 'v';
        code->factor = r->constant_count ? (int32_t)r->constants[0].value : 5;
        return part->byte_count >= 20 && !memcmp(bytes, "\x03\x02\x23\x07", 4);
    case SL_PROGRAM_IR:
        code->made_of = 'b';
        code->factor = 7;
        return part->byte_count > 4 && !memcmp(bytes, "BC\xC0\xDE", 4) &&
               memmem(bytes, part->byte_count, "scale", 5);
    case SL_PROGRAM_OWN:
        code->made_of = 'l';
        code->factor = 1;
        for (uint32_t i = 0; i < r->part_count; i++) {
            if (!is_code(r->parts[i].bytes, r->parts[i].byte_count))
                return 0;
            code->factor *= ((const struct own_code *)r->parts[i].bytes)->factor;
        }
        return 1;
    case SL_PROGRAM_BUILT_IN:
        return name_kernels(part, code);
    }
    return 0;
}

static int build(struct sl_device *device, struct sl_program_request *request)
{
    (void)device;
    struct own_code *code = calloc(1, sizeof *code);
    if (!code)
        return OUT_OF_HOST_MEMORY;
    memcpy(code->magic, MAGIC, sizeof code->magic);
    if (!compile_part(request, code)) {
        free(code);
        request->log = strdup("own compiler: by what?");
        return BUILD_FAILURE;
    }
    request->log = strdup(request->part_count > 1 ? "own compiler: several" : "own compiler: one");
    request->binary = code;
    request->binary_bytes = sizeof *code;
    return 0;
}

static uint32_t recognize(struct sl_device *device, const void *bytes, size_t size)
{
    (void)device;
    return is_code(bytes, size) ? SL_BINARY_EXECUTABLE : 0;
}

/* The last one, where the driver would take the first; without any a module. */
static int32_t select_last(struct sl_device *device, const struct sl_program_part *images,
                           uint32_t count)
{
    for (uint32_t i = count; i--;)
        if (images[i].form == SL_PROGRAM_OWN && !strcmp(images[i].name, device->caps.target))
            return (int32_t)i;
    return count == 1 && images[0].form == SL_PROGRAM_SPIRV ? 0 : -1;
}

/* ---- the code -------------------------------------------------------------------------------- */

static const struct sl_arg_info buffer_argument = {
    .name = "a", .type_name = "int*", .kind = SL_ARG_GLOBAL, .size = 8, .align = 4};

static int own_load(struct sl_device *device, const void *bytes, size_t size, const char *name,
                    struct sl_code **out, const struct sl_module_info **info)
{
    (void)device, (void)name;
    struct sl_code *code = is_code(bytes, size) ? calloc(1, sizeof *code) : NULL;
    if (!code)
        return INVALID_BINARY;
    memcpy(&code->code, bytes, size);
    const bool is_built_in = code->code.made_of == 'i';
    for (int i = 0; i < 2; i++)
        code->kernels[i] =
            (struct sl_kernel_info){.name = is_built_in ? code->code.names[i] : "scale",
                                    .args = &buffer_argument,
                                    .attributes = "",
                                    .vec_type_hint = "",
                                    .arg_count = 1,
                                    .args_bytes = 8,
                                    .vector_width = 1};
    code->info =
        (struct sl_module_info){.abi = SL_MODULE_ABI,
                                .size = sizeof code->info,
                                .kernel_count = is_built_in && *code->code.names[1] ? 2 : 1,
                                .kernels = code->kernels};
    *out = code;
    *info = &code->info;
    return 0;
}

static void own_unload(struct sl_code *code)
{
    free(code);
}

static void own_submit(struct sl_work_queue *queue, struct sl_work *work)
{
    if (work->kind == SL_WORK_KERNEL) {
        const struct sl_launch_args *args = &work->u.kernel;
        const struct own_code *code = &args->code->code;
        const char *name = code->names[args->kernel_index];
        const int32_t factor = code->made_of == 'i' ? built_in_factor(name) : code->factor;
        int32_t *at;
        memcpy(&at, args->args, sizeof at);
        for (size_t i = 0; i < args->global_size[0]; i++)
            at[args->global_offset[0] + i] *= factor;
    }
    submit(queue, work);
}

static const void *own_query(struct sl_device *device, const char *name)
{
    if (!strcmp(name, SL_QUERY_BUILT_IN_KERNELS))
        return built_in;
    return strcmp(name, SL_QUERY_PROGRAMS) ? NULL : &((struct own_device *)device)->programs;
}

/* ---- the devices ----------------------------------------------------------------------------- */

static struct sl_device_ops own_ops;

static const struct {
    const char *name;
    uint32_t forms, features;
} kinds[OWN_DEVICES] = {
    {"own_source", SL_PROGRAM_SOURCE | SL_PROGRAM_SPIRV | SL_PROGRAM_OWN, SL_FEATURE_IL},
    {"own_ir", SL_PROGRAM_IR | SL_PROGRAM_OWN, SL_FEATURE_IL},
    {"own_binary", SL_PROGRAM_OWN | SL_PROGRAM_BUILT_IN, 0},
};

__attribute__((visibility("default"))) int sl_device_plugin(const struct sl_host_ops *ops,
                                                            struct sl_device_list *list)
{
    host = ops;
    own_ops = null_ops;
    own_ops.code_load = own_load;
    own_ops.code_unload = own_unload;
    own_ops.submit = own_submit;
    own_ops.query = own_query;
    for (int i = 0; i < OWN_DEVICES; i++) {
        struct own_device *device = calloc(1, sizeof *device);
        if (!device)
            return OUT_OF_HOST_MEMORY;
        device->base.ops = &own_ops;
        device->base.caps = null_caps;
        device->base.caps.short_name = device->base.caps.name = kinds[i].name;
        device->base.caps.target = "own:1";
        device->base.caps.features = kinds[i].features;
        device->base.caps.max_work_group_size = 64;
        device->programs = (struct sl_program_ops){.size = sizeof device->programs,
                                                   .forms = kinds[i].forms,
                                                   .build = build,
                                                   .recognize = recognize,
                                                   .select = select_last};
        list->devices[list->count++] = &device->base;
    }
    return 0;
}
