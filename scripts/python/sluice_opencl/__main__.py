# SPDX-License-Identifier: Apache-2.0
"""python -m sluice_opencl: what a shell sets so that OpenCL programs see Sluice and nothing else.
With --register it is entered into this environment's etc/OpenCL/vendors instead, and that folder is printed.
"""
import shlex
import sys

import sluice_opencl


def main():
    if sys.argv[1:] == ["--register"]:
        try:
            print(sluice_opencl.register())
        except OSError as error:
            sys.exit(f"sluice_opencl: cannot register: {error}")
    elif sys.argv[1:]:
        sys.exit(__doc__.strip())
    else:
        library = shlex.quote(sluice_opencl.library())
        print(f"export OCL_ICD_FILENAMES={library}")
        print(f"export OCL_ICD_VENDORS={library}")


main()
