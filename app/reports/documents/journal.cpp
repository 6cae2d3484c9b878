// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/documents/journal.h"

#include "app/base/money/minorunit.h"
#include "app/base/remedy.h"
#include "app/base/text/csvtext.h"
#include "app/base/text/text.h"
#include "app/reports/documents/documents.h"

#include <algorithm>
#include <map>
#include <set>

namespace gpuledger::reports {

using base::Currency;
using base::ErrorCode;
using base::Money;
using base::Result;

namespace {

constexpr std::size_t kReferenceDigits = 12; // of the hash of a closed month
constexpr std::size_t kMostNamed = 10; // teams in one sentence
constexpr char kSharedOut[] = "shared-out"; // category of what the rules move

// An amount to book, before rounding.
struct Charge {
    std::string team, category;
    Money amount;
};

// An entry that balances by itself.
struct Entry {
    std::string reference, subject;
    std::vector<Charge> charges{}; // in the statement's order
    std::map<std::pair<std::string, std::string>, std::size_t> places{}; // index by team and category
};

std::string journalReference(const Statement &statement)
{
    const std::string view = statement.view == CostView::Billed ? "billed" : "effective";
    const bool closed = statement.status.state == MonthState::Closed && !statement.status.hash.empty();
    return "gpu-" + insight::toString(statement.month) + '-' + view + '-'
        + (closed ? statement.status.hash.substr(0, kReferenceDigits) : "draft");
}

// Adds to the team's charge for that category, or starts one.
Result<void> addCharge(Entry &entry, const std::string &team, const std::string &category, const Money &amount)
{
    const auto [place, isNew] = entry.places.emplace(std::pair(team, category), entry.charges.size());
    if (isNew)
        entry.charges.push_back({team, category, Money(0, amount.currency())});
    Money &charged = entry.charges[place->second].amount;
    const auto sum = charged.plus(amount);
    GPULEDGER_TRY(sum);
    charged = *sum;
    return {};
}

class JournalBuilder {
public:
    JournalBuilder(const Statement &all, const model::ChargebackSettings &settings, const std::string &team)
        : m_all(all)
        , m_settings(settings)
        , m_team(team)
    {
        m_journal.month = all.month;
    }

    Result<Journal> build()
    {
        if (m_settings.clearingAccount.empty())
            return base::fail(ErrorCode::InvalidConfig,
                              "no account to credit is configured (chargeback.clearing_account)",
                              base::Remedy::SeeChargebackSample);
        for (const CurrencyStatement &currency : m_all.currencies)
            GPULEDGER_TRY(add(currency));
        if (!m_homeless.empty())
            return refusal();
        if (!m_team.empty() && !m_found)
            return base::fail(ErrorCode::NotFound,
                              "no team \"" + base::printable(m_team, 64) + "\" has figures in "
                                  + insight::toString(m_all.month));
        return std::move(m_journal);
    }

private:
    Result<void> add(const CurrencyStatement &currency)
    {
        JournalSum sum{Money(0, currency.currency), 0, Money(0, currency.currency)};
        const auto entries = entriesOf(currency, sum);
        GPULEDGER_TRY(entries);
        for (const Entry &entry : *entries)
            GPULEDGER_TRY(book(entry, currency.currency, sum));
        m_journal.sums.push_back(sum);
        return {};
    }

    Result<std::vector<Entry>> entriesOf(const CurrencyStatement &currency, JournalSum &sum)
    {
        const std::string month = insight::toString(m_all.month), own = journalReference(m_all);
        std::vector<Entry> entries{{own, "GPU cost " + month}};
        for (const TeamStatement &team : currency.teams) {
            m_found = m_found || team.team == m_team;
            for (const StatementLine &line : team.lines)
                GPULEDGER_TRY(charge(entries.front(), sum, {team.team, line.category, line.cost}, line.estimated));
        }
        GPULEDGER_TRY(chargeShares(entries.front(), currency));
        for (const StatementAdjustment &one : currency.adjustments) {
            const std::string reference = own + "-adjusts-" + insight::toString(one.of);
            if (entries.back().reference != reference)
                entries.push_back({reference, "adjustment of " + referenceOf(one.of, one.closedAt)});
            GPULEDGER_TRY(charge(entries.back(), sum, {one.team, one.category, one.cost}, one.estimated));
        }
        return entries;
    }

    // Adds who pays for shared and idle cost, as far as it is charged at all.
    Result<void> chargeShares(Entry &entry, const CurrencyStatement &currency) const
    {
        if (!currency.sharing)
            return {};
        std::vector<SharingTeam> teams;
        for (const TeamStatement &team : currency.teams) {
            SharingTeam one{team.team, m_settings.includeEstimate ? team.total() : team.cost,
                            Money(0, currency.currency), team.gpuTime};
            for (const StatementLine &line : team.lines) {
                if (line.state != kIdleState)
                    continue;
                for (const Money &amount : {line.cost, m_settings.includeEstimate ? line.estimated : Money()}) {
                    const auto idle = one.idle.plus(Money(amount.nanos(), currency.currency));
                    GPULEDGER_TRY(idle);
                    one.idle = *idle;
                }
            }
            teams.push_back(std::move(one));
        }
        const auto sharing = shareOut(teams, currency.sharing->rules, currency.currency);
        GPULEDGER_TRY(sharing);
        for (std::size_t i = 0; i < teams.size(); ++i) {
            if (!sharing->moved[i].isZero())
                GPULEDGER_TRY(addCharge(entry, teams[i].team, kSharedOut, sharing->moved[i]));
        }
        return {};
    }

