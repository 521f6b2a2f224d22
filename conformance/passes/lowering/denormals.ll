; SPDX-License-Identifier: Apache-2.0
; Kernels that were built with -cl-denorms-are-zero run with denormals flushed (flag 2048), unless they
; compute with doubles, which keep theirs: in the kernel or in what it calls. Loading, converting and
; storing a double is no computation; and who did not ask has denormals.
; RUN: sl-opt -stage=denormals
; CHECK: ; kernel single flags 2048 local
; CHECK: ; kernel never_asked flags 0 local
; CHECK: ; kernel moves flags 2048 local
; CHECK: ; kernel by_itself flags 0 local
; CHECK: ; kernel in_vector flags 0 local
; CHECK: ; kernel calls_intrinsic flags 0 local
; CHECK: ; kernel in_function flags 0 local
target triple = "spir64-unknown-unknown"
declare <2 x double> @llvm.fabs.v2f64(<2 x double>)

define spir_kernel void @single(ptr addrspace(1) %x, float %f) #0 {
  %g = call spir_func float @twice(float %f)
  store float %g, ptr addrspace(1) %x
  ret void
}
define spir_kernel void @never_asked(ptr addrspace(1) %x, float %f) {
  %g = fadd float %f, %f
  store float %g, ptr addrspace(1) %x
  ret void
}
define spir_kernel void @moves(ptr addrspace(1) %x, float %f) #0 {
  %d = load double, ptr addrspace(1) %x
  %g = fptrunc double %d to float
  %s = fmul float %g, %f
  %e = fpext float %s to double
  store double %e, ptr addrspace(1) %x
  ret void
}
define spir_kernel void @by_itself(ptr addrspace(1) %x, double %d) #0 {
  %more = fcmp ogt double %d, 0.0
  store i1 %more, ptr addrspace(1) %x
  ret void
}
define spir_kernel void @in_vector(ptr addrspace(1) %x, <2 x double> %d) #0 {
  %s = fsub <2 x double> %d, %d
  store <2 x double> %s, ptr addrspace(1) %x
  ret void
}
define spir_kernel void @calls_intrinsic(ptr addrspace(1) %x, <2 x double> %d) #0 {
  %s = call <2 x double> @llvm.fabs.v2f64(<2 x double> %d)
  store <2 x double> %s, ptr addrspace(1) %x
  ret void
}
define spir_kernel void @in_function(ptr addrspace(1) %x, float %f) #0 {
  %g = call spir_func float @through(float %f)
  store float %g, ptr addrspace(1) %x
  ret void
}
define internal spir_func float @twice(float %f) {
  %s = fadd float %f, %f
  ret float %s
}
define internal spir_func float @through(float %f) {
  %g = call spir_func float @wide(float %f)
  ret float %g
}
define internal spir_func float @wide(float %f) {
  %d = fpext float %f to double
  %s = fmul double %d, %d
  %g = fptrunc double %s to float
  ret float %g
}
attributes #0 = { "sl-flush-denormals" }
