// Models of other toolkits: the first byte selects a file of a small model, which the input
// replaces.
#include "interchange/read_model.hpp"
#include "tests/fuzz/foreign_models.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {
namespace {

/// All files of all models.
struct Slot {
  Contents contents;
  std::string name;
};
const std::vector<Slot>& slots() {
  static const std::vector<Slot> kSlots = [] {
    std::vector<Slot> made;
    for (const auto& contents :
         {marian_contents(), hugging_face_contents(), bert_contents(), fairseq_contents(),
          ctranslate2_contents(), marian_contents(MarianDecoder::kSsru), marian_rnn_contents(),
          multilingual_contents(Multilingual::kNllb), multilingual_contents(Multilingual::kM2m100),
          multilingual_contents(Multilingual::kMbart50), t5_contents(),
          ctranslate2_contents_of(t5_contents())}) {
      for (const auto& [name, content] : contents) made.push_back({contents, name});
    }
    return made;
  }();
  return kSlots;
}

}  // namespace

std::vector<std::string> seeds() {
  std::vector<std::string> inputs;
  for (const auto& [contents, name] : slots())
    inputs.push_back(std::string(1, static_cast<char>(inputs.size())) + contents.at(name));
  return inputs;
}

void fuzz(std::string_view input) {
  if (input.empty()) return;
  const auto& [contents, name] = slots()[static_cast<unsigned char>(input[0]) % slots().size()];
  auto changed = contents;
  changed[name] = input.substr(1);
  interchange::ModelFiles files(changed);
  (void)interchange::read_model(files);
}

}  // namespace awend::tests
