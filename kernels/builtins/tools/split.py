#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts textual LLVM IR into atoms: one builtin function or constant table each (see archive.h).

usage: split.py OUTPUT OWN.ll... --fma OWN.ll... --avx512 OWN.ll... --libclc LIBCLC.ll

Sources are given in order of priority: a symbol already defined by an earlier file is not taken
again, so our own builtins replace libclc's; two of our own that differ are refused. Those after
--fma and --avx512 are atoms named NAME.fma and NAME.avx512, which define NAME as the others do and
replace them in code for such machines; NAME alone if it is new.
What is peculiar to libclc's nvptx flavour (address space numbers, their mangling, target
attributes) is rewritten to what spir64 kernels expect.
"""
import re
import sys

# Families that libclc defines for another machine model; ours are in the .cl files, in the
# compiler (convert_*) or made by the work-group passes (work-item functions).
LIBCLC_DROP = re.compile(
    r"_Z\d+(convert_|async_work_group|wait_group_events|atom_|atomic_|get_global_|prefetch|barrier)")
ATTRIBUTES = re.compile(r"attributes #(\d+) = \{(.*)\}")
KEPT_ATTRIBUTES = re.compile(
    r"\b(alwaysinline|noinline|convergent|mustprogress|nofree|norecurse|nosync|nounwind|willreturn|"
    r"speculatable|memory\([^)]*\))")
METADATA = re.compile(r", !(?:tbaa|tbaa\.struct|fpmath|llvm\.loop|srcloc|noalias|alias\.scope|range"
                      r"|annotation) ![0-9]+")
SYMBOL = re.compile(r"@([\w.$]+)")
VECTOR_LIBM = re.compile(r"@llvm\.(sin|cos|tan|exp|exp2|exp10|log|log2|log10|pow)"
                         r"\.(?:v(\d+))?f(32|64)\b")
PRIVATE_POINTER = re.compile(r"P(?=K?(?:[a-z]|S\d*_|D[vh]))")
# Who asks for the smaller or the larger number does not ask for the order of -0 and +0.
EXTREMES = re.compile(r"_Z\d+(fmin|fmax|clamp|smoothstep)[Dfd]")
EXTREME_CALL = re.compile(r"\bcall (?=[^@]*@llvm\.(?:minimumnum|maximumnum)\.)")
INLINE_LINES = 60
REPLACED = "libclc."  # in a .cl file: __asm__("libclc._Z3sind") is libclc's sin


# Scalar functions that a vectorised loop calls with a mask (rare.h), and for how many lanes.
RARE = re.compile(r"_Z\d+sl_rare_[a-z0-9_]+[fd]$")
RARE_LANES = (2, 4, 8, 16)
PURE = "cold nounwind willreturn memory(none)"
RARE_SCALAR = f"noinline optnone {PURE}"  # optimised when the archive was made
RARE_VERSION = f"noinline minsize optsize {PURE}"

# Lower an image to its descriptor, a sampler to its bits; nothing is left of them after clean().
IDENTITY = re.compile(r"_Z8sl_image\d|_Z15sl_sampler_bits")


class Symbol:
    def __init__(self, name, text, header):
        self.name = name
        self.key = name  # the atom's name
        self.text = text
        self.header = header  # how another atom declares it
        self.needs = {n for n in SYMBOL.findall(text) if n != name}


def libm_to_builtin(match):
    """llvm.sin & co. would become calls of libm, which a kernel does not have."""
    name, lanes, bits = match.groups()
    letter = "f" if bits == "32" else "d"
    vector = f"Dv{lanes}_{letter}" if lanes else letter
    if name == "pow":
        vector += "S_" if lanes else letter
    return f"@_Z{len(name)}{name}{vector}"


def retarget_libclc(text):
    text = text.replace("addrspace(4)", "addrspace(2)")
    return text.replace("U3AS4", "U3AS2")


def clean(text):
    text = METADATA.sub("", text)
    text = text.replace("spir_func ", "").replace("fastcc ", "").replace("dso_local ", "")
    text = re.sub(r'target\("spirv\.(?:Sampler|Event)"[^)]*\)', "i64", text)
    text = re.sub(r'target\("spirv\.Image"[^)]*\)', "ptr", text)
    return VECTOR_LIBM.sub(libm_to_builtin, text)


def function_symbol(lines):
    text = "".join(lines)
    head = re.match(r"define (.*?)(@[\w.$]+)\((.*)\)[^()]*\{\n", lines[0])
    prefix, name = head.group(1), head.group(2)
    prefix = re.sub(r"\b(internal|linkonce_odr|weak|hidden|private) ", "", prefix)
    parameters = lines[0][head.end(2):lines[0].rindex(")") + 1]
    # The attribute list may hold parentheses (memory(none)) only inside groups: #N.
    parameters = re.sub(r"\) .*$", ")", parameters) if ") local_unnamed" in parameters else parameters
    attribute = re.search(r"#\d+", lines[0][head.end(2) + len(parameters):])
    suffix = f" {attribute.group(0)}" if attribute else ""
    lines[0] = f"define {prefix}{name}{parameters}{suffix} {{\n"
    if len(lines) < INLINE_LINES:
        lines[0] = lines[0].replace(f"{suffix} {{\n", f"{suffix} alwaysinline {{\n")
    return Symbol(name[1:], "".join(lines) if text else "", f"declare {prefix}{name}{parameters}{suffix}\n")


def identity(name, header):
    kind = "i64" if "sampler" in name else "ptr"
    text = f"define {kind} @{name}({kind} %a) alwaysinline nounwind {{\n  ret {kind} %a\n}}\n"
    return Symbol(name, text, header)


def type_end(text):
    """Length of the type at the start of text."""
    depth = 0
    for at, char in enumerate(text):
        if char in "[{<(":
            depth += 1
        elif char in "]}>)":
            depth -= 1
        elif char == " " and depth == 0:
            return at
    raise ValueError(text)


def global_symbol(line):
    name, rest = re.match(r"@([\w.$]+) = (.*)\n", line).groups()
    rest = re.sub(r"\b(internal|private|hidden|unnamed_addr|local_unnamed_addr|linkonce_odr|"
                  r"weak_odr) ", "", rest)
    lead, body = re.match(r"((?:addrspace\(\d+\) )?(?:constant|global) )(.*)", rest).groups()
    kind = body[:type_end(body)]
    return Symbol(name, f"@{name} = {rest}\n", f"@{name} = external {lead}{kind}\n")


def read_module(path, is_libclc):
    """Yields (symbols, preamble) of one file."""
    symbols, types, attributes, lines = [], [], [], None
    for line in open(path):
        if is_libclc:
            line = retarget_libclc(line)
        if "@llvm.experimental.noalias.scope.decl(" in line:
            continue
        if lines is not None:
            lines.append(clean(line))
            if line == "}\n":
                symbols.append(function_symbol(lines))
                lines = None
        elif line.startswith("define "):
            lines = [clean(line)]
        elif line.startswith("@llvm."):
            continue
        elif line.startswith("@"):
            symbols.append(global_symbol(clean(line)))
        elif line.startswith("%"):
            types.append(line)
        elif line.startswith("declare "):
            name = SYMBOL.search(line).group(1)
            symbols.append(identity(name, clean(line)) if IDENTITY.match(name) else
                           Symbol(name, "", clean(line)))
        elif line.startswith("attributes"):
            number, body = ATTRIBUTES.match(line).groups()
            kept = " ".join(m.group(0) for m in KEPT_ATTRIBUTES.finditer(body))
            attributes.append((number, kept))
    return symbols, types, attributes


def forget_order_of_zeros(symbol):
    if EXTREMES.match(symbol.name):
        symbol.text = EXTREME_CALL.sub("call nsz ", symbol.text)


def generic_twin(symbol):
    """The same function for a generic pointer: on this machine every pointer is a flat one."""
    prefix = re.match(r"_Z\d+", symbol.name)
    if not prefix:
        return None
    length = int(prefix.group(0)[2:])
    cut = prefix.end() + length
    parameters = symbol.name[cut:]
    if len(PRIVATE_POINTER.findall(parameters)) != 1 or "U3AS" in parameters:
        return None
    if "sret(" in symbol.header:
        return None
    name = symbol.name[:cut] + PRIVATE_POINTER.sub("PU3AS4", parameters)
    head = re.match(r"declare (.*?)@[\w.$]+\((.*)\)( #\d+)?\n", symbol.header)
    result, arguments = head.group(1), head.group(2)
    result_type = result.split("range(")[0].split()[-1] if "<" not in result else \
        re.search(r"<[^>]*>", result).group(0)
    if "range(" in result:
        result_type = result[result.rindex(")") + 1:].strip()
    types, passed = [], []
    depth, start = 0, 0
    for at, char in enumerate(arguments + ","):
        depth += (char in "(<[") - (char in ")>]")
        if char == "," and depth == 0:
            types.append(arguments[start:at].strip())
            start = at + 1
    body = ""
    for index, argument in enumerate(types):
        kind = argument[:type_end(argument + " ")]
        if kind == "ptr":
            passed.append("ptr %p")
            types[index] = f"ptr addrspace(4) %a{index}"
            body += f"  %p = addrspacecast ptr addrspace(4) %a{index} to ptr\n"
        else:
            extension = " ".join(re.findall(r"\b(?:signext|zeroext)\b", argument))
            types[index] = f"{kind} {extension} %a{index}"
            passed.append(f"{kind} {extension} %a{index}")
    call = f"call {result_type} @{symbol.name}({', '.join(passed)})\n"
    if result_type == "void":
        body += f"  {call}  ret void\n"
    else:
        body += f"  %r = {call}  ret {result_type} %r\n"
    text = f"define {result_type} @{name}({', '.join(types)}) alwaysinline nounwind {{\n{body}}}\n"
    return Symbol(name, text, "")


def replaced(symbol):
    """libclc's function under another name, for the builtin of ours that corrects it."""
    text = symbol.text.replace(f"@{symbol.name}(", f"@{REPLACED}{symbol.name}(", 1)
    return Symbol(REPLACED + symbol.name, text, "")


