// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/money/money.h"
#include "app/base/remedy.h"
#include "app/base/result.h"
#include "app/base/time/time.h"
#include "app/insight/spend/reconcile.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

// Shared by monthtexts and monthheader: a row of a closed month is one JSON array. For these two only. Pure; any
// thread.
namespace gpuledger::reports::texts {

using Json = nlohmann::ordered_json;

inline std::string text(const Json &json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline std::string codeOf(base::Currency currency)
{
    return std::string(currency.code());
}

inline tl::unexpected<base::Error> unreadable()
{
    return base::fail(base::ErrorCode::StorageCorrupt, "a row of a closed month can't be read",
                      base::Remedy::RestoreDataFolder);
}

// Reads a row that was verified by its hash: if it does not fit, it was written by another program.
class Reader {
public:
    explicit Reader(const std::string &row)
        : m_json(Json::parse(row, nullptr, false))
        , m_fits(m_json.is_array() && !m_json.empty() && m_json[0].is_string())
    {
    }
    bool fits() const { return m_fits; }
    std::string kind() const { return m_fits ? m_json[0].get<std::string>() : std::string(); }
    std::size_t size() const { return m_json.size(); }
    const Json &object()
    {
        static const Json kNone = Json::object();
        const bool there = m_fits && m_at < m_json.size() && m_json[m_at].is_object();
        m_fits = there;
        return there ? m_json[m_at++] : kNone;
    }
    std::string text()
    {
        const Json *json = next();
        const auto *value = json ? json->get_ptr<const std::string *>() : nullptr;
        m_fits = m_fits && value;
        return value ? *value : std::string();
    }
    std::int64_t integer()
    {
        const Json *json = next();
        m_fits = m_fits && json && json->is_number_integer()
            && !(json->is_number_unsigned() && json->get<std::uint64_t>() > INT64_MAX);
        return m_fits ? json->get<std::int64_t>() : 0;
    }
    std::optional<std::int64_t> integerOrNull()
    {
        if (!m_fits || m_at >= m_json.size() || !m_json[m_at].is_null())
            return integer();
        ++m_at;
        return std::nullopt;
    }
    bool truth()
    {
        const Json *json = next();
        m_fits = m_fits && json && json->is_boolean();
        return m_fits && json->get<bool>();
    }
    base::Currency currency()
    {
        const std::string code = text();
        const auto currency = base::Currency::parse(code);
        m_fits = m_fits && (currency || code.empty());
        return currency ? *currency : base::Currency();
    }
    insight::Month month()
    {
        const auto month = insight::monthFromString(text());
        m_fits = m_fits && month;
        return month.value_or(insight::Month{});
    }
    base::UtcTime time()
    {
        const auto t = base::parseTime(text());
        m_fits = m_fits && t;
        return t ? *t : base::UtcTime{};
    }

private:
    const Json *next()
    {
        m_fits = m_fits && m_at < m_json.size();
        return m_fits ? &m_json[m_at++] : nullptr;
    }

    Json m_json;
    std::size_t m_at = 1;
    bool m_fits = false;
};

} // namespace gpuledger::reports::texts
