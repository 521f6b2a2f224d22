; SPDX-License-Identifier: Apache-2.0
; Items in turn between barriers, of which only those below a limit do anything: the others are not
; gone through, although each of them sets the limit of the next round. The last one tells.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)

; CHECK-LABEL: define dso_local void @sweep.kernel
; CHECK: call i64 @llvm.umin.i64
; CHECK: some{{.*}}:
; CHECK-NOT: icmp slt <8 x i
; CHECK: call void @llvm.masked.scatter{{.*}}<8 x i1> splat (i1 true)
; CHECK: behind{{.*}}:
; CHECK: store float
; CHECK: ret void
define spir_kernel void @sweep(ptr addrspace(3) align 4 %t, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %id to i32
  %l2 = shl i32 %l, 1
  %odd = or i32 %l2, 1
  %even = add i32 %l2, 2
  br label %head
head:
  %d = phi i32 [ %n, %entry ], [ %half, %next ]
  %off = phi i32 [ 1, %entry ], [ %twice, %next ]
  call spir_func void @_Z7barrierj(i32 1)
  %mine = icmp slt i32 %l, %d
  br i1 %mine, label %add, label %next
add:
  %i = mul i32 %off, %odd
  %j = mul i32 %off, %even
  %ia = sext i32 %i to i64
  %ja = sext i32 %j to i64
  %pi = getelementptr float, ptr addrspace(3) %t, i64 %ia
  %pj = getelementptr float, ptr addrspace(3) %t, i64 %ja
  %vi = load float, ptr addrspace(3) %pi, align 4
  %vj = load float, ptr addrspace(3) %pj, align 4
  %sum = fadd float %vi, %vj
  store float %sum, ptr addrspace(3) %pj, align 4
  br label %next
next:
  %half = lshr i32 %d, 1
  %twice = shl i32 %off, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %head, label %end
end:
  ret void
}
