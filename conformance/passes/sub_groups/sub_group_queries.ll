; SPDX-License-Identifier: Apache-2.0
; Questions about the sub-group become arithmetic on the item's linear id (sl.wi.6) and the local size
; (sl.wi.4), of 32 items or as many as the kernel requires. The last sub-group of a group may be smaller,
; so that its size is a minimum. What is asked of the enqueued size (sl.wi.5) is not asked of this
; group's, which may be smaller.
; RUN: sl-opt -stage=sub_groups
target triple = "spir64-unknown-unknown"
declare spir_func i32 @_Z18get_sub_group_sizev()
declare spir_func i32 @_Z22get_max_sub_group_sizev()
declare spir_func i32 @_Z18get_num_sub_groupsv()
declare spir_func i32 @_Z27get_enqueued_num_sub_groupsv()
declare spir_func i32 @_Z16get_sub_group_idv()
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func void @__sl_sub_group_meet()

; CHECK-LABEL: define {{.*}}@places(
; CHECK: %[[Z:.*]] = trunc i64 %{{.*}} to i32
; CHECK: mul nuw nsw i32 %[[Z]], %{{.*}}
; CHECK: call i64 @sl.wi.6.1()
; CHECK: call i64 @sl.wi.4.0()
; CHECK: call i64 @sl.wi.6.0()
; CHECK: %[[ID:.*]] = add nuw nsw i32
; CHECK-NEXT: udiv i32 %[[ID]], 8
; CHECK: urem i32 %{{.*}}, 8
; CHECK: ret void
define spir_kernel void @places(ptr addrspace(1) %x) !intel_reqd_sub_group_size !0 {
  %n = call spir_func i32 @_Z16get_sub_group_idv()
  store volatile i32 %n, ptr addrspace(1) %x
  %l = call spir_func i32 @_Z22get_sub_group_local_idv()
  store volatile i32 %l, ptr addrspace(1) %x
  ret void
}
; CHECK-LABEL: define {{.*}}@sizes(
; CHECK: %[[FIRST:.*]] = sub i32
; CHECK: call i64 @sl.wi.4.2()
; CHECK: %[[LEFT:.*]] = sub nuw i32 %{{.*}}, %[[FIRST]]
; CHECK: icmp ult i32 %[[LEFT]], 32
; CHECK-NEXT: %[[SIZE:.*]] = select i1 %{{.*}}, i32 %[[LEFT]], i32 32
; CHECK-NEXT: store volatile i32 %[[SIZE]]
; CHECK-NEXT: store volatile i32 32
define spir_kernel void @sizes(ptr addrspace(1) %x) {
  %n = call spir_func i32 @_Z18get_sub_group_sizev()
  store volatile i32 %n, ptr addrspace(1) %x
  %l = call spir_func i32 @_Z22get_max_sub_group_sizev()
  store volatile i32 %l, ptr addrspace(1) %x
  ret void
}
; Items that meet do so at a divider of their own kind, which is no barrier of the group.
; CHECK-LABEL: define {{.*}}@counts(
; CHECK-NOT: @sl.wi.5
; CHECK: %[[N:.*]] = add nuw nsw i32 %{{.*}}, 31
; CHECK-NEXT: udiv i32 %[[N]], 32
; CHECK-NOT: @sl.wi.4
; CHECK: udiv
; CHECK: call void @sl.meet()
; CHECK-NOT: @sl.barrier
define spir_kernel void @counts(ptr addrspace(1) %x) {
  %n = call spir_func i32 @_Z18get_num_sub_groupsv()
  store volatile i32 %n, ptr addrspace(1) %x
  %l = call spir_func i32 @_Z27get_enqueued_num_sub_groupsv()
  store volatile i32 %l, ptr addrspace(1) %x
  call spir_func void @__sl_sub_group_meet()
  ret void
}
!0 = !{i32 8}
