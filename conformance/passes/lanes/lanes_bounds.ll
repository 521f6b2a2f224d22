; SPDX-License-Identifier: Apache-2.0
; Neighbours as long as no lane of a vector meets the bound: the code asks lane 0 and the last one, and loads all at
; once, or gathers. A sum of longs that is cut to an int counts up likewise.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.smax.i32(i32, i32)

; CHECK-LABEL: define internal void @chosen.groups
; CHECK: br i1 %sure
; CHECK: load <16 x float>
; CHECK: call <16 x float> @llvm.masked.gather
define spir_kernel void @chosen(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %last = icmp eq i32 %i, %n
  %next = add nsw i32 %i, 1
  %from = select i1 %last, i32 0, i32 %next
  %j = sext i32 %from to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %v = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %v, ptr addrspace(1) %py, align 4
  ret void
}

; CHECK-LABEL: define internal void @cut.groups
; CHECK: br i1 %sure
; CHECK: load <16 x float>
; CHECK: call <16 x float> @llvm.masked.gather
define spir_kernel void @cut(ptr addrspace(1) %y, ptr addrspace(1) %x, i64 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %sum = add i64 %id, %n
  %up = shl i64 %sum, 32
  %j = ashr exact i64 %up, 32
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %v = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %v, ptr addrspace(1) %py, align 4
  ret void
}

; CHECK-LABEL: define internal void @least.groups
; CHECK: br i1 %sure
; CHECK: load <16 x float>
; CHECK: call <16 x float> @llvm.masked.gather
define spir_kernel void @least(ptr addrspace(1) %y, ptr addrspace(1) %x, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %before = add nsw i32 %i, -1
  %from = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %j = sext i32 %from to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %j
  %v = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %v, ptr addrspace(1) %py, align 4
  ret void
}
