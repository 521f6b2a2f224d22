; SPDX-License-Identifier: Apache-2.0
; An item's sums that are stored side by side, of what lies side by side, are vectors where registers are few. Not
; where all items add up the same, an element is asked for elsewhere, or something is stored between.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=simplify
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}}@joined(
; CHECK: phi <4 x float> [ <float 0.000000e+00, float 1.000000e+00, float 2.000000e+00, float 3.000000e+00>
; CHECK: load <4 x float>{{.*}} align 4
; CHECK: fmul <4 x float>
; CHECK: fadd <4 x float>
; CHECK: store <4 x float>{{.*}} align 4
; CHECK-NOT: store
define spir_kernel void @joined(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %g4 = shl i64 %g, 2
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %loop ]
  %s1 = phi float [ 1.0, %entry ], [ %t1, %loop ]
  %s2 = phi float [ 2.0, %entry ], [ %t2, %loop ]
  %s3 = phi float [ 3.0, %entry ], [ %t3, %loop ]
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %pa
  %row = mul i64 %i, %n
  %pr = getelementptr float, ptr addrspace(1) %b, i64 %row
  %b0 = getelementptr float, ptr addrspace(1) %pr, i64 %g4
  %b1 = getelementptr float, ptr addrspace(1) %b0, i64 1
  %b2 = getelementptr float, ptr addrspace(1) %b0, i64 2
  %b3 = getelementptr float, ptr addrspace(1) %b0, i64 3
  %y0 = load float, ptr addrspace(1) %b0
  %p0 = fmul float %x, %y0
  %t0 = fadd float %s0, %p0
  %y1 = load float, ptr addrspace(1) %b1
  %p1 = fmul float %x, %y1
  %t1 = fadd float %s1, %p1
  %y2 = load float, ptr addrspace(1) %b2
  %p2 = fmul float %x, %y2
  %t2 = fadd float %s2, %p2
  %y3 = load float, ptr addrspace(1) %b3
  %p3 = fmul float %x, %y3
  %t3 = fadd float %s3, %p3
  %next = add i64 %i, 1
  %done = icmp sge i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %c0 = getelementptr float, ptr addrspace(1) %c, i64 %g4
  %c1 = getelementptr float, ptr addrspace(1) %c0, i64 1
  %c2 = getelementptr float, ptr addrspace(1) %c0, i64 2
  %c3 = getelementptr float, ptr addrspace(1) %c0, i64 3
  store float %t0, ptr addrspace(1) %c0
  store float %t1, ptr addrspace(1) %c1
  store float %t2, ptr addrspace(1) %c2
  store float %t3, ptr addrspace(1) %c3
  ret void
}

; CHECK-LABEL: define {{.*}}@same(
; CHECK-NOT: <4 x float>
; CHECK: ret void
define spir_kernel void @same(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %g4 = shl i64 %g, 2
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %loop ]
  %s1 = phi float [ 1.0, %entry ], [ %t1, %loop ]
  %s2 = phi float [ 2.0, %entry ], [ %t2, %loop ]
  %s3 = phi float [ 3.0, %entry ], [ %t3, %loop ]
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %pa
  %row = mul i64 %i, %n
  %pr = getelementptr float, ptr addrspace(1) %b, i64 %row
  %b0 = getelementptr float, ptr addrspace(1) %pr, i64 %i
  %b1 = getelementptr float, ptr addrspace(1) %b0, i64 1
  %b2 = getelementptr float, ptr addrspace(1) %b0, i64 2
  %b3 = getelementptr float, ptr addrspace(1) %b0, i64 3
  %y0 = load float, ptr addrspace(1) %b0
  %p0 = fmul float %x, %y0
  %t0 = fadd float %s0, %p0
  %y1 = load float, ptr addrspace(1) %b1
  %p1 = fmul float %x, %y1
  %t1 = fadd float %s1, %p1
  %y2 = load float, ptr addrspace(1) %b2
  %p2 = fmul float %x, %y2
  %t2 = fadd float %s2, %p2
  %y3 = load float, ptr addrspace(1) %b3
  %p3 = fmul float %x, %y3
  %t3 = fadd float %s3, %p3
  %next = add i64 %i, 1
  %done = icmp sge i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %c0 = getelementptr float, ptr addrspace(1) %c, i64 %g4
  %c1 = getelementptr float, ptr addrspace(1) %c0, i64 1
  %c2 = getelementptr float, ptr addrspace(1) %c0, i64 2
  %c3 = getelementptr float, ptr addrspace(1) %c0, i64 3
  store float %t0, ptr addrspace(1) %c0
  store float %t1, ptr addrspace(1) %c1
  store float %t2, ptr addrspace(1) %c2
  store float %t3, ptr addrspace(1) %c3
  ret void
}

; CHECK-LABEL: define {{.*}}@elsewhere(
; CHECK-NOT: <4 x float>
; CHECK: ret void
define spir_kernel void @elsewhere(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %g4 = shl i64 %g, 2
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %loop ]
  %s1 = phi float [ 1.0, %entry ], [ %t1, %loop ]
  %s2 = phi float [ 2.0, %entry ], [ %t2, %loop ]
  %s3 = phi float [ 3.0, %entry ], [ %t3, %loop ]
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %pa
  %row = mul i64 %i, %n
  %pr = getelementptr float, ptr addrspace(1) %b, i64 %row
  %b0 = getelementptr float, ptr addrspace(1) %pr, i64 %g4
  %b1 = getelementptr float, ptr addrspace(1) %b0, i64 1
  %b2 = getelementptr float, ptr addrspace(1) %b0, i64 2
  %b3 = getelementptr float, ptr addrspace(1) %b0, i64 3
  %y0 = load float, ptr addrspace(1) %b0
  %p0 = fmul float %x, %y0
  %t0 = fadd float %s0, %p0
  %y1 = load float, ptr addrspace(1) %b1
  %p1 = fmul float %x, %y1
  %t1 = fadd float %s1, %p1
  %y2 = load float, ptr addrspace(1) %b2
  %p2 = fmul float %x, %y2
  %t2 = fadd float %s2, %p2
  %y3 = load float, ptr addrspace(1) %b3
  %p3 = fmul float %x, %y3
  %t3 = fadd float %s3, %p3
  %next = add i64 %i, 1
  %done = icmp sge i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %c0 = getelementptr float, ptr addrspace(1) %c, i64 %g4
  %c1 = getelementptr float, ptr addrspace(1) %c0, i64 1
  %c2 = getelementptr float, ptr addrspace(1) %c0, i64 2
  %c3 = getelementptr float, ptr addrspace(1) %c0, i64 3
  store float %t0, ptr addrspace(1) %c0
  store float %t1, ptr addrspace(1) %c1
  %d = getelementptr float, ptr addrspace(1) %a, i64 %g
  store float %y2, ptr addrspace(1) %d
  store float %t2, ptr addrspace(1) %c2
  store float %t3, ptr addrspace(1) %c3
  ret void
}

; CHECK-LABEL: define {{.*}}@between(
; CHECK-NOT: <4 x float>
; CHECK: ret void
define spir_kernel void @between(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i64 %n) {
entry:
  %g = call spir_func i64 @_Z13get_global_idj(i32 0)
  %g4 = shl i64 %g, 2
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %loop ]
  %s1 = phi float [ 1.0, %entry ], [ %t1, %loop ]
  %s2 = phi float [ 2.0, %entry ], [ %t2, %loop ]
  %s3 = phi float [ 3.0, %entry ], [ %t3, %loop ]
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %i
  %x = load float, ptr addrspace(1) %pa
  %row = mul i64 %i, %n
  %pr = getelementptr float, ptr addrspace(1) %b, i64 %row
  %b0 = getelementptr float, ptr addrspace(1) %pr, i64 %g4
  %b1 = getelementptr float, ptr addrspace(1) %b0, i64 1
  %b2 = getelementptr float, ptr addrspace(1) %b0, i64 2
  %b3 = getelementptr float, ptr addrspace(1) %b0, i64 3
  %y0 = load float, ptr addrspace(1) %b0
  %p0 = fmul float %x, %y0
  %t0 = fadd float %s0, %p0
  %y1 = load float, ptr addrspace(1) %b1
  %p1 = fmul float %x, %y1
  %t1 = fadd float %s1, %p1
  %y2 = load float, ptr addrspace(1) %b2
  %p2 = fmul float %x, %y2
  %t2 = fadd float %s2, %p2
  %y3 = load float, ptr addrspace(1) %b3
  %p3 = fmul float %x, %y3
  %t3 = fadd float %s3, %p3
  %next = add i64 %i, 1
  %done = icmp sge i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %c0 = getelementptr float, ptr addrspace(1) %c, i64 %g4
  %c1 = getelementptr float, ptr addrspace(1) %c0, i64 1
  %c2 = getelementptr float, ptr addrspace(1) %c0, i64 2
  %c3 = getelementptr float, ptr addrspace(1) %c0, i64 3
  store float %t0, ptr addrspace(1) %c0
  store float %t1, ptr addrspace(1) %c1
  %d = getelementptr float, ptr addrspace(1) %a, i64 %g
  store float 1.0, ptr addrspace(1) %d
  store float %t2, ptr addrspace(1) %c2
  store float %t3, ptr addrspace(1) %c3
  ret void
}
