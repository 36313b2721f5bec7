#include "store/lexical_shortlist.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "base/words.hpp"
#include "store/byte_cursor.hpp"
#include "store/stored_settings.hpp"

namespace awend::store {
namespace {

constexpr std::uint64_t kMagic = 0xF11A48D5013417F5;
constexpr std::size_t kHeaderBytes = 6 * sizeof(std::uint64_t);
constexpr std::size_t kUnhashedBytes = 2 * sizeof(std::uint64_t);  // magic and checksum

constexpr std::string_view kBegins = "shortlist.begins", kIds = "shortlist.ids";
constexpr base::Word<SourceIds> kSourceIdsWords[] = {{SourceIds::kExcluded, "off"},
                                                     {SourceIds::kAllowed, "on"}};

/// Marian's checksum: of whole 64-bit words only, so that the last entry may be left out.
std::uint64_t checksum_of(std::span<const std::byte> bytes) {
  ByteCursor cursor(bytes);
  std::uint64_t sum = 0;
  while (cursor.rest() >= sizeof(std::uint64_t))
    sum ^= cursor.number<std::uint64_t>() + 0x9e3779b9 + (sum << 6) + (sum >> 2);
  return sum;
}

/// Throws Error unless the lists are in ascending order and fit the vocabularies.
void require_valid(const LexicalShortlist& shortlist, const ShortlistSizes& sizes) {
  const auto& [first, best, source_ids, begins, ids] = shortlist;
  if (begins.size() != std::size_t{sizes.source} + 1) {
    base::fail("the shortlist has ", begins.empty() ? 0 : begins.size() - 1,
               " source words, but the vocabulary has ", sizes.source);
  }
  if (first > sizes.target)
    base::fail("the shortlist allows ", first, " words, but the vocabulary has ", sizes.target);
  if (begins.front() != 0 || begins.back() != ids.size() || !std::ranges::is_sorted(begins))
    base::fail("the lists of the shortlist do not follow each other");
  for (std::uint32_t source = 0; source < sizes.source; ++source) {
    const auto list = shortlist.of(source);
    if (!list.empty() && *std::ranges::max_element(list) >= sizes.target) {
      base::fail("the shortlist of source id ", source, " has the target id ",
                 *std::ranges::max_element(list), ", but the vocabulary has ", sizes.target);
    }
    if (std::ranges::adjacent_find(list, std::ranges::greater_equal()) != list.end())
      base::fail("the shortlist of source id ", source, " is not in ascending order");
  }
}

std::uint32_t setting(const Settings& settings, std::string_view name) {
  const auto value = settings.integer(name);
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max())
    base::fail("setting '", name, "' is ", value);
  return static_cast<std::uint32_t>(value);
}

std::vector<std::uint32_t> words_of(const ArrayFile& file, std::string_view name) {
  const auto& array = file.at(name);
  if (array.type != Type::U32 || array.shape.size() != 1)
    base::fail("array '", name, "' is ", describe(array.type, array.shape), ", not a list of U32");
  std::vector<std::uint32_t> words(array.bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), array.bytes.data(), array.bytes.size());
  return words;
}

}  // namespace

void LexicalShortlist::append(std::span<const std::uint32_t> list) {
  if (ids.size() + list.size() > std::numeric_limits<std::uint32_t>::max())
    base::fail("a shortlist has more than ", std::numeric_limits<std::uint32_t>::max(), " entries");
  ids.insert(ids.end(), list.begin(), list.end());
  begins.push_back(static_cast<std::uint32_t>(ids.size()));
}

bool looks_like_marian_shortlist(std::span<const std::byte> bytes) {
  return bytes.size() >= sizeof kMagic && ByteCursor(bytes).number<std::uint64_t>() == kMagic;
}

