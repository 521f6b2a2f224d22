; SPDX-License-Identifier: Apache-2.0
; Without mask registers the lanes that are still in a loop are signs of integers, as wide as what is
; compared; vectors of bits would be packed and unpacked at the end of each block.
; RUN: sl-opt -mcpu=x86-64-v3 -passes=default<O2>
; CHECK-LABEL: @k.kernel(
; CHECK-NOT: phi <16 x i1>
; CHECK: phi <16 x i32>
; CHECK-NOT: phi <16 x i1>
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) align 4 %y, ptr addrspace(1) align 4 %x, float %a) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %vx = load float, ptr addrspace(1) %px, align 4
  br label %loop
loop:
  %v = phi float [%vx, %0],[%v2,%loop]
  %i = phi i32 [0,%0],[%i2,%loop]
  %v2 = fmul float %v, %a
  %i2 = add i32 %i, 1
  %c = fcmp ogt float %v2, 1.0
  br i1 %c, label %loop, label %end
end:
  %f = sitofp i32 %i2 to float
  %c2 = fcmp ogt float %v2, 0.5
  br i1 %c2, label %st, label %ret
st:
  store float %f, ptr addrspace(1) %py, align 4
  br label %ret
ret:
  ret void
}
