; SPDX-License-Identifier: Apache-2.0
; A kernel with rows in dimension 0 that computes much has both forms: the launch says which one runs.
; One that only copies is interchanged, and that is all.
; RUN: sl-opt -mcpu=x86-64-v3 -shared-pipes
; CHECK: ; kernel copies flags 131076
; CHECK: ; kernel rows flags 1179652
; CHECK-LABEL: define internal void @copies.groups(
; CHECK-NOT: as_written
; CHECK-LABEL: define internal void @rows.as_written.groups(
; CHECK-LABEL: define internal void @0(
; CHECK: %[[AT:.*]] = getelementptr inbounds i8, ptr %1, i64 2
; CHECK: %[[FORM:.*]] = load i8, ptr %[[AT]]
; CHECK: %[[FIRST:.*]] = icmp eq i8 %[[FORM]], 0
; CHECK: br i1 %[[FIRST]], label %[[INTERCHANGED:.*]], label %[[WRITTEN:.*]]
; CHECK: [[INTERCHANGED]]:
; CHECK-NEXT: call void @rows.kernel(ptr %0, ptr %1, ptr %2)
; CHECK: [[WRITTEN]]:
; CHECK-NEXT: call void @rows.as_written.kernel(ptr %0, ptr %1, ptr %2)
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @rows(ptr addrspace(1) %y, ptr addrspace(1) %x, i64 %width) {
  %row = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = call spir_func i64 @_Z13get_global_idj(i32 1)
  %first = mul i64 %row, %width
  %i = add i64 %first, %column
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %vx = load float, ptr addrspace(1) %px, align 4
  %v = fdiv float 3.0, %vx
  %w = fdiv float %v, %vx
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  store float %w, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @copies(ptr addrspace(1) %y, ptr addrspace(1) %x, i64 %width) {
  %row = call spir_func i64 @_Z13get_global_idj(i32 0)
  %column = call spir_func i64 @_Z13get_global_idj(i32 1)
  %first = mul i64 %row, %width
  %i = add i64 %first, %column
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %vx = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  store float %vx, ptr addrspace(1) %py, align 4
  ret void
}
