// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/budgets/budgetfilter.h"

#include "app/base/text/text.h"
#include "connectors/azure/azurelogin.h"
#include "connectors/format/json.h"

#include <vector>

namespace gpuledger::azure {

using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestValue = 200; // bytes of a name or a value of a filter
constexpr std::size_t kLongestFilter = 1000; // bytes of its words
constexpr const char *kUnreadFilter = "a filter that can't be read";

std::string joinedBy(const char *between, const std::vector<std::string> &parts)
{
    std::string out;
    for (const std::string &part : parts)
        out += (out.empty() ? "" : between) + part;
    return out;
}

// {"name":"ResourceGroupName","operator":"In","values":["rg1","rg2"]}
std::string comparisonWords(const char *kind, const Json &comparison)
{
    const std::string name = base::printableLine(format::textOf(comparison, "name"), kLongestValue);
    const std::string how = base::printableLine(format::textOf(comparison, "operator"), kLongestValue);
    const Json &values = format::memberOf(comparison, "values");
    if (name.empty() || !values.is_array())
        return kUnreadFilter;
    std::vector<std::string> texts;
    for (const Json &one : values) {
        if (!one.is_string())
            return kUnreadFilter;
        texts.push_back(base::printableLine(one.get<std::string>(), kLongestValue));
    }
    const bool isIn = how.empty() || lowerCase(how) == "in";
    return kind + name + (isIn ? "" : ' ' + how) + ": " + joinedBy(", ", texts);
}

std::string partWords(const Json &filter);

std::string listWords(const char *between, const Json &members)
{
    if (!members.is_array())
        return kUnreadFilter;
    std::vector<std::string> parts;
    for (const Json &one : members)
        parts.push_back(partWords(one));
    return joinedBy(between, parts);
}

// At most as deep as format::kMaxJsonDepth.
std::string partWords(const Json &filter)
{
    if (!filter.is_object() || filter.empty())
        return kUnreadFilter;
    std::vector<std::string> parts;
    for (const auto &[key, member] : filter.items()) {
        if (member.is_null()) // the service writes members that are not set
            continue;
        if (key == "dimensions")
            parts.push_back(comparisonWords("", member));
        else if (key == "tags")
            parts.push_back(comparisonWords("tag ", member));
        else if (key == "and")
            parts.push_back(listWords("; ", member));
        else if (key == "or")
            parts.push_back('(' + listWords(" or ", member) + ')');
        else if (key == "not")
            parts.push_back("not (" + partWords(member) + ')');
        else
            parts.emplace_back(kUnreadFilter);
    }
    return joinedBy("; ", parts);
}

// {}, or nothing but members that are not set.
bool isNoFilter(const Json &filter)
{
    if (!filter.is_object())
        return filter.is_null();
    for (const Json &member : filter) {
        if (!member.is_null())
            return false;
    }
    return true;
}

} // namespace

std::string filterWords(const Json &filter)
{
    if (isNoFilter(filter))
        return {};
    const std::string words = base::printableLine(partWords(filter), kLongestFilter);
    return words.empty() ? kUnreadFilter : words;
}

} // namespace gpuledger::azure
