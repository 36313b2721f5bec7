#!/bin/bash
# The page of inspect --attention as Chromium shows it: in both sentences a button for each head of each layer, and two columns of words.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
command -v chromium > /dev/null || { skip 'Chromium is not installed'; exit; }

. "$AWEND_SOURCE/tests/attention.inc"
expect 0 inspect --attention attention
mv out page.html

# drawn ADDRESS: the page after its script has run.
drawn() {
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" --dump-dom \
    "file://$scratch/page.html#$1" 2> /dev/null | sed '/<script/,$d' > dom
}
drawn 1/cross/2/2
same 'heads at a glance' 4 "$(grep -o 'class="thumb"' dom | wc -l)"
same 'words' 4 "$(grep -o '<g class="word"' dom | wc -l)"
same 'lines of head 2 of layer 2' 3 "$(grep -o '<path d=' dom | wc -l)"
grep -q 'Decoder to encoder, layer 2, head 2' dom || fail 'the title of the lines'
grep -q '&lt;script&gt;alert(1)&lt;/script&gt;' dom || fail 'a token like markup is text'
drawn 2/encoder/1
same 'heads at a glance in the encoder' 2 "$(grep -o 'class="thumb"' dom | wc -l)"
same 'words of the second sentence' 2 "$(grep -o '<g class="word"' dom | wc -l)"
# Encoder and decoder with different numbers of heads.
cat > uneven <<'END'
{"format":"awend-attention 1","encoder_layers":1,"decoder_layers":2,"heads":2,"decoder_heads":1}
{"line":0,"source":["</s>"],"target":["</s>"],"encoder":[[[[1]],[[1]]]],"decoder":[[[[1]]],[[[1]]]],"cross":[[[[1]]],[[[1]]]]}
END
expect 0 inspect --attention uneven
mv out page.html
drawn 1/encoder/1
same 'heads of the encoder' 2 "$(grep -o 'class="thumb"' dom | wc -l)"
drawn 1/cross/2/2
same 'heads of both layers of the decoder' 2 "$(grep -o 'class="thumb"' dom | wc -l)"
grep -q 'Decoder to encoder, layer 2, head 1' dom || fail 'the title of the only head'
