; SPDX-License-Identifier: Apache-2.0
; Lanes that want a block get its value at its end: on the way around it there is neither a mask nor a blend,
; nor is anything kept from when the block ran last.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=early_blend
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @_Z8sl_rare_f(float) #0
declare float @_Z8sl_rare_g(float) #0
declare <16 x float> @_Z8sl_rare_f.v16(<16 x float>, <16 x i1>) #0
declare <16 x float> @_Z8sl_rare_g.v16(<16 x float>, <16 x i1>) #0

; CHECK-LABEL: define internal void @two.groups(
; CHECK: br i1 %any, label %some, label %skip
; CHECK: some:
; CHECK: %[[F:.*]] = call <16 x float> @_Z8sl_rare_f.v16(<16 x float> %[[V:.*]], <16 x i1> %[[M:.*]])
; CHECK: %[[G:.*]] = call <16 x float> @_Z8sl_rare_g.v16(
; CHECK: %[[BF:.*]] = select <16 x i1> %[[M]], <16 x float> %[[F]], <16 x float> %[[V]]
; CHECK: %[[BG:.*]] = select <16 x i1> %[[M]], <16 x float> %[[G]], <16 x float> %[[W:.*]]
; CHECK: skip:
; CHECK-DAG: = phi <16 x float> [ %[[BF]], %some ], [ %[[V]], %{{.*}} ]
; CHECK-DAG: = phi <16 x float> [ %[[BG]], %some ], [ %[[W]], %{{.*}} ]
; CHECK-NOT: select
; CHECK: store
; CHECK: ret void
define spir_kernel void @two(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %z) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %p
  %w = fmul float %v, 3.0
  %large = fcmp ogt float %v, 1000.0
  br i1 %large, label %rare, label %done
rare:
  %r = call float @_Z8sl_rare_f(float %v)
  %t = call float @_Z8sl_rare_g(float %v)
  br label %done
done:
  %s = phi float [ %v, %0 ], [ %r, %rare ]
  %u = phi float [ %w, %0 ], [ %t, %rare ]
  %q = getelementptr float, ptr addrspace(1) %y, i64 %id
  store float %s, ptr addrspace(1) %q
  %o = getelementptr float, ptr addrspace(1) %z, i64 %id
  store float %u, ptr addrspace(1) %o
  ret void
}
attributes #0 = { nounwind memory(none) "sl-ready-code" }
