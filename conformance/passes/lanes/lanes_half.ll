; SPDX-License-Identifier: Apache-2.0
; Half kernels are computed in vectors too, divergent branches and a store under a mask included;
; code generation puts conversions to float around each operation.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK: ; kernel k flags 4
; CHECK: call <32 x half> @llvm.masked.load
; CHECK: fmul <32 x half>
; CHECK: fcmp ogt <32 x half>
; CHECK: call void @llvm.masked.store.v32f16
; CHECK-NOT: load half
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
