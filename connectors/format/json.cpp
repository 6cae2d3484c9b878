// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/json.h"

namespace gpuledger::format {

namespace {

bool tooDeep(std::string_view text)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxJsonDepth)
                return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

} // namespace

base::Result<nlohmann::json> parseJson(std::string_view text)
{
    if (tooDeep(text))
        return base::fail(base::ErrorCode::Parse, "the response is nested more than 64 levels deep");
    nlohmann::json value = nlohmann::json::parse(text, nullptr, false);
    if (value.is_discarded())
        return base::fail(base::ErrorCode::Parse, "the response is not complete JSON");
    return value;
}

std::string textOf(const nlohmann::json &object, const char *key)
{
    if (!object.is_object())
        return {};
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
}

const nlohmann::json &memberOf(const nlohmann::json &object, const char *key)
{
    static const nlohmann::json kNone;
    if (!object.is_object())
        return kNone;
    const auto at = object.find(key);
    return at == object.end() ? kNone : *at;
}

} // namespace gpuledger::format
