#include "token_lines.hpp"

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
  Lister(const Coding& coding, int count) : codec_(coding.make()), count_(count) {}
  void answer(const Line& line, std::string& out) override {
    codec_->encode_best(line.text, line.number, count_, out);
  }

 private:
  std::unique_ptr<text::TokenCodec> codec_;
  int count_;
};

class Decoder : public base::LineWorker {
 public:
  explicit Decoder(const Coding& coding) : codec_(coding.make()) {}
  void answer(const Line& line, std::string& out) override { codec_->decode(line.text, out); }

 private:
  std::unique_ptr<text::TokenCodec> codec_;
};

// Prints one token per line: line number, byte range [begin, end), token, and id.
class Shower : public base::LineWorker {
 public:
  explicit Shower(const Coding& coding)
      : codec_(coding.make()),
        ids_codec_(coding.has_ids() ? coding.make_for_ids() : nullptr),
        separator_(coding.separator()) {}

  void answer(const Line& line, std::string& out) override {
    tokens_.clear();
    ids_.clear();
    codec_->encode(line.text, line.number, tokens_);
    if (ids_codec_) ids_codec_->encode(line.text, line.number, ids_);
    std::string_view ids = ids_;
    for (const auto& [token, place] : text::place_tokens(tokens_, line.text, separator_)) {
      out += base::concat(line.number, "\t");
      out += place ? base::concat(place->first, "\t", place->second) : "-\t-";
      out += base::concat("\t", token);
      if (ids_codec_) {
        const std::string_view id = ids.substr(0, ids.find(' '));
        out += base::concat("\t", id);
        ids.remove_prefix(std::min(id.size() + 1, ids.size()));
      }
      out += '\n';
    }
    // The filter terminates the last line.
    if (out.ends_with('\n')) out.pop_back();
  }

 private:
  std::unique_ptr<text::TokenCodec> codec_, ids_codec_;
  std::string separator_;
  std::string tokens_, ids_;
};

}  // namespace

std::unique_ptr<base::LineWorker> make_token_worker(const Coding& coding,
                                                    const cli::Options& options) {
  if (options.flag("decode")) return std::make_unique<Decoder>(coding);
  if (options.flag("show")) return std::make_unique<Shower>(coding);
  if (options.has("n-best")) {
    constexpr int kMost = 512;  // the limit of the library
    return std::make_unique<Lister>(coding,
                                    static_cast<int>(options.integer("n-best", {1, kMost})));
  }
  return std::make_unique<Encoder>(coding);
}

}  // namespace awend::tools
