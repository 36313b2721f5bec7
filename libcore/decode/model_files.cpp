#include "decode/model_files.hpp"

#include "base/error.hpp"
#include "decode/shortlist_file.hpp"
#include "model/checkpoint.hpp"
#include "store/checkpoints.hpp"

namespace awend::decode {
namespace {

text::Vocabulary vocabulary_at(const store::ArrayFile& checkpoint, std::string_view key,
                               std::uint32_t tokens) {
  auto vocabulary =
      text::Vocabulary::parse(checkpoint.metadata_at(key), checkpoint.path() + ": vocabulary");
  if (vocabulary.size() != tokens) {
    base::fail(checkpoint.path(), ": the vocabulary has ", vocabulary.size(),
               " pieces, but the model has ", tokens);
  }
  return vocabulary;
}

/// The vocabulary of the source, if it has its own.
std::optional<text::Vocabulary> source_vocabulary_of(const store::ArrayFile& checkpoint,
                                                     const text::Vocabulary& target) {
  const auto tokens = model::source_vocabulary_of(model::read_config(checkpoint));
  if (!checkpoint.metadata(store::keys::kSourceVocabulary)) {
    if (tokens == target.size()) return std::nullopt;
    base::fail(checkpoint.path(), ": the source has its own ids, but no vocabulary");
  }
  auto vocabulary = vocabulary_at(checkpoint, store::keys::kSourceVocabulary, tokens);
  if (vocabulary.end_of_sentence() != target.end_of_sentence()) {
    base::fail(checkpoint.path(), ": the end of a sentence is id ", vocabulary.end_of_sentence(),
               " of the source and ", target.end_of_sentence(), " of the target");
  }
  return vocabulary;
}

bool same_pieces(const text::Vocabulary& a, const text::Vocabulary& b) {
  if (a.size() != b.size() || a.unknown() != b.unknown() ||
      a.end_of_sentence() != b.end_of_sentence())
    return false;
  for (std::uint32_t id = 0; id < a.size(); ++id) {
    if (a.piece(id) != b.piece(id)) return false;
  }
  return true;
}

}  // namespace

Checkpoint open_checkpoint(const std::string& path) {
  auto checkpoint = std::make_unique<const store::ArrayFile>(store::model_file(path));
  model::read_config(*checkpoint);  // throws if it is not a checkpoint
  return checkpoint;
}

text::Vocabulary vocabulary_of(const store::ArrayFile& checkpoint) {
  return vocabulary_at(checkpoint, store::keys::kVocabulary,
                       model::read_config(checkpoint).vocabulary);
}

ModelVocabularies vocabularies_of(const store::ArrayFile& checkpoint) {
  auto target = vocabulary_of(checkpoint);
  auto source = source_vocabulary_of(checkpoint, target);
  return {std::move(target), std::move(source)};
}

ModelVocabularies vocabularies_of(const std::vector<Checkpoint>& checkpoints) {
  auto first = vocabularies_of(*checkpoints.front());
  for (const auto& checkpoint : std::span(checkpoints).subspan(1)) {
    const auto other = vocabularies_of(*checkpoint);
    if (!same_pieces(other.target, first.target) ||
        !same_pieces(other.both().source, first.both().source)) {
      base::fail(checkpoint->path(), ": the vocabulary differs from that of ",
                 checkpoints.front()->path(), "; models of an ensemble must share one");
    }
  }
  return first;
}

SearchSettings search_settings_of(const store::ArrayFile& checkpoint) {
  SearchSettings settings;
  if (!checkpoint.metadata(store::keys::kSearch)) return settings;
  const auto entries = store::settings_at(checkpoint, store::keys::kSearch);
  base::with_name(checkpoint.path(), [&] { apply_stored(entries, settings); });
  return settings;
}

AllowedTokens read_allowed_tokens(const ShortlistFile& file, const store::ArrayFile& checkpoint,
                                  const ModelVocabularies& vocabularies) {
  if (file.is_off) return {};
  const auto [source, target] = vocabularies.both();
  const auto by_sentence = [&](store::LexicalShortlist lists) -> AllowedTokens {
    const SpecialIds special{target.end_of_sentence(), target.unknown()};
    return {.of_each = std::make_unique<const SentenceShortlist>(std::move(lists), special,
                                                                 target.size())};
  };
  auto stored = store::shortlist_of(checkpoint, {source.size(), target.size()});
  if (file.path.empty()) return stored ? by_sentence(std::move(*stored)) : AllowedTokens{};
  const ShortlistContent content(file);
  if (!content.is_lexical()) return {.of_all = content.tokens(target)};
  auto lists = content.lists(vocabularies.both());
  if (stored) lists.source_ids = stored->source_ids;
  return by_sentence(std::move(lists));
}

}  // namespace awend::decode
