; SPDX-License-Identifier: Apache-2.0
; A block that only some items run is skipped where no lane wants it if it has a division or a root in it,
; however short it is: the ways for numbers out of range in length() are such blocks. Others of its length
; are computed for nobody.
; RUN: sl-opt -mcpu=x86-64-v4
; CHECK-LABEL: define internal void @quotient.groups
; CHECK: fcmp olt <16 x float>
; CHECK: [[ANY:%any.*]] = icmp ne i16
; CHECK-NEXT: br i1 [[ANY]]
; CHECK: fdiv <16 x float>
; CHECK-LABEL: define internal void @root.groups
; CHECK: fcmp olt <16 x float>
; CHECK: [[ASK:%any.*]] = icmp ne i16
; CHECK-NEXT: br i1 [[ASK]]
; CHECK: llvm.sqrt.v16f32
; CHECK-LABEL: define internal void @sum.groups
; CHECK-NOT: icmp ne i16
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.sqrt.f32(float)

define spir_kernel void @root(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %pa
  %small = fcmp olt float %v, 1.0
  br i1 %small, label %some, label %end
some:
  %s = fmul float %v, 4.0
  %t = fadd float %s, %v
  %u = fmul float %t, %s
  %w = fadd float %u, %t
  %y = fmul float %w, %u
  %r = call float @llvm.sqrt.f32(float %y)
  br label %end
end:
  %q = phi float [ %v, %entry ], [ %r, %some ]
  %po = getelementptr float, ptr addrspace(1) %o, i64 %x
  store float %q, ptr addrspace(1) %po
  ret void
}

define spir_kernel void @quotient(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %pa
  %small = fcmp olt float %v, 1.0
  br i1 %small, label %some, label %end
some:
  %s = fmul float %v, 4.0
  %t = fadd float %s, %v
  %u = fmul float %t, %s
  %w = fadd float %u, %t
  %y = fmul float %w, %u
  %r = fdiv float 1.0, %y
  br label %end
end:
  %q = phi float [ %v, %entry ], [ %r, %some ]
  %po = getelementptr float, ptr addrspace(1) %o, i64 %x
  store float %q, ptr addrspace(1) %po
  ret void
}

define spir_kernel void @sum(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %x
  %v = load float, ptr addrspace(1) %pa
  %small = fcmp olt float %v, 1.0
  br i1 %small, label %some, label %end
some:
  %s = fmul float %v, 4.0
  %t = fadd float %s, %v
  %u = fmul float %t, %s
  %w = fadd float %u, %t
  %y = fmul float %w, %u
  %r = fadd float %y, 1.0
  br label %end
end:
  %q = phi float [ %v, %entry ], [ %r, %some ]
  %po = getelementptr float, ptr addrspace(1) %o, i64 %x
  store float %q, ptr addrspace(1) %po
  ret void
}
