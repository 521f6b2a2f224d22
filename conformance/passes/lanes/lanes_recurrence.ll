; SPDX-License-Identifier: Apache-2.0
; A loop whose results wait for each other takes several registers per value, as many as fill the
; machine: what counts is what the next turn waits for. One in which enough goes on at once does not,
; nor does a loop that loads.
; RUN: sl-opt -mcpu=x86-64-v4
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare i32 @llvm.fshl.i32(i32, i32, i32)

; One number alone.
; CHECK-LABEL: define internal void @alone.groups
; CHECK: <64 x i32>
; CHECK: ret void
define spir_kernel void @alone(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p = phi i32 [ %v, %entry ], [ %q, %next ]
  %t = mul i32 %p, 1664525
  %q = add i32 %t, 1013904223
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %next, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %q, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @loads.groups
; CHECK: <16 x i32>
; CHECK-NOT: <32 x i32>
; CHECK: ret void
define spir_kernel void @loads(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %p = phi i32 [ 1, %entry ], [ %q, %next ]
  %q = phi i32 [ 2, %entry ], [ %s, %next ]
  %pk = getelementptr i32, ptr addrspace(1) %pa, i64 %k
  %v = load i32, ptr addrspace(1) %pk
  %t = add i32 %p, %v
  %s = xor i32 %q, %t
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, 64
  br i1 %more, label %next, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %s, ptr addrspace(1) %po
  ret void
}

; A turn takes long, but the next one waits for the sum alone.
; CHECK-LABEL: define internal void @overlaps.groups
; CHECK-NOT: <32 x i32>
; CHECK-NOT: <64 x i32>
; CHECK: ret void
define spir_kernel void @overlaps(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p = phi i32 [ %v, %entry ], [ %q, %next ]
  %a1 = xor i32 %v, %k
  %a2 = mul i32 %a1, 77
  %a3 = xor i32 %a2, %v
  %a4 = mul i32 %a3, 79
  %a5 = lshr i32 %a4, 3
  %a6 = mul i32 %a5, 81
  %q = add i32 %p, %a6
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %next, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %q, ptr addrspace(1) %po
  ret void
}

; CHECK-LABEL: define internal void @waits.groups
; CHECK: <64 x i32>
; CHECK: ret void
define spir_kernel void @waits(ptr addrspace(1) %a, ptr addrspace(1) %o) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %pa = getelementptr i32, ptr addrspace(1) %a, i64 %x
  %v = load i32, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %p = phi i32 [ 1, %entry ], [ %q, %next ]
  %q = phi i32 [ 2, %entry ], [ %s, %next ]
  %t = add i32 %p, %v
  %u = add i32 %t, %q
  %w = xor i32 %u, %v
  %r = call i32 @llvm.fshl.i32(i32 %w, i32 %w, i32 7)
  %s = add i32 %r, %q
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 64
  br i1 %more, label %next, label %end
end:
  %po = getelementptr i32, ptr addrspace(1) %o, i64 %x
  store i32 %s, ptr addrspace(1) %po
  ret void
}
