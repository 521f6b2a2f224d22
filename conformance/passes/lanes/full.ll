; SPDX-License-Identifier: Apache-2.0
; Without mask registers full vectors run without masks, and the items left over one by one. What a
; branch parts runs without masks too if it parts none of the lanes. Others may own the bytes of
; lanes that do not run: nothing is written there.
; RUN: sl-opt -mcpu=x86-64-v3 -passes=default<O2>
; CHECK-LABEL: @bytes.kernel(
; CHECK-NOT: masked.store
; CHECK: store <32 x i8>
; CHECK: store i8
; CHECK-LABEL: @parted.kernel(
; CHECK: store <8 x float>
; CHECK: call void @llvm.masked.store.v8f32
; CHECK: store float
; CHECK-LABEL: @straight.kernel(
; CHECK-NOT: masked
; CHECK: load <8 x float>
; CHECK: fmul <8 x float>
; CHECK: store <8 x float>
; CHECK-NOT: masked
; CHECK: load float
; CHECK: fmul float
; CHECK-NOT: vector.body
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @straight(ptr addrspace(1) align 4 %y, ptr addrspace(1) align 4 %x, float %a) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %vx = load float, ptr addrspace(1) %px, align 4
  %p = fmul float %vx, %a
  store float %p, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @parted(ptr addrspace(1) align 4 %y, ptr addrspace(1) align 4 %x, float %a) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %id
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %id
  %vx = load float, ptr addrspace(1) %px, align 4
  %more = fcmp ogt float %vx, %a
  br i1 %more, label %some, label %end
some:
  %p = fmul float %vx, %a
  store float %p, ptr addrspace(1) %py, align 4
  br label %end
end:
  ret void
}
define spir_kernel void @bytes(ptr addrspace(1) %y, ptr addrspace(1) %x, i8 %a) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %id
  %py = getelementptr inbounds i8, ptr addrspace(1) %y, i64 %id
  %vx = load i8, ptr addrspace(1) %px
  %more = icmp ugt i8 %vx, %a
  br i1 %more, label %some, label %end
some:
  %p = add i8 %vx, %a
  store i8 %p, ptr addrspace(1) %py
  br label %end
end:
  ret void
}
