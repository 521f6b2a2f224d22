; SPDX-License-Identifier: Apache-2.0
; Rounds of a loop that asks to be unrolled and whose conditions data decide, of a kernel of one item: it stays a loop,
; of which lanes come to be, as many as a register has words. It is unrolled where its counter decides, and where a
; round hands on what the next one needs.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
target triple = "spir64-unknown-unknown"

; CHECK-LABEL: define {{.*}}@data(
; CHECK: icmp slt i64
; CHECK: store i32
; CHECK-NOT: store i32
; CHECK: icmp {{.*}}, 16
; CHECK: ret void
define spir_kernel void @data(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n, i32 %most) {
entry:
  br label %rows
rows:
  %x = phi i32 [ 0, %entry ], [ %x.next, %rows.end ]
  br label %round
round:
  %i = phi i32 [ 0, %rows ], [ %next, %round.end ]
  %at = add nsw i32 %x, %i
  %inside = icmp slt i32 %at, %most
  br i1 %inside, label %does, label %round.end
does:
  %place = sext i32 %at to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %place
  %v = load i32, ptr addrspace(1) %p
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %place
  store i32 %v, ptr addrspace(1) %o
  br label %round.end
round.end:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 16
  br i1 %more, label %round, label %rows.end, !llvm.loop !0
rows.end:
  %x.next = add nsw i32 %x, 16
  %again = icmp slt i32 %x.next, %n
  br i1 %again, label %rows, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@counter(
; CHECK: store i32
; CHECK: store i32
; CHECK: store i32
; CHECK: ret void
define spir_kernel void @counter(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n, i32 %most) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round.end ]
  %inside = icmp slt i32 %i, 3
  br i1 %inside, label %does, label %round.end
does:
  %place = sext i32 %i to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %place
  %v = load i32, ptr addrspace(1) %p
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %place
  store i32 %v, ptr addrspace(1) %o
  br label %round.end
round.end:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 8
  br i1 %more, label %round, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@handed(
; CHECK-COUNT-8: store i32
; CHECK: ret void
define spir_kernel void @handed(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i32 %n, i32 %most) {
entry:
  br label %round
round:
  %i = phi i32 [ 0, %entry ], [ %next, %round.end ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %round.end ]
  %at = add nsw i32 %n, %i
  %place = sext i32 %at to i64
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %place
  %v = load i32, ptr addrspace(1) %p
  %s.next = add i32 %s, %v
  %inside = icmp slt i32 %at, %most
  br i1 %inside, label %does, label %round.end
does:
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %place
  store i32 %s, ptr addrspace(1) %o
  br label %round.end
round.end:
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 8
  br i1 %more, label %round, label %end, !llvm.loop !0
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
