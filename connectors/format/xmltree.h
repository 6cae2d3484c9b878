// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::format {

inline constexpr int kMaxXmlDepth = 32;
inline constexpr std::size_t kMaxXmlNodes = 500'000;

// An XML answer as a tree. Value type.
struct XmlNode {
    std::string name; // without a prefix
    std::string text; // of this element alone, trimmed; UTF-8
    std::vector<XmlNode> children;

    // The child at a path such as "instanceState/code"; null if there is none.
    const XmlNode *at(std::string_view path) const;
    // Its text; "" if there is none.
    std::string textAt(std::string_view path) const;
    // The children of the element at a path, for EC2 lists (`item`); empty if there is none.
    const std::vector<XmlNode> &listAt(std::string_view path) const;
};

// Parses a whole document with QXmlStreamReader. Document types and custom entities are rejected, so that nothing is
// expanded or fetched. Fails with Parse (not well-formed, incomplete, a document type, too deep, too many elements).
[[nodiscard]] base::Result<XmlNode> parseXml(std::string_view text);

} // namespace gpuledger::format
