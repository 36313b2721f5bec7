#!/bin/bash
# What is installed serves: programs and pages, and the library for programs outside of the tree.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
tools=$(grep -oP '^awend_tool\(\K[a-z-]+' "$AWEND_SOURCE/tools/CMakeLists.txt")

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

# The library.
expect 0 cmake --install "$AWEND_BUILD" --prefix "$PWD/usr" --component library
[ ! -e usr/bin ] || fail 'the component library has no programs'
while IFS=: read -r header include; do
  [ -f "usr/include/awend/$include" ] || [ -f "$(dirname "$header")/$include" ] || fail "$header includes $include, which is installed"
done < <(grep -roP '^\s*#\s*include "\K[^"]*' usr/include/awend)
[ "$(find usr/include/awend -name '*.hpp' | wc -l)" -gt 50 ] || fail 'there are headers'

# What the flags that a build with sanitizers needs are is its own affair.
sanitizers=()
grep -q 'AWEND_SANITIZE:BOOL=ON' "$AWEND_BUILD/CMakeCache.txt" && sanitizers=(-fsanitize=address,undefined)
cat > text.cpp << 'END'
#include <iostream>

#include "text/coder.hpp"

int main(int, char** argv) {
  const auto vocabulary = awend::text::Vocabulary::read(argv[1]);
  const awend::text::CoderModel model(vocabulary, awend::text::TokenForm::kPieces, {});
  const auto coder = model.make();
  std::string tokens, back;
  coder->encode("Friday, 3 May", 1, tokens);
  coder->decode(tokens, back);
  std::cout << tokens << '\n' << back << '\n';
}
END
cat > model.cpp << 'END'
#include <iostream>

#include "decode/rules.hpp"
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
ldd text | grep vulkan && fail 'a program for text links Vulkan'
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
expect 0 cmake -S outside -B outside/build -DCMAKE_PREFIX_PATH="$PWD/usr" -DCMAKE_CXX_FLAGS="${sanitizers[*]}"
expect 0 cmake --build outside/build
expect 0 outside/build/text vocabulary
prints "$answer"
ldd outside/build/text | grep vulkan && fail 'a program for text links Vulkan'
expect 0 outside/build/model
prints '512 a device'
