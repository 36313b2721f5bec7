#!/bin/bash
# Usage: libretranslate.sh MODEL SOURCE TARGET [PORT [TRANSLATE-OPTION...]]
# The API of LibreTranslate for one model and its languages, such as en and de, at
# http://127.0.0.1:PORT (5000): POST /translate, GET /languages.  Needs socat, jq.
# With --markup html it translates HTML.  A source tree is built first.
set -euo pipefail
if [ "${AWEND_ANSWERS:-}" = "" ]; then
  [ "${1:-}" != --help ] || { sed -n '2,5s/^# //p' "$0"; exit; }
  [ $# -ge 3 ] || { echo 'libretranslate.sh: missing operand; try --help' >&2; exit 2; }
  . "$(dirname "$(realpath "$0")")/setup.sh"; find_programs no > /dev/null
  # One translate for all requests, which take turns: its input and output are open as long as the server runs.
  AWEND_ANSWERS=$(mktemp -d) AWEND_SERVER=$(realpath "$0") AWEND_FORMAT=$([[ " ${*:5} " =~ ' --markup'[\ =]'html ' ]] && echo html || echo text)
  export AWEND_ANSWERS AWEND_SERVER AWEND_FORMAT AWEND_FROM=$2 AWEND_TO=$3
  trap 'kill $(jobs -p) 2> /dev/null; rm -rf "$AWEND_ANSWERS"' EXIT; trap 'exit 0' INT TERM
  mkfifo "$AWEND_ANSWERS/in" "$AWEND_ANSWERS/out"; exec 3<> "$AWEND_ANSWERS/in" 4<> "$AWEND_ANSWERS/out"
  translate --raw --unbuffered -q --replace-invalid -m "$1" "${@:5}" < "$AWEND_ANSWERS/in" > "$AWEND_ANSWERS/out" 3>&- 4>&- &
  # The script is the only one that holds the connection: it ends with the answer, whatever the client does, or with translate.
  socat "TCP-LISTEN:${4:-5000},bind=127.0.0.1,reuseaddr,fork,max-children=16" 'SYSTEM:\"$AWEND_SERVER\",nofork' 3>&- 4>&- &
  wait -n || { echo 'libretranslate.sh: translate or socat failed' >&2; exit 1; }; exit
fi

respond() { printf 'HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s' "$1" "$(printf %s "$2" | wc -c)" "$2"; exit; }
trap 'exit 0' EXIT; IFS=' ' read -r -t 10 -n 8000 method path _; length=0  # socat 1.8 would report a client that leaves
while [ $SECONDS -lt 20 ] && IFS= read -r -t 10 -n 8000 header && header=${header%$'\r'} && [ -n "$header" ]; do  # and web pages are refused
  [[ ${header,,} =~ ^content-length:\ *([0-9]{1,6})$ ]] && length=${BASH_REMATCH[1]}
  [[ ! ${header,,} =~ ^(host:|origin:\ *https?://) || ${header,,} =~ ^(host:|origin:\ *https?://)\ *(127\.0\.0\.1|localhost)(:[0-9]+)?$ ]] || respond '403 Forbidden' '{"error": "only for programs of this machine"}'
done
[ "$method $path" != 'GET /languages' ] || respond '200 OK' "$(jq -nc 'env | [{code: .AWEND_FROM, name: .AWEND_FROM, targets: [.AWEND_TO]}]')"
[ "$method $path" = 'POST /translate' ] || respond '404 Not Found' '{"error": "no such path"}'
[ "$length" -gt 0 ] || respond '411 Length Required' '{"error": "expected a body of 1 to 999999 bytes and its length"}'
body=$(timeout 20 head -c "$length")
lines=$(jq -rs 'if length != 1 then error else .[0] end | if (.source // "auto" | IN("auto", env.AWEND_FROM)) and (.target // env.AWEND_TO) == env.AWEND_TO and (.format // env.AWEND_FORMAT) == env.AWEND_FORMAT
    then ([.q] | flatten | .[] | split("\n")[]), "." else error end' <<< "$body" 2> /dev/null) ||
  respond '400 Bad Request' "{\"error\": \"expected JSON with q, from $AWEND_FROM to $AWEND_TO, format $AWEND_FORMAT\"}"
exec 5> "$AWEND_ANSWERS/lock" && flock 5; count=$(printf %s "${lines%.}" | wc -l)
translated=$(printf %s "${lines%.}" > "$AWEND_ANSWERS/in" & head -n "$count" < "$AWEND_ANSWERS/out"; echo .)  # a file for jq: an argument has at most 128 KiB
[ "$(wc -l <<< "$translated")" -gt "$count" ] || respond '503 Service Unavailable' '{"error": "the server was stopped"}'
respond '200 OK' "$(jq -c --rawfile t <(printf %s "$translated") '([.q] | flatten | map(split("\n") | length)) as $n | ($t | split("\n")) as $l |
  [range($n | length) as $i | ($n[:$i] | add // 0) as $at | $l[$at:$at + $n[$i]] | join("\n")] as $texts |
  {translatedText: (if (.q | type) == "array" then $texts else $texts[0] end)}' <<< "$body")"
