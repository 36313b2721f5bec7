// Lines as several sentences: --sentences of tokenize.
//
// Each sentence is a line, and an empty line closes the sentences of a line, so that they can be
// joined again.
#pragma once

#include <memory>

#include "base/filter.hpp"
#include "text/sentences.hpp"
#include "text/token_codec.hpp"

namespace awend::tools {

/// Answers a line with the tokens of its sentences and an empty line.  Without a codec, the
/// sentences are text.
std::unique_ptr<base::LineWorker> make_sentence_encoder(const text::SentenceSettings& settings,
                                                        std::unique_ptr<text::TokenCodec> codec);

struct SentenceDecoding {
  text::TokenCodec* codec;  ///< Null: the sentences are text.
  std::string_view language;
  base::Flushing flushing;
};

/// Writes a line for the sentences up to each empty line, and for those after the last one.  Error
/// "file:line: what" if the codec cannot decode a line.
void join_sentence_lines(base::LineReader& in, base::OutputFile& out,
                         const SentenceDecoding& decoding);

}  // namespace awend::tools
