; SPDX-License-Identifier: Apache-2.0
; Items of a sub-group that meet have a word each for where they wait. A turn of a sub-group goes on at
; the first place where any of its items waits, with the items that wait there, until all of them are at a
; barrier (2^29 and more) or have returned (2^30); when all sub-groups had their turn the barrier opens.
; A kernel that only asks for numbers has no such form.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
; CHECK: ; kernel asks flags 0 local 0 per_item 0 fixed 0
; CHECK: ; kernel meets flags 2 local 0 per_item 4
declare spir_func void @__sl_sub_group_meet()
declare spir_func ptr @__sl_sub_group_memory()
declare spir_func i32 @_Z22get_sub_group_local_idv()
declare spir_func void @_Z7barrierj(i32)

define spir_kernel void @meets(ptr addrspace(1) %x) {
  %all = call spir_func ptr @__sl_sub_group_memory()
  call spir_func void @__sl_sub_group_meet()
  %who = load i64, ptr %all
  store volatile i64 %who, ptr addrspace(1) %x
  call spir_func void @_Z7barrierj(i32 1)
  ret void
}
; CHECK-LABEL: define internal void @asks.groups(
; CHECK-NOT: choose:
; CHECK: shufflevector <8 x i32>
; CHECK-NOT: choose:
; CHECK-LABEL: define internal void @meets.groups(
; CHECK: call void @llvm.memset{{.*}}(ptr align 4 %states, i8 0
; CHECK: turn:
; CHECK: icmp ult i64 %{{.*}}, 32
; CHECK: %all = lshr i64 -1
; CHECK: go.on:
; CHECK: switch i32 %{{.*}}, label %[[START:.*]] [
; CHECK-NEXT: i32 1, label %[[MET:.*]]
; CHECK-NEXT: i32 2, label %[[OPENED:.*]]
; CHECK-NEXT: ]
; CHECK: decide:
; CHECK: %[[GO:.*]] = icmp ult i32 %{{.*}}, 536870912
; CHECK-NEXT: br i1 %[[GO]], label %go.on, label %next

; The lowest place, and a bit for each item that waits there, which the items read.
; CHECK: %[[STATE:.*]] = load i32
; CHECK: %[[SOONER:.*]] = icmp ult i32 %[[STATE]], %[[PLACE:.*]]
; CHECK: icmp eq i32 %[[STATE]], %[[PLACE]]
; CHECK: %[[WHO:.*]] = select i1 %[[SOONER]], i64 %{{.*}}, i64 %{{.*}}
; CHECK: store i64 %[[WHO]], ptr %[[MEMORY:[^,]*]],

; CHECK: [[START]]:
; CHECK: store i32 268435457, ptr
; CHECK: [[MET]]:
; CHECK: %[[READ:.*]] = load i64, ptr %[[MEMORY]]
; CHECK: store volatile i64 %[[READ]]
; CHECK: store i32 536870914, ptr
; CHECK: [[OPENED]]:
; CHECK: store i32 1073741824, ptr
define spir_kernel void @asks(ptr addrspace(1) %x) {
  %n = call spir_func i32 @_Z22get_sub_group_local_idv()
  store volatile i32 %n, ptr addrspace(1) %x
  ret void
}
