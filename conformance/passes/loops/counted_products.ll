; SPDX-License-Identifier: Apache-2.0
; The counter's product with what was loaded in front of the loop is added up; not where an address is made of
; it, nor with an argument, which all items share.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=simplify
; CHECK-LABEL: @loaded(
; CHECK: [[V:%[0-9a-z.]+]] = load i32
; CHECK: [[BY:%[0-9a-z.]+]] = mul i32 [[V]], 6
; CHECK: [[P:%[0-9a-z.]+]] = phi i32 [ %{{.*}}, %entry ], [ [[N:%[0-9a-z.]+]], %next ]
; CHECK: [[N]] = add i32 [[P]], [[BY]]
; CHECK: ret void
; CHECK-LABEL: @address(
; CHECK: next:
; CHECK: mul i32
; CHECK: ret void
; CHECK-LABEL: @shared(
; CHECK: next:
; CHECK: mul i32
; CHECK: ret void
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @loaded(ptr addrspace(1) %y, ptr addrspace(1) noalias %x, i32 %a) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %s = phi i32 [ 7, %entry ], [ %s1, %next ]
  %odd0 = mul i32 %k, 6
  %odd = add i32 %odd0, 1
  %p = mul i32 %odd, %v
  %q = xor i32 %s, %p
  %s1 = mul i32 %q, %q
  %k1 = add nuw nsw i32 %k, 1
  %over = icmp eq i32 %k1, 400
  br i1 %over, label %end, label %next
end:
  store i32 %s1, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @address(ptr addrspace(1) %y, ptr addrspace(1) noalias %x, i32 %a) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %s = phi i32 [ 7, %entry ], [ %s1, %next ]
  %odd0 = mul i32 %k, 6
  %odd = add i32 %odd0, 1
  %p = mul i32 %odd, %v
  %w = sext i32 %p to i64
  %pw = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %w
  %q = load i32, ptr addrspace(1) %pw, align 4
  %s1 = xor i32 %s, %q
  %k1 = add nuw nsw i32 %k, 1
  %over = icmp eq i32 %k1, 400
  br i1 %over, label %end, label %next
end:
  store i32 %s1, ptr addrspace(1) %py, align 4
  ret void
}
define spir_kernel void @shared(ptr addrspace(1) %y, ptr addrspace(1) noalias %x, i32 %a) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %px = getelementptr inbounds i32, ptr addrspace(1) %x, i64 %id
  %v = load i32, ptr addrspace(1) %px, align 4
  %py = getelementptr inbounds i32, ptr addrspace(1) %y, i64 %id
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %s = phi i32 [ 7, %entry ], [ %s1, %next ]
  %odd0 = mul i32 %k, 6
  %odd = add i32 %odd0, 1
  %p = mul i32 %odd, %a
  %q = xor i32 %s, %p
  %s1 = add i32 %q, %v
  %k1 = add nuw nsw i32 %k, 1
  %over = icmp eq i32 %k1, 400
  br i1 %over, label %end, label %next
end:
  store i32 %s1, ptr addrspace(1) %py, align 4
  ret void
}
