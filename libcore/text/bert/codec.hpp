// Token lines of the word pieces of BERT.
#pragma once

#include <memory>

#include "text/token_codec.hpp"
#include "text/vocabulary.hpp"

namespace awend::text {

/// The vocabulary, of type kBert, must outlive the codec.
std::unique_ptr<TokenCodec> make_bert_codec(const Vocabulary& vocabulary);

}  // namespace awend::text
