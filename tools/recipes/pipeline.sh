# shellcheck shell=bash
# Functions shared by the recipes, which source this file after setup.sh.  Test: tests/cli/recipes.sh.
#
# Runs take up to days, so existing files are not regenerated: rerunning an interrupted recipe resumes it.
export LC_ALL=C  # awk and sed process bytes in any locale
shopt -s inherit_errexit  # set -e also applies within $(...)

work='' install=yes operands=()

common_usage() {
  local name=${0##*/}
  printf '  --work DIR      working directory (default: run/%s);\n                  new, empty, or of an earlier run, whose files are\n                  not made again\n' "${name%.sh}"
  cat << 'END'
  --no-install    do not install missing packages
  --help          print this text
END
  usage_end
}

usage_end() {
  cat << 'END'

Arguments after -- are passed to train after the options of the recipe.  Set
AWEND_DEVICE to select a GPU.

The programs are taken from the directory AWEND_BIN if it is set, otherwise from
the installation of this script.  In a source tree, they are built, and missing
packages are installed.
END
}

# common_option ARGUMENT...: parses an option that all these recipes have; sets `taken` to the number of arguments consumed.
common_option() {
  taken=1
  case $1 in
    --work) need_value "$@"; work=$2 taken=2 ;;
    --no-install) install=no ;;
    --help) usage; exit ;;
    -*) echo "${0##*/}: unknown option '$1'; try --help" >&2; exit 2 ;;
    *) operands+=("$1") ;;
  esac
}