    Result<void> charge(Entry &entry, JournalSum &sum, const Charge &bill, const Money &estimated)
    {
        GPULEDGER_TRY(addCharge(entry, bill.team, bill.category, bill.amount));
        if (m_settings.includeEstimate)
            return addCharge(entry, bill.team, bill.category, estimated);
        if (!isShown(bill.team))
            return {};
        const auto leftOut = sum.leftOut.plus(estimated);
        GPULEDGER_TRY(leftOut);
        sum.leftOut = *leftOut;
        return {};
    }

    bool isShown(const std::string &team) const { return m_team.empty() || team == m_team; }

    Result<void> book(const Entry &entry, Currency currency, JournalSum &sum)
    {
        std::vector<Money> amounts;
        for (const Charge &one : entry.charges)
            amounts.push_back(one.amount);
        const auto units = base::inMinorUnits(amounts);
        GPULEDGER_TRY(units);
        std::int64_t charged = 0;
        for (std::size_t i = 0; i < units->size(); ++i) {
            const Charge &one = entry.charges[i];
            if (!isShown(one.team))
                continue;
            const auto exact = sum.exact.plus(one.amount);
            GPULEDGER_TRY(exact);
            sum.exact = *exact;
            charged += (*units)[i];
            if ((*units)[i] != 0)
                bookCharge(entry, one, (*units)[i], currency);
        }
        sum.charged += charged;
        if (charged != 0)
            addLine(entry.reference, {m_settings.clearingAccount, {}}, -charged, currency,
                    entry.subject + ", clearing");
        return {};
    }

    void bookCharge(const Entry &entry, const Charge &one, std::int64_t units, Currency currency)
    {
        model::ChargebackAccount place;
        const auto own = m_settings.accounts.find(one.team);
        if (own != m_settings.accounts.end())
            place = own->second;
        if (place.account.empty())
            place.account = m_settings.defaultAccount;
        if (place.account.empty())
            m_homeless.insert(one.team);
        if (const auto other = m_settings.byCategory.find(one.category); other != m_settings.byCategory.end())
            place.account = other->second;
        addLine(entry.reference, place, units, currency,
                entry.subject + ", " + teamName(one.team) + ", " + categoryName(one.category));
    }

    // A provider's credit is a negative cost: it is booked on the opposite side.
    void addLine(const std::string &reference, const model::ChargebackAccount &place, std::int64_t units,
                 Currency currency, std::string description)
    {
        m_journal.lines.push_back({reference, place.account, place.costCenter, currency,
                                   std::max<std::int64_t>(units, 0), std::max<std::int64_t>(-units, 0),
                                   std::move(description)});
    }

    tl::unexpected<base::Error> refusal() const
    {
        std::string names;
        std::size_t named = 0;
        for (const std::string &team : m_homeless) {
            if (named++ < kMostNamed)
                names += (names.empty() ? "" : ", ") + teamName(team);
        }
        if (named > kMostNamed)
            names += " and " + std::to_string(named - kMostNamed) + " more";
        return base::fail(ErrorCode::Refused, "no account is configured for " + names + "; nothing was written",
                          base::Remedy::SetChargebackAccounts);
    }

    const Statement &m_all;
    const model::ChargebackSettings &m_settings;
    const std::string &m_team;
    std::set<std::string> m_homeless; // teams without an account
    bool m_found = false;
    Journal m_journal;
};

std::string lastDayOf(const insight::Month &month)
{
    return base::toRfc3339(month.range().end - base::Seconds{1}).substr(0, 10);
}

void addCells(std::string &out, const std::vector<std::string> &cells)
{
    for (std::size_t i = 0; i < cells.size(); ++i)
        out += (i > 0 ? "," : "") + base::csvCell(cells[i]);
    out += "\r\n";
}

} // namespace

Result<Journal> journalOf(const Statement &all, const model::ChargebackSettings &settings, const std::string &team)
{
    return JournalBuilder(all, settings, team).build();
}

std::string toCsv(const Journal &journal)
{
    std::string out;
    addCells(out, {"date", "reference", "account", "cost_center", "debit", "credit", "currency", "description"});
    const std::string date = lastDayOf(journal.month);
    for (const JournalLine &line : journal.lines) {
        const auto amount = [&](std::int64_t units) {
            return units == 0 ? std::string() : base::minorText(units, line.currency);
        };
        addCells(out,
                 {date, line.reference, line.account, line.costCenter, amount(line.debit), amount(line.credit),
                  std::string(line.currency.code()), line.description});
    }
    return out;
}

} // namespace gpuledger::reports
