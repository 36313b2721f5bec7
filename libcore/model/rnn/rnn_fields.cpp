#include "model/rnn/rnn_fields.hpp"

#include "base/error.hpp"

namespace awend::model {
namespace {

using base::DefaultFrom;
using base::integer_field;
using base::Stored;
using base::word_field;

constexpr base::Word<nn::Cell> kCells[] = {{nn::Cell::kLstm, "lstm"}, {nn::Cell::kGru, "gru"}};
constexpr base::Word<Bidirectional> kDirections[] = {
    {Bidirectional::kNone, "none"}, {Bidirectional::kFirst, "first"}, {Bidirectional::kAll, "all"}};
constexpr base::Word<RnnAttention> kRnnAttentions[] = {{RnnAttention::kNone, "none"},
                                                       {RnnAttention::kAdditive, "additive"},
                                                       {RnnAttention::kDot, "dot"},
                                                       {RnnAttention::kGeneral, "general"}};
constexpr base::Word<Bridge> kBridges[] = {{Bridge::kDense, "dense"},
                                           {Bridge::kReverse, "reverse"},
                                           {Bridge::kCopy, "copy"},
                                           {Bridge::kMean, "mean"}};
constexpr base::Word<AttentionSpan> kSpans[] = {{AttentionSpan::kGlobal, "global"},
                                                {AttentionSpan::kMonotonic, "monotonic"},
                                                {AttentionSpan::kPredictive, "predictive"}};
constexpr base::Word<SourceOrder> kSourceOrders[] = {{SourceOrder::kForward, "forward"},
                                                     {SourceOrder::kReversed, "reversed"}};
constexpr base::Word<Readout> kReadouts[] = {{Readout::kTanh, "tanh"},
                                             {Readout::kMaxout, "maxout"}};

constexpr std::string_view kRecurrent = "Recurrent model (defaults depend on the preset)";

// Each token of the longest sentence is a step with launches of its own, which are recorded even if
// no sentence of a batch is that long.
constexpr std::uint32_t kMaxSteps = 1024;

constexpr base::Field<Config> kRnnFields[] = {
    word_field<kCells, &Config::rnn, &RnnConfig::cell>({.name = "cell",
                                                        .metavar = "KIND",
                                                        .group = kRecurrent,
                                                        .help = "recurrent cell",
                                                        .default_from = DefaultFrom::kPreset}),
    integer_field<&Config::rnn, &RnnConfig::d_embedding>({.name = "d-embedding",
                                                          .group = kRecurrent,
                                                          .help = "dimension of embeddings",
                                                          .default_from = DefaultFrom::kPreset},
                                                         kWidth),
    integer_field<&Config::rnn, &RnnConfig::d_attention>(
        {.name = "d-attention",
         .group = kRecurrent,
         .help = "inner dimension of additive attention",
         .default_from = DefaultFrom::kPreset},
        kWidth),
    word_field<kDirections, &Config::rnn, &RnnConfig::bidirectional>(
        {.name = "bidirectional",
         .metavar = "WHICH",
         .group = kRecurrent,
         .help = "bidirectional encoder layers",
         .default_from = DefaultFrom::kPreset}),
    word_field<kRnnAttentions, &Config::rnn, &RnnConfig::attention>(
        {.name = "attention",
         .metavar = "KIND",
         .group = kRecurrent,
         .help = "attention score",
         .default_from = DefaultFrom::kPreset}),
    word_field<kSwitchWords, &Config::rnn, &RnnConfig::input_feeding>(
        {.name = "input-feeding",
         .metavar = "SWITCH",
         .group = kRecurrent,
         .help = "attentional state as an input of the next step",
         .default_from = DefaultFrom::kPreset}),
    word_field<kSwitchWords, &Config::rnn, &RnnConfig::residual>(
        {.name = "residual",
         .metavar = "SWITCH",
         .group = kRecurrent,
         .help = "residual connections between layers",
         .default_from = DefaultFrom::kPreset}),
    word_field<kBridges, &Config::rnn, &RnnConfig::bridge>({.name = "bridge",
                                                            .metavar = "KIND",
                                                            .group = kRecurrent,
                                                            .help = "initial state of the decoder",
                                                            .default_from = DefaultFrom::kPreset}),
    word_field<kSwitchWords, &Config::rnn, &RnnConfig::variational_dropout>(
        {.name = "variational-dropout",
         .metavar = "SWITCH",
         .group = kRegularization,
         .help = "one dropout mask for all steps of a sentence",
         .default_from = DefaultFrom::kPreset}),
    word_field<kSpans, &Config::rnn, &RnnConfig::attention_span>(
        {.name = "attention-span",
         .metavar = "SPAN",
         .group = kRecurrent,
         .help = "tokens of the source that attention reaches",
         .stored = Stored::kUnlessDefault}),
    integer_field<&Config::rnn, &RnnConfig::local_window>(
        {.name = "local-window",
         .group = kRecurrent,
         .help = "tokens on each side of the position of local attention",
         .stored = Stored::kUnlessDefault},
        {.min = 1, .max = kMaxSteps}),
    word_field<kSourceOrders, &Config::rnn, &RnnConfig::source_order>(
        {.name = "source-order",
         .metavar = "ORDER",
         .group = kRecurrent,
         .help = "order in which the source is read",
         .default_from = DefaultFrom::kPreset,
         .stored = Stored::kUnlessDefault}),
    word_field<kSwitchWords, &Config::rnn, &RnnConfig::context_feeding>(
        {.name = "context-feeding",
         .metavar = "SWITCH",
         .group = kRecurrent,
         .help = "summary of the source as an input of each step",
         .default_from = DefaultFrom::kPreset,
         .stored = Stored::kUnlessDefault}),
    word_field<kReadouts, &Config::rnn, &RnnConfig::readout>(
        {.name = "readout",
         .metavar = "KIND",
         .group = kRecurrent,
         .help = "last function before the projection",
         .default_from = DefaultFrom::kPreset,
         .stored = Stored::kUnlessDefault}),
    word_field<kSwitchWords, &Config::rnn, &RnnConfig::conditional_cell>(
        {.name = "conditional-cell",
         .metavar = "SWITCH",
         .group = kRecurrent,
         .help = "second cell in each step, which reads the attended outputs",
         .stored = Stored::kUnlessDefault}),
    integer_field<&Config::rnn, &RnnConfig::d_readout>(
        {.name = "d-readout",
         .group = kRecurrent,
         .help = "dimension of the output before the projection; 0 = d-model",
         .default_from = DefaultFrom::kPreset,
         .stored = Stored::kUnlessDefault},
        kOptionalWidth),
    // The option of the Transformer.
    word_field<kTieWords, &Config::rnn, &RnnConfig::tie>({.name = "tie",
                                                          .metavar = "WHICH",
                                                          .group = kRecurrent,
                                                          .help = "weight tying",
                                                          .default_from = DefaultFrom::kPreset,
                                                          .stored = Stored::kUnlessDefault}),
};

Config base_preset() {
  Config config;
  config.architecture = "rnn";
  config.max_positions = 256;
  config.encoder_layers = config.decoder_layers = 1;
  config.d_model = config.rnn.d_embedding = config.rnn.d_attention = 1000;
  config.dropout = 0;
  config.label_smoothing = 0;
  return config;
}

}  // namespace

std::span<const base::Field<Config>> rnn_fields() {
  return kRnnFields;
}

void require_consistent_rnn(const Config& config) {
  const auto& rnn = config.rnn;
  if (config.max_positions > kMaxSteps)
    base::fail("max-positions must be at most ", kMaxSteps, ", got ", config.max_positions);
  const bool attends_after =
      rnn.attention == RnnAttention::kDot || rnn.attention == RnnAttention::kGeneral;
  if (rnn.input_feeding == Switch::kOn && !attends_after)
    base::fail("input-feeding needs attention dot or general");
  if (rnn.attention_span != AttentionSpan::kGlobal && !attends_after) {
    base::fail("attention-span ", base::word_for(kSpans, rnn.attention_span),
               " needs attention dot or general");
  }
  if (rnn.conditional_cell == Switch::kOn && rnn.attention != RnnAttention::kAdditive)
    base::fail("conditional-cell needs attention additive");
  if (rnn.context_feeding == Switch::kOn && rnn.attention != RnnAttention::kNone)
    base::fail("context-feeding needs attention none");
  if (rnn.context_feeding == Switch::kOn && rnn.bridge == Bridge::kCopy)
    base::fail("context-feeding needs bridge dense or mean");
  const bool can_change_readout = has_readout(config) && rnn.input_feeding == Switch::kOff;
  const std::string_view readout_needs =
      " needs attention without input-feeding, or context-feeding";
  if (rnn.d_readout != 0 && !can_change_readout) base::fail("d-readout", readout_needs);
  if (rnn.readout == Readout::kMaxout && !can_change_readout)
    base::fail("readout maxout", readout_needs);
  if (ties_projection(rnn.tie) && readout_columns(config) != rnn.d_embedding) {
    base::fail("tie ", base::word_for(kTieWords, rnn.tie), " needs an output of d-embedding ",
               rnn.d_embedding, ", but it has ", readout_columns(config), "; use d-readout");
  }
  if (rnn.bridge == Bridge::kCopy && rnn.bidirectional != Bidirectional::kNone)
    base::fail("bridge copy needs bidirectional none");
  if (rnn.bridge == Bridge::kCopy && config.encoder_layers != config.decoder_layers) {
    base::fail("bridge copy needs as many decoder-layers as encoder-layers, got ",
               config.decoder_layers, " and ", config.encoder_layers);
  }
  const bool is_wide = rnn.bidirectional == Bidirectional::kAll ||
                       (rnn.bidirectional == Bidirectional::kFirst && config.encoder_layers == 1);
  // Otherwise nothing reads the top layer's other direction.
  if (rnn.bridge == Bridge::kReverse && (!is_wide || rnn.attention == RnnAttention::kNone))
    base::fail("bridge reverse needs attention and a bidirectional top layer of the encoder");
  if (rnn.attention == RnnAttention::kDot && is_wide)
    base::fail("attention dot needs encoder outputs of d-model ", config.d_model,
               ", but both directions have ", 2 * config.d_model, "; use general");
}

Config rnn_preset(std::string_view name) {
  Config config = base_preset();
  auto& rnn = config.rnn;
  if (name == "cho" || name == "bahdanau") {
    rnn.readout = Readout::kMaxout;
    rnn.d_readout = 500;
    rnn.d_embedding = name == "cho" ? 100 : 620;
    rnn.bridge = Bridge::kReverse;
    if (name == "bahdanau") return config;
    rnn.attention = RnnAttention::kNone;
    rnn.bidirectional = Bidirectional::kNone;
    rnn.bridge = Bridge::kDense;
    rnn.context_feeding = Switch::kOn;
    return config;
  }
  if (name == "rnn-small" || name == "rnn-tiny") {
    config.d_model = rnn.d_embedding = rnn.d_attention = name == "rnn-tiny" ? 128 : 256;
    config.dropout = 0.3;
    config.label_smoothing = 0.1;
    return config;
  }
  rnn.cell = nn::Cell::kLstm;
  if (name == "gnmt") {
    config.d_model = rnn.d_embedding = rnn.d_attention = 1024;
    config.encoder_layers = config.decoder_layers = 8;
    rnn.bidirectional = Bidirectional::kFirst;
    rnn.residual = Switch::kOn;
    config.dropout = 0.2;
    return config;
  }
  config.encoder_layers = config.decoder_layers = 4;
  rnn.bidirectional = Bidirectional::kNone;
  rnn.bridge = Bridge::kCopy;
  rnn.attention = RnnAttention::kNone;
  rnn.source_order = SourceOrder::kReversed;
  if (name == "luong") {
    rnn.attention = RnnAttention::kGeneral;
    rnn.input_feeding = Switch::kOn;
    config.dropout = 0.2;
  }
  return config;
}

}  // namespace awend::model
