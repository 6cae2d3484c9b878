// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/config/configedit.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Finds where to write a source into the text of a configuration, and writes it; private to config*.cpp.
namespace gpuledger::services {

struct SourcePlace {
    enum class Form {
        Block, // an item of a list with dashes
        Flow, // an item of a list in brackets
        List, // the list itself is missing
        File, // the file is empty
    };
    Form form = Form::Block;
    std::size_t offset = 0; // into the text
    std::size_t indent = 2; // column of the dash
    bool first = false; // first in its list
};

// std::nullopt if the list is written in an unsupported way.
std::optional<SourcePlace> placeForSource(std::string_view text);
// The text to insert; `lineEnd` is that of the file.
std::string writtenSource(const NewSource &source, const SourcePlace &place, std::string_view lineEnd);
std::string_view lineEndOf(std::string_view text);
// A text as a YAML scalar: plain if every parser reads it as a string, else in double quotes.
std::string writtenScalar(std::string_view text);
std::string writtenFlowMap(const NewSource::Parts &parts);
std::string writtenFlowList(const std::vector<std::string> &items);
std::vector<std::size_t> lineStarts(std::string_view text);
// The offset after the last line of a list with dashes at column `indent`, which begins in line `first`; includes the
// comments that belong to it.
std::size_t endOfBlock(std::string_view text, const std::vector<std::size_t> &starts, std::size_t first,
                       std::size_t indent);
// The offset of the bracket that closes the one at `at`.
std::optional<std::size_t> closingBracket(std::string_view text, std::size_t at);
// True if `after` means the same as `before` except for one more source at the end.
bool onlyAddsSource(std::string_view before, std::string_view after);
// True if everything except the list `key` means the same in both texts.
bool sameBut(std::string_view key, std::string_view before, std::string_view after);

// The settings in `text`. Fails with InvalidConfig, with all problems in one text.
base::Result<model::Settings> settingsOf(std::string_view text, const std::filesystem::path &file,
                                         const ports::SourceKinds &kinds);
// The error for `what` being written in a way that can't be changed without changing the rest.
tl::unexpected<base::Error> notUnderstood(const std::filesystem::path &file, const std::string &what);
// The error for `what` having changed since the edit began.
tl::unexpected<base::Error> otherMeanwhile(const std::filesystem::path &file, const std::string &what);

// One step of the path to a value: a key of a map, or a position in a list.
struct ConfigStep {
    std::string key; // empty: use `index`
    std::size_t index = 0;
};
// `text` with the value at the end of the path, which must be a key of a map, set to `value` (in YAML), or with that
// key removed. std::nullopt if the text is written in an unsupported way. All other values and all comments keep their
// bytes, except a comment behind a removed value.
std::optional<std::string> withValue(std::string_view text, const std::vector<ConfigStep> &way,
                                     const std::optional<std::string> &value);
// The same for a path of keys; missing maps are created.
std::optional<std::string> withKeys(std::string_view text, const std::vector<std::string> &keys,
                                    const std::string &value);

// `text` with the elements of the list `key` rearranged. Each element is either the position of an old one, whose text
// moves along with the comment lines above it, or a new element (in YAML, on one line). Comment lines above a removed
// element stay. std::nullopt if the list is written in an unsupported way.
struct ListItem {
    std::optional<std::size_t> old;
    std::string written; // replaces the old text if both are given
};
std::optional<std::string> withList(std::string_view text, std::string_view key, const std::vector<ListItem> &items);

// The absolute folder of a configuration file, against which its relative paths are resolved.
inline std::filesystem::path folderOf(const std::filesystem::path &file)
{
    std::error_code ec;
    return std::filesystem::absolute(file, ec).parent_path();
}

} // namespace gpuledger::services
