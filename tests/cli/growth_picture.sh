#!/bin/bash
# The picture of growth (tests/bench/growth.awk), of made-up measurements.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
{
  printf 'device: a device\nthreads: 2\n\n| host | fp32, 1 | fp32 | int8, 1 | int8 | OpenBLAS | ratio |\n|---|--:|--:|--:|--:|--:|--:|\n'
  for rows in 1 8 64; do
    echo "| $rows x 512 -> 2048 | $rows.0 | 2.0 | 3.0 | 4.0 | 5.0 | 1.00 |"
    echo "| $rows x 2048 -> 512 | 9.0 | 9.0 | 9.0 | 9.0 | 9.0 | 1.00 |"
  done
  for size in 1 2 4; do
    printf 'beam\t%d\tfp32\t%d.5\nbeam\t%d\tint8\t0.5\nlength\t%d\tfp32\t2.5\n' $size $size $size $size
    printf 'threads\t%d\tfp32\t%s\n' $size "$((8 / size))"
  done
} > figures
plot() { awk -f "$AWEND_SOURCE/tests/bench/plot.awk" -f "$AWEND_SOURCE/tests/bench/growth.awk" "$1"; }
expect 0 plot figures
same 'a curve for each series' 9 "$(grep -c 'class="curve ' out)"
same 'a dot for each measurement, and one for the name of each series' 36 "$(grep -c 'class="dot ' out)"
same 'the shapes of the dots differ' 5 "$(sed -n 's/.* \(m.*z\)" class="dot .*/\1/p' out | sort -u | wc -l)"
same 'panels are described' 1 "$(grep -c '^<desc>Products .*: A product .*; Translations: .*; A translation: .*</desc>$' out)"
same 'what was measured on' 1 "$(grep -c 'device: a device, threads: 2<' out)"
# Facts that are longer than the picture have several lines, all within it.
sed "s/^device: .*/device: $(printf 'word %.0s' {1..90})/" figures > long
plot long > long.svg
same 'lines of facts' 3 "$(grep -c 'word word' long.svg)"
awk -F '"' 'NR == 1 {height = $6} /word word/ && $4 > height - 4 {exit 1}' long.svg || fail 'all lines are in the picture'
# Of a pure power, the dots are at equal distances.
awk '/class="dot f4"/ { y[++n] = $3 } END { d = y[1] - 2 * y[2] + y[3]; exit !(n == 4 && d < 0.2 && d > -0.2) }' out ||
  fail 'dots of a power lie on a line'
for panel in beam threads; do
  grep -v "^$panel" figures > part
  expect 1 plot part
  says 'growth.awk: not all measurements'
done
