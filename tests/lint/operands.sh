#!/bin/bash
# A launch with a forgotten, misspelled or swapped operand, constant or push constant does not compile, and neither does a kernel
# whose bindings or constants are not numbered in order (shaders/kernel.hpp).
. "$AWEND_SOURCE/tests/script.sh" || exit 1

compile() { "${CXX:-c++}" -std=c++20 -fsyntax-only -I "$AWEND_SOURCE/libcore" -I "$AWEND_SOURCE" -x c++ -; }
launch() {
  cat << END
#include "shaders/op_layer_norm.h"
awend::nn::Launch launch(awend::nn::Tensor t) {
  return awend::nn::LayerNormLaunch{
      .constants = {.columns = 64, .per_lane = 2},
      .operands = {.x = t, .gain = t, .bias = t, .y = t, .moments = t},
      .push = {.rows_count = 1, .epsilon = 1e-6f}};
}
END
}
launch | compile || fail 'a correct launch compiles'

# refused WHAT SED MESSAGE: the launch, changed by SED, does not compile, and the compiler's errors match MESSAGE.
refused() {
  local changed errors
  changed=$(launch | sed "$2")
  [ "$changed" != "$(launch)" ] || fail "$1: sed '$2' changes nothing"
  if errors=$(compile <<< "$changed" 2>&1); then fail "$1 compiles"; fi
  grep -qE "$3" <<< "$errors" || fail "$1: expected an error that matches '$3', got: $errors"
}
refused 'a missing operand' 's/ .bias = t,//' 'bias|could not convert|no matching|default'
refused 'two swapped operands' 's/.gain = t, .bias = t/.bias = t, .gain = t/' 'gain|order|designator'
refused 'a misspelled operand' 's/.gain/.gian/' 'gian'
refused 'a missing constant' 's/, .per_lane = 2//' 'per_lane|could not convert|no matching|default'
refused 'a misspelled constant' 's/.per_lane/.lanes/' 'lanes'
refused 'swapped constants' 's/.columns = 64, .per_lane = 2/.per_lane = 2, .columns = 64/' 'columns|order|designator'
refused 'a missing push constant' 's/.rows_count = 1, //' 'rows_count|could not convert|no matching|default'
refused 'a float for a count' 's/.rows_count = 1/.rows_count = 1.0f/' 'delete|convert'
refused 'a number for a tensor' 's/.y = t/.y = 1/' 'delete|convert'

# The binding of the second operand is wrong.
kernel() {
  cat << 'END'
#include "shaders/lib/kernel.h"
#define COPY_CONSTANTS(CONSTANT) CONSTANT(1, COLUMNS, columns, 64)
#define COPY_OPERANDS(READS, WRITES, UPDATES) READS(1, vec4, x, COLUMNS) WRITES(2, vec4, y, COLUMNS)
#define COPY_PUSH(FIELD) FIELD(count, rows_count)
KERNEL(copy, Copy, COPY)
END
}
kernel | compile || fail 'a correct kernel compiles'
! kernel | sed 's/WRITES(2, vec4/WRITES(3, vec4/' | compile 2> /dev/null || fail 'a gap in the bindings compiles'
! kernel | sed 's/CONSTANT(1, C/CONSTANT(2, C/' | compile 2> /dev/null || fail 'a gap in the constants compiles'

# Members are named wherever a launch is built: a list without names would compile in any order.
cd "$AWEND_SOURCE" || exit 1
unnamed=$(grep -rPzo --include='*.?pp' '\.(constants|operands|push) = \{\s*[^.}\s][^\n]*' libcore/nn tests/kernels tests/bench | tr '\0' '\n')
same 'members of launches are named' '' "$unnamed"
unnamed=$(grep -rnP --include='*.?pp' '\b\w+(Operands|Constants|Push|Launch)\b *\w* *\{(?! *(\.|\}|$))' libcore/nn tests/kernels tests/bench)
same 'members of the types of launches are named' '' "$unnamed"
