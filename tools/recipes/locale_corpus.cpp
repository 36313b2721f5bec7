// locale-corpus: generates a parallel corpus for the quickstart without a download.  Random facts
// are expressed in two languages with ICU's locale data.
//
// A hash of the source side assigns each line to a part (train, valid, test), so no held-out source
// line occurs in the training data, whatever the seeds and sizes of the parts.  Test:
// tests/cli/locale_corpus.sh.
#include <string>
#include <unordered_set>

#include "base/files.hpp"
#include "recipes/facts.hpp"
#include "run_tool.hpp"

namespace awend::tools {
namespace {

constexpr std::string_view kUsage[] = {"[OPTION]... -o PREFIX"};

constexpr std::string_view kParts[] = {"train", "valid", "test"};

constexpr cli::Option kOptions[] = {
    {"source-locale", 's', "LOCALE", "en",
     "source language, an ICU locale such as en, de or pt_BR"},
    {"target-locale", 't', "LOCALE", "de", "target language, an ICU locale"},
    {"lines", 'n', "N", "20000", "number of lines, with distinct source sides"},
    {"part", 'p', "PART", "train", "train, valid or test; the parts share no source lines", "",
     base::texts_of<kParts>},
    {"seed", 0, "N", "1", "random seed"},
    {"output", 'o', "PREFIX", "", "write PREFIX.LOCALE for both locales"},
};

constexpr cli::ToolDescription kTool = {
    .name = "locale-corpus",
    .purpose =
        "Generate a parallel corpus of numbers, dates, units and names from ICU's locale data.",
    .usage = kUsage,
    .options = kOptions,
};

// One in twenty lines is used for validation, and one for testing.
constexpr std::uint64_t kPartModulus = 20;

std::string_view part_of(std::string_view source) {
  std::uint64_t hash =
      14695981039346656037U;  // FNV-1a, which unlike std::hash is the same on all platforms
  for (unsigned char byte : source) hash = (hash ^ byte) * 1099511628211U;
  const auto place = (hash >> 32) % kPartModulus;
  return place == 0 ? "test" : place == 1 ? "valid" : "train";
}

// Removes the soft hyphens in long numbers and replaces thin and no-break spaces with plain ones.
std::string utf8(icu::UnicodeString text) {
  text.findAndReplace(u"\u00AD", u"");
  for (const auto* space : {u"\u00A0", u"\u2009", u"\u202F"}) text.findAndReplace(space, u" ");
  std::string out;
  text.toUTF8String(out);
  return out;
}

struct Request {
  std::string source_locale, target_locale, part;
  std::uint64_t lines, seed;
};

Request request_of(const cli::Options& options) {
  const Request request = {.source_locale = options.text("source-locale"),
                           .target_locale = options.text("target-locale"),
                           .part = options.text("part"),
                           .lines = options.integer<std::uint64_t>("lines", {.min = 0}),
                           .seed = options.integer<std::uint64_t>("seed", {.min = 0})};
  if (request.source_locale == request.target_locale)
    throw base::UsageError("the two locales must differ");
  return request;
}

void generate(const Request& request, base::OutputFile& source_file,
              base::OutputFile& target_file) {
  Speaker source(request.source_locale), target(request.target_locale);
  base::Random random(request.seed);
  std::unordered_set<std::string> seen;
  // The number of distinct facts is finite; stop after many duplicates in a row.
  std::uint64_t vain = 0;
  constexpr std::uint64_t kVainLimit = 1'000'000;
  while (seen.size() < request.lines && vain < kVainLimit) {
    const auto fact = draw_line(random);
    const auto line = utf8(fact(source));
    ++vain;
    if (part_of(line) != request.part || !seen.insert(line).second) continue;
    vain = 0;
    source_file.write(line + "\n");
    target_file.write(utf8(fact(target)) + "\n");
  }
  if (seen.size() < request.lines)
    base::fail("only ", seen.size(), " distinct lines can be generated");
}

}  // namespace

const cli::ToolDescription& tool() {
  return kTool;
}

void run(const cli::Options& options) {
  const auto request = request_of(options);
  const auto prefix = options.required("output");
  base::OutputFile source(prefix + "." + request.source_locale),
      target(prefix + "." + request.target_locale);
  generate(request, source, target);
  source.commit();
  target.commit();
}

}  // namespace awend::tools
