#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds projects outside with an installed package: each component alone, an own layer, an own pass,
# an own opt tool, training from C++ and serving from C, another compiler. usage: use_package.sh PREFIX WORK
# WORK holds copies of docs/examples and test/Package.
set -euo pipefail
prefix=$1 work=$2
test -s "$prefix/share/man/man1/tr-compile.1"

# usage: build_example NAME BUILD_TYPE; "" has assertions, and no debug information that takes time
build_example() {
  cmake -G Ninja -S "$work/examples/$1" -B "$work/build-$1" -DCMAKE_BUILD_TYPE="$2" \
    -DCMAKE_PREFIX_PATH="$prefix" >"$work/configure.log"
  cmake --build "$work/build-$1" --parallel 2 >"$work/build.log" ||
    { cat "$work/build.log"; exit 1; }
}

"$work/Package/components.sh" "$prefix" "$work"

build_example own-layer ""
"$work/build-own-layer/own-opt" "$work/Package/own.mlir" \
  --pass-pipeline='builtin.module(tr.arch.network(own-replace-relu,tr-verify-arch))' >"$work/own.mlir"
grep -q 'own.residual_unit %.* \["1"\]' "$work/own.mlir"
"$work/build-own-layer/own-train" | tee "$work/train.log"
awk '/^step 0:/ { first = $4 } /^step 59:/ { last = $4; if (last + 0 < 0.5 * first) ++down }
     /moved/ { moved += $NF != 0 } /^the own kernel ran/ { ran = $5 }
     END { exit !(down == 2 && moved == 2 && ran > 0) }' "$work/train.log" ||
  { echo "error: training did not bring the loss down twice, an own weight did not move, or the own" \
      "kernel did not run"; exit 1; }

# Embedding: a network in C++ is compiled and trained, a C program serves it.
build_example embed Release
(cd "$work/build-embed" && ./train && ./serve) | tee "$work/serve.log"
for third in 0 1 2; do
  grep -q "third $third is bright: class $third" "$work/serve.log"
done

# Another compiler: from its dialect through its driver to a plan, which a C program trains and asks.
# A layer of its own and the same sum in layers of Renaissance learn alike.
build_example other-compiler ""
other="$work/build-other-compiler" stripes="$work/examples/other-compiler/stripes.mlir"
for plain in "" --plain; do
  "$other/vision-compile" "$stripes" -o "$work/stripes$plain.plan" $plain
  "$other/classify" "$work/stripes$plain.plan" | tee "$work/stripes$plain.log"
  for third in 0 1 2; do
    grep -q "third $third is bright: class $third" "$work/stripes$plain.log"
  done
done
"$other/vision-compile" "$stripes" -o "$work/unused.plan" --mlir-print-ir-after-all 2>"$work/ir.log"
grep -q 'vision.sum_relu %.* \["body"\]' "$work/ir.log"
paste -d ' ' "$work/stripes.log" "$work/stripes--plain.log" |
  awk '/^step/ { a = $4; b = $8; d = a > b ? a - b : b - a; if (d > 1e-3 * b) bad = 1; ++steps }
       /^step 0:/ { first = a } /^step 99:/ { last = a }
       END { exit !(steps == 3 && !bad && last < 0.5 * first) }' ||
  { echo "error: training did not bring the loss down, or the two sums do not learn alike"; exit 1; }
# A fault is reported at the step that it comes from, and there is no plan.
cat >"$work/small.mlir" <<'END'
vision.classifier @small image [3, 3, 1] classes 3 {
^bb0(%image: !vision.map):
  %half = vision.halve %image "half"
  %quarter = vision.halve %half "quarter"
  vision.decide %quarter "head"
}
END
if "$other/vision-compile" "$work/small.mlir" -o "$work/small.plan" 2>"$work/small.log" ||
  ! grep -q "small.mlir:4:14: error: maxpool layer 'quarter': " "$work/small.log" ||
  [ -e "$work/small.plan" ]; then
  cat "$work/small.log"
  echo "error: expected an error at the second vision.halve"
  exit 1
fi

"$prefix/bin/tr-compile" "$prefix/share/renaissance/models/lenet.bp" -o "$work/lenet.plan"
"$prefix/bin/tr-run" bench "$work/lenet.plan" --mode infer --steps 1
echo "1 passed, 0 failed"
