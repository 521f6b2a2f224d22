; SPDX-License-Identifier: Apache-2.0
; OpenCL vectors of four words and more that are anywhere in memory go item by item, each as it lies there: what meets
; others element by element is not regrouped between a load and a store of such, and lanes that do not run read nothing.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @far.groups
; CHECK-NOT: @llvm.masked.gather
; CHECK-NOT: @llvm.masked.scatter
; CHECK: load <4 x float>, ptr %{{.*}}, align 4
; CHECK: fadd <64 x float>
; CHECK: store <4 x float> %{{.*}}, ptr %{{.*}}, align 4
; CHECK: ret void
define spir_kernel void @far(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %at, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pi = getelementptr inbounds i32, ptr addrspace(1) %at, i64 %id
  %i = load i32, ptr addrspace(1) %pi, align 4
  %place = sext i32 %i to i64
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %some, label %end

some:
  %px = getelementptr inbounds <4 x float>, ptr addrspace(1) %x, i64 %place
  %v = load <4 x float>, ptr addrspace(1) %px, align 4
  br label %end

end:
  %w = phi <4 x float> [ zeroinitializer, %entry ], [ %v, %some ]
  %s0 = fadd <4 x float> %w, splat (float 1.0e+00)
  %s1 = fmul <4 x float> %s0, %w
  %s2 = fadd <4 x float> %s1, %w
  %s3 = fmul <4 x float> %s2, %w
  %s4 = fadd <4 x float> %s3, %w
  %s5 = fmul <4 x float> %s4, %w
  %s6 = fadd <4 x float> %s5, %w
  %s7 = fmul <4 x float> %s6, %w
  %s8 = fadd <4 x float> %s7, %w
  %s9 = fmul <4 x float> %s8, %w
  %s10 = fadd <4 x float> %s9, %w
  %s11 = fmul <4 x float> %s10, %w
  %s12 = fadd <4 x float> %s11, %w
  %s13 = fmul <4 x float> %s12, %w
  %s14 = fadd <4 x float> %s13, %w
  %s15 = fmul <4 x float> %s14, %w
  %s16 = fadd <4 x float> %s15, %w
  %s17 = fmul <4 x float> %s16, %w
  %s18 = fadd <4 x float> %s17, %w
  %s19 = fmul <4 x float> %s18, %w
  %s20 = fadd <4 x float> %s19, %w
  %s21 = fmul <4 x float> %s20, %w
  %s22 = fadd <4 x float> %s21, %w
  %s23 = fmul <4 x float> %s22, %w
  %sum = fadd <4 x float> %s23, %w
  %py = getelementptr inbounds <4 x float>, ptr addrspace(1) %y, i64 %place
  store <4 x float> %sum, ptr addrspace(1) %py, align 4
  ret void
}

; Halves and shorts as well, half a register of them at least, which fill whole ones when they are wider.
; CHECK-LABEL: define internal void @halves.groups
; CHECK-NOT: @llvm.masked.gather
; CHECK: load <4 x half>, ptr %{{.*}}, align 2
; CHECK: fpext <64 x half> %{{.*}} to <64 x float>
; CHECK: ret void
define spir_kernel void @halves(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, 512
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi <4 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %at = add i64 %row, %k
  %p = getelementptr inbounds half, ptr addrspace(1) %x, i64 %at
  %v = load <4 x half>, ptr addrspace(1) %p, align 2
  %w = fpext <4 x half> %v to <4 x float>
  %w1 = fmul <4 x float> %w, %w
  %w2 = fadd <4 x float> %w1, %w
  %w3 = fmul <4 x float> %w2, %w1
  %w4 = fadd <4 x float> %w3, %w2
  %w5 = fmul <4 x float> %w4, %w3
  %more = fadd <4 x float> %sum, %w5
  %next = add i64 %k, 4
  %again = icmp ult i64 %next, 512
  br i1 %again, label %loop, label %end

end:
  %s0 = extractelement <4 x float> %more, i32 0
  %s1 = extractelement <4 x float> %more, i32 1
  %s = fadd float %s0, %s1
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %s, ptr addrspace(1) %py, align 4
  ret void
}

; Numbers of their own have a vector of lanes each, which meet on their way to memory.
; CHECK-LABEL: define internal void @made.groups
; CHECK-NOT: @llvm.masked.scatter
; CHECK: store <4 x float> %{{.*}}, ptr %{{.*}}, align 16
; CHECK: ret void
define spir_kernel void @made(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %at) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pi = getelementptr inbounds i32, ptr addrspace(1) %at, i64 %id
  %i = load i32, ptr addrspace(1) %pi, align 4
  %place = sext i32 %i to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %a = load float, ptr addrspace(1) %px, align 4
  %b = fmul float %a, %a
  %c = fadd float %a, %b
  %d = fsub float %a, %b
  %v0 = insertelement <4 x float> poison, float %a, i32 0
  %v1 = insertelement <4 x float> %v0, float %b, i32 1
  %v2 = insertelement <4 x float> %v1, float %c, i32 2
  %v3 = insertelement <4 x float> %v2, float %d, i32 3
  %py = getelementptr inbounds <4 x float>, ptr addrspace(1) %y, i64 %place
  store <4 x float> %v3, ptr addrspace(1) %py, align 16
  ret void
}
