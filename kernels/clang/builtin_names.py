#!/ usr / bin / env python3
#SPDX - License - Identifier : Apache - 2.0
"""builtin_names.py HEADER OUTPUT: the functions that clang's opencl-c.h declares, but for those of vendors, as
strings of C in the order of the alphabet."""
import re
import sys

OF_VENDORS = ("amd_", "arm_", "intel_", "__")


def main():
    header, output = sys.argv[1:]
    with open(header, encoding="utf-8") as file:
        declared = re.findall(r"__ovld[^(;]*?\b(\w+)\s*\(", file.read())
    names = sorted({name for name in declared if not name.startswith(OF_VENDORS)})
    if len(names) < 500:
        sys.exit(f"{header}: {len(names)} functions only")
    with open(output, "w", encoding="utf-8") as file:
        file.writelines(f'"{name}",\n' for name in names)


main()
