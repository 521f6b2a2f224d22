; SPDX-License-Identifier: Apache-2.0
; What an operation may mean is told from the code as it was written: variables in memory, loops, calls.
; RUN: sl-opt -O0 -uses -stage=none
; CHECK: ; kernel closed reads d: 1 for sure
; CHECK-NOT: kernel closed
; CHECK: ; kernel column writes c: 0 4 8{{$}}
; CHECK: ; kernel corner writes c: 0 5 10{{$}}
; CHECK: ; kernel counted writes d: 2 3 4 5 6 for sure
; CHECK: ; kernel either writes d: 1 6{{$}}
; CHECK: ; kernel helped writes d: 0 1 2 3{{$}}
; CHECK: ; kernel row writes c: 4 5 6 7{{$}}
; CHECK: ; kernel tabled writes d: 2 5 7{{$}}
; CHECK: ; kernel twice writes d: 0 1 2 3 4 5 6 7{{$}}
; CHECK: ; kernel unknown reads d: 0 1 2 3 4 5 6 7{{$}}
; CHECK: ; kernel walked writes d: 0 1 2 3 4 5 6 7{{$}}
target triple = "spir64-unknown-unknown"
@c = external addrspace(2) global [3 x [4 x [1 x i32]]]
@d = external addrspace(2) global [8 x [1 x i32]]
@table = internal addrspace(2) constant [4 x i32] [i32 5, i32 2, i32 7, i32 5]
declare void @__sl_pipe_read(ptr addrspace(2), ptr addrspace(4), i32, i32)
declare void @__sl_pipe_write(ptr addrspace(2), ptr addrspace(4), i32, i32)

define internal i32 @low_bits(i32 %i) {
  %low = and i32 %i, 3
  ret i32 %low
}
define spir_kernel void @row(ptr addrspace(4) %p, i32 %n) {
  %variable = alloca i32
  %low = and i32 %n, 3
  store i32 %low, ptr %variable
  %index = load i32, ptr %variable
  %wide = sext i32 %index to i64
  %row = getelementptr inbounds [3 x [4 x [1 x i32]]], ptr addrspace(2) @c, i64 0, i64 1
  %at = getelementptr inbounds [4 x [1 x i32]], ptr addrspace(2) %row, i64 0, i64 %wide
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @column(ptr addrspace(4) %p, i64 %n) {
  %at = getelementptr inbounds [3 x [4 x [1 x i32]]], ptr addrspace(2) @c, i64 0, i64 %n, i64 0
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
; The same index in both dimensions.
define spir_kernel void @corner(ptr addrspace(4) %p, i64 %n) {
  %i = urem i64 %n, 3
  %row = getelementptr inbounds [3 x [4 x [1 x i32]]], ptr addrspace(2) @c, i64 0, i64 %i
  %at = getelementptr inbounds [4 x [1 x i32]], ptr addrspace(2) %row, i64 0, i64 %i
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @counted(ptr addrspace(4) %p) {
entry:
  br label %head
head:
  %i = phi i32 [ 2, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, 7
  br i1 %more, label %body, label %end
body:
  %wide = sext i32 %i to i64
  %at = getelementptr inbounds [8 x [1 x i32]], ptr addrspace(2) @d, i64 0, i64 %wide
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  %next = add nsw i32 %i, 1
  br label %head
end:
  ret void
}
; "n == 1 || n == 6"
define spir_kernel void @either(ptr addrspace(4) %p, i32 %n) {
  %one = icmp eq i32 %n, 1
  br i1 %one, label %then, label %or
or:
  %six = icmp eq i32 %n, 6
  br i1 %six, label %then, label %end
then:
  %wide = sext i32 %n to i64
  %at = getelementptr inbounds [8 x [1 x i32]], ptr addrspace(2) @d, i64 0, i64 %wide
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  br label %end
end:
  ret void
}
define spir_kernel void @helped(ptr addrspace(4) %p, i32 %n) {
  %low = call i32 @low_bits(i32 %n)
  %wide = sext i32 %low to i64
  %at = getelementptr inbounds [8 x [1 x i32]], ptr addrspace(2) @d, i64 0, i64 %wide
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @tabled(ptr addrspace(4) %p, i64 %n) {
  %low = and i64 %n, 3
  %entry = getelementptr inbounds [4 x i32], ptr addrspace(2) @table, i64 0, i64 %low
  %index = load i32, ptr addrspace(2) %entry
  %wide = sext i32 %index to i64
  %at = getelementptr inbounds [8 x [1 x i32]], ptr addrspace(2) @d, i64 0, i64 %wide
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
define spir_kernel void @unknown(ptr addrspace(4) %p, i64 %n) {
  %at = getelementptr inbounds [8 x [1 x i32]], ptr addrspace(2) @d, i64 0, i64 %n
  call void @__sl_pipe_read(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
; No launch comes to the second one.
define spir_kernel void @closed(ptr addrspace(4) %p) {
  %which = alloca i32
  store i32 1, ptr %which
  %now = load i32, ptr %which
  %first = icmp eq i32 %now, 1
  br i1 %first, label %a, label %b
a:
  call void @__sl_pipe_read(ptr addrspace(2) getelementptr ([8 x [1 x i32]], ptr addrspace(2) @d, i64 0, i64 1), ptr addrspace(4) %p, i32 4, i32 4)
  ret void
b:
  call void @__sl_pipe_read(ptr addrspace(2) getelementptr ([8 x [1 x i32]], ptr addrspace(2) @d, i64 0, i64 2), ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
; The element is a pointer that goes on by one in each round.
define spir_kernel void @walked(ptr addrspace(4) %p, i1 %more) {
entry:
  br label %loop
loop:
  %at = phi ptr addrspace(2) [ @d, %entry ], [ %next, %loop ]
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  %next = getelementptr inbounds [1 x i32], ptr addrspace(2) %at, i64 1
  br i1 %more, label %loop, label %end
end:
  ret void
}
; The same choice as it is, or the one behind it.
define spir_kernel void @twice(ptr addrspace(4) %p, i1 %a, i1 %b) {
entry:
  br i1 %a, label %other, label %meet
other:
  br label %meet
meet:
  %one = phi ptr addrspace(2) [ @d, %entry ], [ getelementptr ([8 x [1 x i32]], ptr addrspace(2) @d, i64 0, i64 2), %other ]
  %behind = getelementptr inbounds [1 x i32], ptr addrspace(2) %one, i64 1
  %at = select i1 %b, ptr addrspace(2) %one, ptr addrspace(2) %behind
  call void @__sl_pipe_write(ptr addrspace(2) %at, ptr addrspace(4) %p, i32 4, i32 4)
  ret void
}
!sl.pipes = !{!0, !1}
!0 = !{!"c", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 1, i32 2, i32 3, i32 4}
!1 = !{!"d", !"channel", i32 4, i32 4, i32 0, i32 0, !"", !"int", !"a.cl", i32 2, i32 1, i32 8}