def wide_lanes(name, kind, lanes):
    """`name` for the lanes that the mask names, by the vector that has as many."""
    vector, mask = f"<{lanes} x {kind}>", f"<{lanes} x i1>"
    whole = f"{name[:-1]}Dv{lanes}_{name[-1]}"
    text = f"""define {vector} @{name}.v{lanes}({vector} %x, {mask} %mask) {RARE_VERSION} {{
  %value = call {vector} @{whole}({vector} %x)
  %result = select {mask} %mask, {vector} %value, {vector} %x
  ret {vector} %result
}}
"""
    header = f"declare {vector} @{name}.v{lanes}({vector}, {mask})\n"
    return Symbol(f"{name}.v{lanes}", text, header)


def rare_lanes(name, kind, lanes):
    """`name` for the lanes that the mask names, one after the other."""
    vector, mask = f"<{lanes} x {kind}>", f"<{lanes} x i1>"
    text = f"""define {vector} @{name}.v{lanes}({vector} %x, {mask} %mask) {RARE_VERSION} {{
entry:
  %values = alloca [{lanes} x {kind}], align 64
  %bits = bitcast {mask} %mask to i{lanes}
  %wide = zext i{lanes} %bits to i32
  %none = icmp eq i32 %wide, 0
  br i1 %none, label %nothing, label %some
nothing:
  ret {vector} %x
some:
  store {vector} %x, ptr %values, align 64
  br label %lane
lane:
  %left = phi i32 [ %wide, %some ], [ %rest, %lane ]
  %i = call i32 @llvm.cttz.i32(i32 %left, i1 true)
  %place = getelementptr inbounds {kind}, ptr %values, i32 %i
  %argument = load {kind}, ptr %place, align 4
  %value = call {kind} @{name}({kind} %argument)
  store {kind} %value, ptr %place, align 4
  %below = add i32 %left, -1
  %rest = and i32 %left, %below
  %done = icmp eq i32 %rest, 0
  br i1 %done, label %all, label %lane
all:
  %result = load {vector}, ptr %values, align 64
  ret {vector} %result
}}
"""
    header = f"declare {vector} @{name}.v{lanes}({vector}, {mask})\n"
    return Symbol(f"{name}.v{lanes}", text, header)


