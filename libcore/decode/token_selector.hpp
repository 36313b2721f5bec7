// The end of a step: selects candidates from the logits of all tokens.
//
// Constraints are written to the device before each step, and only the candidates are read back.
// Test: tests/properties/translation_test.cpp, tests/kernels/decoding_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "decode/shortlist.hpp"
#include "decode/step_model.hpp"
#include "nn/decoding.hpp"
#include "nn/listed_selection.hpp"

namespace awend::decode {

/// How the tokens are restricted that each sentence may have.
enum class SentenceLists {
  kNone,      ///< They are not.
  kSelected,  ///< Only their logits are computed: for one model on the processor.
  kMasked,    ///< The other logits are masked.
};

class TokenSelector {
 public:
  struct Settings {
    std::uint32_t candidates;                  ///< Of each row.
    std::uint32_t adjustments;                 ///< The most of a step; 0: none.
    std::optional<SamplingSettings> sampling;  ///< If set, there is one candidate.
    Shortlist shortlist;                       ///< The tokens of the logits.
    SentenceLists lists;                       ///< kNone if there is a shortlist for all sentences.
    std::uint32_t vocabulary;                  ///< The number of tokens.
  };
  /// Declares its inputs of a step of `rows`.  `program` must outlive the object.
  TokenSelector(nn::Program& program, const nn::Count& rows, const Settings& settings);

  /// For kMasked: masks the logits of a model, before they are mixed with others.
  void restrict_tokens(const nn::Logits& logits);
  /// Appends the selection from `logits`.  Not for kSelected.
  void append(const nn::Logits& logits);
  /// For kSelected: appends logits and selection from the output of a decoder.
  void append(nn::Graph& graph, const nn::Tensor& decoded, const nn::OutputLayer& output);

  /// Writes the requests of a step; call before each replay.
  void write(const Step& step);
  /// The candidates of each of the step's first `rows` rows, until the next call.
  std::span<const Candidate> read(std::uint32_t rows);

 private:
  std::uint32_t mask_words() const;
  const Shortlist& list_of(const TokenRequest& request) const;
  void write_adjustments(const Step& step);
  void write_lists(const Step& step);

  nn::Program& program_;
  Settings settings_;
  nn::TokenConstraints constraints_;
  nn::Tensor random_keys_{};
  nn::TopK best_{};
  std::vector<Candidate> candidates_;
  nn::TokenLists lists_;               // kSelected: of the rows of a step
  std::optional<nn::Tensor> allowed_;  // kMasked: a bit for each token
};

}  // namespace awend::decode
