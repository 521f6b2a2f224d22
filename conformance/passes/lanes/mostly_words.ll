; SPDX-License-Identifier: Apache-2.0
; A long among words would make registers half as full: as many items as fill one with words go together, unless rows
; of groups may be short, or longs are much of it.
; RUN: sl-opt -mcpu=x86-64-v4 -remarks
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
@tile = internal addrspace(3) global [256 x float] poison

; CHECK-DAG: words: 16 items at once
define spir_kernel void @words(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o, ptr addrspace(1) noalias %places) {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pp = getelementptr i64, ptr addrspace(1) %places, i64 %x
  %place = load i64, ptr addrspace(1) %pp
  %short = trunc i64 %place to i32
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %pa
  %pt = getelementptr float, ptr addrspace(3) @tile, i64 %x
  store float %v, ptr addrspace(3) %pt
  call spir_func void @_Z7barrierj(i32 1)
  %first = load float, ptr addrspace(3) @tile
  %s0 = fmul float %v, %first
  %s1 = fadd float %s0, %v
  %s2 = fmul float %s1, %first
  %s3 = fadd float %s2, %s1
  %s4 = fmul float %s3, %s2
  %w = sitofp i32 %short to float
  %sum = fadd float %s4, %w
  %po = getelementptr float, ptr addrspace(1) %o, i64 %x
  store float %sum, ptr addrspace(1) %po
  ret void
}

; CHECK-DAG: tiles: 8 items at once
define spir_kernel void @tiles(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o, ptr addrspace(1) noalias %places) {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %y = call spir_func i64 @_Z12get_local_idj(i32 1)
  %row = mul i64 %y, 16
  %at = add i64 %row, %x
  %pp = getelementptr i64, ptr addrspace(1) %places, i64 %at
  %place = load i64, ptr addrspace(1) %pp
  %short = trunc i64 %place to i32
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %pa
  %pt = getelementptr float, ptr addrspace(3) @tile, i64 %at
  store float %v, ptr addrspace(3) %pt
  call spir_func void @_Z7barrierj(i32 1)
  %first = load float, ptr addrspace(3) @tile
  %s0 = fmul float %v, %first
  %s1 = fadd float %s0, %v
  %s2 = fmul float %s1, %first
  %s3 = fadd float %s2, %s1
  %s4 = fmul float %s3, %s2
  %w = sitofp i32 %short to float
  %sum = fadd float %s4, %w
  %po = getelementptr float, ptr addrspace(1) %o, i64 %at
  store float %sum, ptr addrspace(1) %po
  ret void
}

; CHECK-DAG: longs: 8 items at once
define spir_kernel void @longs(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o) {
  %x = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pa = getelementptr i64, ptr addrspace(1) %a, i64 %x
  %v = load i64, ptr addrspace(1) %pa
  %p0 = mul i64 %v, %v
  %p1 = xor i64 %p0, %v
  %p2 = mul i64 %p1, %p0
  %f = trunc i64 %p2 to i32
  %g = add i32 %f, 1
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %g, ptr addrspace(1) %po
  ret void
}
