; SPDX-License-Identifier: Apache-2.0
; A reservation that the whole work-group makes: all items meet, the first of them makes the call, and
; they meet again to learn of the outcome through local memory. Nobody waits for that of a commit. A task
; has one item, and just makes the call.
; RUN: sl-opt -stage=pipe_resolve
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global i32
@d = external addrspace(2) global i32
declare i64 @__sl_work_group_reserve_write_pipe(ptr addrspace(2), i32, i32, i32)
declare void @__sl_work_group_commit_write_pipe(ptr addrspace(2), i64, i32, i32)

; CHECK-LABEL: define {{.*}}@group(
; CHECK: call void @sl.barrier()
; CHECK: %[[ANY:.*]] = or i64
; CHECK: %[[ALL:.*]] = or i64 %[[ANY]], %{{.*}}
; CHECK: %[[FIRST:.*]] = icmp eq i64 %[[ALL]], 0
; CHECK-NEXT: br i1 %[[FIRST]], label %[[ONCE:.*]], label %[[REST:.*]]
; CHECK: [[ONCE]]:
; CHECK-NEXT: %[[ID:.*]] = call i64 @sl.pipe.reserve(
; CHECK-NEXT: store i64 %[[ID]], ptr addrspace(3) @[[ROOM:[^,]*]],
; CHECK-NEXT: br label %[[REST]]
; CHECK: [[REST]]:
; CHECK-NEXT: call void @sl.barrier()
; CHECK-NEXT: %[[HIS:.*]] = load i64, ptr addrspace(3) @[[ROOM]]
; CHECK-NEXT: store i64 %[[HIS]], ptr addrspace(1) %x
; CHECK-NEXT: call void @sl.barrier()
; CHECK: br i1
; CHECK: call void @sl.pipe.commit({{.*}}, i64 %[[HIS]],
; CHECK-NOT: call void @sl.barrier
; CHECK: ret void
define spir_kernel void @group(ptr addrspace(1) %x, i32 %n) {
  %id = call i64 @__sl_work_group_reserve_write_pipe(ptr addrspace(2) @c, i32 %n, i32 4, i32 4)
  store i64 %id, ptr addrspace(1) %x
  call void @__sl_work_group_commit_write_pipe(ptr addrspace(2) @c, i64 %id, i32 4, i32 4)
  ret void
}
; CHECK-LABEL: define {{.*}}@task(
; CHECK-NEXT: %[[ID:.*]] = call i64 @sl.pipe.reserve(
; CHECK-NEXT: store i64 %[[ID]], ptr addrspace(1) %x
; CHECK-NEXT: ret void
define spir_kernel void @task(ptr addrspace(1) %x, i32 %n) #0 {
  %id = call i64 @__sl_work_group_reserve_write_pipe(ptr addrspace(2) @d, i32 %n, i32 4, i32 4)
  store i64 %id, ptr addrspace(1) %x
  ret void
}
attributes #0 = { "sl-max-global-work-dim"="0" }
!sl.pipes = !{!0, !1}
!0 = !{!"c", !"pipe", i32 4, i32 4, i32 64, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
!1 = !{!"d", !"pipe", i32 4, i32 4, i32 64, i32 0, !"", !"int", !"a.cl", i32 2, i32 0}
