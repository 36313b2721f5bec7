#!/bin/bash
# What is installed serves: programs and pages, and the library for programs outside of the tree.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
tools=$(tr ' ' '\n' <<< "${AWEND_TOOLS:?}")

# The list of what the user has installed from this build directory remains.
[ ! -e "$AWEND_BUILD/installed.txt" ] || mv "$AWEND_BUILD/installed.txt" before.txt
clean_up() { rm -f "$AWEND_BUILD/installed.txt"; [ ! -e "$scratch/before.txt" ] || mv "$scratch/before.txt" "$AWEND_BUILD/installed.txt"; }

# Programs, each component by itself and below DESTDIR.
expect 0 env DESTDIR="$PWD/dest" cmake --install "$AWEND_BUILD" --prefix /opt/awend --component tools
installed=$PWD/dest/opt/awend
for tool in $tools; do
  same "$tool as it is installed" "$tool (awend)" "$("$installed/bin/$tool" --version | head -n 1 | grep -o '^[a-z-]* (awend)')"
  for file in "share/man/man1/$tool.1" "share/bash-completion/completions/$tool" "share/zsh/site-functions/_$tool" \
    "share/fish/vendor_completions.d/$tool.fish"; do
    [ -s "$installed/$file" ] || fail "$file is installed"
  done
done
same 'nothing else is a program' "$(sort <<< "$tools")" "$(ls "$installed/bin")"
[ ! -e "$installed/include" ] || fail 'the component tools has no headers'
[ -s "$installed/share/man/man7/awend.7" ] || fail 'awend.7 is installed'

# The recipes find the programs that they came with, and work in the current directory.
for file in "$AWEND_SOURCE"/tools/recipes/{*.sh,*.pl,table3/*,trees/*}; do
  copy=$installed/share/awend/recipes/${file#"$AWEND_SOURCE"/tools/recipes/}
  cmp "$file" "$copy" || fail "$file is installed"
  case $(head -c 2 "$file") in '#!') mode=755 ;; *) mode=644 ;; esac
  same "the mode of $copy" $mode "$(stat -c %a "$copy")"
done
mkdir work
(cd work && env -u AWEND_BIN PATH=/usr/bin:/bin "$installed/share/awend/recipes/quickstart.sh" --lines 300 --held-out 10 -- --layers 1 \
  --d-model 32 --d-ff 32 --heads 2 --batch-tokens 500 --max-steps 6 --save-every 1) > out 2> err || { fail 'the installed quickstart'; cat err; }
grep -q '^BLEU|' out || fail 'the installed quickstart scores'
same 'hypotheses of the installed quickstart' 10 "$(wc -l < work/run/quickstart/hypotheses.de)"
expect 0 env -u AWEND_BIN "$installed/share/awend/recipes/wmt14-en-de.sh" --help

# The library.
expect 0 cmake --install "$AWEND_BUILD" --prefix "$PWD/usr" --component library
[ ! -e usr/bin ] || fail 'the component library has no programs'
[ ! -e usr/share/awend ] || fail 'the component library has no recipes'
headers=usr/include/awend
same 'only headers of awend are installed' awend "$(ls usr/include)"
for header in decode/open.hpp metrics/bleu/bleu.hpp text/token_codec.hpp train/run.hpp; do [ -f "$headers/$header" ] || fail "$header is installed"; done
for header in decode/translation_parts.hpp decode/beam.hpp text/learn/pair_learner.hpp base/options.hpp; do
  [ ! -e "$headers/$header" ] || fail "$header is for users"
done
while IFS=: read -r header include; do
  [ -f "usr/include/$include" ] || [ -f "$(dirname "$header")/$include" ] || fail "$header includes $include, which is installed"
  [[ $include == awend/* || $include != */* ]] || fail "$header includes $include by a path that cannot be a header of the program"
done < <(grep -roP '^\s*#\s*include "\K[^"]*' $headers)

# Examples, each with the only component that it needs, and without the packages that others need.
examples=$AWEND_SOURCE/tests/install/examples
for example in translate score; do
  [ "$(wc -l < "$examples/$example.cpp")" -le 15 ] || fail "$example.cpp has at most 15 lines"
done
# What the flags that a build with sanitizers needs are is its own affair.
sanitizers=()
grep -q 'AWEND_SANITIZE:BOOL=ON' "$AWEND_BUILD/CMakeCache.txt" && sanitizers=(-fsanitize=address,undefined)

# component NAME OPTION...: builds the example of a component in NAME/
component() {
  expect 0 cmake --no-warn-unused-cli -S "$examples" -B "$1" -G Ninja -DCOMPONENT="$1" -DCMAKE_PREFIX_PATH="$PWD/usr" -DCMAKE_CXX_FLAGS="${sanitizers[*]}" "${@:2}"
  expect 0 cmake --build "$1"
  same "Boost's flags for $1" '' "$(grep -io 'boost[^ ]*' "$1/compile_commands.json")"
}
without=(-DCMAKE_DISABLE_FIND_PACKAGE_{MPI,Boost,Vulkan,nlohmann_json}=ON)
component text "${without[@]}"
component metrics "${without[@]}"
component decode "${without[@]}"
component train -DCMAKE_DISABLE_FIND_PACKAGE_Vulkan=ON
expect 1 cmake -S "$examples" -B nothing -G Ninja -DCOMPONENT=nothing -DCMAKE_PREFIX_PATH="$PWD/usr"

