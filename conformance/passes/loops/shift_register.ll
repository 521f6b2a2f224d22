; SPDX-License-Identifier: Apache-2.0
; A loop that moves an array on by one element is an addition to where the array begins, and a copy when the room
; ends. It stays a loop if items have ids, the array's address goes elsewhere, or elements are overwritten before
; they are read.
; RUN: sl-opt -mcpu=x86-64-v3 -stage=simplify
target triple = "spir64-unknown-unknown"
declare spir_func i64 @_Z13get_global_idj(i32)

; CHECK-LABEL: define {{.*}}@down(
; CHECK: alloca [{{[0-9]+}} x i8]
; CHECK-NOT: alloca
; CHECK: round:
; CHECK: put_back:
; CHECK: call void @llvm.memmove
; CHECK: slide:
; CHECK: add {{.*}}i64 %at{{[0-9]*}}, 4
; CHECK-NOT: memmove
; CHECK: ret void
define spir_kernel void @down(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %r = alloca [301 x i32]
  call void @llvm.memset.p0.i64(ptr %r, i8 0, i64 1204, i1 false)
  br label %round
round:
  %k = phi i64 [ 0, %entry ], [ %k1, %behind ]
  br label %move
move:
  %i = phi i64 [ 0, %round ], [ %i1, %move ]
  %i1 = add nuw nsw i64 %i, 1
  %from = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %i1
  %v = load i32, ptr %from
  %to = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %i
  store i32 %v, ptr %to
  %more = icmp ult i64 %i1, 300
  br i1 %more, label %move, label %behind
behind:
  %pin = getelementptr i32, ptr addrspace(1) %in, i64 %k
  %x = load i32, ptr addrspace(1) %pin
  %last = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 300
  store i32 %x, ptr %last
  %any = urem i32 %x, 301
  %anyl = zext i32 %any to i64
  %place = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %anyl
  %y = load i32, ptr %place
  %pout = getelementptr i32, ptr addrspace(1) %out, i64 %k
  store i32 %y, ptr addrspace(1) %pout
  %k1 = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %round, label %end
end:
  ret void
}

; CHECK-LABEL: define {{.*}}@smeared(
; CHECK: alloca [301 x i32]
; CHECK-NOT: slide:
; CHECK: ret void
define spir_kernel void @smeared(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %r = alloca [301 x i32]
  call void @llvm.memset.p0.i64(ptr %r, i8 0, i64 1204, i1 false)
  br label %round
round:
  %k = phi i64 [ 0, %entry ], [ %k1, %behind ]
  br label %move
move:
  %i = phi i64 [ 0, %round ], [ %i1, %move ]
  %i1 = add nuw nsw i64 %i, 1
  %from = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %i
  %v = load i32, ptr %from
  %to = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %i1
  store i32 %v, ptr %to
  %more = icmp ult i64 %i1, 300
  br i1 %more, label %move, label %behind
behind:
  %pin = getelementptr i32, ptr addrspace(1) %in, i64 %k
  %x = load i32, ptr addrspace(1) %pin
  %any = urem i32 %x, 301
  %anyl = zext i32 %any to i64
  %place = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %anyl
  store i32 %x, ptr %place
  %k1 = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %round, label %end
end:
  %first = load i32, ptr %r
  store i32 %first, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define {{.*}}@of_items(
; CHECK: alloca [301 x i32]
; CHECK-NOT: slide:
; CHECK: ret void
define spir_kernel void @of_items(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %r = alloca [301 x i32]
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  call void @llvm.memset.p0.i64(ptr %r, i8 0, i64 1204, i1 false)
  br label %round
round:
  %k = phi i64 [ 0, %entry ], [ %k1, %behind ]
  br label %move
move:
  %i = phi i64 [ 0, %round ], [ %i1, %move ]
  %i1 = add nuw nsw i64 %i, 1
  %from = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %i1
  %v = load i32, ptr %from
  %to = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %i
  store i32 %v, ptr %to
  %more = icmp ult i64 %i1, 300
  br i1 %more, label %move, label %behind
behind:
  %pin = getelementptr i32, ptr addrspace(1) %in, i64 %k
  %x = load i32, ptr addrspace(1) %pin
  %any = urem i32 %x, 301
  %anyl = zext i32 %any to i64
  %place = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %anyl
  store i32 %x, ptr %place
  %k1 = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %round, label %end
end:
  %first = load i32, ptr %r
  %pout = getelementptr i32, ptr addrspace(1) %out, i64 %id
  store i32 %first, ptr addrspace(1) %pout
  ret void
}

; CHECK-LABEL: define {{.*}}@chosen(
; CHECK-COUNT-2: alloca [301 x i32]
; CHECK-NOT: slide:
; CHECK: ret void
define spir_kernel void @chosen(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out, i64 %n) {
entry:
  %r = alloca [301 x i32]
  %s = alloca [301 x i32]
  call void @llvm.memset.p0.i64(ptr %r, i8 0, i64 1204, i1 false)
  call void @llvm.memset.p0.i64(ptr %s, i8 0, i64 1204, i1 false)
  br label %round
round:
  %k = phi i64 [ 0, %entry ], [ %k1, %behind ]
  br label %move
move:
  %i = phi i64 [ 0, %round ], [ %i1, %move ]
  %i1 = add nuw nsw i64 %i, 1
  %from = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %i1
  %v = load i32, ptr %from
  %to = getelementptr inbounds [301 x i32], ptr %r, i64 0, i64 %i
  store i32 %v, ptr %to
  %more = icmp ult i64 %i1, 300
  br i1 %more, label %move, label %behind
behind:
  %pin = getelementptr i32, ptr addrspace(1) %in, i64 %k
  %x = load i32, ptr addrspace(1) %pin
  %odd = trunc i32 %x to i1
  %which = select i1 %odd, ptr %r, ptr %s
  %any = urem i32 %x, 301
  %anyl = zext i32 %any to i64
  %place = getelementptr inbounds [301 x i32], ptr %which, i64 0, i64 %anyl
  store i32 %x, ptr %place
  %k1 = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %k1, %n
  br i1 %again, label %round, label %end
end:
  %first = load i32, ptr %r
  %second = load i32, ptr %s
  %both = add i32 %first, %second
  store i32 %both, ptr addrspace(1) %out
  ret void
}
