#include "interchange/marian_settings.hpp"

#include "base/error.hpp"
#include "base/numbers.hpp"

namespace awend::interchange {

void require_common_marian(ForeignSettings& settings) {
  settings.require("right-left", {"false"}, "a right-to-left model");
  settings.require("ulr", {"false"}, "universal lexical representation");
  settings.require("input-types", {"", "sequence,sequence"}, "another type of input");
  settings.require("factors-dim-emb", {"0"}, "a factored vocabulary");
  settings.require("lemma-dim-emb", {"0"}, "a factored vocabulary");
  settings.require("lemma-dependency", {""}, "a factored vocabulary");
  // Settings of other architectures, of training, and of how output is shown.
  settings.ignore({"bert-*", "char-*", "factors-combine", "gradient-checkpointing", "num-devices",
                   "original-type", "output-approx-knn", "separator-symbol", "ulr-*", "version"});
}

void read_marian_vocabulary_sizes(ForeignSettings& settings, model::Config& config) {
  const auto sizes = settings.text("dim-vocabs");
  const auto comma = sizes.find(',');
  if (comma == sizes.npos || sizes.find(',', comma + 1) != sizes.npos)
    base::fail("setting 'dim-vocabs': expected two sizes, got '", sizes, "'");
  config.source_vocabulary = base::to_number<std::uint32_t>(sizes.substr(0, comma), "a size");
  config.vocabulary = base::to_number<std::uint32_t>(sizes.substr(comma + 1), "a size");
}

model::Tie marian_tie(ForeignSettings& settings) {
  const bool all = settings.is_on("tied-embeddings-all"),
             source = settings.is_on("tied-embeddings-src") || all,
             output = settings.is_on("tied-embeddings") || all;
  if (source) return output ? model::Tie::kAll : model::Tie::kEmbeddings;
  return output ? model::Tie::kDecoder : model::Tie::kNone;
}

}  // namespace awend::interchange
