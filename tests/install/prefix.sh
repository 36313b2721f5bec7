#!/bin/bash
# Under a program prefix the programs, their pages, what pages say of each other and the completions have it.  The programs
# themselves are those of the build, since a prefix changes none.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
tools=$(tr ' ' '\n' <<< "${AWEND_TOOLS:?}")
any=$(tr '\n' '|' <<< "$tools" | sed 's/|$//')

expect 1 cmake -S "$AWEND_SOURCE" -B wrong -G Ninja -DAWEND_TESTS=OFF -DAWEND_PROGRAM_PREFIX=a/b
grep -q "AWEND_PROGRAM_PREFIX may have letters, digits, '.', '_' and '-': 'a/b'" err || fail "what a wrong prefix is told: $(cat err)"
expect 0 cmake -S "$AWEND_SOURCE" -B build -G Ninja -DAWEND_TESTS=OFF -DAWEND_PROGRAM_PREFIX=awend-
expect 0 ninja -C build awend-pages
mkdir -p build/bin
cp "$AWEND_BIN/locale-corpus" "$AWEND_BIN/babi-stories" build/bin
for tool in $tools; do
  cp "$AWEND_BIN/$tool" build/bin
  for shell in bash zsh fish; do
    grep -q "bin/$tool --completion $shell awend-$tool " build/build.ninja || fail "the build has $tool complete awend-$tool in $shell"
  done
  for file in "bash/awend-$tool" "zsh/_awend-$tool" "fish/awend-$tool.fish"; do
    "$tool" --completion "${file%%/*}" "awend-$tool" > "build/completions/$file" || fail "$file is written"
  done
done
expect 0 cmake --install build --prefix "$PWD/usr" --component tools

for tool in $tools; do
  same "the name of $tool" "awend-$tool (awend)" "$("usr/bin/awend-$tool" -V | head -n 1 | grep -o '^[a-z-]* (awend)')"
  page=usr/share/man/man1/awend-$tool.1
  grep -q "^\.Nm awend-$tool\$" "$page" && grep -q "^\.Dt AWEND-${tool^^} 1\$" "$page" || fail "$page has the new name"
  for file in "bash-completion/completions/awend-$tool" "zsh/site-functions/_awend-$tool" \
    "fish/vendor_completions.d/awend-$tool.fish"; do
    [ -s "usr/share/$file" ] || fail "$file is installed"
  done
done
same 'nothing else is a program' "$(sed 's/^/awend-/' <<< "$tools" | sort)" "$(ls usr/bin)"
same 'as many pages as there are' "$(find "$AWEND_SOURCE/man" -name '*.[1-9]' | wc -l)" "$(find usr/share/man -type f | wc -l)"
for page in usr/share/man/man?/*; do
  same "mandoc on $page" '' "$(mandoc -T lint -W warning "$page" 2>&1)"
  same "$page names no tool by its plain name" '' "$(grep -nE "^\.(It )?(Xr|Nm|Dl|Ic) (\\$ )?($any)( |\$)|^\.Ql ($any) -" "$page")"
  same "$page calls no tool by its plain name" '' \
    "$(sed -n '/^\.Bd/,/^\.Ed/p' "$page" | grep -nE "(^|^[\$>] *|^  +|[|;] *|do |[0-9] )($any) (-|[a-z.]+ [<-])|[\"']($any)[\"' ]")"
done

# The package with MPI replaces the renamed program.
expect 0 env DESTDIR="$PWD/mpi" cmake --install build --prefix /usr --component mpi
same 'the program with MPI' mpi/usr/bin/awend-train "$(find mpi -path '*/bin/*')"
for file in preinst postrm; do
  grep -q ' --divert /usr/bin/awend-train.without-mpi /usr/bin/awend-train$' "build/mpi/$file" || fail "$file diverts awend-train"
  [ -x "build/mpi/$file" ] || fail "$file is executable"
done

# Recipes call the tools by their plain names, and get those of the prefix.
env -u AWEND_BIN PATH=/usr/bin:/bin usr/share/awend/recipes/quickstart.sh --work work --lines 300 --held-out 10 -- --layers 1 \
  --d-model 32 --d-ff 32 --heads 2 --batch-tokens 500 --max-steps 6 --save-every 1 > out 2> err || { fail 'the installed quickstart'; cat err; }
grep -q '^BLEU|' out || fail 'the installed quickstart scores'
