; SPDX-License-Identifier: Apache-2.0
; A loop that waits for memory to change lets other kernels run where it goes back, if its kernel shares
; the thread with them. A loop that comes by a pipe does so there, and one that only computes ends by
; itself, except in an autorun kernel without pipes, which could not be stopped otherwise.
; RUN: sl-opt -stage=spin_yield
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global i32
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)

; CHECK-LABEL: define {{.*}}@waits(
; CHECK: spin:
; CHECK: call void @sl.pipe.yield()
; CHECK-NEXT: br i1 %go
; CHECK: computes:
; CHECK-NOT: yield
; CHECK: loops:
; CHECK: call {{.*}}@sl.pipe.read
; CHECK-NOT: yield
; CHECK: ret void
define spir_kernel void @waits(ptr addrspace(1) %flag, ptr addrspace(4) %p) {
  br label %spin
spin:
  %now = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %go = icmp eq i32 %now, 0
  br i1 %go, label %spin, label %computes
computes:
  %x = load i32, ptr addrspace(1) %flag
  %more = icmp eq i32 %x, 7
  br i1 %more, label %computes, label %loops
loops:
  %y = load volatile i32, ptr addrspace(1) %flag
  br label %moves
moves:
  call void @__sl_pipe_read(ptr addrspace(2) @c, ptr addrspace(4) %p, i32 4, i32 4)
  %again = icmp eq i32 %y, 7
  br i1 %again, label %loops, label %end
end:
  ret void
}

; The thread is its own.
; CHECK-LABEL: define {{.*}}@alone(
; CHECK-NOT: yield
; CHECK: ret void
define spir_kernel void @alone(ptr addrspace(1) %flag) {
  br label %spin
spin:
  %now = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %go = icmp eq i32 %now, 0
  br i1 %go, label %spin, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@clock(
; CHECK: call void @sl.pipe.yield()
; CHECK-NEXT: br label %for.ever
define spir_kernel void @clock() #0 {
  br label %for.ever
for.ever:
  br label %for.ever
}
!sl.pipes = !{!0}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
attributes #0 = { "sl-autorun" }
