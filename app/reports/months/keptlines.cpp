// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/months/keptlines.h"

#include "app/base/remedy.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace gpuledger::reports {

using base::Result;
using model::LedgerAmounts;
using model::LedgerKey;

namespace {

using KeptJson = nlohmann::json;

// As written by texts::ofKey() and texts::ofLine().
constexpr std::size_t kKeySize = 18, kLineSize = 10;

tl::unexpected<base::Error> unreadable()
{
    return base::fail(base::ErrorCode::StorageCorrupt, "a line of a closed month's ledger can't be read",
                      base::Remedy::RestoreDataFolder);
}

// Reads the values of a row one by one; a missing value or one of another type makes it invalid.
class Row {
public:
    Row(const KeptJson &json, std::size_t size)
        : m_json(json)
        , m_fits(json.size() == size)
    {
    }
    bool fits() const { return m_fits; }
    std::string text()
    {
        const KeptJson *one = next();
        const auto *value = one ? one->get_ptr<const std::string *>() : nullptr;
        m_fits = m_fits && value;
        return value ? *value : std::string();
    }
    std::int64_t integer()
    {
        const KeptJson *one = next();
        m_fits = m_fits && one && one->is_number_integer();
        return m_fits ? one->get<std::int64_t>() : 0;
    }
    template <typename Value> Value named(Value last)
    {
        const std::string name = text();
        for (int i = 0; i <= static_cast<int>(last); ++i) {
            if (model::toString(static_cast<Value>(i)) == name)
                return static_cast<Value>(i);
        }
        m_fits = false;
        return {};
    }
    base::Currency currency()
    {
        const auto currency = base::Currency::parse(text());
        m_fits = m_fits && currency;
        return currency ? *currency : base::Currency();
    }
    std::optional<base::Day> day()
    {
        const auto start = base::parseTime(text());
        m_fits = m_fits && start;
        return start ? std::optional(base::dayOf(*start)) : std::nullopt;
    }

private:
    const KeptJson *next()
    {
        m_fits = m_fits && m_at < m_json.size();
        return m_fits ? &m_json[m_at++] : nullptr;
    }

    const KeptJson &m_json;
    std::size_t m_at = 1; // after the kind
    bool m_fits;
};

bool takeKey(const KeptJson &json, std::vector<LedgerKey> &keys)
{
    Row row(json, kKeySize);
    const bool isNext = row.integer() == static_cast<std::int64_t>(keys.size());
    LedgerKey key;
    key.currency = row.currency();
    key.category = row.named(model::LedgerCategory::Unexplained);
    key.origin = row.named(model::LedgerOrigin::Priced);
    key.match = row.named(model::LedgerMatch::None);
    for (std::string LedgerKey::*part :
         {&LedgerKey::source, &LedgerKey::team, &LedgerKey::state, &LedgerKey::workloadKind, &LedgerKey::environment,
          &LedgerKey::account, &LedgerKey::accountName, &LedgerKey::service, &LedgerKey::cloud, &LedgerKey::region,
          &LedgerKey::cluster, &LedgerKey::gpuModel})
        key.*part = row.text();
    keys.push_back(std::move(key));
    return isNext && row.fits();
}

} // namespace

Result<void> visitKeptLines(const std::vector<std::string> &rows, std::size_t figureCount, const LineVisitor &visit)
{
    std::vector<LedgerKey> keys;
    for (std::size_t i = figureCount; i < rows.size(); ++i) {
        const KeptJson json = KeptJson::parse(rows[i], nullptr, false);
        if (!json.is_array() || json.empty())
            return unreadable();
        if (json[0] == "key") {
            if (!takeKey(json, keys))
                return unreadable();
            continue;
        }
        Row row(json, kLineSize);
        const auto day = row.day();
        const std::int64_t key = row.integer();
        LedgerAmounts amounts;
        for (std::int64_t LedgerAmounts::*part :
             {&LedgerAmounts::billed, &LedgerAmounts::effective, &LedgerAmounts::ticks, &LedgerAmounts::unknownTime,
              &LedgerAmounts::priced, &LedgerAmounts::unpricedTicks, &LedgerAmounts::allocated})
            amounts.*part = row.integer();
        if (json[0] != "line" || !row.fits() || key < 0 || key >= static_cast<std::int64_t>(keys.size()))
            return unreadable();
        GPULEDGER_TRY(visit(*day, keys[static_cast<std::size_t>(key)], amounts));
    }
    return {};
}

} // namespace gpuledger::reports
