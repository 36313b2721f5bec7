#include "interchange/shard_index.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "store/json_text.hpp"

namespace awend::interchange {

std::map<std::string, std::string, std::less<>> parse_shard_index(std::string_view json) {
  constexpr std::string_view kMap = "weight_map";
  const auto members = store::json_members(json);
  const auto found = members.find(kMap);
  if (found == members.end()) base::fail("no member '", kMap, "'");
  auto file_of = store::json_members(found->second);
  for (const auto& [array, file] : file_of) {
    // A file of the same directory.
    if (file.empty() || file.find('/') != file.npos)
      base::fail("array '", array, "': '", file, "' is not the name of a file");
  }
  return file_of;
}

std::optional<ShardIndex> shard_index_of(ModelFiles& files, std::string_view name) {
  // Of x-00001-of-00002.safetensors, x.safetensors.index.json; other tools have indices, too.
  const auto end = base::concat(name.substr(std::min(name.rfind('.'), name.size())), ".index.json");
  for (const auto& each : files.names()) {
    if (!each.ends_with(end)) continue;
    ShardIndex index{each, with_name_once(files.path_of(each),
                                          [&] { return parse_shard_index(files.text(each)); })};
    const bool is_part =
        std::ranges::any_of(index.file_of, [&](const auto& entry) { return entry.second == name; });
    if (is_part) return index;
  }
  return std::nullopt;
}

}  // namespace awend::interchange
