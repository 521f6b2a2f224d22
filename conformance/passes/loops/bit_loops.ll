; SPDX-License-Identifier: Apache-2.0
; A loop that counts bits is one instruction; one that fills memory stays a loop.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @bits(
; CHECK-NOT: phi
; CHECK: call {{.*}}i32 @llvm.ctpop.i32(
; CHECK-NOT: br i1
; CHECK: ret void
; CHECK-LABEL: @fill(
; CHECK-NOT: @llvm.memset
; CHECK: phi i64
; CHECK: store i32 0
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @bits(ptr addrspace(1) %y, ptr addrspace(1) %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %px, align 4
  %none = icmp eq i32 %v, 0
  br i1 %none, label %end, label %next
next:
  %b = phi i32 [ %v, %entry ], [ %rest, %next ]
  %n = phi i32 [ 0, %entry ], [ %n1, %next ]
  %less = add i32 %b, -1
  %rest = and i32 %b, %less
  %n1 = add i32 %n, 1
  %over = icmp eq i32 %rest, 0
  br i1 %over, label %end, label %next
end:
  %sum = phi i32 [ 0, %entry ], [ %n1, %next ]
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  store i32 %sum, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @fill(ptr addrspace(1) %y, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %first = mul i64 %id, %n
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %first
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %p = getelementptr inbounds i32, ptr addrspace(1) %py, i64 %k
  store i32 0, ptr addrspace(1) %p, align 4
  %k1 = add nuw i64 %k, 1
  %over = icmp uge i64 %k1, %n
  br i1 %over, label %end, label %next
end:
  ret void
}
