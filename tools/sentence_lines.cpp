#include "sentence_lines.hpp"

#include "base/error.hpp"

namespace awend::tools {
namespace {

class SentenceEncoder : public base::LineWorker {
 public:
  SentenceEncoder(const text::SentenceSettings& settings, std::unique_ptr<text::TokenCodec> codec)
      : breaker_(settings), codec_(std::move(codec)) {}

  void answer(const base::Line& line, std::string& out) override {
    for (const std::string_view sentence : breaker_.split(line.text)) {
      const std::size_t begin = out.size();
      if (codec_) {
        codec_->encode(sentence, line.number, out);
      } else {
        out += sentence;
      }
      // A sentence without tokens would close the line.
      if (out.size() > begin) out += '\n';
    }
  }

 private:
  text::SentenceBreaker breaker_;
  std::unique_ptr<text::TokenCodec> codec_;
};

}  // namespace

std::unique_ptr<base::LineWorker> make_sentence_encoder(const text::SentenceSettings& settings,
                                                        std::unique_ptr<text::TokenCodec> codec) {
  return std::make_unique<SentenceEncoder>(settings, std::move(codec));
}

void join_sentence_lines(base::LineReader& in, base::OutputFile& out,
                         const SentenceDecoding& decoding) {
  const std::string_view separator = text::sentence_separator(decoding.language);
  std::string joined, sentence;
  const auto finish = [&] {
    out.write(joined += '\n');
    joined.clear();
  };
  bool open = false;
  for (std::string_view line; in.next(line);) {
    open = !line.empty();
    if (!open) {
      finish();
    } else {
      sentence.assign(decoding.codec != nullptr ? "" : line);
      if (decoding.codec != nullptr)
        base::at_line(in, [&] { decoding.codec->decode(line, sentence); });
      if (!joined.empty() && !sentence.empty()) joined += separator;
      joined += sentence;
    }
    if (in.waits() || (!open && decoding.flushing == base::Flushing::kEveryLine)) out.flush();
  }
  if (open) finish();
}

}  // namespace awend::tools
