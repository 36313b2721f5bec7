#!/bin/bash
# The picture of Table 1 (tests/bench/table1.awk), of a made-up table whose powers are known.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
awk -v OFS=' | ' '
  function row(name, ms, us, e, l, c) { print "| " name, ms, us, e, l, c " |" }
  BEGIN {
    print "device: a device\ndriver: a driver\nload: 0.1\n\n| table1 | ms | us each | exponent | largest | counted |\n|---|--:|--:|--:|--:|--:|"
    for (n = 16; n <= 256; n *= 2) { row("scores n=" n, 1, n * n, "-", "-", "-"); row("recurrent n=" n, 1, 300 * n, "-", "-", "-") }
    row("scores over n", "-", "-", "2.01", "2.00", "2.00"); row("recurrent over n", "-", "-", "0.97", "1.00", "1.00")
    for (d = 64; d <= 256; d *= 2) row("scores d=" d, 1, d, "-", "-", "-")
    row("scores over d", "-", "-", "1.02", "1.00", "1.00")
    for (v = 1000; v <= 4000; v *= 2) row("update V=" v, v, "-", "-", "-", "-")
    row("update over V", "-", "-", "1.03", "1.00", "1.00")
  }' > table
expect 0 awk -f "$AWEND_SOURCE/tests/bench/plot.awk" -f "$AWEND_SOURCE/tests/bench/table1.awk" table
same 'a curve for each series' 4 "$(grep -c 'class="curve ' out)"
same 'a dot for each measurement, and one for the name of each series' 20 "$(grep -c 'class="dot ' out)"
same 'fitted exponents' '2.01 0.97 1.02 1.03' "$(grep -o '[ndV]<tspan dy="-5" font-size="9">[0-9.]*' out | sed 's/.*>//' | xargs)"
same 'what was measured on' 1 "$(grep -c 'device: a device, driver: a driver, load: 0.1<' out)"
# Of a pure power the dots lie on a straight line, which is the dashed one.
awk -F '"' '
  /class="dot f1"/ && count < 5 { split(substr($2, 2), point, " "); x[++count] = point[1]; y[count] = point[2] }
  /stroke-dasharray/ && !seen++ { x1 = $2; y1 = $4; x2 = $6; y2 = $8 }
  END {
    if (count != 5) exit 1
    for (i = 1; i <= 5; ++i) { off = y1 + (y2 - y1) * (x[i] - x1) / (x2 - x1) - y[i]; if (off > 0.2 || off < -0.2) exit 1 }
  }' out || fail 'dots of a power lie on its line'
grep -v 'update' table > part
expect 1 awk -f "$AWEND_SOURCE/tests/bench/plot.awk" -f "$AWEND_SOURCE/tests/bench/table1.awk" part
says 'table1.awk: not the whole table'
