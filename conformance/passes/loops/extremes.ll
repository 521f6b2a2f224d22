; SPDX-License-Identifier: Apache-2.0
; Of several numbers whose extreme is taken the one that the last round made is compared last, whatever
; order the source has.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=simplify
target triple = "spir64-unknown-unknown"

declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.umin.i32(i32, i32)

; CHECK-LABEL: define {{.*}}@inner(
; CHECK: [[BEFORE:%.*]] = phi i32
; CHECK: [[LESS:%.*]] = sub i32 [[BEFORE]], %gap
; CHECK: [[OTHERS:%.*]] = call i32 @llvm.smax.i32(i32 {{.*}}, i32 {{.*}})
; CHECK: call i32 @llvm.smax.i32(i32 {{(%.*, i32 )?}}[[OTHERS]]{{.*}})
define spir_kernel void @inner(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i32 %gap, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = phi i32 [ 0, %entry ], [ %best, %loop ]
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %pa
  %pb = getelementptr i32, ptr addrspace(1) %b, i64 %i
  %y = load i32, ptr addrspace(1) %pb
  %less = sub i32 %before, %gap
  %one = call i32 @llvm.smax.i32(i32 %x, i32 %less)
  %best = call i32 @llvm.smax.i32(i32 %one, i32 %y)
  %pc = getelementptr i32, ptr addrspace(1) %c, i64 %i
  store i32 %best, ptr addrspace(1) %pc
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; The last round's number is in memory: it comes in a register, and is compared last.
; CHECK-LABEL: define {{.*}}@table(
; CHECK: [[BEFORE:%.*]] = phi i32
; CHECK: [[LESS:%.*]] = sub i32 [[BEFORE]], %gap
; CHECK: [[OTHERS:%.*]] = call i32 @llvm.smax.i32(i32 {{.*}}, i32 {{.*}})
; CHECK: call i32 @llvm.smax.i32(i32 {{.*}}, i32 [[LESS]])
define spir_kernel void @table(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %c, i32 %gap, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %j = add nsw i64 %i, -1
  %pb = getelementptr inbounds i32, ptr addrspace(1) %c, i64 %j
  %before = load i32, ptr addrspace(1) %pb
  %pa = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %pa
  %py = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %j
  %y = load i32, ptr addrspace(1) %py
  %less = sub i32 %before, %gap
  %one = call i32 @llvm.smax.i32(i32 %x, i32 %less)
  %best = call i32 @llvm.smax.i32(i32 %one, i32 %y)
  %pc = getelementptr inbounds i32, ptr addrspace(1) %c, i64 %i
  store i32 %best, ptr addrspace(1) %pc
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Others than the extreme itself look at what was compared first: the order stays.
; CHECK-LABEL: define {{.*}}@seen(
; CHECK: [[KEPT:%.*]] = phi i32
; CHECK: [[MORE:%.*]] = add i32 [[KEPT]], %step
; CHECK: [[FIRST:%.*]] = call i32 @llvm.umin.i32(i32 {{.*}}[[MORE]]{{.*}})
; CHECK: call i32 @llvm.umin.i32(i32 {{.*}}[[FIRST]]{{.*}})
define spir_kernel void @seen(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, ptr addrspace(1) noalias %d, i32 %step, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %before = phi i32 [ 0, %entry ], [ %least, %loop ]
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %i
  %x = load i32, ptr addrspace(1) %pa
  %pb = getelementptr i32, ptr addrspace(1) %b, i64 %i
  %y = load i32, ptr addrspace(1) %pb
  %more.of.it = add i32 %before, %step
  %one = call i32 @llvm.umin.i32(i32 %x, i32 %more.of.it)
  %least = call i32 @llvm.umin.i32(i32 %one, i32 %y)
  %pc = getelementptr i32, ptr addrspace(1) %c, i64 %i
  store i32 %least, ptr addrspace(1) %pc
  %pd = getelementptr i32, ptr addrspace(1) %d, i64 %i
  store i32 %one, ptr addrspace(1) %pd
  %next = add nuw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
