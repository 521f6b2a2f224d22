; SPDX-License-Identifier: Apache-2.0
; Rests and quotients of signed ids by a number that all items share, whose sign nobody knows: neighbours unless the id
; passes a multiple of it. Nothing is divided lane by lane.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @rest.groups
; CHECK: {{^}}near{{[0-9]*}}:
; CHECK: @llvm.masked.load.v16f32
; CHECK: {{^}}each{{[0-9]*}}:
; CHECK: @llvm.masked.gather.v16f32
; CHECK: ret void
define spir_kernel void @rest(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  %next = add i32 %low, 1
  %at = srem i32 %next, %n
  %index = sext i32 %at to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %v = load float, ptr addrspace(1) %p, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %v, ptr addrspace(1) %py, align 4
  ret void
}

; CHECK-LABEL: define internal void @row.groups
; CHECK: {{^}}near{{[0-9]*}}:
; CHECK: {{^}}each{{[0-9]*}}:
; CHECK: @llvm.masked.gather.v16f32
; CHECK: ret void
define spir_kernel void @row(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, i32 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  %q = sdiv i32 %low, %n
  %index = sext i32 %q to i64
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %v = load float, ptr addrspace(1) %p, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %v, ptr addrspace(1) %py, align 4
  ret void
}
