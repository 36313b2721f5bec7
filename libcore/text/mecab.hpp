// Japanese and Korean words by MeCab (Kudo et al. 2004), which is loaded when it is first used: no
// program links it, and only scoring of such text needs it.
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
  /// Loads the library and the dictionary in this directory, which must be in UTF-8.  Error
  /// stating what to install if the library is missing, or naming a directory without a dictionary.
  explicit Mecab(const std::string& directory);
  ~Mecab();
  Mecab(Mecab&&) noexcept;
  Mecab& operator=(Mecab&&) noexcept;

  /// The words of a line, each followed by a space.  Requires: valid UTF-8.
  std::string words(std::string_view line) const;

  /// The version of the library: "0.996", or "0.996/ko-0.9.2" for MeCab-ko.
  std::string version() const;
  /// The number of entries of the dictionary.
  std::size_t size() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace awend::text
