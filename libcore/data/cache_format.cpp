#include "data/cache_format.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/mapped_file.hpp"

namespace awend::data {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMagic = "awend corpus 4\n\0"sv;
static_assert(kMagic.size() == 16);
constexpr std::string_view kAnyVersion = "awend corpus ";
// The size of a part that is hashed before its memory is released; a multiple of any page size.
constexpr std::size_t kVerifiedAtOnceBytes = std::size_t{16} << 20;
constexpr std::size_t kLengthsInMemoryBytes = std::size_t{256} << 20;

std::uint64_t rounded_up(std::uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

template <class Item>
std::string_view bytes_of(const Item& item) {
  return {reinterpret_cast<const char*>(&item), sizeof(item)};
}

template <class Item>
std::string_view bytes_of(const std::vector<Item>& items) {
  return {reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item)};
}

std::uint64_t nanoseconds(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(time.tv_nsec);
}

/// The next part of `rest`, including padding; Error if it is missing.
template <class Item>
std::span<const Item> take(std::span<const std::byte>& rest, std::uint64_t count) {
  const auto limit = rest.size() / sizeof(Item);
  if (count > limit || rounded_up(count * sizeof(Item)) > rest.size()) base::fail("is truncated");
  const std::span items(reinterpret_cast<const Item*>(rest.data()), count);
  rest = rest.subspan(rounded_up(count * sizeof(Item)));
  return items;
}

/// Sentences are contiguous, none is empty or too long, and the last ends where the ids do.  In
/// running text all targets are empty, and sources may be.  A link has two numbers.
void check_begins(const CacheParts& parts) {
  const auto& begins = parts.begins;
  const auto sides = parts.tail.sides;
  const bool is_running = sides == 2 && begins[2] == begins[1];
  const std::uint64_t min_length = is_running ? 0 : 1,
                      max_length = parts.tail.key.longest_tokens - 1;
  bool fits =
      begins.front() == 0 && begins.back() == parts.tail.ids && max_length < kLongestSentence;
  for (std::size_t i = 1; i < begins.size(); ++i) {
    const auto length = begins[i] - begins[i - 1];  // very large if they decrease
    const auto side = (i - 1) % sides;
    if (side == 2) {
      fits = fits && length % 2 == 0 && length <= parts.tail.ids;
      continue;
    }
    fits = fits && length >= min_length && length <= (is_running && side == 1 ? 0 : max_length);
  }
  if (!fits) base::fail("is damaged");
}

}  // namespace

std::optional<FileIdentity> identity_of(const std::string& path) {
  if (path == "-") return std::nullopt;
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) base::fail_errno(path, errno);
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{.inode = status.st_ino,
                      .bytes = static_cast<std::uint64_t>(status.st_size),
                      .modified_ns = nanoseconds(status.st_mtim),
                      .changed_ns = nanoseconds(status.st_ctim)};
}

CacheParts parse_cache(std::span<const std::byte> bytes) {
  const auto all = bytes;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic)) {
    if (text.size() >= kMagic.size() && text.starts_with(kAnyVersion))
      throw OtherCacheVersion("has another version of the format");
    base::fail("is not a corpus cache");
  }
  CacheParts parts;
  auto& tail = parts.tail;
  if (bytes.size() < kMagic.size() + sizeof(tail)) base::fail("is truncated");
  std::memcpy(&tail, bytes.data() + bytes.size() - sizeof(tail), sizeof(tail));
  auto rest = all.subspan(kMagic.size(), all.size() - kMagic.size() - sizeof(tail));
  if (tail.id_bytes == 2) {
    parts.ids = take<std::uint16_t>(rest, tail.ids);
  } else {
    parts.ids = take<std::uint32_t>(rest, tail.ids);
  }
  const bool has_sides = tail.sides == 2 || tail.sides == 3;
  if (!has_sides || tail.pairs == 0 || tail.pairs > rest.size()) base::fail("is damaged");
  parts.begins = take<std::uint64_t>(rest, tail.sides * tail.pairs + 1);
  const auto unknown = take<char>(rest, tail.first_unknown_bytes);
  parts.first_unknown = {unknown.data(), unknown.size()};
  if (!rest.empty()) base::fail("is damaged");
  check_begins(parts);
  return parts;
}

void verify_cache(std::span<const std::byte> bytes) {
  std::uint64_t expected = 0;
  auto rest = bytes.first(bytes.size() - sizeof expected);
  std::memcpy(&expected, bytes.data() + rest.size(), sizeof expected);
  base::Checksum checksum;
  while (!rest.empty()) {
    const auto part = rest.first(std::min(rest.size(), kVerifiedAtOnceBytes));
    checksum.add(part);
    base::forget_mapped(part);
    rest = rest.subspan(part.size());
  }
  if (checksum.value() != expected) base::fail("is damaged: it does not match its checksum");
}

CacheWriter::CacheWriter(const std::string& path, const std::string& directory, const CacheKey& key,
                         const CacheShape& shape)
    : out_(path),
      memory_(kLengthsInMemoryBytes, directory),
      tail_{.key = key, .id_bytes = shape.id_bytes, .sides = shape.sides} {
  write(kMagic);
}

void CacheWriter::write(std::string_view bytes) {
  checksum_.add(bytes);
  out_.write(bytes);
}

void CacheWriter::pad(std::uint64_t bytes_before) {
  write(std::string_view("\0\0\0\0\0\0\0", rounded_up(bytes_before) - bytes_before));
}

void CacheWriter::add(const EncodedPairs& pairs) {
  if (tail_.id_bytes == 2) {
    write(bytes_of(std::vector<std::uint16_t>(pairs.ids.begin(), pairs.ids.end())));
  } else {
    write(bytes_of(pairs.ids));
  }
  tail_.ids += pairs.ids.size();
  lengths_.insert(lengths_.end(), pairs.lengths.begin(), pairs.lengths.end());
  for (const auto word : pairs.words) fingerprint_.add(word);
}

void CacheWriter::commit(const CorpusCounts& counts) {
  pad(tail_.ids * tail_.id_bytes);
  write_begins();
  write(counts.first_unknown);
  pad(counts.first_unknown.size());
  tail_.pairs = lengths_.size() / tail_.sides;
  tail_.lines = counts.lines;
  tail_.empty_pairs = counts.empty_pairs;
  tail_.long_pairs = counts.long_pairs;
  tail_.source = counts.source;
  tail_.target = counts.target;
  tail_.first_unknown_bytes = counts.first_unknown.size();
  tail_.fingerprint = fingerprint_.value();
  const auto tail = bytes_of(tail_);
  write(tail.substr(0, tail.size() - sizeof tail_.checksum));
  tail_.checksum = checksum_.value();
  out_.write(tail.substr(tail.size() - sizeof tail_.checksum));
  out_.commit();
}

void CacheWriter::write_begins() {
  std::uint64_t begin = 0;
  write(bytes_of(begin));
  for (const auto length : lengths_) {
    begin += length;
    write(bytes_of(begin));
  }
}

}  // namespace awend::data
