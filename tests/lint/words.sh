#!/bin/bash
# Wording that a pattern can check: American spelling and rejected words in everything that users read, and references to files that
# do not exist in all comments.  The rest of the rules for text is in CONTRIBUTING.md.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE" || exit 1

# prose FILE...: prints FILE:LINE:TEXT for prose: Markdown and man pages without literals, comments and string literals of C++,
# comments, here-documents and messages of scripts.
prose() {
  local file
  for file; do
    case $file in
      *.md) sed -E 's/`[^`]*`//g; s/\]\([^)]*\)/]/g' "$file" | grep -n '' ;;
      *.[1-9]) grep -vn '^\.\\"' "$file" ;;
      *.cpp | *.hpp) grep -noP '//.*|"(\\.|[^"\\])*"' "$file" ;;
      *.sh | *.awk | *.cmake | *CMakeLists.txt) awk '/<< *.?END/ {inside = 1} /^END$/ {inside = 0}
        inside || /^[ \t]*# / || /^[ \t]*(step|echo|printf) / {print NR ":" $0}' "$file" | sed -E 's/\$\{?[A-Za-z_]+//g' ;;
    esac | sed "s|^|$file:|"
  done
}
files=$(ls README.md CONTRIBUTING.md tests/bench/RESULTS.md man/*.[1-9] tools/*.cpp tools/*.hpp tools/recipes/*.sh tools/recipes/trees/*.awk \
  tools/recipes/locale_corpus.cpp tests/bench/awend_bench.cpp tests/*.sh tests/bench/*.sh tests/bench/*.awk tools/packaging/*.cmake CMakeLists.txt \
  tests/CMakeLists.txt tools/CMakeLists.txt \
  $(find libcore/base libcore/cli libcore/text libcore/metrics libcore/data libcore/store tools -name "*.[ch]pp") libcore/nn/limits.* \
  $(find tests/unit/base tests/unit/cli tests/unit/text tests/unit/metrics tests/unit/data tests/unit/store tests/unit/inspect tests/fuzz tests/cli tests/conventions \
    tests/faults tests/install tests/man -name "*.[ch]pp" -o -name "*.sh"))
# shellcheck disable=SC2086
prose $files > "$scratch/prose.all"
# Of the other modules what users read: string literals.
grep -rnoP --include='*.?pp' '^\s*//.*(*SKIP)(*FAIL)|"(\\.|[^"\\])*"' libcore | grep -vE '^libcore/(base|cli|text|metrics|data|store)/' >> "$scratch/prose.all"
# Text on stdout and in signatures, which scripts may read, keeps its words; look-behind is a term of regular expressions.
kept='"linearised"|"learnt from"|"none beside it: |" - In brackets behind a score|how often chance alone|It says that a difference|the driver anew"|look-behind|tests/unit/store/digest_test.cpp:[0-9]*:"ours"'
grep -vE -- "$kept" "$scratch/prose.all" > "$scratch/prose"
[ "$(wc -l < "$scratch/prose")" -gt 2000 ] || fail 'there is prose'

# none WHAT PATTERN: no line of prose matches, whatever its case.
none() { same "$1" '' "$(grep -iP "^[^:]*:[0-9]*:.*($2)" "$scratch/prose")"; }

stems='canonical|capital|categor|custom|emphas|factor|final|general|initial|linear|local|maxim|memor|minim|normal|optim|organ|parallel|penal'
stems+='|quant|random|real|recogn|regular|serial|special|standard|summar|symbol|synchron|token|util|vector|visual'
none 'American spelling: -ize' "(?:$stems)is(?:e|ed|er|ers|es|ing|ations?)\b|\banalys(?:e|ed|es|ing)\b"
none 'American spelling: -or, -er, -log' '\b(?:behaviour|colour|favour|honour|labour|neighbour)|\b(?:centre|fibre|litre)s?\b|\bcatalogue'
none 'American spelling: consonants' '\b(?:cancell|labell|levell|modell|travell)(?:ed|er|ers|ing)\b|\b(?:licence|defence|offence|artefacts?|programme|grey)\b'
none 'American spelling: verbs' '\b(?:learnt|spelt|spilt|burnt|whilst|amongst|for ever)\b'

