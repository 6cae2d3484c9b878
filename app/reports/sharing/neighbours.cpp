// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/sharing/neighbours.h"

#include "app/ledger/rules/ownerrules.h"
#include "app/model/money/ledgerline.h"
#include "app/reports/sharing/moneysum.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace gpuledger::reports {

using base::Money;
using base::Result;
using insight::LedgerAnswer;
using insight::LedgerDimension;
using insight::LedgerRow;
using model::LedgerCategory;

namespace {

constexpr std::array kPossibleKeys{LedgerDimension::Team, LedgerDimension::Category, LedgerDimension::State,
                                   LedgerDimension::Origin};
constexpr std::array kPlaceKeys{LedgerDimension::Cluster, LedgerDimension::NameSpace, LedgerDimension::GpuModel,
                                LedgerDimension::Cloud,   LedgerDimension::Account,   LedgerDimension::Source};
// Indexes into the keys of a row by neighbourDimensions().
struct PlaceKey {
    enum Index : std::size_t { Team, Category, State, Origin, Cluster, NameSpace, GpuModel, Cloud, Account, Source };
};

// What the organisation buys as a whole.
constexpr std::array kCentral{LedgerCategory::Commitment, LedgerCategory::Purchase, LedgerCategory::Support,
                              LedgerCategory::Tax, LedgerCategory::Credit};

bool isCentral(const LedgerRow &row)
{
    return std::any_of(kCentral.begin(), kCentral.end(), [&](LedgerCategory category) {
        return row.keys[PlaceKey::Category] == model::toString(category);
    });
}

bool hasNoMoney(const LedgerRow &row)
{
    return row.billed.isZero() && row.effective.isZero() && row.priced.isZero()
        && row.allocated.value_or(Money()).isZero();
}

// A place, as the values of some keys.
using Place = std::vector<std::string>;
using Teams = std::set<std::string>;

// The places that a row is in, the narrowest first. A place whose name is not fully known is none.
std::vector<Place> placesOf(const LedgerRow &row)
{
    std::vector<Place> out;
    const auto add = [&](std::initializer_list<PlaceKey::Index> keys) {
        Place place;
        for (const PlaceKey::Index key : keys) {
            if (row.keys[key].empty() && key != PlaceKey::Cloud)
                return;
            place.push_back(std::to_string(key) + '=' + row.keys[key]);
        }
        out.push_back(std::move(place));
    };
    add({PlaceKey::Cluster, PlaceKey::NameSpace});
    add({PlaceKey::Cluster, PlaceKey::GpuModel});
    add({PlaceKey::Cluster});
    if (row.keys[PlaceKey::Cluster].empty()) {
        add({PlaceKey::Cloud, PlaceKey::Account});
        add({PlaceKey::Source});
    }
    return out;
}

// Teams by place. Time on a billed machine is in its cluster and in its account.
class Neighbours {
public:
    void add(const LedgerRow &row)
    {
        const std::string &team = row.keys[PlaceKey::Team];
        if (hasNoMoney(row) && !row.hasGpuTime)
            return;
        m_all.insert(team);
        insert(row, team);
        LedgerRow onBill = row;
        onBill.keys[PlaceKey::Cluster].clear();
        insert(onBill, team);
    }

    const Teams &of(const LedgerRow &row) const
    {
        for (const Place &place : placesOf(row)) {
            if (const auto it = m_teams.find(place); it != m_teams.end())
                return it->second;
        }
        return m_all;
    }

private:
    void insert(const LedgerRow &row, const std::string &team)
    {
        for (Place &place : placesOf(row))
            m_teams[std::move(place)].insert(team);
    }

    std::map<Place, Teams> m_teams;
    Teams m_all;
};

// The amounts of a row that are above zero, or those below.
LedgerRow sideOf(const LedgerRow &row, bool isBelow)
{
    const auto side = [&](const Money &amount) {
        return (amount.nanos() < 0) == isBelow ? amount : Money(0, amount.currency());
    };
    LedgerRow out;
    out.keys.assign(row.keys.begin(), row.keys.begin() + kPossibleKeys.size());
    out.currency = row.currency;
    out.billed = side(row.billed);
    out.effective = side(row.effective);
    out.priced = side(row.priced);
    if (row.allocated)
        out.allocated = side(*row.allocated);
    return out;
}

class PossibleSums {
public:
    Result<void> add(const std::string &team, LedgerRow part, bool isBelow)
    {
        if (hasNoMoney(part))
            return {};
        part.keys[PlaceKey::Team] = team;
        const auto [it, isNew] = m_rows.try_emplace({part.keys, part.currency, isBelow}, part);
        if (isNew)
            return {};
        LedgerRow &to = it->second;
        GPULEDGER_TRY(addTo(to.billed, part.billed));
        GPULEDGER_TRY(addTo(to.effective, part.effective));
        GPULEDGER_TRY(addTo(to.priced, part.priced));
        if (part.allocated) {
            if (!to.allocated)
                to.allocated = Money(0, part.allocated->currency());
            GPULEDGER_TRY(addTo(*to.allocated, *part.allocated));
        }
        return {};
    }

    std::vector<LedgerRow> take()
    {
        std::vector<LedgerRow> out;
        for (auto &[key, row] : m_rows)
            out.push_back(std::move(row));
        return out;
    }

private:
    struct Key {
        std::vector<std::string> keys;
        base::Currency currency;
        bool isBelow = false;
        auto operator<=>(const Key &) const = default;
    };
    std::map<Key, LedgerRow> m_rows;
};

} // namespace

std::vector<LedgerDimension> possibleDimensions()
{
    return {kPossibleKeys.begin(), kPossibleKeys.end()};
}

std::vector<LedgerDimension> neighbourDimensions()
{
    std::vector<LedgerDimension> all = possibleDimensions();
    all.insert(all.end(), kPlaceKeys.begin(), kPlaceKeys.end());
    return all;
}

bool isUnowned(std::string_view team)
{
    return team.empty() || team == ledger::kUnowned;
}

bool isRealTeam(std::string_view team)
{
    return !isUnowned(team) && team != ledger::kShared;
}

Result<LedgerAnswer> possibleOwners(const LedgerAnswer &ledger)
{
    Neighbours neighbours;
    for (const LedgerRow &row : ledger.rows) {
        if (isRealTeam(row.keys[PlaceKey::Team]))
            neighbours.add(row);
    }
    PossibleSums sums;
    for (const LedgerRow &row : ledger.rows) {
        if (!isUnowned(row.keys[PlaceKey::Team]) || isCentral(row))
            continue;
        const Teams &teams = neighbours.of(row);
        for (const bool isBelow : {false, true}) {
            const LedgerRow part = sideOf(row, isBelow);
            for (const std::string &team : teams)
                GPULEDGER_TRY(sums.add(team, part, isBelow));
            if (!teams.empty())
                GPULEDGER_TRY(sums.add(row.keys[PlaceKey::Team], part, isBelow));
        }
    }
    LedgerAnswer out;
    out.range = ledger.range;
    out.rows = sums.take();
    return out;
}

} // namespace gpuledger::reports
