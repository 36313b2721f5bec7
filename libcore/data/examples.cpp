#include "data/examples.hpp"

#include "data/labeled_text.hpp"

namespace awend::data {

std::unique_ptr<Packing> make_packing(const text::Vocabulary& vocabulary,
                                      const ExampleSettings& settings) {
  switch (settings.labeling.kind) {
    case CorpusKind::kPairs:
      return nullptr;
    case CorpusKind::kRunning:
      return std::make_unique<MaskedText>(vocabulary, settings.masking);
    case CorpusKind::kLabeledLines:
      return std::make_unique<LabeledText>(encoder_ids(vocabulary), Labeled::kLines);
    case CorpusKind::kSpans:
      return std::make_unique<LabeledText>(encoder_ids(vocabulary), Labeled::kSpans);
    case CorpusKind::kLabeledTokens:
      break;
  }
  return std::make_unique<LabeledText>(encoder_ids(vocabulary), Labeled::kTokens);
}

}  // namespace awend::data
