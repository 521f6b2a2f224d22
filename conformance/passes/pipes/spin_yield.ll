; SPDX-License-Identifier: Apache-2.0
; A loop that waits for memory to change lets other kernels run where it goes back, if its kernel shares
; the thread with them. A loop that comes by a pipe does so there, and one that only computes ends by
; itself, except in an autorun kernel without pipes, which could not be stopped otherwise.
; RUN: sl-opt -stage=spin_yield
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global i32
@c1 = external addrspace(2) global i32
@c2 = external addrspace(2) global i32
@c3 = external addrspace(2) global i32
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

; The pipe is not on each way round: "while (more) if (exchange(flag)) read(c);"
; CHECK-LABEL: define {{.*}}@sometimes(
; CHECK: moves:
; CHECK: call {{.*}}@sl.pipe.read
; CHECK-NOT: yield
; CHECK: back:
; CHECK: call void @sl.pipe.yield()
; CHECK-NEXT: br i1
; CHECK-NOT: yield
; CHECK: ret void
define spir_kernel void @sometimes(ptr addrspace(1) %flag, ptr addrspace(4) %p, i1 %more) {
  br label %spin
spin:
  %now = atomicrmw xchg ptr addrspace(1) %flag, i32 0 monotonic, align 4
  %there = icmp ne i32 %now, 0
  br i1 %there, label %moves, label %back
moves:
  call void @__sl_pipe_read(ptr addrspace(2) @c1, ptr addrspace(4) %p, i32 4, i32 4)
  br label %back
back:
  br i1 %more, label %spin, label %end
end:
  ret void
}

; Two ways back: only the one without a pipe. What that one does not watch ends by itself.
; CHECK-LABEL: define {{.*}}@two_latches(
; CHECK: moves:
; CHECK: call {{.*}}@sl.pipe.read
; CHECK-NOT: yield
; CHECK: misses:
; CHECK: call void @sl.pipe.yield()
; CHECK-NEXT: br label %spin
; CHECK: computes:
; CHECK-NOT: yield
; CHECK: ret void
define spir_kernel void @two_latches(ptr addrspace(1) %flag, ptr addrspace(4) %p, i1 %more) {
  br label %spin
spin:
  %now = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  %there = icmp ne i32 %now, 0
  br i1 %there, label %moves, label %misses
moves:
  call void @__sl_pipe_read(ptr addrspace(2) @c2, ptr addrspace(4) %p, i32 4, i32 4)
  br i1 %more, label %spin, label %computes
misses:
  br label %spin
computes:
  br i1 %more, label %watches, label %counts
watches:
  %then = load atomic i32, ptr addrspace(1) %flag monotonic, align 4
  call void @__sl_pipe_read(ptr addrspace(2) @c2, ptr addrspace(4) %p, i32 4, i32 4)
  br label %next
counts:
  br label %next
next:
  br i1 %more, label %computes, label %end
end:
  ret void
}

; A pipe in a loop inside that may have no round.
; CHECK-LABEL: define {{.*}}@inner(
; CHECK: moves:
; CHECK-NOT: yield
; CHECK: back:
; CHECK: call void @sl.pipe.yield()
; CHECK-NEXT: br i1
; CHECK: ret void
define spir_kernel void @inner(ptr addrspace(1) %flag, ptr addrspace(4) %p, i1 %more) {
  br label %spin
spin:
  %now = load volatile i32, ptr addrspace(1) %flag
  br label %head
head:
  %i = phi i32 [ 0, %spin ], [ %next, %moves ]
  %some = icmp ult i32 %i, %now
  br i1 %some, label %moves, label %back
moves:
  call void @__sl_pipe_read(ptr addrspace(2) @c3, ptr addrspace(4) %p, i32 4, i32 4)
  %next = add i32 %i, 1
  br label %head
back:
  br i1 %more, label %spin, label %end
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
!sl.pipes = !{!0, !1, !2, !3}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
!1 = !{!"c1", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
!2 = !{!"c2", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
!3 = !{!"c3", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 0}
attributes #0 = { "sl-autorun" }
