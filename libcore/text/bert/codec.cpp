#include "text/bert/codec.hpp"

#include "text/bert/word_pieces.hpp"
#include "text/tokenizer.hpp"

namespace awend::text {
namespace {

class BertCodec : public TokenCodec {
 public:
  BertCodec(const Vocabulary& vocabulary, TokenForm form)
      : vocabulary_(vocabulary), form_(form), tokenizer_(vocabulary) {}

  void encode(std::string_view line, std::uint64_t, std::string& tokens) override {
    const Ids& ids = tokenizer_.encode(line);
    form_ == TokenForm::kIds ? append_numbers(ids, tokens)
                             : append_pieces(vocabulary_, ids, tokens);
  }

  void decode(std::string_view tokens, std::string& line) override {
    const Ids ids = form_ == TokenForm::kIds ? read_numbers(tokens, vocabulary_.size())
                                             : split_pieces(vocabulary_, tokens);
    line += join_word_pieces(vocabulary_, ids);
  }

 private:
  const Vocabulary& vocabulary_;
  const TokenForm form_;
  BertTokenizer tokenizer_;
};

}  // namespace

std::unique_ptr<TokenCodec> make_bert_codec(const Vocabulary& vocabulary, TokenForm form) {
  return std::make_unique<BertCodec>(vocabulary, form);
}

}  // namespace awend::text
