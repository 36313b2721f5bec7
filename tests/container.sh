#!/bin/bash
# Runs the commands of tools/packaging/Containerfile without a container engine: its stages are trees of Debian, COPY copies, RUN runs.  Then
# the pipeline in the last stage.  Run manually, as root; not part of ctest or CI, because creating the trees requires network access.
#
#   tests/container.sh       The trees are in build-trees/, or in the directory AWEND_TREES.
set -euo pipefail
root=$(CDPATH='' cd "$(dirname "$0")/.." && pwd)
. "$root/tools/recipes/setup.sh"
trees=${AWEND_TREES:-$root/build-trees}
if [ "${AWEND_CONTAINER_INSIDE:-}" != 1 ]; then exec env AWEND_CONTAINER_INSIDE=1 unshare --mount "$0"; fi
. "$root/tools/packaging/trees.sh"

[ "$(wc -l < "$root/tools/packaging/Containerfile")" -le 20 ] || { echo 'container.sh: the Containerfile has more than 20 lines' >&2; exit 1; }
stage='' directory=/
while read -r instruction arguments; do
  case $instruction in
    FROM)
      suite=${arguments##*/debian:}
      suite=${suite%%-*}
      name=${arguments##* AS }
      [ "$name" != "$arguments" ] || name=last
      stage=$trees/container-$name directory=/
      rm -rf --one-file-system "$stage"
      make_tree "$suite" "$trees/$suite-pristine"
      umount -R "$trees/$suite-pristine/proc" "$trees/$suite-pristine/dev"
      step "FROM $arguments"
      cp -a "$trees/$suite-pristine" "$stage"
      make_tree "$suite" "$stage"
      ;;
    ARG) ;;
    WORKDIR) directory=$arguments; mkdir -p "$stage$directory" ;;
    COPY)
      step "COPY $arguments"
      if [[ $arguments == --from=* ]]; then
        read -r from source target <<< "$arguments"
        # shellcheck disable=SC2086 # a pattern
        cp "$trees/container-${from#--from=}"$source "$stage$target"
      else
        mkdir -p "$stage${arguments#* }"
        git -C "$root" archive HEAD | tar -x -C "$stage${arguments#* }"
      fi
      ;;
    RUN) step "RUN $arguments"; inside "$stage" sh -c "cd $directory && $arguments" > "$trees/container.log" 2>&1 || { tail "$trees/container.log"; exit 1; } ;;
    '' | '#') ;;
    *) echo "container.sh: unknown instruction $instruction" >&2; exit 1 ;;
  esac
done < "$root/tools/packaging/Containerfile"

step 'The pipeline'
inside "$stage" bash -euo pipefail -c 'cd /data
  seq 300 | sed "s/.*/number & of &/" > raw.en && sed "s/number/Nummer/; s/of/von/" raw.en > raw.de
  build-vocab -q --size 300 -o vocabulary raw.en raw.de
  for side in en de; do tokenize -m vocabulary < raw.$side > tokens.$side; done
  train -q --preset tiny --layers 1 --max-steps 10 --batch-tokens 300 -m vocabulary -o run -s tokens.en -t tokens.de > log.tsv
  translate --raw -m run < raw.en | score -b raw.de'
du -shx "$stage"
