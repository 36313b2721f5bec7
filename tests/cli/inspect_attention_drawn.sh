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

# The keyboard: a word with the focus is kept by Enter, its weights are a text, and keys act only there.
cat >> page.html <<'END'
<script>
const key = (element, key) => element.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
const seen = name => document.body.setAttribute(`data-${name}`, `${document.activeElement.id} ${location.hash} ${document.getElementById('cell').textContent}`);
key(document.body, 'ArrowUp');
document.getElementById('from-1').focus();
key(document.activeElement, 'Enter');
seen('enter');
key(document.activeElement, 'ArrowUp');
seen('up');
key(document.activeElement, 'n');
seen('next');
</script>
END
drawn 1/cross/2/2
seen() { sed -n "s/.*data-$1=\"\([^\"]*\)\".*/\1/p" dom; }
same 'the weights of a word' 'from-1 #1/cross/2/2 </s>: </s> 75 %, a 25 %' "$(seen enter | sed 's/&lt;/</g; s/&gt;/>/g')"
same 'the focus in another layer' 'from-1 #1/cross/1/2 </s>: </s> 100 %' "$(seen up | sed 's/&lt;/</g; s/&gt;/>/g')"
same 'the focus in a shorter sentence' 'from-0 #2/cross/1/2' "$(seen next | cut -d ' ' -f 1,2)"
sed 's/^key(document.activeElement, .n.);$//' page.html > kept.html
mv kept.html page.html
drawn 1/cross/2/2
same 'words that are kept' 1 "$(grep -o 'class="word[^>]*aria-pressed="true"' dom | wc -l)"
grep -q 'aria-label="a" aria-pressed="false"' dom || fail 'a name has no mark of a beginning'

# A memory network.
cat > hops <<'END'
{"format":"awend-attention 1","encoder_layers":0,"decoder_layers":2,"heads":1}
{"line":0,"source":["john went back to the hallway","(empty)"],"target":["hallway","</s>"],"question":"where is john","encoder":[],"decoder":[],"cross":[[[[1],[1]]],[[[0.5,0.5],[0.5,0.5]]]]}
END
expect 0 inspect --attention hops
mv out page.html
drawn 1/cross/2
grep -q '>Question to memories, hop 2<' dom || fail 'the title names the hop'
grep -q '<option value="0">1  where is john<' dom || fail 'the question'
grep -q '>john went back to the hallway</text>' dom || fail 'a sentence is a whole label'

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
