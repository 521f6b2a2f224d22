; SPDX-License-Identifier: Apache-2.0
; Vectors of a row all of whose items are inside of a border run without its branch and without masks;
; those in front of them and behind share a loop, and are asked item by item. Of two branches,
; one on data and one on ids, the latter is known there.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK-LABEL: @both.kernel(
; CHECK: llvm.masked.load
; CHECK: icmp {{.*}} <16 x i32>
; CHECK: load <16 x float>
; CHECK-NOT: icmp {{.*}} <16 x i32>
; CHECK: ret void
; CHECK-LABEL: @stencil.kernel(
; CHECK: icmp {{.*}} <16 x i32>
; CHECK: llvm.masked.load
; CHECK: llvm.masked.store
; CHECK-NOT: masked
; CHECK-NOT: icmp {{.*}} <16 x i32>
; CHECK: load <16 x float>
; CHECK: load <16 x float>
; CHECK: {{ }}store <16 x float>
; CHECK-NOT: masked
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @stencil(ptr addrspace(1) %a, ptr addrspace(1) %o, i32 %w) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %last = sub nsw i32 %w, 1
  %first = icmp eq i32 %x, 0
  %end = icmp eq i32 %x, %last
  %outside = or i1 %first, %end
  br i1 %outside, label %border, label %inside
border:
  %c = load float, ptr addrspace(1) %pa, align 4
  store float %c, ptr addrspace(1) %po, align 4
  br label %done
inside:
  %pl = getelementptr i8, ptr addrspace(1) %pa, i64 -4
  %pr = getelementptr i8, ptr addrspace(1) %pa, i64 4
  %l = load float, ptr addrspace(1) %pl, align 4
  %r = load float, ptr addrspace(1) %pr, align 4
  %s = fadd float %l, %r
  store float %s, ptr addrspace(1) %po, align 4
  br label %done
done:
  ret void
}
define spir_kernel void @both(ptr addrspace(1) %a, ptr addrspace(1) %o, float %m, i32 %w) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %x = trunc i64 %id to i32
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %id
  %po = getelementptr float, ptr addrspace(1) %o, i64 %id
  %c = load float, ptr addrspace(1) %pa, align 4
  %small = fcmp olt float %c, %m
  br i1 %small, label %one, label %done
one:
  store float %m, ptr addrspace(1) %po, align 4
  %left = icmp ult i32 %x, %w
  br i1 %left, label %two, label %done
two:
  store float %c, ptr addrspace(1) %pa, align 4
  br label %done
done:
  ret void
}
