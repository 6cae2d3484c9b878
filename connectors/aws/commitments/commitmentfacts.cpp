// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/aws/commitments/commitmentfacts.h"

#include "app/base/text/text.h"
#include "connectors/format/numbertext.h"

#include <algorithm>
#include <array>

namespace gpuledger::aws {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr std::size_t kLongestAttribute = 512; // bytes
constexpr double kMostShare = 1.001; // AWS rounds percentages
constexpr std::array<std::string_view, 8> kWordsForNoLimit{
    "any", "all", "none", "n/a", "-", "noinstancetype", "noinstancefamily", "noregion"};

char lowerAscii(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string loweredAscii(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), lowerAscii);
    return out;
}

tl::unexpected<base::Error> unreadableCommitments(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "Cost Explorer's answer about commitments can't be read: " + what);
}

} // namespace

Result<CommitmentPage> commitmentPageOf(const std::string &body, const char *entriesKey, const char *tokenKey)
{
    auto root = format::parseWithNumbersAsText(body);
    if (!root)
        return unreadableCommitments(root.error().text);
    CommitmentPage page;
    page.entries = format::memberOf(*root, entriesKey);
    if (!page.entries.is_array())
        return unreadableCommitments(std::string("it has no ") + entriesKey);
    const Json &next = format::memberOf(*root, tokenKey);
    if (!next.is_null() && !next.is_string())
        return unreadableCommitments("it does not say where it goes on");
    page.next = format::textOf(*root, tokenKey);
    page.root = std::move(*root);
    return page;
}

CommitmentAttributes::CommitmentAttributes(const Json &attributes)
{
    if (!attributes.is_object())
        return;
    for (const auto &[key, value] : attributes.items()) {
        std::string plain = loweredAscii(key);
        std::erase(plain, '_');
        if (value.is_string())
            m_texts.try_emplace(std::move(plain),
                                base::printableLine(value.get_ref<const std::string &>(), kLongestAttribute));
    }
}

std::string CommitmentAttributes::text(std::string_view key) const
{
    const auto at = m_texts.find(key);
    if (at == m_texts.end())
        return {};
    const std::string word = loweredAscii(at->second);
    const bool isNoLimit = std::find(kWordsForNoLimit.begin(), kWordsForNoLimit.end(), word) != kWordsForNoLimit.end();
    return isNoLimit ? std::string() : at->second;
}

std::optional<base::UtcTime> CommitmentAttributes::time(std::string_view key) const
{
    const auto time = base::parseTime(text(key));
    return time ? std::optional(*time) : std::nullopt;
}

std::string joinedTerms(const std::vector<std::string> &terms)
{
    std::string out;
    for (const std::string &one : terms) {
        if (!one.empty())
            out += (out.empty() ? "" : ", ") + one;
    }
    return out;
}

CommitmentNumber CommitmentNumber::of(const std::string &text)
{
    if (text.empty())
        return {};
    const auto value = base::Decimal::parse(text);
    return value ? CommitmentNumber{true, *value} : CommitmentNumber{false, std::nullopt};
}

CommitmentNumber CommitmentNumber::of(const Json &object, const char *key)
{
    const Json &value = format::memberOf(object, key);
    if (value.is_null())
        return {};
    return value.is_string() ? of(value.get_ref<const std::string &>()) : CommitmentNumber{false, std::nullopt};
}

CommitmentNumber CommitmentNumber::amountOf(CommitmentNumber number, base::Currency currency)
{
    if (number.value && !number.value->toMoney(currency))
        return {false, std::nullopt};
    if (number.value && number.value->isNegative())
        number.value.reset();
    return number;
}

std::optional<double> commitmentShare(const CommitmentNumber &used, const CommitmentNumber &total,
                                      const CommitmentNumber &percentage)
{
    constexpr double kWhole = 100;
    double share = -1;
    if (total.value && *total.value <= base::Decimal())
        return std::nullopt; // nothing to use: AWS calls that 0 percent
    if (used.value && total.value)
        share = used.value->toDouble() / total.value->toDouble();
    else if (percentage.value)
        share = percentage.value->toDouble() / kWhole;
    if (share < 0 || share > kMostShare)
        return std::nullopt;
    return std::min(share, 1.0);
}

std::optional<CommitmentDays> commitmentDaysOf(const Json &period, const AskedCommitments &asked)
{
    if (period.is_null())
        return CommitmentDays{base::dayOf(asked.days.start), base::dayOf(asked.days.end - base::kDay)};
    const auto start = base::parseTime(format::textOf(period, "Start"));
    const auto end = base::parseTime(format::textOf(period, "End"));
    if (!start || !end || *start < asked.days.start || *end > asked.days.end || *end - *start < base::kDay)
        return std::nullopt;
    return CommitmentDays{base::dayOf(*start), base::dayOf(*end - base::Seconds{1})};
}

void CommitmentPart::add(std::optional<model::CloudCommitment> commitment, const std::optional<CommitmentDays> &days,
                         const AskedCommitments &asked)
{
    if (!commitment || !days || !seen.insert(commitment->id).second) {
        ++rejected;
        return;
    }
    if (commitment->end && *commitment->end <= asked.now)
        return;
    commitment->first = days->first;
    commitment->last = days->last;
    commitments.push_back(std::move(*commitment));
}

} // namespace gpuledger::aws
