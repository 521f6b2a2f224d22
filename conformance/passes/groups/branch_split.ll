; SPDX-License-Identifier: Apache-2.0
; Which way a group goes behind a barrier is decided once: the loops over its items have no branch on
; it, whether or not they begin with a guard.
; RUN: sl-opt -uniform -mcpu=x86-64-v4 -stage=branch_split
; CHECK-LABEL: @ring(
; CHECK: preds = %next
; CHECK-NEXT: call {{.*}}@sl.barrier
; CHECK-NEXT: br label %next
; CHECK: next:
; CHECK: call {{.*}}@sl.barrier
; CHECK: store float
; CHECK-NEXT: call {{.*}}@sl.barrier
; CHECK-NEXT: icmp
; CHECK-NEXT: br i1 %{{.*}}, label %end
; CHECK: end:
; CHECK-NEXT: call {{.*}}@sl.barrier
; CHECK: ret void
; So is it in front of a loop that may not run at all, where the way in computes what is the same for
; all: one region of the loop's steps, from wherever one comes.
; CHECK-LABEL: @steps(
; CHECK: store float
; CHECK-NEXT: call {{.*}}@sl.barrier
; CHECK: in:
; CHECK-NEXT: trunc
; CHECK-NEXT: br label %step
; CHECK: step:
; CHECK-NEXT: phi
; CHECK-NEXT: call {{.*}}@sl.barrier
; CHECK-NEXT: icmp
; CHECK: preds = %some, %step
; CHECK-NEXT: call {{.*}}@sl.barrier
; CHECK-NEXT: lshr
; CHECK-NEXT: icmp
; CHECK-NEXT: br i1
; CHECK: ret void
; Of barriers in branches that follow each other, each would have a copy of all that comes behind it:
; from the second on, the ways meet at a split point. Not where items differ.
; CHECK-LABEL: @chain(
; CHECK: first:
; CHECK-NEXT: and
; CHECK: second:
; CHECK-NEXT: call {{.*}}@sl.barrier
; CHECK-NEXT: and
; CHECK: third:
; CHECK-NEXT: call {{.*}}@sl.barrier
; CHECK: store float
; CHECK-NEXT: ret void
; CHECK-LABEL: @early(
; CHECK: first:
; CHECK-NEXT: and
; CHECK: second:
; CHECK-NEXT: and
; CHECK: third:
; CHECK-NEXT: getelementptr
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @ring(ptr addrspace(1) align 4 %c, ptr addrspace(3) align 4 %t, i64 %n) !reqd_work_group_size !0 {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %l
  %far = sub i64 63, %l
  %pf = getelementptr inbounds float, ptr addrspace(3) %t, i64 %far
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %a = load float, ptr addrspace(3) %pf, align 4
  %k1 = add i64 %k, 1
  call spir_func void @_Z7barrierj(i32 1)
  store float %a, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %l
  %b = load float, ptr addrspace(3) %pt, align 4
  store float %b, ptr addrspace(1) %pc, align 4
  ret void
}
define spir_kernel void @steps(ptr addrspace(1) align 4 %c, ptr addrspace(3) align 4 %t, i64 %n) !reqd_work_group_size !0 {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %low = trunc i64 %l to i32
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %l
  store float 1.0, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %half = lshr i64 %n, 1
  %none = icmp eq i64 %half, 0
  br i1 %none, label %end, label %in
in:
  %first = trunc i64 %half to i32
  br label %step
step:
  %s = phi i32 [ %first, %in ], [ %next, %behind ]
  %runs = icmp ult i32 %low, %s
  br i1 %runs, label %some, label %behind
some:
  %far = add nuw i32 %low, %s
  %wide = zext i32 %far to i64
  %pf = getelementptr inbounds float, ptr addrspace(3) %t, i64 %wide
  %a = load float, ptr addrspace(3) %pf, align 4
  %b = load float, ptr addrspace(3) %pt, align 4
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(3) %pt, align 4
  br label %behind
behind:
  call spir_func void @_Z7barrierj(i32 1)
  %next = lshr i32 %s, 1
  %over = icmp eq i32 %next, 0
  br i1 %over, label %end, label %step
end:
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %l
  %r = load float, ptr addrspace(3) %pt, align 4
  store float %r, ptr addrspace(1) %pc, align 4
  ret void
}
define spir_kernel void @chain(ptr addrspace(1) align 4 %c, ptr addrspace(3) align 4 %t, i64 %n) !reqd_work_group_size !0 {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %l
  %far = sub i64 63, %l
  %pf = getelementptr inbounds float, ptr addrspace(3) %t, i64 %far
  %b0 = and i64 %n, 1
  %c0 = icmp eq i64 %b0, 0
  br i1 %c0, label %first, label %in0
in0:
  %a0 = load float, ptr addrspace(3) %pf, align 4
  call spir_func void @_Z7barrierj(i32 1)
  store float %a0, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  br label %first
first:
  %b1 = and i64 %n, 2
  %c1 = icmp eq i64 %b1, 0
  br i1 %c1, label %second, label %in1
in1:
  %a1 = load float, ptr addrspace(3) %pf, align 4
  call spir_func void @_Z7barrierj(i32 1)
  store float %a1, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  br label %second
second:
  %b2 = and i64 %n, 4
  %c2 = icmp eq i64 %b2, 0
  br i1 %c2, label %third, label %in2
in2:
  %a2 = load float, ptr addrspace(3) %pf, align 4
  call spir_func void @_Z7barrierj(i32 1)
  store float %a2, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  br label %third
third:
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %l
  %r = load float, ptr addrspace(3) %pt, align 4
  store float %r, ptr addrspace(1) %pc, align 4
  ret void
}
define spir_kernel void @early(ptr addrspace(1) align 4 %c, ptr addrspace(3) align 4 %t, i64 %n) !reqd_work_group_size !0 {
entry:
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pt = getelementptr inbounds float, ptr addrspace(3) %t, i64 %l
  %far = sub i64 63, %l
  %pf = getelementptr inbounds float, ptr addrspace(3) %t, i64 %far
  %left = icmp ugt i64 %l, %n
  br i1 %left, label %out, label %start
start:
  %b0 = and i64 %n, 1
  %c0 = icmp eq i64 %b0, 0
  br i1 %c0, label %first, label %in0
in0:
  %a0 = load float, ptr addrspace(3) %pf, align 4
  call spir_func void @_Z7barrierj(i32 1)
  store float %a0, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  br label %first
first:
  %b1 = and i64 %n, 2
  %c1 = icmp eq i64 %b1, 0
  br i1 %c1, label %second, label %in1
in1:
  %a1 = load float, ptr addrspace(3) %pf, align 4
  call spir_func void @_Z7barrierj(i32 1)
  store float %a1, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  br label %second
second:
  %b2 = and i64 %n, 4
  %c2 = icmp eq i64 %b2, 0
  br i1 %c2, label %third, label %in2
in2:
  %a2 = load float, ptr addrspace(3) %pf, align 4
  call spir_func void @_Z7barrierj(i32 1)
  store float %a2, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  br label %third
third:
  %pc = getelementptr inbounds float, ptr addrspace(1) %c, i64 %l
  %r = load float, ptr addrspace(3) %pt, align 4
  store float %r, ptr addrspace(1) %pc, align 4
  br label %out
out:
  ret void
}
!0 = !{i32 64, i32 1, i32 1}
