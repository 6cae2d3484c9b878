// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/config/configedit.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Where and how a source is written into the text of a configuration; private to config*.cpp.
namespace gpuledger::services {

struct SourcePlace {
    enum class Form {
        Block, // an item of a list with dashes
        Flow, // an item of a list in brackets
        List, // the list itself is missing
        File, // nothing is there yet
    };
    Form form = Form::Block;
    std::size_t offset = 0; // into the text
    std::size_t indent = 2; // column of the dash
    bool first = false; // of its list
};

// Nothing where the list is written in a way that is not understood.
std::optional<SourcePlace> placeForSource(std::string_view text);
// What goes there; `lineEnd` is that of the text.
std::string writtenSource(const NewSource &source, const SourcePlace &place, std::string_view lineEnd);
std::string_view lineEndOf(std::string_view text);
// A text as a YAML scalar: plain where every reader takes it for a text, else in double quotes.
std::string writtenScalar(std::string_view text);
std::string writtenFlowMap(const NewSource::Parts &parts);
std::string writtenFlowList(const std::vector<std::string> &items);
std::vector<std::size_t> lineStarts(std::string_view text);
// Past the last line of a list with dashes in `indent`, which begins in line `first`, with the comments that belong to
// it.
std::size_t endOfBlock(std::string_view text, const std::vector<std::size_t> &starts, std::size_t first,
                       std::size_t indent);
// The offset of the bracket that closes the one at `at`.
std::optional<std::size_t> closingBracket(std::string_view text, std::size_t at);
// True when `after` means the same as `before` but for one more source, the last one.
bool onlyAddsSource(std::string_view before, std::string_view after);
// True when everything but the list `key` means the same in both.
bool sameBut(std::string_view key, std::string_view before, std::string_view after);

// The settings that `text` stands for. Fails with InvalidConfig, all problems in one text.
base::Result<model::Settings> settingsOf(std::string_view text, const std::filesystem::path &file,
                                         const ports::SourceKinds &kinds);
// `what` is written in a way that can't be changed without changing the rest.
tl::unexpected<base::Error> notUnderstood(const std::filesystem::path &file, const std::string &what);
// `what` is another one than it was when the change was made.
tl::unexpected<base::Error> otherMeanwhile(const std::filesystem::path &file, const std::string &what);

// One step of the way to a value: a key of a map, or a position in a list.
struct ConfigStep {
    std::string key; // empty: `index` counts
    std::size_t index = 0;
};
// `text` with the value at the end of the way, which is a key of a map, set to `value` (as it is written in YAML), or
// without that key. Nothing where the text is written in a way that is not understood. The bytes of all other values
// and all comments stay, but for a comment behind what is removed.
std::optional<std::string> withValue(std::string_view text, const std::vector<ConfigStep> &way,
                                     const std::optional<std::string> &value);
// The same for a way of keys, of which some may be missing: their maps are made.
std::optional<std::string> withKeys(std::string_view text, const std::vector<std::string> &keys,
                                    const std::string &value);

// `text` with the elements of the list `key` in another order: a position among the old ones, whose text goes along
// with the comment lines above it, or a new element (as it is written in YAML, on one line). Comment lines above a
// removed element stay. Nothing where the list is written in a way that is not understood.
struct ListItem {
    std::optional<std::size_t> old;
    std::string written; // in the place of the old text, where both are given
};
std::optional<std::string> withList(std::string_view text, std::string_view key, const std::vector<ListItem> &items);

// The absolute folder of a configuration file, from which its relative paths count.
inline std::filesystem::path folderOf(const std::filesystem::path &file)
{
    std::error_code ec;
    return std::filesystem::absolute(file, ec).parent_path();
}

} // namespace gpuledger::services
