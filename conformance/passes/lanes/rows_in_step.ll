; SPDX-License-Identifier: Apache-2.0
; A product of matrices takes several rows in step: the second matrix is loaded once for all of
; them, the sums are apart. Rows that are left over run in turn behind it; so does a kernel whose
; rows leave its loop at different times, and one that all of its rows store to.
; RUN: sl-opt -mcpu=x86-64-v4 -passes=default<O2>
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare float @llvm.fmuladd.f32(float, float, float)

; CHECK-LABEL: define dso_local void @at_one_place.kernel
; CHECK: phi <{{[0-9]+}} x float>
; CHECK-NOT: phi <{{[0-9]+}} x float>
; CHECK: ret void
define spir_kernel void @at_one_place(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %w) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %y
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %x
  %va = load float, ptr addrspace(1) %pa
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %s = phi float [ %va, %entry ], [ %t, %next ]
  %kw = mul i64 %k, %w
  %pbk = getelementptr float, ptr addrspace(1) %pb, i64 %kw
  %vb = load float, ptr addrspace(1) %pbk
  %t = call float @llvm.fmuladd.f32(float %s, float %vb, float %s)
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %x
  store float %t, ptr addrspace(1) %pc
  ret void
}

; CHECK-LABEL: define dso_local void @lengths.kernel
; CHECK: phi <{{[0-9]+}} x float>
; CHECK-NOT: phi <{{[0-9]+}} x float>
; CHECK: ret void
define spir_kernel void @lengths(ptr addrspace(1) %n, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %w) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %pn = getelementptr i64, ptr addrspace(1) %n, i64 %y
  %m = load i64, ptr addrspace(1) %pn
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %x
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %s = phi float [ 0.0, %entry ], [ %t, %next ]
  %kw = mul i64 %k, %w
  %pbk = getelementptr float, ptr addrspace(1) %pb, i64 %kw
  %vb = load float, ptr addrspace(1) %pbk
  %t = call float @llvm.fmuladd.f32(float %s, float %vb, float %s)
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %m
  br i1 %more, label %next, label %end
end:
  %yw = mul i64 %y, %w
  %to = add i64 %yw, %x
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %to
  store float %t, ptr addrspace(1) %pc
  ret void
}

; CHECK-LABEL: define dso_local void @product.kernel
; CHECK: and i64 %{{.*}}, 3
; CHECK: phi <64 x float>
; CHECK-NEXT: phi <64 x float>
; CHECK-NEXT: phi <64 x float>
; CHECK-NEXT: phi <64 x float>
; CHECK-NOT: phi
; CHECK: call <64 x float> @llvm.masked.load
; CHECK-COUNT-4: call <64 x float> @llvm.fmuladd
; CHECK-COUNT-4: call void @llvm.masked.store
; CHECK: phi <64 x float>
; CHECK-NOT: phi <64 x float>
; CHECK: ret void
define spir_kernel void @product(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c, i64 %n, i64 %w) {
entry:
  %x = call spir_func i64 @_Z13get_global_idj(i32 0)
  %y = call spir_func i64 @_Z13get_global_idj(i32 1)
  %row = mul i64 %y, %n
  %pa = getelementptr float, ptr addrspace(1) %a, i64 %row
  %pb = getelementptr float, ptr addrspace(1) %b, i64 %x
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k1, %next ]
  %s = phi float [ 0.0, %entry ], [ %t, %next ]
  %pak = getelementptr float, ptr addrspace(1) %pa, i64 %k
  %va = load float, ptr addrspace(1) %pak
  %kw = mul i64 %k, %w
  %pbk = getelementptr float, ptr addrspace(1) %pb, i64 %kw
  %vb = load float, ptr addrspace(1) %pbk
  %t = call float @llvm.fmuladd.f32(float %va, float %vb, float %s)
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, %n
  br i1 %more, label %next, label %end
end:
  %yw = mul i64 %y, %w
  %to = add i64 %yw, %x
  %pc = getelementptr float, ptr addrspace(1) %c, i64 %to
  store float %t, ptr addrspace(1) %pc
  ret void
}
