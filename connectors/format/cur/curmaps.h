// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectors/format/cur/curcolumns.h"

#include <string>
#include <string_view>
#include <unordered_map>

// The maps of CUR 2.0, which files have as JSON, and the columns of the older report that hold the same.
namespace gpuledger::cur {

// The name of a tag with the prefix that AWS's bills use: "user_team", as maps and tables have it, is "user:team".
std::string tagName(std::string_view written);

std::string quotedJson(std::string_view text); // invalid UTF-8 is replaced

// What is read of the map `product`.
struct ProductFacts {
    std::string name, instanceType, region, purchaseOption;
};

// Reads maps, most of which repeat each other, and keeps some of the last ones. One thread.
class CurMaps {
public:
    static constexpr std::size_t kMostKept = 512; // maps of each kind; then they are forgotten
    static constexpr std::size_t kMostKeptBytes = 4096; // longer maps are not kept

    // Empty if the text is no map. Valid until the next call.
    const ProductFacts &product(std::string_view map);
    // The map with the names of tags; the text itself if it is no map. Valid until the next call.
    const std::string &tags(std::string_view map);

private:
    std::unordered_map<std::string, ProductFacts> m_products;
    std::unordered_map<std::string, std::string> m_tags;
    ProductFacts m_product;
    std::string m_text;
};

// A JSON object of the columns that have a value; empty: none has. `more`: an object whose members come first.
std::string objectOf(const format::TextRow &row, const std::vector<CurColumns::Named> &columns,
                     std::string_view more = {});

} // namespace gpuledger::cur
