// The settings of --align, which the first line is, and the alignment of an attention file's line.
#include "decode/alignment.hpp"

#include "store/attention_file.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  std::vector<std::string> inputs;
  for (const char* form : {"hard", "soft", "0.25"}) {
    inputs.push_back(std::string(form) +
                     "\n"
                     R"({"line":0,"source":["a","</s>"],"target":["b","</s>"],)"
                     R"("encoder":[[[[1],[0.5,0.5]],[[1,0],[0,1]]]],)"
                     R"("decoder":[[[[1],[0.5,0.5]],[[1,0],[0,1]]]],)"
                     R"("cross":[[[[1],[0.5,0.5]],[[1,0],[0,1]]]]})");
  }
  return inputs;
}

void fuzz(std::string_view input) {
  const auto end = std::min(input.find('\n'), input.size());
  auto settings = decode::parse_alignment(input.substr(0, end));
  settings.layer = 1;
  const store::AttentionLayout layout{.encoder_layers = 1, .decoder_layers = 1, .heads = 2};
  auto line = store::parse_attended_line(input.substr(std::min(end + 1, input.size())), layout);
  decode::Attentions attentions;
  attentions.cross = std::move(line.cross);
  const auto alignment = decode::align(attentions, settings);
  (void)decode::best_sources(alignment);
  (void)decode::to_text(alignment, settings);
}

}  // namespace awend::tests
