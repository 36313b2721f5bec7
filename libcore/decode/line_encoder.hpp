// Runs an encoder-only model over token lines: output line n belongs to input line n.
//
// A line is one segment, or two with a tab between them.  If the input pauses, the lines read so
// far are encoded, so that interactive use gets one line for each line.  Test: tests/cli/encode.sh.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/lines.hpp"
#include "decode/answer_span.hpp"
#include "decode/line_codec.hpp"
#include "decode/sentence_encoder.hpp"
#include "store/npy_writer.hpp"

namespace awend::decode {

enum class EncoderOutput {
  kFilled,  ///< The tokens with [MASK] replaced.
  kLabels,  ///< The label of the line, or of each token.
  kSpans,   ///< The tokens of the second segment that answer the first.
  kJson,    ///< The vector as an array of JSON.
  kNpy,     ///< All vectors as one array of NumPy.
};

class LineEncoder {
 public:
  struct Settings {
    EncoderOutput output = EncoderOutput::kFilled;
    std::uint32_t n_best = 0;  ///< Predictions with probabilities; 0: only the best, without.
    std::uint32_t batch_tokens = 4096;
    AnswerSettings answers = {};      ///< Of kSpans; the count is from n_best.
    std::string attention_file = {};  ///< Empty: none.  Requires: the encoder keeps attention.
    std::function<void(std::uint64_t)> after_lines = {};  ///< With the number written so far.
  };
  struct Parts {
    SentenceEncoder& encoder;
    const model::Config& config;
    const text::Vocabulary& vocabulary;
    base::OutputFile& out;
  };
  /// The parts must outlive the object.  Throws Error if the vocabulary lacks a special token.
  LineEncoder(const Parts& parts, const Settings& settings);

  /// Encodes the lines of `in`.  Throws Error naming file and line if one is too long or has more
  /// than two segments, or for kSpans only one; the lines before are written.
  void read(base::LineReader& in);
  /// Call after the last input.
  void finish();
  const LineCodec& inputs() const { return inputs_; }
  /// Of kFilled: lines with tokens, but without [MASK].
  struct Unmasked {
    std::uint64_t count = 0;
    std::string first = {};  ///< "file:line"
  };
  const Unmasked& unmasked() const { return unmasked_; }

 private:
  /// A line in progress: its segments of tokens as text.
  struct Line {
    std::vector<std::vector<std::string>> segments;
  };
  static bool is_empty(const Line& line);
  void put(std::string_view text, const base::LineReader& in);
  void flush();
  /// The tokens of a line as the model reads them.
  std::vector<std::string> tokens_of(const Line& line, const data::EncoderLine& ids) const;
  data::EncoderLine encoder_line(std::span<const std::uint32_t> ids) const;
  std::string filled(const Line& line, const data::EncoderLine& ids,
                     std::span<const Candidate> candidates) const;
  std::string answered(const Line& line, const data::EncoderLine& ids,
                       std::span<const float> span_ends) const;
  std::string labeled(std::span<const Candidate> candidates) const;
  /// "NAME P NAME P"
  std::string ranked(std::span<const Candidate> candidates) const;
  std::string_view name_of(std::uint32_t id) const;

  Parts parts_;
  Settings settings_;
  data::EncoderIds special_;
  LineCodec inputs_;
  Unmasked unmasked_;
  std::optional<store::NpyWriter> npy_;
  std::optional<base::OutputFile> attention_;
  std::vector<Line> lines_;
  std::vector<data::EncoderLine> encoder_lines_;
  std::size_t tokens_ = 0;  // of the lines in progress
  std::uint64_t written_ = 0;
};

}  // namespace awend::decode
