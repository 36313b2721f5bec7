// Japanese and Korean words by MeCab (Kudo et al. 2004), which is loaded when it is asked for: no
// program links it, and only those who score such text need it.
//
// Test: tests/unit/text/mecab_test.cpp.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace awend::text {

/// Immutable; may be used from several threads.
class Mecab {
 public:
  /// Loads the library and the dictionary in this directory, which must be in UTF-8.  Error saying
  /// what to install where the library is missing, and naming a directory that has no dictionary.
  explicit Mecab(const std::string& directory);
  ~Mecab();
  Mecab(Mecab&&) noexcept;
  Mecab& operator=(Mecab&&) noexcept;

  /// The words of a line, with a space after each.  REQUIRES: valid UTF-8.
  std::string words(std::string_view line) const;

  /// Of the library: "0.996", or "0.996/ko-0.9.2" of MeCab-ko.
  std::string version() const;
  /// Entries of the dictionary.
  std::size_t size() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace awend::text
