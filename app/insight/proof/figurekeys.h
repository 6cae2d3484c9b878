// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/text/text.h"
#include "app/insight/proof/figure.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The keys in the text of a figure; internal to app/insight/proof. Every function fails with InvalidArgument. Pure; any
// thread.
namespace gpuledger::insight::figurekeys {

using base::ErrorCode;
using base::Result;

using Pair = std::pair<std::string, std::string>; // key and value, decoded

inline constexpr char kBefore[] = "before-"; // prefix of the keys of the comparison period
inline constexpr std::int64_t kLongestSpan = 10'000'000'000; // s
inline constexpr char kExample[] = "take it from the \"figures\" of a JSON answer, such as "
                                   "summary/gpu-hours.idle?from=2026-10-01&to=2026-11-01&team=vision";

inline tl::unexpected<base::Error> refused(const std::string &what)
{
    return base::fail(ErrorCode::InvalidArgument, "invalid figure reference: " + what, kExample);
}

inline std::string named(std::string_view text)
{
    return '"' + base::printable(text, 64) + '"';
}

inline int hexDigit(char c)
{
    return c >= '0' && c <= '9' ? c - '0'
        : c >= 'A' && c <= 'F'  ? c - 'A' + 10
        : c >= 'a' && c <= 'f'  ? c - 'a' + 10
                                : -1;
}

inline std::optional<std::string> decoded(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        const bool isWhole = i + 2 < text.size();
        const int high = isWhole ? hexDigit(text[i + 1]) : -1, low = isWhole ? hexDigit(text[i + 2]) : -1;
        if (high < 0 || low < 0)
            return std::nullopt;
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

// Values of a dimension, sorted and without duplicates.
inline std::vector<std::string> sorted(std::vector<std::string> values)
{
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

// Reads the pairs one by one; keys that were not read are rejected.
class Reader {
public:
    explicit Reader(std::vector<Pair> pairs)
        : m_pairs(std::move(pairs))
    {
    }

    Result<std::optional<std::string>> optional(const std::string &key)
    {
        std::optional<std::string> found;
        for (auto it = m_pairs.begin(); it != m_pairs.end();) {
            if (it->first != key) {
                ++it;
                continue;
            }
            if (found)
                return refused(named(key) + " is given more than once");
            found = std::move(it->second);
            it = m_pairs.erase(it);
        }
        return found;
    }
    Result<std::string> required(const std::string &key)
    {
        auto value = optional(key);
        GPULEDGER_TRY(value);
        if (!*value)
            return refused(named(key) + " is missing");
        return std::move(**value);
    }
    Result<void> time(const std::string &key, base::UtcTime &to)
    {
        const auto text = required(key);
        GPULEDGER_TRY(text);
        const auto t = base::parseTime(*text);
        if (!t)
            return refused(named(key) + " is not a time: " + named(*text));
        to = *t;
        return {};
    }
    Result<void> range(base::TimeRange &to, const std::string &prefix = {})
    {
        GPULEDGER_TRY(time(prefix + "from", to.start));
        GPULEDGER_TRY(time(prefix + "to", to.end));
        return to.start <= to.end ? Result<void>() : refused("\"" + prefix + "from\" is after \"" + prefix + "to\"");
    }
    Result<void> currency(Figure &to)
    {
        const auto code = required("in");
        GPULEDGER_TRY(code);
        const auto currency = base::Currency::parse(*code);
        if (!currency)
            return refused("\"in\" is not a currency: " + named(*code));
        to.currency = *currency;
        return {};
    }
    Result<void> money(Figure &to)
    {
        const auto view = required("view");
        GPULEDGER_TRY(view);
        if (*view != toString(MoneyView::Billed) && *view != toString(MoneyView::Effective))
            return refused("\"view\" must be billed or effective, not " + named(*view));
        to.view = *view == toString(MoneyView::Billed) ? MoneyView::Billed : MoneyView::Effective;
        return currency(to);
    }
    Result<void> month(Figure &to)
    {
        const auto text = required("month");
        GPULEDGER_TRY(text);
        const auto month = monthFromString(*text);
        if (!month)
            return refused("\"month\" must be a month such as 2026-10, not " + named(*text));
        to.month = *month;
        return {};
    }
    Result<void> filter(Filter &to)
    {
        for (const auto &[key, value] : std::exchange(m_pairs, {})) {
            const bool out = std::string_view(key).starts_with(kExcluded);
            const auto dimension = dimensionFromString(out ? std::string_view(key).substr(kExcluded.size()) : key);
            if (!dimension)
                return refused("unknown key " + named(key));
            (out ? to.exclude : to.include)[*dimension].push_back(value);
        }
        for (auto *part : {&to.include, &to.exclude}) {
            for (auto &[dimension, values] : *part)
                values = sorted(std::move(values));
        }
        return {};
    }
    Result<void> dimensions(Figure &to)
    {
        for (const auto &[key, value] : std::exchange(m_pairs, {})) {
            const auto dimension = ledgerDimensionFromString(key);
            if (!dimension)
                return refused("unknown key " + named(key));
            to.include[*dimension].push_back(value);
        }
        for (auto &[dimension, values] : to.include)
            values = sorted(std::move(values));
        return {};
    }
    template <typename Number> Result<void> number(const std::string &key, Number &to)
    {
        const auto text = required(key);
        GPULEDGER_TRY(text);
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), to);
        const bool isWhole = error == std::errc() && end == text->data() + text->size();
        return isWhole ? Result<void>() : refused(named(key) + " is not a number: " + named(*text));
    }
    // Lengths in seconds by kind of workload.
    Result<void> grace(std::map<model::WorkloadKind, base::Seconds> &to)
    {
        std::vector<std::string> keys;
        for (const auto &[key, value] : m_pairs) {
            if (std::string_view(key).starts_with(kGraceKey))
                keys.push_back(key);
        }
        for (const std::string &key : keys) {
            const auto kind = model::workloadKindFromString(std::string_view(key).substr(kGraceKey.size()));
            if (!kind)
                return refused("unknown key " + named(key));
            std::int64_t seconds = 0;
            GPULEDGER_TRY(number(key, seconds));
            if (seconds < 0 || seconds > kLongestSpan)
                return refused(named(key) + " is not a length of time");
            to[*kind] = base::Seconds{seconds};
        }
        return {};
    }
    // Names and values of assumptions; whether there are such is for their reader to say.
    Result<void> assumptions(std::map<std::string, std::string> &to)
    {
        std::vector<std::string> keys;
        for (const auto &[key, value] : m_pairs) {
            if (std::string_view(key).starts_with(kAssumeKey))
                keys.push_back(key);
        }
        for (const std::string &key : keys) {
            auto value = required(key);
            GPULEDGER_TRY(value);
            to[key.substr(kAssumeKey.size())] = std::move(*value);
        }
        return {};
    }
    Result<void> costView(model::CostView &to)
    {
        const auto cost = required("cost");
        GPULEDGER_TRY(cost);
        const auto view = model::costViewFromString(*cost);
        if (!view)
            return refused("\"cost\" must be effective, billed or list, not " + named(*cost));
        to = *view;
        return {};
    }
    Result<void> end() const
    {
        return m_pairs.empty() ? Result<void>() : refused("unknown key " + named(m_pairs.front().first));
    }

private:
    std::vector<Pair> m_pairs;
};

} // namespace gpuledger::insight::figurekeys
