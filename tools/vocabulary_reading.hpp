// Reads the vocabulary in a file or a checkpoint.  Test: tests/cli/tokenize.sh.
#pragma once

#include <string>

#include "base/words.hpp"
#include "text/vocabulary.hpp"

namespace awend::tools {

/// Of a checkpoint with two vocabularies.
enum class Side { kSource, kTarget };
inline constexpr base::Word<Side> kSideWords[] = {{Side::kSource, "source"},
                                                  {Side::kTarget, "target"}};

/// The vocabulary in a vocabulary file, a SentencePiece model, a checkpoint, or a directory of
/// train. Throws Error naming the file if there is none, and what the file looks like.
text::Vocabulary read_model(const std::string& path, Side side);

/// The first bytes of a regular file; empty for anything else, because a pipe can be read only
/// once.
std::string first_bytes(const std::string& path);

}  // namespace awend::tools
