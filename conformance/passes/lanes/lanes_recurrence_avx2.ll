; SPDX-License-Identifier: Apache-2.0
; A loop whose results wait for each other takes several registers per value, and stays a vector form
; where there are not enough to fill the machine. So does long code that waits: values in memory cost
; less than that.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)

; CHECK-LABEL: define internal void @chain.groups
; CHECK: <16 x float>
; CHECK: ret void
define spir_kernel void @chain(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p0 = getelementptr float, ptr addrspace(1) %a, i64 0
  %q0 = getelementptr float, ptr addrspace(1) %p0, i64 %id
  %x0 = load float, ptr addrspace(1) %q0
  %p1 = getelementptr float, ptr addrspace(1) %a, i64 4096
  %q1 = getelementptr float, ptr addrspace(1) %p1, i64 %id
  %x1 = load float, ptr addrspace(1) %q1
  %p2 = getelementptr float, ptr addrspace(1) %a, i64 8192
  %q2 = getelementptr float, ptr addrspace(1) %p2, i64 %id
  %x2 = load float, ptr addrspace(1) %q2
  %p3 = getelementptr float, ptr addrspace(1) %a, i64 12288
  %q3 = getelementptr float, ptr addrspace(1) %p3, i64 %id
  %x3 = load float, ptr addrspace(1) %q3
  %p4 = getelementptr float, ptr addrspace(1) %a, i64 16384
  %q4 = getelementptr float, ptr addrspace(1) %p4, i64 %id
  %x4 = load float, ptr addrspace(1) %q4
  %p5 = getelementptr float, ptr addrspace(1) %a, i64 20480
  %q5 = getelementptr float, ptr addrspace(1) %p5, i64 %id
  %x5 = load float, ptr addrspace(1) %q5
  %p6 = getelementptr float, ptr addrspace(1) %a, i64 24576
  %q6 = getelementptr float, ptr addrspace(1) %p6, i64 %id
  %x6 = load float, ptr addrspace(1) %q6
  %p7 = getelementptr float, ptr addrspace(1) %a, i64 28672
  %q7 = getelementptr float, ptr addrspace(1) %p7, i64 %id
  %x7 = load float, ptr addrspace(1) %q7
  %p8 = getelementptr float, ptr addrspace(1) %a, i64 32768
  %q8 = getelementptr float, ptr addrspace(1) %p8, i64 %id
  %x8 = load float, ptr addrspace(1) %q8
  %p9 = getelementptr float, ptr addrspace(1) %a, i64 36864
  %q9 = getelementptr float, ptr addrspace(1) %p9, i64 %id
  %x9 = load float, ptr addrspace(1) %q9
  %p10 = getelementptr float, ptr addrspace(1) %a, i64 40960
  %q10 = getelementptr float, ptr addrspace(1) %p10, i64 %id
  %x10 = load float, ptr addrspace(1) %q10
  %p11 = getelementptr float, ptr addrspace(1) %a, i64 45056
  %q11 = getelementptr float, ptr addrspace(1) %p11, i64 %id
  %x11 = load float, ptr addrspace(1) %q11
  %p12 = getelementptr float, ptr addrspace(1) %a, i64 49152
  %q12 = getelementptr float, ptr addrspace(1) %p12, i64 %id
  %x12 = load float, ptr addrspace(1) %q12
  %p13 = getelementptr float, ptr addrspace(1) %a, i64 53248
  %q13 = getelementptr float, ptr addrspace(1) %p13, i64 %id
  %x13 = load float, ptr addrspace(1) %q13
  %m0 = fmul float %x0, %x1
  %s0 = fadd float %m0, %x5
  %m1 = fmul float %s0, %x2
  %s1 = fadd float %m1, %x6
  %m2 = fmul float %s1, %x3
  %s2 = fadd float %m2, %x7
  %m3 = fmul float %s2, %x4
  %s3 = fadd float %m3, %x8
  %m4 = fmul float %s3, %x5
  %s4 = fadd float %m4, %x9
  %m5 = fmul float %s4, %x6
  %s5 = fadd float %m5, %x10
  %m6 = fmul float %s5, %x7
  %s6 = fadd float %m6, %x11
  %m7 = fmul float %s6, %x8
  %s7 = fadd float %m7, %x12
  %m8 = fmul float %s7, %x9
  %s8 = fadd float %m8, %x13
  %m9 = fmul float %s8, %x10
  %s9 = fadd float %m9, %x0
  %m10 = fmul float %s9, %x11
  %s10 = fadd float %m10, %x1
  %m11 = fmul float %s10, %x12
  %s11 = fadd float %m11, %x2
  %m12 = fmul float %s11, %x13
  %s12 = fadd float %m12, %x3
  %m13 = fmul float %s12, %x0
  %s13 = fadd float %m13, %x4
  %m14 = fmul float %s13, %x1
  %s14 = fadd float %m14, %x5
  %m15 = fmul float %s14, %x2
  %s15 = fadd float %m15, %x6
  %m16 = fmul float %s15, %x3
  %s16 = fadd float %m16, %x7
  %m17 = fmul float %s16, %x4
  %s17 = fadd float %m17, %x8
  %m18 = fmul float %s17, %x5
  %s18 = fadd float %m18, %x9
  %m19 = fmul float %s18, %x6
  %s19 = fadd float %m19, %x10
  %m20 = fmul float %s19, %x7
  %s20 = fadd float %m20, %x11
  %m21 = fmul float %s20, %x8
  %s21 = fadd float %m21, %x12
  %m22 = fmul float %s21, %x9
  %s22 = fadd float %m22, %x13
  %m23 = fmul float %s22, %x10
  %s23 = fadd float %m23, %x0
  %m24 = fmul float %s23, %x11
  %s24 = fadd float %m24, %x1
  %m25 = fmul float %s24, %x12
  %s25 = fadd float %m25, %x2
  %m26 = fmul float %s25, %x13
  %s26 = fadd float %m26, %x3
  %m27 = fmul float %s26, %x0
  %s27 = fadd float %m27, %x4
  %m28 = fmul float %s27, %x1
  %s28 = fadd float %m28, %x5
  %m29 = fmul float %s28, %x2
  %s29 = fadd float %m29, %x6
  %m30 = fmul float %s29, %x3
  %s30 = fadd float %m30, %x7
  %m31 = fmul float %s30, %x4
  %s31 = fadd float %m31, %x8
  %m32 = fmul float %s31, %x5
  %s32 = fadd float %m32, %x9
  %m33 = fmul float %s32, %x6
  %s33 = fadd float %m33, %x10
  %m34 = fmul float %s33, %x7
  %s34 = fadd float %m34, %x11
  %m35 = fmul float %s34, %x8
  %s35 = fadd float %m35, %x12
  %m36 = fmul float %s35, %x9
  %s36 = fadd float %m36, %x13
  %m37 = fmul float %s36, %x10
  %s37 = fadd float %m37, %x0
  %m38 = fmul float %s37, %x11
  %s38 = fadd float %m38, %x1
  %m39 = fmul float %s38, %x12
  %s39 = fadd float %m39, %x2
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  store float %s39, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @cipher.groups
; CHECK: <16 x i32>
; CHECK: ret void
define spir_kernel void @cipher(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %id
  %x = load i32, ptr addrspace(1) %pa
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %p = phi i32 [ 1, %entry ], [ %s, %loop ]
  %q = phi i32 [ 2, %entry ], [ %q1, %loop ]
  %r = phi i32 [ 3, %entry ], [ %q, %loop ]
  %s = phi i32 [ 4, %entry ], [ %r, %loop ]
  %f1 = xor i32 %r, %s
  %f2 = and i32 %f1, %q
  %f = xor i32 %f2, %s
  %t1 = add i32 %p, %f
  %m = mul i32 %x, %k
  %t = add i32 %t1, %m
  %t2 = call i32 @llvm.fshl.i32(i32 %t, i32 %t, i32 7)
  %q1 = add i32 %q, %t2
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %loop, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %id
  store i32 %q1, ptr addrspace(1) %po
  ret void
}