none 'module, dependency, design; wrapper or adapter' '\b(?:rooms?|doors?|arrows?|houses?|bands?)\b'
none 'directory' '\bfolders?\b'
none 'conventions' '\bmanners\b'
none 'random numbers, samples; attention range' '\b(?:chances?|by chance|sight|draws)\b'
none 'must be in [0, 1), got 2' '\b(?:which|that) [0-9.]+ is not\b|\bnone is [0-9"]'
none 'duplicate, repeated' '\b(?:comes|stands) twice\b'
none 'is, exists, is next to' '\b(?:stands?|stood)\b(?! (?:alone|for)\b)|\bbesides?\b'
none 'resumes, continues' '\b(?:go|goes|going|went|gone) on\b(?! to\b)'
none 'after' '\bbehind\b'
none 'again, rebuilt' '\banew\b'
none 'N, that many' '\bso (?:many|few)\b'
none 'must be; is not a' '\bis none of\b|(?<!there )\bis no (?!longer\b|more\b)'
none 'requested, in progress' '\b(?:is|are) wanted\b|\bwish(?:es|ed)?\b|\bin work\b'
none 'default: …' '[;,] else (?!if\b)'
none 'removes, separates' '\b(?:takes?|taken) away\b|\b(?:puts?|set) apart\b'
none 'one or zero; second-to-last' '\bnought\b|\blast but one\b'
none 'no personification' '\b(?:nobody|somebody|whoever)\b|\bby heart\b|\bours\b|\bour own\b'
none 'prints, reports' '(?<!# )\bsays\b'
none 'stopping, saving and logging' '(?<!of )\bcourse\b'

same 'sentences end in one period' '' "$(grep -rnP --include='*.[ch]pp' --include='*.md' --include='*.[1-9]' --include='*.glsl' --include='*.comp' \
  '[a-z)]\.\.(?= |$)' README.md CONTRIBUTING.md man libcore tools shaders tests |
  grep -vF ...)"

# References in comments and Markdown: each must be the end of a path in the tree.  Names in capitals are placeholders.
external='get_ende_bleu.sh|mecab.h'
find . -type f -not -path './.git/*' -not -path './build*' -not -path './run/*' -printf '%P\n' > "$scratch/paths"
find .ci CMakeLists.txt README.md CONTRIBUTING.md libcore shaders tests tools -type f > "$scratch/sources"
grep -noP '(?:^|\s)(?://+|#) .*' $(grep -E '\.(cpp|hpp|h|comp|glsl|js|sh|cmake|inc|awk|py|in)$|CMakeLists\.txt$' "$scratch/sources") > "$scratch/comments"
grep -n '' $(grep -E '\.md$' "$scratch/sources") >> "$scratch/comments"
grep -P '\.(?:cpp|hpp|h|comp|glsl|cmake|sh|awk|inc|py|in|md|[157])\b' "$scratch/comments" |
  awk -v paths="$scratch/paths" -v external="^($external)$" '
    BEGIN {
      while ((getline path < paths) > 0) {
        for (;;) {
          known[path]
          if (path ~ /\.in$/) known[substr(path, 1, length(path) - 3)]  # what CMake writes from it
          if (!sub(/^[^\/]*\//, "", path)) break
        }
      }
    }
    {
      match($0, /^[^:]*:[0-9]*:/); where = substr($0, 1, RLENGTH); text = substr($0, RLENGTH + 1)
      gsub(/https?:[^ )]*/, "", text)
      while (match(text, /[A-Za-z0-9_.\/$*{}<-]*\.(cpp|hpp|h|comp|glsl|cmake|sh|awk|inc|py|in|md|[157])/)) {
        name = substr(text, RSTART, RLENGTH); after = substr(text, RSTART + RLENGTH, 1)
        text = substr(text, RSTART + RLENGTH)
        if (after ~ /[A-Za-z0-9_*-]/ || name ~ /^[.0-9]|[$*{}<]|^-|\/\/|\/[0-9]|NAME|^build\// || name ~ external) continue
        if (name ~ /\.[157]$/ && name !~ /^man\//) continue
        ++count
        sub(/^awend\//, "", name)  # where headers are installed
        if (!(name in known)) print where " " name
      }
    }
    END {print count > "/dev/stderr"}' > "$scratch/dead" 2> "$scratch/count"
same 'references to files that do not exist' '' "$(cat "$scratch/dead")"
[ "$(cat "$scratch/count")" -gt 300 ] || fail 'there are references to files'
