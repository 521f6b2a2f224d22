; SPDX-License-Identifier: Apache-2.0
; With mask registers full vectors run without masks, and one masked vector takes the items left over, where
; code is straight or its loops end soon; a loop that stays one is there once, with masks, unless it stores
; neighbours' values.
; RUN: sl-opt -mcpu=x86-64-v4 -stage=work_group_regions
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define internal void @ends_soon.groups
; CHECK: load <16 x float>
; CHECK: fmul <16 x float>
; CHECK: store <16 x float>
; CHECK: call <16 x float> @llvm.masked.load
; CHECK: call void @llvm.masked.store
; CHECK-LABEL: define internal void @stays.groups
; CHECK-NOT: load <64 x float>
; CHECK: call <64 x float> @llvm.masked.load.v64f32
; CHECK-NOT: load <64 x float>
define spir_kernel void @ends_soon(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %id
  %v = load float, ptr addrspace(1) %p
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %x = phi float [ %v, %entry ], [ %t, %next ]
  %t = fmul float %x, %x
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, 16
  br i1 %more, label %next, label %end
end:
  %q = getelementptr float, ptr addrspace(1) %o, i64 %id
  store float %t, ptr addrspace(1) %q
  ret void
}

define spir_kernel void @stays(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o, i32 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %a, i64 %id
  %v = load float, ptr addrspace(1) %p
  br label %next
next:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %x = phi float [ %v, %entry ], [ %t, %next ]
  %t = fmul float %x, %x
  %k1 = add i32 %k, 1
  %more = icmp ult i32 %k1, %n
  br i1 %more, label %next, label %end
end:
  %q = getelementptr float, ptr addrspace(1) %o, i64 %id
  store float %t, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define internal void @stores.groups
; CHECK-NOT: @llvm.masked
; CHECK: store <[[N:[0-9]+]] x float>
; CHECK: call <[[N]] x float> @llvm.masked.load
; CHECK: call void @llvm.masked.store
define spir_kernel void @stores(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %o, i64 %n, i64 %pitch) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %x = phi float [ 1.0, %entry ], [ %t, %next ]
  %row = mul i64 %k, %pitch
  %at = add i64 %row, %id
  %p = getelementptr float, ptr addrspace(1) %a, i64 %at
  %v = load float, ptr addrspace(1) %p
  %t = fmul float %x, %v
  %q = getelementptr float, ptr addrspace(1) %o, i64 %at
  store float %t, ptr addrspace(1) %q
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  ret void
}