def offer_lanes(symbol):
    """Names the versions for several lanes where LLVM's vectoriser looks for them."""
    kind = "float" if symbol.name.endswith("f") else "double"
    version_of = wide_lanes if "sl_rare_wide_" in symbol.name else rare_lanes
    versions = [version_of(symbol.name, kind, lanes) for lanes in RARE_LANES]
    offers = ",".join(f"_ZGV_LLVM_M{lanes}v_{symbol.name}({symbol.name}.v{lanes})"
                      for lanes in RARE_LANES)
    attribute = f' {RARE_SCALAR} "vector-function-abi-variant"="{offers}" {{\n'
    symbol.text = re.sub(r"(?: #\d+)?(?: alwaysinline)? \{\n", lambda _: attribute, symbol.text, count=1)
    symbol.needs.update(version.name for version in versions)
    return versions


def plain(symbol):
    """The text without what depends on the file: numbers of attributes."""
    return re.sub(r" #\d+", "", symbol.text)


def main():
    output, *rest = sys.argv[1:]
    fma, avx512 = rest.index("--fma"), rest.index("--avx512")
    own, libclc = rest[:fma], rest[-1]
    forms = dict.fromkeys(rest[fma + 1:avx512], ".fma") | dict.fromkeys(rest[avx512 + 1:-2], ".avx512")
    known, atoms, wanted, only_form = {}, [], set(), set()
    for path in [*own, *forms, libclc]:
        is_libclc = path == libclc
        symbols, types, attributes = read_module(path, is_libclc)
        preamble = "".join(types)
        attributes_of = dict(attributes)
        groups = "".join(f"attributes #{n} = {{ {kept} }}\n" for n, kept in attributes)
        headers = {s.name: s.header for s in symbols if s.header}
        if not is_libclc:
            wanted.update(name for s in symbols for name in s.needs)
        for symbol in symbols:
            if not symbol.text or is_libclc and LIBCLC_DROP.match(symbol.name):
                continue
            if is_libclc and symbol.name in only_form:
                sys.exit(f"{symbol.name} has a form for some machines and none of ours for others")
            if path in forms:
                if symbol.name in known:
                    symbol.key += forms[path]
                else:
                    only_form.add(symbol.name)
                atoms.append((symbol, preamble, groups, headers))
                continue
            if symbol.name in known:
                if is_libclc and REPLACED + symbol.name in wanted:
                    atoms.append((replaced(symbol), preamble, groups, headers))
                elif not is_libclc and known[symbol.name] not in (None, plain(symbol)):
                    sys.exit(f"{path}: an earlier file has another {symbol.name}")
                continue
            known[symbol.name] = plain(symbol)
            forget_order_of_zeros(symbol)
            group = re.search(r" #(\d+) alwaysinline \{\n", symbol.text)
            if group and "noinline" in attributes_of.get(group.group(1), ""):
                symbol.text = symbol.text.replace(" alwaysinline {\n", " {\n", 1)
            atoms.append((symbol, preamble, groups, headers))
            if not is_libclc and RARE.match(symbol.name):
                for version in offer_lanes(symbol):
                    headers[version.name] = version.header
                    headers["llvm.cttz.i32"] = "declare i32 @llvm.cttz.i32(i32, i1)\n"
                    atoms.append((version, preamble, groups, headers))
            twin = generic_twin(symbol)
            if twin and twin.name not in known:
                known[twin.name] = None
                atoms.append((twin, preamble, groups, headers))
    every = {}
    for symbol, _, _, headers in atoms:
        every.setdefault(symbol.name, symbol.header)
    with open(output, "w") as out:
        for symbol, preamble, groups, headers in atoms:
            out.write(f";;; {symbol.key}\n{preamble}")
            for name in sorted(symbol.needs):
                header = headers.get(name) or every.get(name)
                if not header:
                    sys.exit(f"{symbol.name} needs {name}, which nobody declares")
                out.write(header)
            out.write(symbol.text)
            out.write(groups)


main()
