; SPDX-License-Identifier: Apache-2.0
; What LLVM makes of a sum over a loop has a bit more than the sum: it is computed by lanes like the rest. What a
; program keeps in more than 64 bits is not.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK: define {{.*}}@kept.kernel
; CHECK-NOT: x i128>
; CHECK: define {{.*}}@sum.kernel
; CHECK: mul <8 x i65>
; CHECK: call void @llvm.masked.store
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @sum(ptr addrspace(1) align 8 %o, ptr addrspace(1) align 8 %n) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pn = getelementptr inbounds i64, ptr addrspace(1) %n, i64 %i
  %v = load i64, ptr addrspace(1) %pn, align 8
  %less = add i64 %v, -1
  %a = zext i64 %v to i65
  %b = zext i64 %less to i65
  %m = mul i65 %a, %b
  %h = lshr i65 %m, 1
  %s = trunc i65 %h to i64
  %po = getelementptr inbounds i64, ptr addrspace(1) %o, i64 %i
  store i64 %s, ptr addrspace(1) %po, align 8
  ret void
}
define spir_kernel void @kept(ptr addrspace(1) align 16 %o, ptr addrspace(1) align 16 %n) {
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pn = getelementptr inbounds i128, ptr addrspace(1) %n, i64 %i
  %v = load i128, ptr addrspace(1) %pn, align 16
  %m = mul i128 %v, %v
  %po = getelementptr inbounds i128, ptr addrspace(1) %o, i64 %i
  store i128 %m, ptr addrspace(1) %po, align 16
  ret void
}
