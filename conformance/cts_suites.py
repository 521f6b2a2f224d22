# SPDX-License-Identifier: Apache-2.0
"""The programs of the Khronos OpenCL conformance suite, and which of their tests each tier runs."""
import collections

TIERS = ("smoke", "core", "full")


class Suite(collections.namedtuple("Suite", "name program args wimpy limit smoke core full nameless frame")):
    """smoke, core, full: patterns of tests, separated by blanks, "!" before those to leave out.

    limit: seconds that one test may take. wimpy: the program has a shorter mode, which is used.
    nameless: its only test is what runs without arguments; names mean something else to it.
    frame: lines that its tests write whether they test anything or not (regular expression).
    """

    def tests(self, tier):
        return getattr(self, tier).split()


def suite(name, program, smoke="", core="*", full="*", args="", wimpy=True, limit=300, nameless=False,
          frame=""):
    return Suite(name, program, args.split(), wimpy, limit, smoke, core, full, nameless, frame)


def image_suite(name, program, variants, core="*", first="*"):
    """One suite for each set of arguments; only the first belongs to the core tier.

    first: what the full tier has of the first. "-w" means nothing to these programs; their shorter mode is
    "small_images", which image_streams needs: it checks each pixel of each format and sampler on the host.
    """
    rows = []
    for number, args in enumerate(variants):
        full_name = name + "".join("-" + word.lower().replace("cl_filter_", "") for word in args.split())
        rows.append(suite(full_name, "images/" + program, args=args, limit=1800,
                          core="" if number else core, full="*" if number else first))
    return rows


SUITES = [
    suite("computeinfo", "computeinfo/test_computeinfo", smoke="*"),
    suite("api", "api/test_api", smoke="* !work*_[23]D", core="* !work*_3D", limit=900),
    suite("events", "events/test_events", smoke="*"),
    suite("profiling", "profiling/test_profiling", smoke="*"),
    suite("buffers", "buffers/test_buffers", smoke="buffer_read_int buffer_copy sub_buffers_* mem_*"),
    suite("compiler", "compiler/test_compiler", smoke="load_* simple_* options_* execute_after_*"),
    suite("spirv_new", "spirv_new/test_spirv_new", smoke="basic_* op_spec_constant_* linkage_*"),
    suite("basic", "basic/test_basic", smoke="hostptr fpmath_* barrier local_* constant* if for* loop*",
          core="* !explicit_s2v !vector_creation !async_*copy_*_to_*l !prefetch !imagedim_non_pow2",
          limit=900),
    suite("vectors", "vectors/test_vectors", smoke="step_*", core="step_* vec_align_array", limit=900),
    suite("relationals", "relationals/test_relationals", smoke="relational_*", limit=900),
    suite("commonfns", "commonfns/test_commonfns", smoke="*"),
    suite("geometrics", "geometrics/test_geometrics", smoke="*"),
    suite("integer_ops", "integer_ops/test_integer_ops", core="integer_* quick_* extended_* *dot*",
          limit=1800),
    suite("select", "select/test_select", core="select_uint_int select_float_int select_char_*", limit=1800),
    suite("thread_dimensions", "thread_dimensions/test_thread_dimensions", core="quick*", limit=1800),
    suite("multiples", "multiple_device_context/test_multiples"),
    suite("device_partition", "device_partition/test_device_partition",
          frame="^(Maximal number of sub-devices|Testing on all device .* finished)"),
    suite("mem_host_flags", "mem_host_flags/test_mem_host_flags", smoke="*"),
    suite("allocations", "allocations/test_allocations", core="buffer", limit=900),
    suite("printf", "printf/test_printf", smoke="int* string*"),
    suite("atomics", "atomics/test_atomics"),
    suite("half", "half/test_half", limit=1800),
    suite("contractions", "contractions/test_contractions", smoke="*"),
    suite("svm", "SVM/test_svm"),
    suite("c11_atomics", "c11_atomics/test_c11_atomics", limit=900,
          core="*atomic_init *atomic_load *atomic_store svm_atomic_fetch_add"),
    suite("generic_address_space", "generic_address_space/test_generic_address_space"),
    suite("non_uniform_work_group", "non_uniform_work_group/test_non_uniform_work_group", limit=1800),
    suite("workgroups", "workgroups/test_workgroups", limit=1800),
    suite("subgroups", "subgroups/test_subgroups", limit=1800),
    suite("pipes", "pipes/test_pipes"),
    suite("device_execution", "device_execution/test_device_execution"),
    suite("device_timer", "device_timer/test_device_timer", smoke="*"),
    suite("image_info", "images/clGetInfo/test_cl_get_info", core="* !2Darray", limit=1800),
    suite("image_methods", "images/kernel_image_methods/test_kernel_image_methods"),
    *image_suite("image_fill", "clFillImage/test_cl_fill_images", ("", "use_pitches", "max_images")),
    *image_suite("image_copy", "clCopyImage/test_cl_copy_images", ("", "small_images", "max_images")),
    *image_suite("image_transfer", "clReadWriteImage/test_cl_read_write_images",
                 ("", "use_pitches", "max_images")),
    *image_suite("image_samplerless", "samplerlessReads/test_samplerless_reads",
                 ("", "use_pitches", "max_images")),
    *image_suite("image_streams", "kernel_read_write/test_image_streams",
                 ("CL_FILTER_NEAREST", "small_images CL_FILTER_NEAREST", "small_images CL_FILTER_LINEAR",
                  "small_images use_pitches CL_FILTER_NEAREST", "small_images use_pitches CL_FILTER_LINEAR"),
                 core="1D 1Darray *buffer* *ext*", first="1D 1Darray *buffer* *ext*"),
    suite("conversions", "conversions/test_conversions", core="", limit=3600, nameless=True),
    suite("math", "math_brute_force/test_bruteforce", core="", limit=1800),
    suite("cxx_for_opencl", "extensions/cl_ext_cxx_for_opencl/test_cl_ext_cxx_for_opencl", smoke="*"),
    suite("command_buffer", "extensions/cl_khr_command_buffer/test_cl_khr_command_buffer", smoke="*"),
    suite("mutable_dispatch", "extensions/cl_khr_command_buffer/cl_khr_command_buffer_mutable_dispatch/"
          "test_cl_khr_mutable_dispatch", smoke="*"),
]
