; SPDX-License-Identifier: Apache-2.0
; Neighbours that are kept inside of a tile in local memory, whose rows are as long as vectors, so that most of them
; meet the bound: one register is loaded, and lanes take their elements of it. In global memory rows are longer, and
; most vectors are neighbours.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent
declare i32 @llvm.smin.i32(i32, i32)

; CHECK-LABEL: define internal void @clamped.groups
; CHECK-NOT: permvar
; CHECK: ret void
define spir_kernel void @clamped(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, i32 %last) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  %next = add nsw i32 %low, 1
  %kept = call i32 @llvm.smin.i32(i32 %next, i32 %last)
  %index = sext i32 %kept to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %v = load float, ptr addrspace(1) %p, align 4
  %a = fmul float %v, %v
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %a, ptr addrspace(1) %py, align 4
  ret void
}

; CHECK-LABEL: define internal void @tile.groups
; CHECK: @llvm.masked.load.v64i8.p0
; CHECK: @llvm.x86.avx512.permvar.si.512
; CHECK: ret void
define spir_kernel void @tile(ptr addrspace(1) noalias %y, ptr addrspace(3) %s, i32 %last) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %low = trunc i64 %l to i32
  %to = getelementptr inbounds float, ptr addrspace(3) %s, i64 %l
  %f = sitofp i32 %low to float
  store float %f, ptr addrspace(3) %to, align 4
  %next = add nsw i32 %low, 1
  %kept = call i32 @llvm.smin.i32(i32 %next, i32 %last)
  %index = sext i32 %kept to i64
  %p = getelementptr inbounds float, ptr addrspace(3) %s, i64 %index
  call spir_func void @_Z7barrierj(i32 1) convergent
  %v = load float, ptr addrspace(3) %p, align 4
  %a = fmul float %v, %v
  %b = fadd float %a, %v
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %b, ptr addrspace(1) %py, align 4
  ret void
}
