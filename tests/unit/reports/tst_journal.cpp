// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/documents/journal.h"
#include "app/reports/months/keptaccounts.h"
#include "tests/support/suite.h"

#include <QTest>

#include <map>

namespace tst_journal {

using namespace gpuledger;
using base::Currency;
using base::Money;
using reports::Journal;
using reports::Statement;

namespace {

const Currency kUsd = Currency::usd();
const Currency kYen = Currency::parse("JPY").value();

reports::StatementLine line(const char *category, std::int64_t cost, std::int64_t estimated = 0,
                            Currency currency = kUsd)
{
    return {category, {}, Money(cost, currency), Money(estimated, currency), {}, true, {}};
}

Statement statement(std::vector<reports::TeamStatement> teams, Currency currency = kUsd)
{
    reports::CurrencyStatement one;
    one.currency = currency;
    one.teams = std::move(teams);
    Statement all;
    all.month = {2026, 10};
    all.currencies.push_back(std::move(one));
    return all;
}

reports::TeamStatement team(const std::string &name, std::vector<reports::StatementLine> lines)
{
    reports::TeamStatement out;
    out.team = name;
    out.lines = std::move(lines);
    return out;
}

model::ChargebackSettings settings()
{
    model::ChargebackSettings out;
    out.clearingAccount = "1590";
    out.defaultAccount = "6999";
    out.accounts["vision"] = {"6200", "CC-17"};
    out.accounts["speech"] = {"", "CC-18"};
    return out;
}

// Debit minus credit for each entry and currency.
std::map<std::pair<std::string, Currency>, std::int64_t> balances(const Journal &journal)
{
    std::map<std::pair<std::string, Currency>, std::int64_t> out;
    for (const reports::JournalLine &one : journal.lines)
        out[{one.reference, one.currency}] += one.debit - one.credit;
    return out;
}

} // namespace

class TestJournal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void debitsTeamsAndCreditsClearing()
    {
        const auto journal = reports::journalOf(
            statement({team("vision", {line("gpu", 10'006'000'000), line("storage", 2'006'000'000)}),
                       team("speech", {line("gpu", 3'003'000'000), line("credit", -1'000'000'000)})}),
            settings());
        QVERIFY(journal);
        const std::string csv = reports::toCsv(*journal);
        QCOMPARE(
            csv,
            std::string(
                "date,reference,account,cost_center,debit,credit,currency,description\r\n"
                "2026-10-31,gpu-2026-10-billed-draft,6200,CC-17,10.01,,USD,\"GPU cost 2026-10, vision, GPU time\"\r\n"
                "2026-10-31,gpu-2026-10-billed-draft,6200,CC-17,2.01,,USD,\"GPU cost 2026-10, vision, storage\"\r\n"
                "2026-10-31,gpu-2026-10-billed-draft,6999,CC-18,3.00,,USD,\"GPU cost 2026-10, speech, GPU time\"\r\n"
                "2026-10-31,gpu-2026-10-billed-draft,6999,CC-18,,1.00,USD,\"GPU cost 2026-10, speech, credit\"\r\n"
                "2026-10-31,gpu-2026-10-billed-draft,1590,,,14.02,USD,\"GPU cost 2026-10, clearing\"\r\n"));
        QCOMPARE(journal->sums.front().charged, std::int64_t{1402});
        QVERIFY(journal->sums.front().exact == Money(14'015'000'000, kUsd));
    }

    void estimatesAreChargedOnlyWhenAskedFor()
    {
        const Statement all = statement({team("vision", {line("gpu", 0, 5'000'000'000)})});
        auto journal = reports::journalOf(all, settings());
        QVERIFY(journal->lines.empty());
        QVERIFY(journal->sums.front().leftOut == Money(5'000'000'000, kUsd));
        auto with = settings();
        with.includeEstimate = true;
        journal = reports::journalOf(all, with);
        QCOMPARE(journal->lines.size(), std::size_t{2});
        QCOMPARE(journal->lines.front().debit, std::int64_t{500});
        QVERIFY(journal->sums.front().leftOut.isZero());
    }

    void teamsWithoutAnAccountAreNamedAndNothingIsDropped()
    {
        auto without = settings();
        without.defaultAccount.clear();
        const auto refused = reports::journalOf(
            statement({team("vision", {line("gpu", 1'000'000'000)}), team("speech", {line("gpu", 1'000'000'000)}),
                       team("", {line("unexplained", 1'000'000'000)})}),
            without);
        QVERIFY(refused.error().code == base::ErrorCode::Refused);
        QVERIFY(refused.error().text.find("(no team), speech") != std::string::npos);
        without.byCategory["gpu"] = "6210"; // an account for a category does not cover a team
        QVERIFY(!reports::journalOf(statement({team("speech", {line("gpu", 1'000'000'000)})}), without));
        without.clearingAccount.clear();
        QVERIFY(reports::journalOf(statement({}), without).error().code == base::ErrorCode::InvalidConfig);
    }

    void accountOfACategoryGoesBeforeTheTeams()
    {
        auto with = settings();
        with.byCategory["storage"] = "6210";
        const auto journal = reports::journalOf(statement({team("vision", {line("storage", 1'000'000'000)})}), with);
        QCOMPARE(journal->lines.front().account, std::string("6210"));
        QCOMPARE(journal->lines.front().costCenter, std::string("CC-17"));
    }

    void adjustmentsAreEntriesOfTheirOwn()
    {
        Statement all = statement({team("vision", {line("gpu", 1'000'000'000)})});
        all.status.state = reports::MonthState::Closed;
        all.status.hash = std::string(64, 'a');
        const auto closed = base::parseTime("2026-10-04T00:00:00Z").value();
        all.currencies.front().adjustments = {
            {{2026, 8}, closed, "vision", "gpu", "idle", Money(-300'000'000, kUsd), Money(0, kUsd)},
            {{2026, 9}, closed, "vision", "gpu", "idle", Money(200'000'000, kUsd), Money(0, kUsd)}};
        const auto journal = reports::journalOf(all, settings());
        const auto sums = balances(*journal);
        QCOMPARE(sums.size(), std::size_t{3});
        QVERIFY(sums.contains({"gpu-2026-10-billed-aaaaaaaaaaaa", kUsd}));
        QVERIFY(sums.contains({"gpu-2026-10-billed-aaaaaaaaaaaa-adjusts-2026-08", kUsd}));
        QVERIFY(sums.contains({"gpu-2026-10-billed-aaaaaaaaaaaa-adjusts-2026-09", kUsd}));
        for (const auto &[entry, balance] : sums)
            QCOMPARE(balance, std::int64_t{0});
        QVERIFY(reports::toCsv(*journal).find("adjustment of 2026-09, closed 2026-10-04") != std::string::npos);
    }

    void oneTeamHasTheLinesThatItHasAmongAll()
    {
        const Statement all =
            statement({team("vision", {line("gpu", 6'000'000)}), team("speech", {line("gpu", 6'000'000)}),
                       team("late", {line("gpu", 3'000'000)})});
        const auto whole = reports::journalOf(all, settings());
        const auto one = reports::journalOf(all, settings(), "speech");
        QCOMPARE(whole->lines.size(), std::size_t{3}); // no amount is left for the third
        QCOMPARE(one->lines.front().debit, whole->lines[1].debit);
        QCOMPARE(one->lines.back().credit, one->lines.front().debit);
        QVERIFY(reports::journalOf(all, settings(), "nobody").error().code == base::ErrorCode::NotFound);
    }

    void currenciesBalanceEachWithItsOwnDecimals()
    {
        Statement all = statement({team("vision", {line("gpu", 1'000'000'000)})});
        all.currencies.push_back(
            statement({team("vision", {line("gpu", 99'600'000'000, 0, kYen)})}, kYen).currencies.front());
        const auto journal = reports::journalOf(all, settings());
        for (const auto &[entry, balance] : balances(*journal))
            QCOMPARE(balance, std::int64_t{0});
        QVERIFY(reports::toCsv(*journal).find(",100,,JPY,") != std::string::npos);
    }

    void foreignTextIsNoFormula()
    {
        auto hostile = settings();
        hostile.accounts["=cmd()"] = {"=1+1", "@x"};
        const auto journal = reports::journalOf(statement({team("=cmd()", {line("gpu", 1'000'000'000)})}), hostile);
        const std::string csv = reports::toCsv(*journal);
        QVERIFY(csv.find(",\"'=1+1\",\"'@x\",1.00,,USD,\"GPU cost 2026-10, =cmd(), GPU time\"") != std::string::npos);
    }

    // The log of a close stores accounts as text.
    void accountsAreReadAsTheyWereWritten()
    {
        model::ChargebackSettings all = settings();
        all.byCategory["tax"] = "6300";
        all.accounts["a\"],{\n\xC3\xA9"] = {"=cmd()", ""};
        all.includeEstimate = true;
        const std::string text = reports::textOf(all);
        const auto read = reports::accountsOf(text);
        QVERIFY(read);
        QCOMPARE(read->clearingAccount, all.clearingAccount);
        QCOMPARE(read->defaultAccount, all.defaultAccount);
        QVERIFY(read->accounts == all.accounts && read->byCategory == all.byCategory && read->includeEstimate);
        QCOMPARE(reports::textOf(*read), text);
        QVERIFY(reports::textOf(settings()) != text);
        QVERIFY(reports::accountsOf(reports::textOf({})));
        for (const char *member :
             {"clearing_account", "default_account", "accounts", "by_category", "include_estimate"}) {
            std::string other = text;
            other.replace(other.find(member), 2, "xx");
            QVERIFY2(!reports::accountsOf(other), member);
        }
        for (const char *other : {"", "[]", "1", "{}"})
            QVERIFY2(!reports::accountsOf(other), other);
    }
};

GPULEDGER_PLAIN_SUITE(TestJournal)

} // namespace tst_journal

#include "tst_journal.moc"
