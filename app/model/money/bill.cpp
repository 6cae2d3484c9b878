// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/money/bill.h"

#include <algorithm>
#include <array>

namespace gpuledger::model {

namespace {

using namespace std::string_view_literals;

// The FOCUS terms of each enumeration, indexed by its values.
constexpr std::array kChargeCategories{"Usage"sv, "Purchase"sv, "Tax"sv, "Credit"sv, "Adjustment"sv};
constexpr std::array kChargeClasses{""sv, "Correction"sv};
constexpr std::array kFrequencies{""sv, "One-Time"sv, "Recurring"sv, "Usage-Based"sv};
constexpr std::array kPricing{""sv, "Standard"sv, "Dynamic"sv, "Committed"sv, "Other"sv};
constexpr std::array kCommitments{""sv, "Spend"sv, "Usage"sv};
constexpr std::array kStatus{""sv, "Used"sv, "Unused"sv};

constexpr const auto &wordsOf(ChargeCategory)
{
    return kChargeCategories;
}
constexpr const auto &wordsOf(ChargeClass)
{
    return kChargeClasses;
}
constexpr const auto &wordsOf(ChargeFrequency)
{
    return kFrequencies;
}
constexpr const auto &wordsOf(PricingCategory)
{
    return kPricing;
}
constexpr const auto &wordsOf(CommitmentCategory)
{
    return kCommitments;
}
constexpr const auto &wordsOf(UseStatus)
{
    return kStatus;
}

constexpr char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool sameWord(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

template <typename Word> std::string_view word(Word value)
{
    const auto &words = wordsOf(value);
    const auto i = static_cast<std::size_t>(value);
    return i < words.size() ? words[i] : std::string_view();
}

} // namespace

std::string_view toString(ChargeCategory value)
{
    return word(value);
}

std::string_view toString(ChargeClass value)
{
    return word(value);
}

std::string_view toString(ChargeFrequency value)
{
    return word(value);
}

std::string_view toString(PricingCategory value)
{
    return word(value);
}

std::string_view toString(CommitmentCategory value)
{
    return word(value);
}

std::string_view toString(UseStatus value)
{
    return word(value);
}

template <typename Word> std::optional<Word> billWord(std::string_view text)
{
    const auto &words = wordsOf(Word{});
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (!words[i].empty() && sameWord(words[i], text))
            return static_cast<Word>(i);
    }
    return std::nullopt;
}

template std::optional<ChargeCategory> billWord<ChargeCategory>(std::string_view);
template std::optional<ChargeClass> billWord<ChargeClass>(std::string_view);
template std::optional<ChargeFrequency> billWord<ChargeFrequency>(std::string_view);
template std::optional<PricingCategory> billWord<PricingCategory>(std::string_view);
template std::optional<CommitmentCategory> billWord<CommitmentCategory>(std::string_view);
template std::optional<UseStatus> billWord<UseStatus>(std::string_view);

} // namespace gpuledger::model
