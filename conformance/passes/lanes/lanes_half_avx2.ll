; SPDX-License-Identifier: Apache-2.0
; lanes_half.ll for AVX2: full vectors without a mask, the items left over in turn.
; RUN: sl-opt -mcpu=x86-64-v3 -passes=default<O2>
; CHECK: ; kernel k flags 4
; CHECK: load <16 x half>
; CHECK: fmul <16 x half>
; CHECK: fcmp ogt <16 x half>
; CHECK: store <16 x half>
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) align 2 %y, ptr addrspace(1) align 2 %x, half %a) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds half, ptr addrspace(1) %x, i64 %id
  %vx = load half, ptr addrspace(1) %px, align 2
  %p = fmul half %vx, %a
  %large = fcmp ogt half %p, 0xH3C00
  br i1 %large, label %store, label %end
store:
  %py = getelementptr inbounds half, ptr addrspace(1) %y, i64 %id
  store half %p, ptr addrspace(1) %py, align 2
  br label %end
end:
  ret void
}
