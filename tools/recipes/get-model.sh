#!/bin/bash
# Downloads a published translation model, verifies it, converts it, and translates a line with it.
set -euo pipefail
. "$(dirname "$(realpath "$0")")/setup.sh"

# Names of models; the address of their files; the address of their sums, which has a short text for each large file (a Git LFS pointer)
# with its SHA-256; their files; the languages of the line that is translated.  NAME is the name of the model, PAIR the same without
# `firefox-` and hyphens.  Of files with bars between them the first that exists is read; those that end in a question mark may be missing.
models() {
  local hub=https://huggingface.co github=mozilla/firefox-translations-models/e7957fc407441a5e3e35bbcbf9d60d9b35764618
  cat << END
opus-mt-*        $hub/Helsinki-NLP/NAME/resolve/main $hub/Helsinki-NLP/NAME/raw/main config.json,generation_config.json?,pytorch_model.bin|model.safetensors,source.spm,target.spm,vocab.json,tokenizer_config.json
firefox-*        https://media.githubusercontent.com/media/$github/models/tiny/PAIR https://raw.githubusercontent.com/$github/models/tiny/PAIR model.PAIR.intgemm.alphas.bin.gz,lex.50.50.PAIR.s2t.bin.gz,vocab.PAIR.spm.gz|srcvocab.PAIR.spm.gz,trgvocab.PAIR.spm.gz?
nllb-200-*       $hub/facebook/NAME/resolve/main $hub/facebook/NAME/raw/main config.json,generation_config.json,pytorch_model.bin|model.safetensors,sentencepiece.bpe.model,special_tokens_map.json,tokenizer.json,tokenizer_config.json eng_Latn deu_Latn
m2m100_*         $hub/facebook/NAME/resolve/main $hub/facebook/NAME/raw/main config.json,generation_config.json,pytorch_model.bin|model.safetensors,sentencepiece.bpe.model,special_tokens_map.json,tokenizer_config.json,vocab.json en de
mbart-large-50-* $hub/facebook/NAME/resolve/main $hub/facebook/NAME/raw/main config.json,generation_config.json,model.safetensors,sentencepiece.bpe.model,special_tokens_map.json,tokenizer_config.json en_XX de_DE
madlad400-*      $hub/google/NAME/resolve/main $hub/google/NAME/raw/main config.json,generation_config.json,model.safetensors,spiece.model,special_tokens_map.json,tokenizer.json,tokenizer_config.json - de
END
}

usage() {
  cat << 'END'
Usage: get-model.sh [OPTION]... NAME

Downloads the files of a published model to DIR/NAME, verifies their SHA-256,
converts them to DIR/NAME.safetensors, and translates a line with it.  Names,
with an example of each kind:

  opus-mt-en-de              OPUS-MT of the University of Helsinki; about a
                             thousand pairs, 300 MB each
  firefox-en-de              Firefox's translation models of Mozilla; about
                             ninety pairs, 20 MB each
  nllb-200-distilled-600M    NLLB-200 of Meta, 200 languages, 2.5 GB; for
                             non-commercial use
  m2m100_418M                M2M100 of Meta, 100 languages, 2 GB
  mbart-large-50-many-to-many-mmt    mBART-50 of Meta, 50 languages, 2.4 GB
  madlad400-3b-mt            MADLAD-400 of Google, 400 languages, 12 GB

  -o, --output DIR   directory of the models (default: the current directory)
  --sha256 FILE      verify with these sums, as sha256sum prints them; all files
                     must be in the list
  --address URL      directory of the files, such as that of a mirror or
                     file:///directory; sums come from --sha256 only
  --text LINE        line to translate (default: an English one; none for other
                     source languages)
  --no-install       do not install missing packages
  --help             print this text

A download that was interrupted is resumed.  Read the license of a model on its
page before you use it.
END
}

output=. sums='' address='' text='' install=yes
while [ $# -gt 0 ]; do
  case $1 in
    -o | --output) need_value "$@"; output=$2; shift ;;
    --sha256) need_value "$@"; sums=$2; shift ;;
    --address) need_value "$@"; address=${2%/}; shift ;;
    --text) need_value "$@"; text=$2; shift ;;
    --no-install) install=no ;;
    --help) usage; exit ;;
    -*) echo "get-model.sh: unknown option '$1'; try --help" >&2; exit 2 ;;
    *) break ;;
  esac
  shift
done
[ $# -eq 1 ] || { echo 'get-model.sh: expected NAME; try --help' >&2; exit 2; }
name=$1
if [ -n "$sums" ]; then
  [ -f "$sums" ] || { echo "get-model.sh: $sums: no such file" >&2; exit 1; }
  sums=$(realpath "$sums")
fi

# The row of the model.
base='' pointers='' files='' source='' target=''
while read -r pattern found_base found_pointers found_files found_source found_target; do
  # shellcheck disable=SC2254 # a pattern
  case $name in
    $pattern) base=$found_base pointers=$found_pointers files=$found_files source=$found_source target=$found_target ;;
  esac
