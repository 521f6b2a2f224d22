; SPDX-License-Identifier: Apache-2.0
; Every other element is two loads that meet in one, not a gather; the last one ends where the last lane's does.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @k.groups
; CHECK: %[[FROM:[0-9]+]] = load <8 x float>, ptr %[[AT:[0-9]+]]
; CHECK: %[[MORE:[0-9]+]] = getelementptr i8, ptr %[[AT]], i64 28
; CHECK: %[[REST:[0-9]+]] = load <8 x float>, ptr %[[MORE]]
; CHECK: shufflevector <8 x float> %[[FROM]], <8 x float> %[[REST]], <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 9, i32 11, i32 13, i32 15>
; CHECK: ret void
define spir_kernel void @k(ptr addrspace(1) %y, ptr addrspace(1) %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = shl nsw i64 %id, 1
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %px, align 4
  %d = fdiv float 2.0, %v
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %d, ptr addrspace(1) %py, align 4
  ret void
}
