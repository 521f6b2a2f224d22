; SPDX-License-Identifier: Apache-2.0
; A struct passed by value lies in the argument block, which all items share. One that a kernel writes to,
; or whose address goes where it may be written through, is copied for the item; one that is only read,
; also by copying from it, is not: loads of it are the same at any time.
; RUN: sl-opt -stage=argument_copy
target triple = "spir64-unknown-unknown"
%s = type { i32, [3 x i32] }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; CHECK-LABEL: define {{.*}}@writes(
; CHECK: %copy = alloca %s, align 8
; CHECK-NEXT: call void @llvm.memcpy{{.*}}(ptr align 8 %copy, ptr align 8 %a, i64 16, i1 false)
; CHECK: %p = getelementptr i8, ptr %copy, i64 %i
; CHECK: load i32, ptr %copy
define spir_kernel void @writes(ptr byval(%s) align 8 %a, i64 %i) {
  %p = getelementptr i8, ptr %a, i64 %i
  store i32 7, ptr %p
  %v = load i32, ptr %a
  store i32 %v, ptr %p
  ret void
}

; The second operand of a store is not the same as the first.
; CHECK-LABEL: define {{.*}}@leaks(
; CHECK: %copy = alloca
define spir_kernel void @leaks(ptr byval(%s) align 8 %a, ptr addrspace(1) %x) {
  store ptr %a, ptr addrspace(1) %x
  ret void
}

; Through a loop's pointer.
; CHECK-LABEL: define {{.*}}@walks(
; CHECK: %copy = alloca
define spir_kernel void @walks(ptr byval(%s) align 8 %a, i32 %n) {
entry:
  br label %loop
loop:
  %p = phi ptr [ %a, %entry ], [ %next, %loop ]
  %next = getelementptr i32, ptr %p, i64 1
  %end = icmp eq ptr %next, null
  store i32 %n, ptr %p
  br i1 %end, label %out, label %loop
out:
  ret void
}

; CHECK-LABEL: define {{.*}}@reads(
; CHECK-NOT: %copy
; CHECK: load i32, ptr %p, align 4, !invariant.load
; CHECK-NOT: %copy
; CHECK: ret void
define spir_kernel void @reads(ptr byval(%s) align 8 %a, ptr addrspace(1) %x, i64 %i) {
  %own = alloca %s
  %p = getelementptr i32, ptr %a, i64 %i
  %v = load i32, ptr %p
  store i32 %v, ptr addrspace(1) %x
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %a, i64 16, i1 false)
  store i32 1, ptr %own
  ret void
}
