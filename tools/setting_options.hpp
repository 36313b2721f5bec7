// The options that set what errors of the library refer to.
#pragma once

#include "base/message.hpp"
#include "decode/line_languages.hpp"
#include "decode/translator.hpp"
#include "model/setting_names.hpp"
#include "nn/limits.hpp"
#include "text/protected_spans.hpp"
#include "train/setting_names.hpp"

namespace awend::tools {

inline constexpr base::SettingName kTrainSettings[] = {
    {nn::kBatchTokens, "--memory-budget or --batch-tokens"},
    {vulkan::kBatchSize, "--batch-tokens"},
    {nn::kBeamSize, "--valid-beam"},
    {nn::kModelDimension, "--d-model"},
    {nn::kFeedForwardDimension, "--d-ff"},
    {model::kStartId, "--start-id"},
    {model::kMaskedIds, "--masked-ids"},
    {train::kSources, "--source"},
    {train::kTargets, "--target"},
    {train::kGuidedAlignment, "--guided-alignment"},
    {train::kCorpusWeights, "--weights"},
    {train::kMaxLength, "--max-length"},
    {train::kTokensInBatch, "--batch-tokens"},
    {train::kBatchSentences, "--batch-sentences"},
    {train::kSeed, "--seed"},
    {train::kResetData, "--reset-data"},
    {train::kInitialWeights, "--init-from"},
    {train::kExtendVocabulary, "--extend-vocabulary"},
    {train::kQuantize, "--quantize"},
    {train::kFrozen, "--freeze"},
    {train::kLearningRate, "--learning-rate"},
    {train::kClipNorm, "--clip-norm"},
};

inline constexpr base::SettingName kTranslateSettings[] = {
    {nn::kBatchTokens, "--batch-tokens"},
    {vulkan::kBatchSize, "--batch-tokens"},
    {nn::kBeamSize, "--beam-size"},
    {decode::kNBest, "--n-best"},
    {decode::kSourceLanguage, "--source-language"},
    {decode::kTargetLanguage, "--target-language"},
    {text::kProtectedPattern, "--protect"},
};

}  // namespace awend::tools
