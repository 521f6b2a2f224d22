# SPDX-License-Identifier: Apache-2.0
"""python -m sluice_opencl: what a shell sets so that OpenCL programs see Sluice and nothing else.
With --register it is entered into this environment's etc/OpenCL/vendors instead, and that folder is printed.
"""
import sys

import sluice_opencl

if sys.argv[1:] == ["--register"]:
    print(sluice_opencl.register())
elif sys.argv[1:]:
    sys.exit(__doc__)
else:
    print(f"export OCL_ICD_FILENAMES='{sluice_opencl.library()}'")
    print(f"export OCL_ICD_VENDORS='{sluice_opencl.library()}'")
