# shellcheck shell=bash
# What the recipes for large corpora have in common; they source it after setup.sh.  Test: tests/cli/recipes.sh.
#
# Their runs take days, so that what is there already is not made again: a recipe that was stopped goes on where it was.
export LC_ALL=C  # text is bytes to awk and sed, whatever the locale

work='' install=yes sizes=published prefixes='' operands=()

common_usage() {
  cat << 'END'
  --work DIR      where all files go; what it holds already is not made again
  --no-install    leave missing packages to you
  --help          print this text

What follows -- is given to train, after the options that the recipe gives it.  AWEND_DEVICE chooses a GPU.

The programs are those in the folder AWEND_BIN, if the environment has it; or those that this script was installed with; or else
they are built, with the packages that this needs.
END
}

# common_option ARGUMENT...: takes what all these recipes understand; `taken` is the number of arguments that it was.
common_option() {
  taken=1
  case $1 in
    --work) need_value "$@"; work=$2 taken=2 ;;
    --prefixes) need_value "$@"; prefixes=$(folder "$2") taken=2 ;;
    --any-size) sizes=any ;;
    --no-install) install=no ;;
    --help) usage; exit ;;
    -*) echo "${0##*/}: unknown option '$1'; try --help" >&2; exit 2 ;;
    *) operands+=("$1") ;;
  esac
}

# need_operands COUNT: ends the script unless there are so many.
need_operands() {
  [ ${#operands[@]} -ge "$1" ] || { echo "${0##*/}: missing operand; try --help" >&2; exit 2; }
  [ ${#operands[@]} -le "$1" ] || { echo "${0##*/}: one operand too many: '${operands[$1]}'" >&2; exit 2; }
}

# folder NAME: its absolute path; ends the script if there is none.
folder() { [ -d "$1" ] || { echo "${0##*/}: $1: no such folder" >&2; exit 1; }; (cd "$1" && pwd); }

# file NAME: the same of a file.
file() { [ -f "$1" ] || { echo "${0##*/}: $1: no such file" >&2; exit 1; }; echo "$(folder "$(dirname "$1")")/${1##*/}"; }

# begin DEFAULT: the programs are built and in PATH, and the current folder is --work, or else run/DEFAULT.
begin() {
  find_programs $install
  work=${work:-$runs/$1}
  mkdir -p "$work" && cd "$work"
  SECONDS=0
}

# once FILE COMMAND...: makes FILE of what the command prints, unless it is there; half a file never has that name.
once() {
  local file=$1
  shift
  if [ ! -e "$file" ]; then
    "$@" > "$file.part"
    mv "$file.part" "$file"
  fi
}

# fetch FOLDER ADDRESS...: downloads what the folder lacks, under the last part of its address.
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

# counted LINES NAME: passes lines on; fails if there are more or fewer, but for --any-size.
counted() {
  awk -v wanted="$1" -v name="$2" -v sizes=$sizes '
    { print }
    END {
      if (NR == wanted || sizes == "any") exit
      print name ": " NR " lines, but " wanted " were published; --any-size goes on all the same" > "/dev/stderr"
      exit 1
    }'
}

# member ARCHIVE NAME: prints what an archive has under that name, unpacked if that ends in .gz.
member() { if [[ $2 == *.gz ]]; then tar -xOf "$1" "$2" | gzip -dc; else tar -xOf "$1" "$2"; fi; }

# segments: the sentences of an SGML file of WMT, one a line.
segments() {
  sed -n 's/^.*<seg[^>]*>[[:space:]]*\(.*[^[:space:]]\)[[:space:]]*<\/seg>.*$/\1/p' |
    sed "s/&lt;/</g; s/&gt;/>/g; s/&quot;/\"/g; s/&apos;/'/g; s/&amp;/\&/g"
}

# same_lines FILE FILE: ends the script unless both have as many lines, as two sides of a corpus do.
same_lines() {
  local lines
  lines=$(wc -l < "$1")
  [ "$lines" -eq "$(wc -l < "$2")" ] || { echo "$1 and $2 differ in their number of lines" >&2; exit 1; }
  echo "$lines pairs in $1 and $2"
}

# pieces VOCABULARY FILE...: their token lines.
pieces() { tokenize -m "$@"; }

# learn DIR AVERAGED TRAIN-OPTION...: trains in DIR, or goes on there, with a log in DIR.tsv; DIR.safetensors is then the mean of
# the last AVERAGED checkpoints.
learn() {
  local run=$1 averaged=$2
  shift 2
  cost "$@"
  train -v -o "$run" "$@" >> "$run.tsv"
  average -o "$run.safetensors" --last "$averaged" "$run"
}

# translated MODEL TRANSLATE-OPTION...: lines of text in, lines of text out.
translated() { tokenize -m "$1" | translate -m "$@" | tokenize -m "$1" --decode; }

# moses LANGUAGE: words as Moses' tokenizer cuts them, which is how the paper's BLEU counts.
moses() { tokenize --scheme moses -l "$1" --normalize-punctuation ${prefixes:+--prefixes "$prefixes"}; }

# cost TRAIN-OPTION...: says what the training costs: 6 floating-point operations for each weight of a matrix product and each token
# that meets it (2 forward, 4 backward).  A source token meets the encoder, a target token the decoder and the projection to the
# vocabulary; attention's own products, below a hundredth of that for sentences, are left out.
cost() {
  local vocabulary
  vocabulary=$(awk '$1 == "pieces" { print $2; exit }' vocabulary)
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
