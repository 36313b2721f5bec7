#!/bin/bash
# score against sacreBLEU: its command lines on whole files, and scores published for real systems.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
data=${AWEND_CONFORMANCE:-}
if [ ! -d "$data" ]; then
  echo 'left out: AWEND_CONFORMANCE names no folder'
  exit 0
fi
version=$(score --version | sed 's/.* //')

# matches FIGURES SETTINGS INPUT ARGUMENT...: the whole line is sacreBLEU's, whose case has these arguments.
matches() {
  local figures=$1 settings=$2 input=$3
  shift 3
  same "score $* < $input" "BLEU|$settings|smooth:exp|version:awend-$version = $figures" \
       "$(cd "$data/sacrebleu/cli/files" && score -q -w 4 "$@" < "$input")"
}
one='nrefs:1|case:mixed|eff:no|tok'
matches '28.8025 61.7/35.1/22.5/14.1 (BP = 1.000 ratio = 1.009 hyp_len = 1681 ref_len = 1666)' "$one:13a" a.hyp ref
matches '67.0484 87.9/73.0/61.7/53.0 (BP = 0.991 ratio = 0.991 hyp_len = 1681 ref_len = 1697)' \
        'nrefs:2|case:mixed|eff:no|tok:13a' a.hyp ref ref2
matches '62.5650 85.6/68.1/57.3/50.5 (BP = 0.976 ratio = 0.976 hyp_len = 7921 ref_len = 8114)' "$one:char" a.hyp -t char ref
matches '23.5004 51.2/29.7/18.3/11.0 (BP = 0.999 ratio = 0.999 hyp_len = 1415 ref_len = 1416)' "$one:none" a.hyp -t none ref
matches '29.8962 63.6/36.4/23.2/14.8 (BP = 1.000 ratio = 1.009 hyp_len = 1681 ref_len = 1666)' \
        'nrefs:1|case:lc|eff:no|tok:13a' a.hyp -l ref
matches '50.4639 73.9/56.4/44.0/35.3 (BP = 1.000 ratio = 1.018 hyp_len = 2353 ref_len = 2311)' "$one:char" zh.hyp -t char zh.ref1
matches '4.3468 12.9/9.8/4.3/6.2 (BP = 0.569 ratio = 0.639 hyp_len = 101 ref_len = 158)' "$one:13a" zh.hyp zh.ref1
for input in nonl.hyp crlf.hyp u2028.hyp; do
  matches '17.7751 52.7/27.6/14.0/6.3 (BP = 0.938 ratio = 0.940 hyp_len = 110 ref_len = 117)' "$one:13a" "$input" five.ref
done
matches '30.1375 62.3/35.9/23.6/15.6 (BP = 1.000 ratio = 1.009 hyp_len = 4433 ref_len = 4394)' "$one:13a" tok.hyp tok.ref

# Five systems of WMT17: one JSON object a line, with the system, the case and the printed line.
while IFS=$'\t' read -r system case line; do
  case $case in
    bleu-13a) arguments='' ;;
    bleu-13a-lc) arguments=-l ;;
    bleu-none | bleu-char) arguments="-t ${case#bleu-}" ;;
    *) continue ;;
  esac
  gzip -dc "$data/wmt17-ende-systems/ref.de.gz" > reference
  # shellcheck disable=SC2086
  same "$system $case" "${line/version:2.6.0/version:awend-$version}" \
       "$(gzip -dc "$data/wmt17-ende-systems/$system.gz" | score -q -w 4 $arguments reference)"
  seen=$((${seen:-0} + 1))
done < <(sed -E 's/^\{"system": "([^"]*)", "case": "([^"]*)".*"line_w4": "([^"]*)".*/\1\t\2\t\3/' \
         "$data/wmt17-ende-systems/expected.jsonl")
same 'the number of cases of WMT17' 20 "$seen"

# The systems of WMT21 and WMT22: the organisers' own BLEU, where the tokenizer is 13a.
for year in wmt21 wmt22; do
  for archive in "$data/$year-systems"/*.tar.gz; do
    pair=$(basename "$archive" .tar.gz)
    mkdir -p "$year/$pair" && tar -xzf "$archive" -C "$year/$pair"
  done
  while IFS=$'\t' read -r pair system metric tokenizer references _ _ _ line; do
    [ "$metric $tokenizer" = 'bleu 13a' ] || continue
    mapfile -t files < <(tr ',' '\n' <<< "$references" | sed "s|^|$year/$pair/references/|")
    same "$year $pair $system" "${line/version:2.6.0/version:awend-$version}" \
         "$(score -q -w 4 "${files[@]}" < "$(echo "$year/$pair/system-outputs/"*".hyp.$system."*)")"
    published=$((${published:-0} + 1))
  done < "$data/$year-systems/scores.tsv"
done
same 'the number of published scores' 162 "$published"
