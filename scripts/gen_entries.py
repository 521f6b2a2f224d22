#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the C files whose functions differ only in their parameter lists.

gen_entries.py stubs.c|reporting.c|reporting.h|tracing.c|probed.c|probed.h API_DEF HEADER...

stubs.c      bodies of the entry points that api.def marks SL_API_NONE
reporting.c  sl_reported_X: calls sl_X; where that fails the context of its objects is told
             (driver/base/log/failed_call.h). Not for queries and reference counts, nor without such objects
reporting.h  SL_ENTRY_X: sl_reported_X if there is one, else sl_X
tracing.c    sl_traced_X for every entry point: calls SL_ENTRY_X, then writes arguments, result,
             duration
probed.c     sl_probed_X for every entry point: lets sl_probe() call SL_ENTRY_X (conformance/probe)
probed.h     their declarations
The parameter lists come from the declarations of the OpenCL headers, and from `cl_api_X` types for
entry points that these do not declare, and from `X_sluice_t` types where there are any.
"""
import re
import sys

TYPE = re.compile(r"typedef\s+([\w\s*]*?)\(\s*CL_API_CALL\s*\*\s*cl_api_(\w+)\s*\)\s*\("
                  r"|^extern\s+CL_API_ENTRY\s+([\w\s*]*?)\s*CL_API_CALL\s+(\w+)\s*\("
                  r"|^typedef\s+([\w\s*]*?)\s*CL_API_CALL\s+(\w+)_sluice_t\s*\(", re.M)
HANDLES = {"cl_platform_id", "cl_device_id", "cl_context", "cl_command_queue", "cl_mem",
           "cl_program", "cl_kernel", "cl_event", "cl_sampler", "cl_GLsync", "CLeglImageKHR",
           "CLeglDisplayKHR", "CLeglSyncKHR", "cl_command_buffer_khr", "cl_mutable_command_khr",
           "cl_semaphore_khr"}
WITH_CONTEXT = {"cl_context", "cl_command_queue", "cl_mem", "cl_program", "cl_kernel", "cl_event",
                "cl_sampler", "cl_command_buffer_khr"}
SILENT = re.compile(r"cl(Get|Retain|Release)[A-Z]")
DECIMAL = {"cl_uint": "%u", "cl_int": "%d", "size_t": "%zu"}


def strip_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def split_top(text):
    """Splits at commas that are outside parentheses."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and not depth:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [" ".join(p.split()) for p in parts if p.strip() and p.strip() != "void"]


def parameter_name(text):
    callback = re.search(r"\(\s*CL_CALLBACK\s*\*\s*(\w+)\s*\)", text)
    return callback.group(1) if callback else re.search(r"(\w+)\s*(\[\w*\])?$", text).group(1)


def read_types(headers):
    """{name: (return type, [parameter text])}"""
    types = {}
    for header in headers:
        with open(header, encoding="utf-8") as file:
            text = strip_comments(file.read())
        for match in TYPE.finditer(text):
            depth, at = 1, match.end()
            while depth:
                depth += (text[at] == "(") - (text[at] == ")")
                at += 1
            result, name = (next(filter(None, match.group(*groups)), "") for groups in ((1, 3, 5), (2, 4, 6)))
            result = " ".join(w for w in result.split() if not w.startswith("CL_API_PREFIX"))
            found = (result, split_top(text[match.end():at - 1]))
            if match.group(6):
                types[name] = found
            types.setdefault(name, found)
    return types


def read_rows(path):
    with open(path, encoding="utf-8") as file:
        text = strip_comments(file.read())
    return re.findall(r"^(SL_API\w*)\((\w+)", text, flags=re.M)


def signature(prefix, name, result, parameters):
    return f"{result} CL_API_CALL {prefix}{name}({', '.join(parameters) or 'void'})"


def stub(name, result, parameters):
    names = [parameter_name(p) for p in parameters]
    print(signature("sl_", name, result, parameters) + "\n{")
    for each in names:
        if each != "errcode_ret":
            print(f"    (void){each};")
    refuse = 'sl_refuse(CL_INVALID_OPERATION, "not supported")'
    if result == "cl_int":
        print(f"    return {refuse};")
    else:
        print(f"    cl_int rc = {refuse};")
        print("    if (errcode_ret)\n        *errcode_ret = rc;" if "errcode_ret" in names
              else "    (void)rc;")
        if result != "void":
            print("    return NULL;")
    print("}\n")


def reporters(name, result, parameters):
    """The parameters that lead to a context to which failures are reported."""
    if result == "void" or SILENT.match(name):
        return []
    words = [p.split() for p in parameters]
    return [w[1] for w in words
            if len(w) == 2 and w[0] in WITH_CONTEXT and not w[1].startswith("*")]


def entry_name(name, result, parameters):
    handles = reporters(name, result, parameters)
    print(f"#define SL_ENTRY_{name} sl_{'reported_' if handles else ''}{name}")


