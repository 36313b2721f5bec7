// From the command line of tokenize to the coder that it asks for.
#pragma once

#include <memory>
#include <optional>

#include "base/options.hpp"
#include "base/report.hpp"
#include "text/coder.hpp"

namespace awend::tools {

/// What a tool must know of the way it cuts lines, and the things that live as long as it does.
class Coding {
 public:
  /// UsageError for options that exclude each other.
  Coding(const base::Options& options, const base::Report& report);

  std::unique_ptr<text::Coder> make() const;
  /// The same that gives ids.  REQUIRES: has_ids().
  std::unique_ptr<text::Coder> make_for_ids() const;
  bool has_ids() const { return model_.has_value(); }
  /// True where a line's answer depends on those before it: then one thread must do.
  bool is_sequential() const;
  /// True where tokens may be cut within a character.
  bool has_broken_characters() const { return codes_ && codes_->bytes(); }
  /// What a token that goes on ends with, or nothing.
  std::string_view separator() const;

 private:
  void read_codes(const base::Options& options);
  void read_vocabulary(const base::Options& options, const base::Report& report);

  enum class Way { kVocabulary, kCodes, kMoses, kWords };
  Way way_ = Way::kVocabulary;
  text::Chance chance_;
  text::MosesSettings moses_;
  text::Punctuation punctuation_ = text::Punctuation::kKeep;
  text::TextForm form_;
  std::optional<text::Vocabulary> vocabulary_;
  std::optional<text::CoderModel> model_, ids_model_;
  std::optional<text::SubwordNmtModel> codes_;
};

}  // namespace awend::tools
