; SPDX-License-Identifier: Apache-2.0
; Straight code in which each operation waits for the one before takes several registers per value, so
; that something goes on meanwhile; one in which half of them need not wait, or a short one, does not.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @abreast.groups
; CHECK: fmul <8 x float>
; CHECK-NOT: <32 x float>
; CHECK: ret void
define spir_kernel void @abreast(ptr addrspace(1) %a, ptr addrspace(1) %o) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %v = load float, ptr addrspace(1) %pa
  %x1 = fmul float %v, %v
  %y1 = fmul float %v, 1.0
  %x2 = fmul float %x1, %v
  %y2 = fmul float %y1, 2.0
  %x3 = fmul float %x2, %v
  %y3 = fmul float %y2, 3.0
  %x4 = fmul float %x3, %v
  %y4 = fmul float %y3, 4.0
  %x5 = fmul float %x4, %v
  %y5 = fmul float %y4, 5.0
  %x6 = fmul float %x5, %v
  %y6 = fmul float %y5, 6.0
  %x7 = fmul float %x6, %v
  %y7 = fmul float %y6, 7.0
  %x8 = fmul float %x7, %v
  %y8 = fmul float %y7, 8.0
  %x9 = fmul float %x8, %v
  %y9 = fmul float %y8, 9.0
  %x10 = fmul float %x9, %v
  %y10 = fmul float %y9, 10.0
  %z1 = fmul float %v, 21.0
  %z2 = fmul float %z1, 22.0
  %z3 = fmul float %z2, 23.0
  %z4 = fmul float %z3, 24.0
  %z5 = fmul float %z4, 25.0
  %z6 = fmul float %z5, 26.0
  %z7 = fmul float %z6, 27.0
  %z8 = fmul float %z7, 28.0
  %z9 = fmul float %z8, 29.0
  %z10 = fmul float %z9, 30.0
  %s0 = fadd float %x10, %y10
  %s = fadd float %s0, %z10
  store float %s, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @quickly.groups
; CHECK: fmul <8 x float>
; CHECK-NOT: <32 x float>
; CHECK: ret void
define spir_kernel void @quickly(ptr addrspace(1) %a, ptr addrspace(1) %o) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %v = load float, ptr addrspace(1) %pa
  %x1 = fmul float %v, %v
  %x2 = fmul float %x1, %v
  %x3 = fmul float %x2, %v
  %x4 = fmul float %x3, %v
  store float %x4, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @slowly.groups
; CHECK: fmul <32 x float>
; CHECK: ret void
define spir_kernel void @slowly(ptr addrspace(1) %a, ptr addrspace(1) %o) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %v = load float, ptr addrspace(1) %pa
  %x1 = fmul float %v, %v
  %x2 = fmul float %x1, %v
  %x3 = fmul float %x2, %v
  %x4 = fmul float %x3, %v
  %x5 = fmul float %x4, %v
  %x6 = fmul float %x5, %v
  %x7 = fmul float %x6, %v
  %x8 = fmul float %x7, %v
  %x9 = fmul float %x8, %v
  %x10 = fmul float %x9, %v
  store float %x10, ptr addrspace(1) %po
  ret void
}
