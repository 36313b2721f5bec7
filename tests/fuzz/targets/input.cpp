// Any input of a tool: compressed or not, lines of UTF-8 or of anything.  From memory, without a
// file.
#include "base/lines.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {
namespace {

// Compressed data of unbounded size must not stop the fuzzing.
constexpr std::uint64_t kMaxBytes = 1 << 24;

}  // namespace

std::vector<std::string> seeds() {
  return {"a line\n\xEF\xBB\xBF\xC3\xA4\r\n",
          // The line "heads = 4", compressed by gzip and by zstd.
          {"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\x4d\x4c\x29\x56\xb0\x55\x30\xe1"
           "\x02\x00\xd4\x0c\x72\x79\x0a\x00\x00\x00",
           30},
          {"\x28\xb5\x2f\xfd\x04\x58\x51\x00\x00heads = 4\n\x38\x1b\xb6\xc9", 23}};
}

void fuzz(std::string_view input) {
  base::LineReader lines(base::InputFile("file", input), base::InvalidUtf8::kReplace,
                         {.file_bytes = kMaxBytes});
  for (std::string_view line; lines.next(line);) {
  }
}

}  // namespace awend::tests
