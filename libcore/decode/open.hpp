// Opens a model and translates lines with it, exactly as the program translate does: with the
// model's own vocabularies, its defaults of the search, its rules for lines, and its limits.
//
//   auto model = awend::decode::open("model.safetensors");
//   const std::vector<std::string> lines = {"A dog runs.", "Two men talk."};
//   for (const auto& translations : model.translate(lines)) {
//     const std::string best = translations.front().line();
//     const double score = translations.front().score();
//   }
//
// Cost: opening reads and checks all weights, compiles the kernels of a GPU, and allocates memory
// for a search of many lines at once.  Translating a few lines takes almost as long as one, because
// lines are translated together; give many at once, or put them while others are in progress.
//
// Threads: one thread at a time may use an object; it uses the threads of its device itself.
// Several objects may be used by several threads.  A process that forks opens its models after
// fork(): in a child, an object of the parent can be neither used nor destroyed.
//
// Files: an object maps the files of its models.  A file may be removed or replaced by another one
// (mv), but not overwritten (cp): the translations would change, or SIGBUS end the process.
//
// Errors: base::Error with a text for the user, and base::UsageError for settings that are not in
// their domains or contradict each other.  A line that put() refuses, such as one that is not
// UTF-8, does not enter the stream.  Test:
// tests/properties/open_test.cpp, tests/install/install.sh.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decode/open_options.hpp"
#include "decode/translation.hpp"

namespace awend::decode {

class TranslationModel {
 public:
  struct Parts;
  explicit TranslationModel(std::unique_ptr<Parts> parts);
  ~TranslationModel();
  TranslationModel(TranslationModel&&) noexcept;
  TranslationModel& operator=(TranslationModel&&) noexcept;

  /// The translations of each line, best first: as many as settings.search.n_best.  An empty line
  /// has an empty translation.  Sampling does not depend on earlier calls.  Throws Error "line N:
  /// ..." for a line that cannot be translated; after an error no line is in progress.  Requires:
  /// !has_work().
  std::vector<std::vector<Translation>> translate(std::span<const std::string> lines,
                                                  LineForm form = LineForm::kRaw);

  /// Appends a line to the stream, in UTF-8 and without LF.  Its translation begins with `prefix`,
  /// which has the same form.  Its random numbers of sampling depend on the number of lines before
  /// it, since the last call of translate() or the last error of step().
  void put(std::string_view line, LineForm form = LineForm::kRaw, std::string_view prefix = {});
  /// False while enough lines are in progress to keep the device busy.
  bool accepts_input() const;
  /// True until the translations of all lines have been taken.
  bool has_work() const;
  /// Computes for some milliseconds.  After an error, such as numbers that are not finite, no line
  /// is in progress, and translations that were not taken are lost.  Requires: has_work().
  void step();
  /// The translations of the first line whose translations have not been taken, if they are
  /// available.  After an error, it is as after one of step().
  std::optional<std::vector<Translation>> take();

  /// For the other classes of this module (decode/translation_parts.hpp).
  Parts& parts() { return *parts_; }

 private:
  template <class Call>
  auto or_discard(const Call& call) -> decltype(call());

  std::unique_ptr<Parts> parts_;
};

/// Opens a checkpoint, or the best one in a directory of train.  Throws Error naming the file if
/// it is not a translation model.
TranslationModel open(const std::string& path, const OpenOptions& options = {});
/// An ensemble: the models translate together, and must have the same vocabularies.
TranslationModel open(std::span<const std::string> paths, const OpenOptions& options = {});

}  // namespace awend::decode
