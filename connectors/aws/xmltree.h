// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace gpuledger::aws {

inline constexpr int kMaxXmlDepth = 32;
inline constexpr std::size_t kMaxXmlNodes = 500'000;

// An answer of EC2 or STS as a tree. Value type.
struct XmlNode {
    std::string name; // without a prefix
    std::string text; // of this element alone, trimmed; UTF-8
    std::vector<XmlNode> children;

    // The child at a path such as "instanceState/code"; null when there is none.
    const XmlNode *at(std::string_view path) const;
    // Its text; "" when there is none.
    std::string textAt(std::string_view path) const;
    // The children of the child at a path, for lists of EC2 (`item`); empty when there is none.
    const std::vector<XmlNode> &listAt(std::string_view path) const;
};

// Parses a whole document by QXmlStreamReader. A document type and entities of its own are refused, so that nothing is
// expanded or fetched. Fails with Parse (not well-formed, incomplete, a document type, too deep, too many elements).
[[nodiscard]] base::Result<XmlNode> parseXml(std::string_view text);

} // namespace gpuledger::aws
