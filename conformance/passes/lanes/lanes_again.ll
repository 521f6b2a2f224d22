; SPDX-License-Identifier: Apache-2.0
; An index is widened where it is used, from the numbers that it was the sum of: they are kept for
; that even if nothing else there names them. %least's block is skipped when no item wants it.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK: call <16 x i32> @llvm.masked.load
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %p, ptr addrspace(1) noalias %b) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %narrow = trunc i64 %id to i32
  %pa = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %id
  %va = load i32, ptr addrspace(1) %pa, align 4
  %some = icmp sgt i32 %va, 3
  br i1 %some, label %first, label %end
first:
  %least = load i32, ptr addrspace(1) %p, align 4
  %x = add nsw i32 %narrow, %least
  %pb = getelementptr inbounds i32, ptr addrspace(1) %b, i64 %id
  store i32 %x, ptr addrspace(1) %pb, align 4
  %few = icmp sgt i32 %va, 5
  br i1 %few, label %second, label %end
second:
  %i = sext i32 %x to i64
  %px = getelementptr inbounds i32, ptr addrspace(1) %a, i64 %i
  store i32 1, ptr addrspace(1) %px, align 4
  br label %end
end:
  ret void
}
