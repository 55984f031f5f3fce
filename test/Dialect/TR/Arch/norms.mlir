// SPDX-License-Identifier: Apache-2.0
// RUN: tr-opt %s --verify-roundtrip | FileCheck %s
// RUN: tr-translate --arch-to-yaml %s | tr-translate --yaml-to-arch | FileCheck %s

// CHECK-LABEL: @net
!t = tensor<?x4x4x6xf32>
tr.arch.network @net classes 10 {
^bb0(%x: !t):
  // CHECK: tr.arch.act %{{.+}} ["0"] <leaky_relu(0.2)> :
  %0 = tr.arch.act %x ["0"] <leaky_relu(0.2)> : !t -> !t
  // CHECK-NEXT: tr.arch.bn %{{.+}} ["1.bn"] eps 1.000000e-05 momentum 1.000000e+00 plain cumulative :
  %1 = tr.arch.bn %0 ["1.bn"] eps 1.0e-5 momentum 1.0 plain cumulative : !t -> !t
  // CHECK-NEXT: tr.arch.bn2d %{{.+}} ["2.bn"] eps 1.000000e-05 momentum 1.000000e-01 plain :
  %2 = tr.arch.bn2d %1 ["2.bn"] eps 1.0e-5 momentum 0.1 plain : !t -> !t
  // CHECK-NEXT: tr.arch.layer_norm %{{.+}} ["3.norm"] eps {{.*}}E-7 affine false :
  %3 = tr.arch.layer_norm %2 ["3.norm"] eps 1.0e-6 affine false : !t -> !t
  // CHECK-NEXT: tr.arch.group_norm %{{.+}} ["4.norm"] groups 3 eps 1.000000e-05 affine true :
  %4 = tr.arch.group_norm %3 ["4.norm"] groups 3 eps 1.0e-5 affine true : !t -> !t
  // CHECK-NEXT: tr.arch.prelu %{{.+}} ["5.prelu"] shared true init 2.500000e-01 :
  %5 = tr.arch.prelu %4 ["5.prelu"] shared true init 0.25 : !t -> !t
  // CHECK-NEXT: tr.arch.scale %{{.+}} ["6.scale"] init {{.*}}E-7 :
  %6 = tr.arch.scale %5 ["6.scale"] init 1.0e-6 : !t -> !t
  // CHECK-NEXT: tr.arch.dropout2d %{{.+}} ["7"] 1.000000e-01 :
  %7 = tr.arch.dropout2d %6 ["7"] 0.1 : !t -> !t
  // CHECK-NEXT: tr.arch.stochastic_depth %{{.+}} ["8"] 2.000000e-01 :
  %8 = tr.arch.stochastic_depth %7 ["8"] 0.2 : !t -> !t
  // CHECK-NEXT: tr.arch.cbr {{.*}} act <elu(0.5)> :
  %9 = tr.arch.cbr %8 ["9.conv", "9.bn"] <out = 6, kernel = [1, 1]> eps 1.0e-5 momentum 0.1 act <elu(0.5)> : !t -> !t
  tr.arch.yield %9 : !t
}
