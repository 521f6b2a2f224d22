; SPDX-License-Identifier: Apache-2.0
; Across a barrier: a loaded value takes context, what ids and arguments give is computed anew, and
; truth is kept in a byte.
; RUN: sl-opt
; CHECK: ; kernel k flags 2 local 64 per_item 5
target triple = "spir64-unknown-unknown"
@k.s = internal addrspace(3) global [16 x i32] undef, align 4
declare spir_func i64 @_Z12get_local_idj(i32)
declare spir_func void @_Z7barrierj(i32)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, i64 %n) {
  %l = call spir_func i64 @_Z12get_local_idj(i32 0)
  %i = add i64 %l, %n
  %p = getelementptr i32, ptr addrspace(1) %in, i64 %i
  %v = load i32, ptr addrspace(1) %p
  %q = getelementptr [16 x i32], ptr addrspace(3) @k.s, i64 0, i64 %l
  %w = load i32, ptr addrspace(1) %in
  store i32 %w, ptr addrspace(3) %q
  %t = icmp sgt i32 %w, 3
  call spir_func void @_Z7barrierj(i32 1)
  %r = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %sum = select i1 %t, i32 %v, i32 7
  store i32 %sum, ptr addrspace(1) %r
  ret void
}
