# shellcheck shell=bash
# Sourced by tests/gpu.sh --pack.

# The parts of glibc, and the dynamic loader, belong to the other machine, whose glibc must not be older.
glibc='/(ld-linux[^/]*|libc|libm|libdl|libpthread|librt|libresolv|libutil|libmvec)\.so'

# pack_programs DIR: copies everything that tests/gpu.sh needs to DIR.
pack_programs() {
  local directory=$1 file name
  if [ -e "$directory" ] && [ -n "$(ls -A "$directory")" ]; then
    echo "gpu.sh: $directory: is not empty" >&2
    return 1
  fi
  local stage=$scratch/stage
  mkdir -p "$stage"/{bin,programs,lib} "$directory"/{tests/gpu,tests/bench,tools/recipes}
  for file in "$programs"/{inspect,train,average,translate,build-vocab,tokenize,score,locale-corpus,awend-bench} \
    "${tests[@]/#/$test_programs/test-}"; do
    name=${file##*/}
    strip -o "$stage/programs/$name" "$file"
    cat > "$stage/bin/$name" << 'END'
#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
LD_LIBRARY_PATH=${AWEND_LIBRARIES:-$here/../lib}${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$here/../programs/${0##*/}" "$@"
END
    chmod +x "$stage/bin/$name"
  done
  local libraries loader
  loader=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk '$1 == "libvulkan.so.1" && !found++ { print $NF }')
  # Drivers of NVIDIA need these two on machines without a desktop.
  libraries=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk '$1 ~ /^lib(Xext\.so\.6|EGL\.so\.1)$/ && /x86-64|aarch64/ { print $NF }')
  { printf '%s\n' "$loader" $libraries; ldd "$stage"/programs/* "$loader" $libraries | awk '$2 == "=>" { print $3 }'; } |
    grep '^/' | grep -vE "$glibc" | sort -u | while read -r file; do cp -L "$file" "$stage/lib/"; done
  readlink -f "$(ldd "$stage/programs/train" | awk '$1 ~ /^libstdc/ { print $3 }')" | sed 's/.*\.//' > "$stage/lib/libstdc++.minor"
  tar czf "$directory/programs.tar.gz" -C "$stage" .
  cp "$root/tests/gpu.sh" "$directory/tests/"
  cp "$root"/tests/gpu/*.sh "$directory/tests/gpu/"
  cp "$root"/tests/bench/{beside_pytorch.sh,pytorch_step.py,pytorch_rnn.py} "$directory/tests/bench/"
  cp "$root"/tools/recipes/{setup,pipeline,quickstart,multi30k}.sh "$directory/tools/recipes/"
  if [ -n "$data" ]; then
    mkdir "$directory/data"
    for name in {train,val,test_2016_flickr}.{en,de}; do
      if [ -e "$data/$name" ]; then gzip -nc "$data/$name" > "$directory/data/$name.gz"; else cp "$data/$name.gz" "$directory/data/"; fi
    done
  fi
  echo "$directory: $(($(du -sk "$directory" | cut -f 1) / 1024)) MiB; there, run tests/gpu.sh (glibc $(ldd --version | awk 'NR == 1 { print $NF }') or newer)"
}
