// Metrics of COMET (Rei et al., 2020), as published: a checkpoint of PyTorch Lightning and
// hparams.yaml, which have neither the tokenizer nor the configuration of the encoder.
//
// Test: tests/unit/interchange/comet_test.cpp, tests/fuzz/targets/comet.cpp, tests/cli/comet.sh.
#pragma once

#include "interchange/converted_model.hpp"
#include "interchange/model_files.hpp"

namespace awend::interchange {

/// The directories of a metric.
struct CometFiles {
  ModelFiles& metric;       ///< hparams.yaml
  ModelFiles& checkpoints;  ///< model.ckpt
  ModelFiles& encoder;      ///< config.json and sentencepiece.bpe.model of the pretrained encoder
};

/// Whether a directory may be that of a metric.
bool looks_like_comet(const ModelFiles& directory);

/// Reads a RegressionMetric, ReferencelessRegression or UnifiedMetric over XLM-RoBERTa.  Throws
/// Error naming the file, and the tensor or setting that is missing or not supported.
ConvertedModel read_comet(const CometFiles& files);

}  // namespace awend::interchange
