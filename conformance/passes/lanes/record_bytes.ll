; SPDX-License-Identifier: Apache-2.0
; Bytes three apart: as many items as records of theirs are one run of memory, not as many as fill a register.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=work_group_regions
; CHECK: <96 x i8> @llvm.masked.load
; CHECK: @llvm.masked.store.v96i8
; CHECK-NOT: gather
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @swap(ptr addrspace(1) %x, ptr addrspace(1) %y) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %at = mul i64 %id, 3
  %x0 = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %at
  %x1 = getelementptr inbounds i8, ptr addrspace(1) %x0, i64 1
  %x2 = getelementptr inbounds i8, ptr addrspace(1) %x0, i64 2
  %y0 = getelementptr inbounds i8, ptr addrspace(1) %y, i64 %at
  %y1 = getelementptr inbounds i8, ptr addrspace(1) %y0, i64 1
  %y2 = getelementptr inbounds i8, ptr addrspace(1) %y0, i64 2
  %r = load i8, ptr addrspace(1) %x0
  %g = load i8, ptr addrspace(1) %x1
  %b = load i8, ptr addrspace(1) %x2
  store i8 %b, ptr addrspace(1) %y0
  store i8 %g, ptr addrspace(1) %y1
  store i8 %r, ptr addrspace(1) %y2
  ret void
}
