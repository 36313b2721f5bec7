#!/bin/bash
# The scripts that complete words, in the shells that read them.
. "$AWEND_SOURCE/tests/script.sh" || exit 1

tools=$(tr ' ' '\n' <<< "${AWEND_TOOLS:?}")
for tool in $tools; do
  for shell in bash zsh fish; do
    expect 0 "$tool" --completion "$shell" "awend-$tool"
    mv out "$tool.$shell"
    same "$shell: syntax of $tool" '' "$("$shell" -n "$tool.$shell" 2>&1)"
  done
  # A value that is offered is one that --help names.
  "$tool" --help | tr -s ' \n' '  ' > help
  for choice in $(grep -oP "compgen -W '\K[^']*" "$tool.bash"); do
    grep -qF -- "$choice" help || fail "$tool: --help names the value $choice"
  done
  same "bash: $tool is completed" "complete -o filenames -F _awend_awend-$tool awend-$tool" \
    "$(bash -c '. "./$0.bash"; complete -p "awend-$0"' "$tool")"
done
expect 2 train --completion csh
says "train: no completion for 'csh': must be bash, zsh or fish; try 'train --help'"
expect 2 train --completion
says "train: expected --completion SHELL [NAME]; try 'train --help'"

# bash_offers WORD...: what is offered for the last of the words after `awend-train`.
bash_offers() {
  bash -c '. ./train.bash; COMP_WORDS=(awend-train "$@"); COMP_CWORD=$#; _awend_awend-train; echo "${COMPREPLY[*]}"' - "$@"
}
mkdir folder && touch file
same 'bash: an option' '--d-model --d-ff' "$(bash_offers --d-m | tr ' ' '\n' | grep model) $(bash_offers --d-f)"
same 'bash: a choice' 'base big bahdanau bert-base bert-tiny' "$(bash_offers --preset b)"
same 'bash: a choice after a letter' 'small sutskever' "$(bash_offers -p s)"
same 'bash: a choice after =' 'base big bahdanau bert-base bert-tiny' "$(bash_offers --preset = b)"
same 'bash: all choices after =' 'base big small tiny cho sutskever bahdanau luong gnmt rnn-small rnn-tiny memory-3hop memory-joint bert-base bert-tiny' "$(bash_offers --preset =)"
same 'bash: a choice has no slash like a folder of its name' '+o filenames' \
  "$(bash -c '. ./train.bash; compopt() { echo "$*"; }; COMP_WORDS=(awend-train --preset b); COMP_CWORD=2; _awend_awend-train')"
same 'bash: a file' 'file' "$(bash_offers --vocabulary fi)"
same 'bash: a folder' 'folder' "$(bash_offers --output f)"
same 'bash: nothing for a number' '' "$(bash_offers --seed '')"

fish_offers() { HOME=$PWD fish --no-config -c 'source train.fish; complete -C "$argv[1]"' "awend-train $1" | cut -f 1 | paste -sd ' '; }
# fish 4 also offers options that have these letters in this order, after those that begin with them.
same 'fish: an option' '--d-model' "$(fish_offers --d-m | cut -d ' ' -f 1)"
same 'fish: a choice' 'bahdanau base bert-base bert-tiny big' "$(fish_offers '--preset b')"
same 'fish: a folder' 'folder/' "$(fish_offers '--output fo')"

# zsh completes only where it is typed at, so that its own parser is asked about the table.
mkdir functions && mv train.zsh functions/_awend-train
same 'zsh: the script is found for its program' _awend-train "$(zsh -fc '
  fpath=($PWD/functions $fpath); autoload -U compinit; compinit -D -u; print -r -- $_comps[awend-train]' 2>&1)"