def reporter(name, result, parameters):
    handles = reporters(name, result, parameters)
    if not handles:
        return
    names = [parameter_name(p) for p in parameters]
    with_code = "errcode_ret" in names
    arguments = ", ".join("&code" if n == "errcode_ret" else n for n in names)
    failed, code = (("code", "code") if with_code else
                    ("result", "result") if result == "cl_int" else ("!result", "report.code"))
    # Apart from the plain way, which so has nothing to keep and ends with a jump.
    print(f"__attribute__((noinline)) static {signature('report_', name, result, parameters)}\n{{")
    print("    struct sl_report report;")
    if with_code:
        print("    cl_int code = CL_SUCCESS;")
    print("    sl_report_open(&report);")
    print(f"    {result} result = sl_{name}({arguments});")
    print("    sl_report_close(&report);")
    print(f"    if ({failed})")
    print(f'        sl_report_tell(&report, "{name}", {code}, {len(handles)}, '
          f"(const void *const[]){{{', '.join(handles)}}});")
    if with_code:
        print("    if (errcode_ret)\n        *errcode_ret = code;")
    print("    return result;\n}\n")
    print(signature("sl_reported_", name, result, parameters) + "\n{")
    print(f"    if (sl_report_wanted())\n        return report_{name}({', '.join(names)});")
    print(f"    return sl_{name}({', '.join(names)});\n}}\n")


def argument(text):
    """(format, expression) of one parameter in a trace line."""
    name = parameter_name(text)
    kind = text[:text.rindex(name)].replace("const", "").split()
    if "CL_CALLBACK" in text:
        return f"{name}=%p", f"(void *){name}"
    if re.fullmatch(r"const char ?\* ?\w+", text):
        return f'{name}=\\"%.300s\\"', f'{name} ? {name} : "(null)"'
    if "*" in text or "[" in text or kind[0] in HANDLES:
        return f"{name}=%p", f"(const void *){name}"
    if kind[0] in DECIMAL:
        return f"{name}={DECIMAL[kind[0]]}", name
    return f"{name}=0x%llx", f"(unsigned long long){name}"


def wrapper(name, result, parameters):
    names = [parameter_name(p) for p in parameters]
    with_code = "errcode_ret" in names
    shown = [argument(p) for p in parameters if parameter_name(p) != "errcode_ret"]
    shown = shown or [("%s", '""')]  # an empty format would be warned about
    fmt = ", ".join(f for f, _ in shown)
    rest = "".join(", " + e for _, e in shown)
    call = f"SL_ENTRY_{name}({', '.join('&code' if n == 'errcode_ret' else n for n in names)})"
    print(signature("sl_traced_", name, result, parameters) + "\n{")
    if with_code:
        print("    cl_int code = CL_SUCCESS;")
    print("    uint64_t start_ns = sl_now_ns();")
    print(f"    {call};" if result == "void" else f"    {result} result = {call};")
    if result == "cl_int":
        print(f'    sl_traced_code("{name}", start_ns, result, "{fmt}"{rest});')
    elif result == "void":
        print(f'    sl_traced_void("{name}", start_ns, "{fmt}"{rest});')
    else:
        code = "code" if with_code else "CL_SUCCESS"
        print(f'    sl_traced_handle("{name}", start_ns, result, {code}, "{fmt}"{rest});')
    if with_code:
        print("    if (errcode_ret)\n        *errcode_ret = code;")
    if result != "void":
        print("    return result;")
    print("}\n")


def probe(name, result, parameters):
    names = [parameter_name(p) for p in parameters]
    members = [re.sub(r"(\w+)\s*\[\w*\]$", r"*\1", p) for p in parameters]
    value = result != "void"
    print(f"struct probed_{name} {{")
    for member in members + ([f"{result} result"] if value else []):
        print(f"    {member};")
    print("};\n")
    print(f"static void call_{name}(void *at)\n{{\n    struct probed_{name} *a = at;")
    arguments = ", ".join("a->" + n for n in names)
    print(f"    {'a->result = ' if value else ''}SL_ENTRY_{name}({arguments});\n}}\n")
    print(signature("sl_probed_", name, result, parameters) + "\n{")
    print(f"    struct probed_{name} a = {{{', '.join(f'.{n} = {n}' for n in names)}}};")
    print(f'    sl_probe("{name}", call_{name}, &a);')
    print("    return a.result;\n}\n" if value else "}\n")


def probe_declaration(name, result, parameters):
    print(signature("sl_probed_", name, result, parameters) + ";")


def main():
    what, api_def, headers = sys.argv[1], sys.argv[2], sys.argv[3:]
    types = read_types(headers)
    write = {"reporting.c": reporter, "reporting.h": entry_name, "tracing.c": wrapper,
             "probed.c": probe, "probed.h": probe_declaration}
    print("/* SPDX-License-Identifier: Apache-2.0 */")
    print(f"/* Made by scripts/gen_entries.py from api.def: {what}. */")
    if what.endswith(".c"):
        print('#include "dispatch.h"\n#include "base/thread/clock.h"\n#include "base/log/error.h"\n#include "commands/failed_call_notice.h"\n'
              '#include "reporting_entries.h"\n#include "tracing.h"\n')
    if what == "probed.c":
        print('#include "probe.h"\n#include "probed_entries.h"\n')
    for kind, name in read_rows(api_def):
        if kind == "SL_API_VOID":
            continue
        if name not in types:
            sys.exit(f"no header has the type of {name}")
        if what != "stubs.c":
            write[what](name, *types[name])
        elif kind == "SL_API_NONE":
            stub(name, *types[name])


if __name__ == "__main__":
    main()
