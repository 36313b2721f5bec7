#!/bin/bash
# The recipe that serves the API of LibreTranslate: answers are those of translate, in any number and at the same time.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc"
export AWEND_BIN
recipe=$AWEND_SOURCE/tools/recipes/libretranslate.sh
expect 2 "$recipe" model
says 'libretranslate.sh: missing operand; try --help'
[ "$(wc -l < "$recipe")" -le 40 ] || fail 'the recipe has at most 40 lines'
for program in socat jq curl; do command -v $program > /dev/null || { skip "$program is not installed"; exit; }; done
corpus 60
small_model run

port=$((20000 + $$ % 10000))
"$recipe" run en de $port -j 1 -b 2 2> server.err &
server=$!
clean_up() { kill $server; wait $server; }
for _ in $(seq 100); do curl -s "127.0.0.1:$port/languages" > languages && break; sleep 0.1; done
same 'languages' '[{"code":"en","name":"en","targets":["de"]}]' "$(cat languages)"

# ask JSON: the answer of the server.
ask() { curl -s -H 'Content-Type: application/json' -d "$1" "127.0.0.1:$port/translate"; }
head -n 12 raw.en > lines
translate --raw -m run -b 2 < lines > expected
jq -Rsc 'rtrimstr("\n") | {q: ., source: "en", target: "de"}' lines > request
same 'a text of twelve lines' "$(cat expected)" "$(ask @request | jq -r .translatedText)"
jq -Rsc 'rtrimstr("\n") | {q: split("\n")}' lines > requests
same 'twelve texts' "$(cat expected)" "$(ask @requests | jq -r '.translatedText[]')"
same 'an empty text' '{"translatedText":""}' "$(ask '{"q": ""}')"
{ head -c 140000 /dev/zero | tr '\0' '\n'; cat lines; } | jq -Rsc 'rtrimstr("\n") | {q: .}' > request.long
same 'more text than an argument of a program may have' "$(cat expected)" "$(ask @request.long | jq -r .translatedText | tail -n 12)"
same 'quotes, umlauts and empty lines' 3 "$(ask '{"q": "\"a\"\n\n\u00fc"}' | jq -r .translatedText | wc -l)"
for i in 1 2 3 4 5; do ask @request > answer.$i & asks+=($!); done
wait "${asks[@]}"
for i in 1 2 3 4 5; do same 'requests at the same time' "$(cat expected)" "$(jq -r .translatedText answer.$i)"; done
same 'empty lines at the end' '["\n","\n\n"]' "$(ask '{"q": ["\n", "\n\n"]}' | jq -c .translatedText)"
for bad in x '[]' '{"q": "a"}{"q": "b"}' '{"q": 1}' '{"q": "a", "source": "fr"}' '{"q": "a", "target": "es"}' '{"q": "a", "format": "html"}'; do
  same "$bad" '{"error": "expected JSON with q, from en to de, format text"}' "$(ask "$bad")"
done
same 'the usual fields' "$(head -n 1 expected)" "$(head -n 1 lines | jq -Rc '{q: ., source: "auto", target: "de", format: "text"}' | ask @- | jq -r .translatedText)"
same 'no body' 411 "$(curl -s -o /dev/null -w '%{http_code}' -X POST "127.0.0.1:$port/translate")"
same 'no length' 411 "$(curl -s -o /dev/null -w '%{http_code}' -H 'Transfer-Encoding: chunked' -d @request "127.0.0.1:$port/translate")"
same 'a client that closes its side' "$(cat expected)" "$({ printf 'POST /translate HTTP/1.1\r\nContent-Length: %d\r\n\r\n' "$(wc -c < request)"; cat request; } |
  socat -t 30 - "TCP:127.0.0.1:$port" | tail -n 1 | jq -r .translatedText)"
same 'another path' 404 "$(curl -s -o /dev/null -w '%{http_code}' "127.0.0.1:$port/other")"
status() { curl -s -o /dev/null -w '%{http_code}' -d '{"q": "a"}' "$@" "127.0.0.1:$port/translate"; }
same 'a web page, and one that takes the name of this machine' '403 403' "$(status -H 'Origin: https://page.example') $(status -H 'Host: page.example')"
same 'a page of this machine, and an extension of the browser' '200 200' \
  "$(status -H 'Origin: http://localhost:80') $(status -H 'Origin: moz-extension://0123')"
same 'a body that is too long' 411 "$(head -c 1000000 /dev/zero | tr '\0' x | status -d @-)"
# Clients that send nothing, as many as there may be, are not waited for.
for _ in $(seq 16); do sleep 60 | socat -u - "TCP:127.0.0.1:$port" & idle+=($!); done
sleep 0.5
same 'a request after silent clients' 200 "$(status -m 50)"
kill "${idle[@]}" 2> /dev/null
# socat 1.8 warns if several of its processes end at once.
same 'the server prints nothing' '' "$(grep -v ' W waitpid(-1, {}, WNOHANG): no child has exited$' server.err)"

# A server that is stopped leaves neither requests nor processes.
yes "$(head -n 1 lines)" | head -n 20000 | jq -Rsc '{q: .}' > request.huge
curl -s -m 60 -o answer.huge -d @request.huge "127.0.0.1:$port/translate" &
asked=$!
sleep 1
kill $server
wait $server
wait $asked
status=$?
[ $status -ne 28 ] || fail 'a request in progress ends with the server'
if [ $status -eq 0 ]; then
  jq -e '.error // (.translatedText | split("\n") | length >= 20000)' answer.huge > /dev/null || fail "half of an answer: $(head -c 200 answer.huge)"
fi
for _ in $(seq 50); do pgrep -f "TCP-LISTEN:$port" > /dev/null || break; sleep 0.1; done
! pgrep -f "TCP-LISTEN:$port" > left || fail "processes are left: $(cat left)"
clean_up() { :; }
