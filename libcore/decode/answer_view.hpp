// What is shown of an answer beside its tokens: alignment, attention, source tokens in place of
// unknown ones.  All of it follows from one pass of the model over the line and its translation.
// Test: tests/cli/translate_given.sh.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/report.hpp"
#include "decode/alignment.hpp"
#include "decode/answer_text.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "text/vocabulary.hpp"

namespace awend::decode {

struct ViewSettings {
  std::optional<AlignmentSettings> alignment = {};  ///< If it is to be written.
  enum class Unit { kTokens, kWords } unit = Unit::kTokens;
  enum class Unknown { kKeep, kReplace } unknown = Unknown::kKeep;
  std::string attention_file;  ///< Empty: none.

  bool sees() const { return alignment || unknown == Unknown::kReplace || !attention_file.empty(); }
};

/// A line as it came.
struct SourceLine {
  std::uint64_t number;  ///< From 0.
  std::vector<std::string> tokens;
  std::vector<std::uint32_t> ids;
};

class AnswerView {
 public:
  /// All but the settings must outlive the object.  Lines of more than `longest` tokens on a side,
  /// or than the pass holds, have neither attention nor alignment, and a warning.
  AnswerView(TeacherForcedScorer& scorer, const text::Vocabulary& vocabulary, std::size_t longest,
             const base::Report& report, ViewSettings settings);

  /// Adds to a translation what is to be seen of it; attention is kept of the best.
  enum class Rank { kBest, kOther };
  void look(const SourceLine& line, Rank rank, Shown& answer);

  const ViewSettings& settings() const { return settings_; }
  /// The last call.
  void close();

 private:
  std::string alignment_text(const SourceLine& line, const Shown& answer,
                             const Attentions& attentions) const;

  TeacherForcedScorer& scorer_;
  const text::Vocabulary& vocabulary_;
  std::size_t longest_;
  const base::Report& report_;
  ViewSettings settings_;
  std::optional<base::OutputFile> file_;
};

}  // namespace awend::decode