done < <(models)
[ -n "$base" ] && [[ $name != */* ]] || { echo "get-model.sh: '$name': no such model; try --help" >&2; exit 2; }
command -v curl > /dev/null || { [ $install = yes ] && install_missing curl ca-certificates; } ||
  { echo "get-model.sh: curl is missing: install Debian's curl" >&2; exit 1; }
pair=${name#firefox-}
pair=${pair//-/}
for variable in base pointers files; do
  value=${!variable//NAME/$name}
  printf -v $variable %s "${value//PAIR/$pair}"
done
secure=(--proto-redir '=https')
if [ -n "$address" ]; then base=$address pointers='' secure=(); fi

find_programs $install
mkdir -p "$output/$name"
cd "$output"

# request FILE URL CURL-OPTION...: downloads to FILE; fails if there is nothing at URL.  Exits for any other reason, such as a server that
# is busy; what has arrived is then kept.
request() {
  local code status=0
  code=$(curl -fsSL "${secure[@]}" -w '%{http_code}' "${@:3}" -o "$1" "$2" 2> "$name/curl.log") || status=$?
  case $status-$code in
    0-*) return 0 ;;
    22-404 | 37-*) return 1 ;;  # 37: a missing file at file://
    22-416 | 36-*)  # nothing is left to resume
      if [ $# -gt 2 ]; then
        rm -f "$1"
        request "$1" "$2"
        return
      fi ;;
  esac
  echo "get-model.sh: $2: $(tail -n 1 "$name/curl.log")" >&2
  exit 1
}

# expected FILE: the SHA-256 of a file, if it is known.
expected() {
  if [ -n "$sums" ]; then
    awk -v file="$1" '{name = $2; sub(/^[*]/, "", name); sub(/^.*\//, "", name)} name == file {print $1; exit}' "$sums"
  elif [ -n "$pointers" ]; then
    # A small file is itself at the address of its sum.
    if request "$name/pointer" "$pointers/$1" -r 0-199; then
      head -c 200 "$name/pointer" | tr -d '\0' | sed -n 's/^oid sha256:\([0-9a-f]\{64\}\)$/\1/p'
    fi
    rm -f "$name/pointer"
  fi
}

# fetch FILE: downloads and verifies a file; fails if it does not exist.
fetch() {
  local file=$name/$1 sum actual
  if [ ! -f "$file" ]; then
    request "$file.part" "$base/$1" -C - || return 1
    mv "$file.part" "$file"
  fi
  sum=$(expected "$1") || exit 1
  [ -n "$sum" ] || [ -z "$sums" ] || { echo "get-model.sh: $sums: no sum of $1" >&2; exit 1; }
  actual=$(sha256sum "$file" | cut -d ' ' -f 1)
  if [ -n "$sum" ] && [ "$sum" != "$actual" ]; then
    mv "$file" "$file.wrong"
    echo "get-model.sh: $base/$1: SHA-256 is $actual, expected $sum; the file is $output/$file.wrong" >&2
    exit 1
  fi
  if [ -z "$sum" ] && [ -n "$pointers" ] && [ "$(wc -c < "$file")" -gt 10000000 ]; then  # too large for Git itself
    echo "get-model.sh: $base/$1: $pointers/$1 does not have its sum" >&2
    exit 1
  fi
  printf '%s  %s%s\n' "$actual" "$1" "${sum:+ (verified)}"
}

step "Downloading $name"
IFS=, read -ra items <<< "$files"
for item in "${items[@]}"; do
  IFS='|' read -ra names <<< "${item%\?}"
  for file in "${names[@]}"; do
    if fetch "$file"; then continue 2; fi
  done
  [[ $item == *\? ]] || { echo "get-model.sh: $base/$file: $(tail -n 1 "$name/curl.log")" >&2; exit 1; }
done
rm -f "$name/curl.log"
for file in "$name"/*.gz; do [ ! -f "$file" ] || gzip -dc "$file" > "${file%.gz}"; done

step 'Converting'
convert-model -o "$name.safetensors" "$name"
inspect "$name.safetensors" | head -n 12

# The source language of a model for one pair is part of its name.
languages=()
[ -z "$source" ] || [ "$source" = - ] || languages+=(--source-language "$source")
[ -z "$target" ] || languages+=(--target-language "$target")
case $name in
  opus-mt-en-* | firefox-en-*) : "${text:=Good morning! How are you today?}" ;;
  opus-mt-* | firefox-*) ;;
  *) : "${text:=Good morning! How are you today?}" ;;
esac
step 'Translating'
if [ -n "$text" ]; then
  printf '%s\n' "$text"
  printf '%s\n' "$text" | translate --raw -m "$name.safetensors" "${languages[@]}"
fi
printf '\ntranslate more lines with:\n'
command=$(printf '%q ' "$(type -P "${installed_prefix:-}translate")" --raw -m "$output/$name.safetensors" "${languages[@]}")
echo "${command% }"
