#!/bin/bash
# Kernels that are kept compiled (shaders/prebuilt) were made from the sources as they are now.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE/shaders" || exit 1
for header in prebuilt/*.h; do
  # shellcheck disable=SC2046
  sources=$(cat $(sed -n 's|^// Sources: ||p' "$header") | sha256sum)
  same "$header is of today's sources (else: tests/matrix.sh)" "${sources%% *}" "$(sed -n 's|^// SHA-256: ||p' "$header")"
done
