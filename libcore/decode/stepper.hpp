// The model on a device, ready to decode batches step by step: an encoder program, a step program,
// and their caches.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "decode/beam.hpp"
#include "model/stepping.hpp"
#include "model/transformer.hpp"
#include "store/array_file.hpp"

namespace awend::decode {

/// The most that a batch may hold.
struct StepperCapacity {
  std::uint32_t source_rows;  ///< Source tokens, ends of sentences included.
  std::uint32_t rows;         ///< Hypotheses alive at once.
  std::uint32_t cache_rows;   ///< Hypotheses summed over all steps.
  std::uint32_t candidates;   ///< Best tokens of each hypothesis.
};

/// One hypothesis that is to be continued.
struct StepRow {
  std::uint32_t last_id;                     ///< 0xffffffff before the first token
  std::uint32_t sentence;                    ///< Place in the batch.
  std::span<const std::uint32_t> ancestors;  ///< Cache rows of its past, without this step's.
};

/// A model whose weights are on a device.
class LoadedModel {
 public:
  /// Reads the weights.  Throws Error naming the checkpoint if it does not hold a model.
  LoadedModel(nn::Engine& engine, const store::ArrayFile& checkpoint, nn::Element precision);

  nn::Parameters& parameters() { return parameters_; }
  const model::Transformer& transformer() const { return transformer_; }

 private:
  nn::Parameters parameters_;
  model::Transformer transformer_;
};

class Stepper {
 public:
  /// Decodes with the parameters as they are at each call; they may be in training.  Both must
  /// outlive the stepper.
  Stepper(nn::Engine& engine, nn::Parameters& parameters, const model::Transformer& transformer,
          const StepperCapacity& capacity);

  const model::Config& config() const { return transformer_.config(); }
  const StepperCapacity& capacity() const { return capacity_; }

  /// Encodes a batch of sentences, ends of sentences included, and forgets the batch before.
  void start(std::span<const std::vector<std::uint32_t>> sentences);
  /// Continues all `rows`, which have seen equally many tokens.  Returns capacity().candidates
  /// entries for each.
  std::span<const Candidate> step(std::span<const StepRow> rows);
  /// The cache row where the last step put the keys and values of its first row.
  std::uint32_t cache_first() const { return cache_first_; }

 private:
  const model::Transformer& transformer_;
  StepperCapacity capacity_;
  model::KeyValueCache cross_;
  model::KeyValueCache self_;
  nn::Program encoder_;
  nn::Program decoder_;
  model::SourceInputs source_;
  model::StepInputs inputs_;
  nn::TopK best_;
  std::vector<std::uint32_t> source_begin_;
  std::uint32_t cache_first_ = 0;
  std::uint32_t cache_next_ = 0;
  std::uint32_t steps_ = 0;
  std::vector<Candidate> candidates_;
};

}  // namespace awend::decode
