// The parts of an open model: vocabularies, weights on a device, settings, and lines in progress.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "decode/answer_view.hpp"
#include "decode/ensemble.hpp"
#include "decode/line_codec.hpp"
#include "decode/line_languages.hpp"
#include "decode/model_files.hpp"
#include "decode/open.hpp"
#include "decode/pair_scorer.hpp"
#include "decode/translator.hpp"
#include "nn/engine.hpp"

namespace awend::decode {

/// Opens models whose files are open already.  Requires: at least one.
TranslationModel open(std::vector<Checkpoint> checkpoints, const OpenOptions& options);

struct TranslationModel::Parts {
  Parts(std::vector<Checkpoint> opened, const OpenOptions& options);

  /// Creates what a search needs, which takes most of the device's memory.
  Translator& translator();
  /// Scores given translations: one model all tokens at once, several models step by step.
  PairScorer& scorer();
  /// Annotates all translations of lines that are read from now on.
  void annotate(const ViewSettings& settings);

  /// The ids of a line, and its tokens if translations are annotated.  Throws Error if the models
  /// cannot read it.
  SourceLine read_source(std::string_view line, LineForm form);
  /// Throws Error if the line must be split, but the models read only whole lines.
  void require_whole(const SourceLine& line);
  /// Appends a line, of which read_source() and require_whole() approved.  Throws Error if its
  /// translation has no language, but needs one.
  void put(SourceLine line, LineForm form, std::vector<std::uint32_t> prefix);
  std::optional<std::vector<Translation>> take();
  /// Numbers the lines that follow from 0.
  void restart();
  /// Ends all lines in progress without their translations.  The next line makes a new search.
  void discard();
  /// Throws Error unless all models can score the target.
  void require_target(std::span<const std::uint32_t> ids) const;
  /// Adds the annotations and the text, best translation first.
  void complete(const SourceLine& line, LineForm form, std::vector<Translation>& translations);

  std::vector<Checkpoint> checkpoints;  ///< The models read them while they compute.
  ModelVocabularies vocabularies;
  const base::Report& report;
  AllowedTokens allowed;
  TranslatorSettings settings;
  EnsembleSettings ensemble;
  std::unique_ptr<nn::Engine> engine;
  std::vector<std::unique_ptr<LoadedModel>> models;
  LineCodec sources, targets;
  LineLanguage source_language, target_language;
  std::optional<AnswerView> view;  ///< If annotations are requested.

 private:
  std::optional<std::string> source_problem(std::span<const std::uint32_t> ids) const;

  std::vector<model::Config> strict_;  // of the models that cannot read every line
  std::optional<TeacherForcedScorer> attention_;
  std::optional<Translator> translator_;
  std::unique_ptr<PairScorer> scorer_;
  struct InProgress {
    SourceLine line;
    LineForm form;
  };
  std::deque<InProgress> in_progress_;
  std::uint64_t lines_ = 0;  // read so far
};

}  // namespace awend::decode
