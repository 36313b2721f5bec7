// Words that keep their period: ICU's lists (from CLDR), single capital letters, and Moses' lists.
//
// Test: tests/unit/text/sentences_test.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/moses/prefixes.hpp"
#include "text/sentences/language_rules.hpp"

namespace awend::text::sentences {

class Abbreviations {
 public:
  /// `prefixes`: directory of Moses' lists; empty: none.  Error naming it if it has no usable list.
  Abbreviations(const std::string& language, const std::string& prefixes);

  /// Whether `sentence` ends in an abbreviation, after which `rest` continues it.  Both without
  /// white space around them.
  bool join(std::string_view sentence, std::string_view rest) const;

 private:
  bool is_listed(std::string_view sentence) const;

  const LanguageRules& rules_;
  std::vector<std::string> listed_;  // each with its last period
  moses::Prefixes prefixes_;
};

}  // namespace awend::text::sentences
