#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""junit_rows.py FILE: pytest's JUnit file as lines "pass|fail|skip TEST"."""
import re
import sys
import xml.etree.ElementTree as tree


def main():
    for case in tree.parse(sys.argv[1]).iter("testcase"):
        kinds = {child.tag for child in case}
        verdict = "fail" if kinds & {"failure", "error"} else "skip" if "skipped" in kinds else "pass"
        # "[<context factory for <pyopencl.Device 'X' on 'Y' at 0x..>>]": the address differs each time
        name = re.sub(r" at 0x[0-9a-f]+", "", case.get("name"))
        print(verdict, re.sub(r"\s+", " ", case.get("classname") + "." + name))


if __name__ == "__main__":
    main()
