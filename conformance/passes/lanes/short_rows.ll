; SPDX-License-Identifier: Apache-2.0
; Groups of a required size whose rows are less than a vector, and that are run one by one: a vector has as many lanes as
; a row has items. Where groups of a row are one loop it has as many as ever.
; RUN: sl-opt -mcpu=x86-64-v4 -uniform
; CHECK-LABEL: define internal void @flat.groups(
; CHECK: load <16 x float>
; CHECK: ret void
; CHECK-LABEL: define internal void @turned.groups(
; CHECK-NOT: <16 x
; CHECK: load <8 x float>
; CHECK-NOT: <16 x
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32) convergent
define spir_kernel void @turned(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(3) %t) !reqd_work_group_size !0 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %m = call spir_func i64 @_Z12get_local_idj(i32 1)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %px, align 4
  %row = shl nuw nsw i64 %m, 3
  %at = or disjoint i64 %row, %l
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %at
  store float %v, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1) convergent
  %column = shl nuw nsw i64 %l, 3
  %from = or disjoint i64 %column, %m
  %pq = getelementptr inbounds float, ptr addrspace(3) %t, i64 %from
  %q = load float, ptr addrspace(3) %pq, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %q, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @flat(ptr addrspace(1) %y, ptr addrspace(1) %x) !reqd_work_group_size !0 {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %v, ptr addrspace(1) %py, align 4
  ret void
}
!0 = !{i32 8, i32 8, i32 1}
