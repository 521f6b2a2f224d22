; SPDX-License-Identifier: Apache-2.0
; Three numbers in a register of four lanes, two in one: where somebody else's bits may lie behind them and
; they are computed with, also behind a phi, zeros are put there. What is only moved stays as it is, and so do
; results of arithmetic, single numbers in all lanes, and pairs that were loaded as such.
; RUN: sl-opt -O0 -then=unused_lanes
target triple = "spir64-unknown-unknown"
; CHECK-LABEL: define {{.*}}@k.groups(
; CHECK: [[R:%.*]] = load volatile <4 x float>
; CHECK-NEXT: [[NARROW:%.*]] = shufflevector <4 x float> [[R]], <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
; CHECK-NEXT: [[WIDE:%.*]] = shufflevector <3 x float> [[NARROW]], <3 x float> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK-NEXT: [[FENCE:%.*]] = call <4 x float> @llvm.arithmetic.fence.v4f32(<4 x float> [[WIDE]])
; CHECK-NEXT: [[OWN:%.*]] = shufflevector <4 x float> [[FENCE]], <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
; CHECK-NEXT: insertelement <3 x float> poison
; CHECK-NEXT: [[ALL:%.*]] = shufflevector <3 x float>
; CHECK-NEXT: [[SUM:%.*]] = fadd <3 x float> [[OWN]], [[ALL]]
; CHECK-NEXT: call <3 x float> @llvm.sqrt.v3f32(<3 x float> [[SUM]])
; CHECK: [[PAIR:%.*]] = shufflevector <4 x float> [[R]], <4 x float> poison, <2 x i32> <i32 0, i32 1>
; CHECK-NEXT: shufflevector <2 x float> [[PAIR]], <2 x float> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 2>
; CHECK-NEXT: call <4 x float> @llvm.arithmetic.fence.v4f32
; CHECK: [[LOADED:%.*]] = load volatile <2 x float>
; CHECK-NEXT: fadd <2 x float> [[LOADED]], [[LOADED]]
; CHECK: [[MOVED:%.*]] = shufflevector <4 x float> [[R]], <4 x float> poison, <3 x i32> <i32 2, i32 1, i32 0>
; CHECK-NEXT: store volatile <3 x float> [[MOVED]]
; CHECK: [[DOUBLES:%.*]] = load volatile <3 x double>
; CHECK-NEXT: shufflevector <3 x double> [[DOUBLES]], <3 x double> zeroinitializer, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK-NEXT: call <4 x double> @llvm.arithmetic.fence.v4f64
; CHECK: fmul <3 x double>
; CHECK: ret void
declare <3 x float> @llvm.sqrt.v3f32(<3 x float>)
define spir_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, float %x, i32 %n) {
entry:
  %r = load volatile <4 x float>, ptr addrspace(1) %p
  %narrow = shufflevector <4 x float> %r, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %one = insertelement <3 x float> poison, float %x, i32 0
  %all = shufflevector <3 x float> %one, <3 x float> poison, <3 x i32> zeroinitializer
  %sum = fadd <3 x float> %narrow, %all
  %root = call <3 x float> @llvm.sqrt.v3f32(<3 x float> %sum)
  store volatile <3 x float> %root, ptr addrspace(1) %q
  %pair = shufflevector <4 x float> %r, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %twice = fmul <2 x float> %pair, %pair
  store volatile <2 x float> %twice, ptr addrspace(1) %q
  %loaded = load volatile <2 x float>, ptr addrspace(1) %p
  %loaded.twice = fadd <2 x float> %loaded, %loaded
  store volatile <2 x float> %loaded.twice, ptr addrspace(1) %q
  %moved = shufflevector <4 x float> %r, <4 x float> poison, <3 x i32> <i32 2, i32 1, i32 0>
  store volatile <3 x float> %moved, ptr addrspace(1) %q
  %doubles = load volatile <3 x double>, ptr addrspace(1) %p
  %ask = icmp eq i32 %n, 0
  br i1 %ask, label %then, label %join
then:
  br label %join
join:
  %either = phi <3 x double> [ %doubles, %entry ], [ splat (double 1.0), %then ]
  %product = fmul <3 x double> %either, %either
  store volatile <3 x double> %product, ptr addrspace(1) %q
  ret void
}
