// A line as tokens, as ids, and as a line again.
#include <iostream>

#include "awend/text/token_codec.hpp"
#include "base/error.hpp"

int main(int, char** argv) {
  const auto vocabulary = awend::text::Vocabulary::read(argv[1]);
  const awend::text::TokenCodecModel model(vocabulary);
  const auto codec = model.make();
  std::string tokens, line;
  awend::text::Ids ids;
  codec->encode("Friday, 3 May", 1, tokens);
  codec->encode_ids("Friday, 3 May", 1, ids);
  codec->decode_ids(ids, line);
  std::cout << tokens << '\n' << line << '\n' << kOwnHeader << '\n';
}
