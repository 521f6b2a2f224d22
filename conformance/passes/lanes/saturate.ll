; SPDX-License-Identifier: Apache-2.0
; Saturating conversions are comparisons and selections of whole vectors. Where both ends are numbers of
; the floating point type the value is brought between them, and NaN, which goes to the low end, is looked
; after if that is not 0. The upper end of 32 bits is no float: what is not below 2^31 is that end.
; RUN: sl-opt -mcpu=x86-64-v3
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i16 @llvm.fptoui.sat.i16.f32(float)
declare i32 @llvm.fptosi.sat.i32.f32(float)

; CHECK-NOT: call {{.*}}@llvm.fptosi.sat{{.*}}(<
; CHECK-LABEL: define internal void @bytes.groups(
; CHECK: %[[V:.*]] = load <8 x float>
; CHECK-NEXT: %[[ABOVE:.*]] = fcmp ogt <8 x float> %[[V]], splat (float -1.280000e+02)
; CHECK-NEXT: %[[LOW:.*]] = select <8 x i1> %[[ABOVE]], <8 x float> %[[V]], <8 x float> splat (float -1.280000e+02)
; CHECK-NEXT: %[[BELOW:.*]] = fcmp olt <8 x float> %[[LOW]], splat (float 1.270000e+02)
; CHECK-NEXT: select <8 x i1> %[[BELOW]], <8 x float> %[[LOW]], <8 x float> splat (float 1.270000e+02)
; CHECK: %[[NAN:.*]] = fcmp uno <8 x float> %[[V]], %[[V]]
; CHECK-NEXT: select <8 x i1> %[[NAN]], <8 x i8> zeroinitializer, <8 x i8>
define spir_kernel void @bytes(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %p
  %s = call i8 @llvm.fptosi.sat.i8.f32(float %v)
  %q = getelementptr i8, ptr addrspace(1) %y, i64 %id
  store i8 %s, ptr addrspace(1) %q
  ret void
}
; CHECK-LABEL: define internal void @shorts.groups(
; CHECK: fcmp ogt <8 x float> %{{.*}}, zeroinitializer
; CHECK: fcmp olt <8 x float> %{{.*}}, splat (float 6.553500e+04)
; CHECK-NOT: fcmp uno
; CHECK: rest:
define spir_kernel void @shorts(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %p
  %s = call i16 @llvm.fptoui.sat.i16.f32(float %v)
  %q = getelementptr i16, ptr addrspace(1) %y, i64 %id
  store i16 %s, ptr addrspace(1) %q
  ret void
}
; CHECK-LABEL: define internal void @words.groups(
; CHECK: %[[V:.*]] = load <8 x float>
; CHECK-NEXT: %[[END:.*]] = fcmp oge <8 x float> %[[V]], splat (float 0x41E0000000000000)
; CHECK: %[[FITS:.*]] = and <8 x i1>
; CHECK-NEXT: %[[X:.*]] = select <8 x i1> %[[FITS]], <8 x float> %[[V]], <8 x float> zeroinitializer
; CHECK-NEXT: fptosi <8 x float> %[[X]]
; CHECK-NEXT: select <8 x i1> %[[END]], <8 x i32> splat (i32 2147483647),
; CHECK-NEXT: fcmp olt <8 x float> %[[V]], splat (float 0xC1E0000000000000)
; CHECK-NEXT: select {{.*}} <8 x i32> splat (i32 -2147483648),
define spir_kernel void @words(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %y) {
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr float, ptr addrspace(1) %x, i64 %id
  %v = load float, ptr addrspace(1) %p
  %s = call i32 @llvm.fptosi.sat.i32.f32(float %v)
  %q = getelementptr i32, ptr addrspace(1) %y, i64 %id
  store i32 %s, ptr addrspace(1) %q
  ret void
}
