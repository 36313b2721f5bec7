#!/bin/bash
# What is installed serves: programs and pages, and the library for programs outside of the tree.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
tools=$(tr ' ' '\n' <<< "${AWEND_TOOLS:?}")

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
for file in "$AWEND_SOURCE"/tools/recipes/{*.sh,table3/*,trees/*}; do
  cmp "$file" "$installed/share/awend/recipes/${file#"$AWEND_SOURCE"/tools/recipes/}" || fail "$file is installed"
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
while IFS=: read -r header include; do
  [ -f "usr/include/awend/$include" ] || [ -f "$(dirname "$header")/$include" ] || fail "$header includes $include, which is installed"
done < <(grep -roP '^\s*#\s*include "\K[^"]*' usr/include/awend)
[ "$(find usr/include/awend -name '*.hpp' | wc -l)" -gt 50 ] || fail 'there are headers'

# What the flags that a build with sanitizers needs are is its own affair.
sanitizers=()
grep -q 'AWEND_SANITIZE:BOOL=ON' "$AWEND_BUILD/CMakeCache.txt" && sanitizers=(-fsanitize=address,undefined)
cat > text.cpp << 'END'
#include <iostream>

#include "text/token_codec.hpp"

int main(int, char** argv) {
  const auto vocabulary = awend::text::Vocabulary::read(argv[1]);
  const awend::text::TokenCodecModel model(vocabulary);
  const auto codec = model.make();
  std::string tokens, back;
  codec->encode("Friday, 3 May", 1, tokens);
  codec->decode(tokens, back);
  std::cout << tokens << '\n' << back << '\n';
}
END
cat > model.cpp << 'END'
#include <iostream>

#include "decode/logit_rules.hpp"
#include "train/recipe.hpp"
#include "vulkan/device.hpp"

int main() {
  const awend::vulkan::Instance instance;
  const bool any = !awend::vulkan::list_devices(instance).empty();
  std::cout << awend::train::preset("base").model.d_model << (any ? " a device" : " none") << '\n';
}
END
locale-corpus -n 100 -o raw && build-vocab --size 400 -o vocabulary raw.en raw.de || fail 'a vocabulary is made'
answer="$(tokenize -m vocabulary <<< 'Friday, 3 May')"$'\n'"Friday, 3 May"

export PKG_CONFIG_PATH=$PWD/usr/lib/pkgconfig
# shellcheck disable=SC2046
expect 0 c++ "${sanitizers[@]}" text.cpp $(pkg-config --cflags --libs awend-text) -o text
expect 0 ./text vocabulary
prints "$answer"
# shellcheck disable=SC2046
expect 0 c++ "${sanitizers[@]}" model.cpp $(pkg-config --cflags --libs awend) -o model
expect 0 ./model
prints '512 a device'

mkdir outside && cp text.cpp model.cpp outside
cat > outside/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
find_package(awend 0.1 REQUIRED)
add_executable(text text.cpp)
target_link_libraries(text PRIVATE awend::text)
add_executable(model model.cpp)
target_link_libraries(model PRIVATE awend::train awend::decode)
END
expect 0 cmake -S outside -B outside/build -G Ninja -DCMAKE_PREFIX_PATH="$PWD/usr" -DCMAKE_CXX_FLAGS="${sanitizers[*]}"
expect 0 cmake --build outside/build
expect 0 outside/build/text vocabulary
prints "$answer"
expect 0 outside/build/model
prints '512 a device'
for program in text model outside/build/text outside/build/model; do
  ldd $program | grep vulkan && fail "$program links Vulkan"
done
true
