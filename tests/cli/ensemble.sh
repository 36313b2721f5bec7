#!/bin/bash
# translate with several models.  The mixture itself: tests/properties/ensemble_test.cpp.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
. "$AWEND_SOURCE/tests/corpus.inc" || exit 1

corpus 200
small_model a
small_model b --seed 2 --layers 2 --d-model 48
a=a/model-00000003.safetensors b=b/model-00000003.safetensors
head -n 7 tokens.en | sed '3s/.*//' > input

expect 0 translate -m $a input
mv out of_a
expect 0 translate -m $b input
mv out of_b
cmp -s of_a of_b && fail 'the models differ'
expect 0 translate -m $a,$a input
cmp -s out of_a || fail 'a model together with itself'
expect 0 translate -m $a -m $b --ensemble-weights 1,0 input
cmp -s out of_a || fail 'a model of weight 0 has no effect'
expect 0 translate -m $a,$b --ensemble-weights 0,1 --ensemble log input
cmp -s out of_b || fail 'a model of weight 0 has no effect on a log mean'
expect 0 translate -m $a,$b --scores input
mv out both
expect 0 translate -m $a -m $b --ensemble-weights 3,3 --scores --batch-tokens 30 input
cmp -s out both || fail 'models come with a comma or an option; only proportions of weights count; batches do not'
expect 0 translate -m $a,$b --ensemble log --scores input
cmp -s out both && fail 'the means differ'
cp $a 'a,b'
expect 0 translate -m 'a,b' input
cmp -s out of_a || fail 'a file may have a comma in its name'

expect 2 translate -m $a,$b --ensemble-weights 1 input
says "translate: 1 weights are given for 2 models of an ensemble; try 'translate --help'"
expect 2 translate -m $a --ensemble-weights 1 input
says "translate: --ensemble-weights needs several models; try 'translate --help'"
expect 2 translate -m $a,$b --ensemble-weights 0,0 input
expect 2 translate -m $a,$b --ensemble-weights -1,2 input
expect 2 translate -m $a,$b --ensemble median input
says "translate: option '--ensemble': must be linear or log, got 'median'; try 'translate --help'"
expect 1 translate -m $a,nothing input
says 'translate: nothing: No such file or directory'
expect 1 translate -m $a, input
build-vocab -q --size 350 -o vocabulary raw.en raw.de
for side in en de; do tokenize -m vocabulary < raw.$side > tokens.$side; done
small_model c
expect 1 translate -m $a,c/model-00000003.safetensors input
says "translate: c/model-00000003.safetensors: the vocabulary differs from that of $a; models of an ensemble must share one"
