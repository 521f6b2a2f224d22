; SPDX-License-Identifier: Apache-2.0
; Without gathers lanes take their own numbers and add them to the base: no vector of addresses is made
; to be taken apart again. Neighbours' numbers come from memory one by one.
; RUN: sl-opt -mcpu=x86-64-v3 -passes=default<O2>
; CHECK-LABEL: @count.kernel(
; CHECK-NOT: <8 x {{ptr|i64}}>
; CHECK-NOT: <8 x {{ptr|i64}}>
; CHECK-COUNT-8: load i8
; CHECK-NOT: <8 x {{ptr|i64}}>
; CHECK: ret void
; CHECK-LABEL: @gather.kernel(
; CHECK-NOT: <8 x {{ptr|i64}}>
; CHECK-COUNT-8: insertelement <8 x float>
; CHECK-NOT: <8 x {{ptr|i64}}>
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @gather(ptr addrspace(1) align 4 %y, ptr addrspace(1) align 4 %x, ptr addrspace(1) align 4 %at) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pat = getelementptr inbounds i32, ptr addrspace(1) %at, i64 %id
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %i = load i32, ptr addrspace(1) %pat, align 4
  %wide = sext i32 %i to i64
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %wide
  %v = load float, ptr addrspace(1) %px, align 4
  %a = fmul float %v, 3.0
  %b = fadd float %a, %v
  %c = fmul float %b, %a
  %d = fadd float %c, %v
  %e = fmul float %d, %c
  store float %e, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @count(ptr addrspace(1) align 4 %h, ptr addrspace(1) %x, ptr addrspace(3) align 4 %t) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %pt = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %l
  store i32 0, ptr addrspace(3) %pt, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %px = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %id
  %v = load i8, ptr addrspace(1) %px, align 1
  %i = zext i8 %v to i64
  %pc = getelementptr inbounds i32, ptr addrspace(3) %t, i64 %i
  %old = atomicrmw add ptr addrspace(3) %pc, i32 1 monotonic, align 4
  call spir_func void @_Z7barrierj(i32 1)
  %sum = load i32, ptr addrspace(3) %pt, align 4
  %ph = getelementptr inbounds i32, ptr addrspace(1) %h, i64 %l
  store i32 %sum, ptr addrspace(1) %ph, align 4
  ret void
}
