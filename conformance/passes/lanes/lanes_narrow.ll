; SPDX-License-Identifier: Apache-2.0
; A loop that only waits for its own result takes eight registers per value; one register per value takes
; most of the items that are left over, and the last ones are one under a mask. A loop that loads takes four, and
; no vectors but these.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fma.f32(float, float, float)

; CHECK-LABEL: define internal void @loads.groups
; CHECK: call <32 x float> @llvm.fma
; CHECK-NOT: <8 x float>
; CHECK: ret void
define spir_kernel void @loads(ptr addrspace(1) %a, ptr addrspace(1) %o, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %x = phi float [ 1.0, %entry ], [ %y, %next ]
  %pk = getelementptr float, ptr addrspace(1) %pa, i64 %k
  %v = load float, ptr addrspace(1) %pk
  %y = call float @llvm.fma.f32(float %x, float %v, float 0.5)
  %k1 = add nuw i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  store float %y, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @waits.groups
; CHECK: call <64 x float> @llvm.fma
; CHECK: call <8 x float> @llvm.fma
; CHECK: %mask = bitcast i8 {{.*}} to <8 x i1>
; CHECK: call <8 x float> @llvm.fma
; CHECK: ret void
define spir_kernel void @waits(ptr addrspace(1) %a, ptr addrspace(1) %o, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %v = load float, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %x = phi float [ %v, %entry ], [ %y, %next ]
  %y = call float @llvm.fma.f32(float %x, float 0.75, float 0.5)
  %k1 = add nuw i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  store float %y, ptr addrspace(1) %po
  ret void
}
