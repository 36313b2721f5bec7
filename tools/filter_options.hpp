// Options shared by the text tools.
#pragma once

#include "base/lines.hpp"
#include "base/machine.hpp"
#include "base/report.hpp"
#include "cli/options.hpp"
#include "output_check.hpp"

namespace awend::tools {

inline constexpr cli::Option kReplaceInvalidOption = {
    "replace-invalid", 0, "", "", "replace invalid UTF-8 with U+FFFD instead of failing"};
inline constexpr cli::Option kKeepBomOption = {
    "keep-bom", 0, "", "", "treat a byte order mark at the start of an input as text"};
inline constexpr cli::Option kThreadsOption = {"threads", 'j', "N", "0",
                                               "number of threads; 0 = one per processor"};

inline unsigned threads_of(const cli::Options& options) {
  const auto threads = options.integer<unsigned>("threads", {0, 1024});
  return threads == 0 ? base::processor_share() : threads;
}

/// The operands, or stdin, which then cannot be another input.
inline std::vector<std::string> input_files(const cli::Options& options) {
  if (!options.operands().empty()) return options.operands();
  require_one_stdin(options, ImpliedStdin::kYes);
  return {"-"};
}

inline base::InvalidUtf8 invalid_utf8_of(const cli::Options& options) {
  return options.flag("replace-invalid") ? base::InvalidUtf8::kReplace : base::InvalidUtf8::kError;
}

/// For the tools with --keep-bom.
inline base::TextPolicy text_policy_of(const cli::Options& options) {
  return {invalid_utf8_of(options),
          options.flag("keep-bom") ? base::ByteOrderMark::kKeep : base::ByteOrderMark::kRemove};
}

/// Reports with -v that the byte order mark of an input was removed.
inline void note_removed_mark(const base::Report& report, const base::LineReader& reader) {
  if (reader.removed_mark()) report.note(reader.name() + ": removed a byte order mark");
}

/// Warns of anomalies in the input.
inline void warn_of_input(const base::Report& report, const base::LineReader& reader) {
  if (reader.replacements() > 0) {
    report.warning(base::concat(reader.name(), ": ", reader.replacements(),
                                " invalid UTF-8 sequences replaced with U+FFFD"));
  }
  if (reader.carriage_returns() > 0) {
    report.warning(base::concat(reader.name(), ": ", reader.carriage_returns(),
                                " lines end in CR, which is kept as text"));
  }
  note_removed_mark(report, reader);
}

}  // namespace awend::tools
