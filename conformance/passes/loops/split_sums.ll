; SPDX-License-Identifier: Apache-2.0
; A loop with more sums than registers is several, each sum in its order; one whose sums meet, or whose
; loads are as many as its sums, stays one. (x86-64-v2 has 16 registers.)
; RUN: sl-opt -mcpu=x86-64-v2 -stage=simplify
target triple = "spir64-unknown-unknown"

; 20 sums by loops of no more than eight.
; CHECK-LABEL: define {{.*}}@many(
; CHECK-COUNT-3: load float
; CHECK-NOT: load float
define spir_kernel void @many(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %loop ]
  %s1 = phi float [ 1.0, %entry ], [ %t1, %loop ]
  %s2 = phi float [ 2.0, %entry ], [ %t2, %loop ]
  %s3 = phi float [ 3.0, %entry ], [ %t3, %loop ]
  %s4 = phi float [ 4.0, %entry ], [ %t4, %loop ]
  %s5 = phi float [ 5.0, %entry ], [ %t5, %loop ]
  %s6 = phi float [ 6.0, %entry ], [ %t6, %loop ]
  %s7 = phi float [ 7.0, %entry ], [ %t7, %loop ]
  %s8 = phi float [ 8.0, %entry ], [ %t8, %loop ]
  %s9 = phi float [ 9.0, %entry ], [ %t9, %loop ]
  %s10 = phi float [ 10.0, %entry ], [ %t10, %loop ]
  %s11 = phi float [ 11.0, %entry ], [ %t11, %loop ]
  %s12 = phi float [ 12.0, %entry ], [ %t12, %loop ]
  %s13 = phi float [ 13.0, %entry ], [ %t13, %loop ]
  %s14 = phi float [ 14.0, %entry ], [ %t14, %loop ]
  %s15 = phi float [ 15.0, %entry ], [ %t15, %loop ]
  %s16 = phi float [ 16.0, %entry ], [ %t16, %loop ]
  %s17 = phi float [ 17.0, %entry ], [ %t17, %loop ]
  %s18 = phi float [ 18.0, %entry ], [ %t18, %loop ]
  %s19 = phi float [ 19.0, %entry ], [ %t19, %loop ]
  %a0 = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v0 = load float, ptr addrspace(1) %a0
  %p0 = fmul float %v0, 2.0
  %t0 = fadd float %s0, %p0
  %p1 = fmul float %v0, 3.0
  %t1 = fadd float %s1, %p1
  %p2 = fmul float %v0, 4.0
  %t2 = fadd float %s2, %p2
  %p3 = fmul float %v0, 5.0
  %t3 = fadd float %s3, %p3
  %p4 = fmul float %v0, 6.0
  %t4 = fadd float %s4, %p4
  %p5 = fmul float %v0, 7.0
  %t5 = fadd float %s5, %p5
  %p6 = fmul float %v0, 8.0
  %t6 = fadd float %s6, %p6
  %p7 = fmul float %v0, 9.0
  %t7 = fadd float %s7, %p7
  %p8 = fmul float %v0, 10.0
  %t8 = fadd float %s8, %p8
  %p9 = fmul float %v0, 11.0
  %t9 = fadd float %s9, %p9
  %p10 = fmul float %v0, 12.0
  %t10 = fadd float %s10, %p10
  %p11 = fmul float %v0, 13.0
  %t11 = fadd float %s11, %p11
  %p12 = fmul float %v0, 14.0
  %t12 = fadd float %s12, %p12
  %p13 = fmul float %v0, 15.0
  %t13 = fadd float %s13, %p13
  %p14 = fmul float %v0, 16.0
  %t14 = fadd float %s14, %p14
  %p15 = fmul float %v0, 17.0
  %t15 = fadd float %s15, %p15
  %p16 = fmul float %v0, 18.0
  %t16 = fadd float %s16, %p16
  %p17 = fmul float %v0, 19.0
  %t17 = fadd float %s17, %p17
  %p18 = fmul float %v0, 20.0
  %t18 = fadd float %s18, %p18
  %p19 = fmul float %v0, 21.0
  %t19 = fadd float %s19, %p19
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %o0 = getelementptr float, ptr addrspace(1) %y, i64 0
  store float %t0, ptr addrspace(1) %o0
  %o1 = getelementptr float, ptr addrspace(1) %y, i64 1
  store float %t1, ptr addrspace(1) %o1
  %o2 = getelementptr float, ptr addrspace(1) %y, i64 2
  store float %t2, ptr addrspace(1) %o2
  %o3 = getelementptr float, ptr addrspace(1) %y, i64 3
  store float %t3, ptr addrspace(1) %o3
  %o4 = getelementptr float, ptr addrspace(1) %y, i64 4
  store float %t4, ptr addrspace(1) %o4
  %o5 = getelementptr float, ptr addrspace(1) %y, i64 5
  store float %t5, ptr addrspace(1) %o5
  %o6 = getelementptr float, ptr addrspace(1) %y, i64 6
  store float %t6, ptr addrspace(1) %o6
  %o7 = getelementptr float, ptr addrspace(1) %y, i64 7
  store float %t7, ptr addrspace(1) %o7
  %o8 = getelementptr float, ptr addrspace(1) %y, i64 8
  store float %t8, ptr addrspace(1) %o8
  %o9 = getelementptr float, ptr addrspace(1) %y, i64 9
  store float %t9, ptr addrspace(1) %o9
  %o10 = getelementptr float, ptr addrspace(1) %y, i64 10
  store float %t10, ptr addrspace(1) %o10
  %o11 = getelementptr float, ptr addrspace(1) %y, i64 11
  store float %t11, ptr addrspace(1) %o11
  %o12 = getelementptr float, ptr addrspace(1) %y, i64 12
  store float %t12, ptr addrspace(1) %o12
  %o13 = getelementptr float, ptr addrspace(1) %y, i64 13
  store float %t13, ptr addrspace(1) %o13
  %o14 = getelementptr float, ptr addrspace(1) %y, i64 14
  store float %t14, ptr addrspace(1) %o14
  %o15 = getelementptr float, ptr addrspace(1) %y, i64 15
  store float %t15, ptr addrspace(1) %o15
  %o16 = getelementptr float, ptr addrspace(1) %y, i64 16
  store float %t16, ptr addrspace(1) %o16
  %o17 = getelementptr float, ptr addrspace(1) %y, i64 17
  store float %t17, ptr addrspace(1) %o17
  %o18 = getelementptr float, ptr addrspace(1) %y, i64 18
  store float %t18, ptr addrspace(1) %o18
  %o19 = getelementptr float, ptr addrspace(1) %y, i64 19
  store float %t19, ptr addrspace(1) %o19
  ret void
}

