#include "text/bert/codec.hpp"

#include "text/bert/word_pieces.hpp"
#include "text/tokenizer.hpp"

namespace awend::text {
namespace {

class BertCodec : public TokenCodec {
 public:
  explicit BertCodec(const Vocabulary& vocabulary)
      : vocabulary_(vocabulary), tokenizer_(vocabulary) {}

  void encode(std::string_view line, std::uint64_t, std::string& tokens) override {
    append_pieces(vocabulary_, tokenizer_.encode(line), tokens);
  }

  void encode_ids(std::string_view line, std::uint64_t, Ids& ids) override {
    const Ids& found = tokenizer_.encode(line);
    ids.insert(ids.end(), found.begin(), found.end());
  }

  void decode(std::string_view tokens, std::string& line) override {
    decode_ids(split_pieces(vocabulary_, tokens), line);
  }

  void decode_ids(std::span<const std::uint32_t> ids, std::string& line) override {
    line += join_word_pieces(vocabulary_, ids);
  }

 private:
  const Vocabulary& vocabulary_;
  BertTokenizer tokenizer_;
};

}  // namespace

std::unique_ptr<TokenCodec> make_bert_codec(const Vocabulary& vocabulary) {
  return std::make_unique<BertCodec>(vocabulary);
}

}  // namespace awend::text
