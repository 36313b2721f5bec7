// What the readers of Transformers have in common.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "interchange/converted_model.hpp"
#include "interchange/export.hpp"
#include "interchange/token_list.hpp"

namespace awend::interchange {

/// Sets d_k and d_v, which are d_model / heads in most toolkits.
void set_head_sizes(model::Config& config);

struct SideSizes {
  std::uint32_t heads, d_ff;
};
/// Sets the heads and d_ff of both sides, and d_k and d_v as above.
void set_sizes(model::Config& config, const SideSizes& encoder, const SideSizes& decoder);

/// Throws Error "LIST has N tokens, but the model has M".
void require_size(std::string_view list, std::size_t tokens, std::uint32_t expected);

/// Gives the model one vocabulary, or two if the lists differ.
void set_vocabularies(ConvertedModel& model, const TokenList& source, const TokenList& target);

/// Throws Inexpressible "WHAT for FORMAT" unless the format has it.
void require_expressible(bool has, std::string_view what, std::string_view format);

/// Throws Inexpressible "SETTING must be … for FORMAT, not VALUE" unless the format has the
/// setting, with which `what` begins.  Without the value if that is not the name of one setting.
void require_setting(bool has, std::string_view what, std::string_view format,
                     const model::Config& config);

/// Throws Inexpressible "models of architecture … cannot be converted for FORMAT" for another
/// architecture, and if attention is restricted, which no format expresses.
void require_transformer(const model::Config& config, std::string_view format);

/// Throws as require_setting() unless the layers are those of the paper but for biases of
/// attention: layer normalization, a feed-forward network with biases and without a gate, and the
/// usual factors.  Formats of before 2020 express nothing else.
void require_plain_layers(const model::Config& config, std::string_view format);

/// `part` without `end`, if it ends so.
std::optional<std::string> without_end(std::string_view part, std::string_view end);

}  // namespace awend::interchange