; CHECK-LABEL: define {{.*}}@meet(
; CHECK-COUNT-1: load float
; CHECK-NOT: load float
define spir_kernel void @meet(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %loop ]
  %s1 = phi float [ 1.0, %entry ], [ %t1, %loop ]
  %s2 = phi float [ 2.0, %entry ], [ %t2, %loop ]
  %s3 = phi float [ 3.0, %entry ], [ %t3, %loop ]
  %s4 = phi float [ 4.0, %entry ], [ %t4, %loop ]
  %s5 = phi float [ 5.0, %entry ], [ %t5, %loop ]
  %s6 = phi float [ 6.0, %entry ], [ %t6, %loop ]
  %s7 = phi float [ 7.0, %entry ], [ %t7, %loop ]
  %s8 = phi float [ 8.0, %entry ], [ %t8, %loop ]
  %s9 = phi float [ 9.0, %entry ], [ %t9, %loop ]
  %s10 = phi float [ 10.0, %entry ], [ %t10, %loop ]
  %s11 = phi float [ 11.0, %entry ], [ %t11, %loop ]
  %s12 = phi float [ 12.0, %entry ], [ %t12, %loop ]
  %s13 = phi float [ 13.0, %entry ], [ %t13, %loop ]
  %s14 = phi float [ 14.0, %entry ], [ %t14, %loop ]
  %s15 = phi float [ 15.0, %entry ], [ %t15, %loop ]
  %s16 = phi float [ 16.0, %entry ], [ %t16, %loop ]
  %s17 = phi float [ 17.0, %entry ], [ %t17, %loop ]
  %s18 = phi float [ 18.0, %entry ], [ %t18, %loop ]
  %s19 = phi float [ 19.0, %entry ], [ %t19, %loop ]
  %a0 = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v0 = load float, ptr addrspace(1) %a0
  %p0 = fmul float %v0, 2.0
  %t0 = fadd float %s0, %p0
  %p1 = fmul float %v0, 3.0
  %t1 = fadd float %s1, %p1
  %p2 = fmul float %v0, 4.0
  %t2 = fadd float %s2, %p2
  %p3 = fmul float %v0, 5.0
  %both = fadd float %s3, %s4
  %t3 = fadd float %both, %p3
  %p4 = fmul float %v0, 6.0
  %t4 = fadd float %s4, %p4
  %p5 = fmul float %v0, 7.0
  %t5 = fadd float %s5, %p5
  %p6 = fmul float %v0, 8.0
  %t6 = fadd float %s6, %p6
  %p7 = fmul float %v0, 9.0
  %t7 = fadd float %s7, %p7
  %p8 = fmul float %v0, 10.0
  %t8 = fadd float %s8, %p8
  %p9 = fmul float %v0, 11.0
  %t9 = fadd float %s9, %p9
  %p10 = fmul float %v0, 12.0
  %t10 = fadd float %s10, %p10
  %p11 = fmul float %v0, 13.0
  %t11 = fadd float %s11, %p11
  %p12 = fmul float %v0, 14.0
  %t12 = fadd float %s12, %p12
  %p13 = fmul float %v0, 15.0
  %t13 = fadd float %s13, %p13
  %p14 = fmul float %v0, 16.0
  %t14 = fadd float %s14, %p14
  %p15 = fmul float %v0, 17.0
  %t15 = fadd float %s15, %p15
  %p16 = fmul float %v0, 18.0
  %t16 = fadd float %s16, %p16
  %p17 = fmul float %v0, 19.0
  %t17 = fadd float %s17, %p17
  %p18 = fmul float %v0, 20.0
  %t18 = fadd float %s18, %p18
  %p19 = fmul float %v0, 21.0
  %t19 = fadd float %s19, %p19
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %o0 = getelementptr float, ptr addrspace(1) %y, i64 0
  store float %t0, ptr addrspace(1) %o0
  %o1 = getelementptr float, ptr addrspace(1) %y, i64 1
  store float %t1, ptr addrspace(1) %o1
  %o2 = getelementptr float, ptr addrspace(1) %y, i64 2
  store float %t2, ptr addrspace(1) %o2
  %o3 = getelementptr float, ptr addrspace(1) %y, i64 3
  store float %t3, ptr addrspace(1) %o3
  %o4 = getelementptr float, ptr addrspace(1) %y, i64 4
  store float %t4, ptr addrspace(1) %o4
  %o5 = getelementptr float, ptr addrspace(1) %y, i64 5
  store float %t5, ptr addrspace(1) %o5
  %o6 = getelementptr float, ptr addrspace(1) %y, i64 6
  store float %t6, ptr addrspace(1) %o6
  %o7 = getelementptr float, ptr addrspace(1) %y, i64 7
  store float %t7, ptr addrspace(1) %o7
  %o8 = getelementptr float, ptr addrspace(1) %y, i64 8
  store float %t8, ptr addrspace(1) %o8
  %o9 = getelementptr float, ptr addrspace(1) %y, i64 9
  store float %t9, ptr addrspace(1) %o9
  %o10 = getelementptr float, ptr addrspace(1) %y, i64 10
  store float %t10, ptr addrspace(1) %o10
  %o11 = getelementptr float, ptr addrspace(1) %y, i64 11
  store float %t11, ptr addrspace(1) %o11
  %o12 = getelementptr float, ptr addrspace(1) %y, i64 12
  store float %t12, ptr addrspace(1) %o12
  %o13 = getelementptr float, ptr addrspace(1) %y, i64 13
  store float %t13, ptr addrspace(1) %o13
  %o14 = getelementptr float, ptr addrspace(1) %y, i64 14
  store float %t14, ptr addrspace(1) %o14
  %o15 = getelementptr float, ptr addrspace(1) %y, i64 15
  store float %t15, ptr addrspace(1) %o15
  %o16 = getelementptr float, ptr addrspace(1) %y, i64 16
  store float %t16, ptr addrspace(1) %o16
  %o17 = getelementptr float, ptr addrspace(1) %y, i64 17
  store float %t17, ptr addrspace(1) %o17
  %o18 = getelementptr float, ptr addrspace(1) %y, i64 18
  store float %t18, ptr addrspace(1) %o18
  %o19 = getelementptr float, ptr addrspace(1) %y, i64 19
  store float %t19, ptr addrspace(1) %o19
  ret void
}

