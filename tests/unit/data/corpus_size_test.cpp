// A corpus of millions of pairs is encoded, planned and read in far less memory than it takes
// itself.
#include <fstream>

#include "base/random.hpp"
#include "data/corpus_cache.hpp"
#include "data/update_stream.hpp"
#include "tests/catch.hpp"
#include "tests/scratch.hpp"

namespace awend::data {
namespace {

using tests::Scratch;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

// AddressSanitizer shadows all memory, keeps what was freed, and is slow: there fewer pairs go the
// same way, and only the plain build measures its memory.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint32_t kPairs = 50'000;
constexpr bool kMemoryIsOurs = false;
#else
constexpr std::uint32_t kPairs = 2'000'000;
constexpr bool kMemoryIsOurs = true;
#endif

/// A line of /proc/self/status, in bytes.
std::uint64_t status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + ":")) return std::stoull(line.substr(name.size() + 1)) * 1024;
  }
  FAIL("no " << name);
  return 0;
}

/// The most memory that the process held since the object was made, beyond what it held then.
class Peak {
 public:
  Peak() {
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak becomes what is held now
    before_ = status("VmRSS");
  }
  std::uint64_t bytes() const { return status("VmHWM") - before_; }

 private:
  std::uint64_t before_;
};

/// Lines of 8 to 31 one-letter pieces.
std::string write_lines(const Scratch& scratch, const std::string& name, std::uint64_t seed) {
  const auto path = scratch.path(name);
  std::ofstream file(path, std::ios::binary);
  base::Random random(seed);
  std::string line;
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    line.clear();
    for (std::uint32_t piece = 8 + random.below(24); piece > 0; --piece) {
      line += static_cast<char>('a' + random.below(26));
      line += ' ';
    }
    line.back() = '\n';
    file << line;
  }
  return path;
}

text::Vocabulary letters() {
  text::VocabularyContent content;
  content.pieces = text::special_pieces();
  for (char letter = 'a'; letter <= 'z'; ++letter) content.pieces.push_back({{letter}, 1});
  return text::Vocabulary(content);
}

TEST_CASE("two million pairs take a fraction of their size in memory", "[size]") {
  const Scratch scratch;
  const CorpusFiles files{write_lines(scratch, "source", 1), write_lines(scratch, "target", 2)};
  const auto vocabulary = letters();

  const Peak encoding;
  const auto cache = CorpusCache::of(
      files, {.vocabularies = vocabulary, .longest_tokens = 100, .threads = 2}, scratch.folder());
  const auto view = cache.view(1);
  const std::uint64_t encoded = encoding.bytes();
  REQUIRE(view.size == kPairs);

  const Peak reading;
  UpdateStream stream(PairsView({view}, 1), {.batch_tokens = 4096, .seed = 1}, {});
  for (int i = 0; i < (kMemoryIsOurs ? 1500 : 100); ++i) stream.next();
  const std::uint64_t read = reading.bytes();
  UNSCOPED_INFO("encoding " << encoded / kMiB << " MiB, reading " << read / kMiB << " MiB of "
                            << view.mapped.size() / kMiB << " MiB");
  if (!kMemoryIsOurs) return;
  REQUIRE(view.mapped.size() > 170 * kMiB);
  // Two lengths a pair and the check of the begins.
  CHECK(encoded < 80 * kMiB);
  // 12 bytes a pair, and the pages of some hundred pairs.
  CHECK(read < 120 * kMiB);
}

}  // namespace
}  // namespace awend::data
