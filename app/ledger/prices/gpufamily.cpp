// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/prices/gpufamily.h"

#include "app/ledger/prices/pricerules.h"

#include <algorithm>
#include <array>

namespace gpuledger::ledger {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isWordChar(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z');
}

// "xlarge", "24xlarge", "large", "metal", "metal-24xl"
bool isAwsSize(std::string_view size)
{
    const std::size_t word = std::min(size.find_first_not_of("0123456789"), size.size());
    const std::string_view name = size.substr(word);
    return name == "xlarge" || (word == 0 && (name == "large" || name == "medium" || name.starts_with("metal")));
}

// Families without a size in their generation, such as "p5en" or "p6-b200".
bool isAwsFamily(std::string_view family)
{
    const std::size_t letters = std::min(family.find_first_of("0123456789"), family.size());
    const std::string_view kind = family.substr(0, letters);
    if (letters == family.size() || (kind != "p" && kind != "g" && kind != "gr"))
        return false;
    return std::all_of(family.begin(), family.end(), [](char c) { return isWordChar(c) || c == '-'; });
}

bool isAwsType(std::string_view type)
{
    if (type.starts_with("ml."))
        type.remove_prefix(3);
    const std::size_t dot = type.find('.');
    return dot != std::string_view::npos && isAwsFamily(type.substr(0, dot)) && isAwsSize(type.substr(dot + 1));
}

bool isGoogleType(std::string_view type)
{
    static constexpr std::array<std::string_view, 6> kFamilies{"a2-", "a3-", "a4-", "a4x-", "g2-", "g4-"};
    const bool known = std::any_of(kFamilies.begin(), kFamilies.end(),
                                   [&](std::string_view family) { return type.starts_with(family); });
    return known && isDigit(type[std::min(type.find_first_of("0123456789", 3), type.size() - 1)]);
}

bool isAzureType(std::string_view type)
{
    if (type.starts_with("standard_"))
        type.remove_prefix(9);
    static constexpr std::string_view kKinds = "cdgv";
    if (type.size() < 3 || type[0] != 'n' || kKinds.find(type[1]) == std::string_view::npos)
        return false;
    return isDigit(type[2]) || type.ends_with(" series");
}

template <typename IsType> std::string wordIn(std::string_view text, IsType isType)
{
    static constexpr std::string_view kEnds = " :/,();";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(kEnds), text.size());
        if (const std::string_view word = text.substr(0, end); isType(word))
            return std::string(word);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return {};
}

} // namespace

std::string gpuTypeIn(std::string_view cloud, std::string_view text)
{
    const std::string lower = lowerCase(text);
    if (cloud == "aws") // allowed: a cloud
        return wordIn(lower, isAwsType);
    if (cloud == "azure") // allowed: a cloud
        return isAzureType(lower) ? lower : std::string();
    if (cloud == "runpod") // allowed: a cloud
        return lower == "gpu pod" || lower == "gpu cluster" ? lower : std::string();
    if (cloud == "vast.ai") // allowed: a cloud
        return lower == "gpu instance" ? lower : std::string();
    if (cloud == "lambda") // allowed: a cloud
        return lower == "gpu instance" || lower.starts_with("gpu_") ? lower : std::string();
    if (cloud != "gcp") // allowed: a cloud
        return {};
    if (std::string type = wordIn(lower, isGoogleType); !type.empty())
        return type;
    const bool isPart = lower.find(" gpu ") != std::string::npos || lower.ends_with(" gpu");
    return isPart && (lower.starts_with("nvidia ") || lower.starts_with("amd ")) ? lower : std::string();
}

} // namespace gpuledger::ledger
