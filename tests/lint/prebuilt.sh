#!/bin/bash
# The sources of the precompiled kernels (shaders/prebuilt) have not changed since they were compiled, except for comments and
# declarations for C++.
. "$AWEND_SOURCE/tests/script.sh" || exit 1
cd "$AWEND_SOURCE/shaders" || exit 1
for header in prebuilt/*.h; do
  same "$header is compiled from the current sources (otherwise, run tests/matrix.sh)" \
    "$(prebuilt/hash.sh "$(sed -n 's|^// Source: ||p' "$header")")" "$(sed -n 's|^// SHA-256: ||p' "$header")"
done