locale-corpus -n 100 -o raw && build-vocab --size 400 -o vocabulary raw.en raw.de || fail 'a vocabulary is made'
answer="$(tokenize -m vocabulary <<< 'Friday, 3 May')"$'\n'"Friday, 3 May"$'\n'"the program's own header"
expect 0 text/text vocabulary
prints "$answer"
printf '%s\n' 'The dog runs fast .' 'Two men talk .' > hypotheses
printf '%s\n' 'The dog runs very fast.' 'Two men are talking.' > references
expect 0 metrics/metrics
mv out scores
for metric in bleu chrf ter; do score -q -b -w 4 -m $metric references < hypotheses; done > expected
same 'the scores are those of the program' "$(cat expected)" "$(awk '{printf "%.4f\n", $1}' scores)"
expect 0 train/train
prints '512 1'

# A converted model: its defaults of the search are not those of the library.
for side in en de; do tokenize -m vocabulary < raw.$side > tokens.$side; done
train -q -m vocabulary -s tokens.en -t tokens.de --sinusoid-layout halves --norm-epsilon 1e-5 --decoder-start token --start-id 2 --d-model 16 \
  --d-ff 16 --heads 2 --layers 1 --batch-tokens 400 --max-steps 2 -o run > log || fail 'a model is trained'
convert-model --to huggingface -o hf run/model-00000002.safetensors && convert-model -o hf.safetensors hf || fail 'a model is converted'
inspect --json hf.safetensors | grep -q '"search"' || fail 'the model has defaults of the search'
head -n 5 tokens.en > lines
expect 0 decode/decode hf.safetensors < lines
mv out translations
expect 0 translate -q --raw --scores -m hf.safetensors lines
same 'the translations are those of the program' "$(cut -f 2 out)" "$(cut -f 2 translations)"
# The example prints six digits.
paste out translations | awk -F '\t' '($1 - $3) ^ 2 > 1e-8 {exit 1}' || fail 'the scores are those of the program'

# pkg-config.
export PKG_CONFIG_PATH=$PWD/usr/lib/pkgconfig
# shellcheck disable=SC2046
expect 0 c++ "${sanitizers[@]}" -I"$examples" "$examples/tokenize.cpp" $(pkg-config --cflags --libs awend-text) -o text_program
expect 0 ./text_program vocabulary
prints "$answer"
# shellcheck disable=SC2046
expect 0 c++ "${sanitizers[@]}" "$examples/train.cpp" $(pkg-config --cflags --libs awend-train) -o train_program
expect 0 ./train_program
prints '512 1'
# shellcheck disable=SC2046
expect 0 c++ "${sanitizers[@]}" "$examples/translate.cpp" $(pkg-config --cflags --libs awend) -o translate_program
expect 0 ./translate_program hf.safetensors < lines
cmp out translations || fail 'pkg-config'
# The example of awend-embed(7).
sed -n '/^#include <iostream>/,/^\.Ed/{/^\.Ed/d; s/\\e/\\/g; p}' "$AWEND_SOURCE/man/awend-embed.7" > page.cpp
# shellcheck disable=SC2046
expect 0 c++ "${sanitizers[@]}" page.cpp $(pkg-config --cflags --libs awend) -o page_program
ln -s hf.safetensors model.safetensors
expect 0 ./page_program
same 'a translation by the example of the page' 1 "$(wc -l < out)"
for program in page_program text_program train_program translate_program {text,metrics,decode,train}/{text,metrics,decode,train}; do
  [ -e $program ] || continue
  ldd $program | grep vulkan && fail "$program does not link Vulkan"
done

# `uninstall` has a list of all that was installed from this build directory, but not of the files of packages that were made from it.
expect 0 env DESTDIR="$PWD/_CPack_Packages/deb" cmake --install "$AWEND_BUILD" --prefix /usr --component library
expect 0 cmake --install "$AWEND_BUILD" --prefix "$PWD/_CPack_Packages/tgz" --component library
same 'directories of the list' "/opt/awend $PWD/usr" \
  "$(sed "s|^$PWD/usr/.*|$PWD/usr|; s|^/opt/awend/.*|/opt/awend|" "$AWEND_BUILD/installed.txt" | sort -u | paste -sd ' ')"
cp -a dest removed && mkdir -p removed/opt/awend/bin && touch removed/opt/awend/bin/other
grep '^/opt/awend/' "$AWEND_BUILD/installed.txt" > list
expect 0 env DESTDIR="$PWD/removed" "$AWEND_SOURCE/tools/packaging/uninstall.sh" list
same 'uninstalling removes files of awend only' removed/opt/awend/bin/other "$(find removed ! -type d)"
[ ! -e removed/opt/awend/share ] || fail 'empty directories are removed'

# Whatever is installed is made for who builds no tests (`quickstart.sh`).
if [ -e "$AWEND_BUILD/build.ninja" ]; then
  ninja -C "$AWEND_BUILD" -t graph awend | grep -oP 'label="\K[^"]+' | sort -u > inputs
  ninja -C "$AWEND_BUILD" -t targets all | sed -n 's/: [^:]*$//p' | sort > outputs
  cat "$AWEND_BUILD"/{,tools/}cmake_install.cmake | grep -oP "\"$AWEND_BUILD/\K[^\"]*(?=\")" | sort -u > needed
  [ "$(comm -12 needed outputs | tee made | wc -l)" -gt 50 ] || fail 'files of the build are installed'
  same 'what is installed, but not made by the target awend' '' "$(comm -23 made inputs)"
fi
