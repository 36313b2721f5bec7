#!/bin/bash
# UTF-8 and the decimal point in every locale.
. "$AWEND_SOURCE/tests/conventions/tools.inc" || exit 1

make_locales
for locale in C C.UTF-8 de_DE.UTF-8 tr_TR.UTF-8 POSIX nonsense; do
  expect 0 env LC_ALL=$locale build-vocab --size 300 -q -o vocabulary <<< 'Zwölf Boxkämpfer, zwölf I i'
  expect 0 env LC_ALL=$locale tokenize -m vocabulary --bpe-dropout 0.25 --seed 7 <<< 'Zwölf I i'
  [ -z "${first:-}" ] || same "output in the locale $locale" "$first" "$(cat vocabulary out)"
  first=$(cat vocabulary out)
done
