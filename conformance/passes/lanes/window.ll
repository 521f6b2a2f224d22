; SPDX-License-Identifier: Apache-2.0
; Loads of places that are close to each other: a register's bytes from the first lane's on, of which lanes take
; their elements, and a gather where one is not among them.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.sqrt.f32(float)

; CHECK-LABEL: define internal void @halves.groups
; CHECK: and i64 %{{.*}}, 4095
; CHECK: icmp ule <16 x i64>
; CHECK: near:
; CHECK: call <64 x i8> @llvm.masked.load.v64i8.p0(ptr align 4
; CHECK: call <16 x i32> @llvm.x86.avx512.permvar.si.512
; CHECK: each:
; CHECK: @llvm.masked.gather.v16f32
; CHECK: ret void
define spir_kernel void @halves(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %half = lshr i64 %id, 1
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %half
  %v = load float, ptr addrspace(1) %p, align 4
  %a = fmul float %v, %v
  %b = fadd float %a, %v
  %c = fmul float %b, %a
  %d = fadd float %c, %b
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %d, ptr addrspace(1) %py, align 4
  ret void
}

; Bytes are found by the shorts that they are in; an int that goes round is far from its neighbour.
; CHECK-LABEL: define internal void @pairs.groups
; CHECK: icmp sle i32 %{{.*}}, 2147483583
; CHECK: near:
; CHECK: call <32 x i16> @llvm.x86.avx512.permvar.hi.512
; CHECK: lshr <32 x i16>
; CHECK: trunc <32 x i16> %{{.*}} to <32 x i8>
; CHECK: ret void
define spir_kernel void @pairs(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %low = trunc i64 %id to i32
  %even = and i32 %low, -2
  %more = add nsw i32 %even, 7
  %index = sext i32 %more to i64
  %p = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %index
  %v = load i8, ptr addrspace(1) %p, align 1
  %a = mul i8 %v, %v
  %b = xor i8 %a, %v
  %c = add i8 %b, %a
  %py = getelementptr inbounds i8, ptr addrspace(1) %y, i64 %id
  store i8 %c, ptr addrspace(1) %py, align 1
  ret void
}

; Too far from each other.
; CHECK-LABEL: define internal void @too_far.groups
; CHECK-NOT: permvar
; CHECK: @llvm.masked.gather.v16f32
; CHECK-NOT: permvar
; CHECK: ret void
define spir_kernel void @too_far(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %times = mul i64 %id, 5
  %half = lshr i64 %times, 1
  %p = getelementptr inbounds float, ptr addrspace(1) %x, i64 %half
  %v = load float, ptr addrspace(1) %p, align 4
  %a = fmul float %v, %v
  %b = fadd float %a, %v
  %c = fmul float %b, %a
  %e = call float @llvm.sqrt.f32(float %c)
  %f = fdiv float %e, %a
  %g = fmul float %f, %b
  %h = fadd float %g, %c
  %i = fmul float %h, %e
  %j = fadd float %i, %f
  %m0 = fmul float %h, %c
  %s0 = fadd float %m0, %f
  %m1 = fmul float %s0, %c
  %s1 = fadd float %m1, %e
  %m2 = fmul float %s1, %c
  %s2 = fadd float %m2, %f
  %m3 = fmul float %s2, %c
  %s3 = fadd float %m3, %e
  %m4 = fmul float %s3, %c
  %s4 = fadd float %m4, %f
  %m5 = fmul float %s4, %c
  %s5 = fadd float %m5, %e
  %m6 = fmul float %s5, %c
  %s6 = fadd float %m6, %f
  %m7 = fmul float %s6, %c
  %s7 = fadd float %m7, %e
  %m8 = fmul float %s7, %c
  %s8 = fadd float %m8, %f
  %m9 = fmul float %s8, %c
  %s9 = fadd float %m9, %e
  %k = fdiv float %j, %s9
  %d = fadd float %k, %b
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %d, ptr addrspace(1) %py, align 4
  ret void
}