# need_operands COUNT: exits unless there are COUNT operands.
need_operands() {
  [ ${#operands[@]} -ge "$1" ] || { echo "${0##*/}: missing operand; try --help" >&2; exit 2; }
  [ ${#operands[@]} -le "$1" ] || { echo "${0##*/}: unexpected operand '${operands[$1]}'" >&2; exit 2; }
}

# need_number OPTION VALUE MINIMUM: exits unless the value is a whole number from MINIMUM.
need_number() {
  [[ $2 =~ ^[1-9][0-9]*$ ]] && [ "$2" -ge "$3" ] || { echo "${0##*/}: $1 must be a number from $3, but is '$2'" >&2; exit 2; }
}

# directory NAME: prints its absolute path; exits if it does not exist.
directory() { [ -d "$1" ] || { echo "${0##*/}: $1: no such directory" >&2; exit 1; }; (cd "$1" && pwd); }

# file NAME: the same for a file.
file() { [ -f "$1" ] || { echo "${0##*/}: $1: no such file" >&2; exit 1; }; echo "$(directory "$(dirname "$1")")/${1##*/}"; }

# begin DEFAULT INPUT...: finds or builds the programs and changes to the working directory, --work or run/DEFAULT.  Exits if what is
# there was not made by a recipe, because it could be overwritten, or was made from other input, because it would not be made again.
begin() {
  find_programs $install
  work=${work:-$runs/$1}
  mkdir -p "$work"
  cd "$work"
  shift
  if [ ! -e input ] && [ -n "$(ls -A)" ]; then
    echo "${0##*/}: $PWD has files that no recipe has made; use another --work" >&2
    exit 1
  fi
  if [ -e input ] && [ "$(cat input)" != "$*" ]; then
    echo "${0##*/}: $PWD was made from '$(cat input)' and not from '$*'; use another --work" >&2
    exit 1
  fi
  echo "$*" > input
  SECONDS=0
}

# once FILE COMMAND...: writes the output of the command to FILE atomically, unless FILE exists.
once() {
  local file=$1
  shift
  if [ ! -e "$file" ]; then
    "$@" > "$file.part"
    mv "$file.part" "$file"
  fi
}

# in_background COMMAND...: starts a job that ends with the recipe, by ^C, too.  It is a process group of its own.
in_background() {
  trap 'for job in $(jobs -rp); do kill -- "-$job" 2> /dev/null || true; done' EXIT
  set -m
  "$@" &
  set +m
}

# fetch DIRECTORY URL...: downloads missing files, named after the last component of the URL.
fetch() {
  local into=$1 address file
  shift
  for address; do
    file=$into/${address##*/}
    [ ! -e "$file" ] || continue
    echo "$address"
    if command -v curl > /dev/null; then curl -fL --retry 3 -C - -o "$file.part" "$address"; else wget -c -O "$file.part" "$address"; fi
    mv "$file.part" "$file"
  done
}

# raw FILE: prints FILE, or FILE.gz decompressed.
raw() {
  if [ -e "$1" ]; then cat "$1"
  elif [ -e "$1.gz" ]; then gzip -dc "$1.gz"
  else echo "${0##*/}: $1: no such file, nor $1.gz" >&2; exit 1
  fi
}

# counted LINES NAME: copies stdin to stdout; fails if it does not have LINES lines, unless --any-size is given.
counted() {
  awk -v expected="$1" -v name="$2" -v sizes=$sizes '
    { print }
    END {
      if (NR == expected || sizes == "any") exit
      print name ": " NR " lines, expected " expected " as published; use --any-size to continue" > "/dev/stderr"
      exit 1
    }'
}

# member ARCHIVE NAME: prints a file of an archive, decompressed if its name ends in .gz.
member() { if [[ $2 == *.gz ]]; then tar -xOf "$1" "$2" | gzip -dc; else tar -xOf "$1" "$2"; fi; }

# segments: extracts the sentences of a WMT SGML file, one per line.
segments() {
  sed -n 's/^.*<seg[^>]*>[[:space:]]*\(.*[^[:space:]]\)[[:space:]]*<\/seg>.*$/\1/p' |
    sed "s/&lt;/</g; s/&gt;/>/g; s/&quot;/\"/g; s/&apos;/'/g; s/&amp;/\&/g"
}

# same_lines FILE FILE: exits unless both files have the same number of lines.
same_lines() {
  local lines
  lines=$(wc -l < "$1")
  [ "$lines" -eq "$(wc -l < "$2")" ] ||
    { echo "$1 and $2 differ in their number of lines; to read repaired data, remove both from $PWD" >&2; exit 1; }
  echo "$lines pairs in $1 and $2"
}

# pieces VOCABULARY FILE...: tokenizes files.
pieces() { tokenize -m "$@"; }

# mean DIR COUNT: prints the mean of the last COUNT checkpoints of a training, or of as many as there are.
mean() {
  local checkpoints=("$1"/model-*.safetensors)
  average -o - --last "$(($2 < ${#checkpoints[@]} ? $2 : ${#checkpoints[@]}))" "$1"
}

# learn DIR AVERAGED TRAIN-OPTION...: trains in DIR or resumes there, with a log in DIR.tsv, and writes the mean of the last AVERAGED
# checkpoints to DIR.safetensors.
learn() {
  local run=$1 averaged=$2
  shift 2
  cost "$@"
  train -v -o "$run" "$@" >> "$run.tsv"
  rm -f "$run.safetensors"
  once "$run.safetensors" mean "$run" "$averaged"
}

# translated MODEL TRANSLATE-OPTION...: translates raw text from stdin to stdout.
translated() { tokenize -m "$1" | translate -m "$@" | tokenize -m "$1" --decode; }

# moses LANGUAGE: tokenizes like Moses' tokenizer, as for the BLEU of the paper.
moses() { tokenize --scheme moses -l "$1" --normalize-punctuation ${prefixes:+--prefixes "$prefixes"}; }

# cost TRAIN-OPTION...: prints the estimated training cost: 6 floating-point operations (2 forward, 4 backward) per token and weight of
# a matrix product.  Source tokens use the encoder; target tokens use the decoder and the output projection.  The products of queries,
# keys and values are ignored: for sentences they are less than 1 % of the total.
cost() {
  local vocabulary
  vocabulary=$(awk '$1 == "pieces" { print $2; exit }' vocabulary)
  : "${vocabulary:=${vocabulary_size:?}}"  # of a SentencePiece model
  train --dump-config "$@" | awk -v vocabulary="$vocabulary" '
    { of[$1] = $3 }
    END {
      d = of["d-model"]
      attention = 2 * d * of["heads"] * (of["d-k"] + of["d-v"])
      network = 2 * d * of["d-ff"]
      encoder = of["encoder-layers"] * (attention + network)
      decoder = of["decoder-layers"] * (2 * attention + network) + d * vocabulary
      tokens = of["batch-tokens"] * of["accumulate"]
      printf "%d updates of %d tokens on each side, %.3g million weights in products: %.2g FLOP\n", of["max-steps"], tokens,
        (encoder + decoder) / 1e6, 6 * tokens * of["max-steps"] * (encoder + decoder)
    }'
}
