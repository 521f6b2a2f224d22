; SPDX-License-Identifier: Apache-2.0
; The last steps of a reduction fill no vector: half as many lanes do what is left, and half as many,
; the last item alone, so that no load waits for a store that was made under a mask. There is one
; vector of each at most, so only the whole ones have a loop.
; RUN: sl-opt -uniform -mcpu=x86-64-v4 -passes=default<O2>
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)


; CHECK-LABEL: define dso_local void @tree.kernel
; CHECK-NOT: masked
; CHECK: fadd <16 x float>
; CHECK-NOT: masked
; CHECK: !llvm.loop
; CHECK-NOT: {{masked|!llvm.loop}}
; CHECK: fadd <8 x float>
; CHECK-NOT: {{masked|!llvm.loop}}
; CHECK: fadd <4 x float>
; CHECK-NOT: {{masked|!llvm.loop}}
; CHECK: fadd <2 x float>
; CHECK-NOT: {{masked|!llvm.loop}}
; CHECK: fadd float
; CHECK-NOT: masked
; CHECK: ret void
define spir_kernel void @tree(ptr addrspace(3) align 4 %t, i32 %n) {
entry:
  %id = call spir_func i64 @_Z12get_local_idj(i32 0)
  %l = trunc i64 %id to i32
  call spir_func void @_Z7barrierj(i32 1)
  br label %head
head:
  %s = phi i32 [ %n, %entry ], [ %half, %next ]
  %mine = icmp ult i32 %l, %s
  br i1 %mine, label %add, label %next
add:
  %a = zext i32 %l to i64
  %other = add nuw i32 %l, %s
  %b = zext i32 %other to i64
  %pa = getelementptr inbounds float, ptr addrspace(3) %t, i64 %a
  %pb = getelementptr inbounds float, ptr addrspace(3) %t, i64 %b
  %va = load float, ptr addrspace(3) %pa, align 4
  %vb = load float, ptr addrspace(3) %pb, align 4
  %sum = fadd float %va, %vb
  store float %sum, ptr addrspace(3) %pa, align 4
  br label %next
next:
  call spir_func void @_Z7barrierj(i32 1)
  %half = lshr i32 %s, 1
  %more = icmp ugt i32 %half, 0
  br i1 %more, label %head, label %end
end:
  ret void
}
