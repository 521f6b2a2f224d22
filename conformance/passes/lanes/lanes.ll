; SPDX-License-Identifier: Apache-2.0
; With mask registers 16 items are computed at once, the last ones under a mask: no scalar copy of
; the code for what is left over, no run-time check. In a loop of so few instructions full vectors
; have none.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK: ; kernel k flags 4
; CHECK: load <16 x float>
; CHECK: fmul <16 x float>
; CHECK: call <16 x float> @llvm.masked.load
; CHECK: fmul <16 x float>
; CHECK: call void @llvm.masked.store
; CHECK-NOT: load float
; CHECK-NOT: vector.body
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) align 4 %y, ptr addrspace(1) align 4 %x, float %a) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %narrow = trunc i64 %id to i32
  %next = add nsw i32 %narrow, 1
  %i = sext i32 %next to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  %vx = load float, ptr addrspace(1) %px, align 4
  %p = fmul float %vx, %a
  store float %p, ptr addrspace(1) %py, align 4
  ret void
}
