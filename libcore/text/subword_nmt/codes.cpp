#include "text/subword_nmt/codes.hpp"

#include <limits>

#include "base/concat.hpp"
#include "base/format.hpp"
#include "base/numbers.hpp"
#include "text/spaced_words.hpp"
#include "text/subword_nmt/numbered_lines.hpp"

namespace awend::text {
namespace {

constexpr std::string_view kVersion = "#version:";

class CodesParser {
 public:
  CodesParser(std::string_view content, const std::string& name) : lines_(content, name) {}

  SubwordNmtCodes parse(std::size_t max_merges) {
    std::string_view line;
    if (!lines_.next(line)) lines_.fail("expected codes of subword-nmt or fastBPE, found nothing");
    bool more = true;
    if (line.starts_with(kVersion)) {
      read_version(trim(line.substr(kVersion.size())).words);
      more = lines_.next(line);
    } else {
      const auto fields = base::split(trim(line).words, ' ');
      counts_ = fields.size() == 3 && base::find_number<std::uint64_t>(fields[2]);
      codes_.separate_end_of_word = !counts_;
    }
    for (; more && codes_.merges.size() < max_merges; more = lines_.next(line)) {
      if (line.empty() && lines_.rest().find_first_not_of('\n') == std::string_view::npos) break;
      read_merge(line);
    }
    return std::move(codes_);
  }

 private:
  void read_version(std::string_view version) {
    codes_.separate_end_of_word = version == "0.1";
    codes_.bytes = version == "0.2 byte";
    if (version != "0.1" && version != "0.2" && version != "0.2 byte")
      lines_.fail("version '", version, "' is unknown, expected 0.1, 0.2 or '0.2 byte'");
  }

  void read_merge(std::string_view line) {
    if (!codes_.bytes) lines_.check_utf8(line);
    const auto fields = base::split(trim(line).words, ' ');
    const std::size_t wanted = counts_ ? 3 : 2;
    if (fields.size() != wanted)
      lines_.fail("expected ", wanted == 2 ? "two symbols" : "two symbols and a count",
                  " with one space between, found ", fields.size(),
                  fields.size() == 1 ? " field" : " fields");
    if (fields[0].empty() || fields[1].empty()) lines_.fail("a symbol is empty");
    if (counts_ && !base::find_number<std::uint64_t>(fields[2]))
      lines_.fail("'", fields[2], "' is not a number");
    codes_.merges.emplace_back(fields[0], fields[1]);
  }

  NumberedLines lines_;
  bool counts_ = false;  // the third column of fastBPE
  SubwordNmtCodes codes_;
};

}  // namespace

SubwordNmtCodes parse_codes(std::string_view content, const std::string& name,
                            std::optional<std::size_t> first_merges) {
  return CodesParser(content, name)
      .parse(first_merges.value_or(std::numeric_limits<std::size_t>::max()));
}

std::string print_codes(const SubwordNmtCodes& codes) {
  std::string text;
  if (!codes.separate_end_of_word) text = codes.bytes ? "#version: 0.2 byte\n" : "#version: 0.2\n";
  for (const auto& [left, right] : codes.merges) text += base::concat(left, " ", right, "\n");
  return text;
}

}  // namespace awend::text
