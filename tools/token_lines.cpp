#include "token_lines.hpp"

#include <utility>

#include "base/format.hpp"
#include "text/places.hpp"

namespace awend::tools {
namespace {

using base::Line;

class Encoder : public base::LineWorker {
 public:
  explicit Encoder(const Coding& coding) : codec_(coding.make()) {}
  void answer(const Line& line, std::string& out) override {
    codec_->encode(line.text, line.number, out);
  }

 private:
  std::unique_ptr<text::TokenCodec> codec_;
};

class Lister : public base::LineWorker {
 public:
  Lister(const Coding& coding, int count)
      : codec_(coding.make()), form_(coding.form()), count_(count) {}
  // Each line except the last ends in LF.
  void answer(const Line& line, std::string& out) override {
    std::string_view before;
    for (const auto& candidate : codec_->best(line.text, count_)) {
      out += base::concat(std::exchange(before, "\n"), line.number, "\t", candidate.score, "\t",
                          form_ == text::TokenForm::kIds ? base::join(candidate.ids, " ")
                                                         : base::join(candidate.pieces, " "));
    }
  }

 private:
  std::unique_ptr<text::TokenCodec> codec_;
  text::TokenForm form_;
  int count_;
};

class Decoder : public base::LineWorker {
 public:
  explicit Decoder(const Coding& coding) : codec_(coding.make()) {}
  void answer(const Line& line, std::string& out) override { codec_->decode(line.text, out); }

 private:
  std::unique_ptr<text::TokenCodec> codec_;
};

// Prints one token per line: line number, byte range [begin, end), token, and id.  A codec of its
// own makes the ids, because noise may depend on the lines that a codec has encoded.
class Shower : public base::LineWorker {
 public:
  explicit Shower(const Coding& coding)
      : codec_(coding.make()),
        ids_codec_(coding.has_ids() ? coding.make() : nullptr),
        separator_(coding.separator()),
        continuation_(coding.continuation()) {}

  void answer(const Line& line, std::string& out) override {
    tokens_.clear();
    ids_.clear();
    codec_->encode(line.text, line.number, tokens_);
    if (ids_codec_) ids_codec_->encode_ids(line.text, line.number, ids_);
    std::size_t at = 0;
    for (const auto& [token, place] :
         text::place_tokens(tokens_, line.text, separator_, continuation_)) {
      out += base::concat(line.number, "\t");
      out += place ? base::concat(place->first, "\t", place->second) : "-\t-";
      out += base::concat("\t", token);
      if (ids_codec_) out += "\t";
      if (at < ids_.size()) out += base::concat(ids_[at++]);
      out += '\n';
    }
    // The filter terminates the last line.
    if (out.ends_with('\n')) out.pop_back();
  }

 private:
  std::unique_ptr<text::TokenCodec> codec_, ids_codec_;
  std::string separator_, continuation_;
  std::string tokens_;
  text::Ids ids_;
};

}  // namespace

std::unique_ptr<base::LineWorker> make_token_worker(const Coding& coding,
                                                    const cli::Options& options) {
  if (options.flag("decode")) return std::make_unique<Decoder>(coding);
  if (options.flag("show")) return std::make_unique<Shower>(coding);
  if (options.has("n-best")) {
    constexpr int kMaxListed = 512;  // the limit of the library
    return std::make_unique<Lister>(coding, options.integer<int>("n-best", {1, kMaxListed}));
  }
  return std::make_unique<Encoder>(coding);
}

}  // namespace awend::tools
