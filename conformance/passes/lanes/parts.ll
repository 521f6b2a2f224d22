; SPDX-License-Identifier: Apache-2.0
; So many items share a row: its number is one for a vector of them, as its ends are, and its words are side by side. A
; vector has no more items than share a row if that is less. Where only global ids are asked for, items go in turn up to
; a multiple of the lanes.
; RUN: sl-opt -mcpu=x86-64-v4
; CHECK-LABEL: define internal void @by32.groups(
; CHECK-NOT: front:
; CHECK-NOT: call {{.*}}gather
; CHECK: call <16 x i32> @llvm.masked.load.v16i32
; CHECK-NOT: call {{.*}}gather
; CHECK: ret void
; CHECK-LABEL: define internal void @by8.groups(
; CHECK: front:
; CHECK: aligned:
; CHECK-NOT: call {{.*}}gather
; CHECK-NOT: <16 x
; CHECK: call <8 x i32> @llvm.masked.load.v8i32
; CHECK-NOT: call {{.*}}gather
; CHECK-NOT: <16 x
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func i64 @_Z12get_group_idj(i32)
define spir_kernel void @by32(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(1) %ends) {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %group = call spir_func i64 @_Z12get_group_idj(i32 0)
  %row = lshr i64 %l, 5
  %place = and i64 %l, 31
  %pe = getelementptr inbounds i64, ptr addrspace(1) %ends, i64 %row
  %end = load i64, ptr addrspace(1) %pe, align 8
  br label %head
head:
  %j = phi i64 [ %place, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %in = icmp slt i64 %j, %end
  br i1 %in, label %body, label %done
body:
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %j
  %v = load i32, ptr addrspace(1) %px, align 4
  %more = add i32 %sum, %v
  %next = add nsw i64 %j, 32
  br label %head
done:
  %first = shl i64 %group, 7
  %at = add i64 %first, %l
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %at
  store i32 %sum, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @by8(ptr addrspace(1) %y, ptr addrspace(1) %x, ptr addrspace(1) %ends) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = udiv i64 %g, 8
  %place = urem i64 %g, 8
  %pe = getelementptr inbounds i64, ptr addrspace(1) %ends, i64 %row
  %end = load i64, ptr addrspace(1) %pe, align 8
  br label %head
head:
  %j = phi i64 [ %place, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %more, %body ]
  %in = icmp slt i64 %j, %end
  br i1 %in, label %body, label %done
body:
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %j
  %v = load i32, ptr addrspace(1) %px, align 4
  %more = add i32 %sum, %v
  %next = add nsw i64 %j, 8
  br label %head
done:
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %g
  store i32 %sum, ptr addrspace(1) %py, align 4
  ret void
}
