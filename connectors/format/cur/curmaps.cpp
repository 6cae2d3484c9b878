// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/cur/curmaps.h"

#include "connectors/format/json.h"

namespace gpuledger::cur {

namespace {

using Json = nlohmann::json;

// The members of an object, or of a list of {key, value}, as some writers of Parquet make of a map.
template <typename Take> bool eachMember(const Json &map, const Take &take)
{
    if (map.is_object()) {
        for (const auto &[key, value] : map.items())
            take(key, value);
        return true;
    }
    if (!map.is_array())
        return false;
    for (const Json &pair : map) {
        if (!pair.is_object() || format::textOf(pair, "key").empty())
            return false;
        take(format::textOf(pair, "key"), format::memberOf(pair, "value"));
    }
    return true;
}

ProductFacts productOf(std::string_view map)
{
    ProductFacts out;
    const auto json = format::parseJson(map);
    if (!json)
        return out;
    eachMember(*json, [&](const std::string &key, const Json &value) {
        if (!value.is_string())
            return;
        std::string *to = key == "product_name" ? &out.name
            : key == "instance_type"            ? &out.instanceType
            : key == "region"                   ? &out.region
            : key == "purchase_option"          ? &out.purchaseOption
                                                : nullptr;
        if (to)
            *to = value.get<std::string>();
    });
    return out;
}

std::string tagsOf(std::string_view map)
{
    const auto json = format::parseJson(map);
    Json out = Json::object();
    const bool isMap = json && eachMember(*json, [&](const std::string &key, const Json &value) {
                           out.emplace(tagName(key), value); // of equal names the first is kept
                       });
    return isMap ? out.dump(-1, ' ', false, Json::error_handler_t::replace) : std::string(map);
}

// What `make` made of the text, from `kept` if it is there.
template <typename Value, typename Make>
const Value &remembered(std::unordered_map<std::string, Value> &kept, Value &last, std::string_view text,
                        const Make &make)
{
    if (text.size() > CurMaps::kMostKeptBytes) {
        last = make(text);
        return last;
    }
    std::string key(text);
    if (const auto known = kept.find(key); known != kept.end())
        return known->second;
    if (kept.size() >= CurMaps::kMostKept)
        kept.clear();
    return kept.emplace(std::move(key), make(text)).first->second;
}

} // namespace

std::string tagName(std::string_view written)
{
    constexpr std::string_view kOfTables = "user_";
    if (written.starts_with(kOfTables) && written.size() > kOfTables.size())
        return "user:" + std::string(written.substr(kOfTables.size()));
    return std::string(written);
}

std::string quotedJson(std::string_view text)
{
    return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

const ProductFacts &CurMaps::product(std::string_view map)
{
    return remembered(m_products, m_product, map, productOf);
}

const std::string &CurMaps::tags(std::string_view map)
{
    return remembered(m_tags, m_text, map, tagsOf);
}

std::string objectOf(const format::TextRow &row, const std::vector<CurColumns::Named> &columns, std::string_view more)
{
    std::string members;
    if (more.starts_with('{') && more.ends_with('}') && more.size() > 2)
        members = more.substr(1, more.size() - 2);
    else if (!more.empty() && more != "{}")
        return std::string(more); // no object: the bill's own text says most
    for (const CurColumns::Named &column : columns) {
        const std::string_view value = cellOf(row, column.field);
        if (!value.empty())
            members += (members.empty() ? "" : ",") + quotedJson(column.name) + ':' + quotedJson(value);
    }
    return members.empty() ? std::string() : '{' + members + '}';
}

} // namespace gpuledger::cur