; CHECK-LABEL: define {{.*}}@loads(
; CHECK-COUNT-11: load float
; CHECK-NOT: load float
define spir_kernel void @loads(ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s0 = phi float [ 0.0, %entry ], [ %t0, %loop ]
  %s1 = phi float [ 1.0, %entry ], [ %t1, %loop ]
  %s2 = phi float [ 2.0, %entry ], [ %t2, %loop ]
  %s3 = phi float [ 3.0, %entry ], [ %t3, %loop ]
  %s4 = phi float [ 4.0, %entry ], [ %t4, %loop ]
  %s5 = phi float [ 5.0, %entry ], [ %t5, %loop ]
  %s6 = phi float [ 6.0, %entry ], [ %t6, %loop ]
  %s7 = phi float [ 7.0, %entry ], [ %t7, %loop ]
  %s8 = phi float [ 8.0, %entry ], [ %t8, %loop ]
  %s9 = phi float [ 9.0, %entry ], [ %t9, %loop ]
  %s10 = phi float [ 10.0, %entry ], [ %t10, %loop ]
  %s11 = phi float [ 11.0, %entry ], [ %t11, %loop ]
  %s12 = phi float [ 12.0, %entry ], [ %t12, %loop ]
  %s13 = phi float [ 13.0, %entry ], [ %t13, %loop ]
  %s14 = phi float [ 14.0, %entry ], [ %t14, %loop ]
  %s15 = phi float [ 15.0, %entry ], [ %t15, %loop ]
  %s16 = phi float [ 16.0, %entry ], [ %t16, %loop ]
  %s17 = phi float [ 17.0, %entry ], [ %t17, %loop ]
  %s18 = phi float [ 18.0, %entry ], [ %t18, %loop ]
  %s19 = phi float [ 19.0, %entry ], [ %t19, %loop ]
  %a0 = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v0 = load float, ptr addrspace(1) %a0
  %a1 = getelementptr float, ptr addrspace(1) %a0, i64 7
  %v1 = load float, ptr addrspace(1) %a1
  %a2 = getelementptr float, ptr addrspace(1) %a0, i64 14
  %v2 = load float, ptr addrspace(1) %a2
  %a3 = getelementptr float, ptr addrspace(1) %a0, i64 21
  %v3 = load float, ptr addrspace(1) %a3
  %a4 = getelementptr float, ptr addrspace(1) %a0, i64 28
  %v4 = load float, ptr addrspace(1) %a4
  %a5 = getelementptr float, ptr addrspace(1) %a0, i64 35
  %v5 = load float, ptr addrspace(1) %a5
  %a6 = getelementptr float, ptr addrspace(1) %a0, i64 42
  %v6 = load float, ptr addrspace(1) %a6
  %a7 = getelementptr float, ptr addrspace(1) %a0, i64 49
  %v7 = load float, ptr addrspace(1) %a7
  %a8 = getelementptr float, ptr addrspace(1) %a0, i64 56
  %v8 = load float, ptr addrspace(1) %a8
  %a9 = getelementptr float, ptr addrspace(1) %a0, i64 63
  %v9 = load float, ptr addrspace(1) %a9
  %a10 = getelementptr float, ptr addrspace(1) %a0, i64 70
  %v10 = load float, ptr addrspace(1) %a10
  %p0 = fmul float %v0, 2.0
  %t0 = fadd float %s0, %p0
  %p1 = fmul float %v1, 3.0
  %t1 = fadd float %s1, %p1
  %p2 = fmul float %v2, 4.0
  %t2 = fadd float %s2, %p2
  %p3 = fmul float %v3, 5.0
  %t3 = fadd float %s3, %p3
  %p4 = fmul float %v4, 6.0
  %t4 = fadd float %s4, %p4
  %p5 = fmul float %v5, 7.0
  %t5 = fadd float %s5, %p5
  %p6 = fmul float %v6, 8.0
  %t6 = fadd float %s6, %p6
  %p7 = fmul float %v7, 9.0
  %t7 = fadd float %s7, %p7
  %p8 = fmul float %v8, 10.0
  %t8 = fadd float %s8, %p8
  %p9 = fmul float %v9, 11.0
  %t9 = fadd float %s9, %p9
  %p10 = fmul float %v10, 12.0
  %t10 = fadd float %s10, %p10
  %p11 = fmul float %v0, 13.0
  %t11 = fadd float %s11, %p11
  %p12 = fmul float %v1, 14.0
  %t12 = fadd float %s12, %p12
  %p13 = fmul float %v2, 15.0
  %t13 = fadd float %s13, %p13
  %p14 = fmul float %v3, 16.0
  %t14 = fadd float %s14, %p14
  %p15 = fmul float %v4, 17.0
  %t15 = fadd float %s15, %p15
  %p16 = fmul float %v5, 18.0
  %t16 = fadd float %s16, %p16
  %p17 = fmul float %v6, 19.0
  %t17 = fadd float %s17, %p17
  %p18 = fmul float %v7, 20.0
  %t18 = fadd float %s18, %p18
  %p19 = fmul float %v8, 21.0
  %t19 = fadd float %s19, %p19
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %o0 = getelementptr float, ptr addrspace(1) %y, i64 0
  store float %t0, ptr addrspace(1) %o0
  %o1 = getelementptr float, ptr addrspace(1) %y, i64 1
  store float %t1, ptr addrspace(1) %o1
  %o2 = getelementptr float, ptr addrspace(1) %y, i64 2
  store float %t2, ptr addrspace(1) %o2
  %o3 = getelementptr float, ptr addrspace(1) %y, i64 3
  store float %t3, ptr addrspace(1) %o3
  %o4 = getelementptr float, ptr addrspace(1) %y, i64 4
  store float %t4, ptr addrspace(1) %o4
  %o5 = getelementptr float, ptr addrspace(1) %y, i64 5
  store float %t5, ptr addrspace(1) %o5
  %o6 = getelementptr float, ptr addrspace(1) %y, i64 6
  store float %t6, ptr addrspace(1) %o6
  %o7 = getelementptr float, ptr addrspace(1) %y, i64 7
  store float %t7, ptr addrspace(1) %o7
  %o8 = getelementptr float, ptr addrspace(1) %y, i64 8
  store float %t8, ptr addrspace(1) %o8
  %o9 = getelementptr float, ptr addrspace(1) %y, i64 9
  store float %t9, ptr addrspace(1) %o9
  %o10 = getelementptr float, ptr addrspace(1) %y, i64 10
  store float %t10, ptr addrspace(1) %o10
  %o11 = getelementptr float, ptr addrspace(1) %y, i64 11
  store float %t11, ptr addrspace(1) %o11
  %o12 = getelementptr float, ptr addrspace(1) %y, i64 12
  store float %t12, ptr addrspace(1) %o12
  %o13 = getelementptr float, ptr addrspace(1) %y, i64 13
  store float %t13, ptr addrspace(1) %o13
  %o14 = getelementptr float, ptr addrspace(1) %y, i64 14
  store float %t14, ptr addrspace(1) %o14
  %o15 = getelementptr float, ptr addrspace(1) %y, i64 15
  store float %t15, ptr addrspace(1) %o15
  %o16 = getelementptr float, ptr addrspace(1) %y, i64 16
  store float %t16, ptr addrspace(1) %o16
  %o17 = getelementptr float, ptr addrspace(1) %y, i64 17
  store float %t17, ptr addrspace(1) %o17
  %o18 = getelementptr float, ptr addrspace(1) %y, i64 18
  store float %t18, ptr addrspace(1) %o18
  %o19 = getelementptr float, ptr addrspace(1) %y, i64 19
  store float %t19, ptr addrspace(1) %o19
  ret void
}
