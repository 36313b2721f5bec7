#include "decode/model_files.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "model/checkpoint.hpp"
#include "store/checkpoints.hpp"
#include "text/lexical_table.hpp"

namespace awend::decode {
namespace {

constexpr std::uint32_t kDefaultFirst = 100, kDefaultBest = 100;

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

/// A file of any kind, which may be a pipe.
class ShortlistContent {
 public:
  explicit ShortlistContent(const std::string& path) : path_(path) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) {
      mapped_.emplace(path);
    } else {
      text_ = base::read_file(path, base::kMaxModelBytes);
    }
  }
  std::span<const std::byte> bytes() const {
    return mapped_ ? mapped_->bytes() : std::as_bytes(std::span(text_));
  }
  base::LineReader lines(const ShortlistFile& file) const {
    const base::LineLimits limits{.file_bytes = mapped_ ? mapped_->bytes().size() * kMaxRatio
                                                        : base::kMaxModelBytes};
    if (mapped_) return base::LineReader(path_, file.invalid, limits);
    return base::LineReader(base::InputFile(path_, text_), file.invalid, limits);
  }

 private:
  // A compressed file must not exhaust memory.
  static constexpr std::uint64_t kMaxRatio = 100;

  std::string path_;
  std::optional<base::MappedFile> mapped_;
  std::string text_;
};

bool has_limits(const ShortlistFile& file) {
  return file.first || file.best || file.threshold;
}

/// Whether the first line is that of a lexical table; no token has spaces.
bool is_lexical(const ShortlistFile& file, const ShortlistContent& content) {
  if (has_limits(file)) return true;
  auto in = content.lines(file);
  std::string_view line;
  return in.next(line) && text::looks_lexical(line);
}

store::LexicalShortlist read_binary(const ShortlistFile& file, std::span<const std::byte> bytes,
                                    const store::ShortlistSizes& sizes) {
  if (has_limits(file)) base::fail(file.path, ": a binary shortlist has its own numbers of words");
  try {
    return store::read_marian_shortlist(bytes, sizes);
  } catch (const base::Error& error) {
    base::fail(file.path, ": ", error.what());
  }
}

/// The ids of the tokens with the highest counts, equal ones by id, in ascending order; nothing for
/// a vocabulary without counts, as those of other toolkits, whose ids are in the order of counts.
text::Ids most_frequent(const text::Vocabulary& vocabulary, std::uint32_t number) {
  text::Ids ids;
  for (std::uint32_t id = 0; id < vocabulary.size(); ++id) {
    if (vocabulary.count(id) > 0) ids.push_back(id);
  }
  std::ranges::stable_sort(ids, std::greater(),
                           [&](std::uint32_t id) { return vocabulary.count(id); });
  if (ids.size() > number) ids.resize(number);
  std::ranges::sort(ids);
  return ids;
}

store::LexicalShortlist read_text(const ShortlistFile& file, const ShortlistContent& content,
                                  const ModelVocabularies& vocabularies) {
  const auto& target = vocabularies.target;
  const auto source = vocabularies.both().source;
  const auto first = std::min(file.first.value_or(kDefaultFirst), target.size()),
             best = file.best.value_or(kDefaultBest);
  auto in = content.lines(file);
  auto lists = text::read_lexical_table(in, source, target,
                                        {.best = best, .threshold = file.threshold.value_or(0)});
  const auto frequent = most_frequent(target, first);
  // Every source has an end, whose list may contain the tokens that are always allowed.
  auto& of_end = lists[source.end_of_sentence()];
  of_end.insert(of_end.end(), frequent.begin(), frequent.end());
  std::ranges::sort(of_end);
  of_end.erase(std::unique(of_end.begin(), of_end.end()), of_end.end());
  store::LexicalShortlist shortlist{.first = frequent.empty() ? first : 0, .best = best};
  for (const auto& list : lists) shortlist.append(list);
  return shortlist;
}

std::vector<std::uint32_t> read_tokens(const ShortlistFile& file, const ShortlistContent& content,
                                       const text::Vocabulary& vocabulary) {
  std::vector<std::uint32_t> ids;
  auto in = content.lines(file);
  std::string_view line;
  while (in.next(line)) {
    const auto id = vocabulary.find(line);
    if (!id)
      base::fail(in.name(), ":", in.line_number(), ": '", line, "' is not in the vocabulary");
    ids.push_back(*id);
  }
  if (ids.empty()) base::fail(in.name(), ": no tokens");
  return ids;
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

ModelVocabularies vocabularies_of(const std::vector<Checkpoint>& checkpoints) {
  auto target = vocabulary_of(*checkpoints.front());
  auto source = source_vocabulary_of(*checkpoints.front(), target);
  for (const auto& checkpoint : std::span(checkpoints).subspan(1)) {
    const auto other = vocabulary_of(*checkpoint);
    const auto other_source = source_vocabulary_of(*checkpoint, other);
    if (!same_pieces(other, target) ||
        !same_pieces(other_source.value_or(other), source.value_or(target))) {
      base::fail(checkpoint->path(), ": the vocabulary differs from that of ",
                 checkpoints.front()->path(), "; models of an ensemble must share one");
    }
  }
  return {std::move(target), std::move(source)};
}

SearchSettings search_settings_of(const store::ArrayFile& checkpoint) {
  SearchSettings settings;
  const auto stored = checkpoint.metadata(store::keys::kSearch);
  if (!stored) return settings;
  const auto entries = store::Settings::from_json(*stored, checkpoint.path());
  try {
    apply_stored(entries, settings);
  } catch (const base::Error& error) {
    base::fail(checkpoint.path(), ": ", error.what());
  }
  return settings;
}

AllowedTokens read_allowed_tokens(const ShortlistFile& file, const store::ArrayFile& checkpoint,
                                  const ModelVocabularies& vocabularies) {
  if (file.is_off) return {};
  const auto& [target, source] = vocabularies;
  const store::ShortlistSizes sizes{source.value_or(target).size(), target.size()};
  const auto by_sentence = [&](store::LexicalShortlist lists) -> AllowedTokens {
    const SpecialIds special{target.end_of_sentence(), target.unknown()};
    return {.of_each =
                std::make_unique<const SentenceShortlist>(std::move(lists), special, sizes.target)};
  };
  auto stored = store::shortlist_of(checkpoint, sizes);
  if (file.path.empty()) return stored ? by_sentence(std::move(*stored)) : AllowedTokens{};
  const ShortlistContent content(file.path);
  // With one vocabulary, names and numbers can be copied.
  const auto source_ids = stored   ? stored->source_ids
                          : source ? store::SourceIds::kExcluded
                                   : store::SourceIds::kAllowed;
  std::optional<store::LexicalShortlist> lists;
  if (store::looks_like_marian_shortlist(content.bytes()) || file.path.ends_with(".bin")) {
    lists = read_binary(file, content.bytes(), sizes);
  } else if (is_lexical(file, content)) {
    lists = read_text(file, content, vocabularies);
  } else {
    return {.of_all = read_tokens(file, content, target)};
  }
  lists->source_ids = source_ids;
  return by_sentence(std::move(*lists));
}

}  // namespace awend::decode
