#!/bin/bash
# The dependencies between modules are those in the table of CONTRIBUTING.md, and external libraries are included only in the files
# named there.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1

# Rows `| layer | module | purpose | dependencies |`, with module names in backquotes.
declare -A may_include=()
while IFS='|' read -r _ _ module _ dependencies _; do
  module=$(tr -d ' `' <<< "$module")
  may_include[$module]="$module $(grep -o '`[a-z]*`' <<< "$dependencies" | tr -d '`' | paste -sd ' ')"
done < <(grep -E '^\| [0-9]+ \| `[a-z]+` \|' CONTRIBUTING.md)
same 'modules in the table of CONTRIBUTING.md' "$(ls libcore)" "$(printf '%s\n' "${!may_include[@]}" | sort)"
[ ${#may_include[@]} -ge 4 ] || fail 'the table has modules'

# A dependency is an #include with quotes in a source of the module, or a library that CMakeLists.txt links to it.
for module in "${!may_include[@]}"; do
  allowed=${may_include[$module]}
  for dependency in $allowed; do
    [ -d "libcore/$dependency" ] || [ "$dependency" = shaders ] || fail "CONTRIBUTING.md: the dependency $dependency of $module is a module"
  done
  included=$(grep -rhoP '^\s*#\s*include "\K[^"]*' "libcore/$module")
  for header in $(sort -u <<< "$included"); do
    case " $allowed " in
      *" ${header%%/*} "*) ;;
      *) fail "libcore/$module does not include $header; allowed: $allowed" ;;
    esac
    [ -f "libcore/$header" ] || [ -f "$header" ] || fail "libcore/$module must include $header by its path from libcore or the root"
  done
  grep -q "^awend_module($module[ )]" CMakeLists.txt || fail "CMakeLists.txt defines the module $module"
  for linked in $(grep -oP "^awend_module\($module \K[^)]*" CMakeLists.txt | grep -o 'awend_[a-z]*'); do
    case " $allowed " in
      *" ${linked#awend_} "*) ;;
      *) fail "CMakeLists.txt does not link $module with $linked; allowed: $allowed" ;;
    esac
  done
done

# Everything outside of model knows models by the interface model::Seq2Seq only.
architectures=$(find libcore/model -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | paste -sd '|')
[ -n "$architectures" ] || fail 'an architecture has a subdirectory of model'
same 'an architecture is included only in model' '' "$(grep -rnE "#include \"model/($architectures)/" libcore tools tests |
  grep -vE '^(libcore|tests/unit)/model/')"
same 'an architecture is named only where it is registered' '' \
  "$(grep -rnE '\bdynamic_cast\b|\barchitecture *[!=]=' libcore tools | grep -v '^libcore/model/config.cpp')"

# Rows `| library, library | places |` of the second table; modules, files and directories are in backquotes.  Headers of a library are
# included in its places only.
declare -A headers=([ICU]=unicode/ [Vulkan]=vulkan/ [volk]='volk\.[ch]' [spirv-headers]=spirv/ [nlohmann/json]=nlohmann/ [SentencePiece]=sentencepiece_ [MeCab]=mecab [zlib]='z(lib|conf)\.h'
  [libzstd]=zstd [libxxhash]=xxh [libzip]='zip\.h' [Highway]=hwy [Boost.Program_options]='boost/program_options' [MPI]=mpi [Boost.MPI]='boost/(?!program_options)')
declare -A seen=()
while IFS='|' read -r _ libraries places _; do
  read -ra places < <(grep -o '`[a-z_/.]*`' <<< "$places" | tr -d '`' | paste -sd ' ')
  for library in ${libraries//,/ }; do
    seen[$library]=1
    pattern=${headers[$library]:-}
    [ -n "$pattern" ] || { fail "the lint knows the headers of $library"; continue; }
    found=$(grep -rlP "^\s*#\s*include <$pattern" libcore tools shaders)
    for place in "${places[@]}"; do
      [ -e "libcore/$place" ] && place=libcore/$place
      [ -e "$place" ] || fail "CONTRIBUTING.md: $place, which uses $library, exists"
      found=$(grep -vE "^$place(/|\$)" <<< "$found")
    done
    same "$library is included only where CONTRIBUTING.md says" '' "$found"
  done
done < <(sed -n '/^| library | used by |$/,/^$/p' CONTRIBUTING.md | tail -n +3 | grep '^|')
same 'libraries in the table' "$(printf '%s\n' "${!headers[@]}" | sort)" "$(printf '%s\n' "${!seen[@]}" | sort)"
