; SPDX-License-Identifier: Apache-2.0
; An id narrowed to int indexes memory without run-time checks in the vectorised loop; items of all
; groups of a row share it, so the local size does not matter.
; RUN: sl-opt -mcpu=x86-64 -passes=default<O2>
; CHECK: ; kernel k flags 4
; CHECK-NOT: scevcheck
; CHECK-NOT: memcheck
; CHECK: vector.body:
; CHECK: load <4 x float>
; CHECK: load <4 x float>
; CHECK: store <4 x float>
; CHECK-NOT: scevcheck
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) align 4 %y, ptr addrspace(1) align 4 %x, float %a) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %narrow = trunc i64 %id to i32
  %i = sext i32 %narrow to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  %vx = load float, ptr addrspace(1) %px, align 4
  %vy = load float, ptr addrspace(1) %py, align 4
  %p = fmul float %vx, %a
  %s = fadd float %p, %vy
  store float %s, ptr addrspace(1) %py, align 4
  ret void
}
