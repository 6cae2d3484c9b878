// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/services/configedit.h"

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
std::vector<std::size_t> lineStarts(std::string_view text);
// Past the last line of a list with dashes in `indent`, which begins in line `first`, with the comments that belong to
// it.
std::size_t endOfBlock(std::string_view text, const std::vector<std::size_t> &starts, std::size_t first,
                       std::size_t indent);
// The offset of the bracket that closes the one at `at`.
std::optional<std::size_t> closingBracket(std::string_view text, std::size_t at);
// True when `after` means the same as `before` but for one more source, the last one.
bool onlyAddsSource(std::string_view before, std::string_view after);

} // namespace gpuledger::services
