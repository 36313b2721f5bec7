// A run once its texts are read: the device, the model and all that trains it.
#pragma once

#include <memory>

#include "train/loop.hpp"
#include "train/run.hpp"

namespace awend::train {

/// All of it outlives the session.
struct SessionParts {
  const RunSettings& settings;
  const Identity& identity;
  const Corpora& corpora;
  const text::Vocabulary& vocabulary;
  Ranks& ranks;
  const base::Report& report;
};

class Session {
 public:
  /// `rows_before` are those of the run's passes in its past; 0 if it has none.
  Session(const SessionParts& parts, std::uint32_t rows_before);

  /// Where the run begins: at its own last checkpoint, at another run's, or anew.  For rank 0.
  RunState begin(const std::optional<store::Checkpoint>& checkpoint);
  /// Trains on from the `state` of rank 0.  Returns the reason for the end in words.
  std::string train(const RunState& state, Clock::time_point started);

 private:
  std::uint32_t rows_of_passes(std::uint32_t rows_before);

  SessionParts parts_;
  nn::Engine engine_;
  std::string distrust_;  // of matrix units, found before the trainer chooses its kernels
  TrainedModel model_;
  std::unique_ptr<TranslatedValidation> translation_;
  std::uint32_t pass_rows_ = 0;
  bool resumes_ = false;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<Validation> validation_;
};

}  // namespace awend::train
