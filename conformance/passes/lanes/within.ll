; SPDX-License-Identifier: Apache-2.0
; A sum of ids that does not wrap, masked to 32 bits, in a kernel with a border: the inner part of a
; row has no number that the mask would cut, so its vectors do not ask, as those at the border do.
; One that is computed for some of the items may be anything for the others, and is asked.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
; CHECK-LABEL: @some.kernel(
; CHECK: llvm.masked.scatter
; CHECK: !sl.second.way
; CHECK: llvm.masked.scatter
; CHECK: ret void
; CHECK-LABEL: @sums.kernel(
; CHECK: !sl.second.way
; CHECK: llvm.masked.scatter
; CHECK: {{^}}x{{[0-9]+}}
; CHECK-NOT: {{second.way|masked}}
; CHECK: {{ }}store <16 x i32>
; CHECK-NOT: {{second.way|masked}}
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @sums(ptr addrspace(1) %o, i64 %w) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %row = shl nuw nsw i64 %y, 10
  %sum = add nuw nsw i64 %row, %x
  %at = and i64 %sum, 4294967295
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %at
  %first = icmp eq i64 %x, 0
  %end = icmp eq i64 %x, %w
  %outside = or i1 %first, %end
  br i1 %outside, label %border, label %inside
border:
  store i32 1, ptr addrspace(1) %p, align 4
  br label %done
inside:
  %before = getelementptr i8, ptr addrspace(1) %p, i64 -4
  %v = load i32, ptr addrspace(1) %before, align 4
  %v3 = mul i32 %v, 3
  store i32 %v3, ptr addrspace(1) %p, align 4
  br label %done
done:
  ret void
}
define spir_kernel void @some(ptr addrspace(1) %o, i64 %w) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %first = icmp eq i64 %x, 0
  %end = icmp eq i64 %x, %w
  %outside = or i1 %first, %end
  br i1 %outside, label %done, label %inside
inside:
  %row = shl nuw nsw i64 %y, 10
  %sum = add nuw nsw i64 %row, %x
  %at = and i64 %sum, 4294967295
  %p = getelementptr i32, ptr addrspace(1) %o, i64 %at
  store i32 2, ptr addrspace(1) %p, align 4
  br label %done
done:
  ret void
}
