// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/decimal.h"
#include "app/base/money/money.h"
#include "app/base/time/time.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What syncs keep in the cache for later (LedgerStore::putMemory), as JSON that is read strictly: who meets a text that
// does not fit keeps nothing of it. For the sources of app/services that have such a memory. Pure; any thread.
namespace gpuledger::services {

using KeptJson = nlohmann::ordered_json;

// Bytes that are not valid UTF-8 are replaced.
inline std::string keptText(const KeptJson &json)
{
    return json.dump(-1, ' ', false, KeptJson::error_handler_t::replace);
}

inline KeptJson keptTime(const std::optional<base::UtcTime> &time)
{
    return time ? KeptJson(base::toUnix(*time)) : KeptJson(nullptr);
}

// Reads the members of an object. If one does not fit, nothing of it counts.
class KeptReader {
public:
    explicit KeptReader(const KeptJson &json)
        : m_json(json)
        , m_fits(json.is_object())
    {
    }
    bool fits() const { return m_fits; }

    std::string text(const char *key)
    {
        const KeptJson *json = member(key);
        return fit(json && json->is_string()) ? json->get<std::string>() : std::string();
    }
    std::int64_t integer(const char *key) { return integerOf(member(key)); }
    std::int64_t integerWithin(const char *key, std::int64_t least, std::int64_t most)
    {
        const std::int64_t number = integer(key);
        return fit(number >= least && number <= most) ? number : least;
    }
    std::optional<std::int64_t> integerOrNull(const char *key)
    {
        return isNull(key) ? std::nullopt : std::optional(integer(key));
    }
    bool truth(const char *key)
    {
        const KeptJson *json = member(key);
        return fit(json && json->is_boolean()) && json->get<bool>();
    }
    double share(const char *key)
    {
        const KeptJson *json = member(key);
        const double value = json && json->is_number() ? json->get<double>() : -1;
        return fit(std::isfinite(value) && value >= 0) ? value : 0;
    }
    std::optional<double> shareOrNull(const char *key)
    {
        return isNull(key) ? std::nullopt : std::optional(share(key));
    }
    std::optional<base::UtcTime> timeOrNull(const char *key)
    {
        const auto seconds = integerOrNull(key);
        return seconds ? std::optional(base::UtcTime{base::Seconds{*seconds}}) : std::nullopt;
    }
    base::Day day(const char *key)
    {
        const std::int64_t number = integer(key);
        return fit(std::in_range<std::int32_t>(number)) ? base::Day{static_cast<std::int32_t>(number)} : base::Day{};
    }
    std::optional<base::Day> dayOrNull(const char *key) { return isNull(key) ? std::nullopt : std::optional(day(key)); }
    std::optional<base::Decimal> amountOrNull(const char *key)
    {
        if (isNull(key))
            return std::nullopt;
        const auto amount = base::Decimal::parse(text(key));
        return fit(amount.has_value()) ? std::optional(*amount) : std::nullopt;
    }
    base::Currency currency(const char *key)
    {
        const std::string code = text(key);
        if (code.empty())
            return {};
        const auto currency = base::Currency::parse(code);
        return fit(currency.has_value()) ? *currency : base::Currency();
    }
    // Null: it does not fit.
    const KeptJson *list(const char *key)
    {
        const KeptJson *json = member(key);
        return fit(json && json->is_array()) ? json : nullptr;
    }

private:
    bool fit(bool fits)
    {
        m_fits = m_fits && fits;
        return m_fits;
    }
    const KeptJson *member(const char *key)
    {
        const auto it = m_json.is_object() ? m_json.find(key) : m_json.end();
        return fit(it != m_json.end()) ? &*it : nullptr;
    }
    bool isNull(const char *key)
    {
        const KeptJson *json = member(key);
        return !json || json->is_null();
    }
    std::int64_t integerOf(const KeptJson *json)
    {
        const bool isWhole = json && json->is_number_integer()
            && !(json->is_number_unsigned() && !std::in_range<std::int64_t>(json->get<std::uint64_t>()));
        return fit(isWhole) ? json->get<std::int64_t>() : 0;
    }

    const KeptJson &m_json;
    bool m_fits;
};

inline std::optional<std::string> keptSentenceOf(const KeptJson &json)
{
    return json.is_string() ? std::optional(json.get<std::string>()) : std::nullopt;
}

// False: an entry can't be read.
template <typename Value, typename Read>
bool readKept(KeptReader &in, const char *key, Read read, std::vector<Value> &out)
{
    const KeptJson *list = in.list(key);
    if (!list)
        return false;
    for (const KeptJson &json : *list) {
        auto one = read(json);
        if (!one)
            return false;
        out.push_back(std::move(*one));
    }
    return true;
}

} // namespace gpuledger::services
