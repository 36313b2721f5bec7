#!/bin/bash
# The commit that --version prints: from git, from `git archive`, or none; never that of another repository.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b

# commit_of DIRECTORY
commit_of() {
  printf 'include("%s")\nawend_commit("%s" commit)\nmessage("${commit}")\n' "$AWEND_SOURCE/tools/packaging/commit.cmake" "$1" > asks.cmake
  cmake -P asks.cmake 2>&1
}
mkdir source plain
cp "$AWEND_SOURCE/.git_archival.txt" "$AWEND_SOURCE/.gitattributes" source
same 'no repository' unknown "$(commit_of "$PWD/source")"
git -C source init -q
same 'a repository without a commit' unknown "$(commit_of "$PWD/source")"
git -C source add . && git -C source commit -qm first
head=$(git -C source rev-parse HEAD)
same 'a repository' "${head:0:12}" "$(commit_of "$PWD/source")"
git -C source archive HEAD | tar -x -C plain
same 'an archive' "${head:0:12}" "$(commit_of "$PWD/plain")"
mkdir source/inside
same 'a folder in another repository' unknown "$(commit_of "$PWD/source/inside")"