LexicalShortlist read_marian_shortlist(std::span<const std::byte> bytes,
                                       const ShortlistSizes& sizes) {
  if (!looks_like_marian_shortlist(bytes)) base::fail("not a binary shortlist of Marian");
  ByteCursor cursor(bytes);
  cursor.number<std::uint64_t>();
  const auto checksum = cursor.number<std::uint64_t>(), first = cursor.number<std::uint64_t>(),
             best = cursor.number<std::uint64_t>(), offsets = cursor.number<std::uint64_t>(),
             entries = cursor.number<std::uint64_t>();
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t rest = bytes.size() - kHeaderBytes;
  // Divisions, because a product of a hostile file may not fit 64 bits.
  if (offsets > rest / sizeof(std::uint64_t) || entries > kMost ||
      rest != offsets * sizeof(std::uint64_t) + entries * sizeof(std::uint32_t)) {
    base::fail("its size is ", bytes.size(), " bytes, not that of ", offsets, " offsets and ",
               entries, " entries");
  }
  if (checksum_of(bytes.subspan(kUnhashedBytes)) != checksum)
    base::fail("damaged: its checksum is not ", checksum);
  if (first > kMost || best > kMost)
    base::fail("it has ", first, " first and ", best, " best words");
  LexicalShortlist shortlist{.first = static_cast<std::uint32_t>(first),
                             .best = static_cast<std::uint32_t>(best),
                             .source_ids = SourceIds::kExcluded,
                             .begins = {}};
  shortlist.begins.reserve(offsets);
  for (std::uint64_t i = 0; i < offsets; ++i) {
    const auto offset = cursor.number<std::uint64_t>();
    if (offset > entries) base::fail("offset ", i, " is ", offset, " of ", entries, " entries");
    shortlist.begins.push_back(static_cast<std::uint32_t>(offset));
  }
  shortlist.ids.resize(entries);
  std::memcpy(shortlist.ids.data(), cursor.take(entries * sizeof(std::uint32_t)).data(),
              entries * sizeof(std::uint32_t));
  require_valid(shortlist, sizes);
  return shortlist;
}

std::string write_marian_shortlist(const LexicalShortlist& shortlist) {
  if (shortlist.begins.back() == shortlist.begins[shortlist.source_words() - 1]) {
    if (shortlist.first == 0) base::fail("Marian needs a list of the last source word");
    auto filled = shortlist;
    filled.ids.push_back(0);
    ++filled.begins.back();
    return write_marian_shortlist(filled);
  }
  std::string out;
  const auto put = [](std::string& to, auto number) {
    to.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  for (const std::uint64_t number :
       {std::uint64_t{shortlist.first}, std::uint64_t{shortlist.best},
        std::uint64_t{shortlist.begins.size()}, std::uint64_t{shortlist.ids.size()}})
    put(out, number);
  for (const std::uint64_t begin : shortlist.begins) put(out, begin);
  for (const auto id : shortlist.ids) put(out, id);
  std::string head;
  put(head, kMagic);
  put(head, checksum_of(std::as_bytes(std::span(out))));
  return head + out;
}

std::vector<Array> arrays_of(const LexicalShortlist& shortlist) {
  return {{std::string(kBegins),
           Type::U32,
           {shortlist.begins.size()},
           std::as_bytes(std::span(shortlist.begins))},
          {std::string(kIds),
           Type::U32,
           {shortlist.ids.size()},
           std::as_bytes(std::span(shortlist.ids))}};
}

std::string settings_of(const LexicalShortlist& shortlist) {
  Settings settings;
  settings.set("first", shortlist.first);
  settings.set("best", shortlist.best);
  settings.set("source-ids", base::word_for(kSourceIdsWords, shortlist.source_ids));
  return settings.to_json();
}

bool is_shortlist(const Array& array) {
  return array.name == kBegins || array.name == kIds;
}

std::optional<LexicalShortlist> shortlist_of(const ArrayFile& file, const ShortlistSizes& sizes) {
  if (!file.metadata(keys::kShortlist)) return std::nullopt;
  const auto settings = settings_at(file, keys::kShortlist);
  return base::with_name(file.path(), [&] {
    LexicalShortlist shortlist{
        .first = setting(settings, "first"),
        .best = setting(settings, "best"),
        .source_ids = base::value_of<kSourceIdsWords>(settings.at("source-ids")),
        .begins = words_of(file, kBegins),
        .ids = words_of(file, kIds)};
    require_valid(shortlist, sizes);
    return std::make_optional(std::move(shortlist));
  });
}

}  // namespace awend::store
