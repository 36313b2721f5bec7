#!/bin/bash
# inspect --devices: the devices, and the report if there are none.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

expect 0 inspect --devices
grep -qE '^0  .' out || fail 'the first device'
for name in type driver Vulkan memory has lacks 'for a model' subgroups products 'matrix units'; do
  grep -q "^  $name  " out || fail "a device has the line: $name"
done
grep -qE '^train and translate take (cpu|[0-9]+, .*): ' out || fail 'which device is taken'
grep -q '^cpu  the processor, without Vulkan$' out || fail 'the processor'
for name in instructions threads memory 'for a model' products; do
  sed -n '/^cpu /,/^$/p' out | grep -q "^  $name  " || fail "the processor has the line: $name"
done
# The processor computes in bf16 where `train` does.
yes 'a b' | head -n 20 > text
bfloat16=no
build-vocab -q --size 300 -o vocabulary text
if train -q -m vocabulary -s text -t text -o run --device cpu --preset tiny --precision bf16 --max-steps 1 > said 2>&1; then bfloat16=yes; fi
[ "$(sed -n '/^cpu /,/^$/s/^  products .*bf16 by [A-Z].*/yes/p' out)" = "${bfloat16/no/}" ] || fail "bf16 of the processor: $bfloat16, $(cat said)"
expect 0 inspect --devices --device cpu
grep -q "^train and translate take cpu: named by 'cpu'$" out || fail 'the processor is named'
expect 0 inspect --devices --device 0
grep -q "^train and translate take 0, .*: named by '0'" out || fail 'a device that is named'
expect 1 inspect --devices --device nonesuch
says "inspect: no device is named 'nonesuch'; there are: cpu; $(sed -n 's/^\([0-9][0-9]*\)  \(.*\)/\1 \2/p' out | paste -sd ';' | sed 's/;/; /g')"

# Two equal devices: two copies of a driver, each with its own file.  "1" is also a digit of the name of the first one.
library=$(sed -n 's/.*"library_path" *: *"\([^"]*lvp[^"]*\)".*/\1/p' /usr/share/vulkan/icd.d/*.json /etc/vulkan/icd.d/*.json 2> /dev/null | head -n 1)
case $library in
'') skip 'two equal devices: lavapipe was not found' ;;
*/*) ;;
*) library=$(ldconfig -p | sed -n "s|.*$library .*=> ||p" | head -n 1) ;;
esac
if [ -n "$library" ]; then
  for copy in a b; do
    cp "$library" "lavapipe-$copy.so"
    echo "{\"file_format_version\":\"1.0.0\",\"ICD\":{\"library_path\":\"$PWD/lavapipe-$copy.so\",\"api_version\":\"1.3.0\"}}" > $copy.json
  done
  two=(env "VK_DRIVER_FILES=$PWD/a.json:$PWD/b.json" "VK_ICD_FILENAMES=$PWD/a.json:$PWD/b.json")
  for device in 0 1; do
    expect 0 "${two[@]}" inspect --devices --device $device
    same 'the devices' '0 1' "$(sed -n 's/^\([0-9]\)  .*/\1/p' out | paste -sd ' ')"
    grep -q "^train and translate take $device, .*: named by '$device'" out || fail "device $device is the device $device"
  done
  expect 0 "${two[@]}" AWEND_DEVICE=1 inspect --devices
  grep -q '^train and translate take 1, ' out || fail 'an index in the environment'
  expect 1 "${two[@]}" inspect --devices --device llvmpipe
  grep -q "^inspect: 'llvmpipe' fits 2 devices: 0 llvmpipe .*; 1 llvmpipe .*; select one by its index or UUID" err ||
    fail 'a name that fits two devices is an error with their list'
fi

# No driver at all, and one whose library is not there.
mkdir empty
export HOME=$PWD/empty
expect 1 env VK_DRIVER_FILES=missing.json inspect --devices --device 0
same 'lines on stderr' 1 "$(wc -l < err)"
grep -q '^  library  .*libvulkan.so' out || fail 'the loader'
grep -q '^  FAILS  *missing.json: No such file' out || fail 'the file that is not there'
grep -q 'unset VK_DRIVER_FILES' out || fail 'the variable that is to blame'
echo '{"file_format_version":"1.0.0","ICD":{"library_path":"libawend-nonesuch.so","api_version":"1.3.0"}}' > broken.json
expect 0 env VK_DRIVER_FILES="$PWD/broken.json" inspect --devices
tr -s ' \n' '  ' < out | grep -q "FAILS $PWD/broken.json: libawend-nonesuch.so: libawend-nonesuch.so: cannot open shared object" ||
  fail 'why the library does not load'
# Which does not keep the other views from working.
printf 'step\tloss\n1\t2\n' > log
expect 0 env VK_DRIVER_FILES=missing.json inspect --curves log
expect 0 env AWEND_DEVICE=nonesuch inspect --curves log

expect 2 inspect --devices log
says "inspect: unexpected operand 'log'; try 'inspect --help'"
