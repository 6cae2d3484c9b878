// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/focusvalues.h"

#include "connectors/format/json.h"

#include <algorithm>

namespace gpuledger::focus {

namespace {

constexpr std::size_t kDateLength = 10; // YYYY-MM-DD

bool hasZone(std::string_view text)
{
    return text.back() == 'Z' || text.back() == 'z' || text.find_first_of("+-", kDateLength) != std::string_view::npos;
}

std::string valueText(const nlohmann::json &value)
{
    if (value.is_null())
        return {};
    if (value.is_string())
        return value.get<std::string>();
    return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

const nlohmann::json *member(const nlohmann::json &object, std::initializer_list<const char *> names)
{
    for (const char *name : names) {
        const auto it = object.find(name);
        if (it != object.end())
            return &*it;
    }
    return nullptr;
}

void put(BillTags &out, std::string_view key, const nlohmann::json &value)
{
    const std::string_view bare = withoutBlanks(key);
    out.keyBlanks = out.keyBlanks || bare.size() != key.size();
    if (!bare.empty())
        out.tags.emplace(bare, valueText(value));
}

bool putPairs(BillTags &out, const nlohmann::json &list)
{
    for (const nlohmann::json &pair : list) {
        const nlohmann::json *key = pair.is_object() ? member(pair, {"Key", "key"}) : nullptr;
        const nlohmann::json *value = pair.is_object() ? member(pair, {"Value", "value"}) : nullptr;
        if (!key || !key->is_string())
            return false;
        put(out, key->get_ref<const std::string &>(), value ? *value : nlohmann::json());
    }
    return true;
}

void putMembers(BillTags &out, const nlohmann::json &object)
{
    // Keys without blanks come first, so that their value is the one kept.
    for (const bool blanks : {false, true}) {
        for (const auto &[key, value] : object.items()) {
            if ((withoutBlanks(key).size() != key.size()) == blanks)
                put(out, key, value);
        }
    }
}

} // namespace

std::string lowerCase(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

std::optional<BillTime> readTime(std::string_view text)
{
    static constexpr std::string_view kUtcWord = " UTC";
    if (text.size() < kDateLength)
        return std::nullopt;
    BillTime out;
    std::string spelled(text);
    if (text.ends_with(kUtcWord))
        spelled.replace(text.size() - kUtcWord.size(), std::string::npos, "Z");
    out.hadZone = hasZone(spelled);
    if (!out.hadZone && spelled.size() > kDateLength)
        spelled += 'Z';
    const auto time = base::parseTime(spelled);
    if (!time)
        return std::nullopt;
    const std::size_t dot = spelled.find('.');
    const bool up = dot != std::string::npos && spelled[dot + 1] >= '5';
    out.time = *time + base::Seconds{up ? 1 : 0};
    return out;
}

std::optional<BillTags> readTags(std::string_view text)
{
    BillTags out;
    text = withoutBlanks(text);
    out.withoutBraces = text.starts_with('"');
    const std::string wrapped = out.withoutBraces ? '{' + std::string(text) + '}' : std::string();
    const auto json = format::parseJson(out.withoutBraces ? std::string_view(wrapped) : text);
    if (!json)
        return std::nullopt;
    if (json->is_object())
        putMembers(out, *json);
    else if (!json->is_array() || !putPairs(out, *json))
        return std::nullopt;
    return out;
}

} // namespace gpuledger::focus
