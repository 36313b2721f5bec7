#!/bin/bash
# score on whole files: what sacreBLEU prints for real systems, and what was published of them.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
data=${AWEND_CONFORMANCE:-}
if [ ! -d "$data" ]; then
  skip 'AWEND_CONFORMANCE names no directory'
  exit
fi
version=$(score --version | sed -n '1s/.* //p')

# Five systems of WMT17: one JSON object a line, with the system, the case and the printed line.
while IFS=$'\t' read -r system case line; do
  case $case in
    bleu-13a) arguments='' ;;
    bleu-13a-lc) arguments=-l ;;
    bleu-none | bleu-char | bleu-intl) arguments="-t ${case#bleu-}" ;;
    *) continue ;;
  esac
  gzip -dc "$data/wmt17-ende-systems/ref.de.gz" > reference
  # shellcheck disable=SC2086
  same "$system $case" "${line/version:2.6.0/version:awend-$version}" \
       "$(gzip -dc "$data/wmt17-ende-systems/$system.gz" | score -q -w 4 $arguments reference)"
  seen=$((${seen:-0} + 1))
done < <(sed -E 's/^\{"system": "([^"]*)", "case": "([^"]*)".*"line_w4": "([^"]*)".*/\1\t\2\t\3/' \
         "$data/wmt17-ende-systems/expected.jsonl")
same 'the number of cases of WMT17' 25 "$seen"

# The systems of WMT21 and WMT22: the BLEU of the organizers.
for year in wmt21 wmt22; do
  for archive in "$data/$year-systems"/*.tar.gz; do
    pair=$(basename "$archive" .tar.gz)
    mkdir -p "$year/$pair" && tar -xzf "$archive" -C "$year/$pair"
  done
  while IFS=$'\t' read -r pair system metric tokenizer references _ _ _ line; do
    [ "$metric" = bleu ] || continue
    mapfile -t files < <(tr ',' '\n' <<< "$references" | sed "s|^|$year/$pair/references/|")
    same "$year $pair $system" "${line/version:2.6.0/version:awend-$version}" \
         "$(score -q -w 4 -t "$tokenizer" "${files[@]}" < "$(echo "$year/$pair/system-outputs/"*".hyp.$system."*)")"
    published=$((${published:-0} + 1))
  done < "$data/$year-systems/scores.tsv"
done
same 'the number of published scores' 201 "$published"
