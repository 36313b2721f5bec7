// Annotations of translations from attention: alignment, an attention file, and source tokens in
// place of unknown tokens.  One pass of the model over the line and its translation yields all of
// them.  Test: tests/cli/translate_given.sh.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/repeated_warning.hpp"
#include "base/report.hpp"
#include "decode/alignment.hpp"
#include "decode/answer_text.hpp"
#include "decode/teacher_forced_scorer.hpp"
#include "decode/translator.hpp"
#include "text/vocabularies.hpp"

namespace awend::decode {

struct ViewSettings {
  std::optional<AlignmentSettings> alignment = {};  ///< If requested.
  /// For the lines that need them: only the layer counts.
  std::optional<AlignmentSettings> weights = {};
  enum class Unit { kTokens, kWords } unit = Unit::kTokens;
  enum class Unknown { kKeep, kReplace } unknown = Unknown::kKeep;
  std::string attention_file;  ///< Empty: none.
  std::size_t max_tokens = 0;  ///< Of a side; longer lines are not annotated.

  bool is_needed() const {
    return alignment || weights || unknown == Unknown::kReplace || !attention_file.empty();
  }
};

/// An input line.
struct SourceLine {
  std::uint64_t number;  ///< From 0.
  std::vector<std::string> tokens;
  std::vector<std::uint32_t> ids;
  SentenceLanguages languages;
  bool needs_weights = false;  ///< Of the alignment of its best translation.
};

class AnswerView {
 public:
  /// All but the settings must outlive the object.  Lines that are too long for the settings or the
  /// scorer get neither attention nor alignment, and a warning.
  AnswerView(TeacherForcedScorer& scorer, const text::Vocabularies& vocabularies,
             const base::Report& report, ViewSettings settings);

  /// Annotates a translation; the attention file gets the best translation of each line.
  enum class Rank { kBest, kOther };
  void annotate(const SourceLine& line, Rank rank, Translation& answer);

  /// The last call.
  void close();

 private:
  std::string alignment_text(const SourceLine& line, const Translation& answer,
                             const Attentions& attentions) const;

  TeacherForcedScorer& scorer_;
  text::Vocabularies vocabularies_;
  base::RepeatedWarning long_lines_, empty_lines_;
  ViewSettings settings_;
  std::optional<base::OutputFile> file_;
};

}  // namespace awend::decode
