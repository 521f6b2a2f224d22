; SPDX-License-Identifier: Apache-2.0
; Ids of a group whose size is required are below it: what a tile's row and column are of the item's number
; in the group are shifts, or the ids themselves. Of one whose size is not known they are not negative.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @tile(
; CHECK-DAG: call i32 @sl.wi.10.0()
; CHECK-DAG: call i64 @sl.wi.6.1()
; CHECK-NOT: sdiv
; CHECK-NOT: srem
; CHECK-NOT: ashr
; CHECK: ret void
; CHECK-LABEL: @alone(
; CHECK-NOT: sl.wi.6.2
; CHECK: store i64 0,
; CHECK: ret void
; Differences stay what they are.
; CHECK-LABEL: @back(
; CHECK: sub nuw nsw i64 15, %
; CHECK: ret void
; CHECK-LABEL: @any(
; CHECK: udiv
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
define spir_kernel void @tile(ptr addrspace(1) %y) !reqd_work_group_size !0 {
  %x64 = call spir_func i64 @_Z12get_local_idj(i32 0)
  %x = trunc i64 %x64 to i32
  %y64 = call spir_func i64 @_Z12get_local_idj(i32 1)
  %row = trunc i64 %y64 to i32
  %rows = mul nsw i32 %row, 16
  %n = add nsw i32 %rows, %x
  %q = sdiv i32 %n, 16
  %r = srem i32 %n, 16
  %q64 = sext i32 %q to i64
  %p = getelementptr i32, ptr addrspace(1) %y, i64 %q64
  store i32 %r, ptr addrspace(1) %p
  ret void
}
define spir_kernel void @alone(ptr addrspace(1) %y) !reqd_work_group_size !0 {
  %z = call spir_func i64 @_Z12get_local_idj(i32 2)
  store i64 %z, ptr addrspace(1) %y
  ret void
}
define spir_kernel void @back(ptr addrspace(1) %y) !reqd_work_group_size !0 {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %d = sub i64 15, %x
  store i64 %d, ptr addrspace(1) %y
  ret void
}
define spir_kernel void @any(ptr addrspace(1) %y) {
  %x64 = call spir_func i64 @_Z12get_local_idj(i32 0)
  %x = trunc i64 %x64 to i32
  %q = sdiv i32 %x, 7
  store i32 %q, ptr addrspace(1) %y
  ret void
}
!0 = !{i32 16, i32 8, i32 1}
