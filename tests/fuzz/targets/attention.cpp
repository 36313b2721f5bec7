// Attention files: the first line, and a translated line.
#include "store/attention_file.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace awend::tests {

std::vector<std::string> seeds() {
  return {R"({"format":"awend-attention 1","encoder_layers":1,"decoder_layers":1,"heads":2})"
          "\n"
          R"({"line":0,"source":["a","</s>"],"target":["b","</s>"],)"
          R"("encoder":[[[[1],[0.5,0.5]],[[1,0],[0,1]]]],)"
          R"("decoder":[[[[1],[0.5,0.5]],[[1,0],[0,1]]]],)"
          R"("cross":[[[[1],[0.5,0.5]],[[1,0],[0,1]]]]})"};
}

void fuzz(std::string_view input) {
  const auto end = std::min(input.find('\n'), input.size());
  const auto shape = store::parse_attention_header(input.substr(0, end));
  store::parse_attended_line(input.substr(std::min(end + 1, input.size())), shape);
}

}  // namespace awend::tests
