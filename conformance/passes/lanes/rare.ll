; SPDX-License-Identifier: Apache-2.0
; A builtin for rare arguments is one call of its version for as many lanes, which takes their mask, and is
; passed by where no lane has such an argument; items left of a row call the scalar one. Of what there is
; no version of, the lanes call the function in turn.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=work_group_regions
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @_Z8sl_rare_f(float) #0
declare <8 x float> @_Z8sl_rare_f.v8(<8 x float>, <8 x i1>) #0

; CHECK-LABEL: define internal void @has.groups(
; CHECK: %[[V:.*]] = load <8 x float>
; CHECK-NEXT: %[[LARGE:.*]] = fcmp ogt <8 x float> %[[V]]
; CHECK: %any = icmp ne i8
; CHECK-NEXT: br i1 %any, label %some, label %skip
; CHECK: %[[R:.*]] = call <8 x float> @_Z8sl_rare_f.v8(<8 x float> %[[V]], <8 x i1> %[[LARGE]])
; CHECK-NOT: call float @_Z8sl_rare_f(
; CHECK: rest:
; CHECK: call float @_Z8sl_rare_f(
; CHECK-LABEL: define internal void @lacks.groups(
; CHECK-NOT: .v8
; CHECK: ret void
declare float @_Z8sl_rare_g(float) #0
define spir_kernel void @has(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %p
  %large = fcmp ogt float %v, 1000.0
  br i1 %large, label %rare, label %done
rare:
  %r = call float @_Z8sl_rare_f(float %v)
  br label %done
done:
  %s = phi float [ %v, %0 ], [ %r, %rare ]
  %q = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %s, ptr addrspace(1) %q
  ret void
}
define spir_kernel void @lacks(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %p
  %s = call float @_Z8sl_rare_g(float %v)
  %q = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %s, ptr addrspace(1) %q
  ret void
}
attributes #0 = { nounwind memory(none) "sl-ready-code" }
