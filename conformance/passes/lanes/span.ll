; SPDX-License-Identifier: Apache-2.0
; Loads whose bytes lie side by side in each item, while the items are anywhere, are one load per item; what
; lies between them and is not loaded is not read.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.sqrt.f32(float)

; A store in between may change what comes behind it.
; CHECK-LABEL: define internal void @between.groups
; CHECK: @llvm.masked.gather.v16f32
; CHECK: @llvm.masked.store
; CHECK: @llvm.masked.gather.v16f32
; CHECK: ret void
define spir_kernel void @between(ptr addrspace(1) %y, ptr addrspace(1) %x, i64 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, %n
  %p0 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %row
  %v0 = load float, ptr addrspace(1) %p0, align 4
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %v0, ptr addrspace(1) %py, align 4
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 4
  %v1 = load float, ptr addrspace(1) %p1, align 4
  %a = fadd float %v0, %v1
  %b = fmul float %a, %v1
  %c = fadd float %b, %v0
  %d = call float @llvm.sqrt.f32(float %c)
  %e = fdiv float %d, %a
  %f = fmul float %e, %b
  %g = fadd float %f, %c
  %h = fmul float %g, %d
  %i = fadd float %h, %e
  %k = fmul float %i, %f
  store float %k, ptr addrspace(1) %py, align 4
  ret void
}

; Items that leave nothing between them are one run of memory.
; CHECK-LABEL: define internal void @dense.groups
; CHECK: load <128 x i32>, ptr %{{.*}}, align 4
; CHECK-COUNT-4: shufflevector <128 x i32>
; CHECK: call <128 x i32> @llvm.masked.load.v128i32.p0(ptr align 4
; CHECK-NOT: gather
; CHECK: ret void
define spir_kernel void @dense(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p0 = getelementptr inbounds [4 x <4 x i8>], ptr addrspace(1) %x, i64 %id
  %v0 = load <4 x i8>, ptr addrspace(1) %p0, align 4
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 4
  %v1 = load <4 x i8>, ptr addrspace(1) %p1, align 4
  %p2 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 8
  %v2 = load <4 x i8>, ptr addrspace(1) %p2, align 4
  %p3 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 12
  %v3 = load <4 x i8>, ptr addrspace(1) %p3, align 4
  %a = add <4 x i8> %v0, %v1
  %b = xor <4 x i8> %v2, %v3
  %c = add <4 x i8> %a, %b
  %w = bitcast <4 x i8> %c to i32
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  store i32 %w, ptr addrspace(1) %py, align 4
  ret void
}

; A word of bytes, and one byte behind a gap by itself.
; CHECK-LABEL: define internal void @gap.groups
; CHECK: @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 1
; CHECK: lshr <16 x i32> %{{.*}}, splat (i32 8)
; CHECK: @llvm.masked.gather.v16i32.v16p0(<16 x ptr> align 4
; CHECK: ret void
define spir_kernel void @gap(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, i64 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, %n
  %p0 = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %row
  %v0 = load i8, ptr addrspace(1) %p0, align 1
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 1
  %v1 = load i8, ptr addrspace(1) %p1, align 1
  %p2 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 2
  %v2 = load i8, ptr addrspace(1) %p2, align 1
  %p3 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 3
  %v3 = load i8, ptr addrspace(1) %p3, align 1
  %p5 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 5
  %v5 = load i8, ptr addrspace(1) %p5, align 1
  %a = add i8 %v0, %v1
  %b = xor i8 %a, %v2
  %c = add i8 %b, %v3
  %d = mul i8 %c, %v5
  %w = zext i8 %d to i32
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  store i32 %w, ptr addrspace(1) %py, align 4
  ret void
}

; Four words that are shifted apart; inactive lanes read what the first one does.
; CHECK-LABEL: define internal void @quads.groups
; CHECK-NOT: gather
; CHECK: select <16 x i1> %{{.*}}, <16 x i64>
; CHECK-COUNT-16: load <4 x i32>, ptr %{{.*}}, align 1
; CHECK-NOT: gather
; CHECK: shufflevector <16 x i32>
; CHECK: ret void
define spir_kernel void @quads(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, i64 %n) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %row = mul i64 %id, %n
  %p0 = getelementptr inbounds float, ptr addrspace(1) %x, i64 %row
  %v0 = load float, ptr addrspace(1) %p0, align 4
  %p1 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 4
  %v1 = load float, ptr addrspace(1) %p1, align 4
  %p2 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 8
  %v2 = load float, ptr addrspace(1) %p2, align 4
  %p3 = getelementptr inbounds i8, ptr addrspace(1) %p0, i64 12
  %v3 = load float, ptr addrspace(1) %p3, align 4
  %a = fadd float %v0, %v1
  %b = fadd float %a, %v2
  %c = fadd float %b, %v3
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  store float %c, ptr addrspace(1) %py, align 4
  ret void
}
