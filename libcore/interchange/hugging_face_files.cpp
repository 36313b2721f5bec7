#include "interchange/hugging_face_files.hpp"

#include "base/error.hpp"
#include "store/header.hpp"
#include "store/torch_file.hpp"

namespace awend::interchange {
namespace {

store::StridedArrays arrays_of(const store::Header& header) {
  store::StridedArrays arrays;
  for (const auto& array : header.arrays)
    arrays.emplace(array.name, store::StridedArray{array.type, array.shape, {}, array.bytes});
  return arrays;
}

}  // namespace

nn::Activation activation_in(ForeignSettings& settings, std::string_view name) {
  const auto value = settings.text(name);
  if (value == "relu") return nn::Activation::kRelu;
  if (value == "swish" || value == "silu") return nn::Activation::kSwish;
  if (value == "gelu") return nn::Activation::kGelu;
  base::fail("setting '", name, "': '", value, "' is not supported");
}

void ignore_common_settings(ForeignSettings& settings) {
  settings.ignore({"_*",
                   "bos_token_id",
                   "chunk_size_feed_forward",
                   "cross_attention_hidden_size",
                   "dtype",
                   "eos_token_id",
                   "exponential_decay_length_penalty",
                   "finetuning_task",
                   "gradient_checkpointing",
                   "output_attentions",
                   "output_hidden_states",
                   "prefix",
                   "remove_invalid_values",
                   "return_dict",
                   "return_dict_in_generate",
                   "sep_token_id",
                   "task_specific_params",
                   "tf_legacy_loss",
                   "tokenizer_class",
                   "torch_dtype",
                   "torchscript",
                   "transformers_version",
                   "use_bfloat16",
                   "use_cache"});
}

void read_arrays(ModelFiles& files, const std::string& name,
                 const std::function<void(store::StridedArrays)>& read) {
  with_name(files.path_of(name), [&] {
    const auto bytes = files.bytes(name);
    if (store::TorchFile::looks_like_torch(bytes)) {
      const store::TorchFile file(bytes);
      read(file.tensors(file.pickle().root()));
    } else {
      read(arrays_of(store::read_header(bytes)));
    }
  });
}

}  // namespace awend::interchange
