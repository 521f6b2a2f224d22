; SPDX-License-Identifier: Apache-2.0
; A short loop that computes with its counter as a float is unrolled, also if rounds may skip a little;
; one with ways in it and a long one stay loops.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @short(
; CHECK-NOT: phi
; CHECK-COUNT-192: call float @llvm.fmuladd.f32(float
; CHECK-NOT: br i1
; CHECK: ret void
; CHECK-LABEL: @rare(
; CHECK-NOT: phi i32
; CHECK-COUNT-8: call float @llvm.fmuladd.f32(float
; CHECK-NOT: phi i32
; CHECK: ret void
; CHECK-LABEL: @ways(
; CHECK: phi i32
; CHECK: ret void
; CHECK-LABEL: @long(
; CHECK: phi i32
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fmuladd.f32(float, float, float)
define float @far(float %x) noinline memory(none) {
  %y = fdiv float 1.0, %x
  ret float %y
}
define spir_kernel void @short(ptr addrspace(1) %y, ptr addrspace(1) %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %px, align 4
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %join ]
  %s = phi float [ 0.0, %entry ], [ %s1, %join ]
  %f = sitofp i32 %k to float
  %a = call float @llvm.fmuladd.f32(float %f, float 0.25, float %v)
  %c0 = call float @llvm.fmuladd.f32(float %a, float 3.0, float 5.0)
  %c1 = call float @llvm.fmuladd.f32(float %c0, float 3.0, float 5.0)
  %c2 = call float @llvm.fmuladd.f32(float %c1, float 3.0, float 5.0)
  %c3 = call float @llvm.fmuladd.f32(float %c2, float 3.0, float 5.0)
  %c4 = call float @llvm.fmuladd.f32(float %c3, float 3.0, float 5.0)
  %c5 = call float @llvm.fmuladd.f32(float %c4, float 3.0, float 5.0)
  %c6 = call float @llvm.fmuladd.f32(float %c5, float 3.0, float 5.0)
  %c7 = call float @llvm.fmuladd.f32(float %c6, float 3.0, float 5.0)
  %c8 = call float @llvm.fmuladd.f32(float %c7, float 3.0, float 5.0)
  %c9 = call float @llvm.fmuladd.f32(float %c8, float 3.0, float 5.0)
  %c10 = call float @llvm.fmuladd.f32(float %c9, float 3.0, float 5.0)
  %c11 = call float @llvm.fmuladd.f32(float %c10, float 3.0, float 5.0)
  %c12 = call float @llvm.fmuladd.f32(float %c11, float 3.0, float 5.0)
  %c13 = call float @llvm.fmuladd.f32(float %c12, float 3.0, float 5.0)
  %c14 = call float @llvm.fmuladd.f32(float %c13, float 3.0, float 5.0)
  %c15 = call float @llvm.fmuladd.f32(float %c14, float 3.0, float 5.0)
  %c16 = call float @llvm.fmuladd.f32(float %c15, float 3.0, float 5.0)
  %c17 = call float @llvm.fmuladd.f32(float %c16, float 3.0, float 5.0)
  %c18 = call float @llvm.fmuladd.f32(float %c17, float 3.0, float 5.0)
  %c19 = call float @llvm.fmuladd.f32(float %c18, float 3.0, float 5.0)
  %c20 = call float @llvm.fmuladd.f32(float %c19, float 3.0, float 5.0)
  %c21 = call float @llvm.fmuladd.f32(float %c20, float 3.0, float 5.0)
  %c22 = call float @llvm.fmuladd.f32(float %c21, float 3.0, float 5.0)
  %c23 = call float @llvm.fmuladd.f32(float %c22, float 3.0, float 5.0)
  %r0 = call float @far(float %c23)
  br label %join
join:
  %s1 = fadd float %s, %r0
  %k1 = add nsw i32 %k, 1
  %over = icmp sge i32 %k1, 8
  br i1 %over, label %end, label %next
end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %s1, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @rare(ptr addrspace(1) %y, ptr addrspace(1) %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %px, align 4
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %join ]
  %s = phi float [ 0.0, %entry ], [ %s1, %join ]
  %f = sitofp i32 %k to float
  %a = call float @llvm.fmuladd.f32(float %f, float 0.25, float %v)
  %c0 = call float @llvm.fmuladd.f32(float %a, float 3.0, float 5.0)
  %large = fcmp ogt float %a, 1.0e4
  br i1 %large, label %call, label %join
call:
  %r0 = call float @far(float %a)
  br label %join
join:
  %r = phi float [ %r0, %call ], [ %c0, %next ]
  %s1 = fadd float %s, %r
  %k1 = add nsw i32 %k, 1
  %over = icmp sge i32 %k1, 8
  br i1 %over, label %end, label %next
end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %s1, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @ways(ptr addrspace(1) %y, ptr addrspace(1) %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %px, align 4
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %join ]
  %s = phi float [ 0.0, %entry ], [ %s1, %join ]
  %f = sitofp i32 %k to float
  %a = call float @llvm.fmuladd.f32(float %f, float 0.25, float %v)
  %odd = fcmp olt float %a, 1.0
  br i1 %odd, label %call, label %join
call:
  %c0 = call float @llvm.fmuladd.f32(float %a, float 3.0, float 5.0)
  %c1 = call float @llvm.fmuladd.f32(float %c0, float 3.0, float 5.0)
  %c2 = call float @llvm.fmuladd.f32(float %c1, float 3.0, float 5.0)
  %c3 = call float @llvm.fmuladd.f32(float %c2, float 3.0, float 5.0)
  %c4 = call float @llvm.fmuladd.f32(float %c3, float 3.0, float 5.0)
  %c5 = call float @llvm.fmuladd.f32(float %c4, float 3.0, float 5.0)
  %c6 = call float @llvm.fmuladd.f32(float %c5, float 3.0, float 5.0)
  %c7 = call float @llvm.fmuladd.f32(float %c6, float 3.0, float 5.0)
  %c8 = call float @llvm.fmuladd.f32(float %c7, float 3.0, float 5.0)
  %c9 = call float @llvm.fmuladd.f32(float %c8, float 3.0, float 5.0)
  %c10 = call float @llvm.fmuladd.f32(float %c9, float 3.0, float 5.0)
  %c11 = call float @llvm.fmuladd.f32(float %c10, float 3.0, float 5.0)
  %c12 = call float @llvm.fmuladd.f32(float %c11, float 3.0, float 5.0)
  %c13 = call float @llvm.fmuladd.f32(float %c12, float 3.0, float 5.0)
  %c14 = call float @llvm.fmuladd.f32(float %c13, float 3.0, float 5.0)
  %c15 = call float @llvm.fmuladd.f32(float %c14, float 3.0, float 5.0)
  %c16 = call float @llvm.fmuladd.f32(float %c15, float 3.0, float 5.0)
  %c17 = call float @llvm.fmuladd.f32(float %c16, float 3.0, float 5.0)
  %c18 = call float @llvm.fmuladd.f32(float %c17, float 3.0, float 5.0)
  %c19 = call float @llvm.fmuladd.f32(float %c18, float 3.0, float 5.0)
  %c20 = call float @llvm.fmuladd.f32(float %c19, float 3.0, float 5.0)
  %c21 = call float @llvm.fmuladd.f32(float %c20, float 3.0, float 5.0)
  %c22 = call float @llvm.fmuladd.f32(float %c21, float 3.0, float 5.0)
  %c23 = call float @llvm.fmuladd.f32(float %c22, float 3.0, float 5.0)
  %c24 = call float @llvm.fmuladd.f32(float %c23, float 3.0, float 5.0)
  %c25 = call float @llvm.fmuladd.f32(float %c24, float 3.0, float 5.0)
  %c26 = call float @llvm.fmuladd.f32(float %c25, float 3.0, float 5.0)
  %c27 = call float @llvm.fmuladd.f32(float %c26, float 3.0, float 5.0)
  %c28 = call float @llvm.fmuladd.f32(float %c27, float 3.0, float 5.0)
  %c29 = call float @llvm.fmuladd.f32(float %c28, float 3.0, float 5.0)
  %r0 = call float @far(float %c29)
  br label %join
join:
  %r = phi float [ %r0, %call ], [ 0.0, %next ]
  %s1 = fadd float %s, %r
  %k1 = add nsw i32 %k, 1
  %over = icmp sge i32 %k1, 8
  br i1 %over, label %end, label %next
end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %s1, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @long(ptr addrspace(1) %y, ptr addrspace(1) %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %px, align 4
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %join ]
  %s = phi float [ 0.0, %entry ], [ %s1, %join ]
  %f = sitofp i32 %k to float
  %a = call float @llvm.fmuladd.f32(float %f, float 0.25, float %v)
  %c0 = call float @llvm.fmuladd.f32(float %a, float 3.0, float 5.0)
  %c1 = call float @llvm.fmuladd.f32(float %c0, float 3.0, float 5.0)
  %c2 = call float @llvm.fmuladd.f32(float %c1, float 3.0, float 5.0)
  %c3 = call float @llvm.fmuladd.f32(float %c2, float 3.0, float 5.0)
  %c4 = call float @llvm.fmuladd.f32(float %c3, float 3.0, float 5.0)
  %c5 = call float @llvm.fmuladd.f32(float %c4, float 3.0, float 5.0)
  %c6 = call float @llvm.fmuladd.f32(float %c5, float 3.0, float 5.0)
  %c7 = call float @llvm.fmuladd.f32(float %c6, float 3.0, float 5.0)
  %c8 = call float @llvm.fmuladd.f32(float %c7, float 3.0, float 5.0)
  %c9 = call float @llvm.fmuladd.f32(float %c8, float 3.0, float 5.0)
  %c10 = call float @llvm.fmuladd.f32(float %c9, float 3.0, float 5.0)
  %c11 = call float @llvm.fmuladd.f32(float %c10, float 3.0, float 5.0)
  %c12 = call float @llvm.fmuladd.f32(float %c11, float 3.0, float 5.0)
  %c13 = call float @llvm.fmuladd.f32(float %c12, float 3.0, float 5.0)
  %c14 = call float @llvm.fmuladd.f32(float %c13, float 3.0, float 5.0)
  %c15 = call float @llvm.fmuladd.f32(float %c14, float 3.0, float 5.0)
  %c16 = call float @llvm.fmuladd.f32(float %c15, float 3.0, float 5.0)
  %c17 = call float @llvm.fmuladd.f32(float %c16, float 3.0, float 5.0)
  %c18 = call float @llvm.fmuladd.f32(float %c17, float 3.0, float 5.0)
  %c19 = call float @llvm.fmuladd.f32(float %c18, float 3.0, float 5.0)
  %c20 = call float @llvm.fmuladd.f32(float %c19, float 3.0, float 5.0)
  %c21 = call float @llvm.fmuladd.f32(float %c20, float 3.0, float 5.0)
  %c22 = call float @llvm.fmuladd.f32(float %c21, float 3.0, float 5.0)
  %c23 = call float @llvm.fmuladd.f32(float %c22, float 3.0, float 5.0)
  %c24 = call float @llvm.fmuladd.f32(float %c23, float 3.0, float 5.0)
  %c25 = call float @llvm.fmuladd.f32(float %c24, float 3.0, float 5.0)
  %c26 = call float @llvm.fmuladd.f32(float %c25, float 3.0, float 5.0)
  %c27 = call float @llvm.fmuladd.f32(float %c26, float 3.0, float 5.0)
  %c28 = call float @llvm.fmuladd.f32(float %c27, float 3.0, float 5.0)
  %c29 = call float @llvm.fmuladd.f32(float %c28, float 3.0, float 5.0)
  %c30 = call float @llvm.fmuladd.f32(float %c29, float 3.0, float 5.0)
  %c31 = call float @llvm.fmuladd.f32(float %c30, float 3.0, float 5.0)
  %c32 = call float @llvm.fmuladd.f32(float %c31, float 3.0, float 5.0)
  %c33 = call float @llvm.fmuladd.f32(float %c32, float 3.0, float 5.0)
  %c34 = call float @llvm.fmuladd.f32(float %c33, float 3.0, float 5.0)
  %c35 = call float @llvm.fmuladd.f32(float %c34, float 3.0, float 5.0)
  %c36 = call float @llvm.fmuladd.f32(float %c35, float 3.0, float 5.0)
  %c37 = call float @llvm.fmuladd.f32(float %c36, float 3.0, float 5.0)
  %c38 = call float @llvm.fmuladd.f32(float %c37, float 3.0, float 5.0)
  %c39 = call float @llvm.fmuladd.f32(float %c38, float 3.0, float 5.0)
  %r0 = call float @far(float %c39)
  br label %join
join:
  %s1 = fadd float %s, %r0
  %k1 = add nsw i32 %k, 1
  %over = icmp sge i32 %k1, 16
  br i1 %over, label %end, label %next
end:
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %s1, ptr addrspace(1) %py, align 4
  ret void
}
