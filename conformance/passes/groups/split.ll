; SPDX-License-Identifier: Apache-2.0
; A step behind a barrier in which items below a limit do this and the others that: where masks cost,
; the vectors before the limit and those behind it know which, and only the one it lies in asks.
; RUN: sl-opt -uniform -mcpu=x86-64-v3 -passes=default<O2>
; CHECK-LABEL: @scan.kernel(
; CHECK: br i1 {{.*}}, label %behind{{.*}}, label %x
; CHECK: load <8 x i32>
; CHECK-NEXT: store <8 x i32>
; CHECK: icmp sge <8 x i32>
; CHECK: call <8 x i32> @llvm.masked.load
; CHECK-NEXT: add <8 x i32>
; CHECK-NOT: masked
; CHECK-NOT: icmp {{.*}} <8 x i32>
; CHECK: add <8 x i32>
; CHECK-NEXT: store <8 x i32>
; CHECK: shl i32
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @scan(ptr addrspace(3) align 4 %s, ptr addrspace(3) align 4 %t, i32 %n) !reqd_work_group_size !0 {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %id to i32
  call spir_func void @_Z7barrierj(i32 1)
  br label %step
step:
  %d = phi i32 [ 1, %entry ], [ %twice, %next ]
  %ps = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %id
  %pt = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %id
  %below = icmp slt i32 %l, %d
  br i1 %below, label %copy, label %add
copy:
  %a = load i32, ptr addrspace(3) %ps, align 4
  store i32 %a, ptr addrspace(3) %pt, align 4
  br label %next
add:
  %b = load i32, ptr addrspace(3) %ps, align 4
  %at = sub nsw i32 %l, %d
  %far = sext i32 %at to i64
  %pf = getelementptr inbounds i32, ptr addrspace(3) %s, i64 %far
  %c = load i32, ptr addrspace(3) %pf, align 4
  %sum = add i32 %b, %c
  store i32 %sum, ptr addrspace(3) %pt, align 4
  br label %next
next:
  call spir_func void @_Z7barrierj(i32 1)
  %twice = shl i32 %d, 1
  %more = icmp slt i32 %twice, %n
  br i1 %more, label %step, label %end
end:
  ret void
}
!0 = !{i32 256, i32 1, i32 1}
