#include "interchange/keep_tokens.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/error.hpp"
#include "base/numbers.hpp"
#include "model/weight_layout.hpp"
#include "text/spaced_words.hpp"

namespace awend::interchange {
namespace {

using Ids = std::vector<std::uint32_t>;
constexpr std::uint32_t kMostSpecial = 16;  // ids before those of words
constexpr std::uint32_t kRemoved = std::numeric_limits<std::uint32_t>::max();

/// "<0x0A>": SentencePiece spells unknown characters with these.
bool is_byte(std::string_view token) {
  return token.size() == 6 && token.starts_with("<0x") && token.ends_with('>') &&
         base::find_hexadecimal_byte(token.substr(3, 2)).has_value();
}

/// The ids that a vocabulary keeps, and where they are then.
struct Kept {
  Ids ids;         // of the original, ascending
  Ids place_of;    // by id of the original; kRemoved
  bool has_words;  // whether any of the tokens are kept

  std::uint32_t size() const { return static_cast<std::uint32_t>(ids.size()); }
};

Kept kept_of(const text::Vocabulary& vocabulary, const TokenSet& tokens, const Ids& special) {
  Kept kept{.ids = {}, .place_of = Ids(vocabulary.size(), kRemoved), .has_words = false};
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    const auto token = vocabulary.piece(id);
    const bool is_word = tokens.contains(token);
    kept.has_words = kept.has_words || is_word;
    // The end must have the same id in both vocabularies.
    const bool is_before_end = id < vocabulary.end_of_sentence() && id < kMostSpecial;
    if (!is_word && !is_before_end && !vocabulary.is_special(id) && !vocabulary.is_language(id) &&
        !is_byte(token) && std::ranges::find(special, id) == special.end())
      continue;
    kept.place_of[id] = kept.size();
    kept.ids.push_back(id);
  }
  return kept;
}

/// What either of two vocabularies of the same size keeps.
Kept union_of(const Kept& a, const Kept& b) {
  Kept kept{.ids = {},
            .place_of = Ids(a.place_of.size(), kRemoved),
            .has_words = a.has_words || b.has_words};
  std::ranges::set_union(a.ids, b.ids, std::back_inserter(kept.ids));
  for (std::uint32_t place = 0; place < kept.size(); ++place)
    kept.place_of[kept.ids[place]] = place;
  return kept;
}

text::Vocabulary trimmed(const text::Vocabulary& vocabulary, const Kept& kept) {
  const auto& all = vocabulary.content();
  if (all.type != text::VocabularyType::kTokens &&
      all.type != text::VocabularyType::kSentencePiece) {
    base::fail("tokens of a vocabulary of type ", text::name_of(all.type),
               " depend on each other and cannot be removed");
  }
  // A SentencePiece model splits text, but its pieces have other ids now.
  text::VocabularyContent content = all;
  content.type = text::VocabularyType::kTokens;
  content.pieces.clear();
  for (const auto id : kept.ids) content.pieces.push_back(all.pieces[id]);
  content.unknown = kept.place_of[all.unknown];
  if (all.end_of_sentence) content.end_of_sentence = kept.place_of[*all.end_of_sentence];
  for (auto& language : content.languages) language.id = kept.place_of[language.id];
  return text::Vocabulary(std::move(content));
}

/// The rows of a table that are kept, without the whole table in memory.
std::vector<float> rows_of(const ModelWeights& weights, const std::string& name,
                           std::size_t columns, const Kept& kept) {
  std::vector<float> rows;
  rows.reserve(columns * kept.ids.size());
  std::size_t id = 0;
  weights.for_parts(name, columns, [&](std::span<const float> part) {
    for (std::size_t begin = 0; begin < part.size(); begin += columns) {
      if (kept.place_of[id++] == kRemoved) continue;
      const auto row = part.subspan(begin, columns);
      rows.insert(rows.end(), row.begin(), row.end());
    }
  });
  return rows;
}

store::LexicalShortlist trimmed(const store::LexicalShortlist& shortlist, const Kept& source,
                                const Kept& target) {
  store::LexicalShortlist result{
      .first = 0, .best = shortlist.best, .source_ids = shortlist.source_ids};
  const auto end_of_first = target.place_of.begin() + shortlist.first;
  result.first = static_cast<std::uint32_t>(
      end_of_first - std::count(target.place_of.begin(), end_of_first, kRemoved) -
      target.place_of.begin());
  Ids list;
  for (const auto id : source.ids) {
    list.clear();
    for (const auto target_id : shortlist.of(id)) {
      if (target.place_of[target_id] != kRemoved) list.push_back(target.place_of[target_id]);
    }
    result.append(list);
  }
  return result;
}

}  // namespace

TokenSet tokens_in(base::LineReader& in) {
  TokenSet tokens;
  std::string_view line;
  while (in.next(line)) {
    text::for_each_word(line, [&](std::string_view word) {
      if (!tokens.contains(word)) tokens.emplace(word);
    });
  }
  return tokens;
}

TokenCounts keep_tokens(ConvertedModel& model, const TokenSet& tokens) {
  auto& config = model.config;
  if (model::layout_of(config.architecture) != model::WeightLayout::kTransformer)
    base::fail("tokens of models of architecture ", config.architecture, " cannot be removed");
  Ids special = config.transformer.masked_ids;
  if (config.decoder_start == model::DecoderStart::kToken) special.push_back(config.start_id);
  Kept target = kept_of(*model.vocabulary, tokens, special), source = target;
  if (model.source_vocabulary) {
    source = kept_of(*model.source_vocabulary, tokens, {});
    // Rows of one table have the same ids on both sides.
    if (model::ties_embeddings(config.transformer.tie)) source = target = union_of(source, target);
  }
  if (!target.has_words && !source.has_words)
    base::fail("none of the tokens are in the vocabulary of the model");
  const TokenCounts counts{config.vocabulary, target.size()};
  for (const auto& weight : model::transformer_weights(config)) {
    if (!weight.side.empty()) continue;
    const bool is_target = weight.part == "embedding" || weight.part == "target_embedding" ||
                           weight.part == "projection" || weight.part == "output_bias";
    if (!is_target && weight.part != "source_embedding") continue;
    const auto name = weight.name();
    model.weights.set(name,
                      rows_of(model.weights, name, weight.columns, is_target ? target : source));
  }
  if (model.shortlist) model.shortlist = trimmed(*model.shortlist, source, target);
  model.vocabulary = trimmed(*model.vocabulary, target);
  if (model.source_vocabulary) model.source_vocabulary = trimmed(*model.source_vocabulary, source);
  config.vocabulary = target.size();
  config.source_vocabulary = source.size() == target.size() ? 0 : source.size();
  if (config.decoder_start == model::DecoderStart::kToken)
    config.start_id = target.place_of[config.start_id];
  for (auto& id : config.transformer.masked_ids) id = target.place_of[id];
  return counts;
}

}  // namespace awend::interchange
