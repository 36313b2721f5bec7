// Options that the tools for text have in common.
#pragma once

#include "base/lines.hpp"
#include "base/options.hpp"
#include "base/parallel.hpp"
#include "base/report.hpp"

namespace awend::tools {

inline constexpr base::Option kReplaceInvalidOption = {
    "replace-invalid", 0, "", "", "read invalid UTF-8 as U+FFFD instead of failing"};
inline constexpr base::Option kThreadsOption = {"threads", 'j', "N", "0",
                                                "threads; 0: one for each processor"};

inline unsigned threads_of(const base::Options& options) {
  const auto threads = static_cast<unsigned>(options.integer("threads", {0, 1024}));
  return threads == 0 ? base::processors() : threads;
}

/// The operands, or stdin.
inline std::vector<std::string> input_files(const base::Options& options) {
  return options.operands().empty() ? std::vector<std::string>{"-"} : options.operands();
}

inline base::InvalidUtf8 invalid_utf8_of(const base::Options& options) {
  return options.flag("replace-invalid") ? base::InvalidUtf8::kReplace : base::InvalidUtf8::kError;
}

/// What is odd about a text is not passed over in silence.
inline void warn_of_input(const base::Report& report, const base::LineReader& reader) {
  if (reader.replacements() > 0) {
    report.warning(base::concat(reader.name(), ": ", reader.replacements(),
                                " times U+FFFD for invalid UTF-8"));
  }
  if (reader.carriage_returns() > 0) {
    report.warning(base::concat(reader.name(), ": ", reader.carriage_returns(),
                                " lines end with CR, which is taken for text"));
  }
}

}  // namespace awend::tools
