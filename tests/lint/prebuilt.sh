#!/bin/bash
# The sources of the precompiled kernels (shaders/prebuilt) have not changed since they were compiled.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE/shaders" || exit 1
for header in prebuilt/*.h; do
  # shellcheck disable=SC2046
  sources=$(cat $(sed -n 's|^// Sources: ||p' "$header") | sha256sum)
  same "$header is compiled from the current sources (otherwise, run tests/matrix.sh)" "${sources%% *}" "$(sed -n 's|^// SHA-256: ||p' "$header")"
done
