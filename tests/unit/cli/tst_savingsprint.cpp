// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "ui/cli/savings/actsprint.h"
#include "ui/cli/savings/savingsprint.h"

#include <QTest>

#include <algorithm>

namespace tst_savingsprint {

using namespace gpuledger;
using savings::Kind;
using savings::Proposal;
using savings::Remark;
using savings::RemarkText;
using savings::SavingsList;

namespace {

base::Money dollars(std::int64_t cents)
{
    return base::Money(cents * (base::Money::kNanosPerUnit / 100), base::Currency::usd());
}

Proposal switchedOff(const std::string &target, std::int64_t cents)
{
    Proposal one;
    one.id = "schedule:" + target;
    one.kind = Kind::Schedule;
    one.target = target;
    one.owner = "research";
    one.currency = "USD";
    one.perMonth = {dollars(cents - 100), dollars(cents), dollars(cents + 100)};
    one.avoidable = dollars(cents + 100);
    one.assumptions = {{"scale-down-delay", "60s"}};
    one.evidence = {{{RemarkText::HoursOff, {}}, savings::hoursTerm(412)},
                    {{RemarkText::SavedInPast, {}}, savings::amountTerm(dollars(-345))}};
    one.risks = {{RemarkText::NoController, {}}, {RemarkText::MemoryLost, {}}};
    one.how = "gpuledger-cli act plan a\nsecond line";
    one.resources = {"gpu-" + target};
    return one;
}

SavingsList listed(std::vector<Proposal> proposals)
{
    return savings::withoutDoubleCounting({base::fromUnix(0), base::fromUnix(28 * 86400)}, std::move(proposals));
}

std::string peopleRead(const SavingsList &list, bool all = false)
{
    return cli::savingsText(list, model::CostView::Effective, base::TimeZone::find("UTC").value(), all, false);
}

int linesWith(const std::string &text, const std::string &part)
{
    int lines = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, text.find('\n', at)))
        ++lines;
    return lines;
}

} // namespace

class TestSavingsPrint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingIsSaidInASentence()
    {
        QCOMPARE(peopleRead(listed({})),
                 std::string("What could have been saved from 1970-01-01 00:00 to 1970-01-29 00:00 (UTC)\n"
                             "no proposal counts\n"));
        const cli::Json head = cli::savingsHead(listed({}), model::CostView::Billed);
        QCOMPARE(head.dump(),
                 std::string(R"({"range":{"from":"1970-01-01T00:00:00Z","to":"1970-01-29T00:00:00Z"},)"
                             R"("cost":"billed","total":[],"warnings":[]})"));
    }

    // Also where there is nothing else to say; a line break in a name stays within its line.
    void whatCouldNotBeUsedIsAWarning()
    {
        SavingsList list = listed({});
        list.warnings = {
            {RemarkText::SpotHistoryUnread, {savings::textTerm("a\nb.csv"), savings::textTerm("it can't be read")}}};
        const std::string text = peopleRead(list);
        QCOMPARE(linesWith(text, "warning: the interruption history "), 1);
        QVERIFY(text.ends_with("b.csv was not used: it can't be read\n"));
        QVERIFY(text.find("a\n") == std::string::npos);
        const cli::Json head = cli::savingsHead(list, model::CostView::Billed);
        QCOMPARE(head["warnings"].size(), std::size_t{1});
    }

    void aListEndsWithItsSumAndWhatDoesNotCount()
    {
        Proposal pool = switchedOff("pool", 5000);
        pool.kind = Kind::Capacity;
        pool.id = "capacity:pool";
        Proposal unknown = switchedOff("unknown", 0);
        unknown.perMonth.reset();
        unknown.avoidable.reset();
        unknown.excludedBy = Remark{RemarkText::TooMuchUnpriced, {}};
        const SavingsList list = listed({switchedOff("notebook", 1234), pool, unknown});
        QCOMPARE(
            peopleRead(list),
            std::string("What could have been saved from 1970-01-01 00:00 to 1970-01-29 00:00 (UTC)\n"
                        "target    owner     kind      per month      p10 to p90  note\n"
                        "pool      research  capacity  50.00 USD  49.00 to 51.00  no controller starts the pod again\n"
                        "notebook  research  schedule  12.34 USD  11.34 to 13.34  no controller starts the pod again\n"
                        "\n"
                        "per month    p10    p50    p90  currency\n"
                        "capacity   49.00  50.00  51.00  USD\n"
                        "schedule   11.34  12.34  13.34  USD\n"
                        "total      60.34  62.34  64.34  USD\n"
                        "\n"
                        "not counted  owner     kind      per month  why\n"
                        "unknown      research  schedule          -  too much of what it held has no price\n"));
        const cli::Json total = cli::sumsJson(list);
        QCOMPARE(total.size(), std::size_t(1));
        QCOMPARE(total[0]["per_month"]["p90"]["amount"].get<std::string>(), std::string("64.340000000"));
        QCOMPARE(total[0]["by_kind"]["schedule"]["p50"]["amount"].get<std::string>(), std::string("12.340000000"));
        QVERIFY(!total[0]["by_kind"].contains("commitments"));
    }

    void aLongListIsShortUnlessAllIsAsked()
    {
        std::vector<Proposal> many;
        for (int i = 0; i < 50; ++i) {
            many.push_back(switchedOff("counts-" + std::to_string(i), 1000 + i));
            many.push_back(switchedOff("left-" + std::to_string(i), 1000 + i));
            many.back().excludedBy = Remark{RemarkText::TooYoung, {}};
        }
        const std::string brief = peopleRead(listed(many)), whole = peopleRead(listed(many), true);
        QCOMPARE(linesWith(brief, "counts-"), 30);
        QCOMPARE(linesWith(brief, "left-"), 10);
        QCOMPARE(linesWith(brief, "and 20 more (see them with --all)"), 1);
        QCOMPARE(linesWith(brief, "and 40 more (see them with --all)"), 1);
        QCOMPARE(linesWith(whole, "counts-"), 50);
        QCOMPARE(linesWith(whole, "left-"), 50);
        QCOMPARE(linesWith(whole, "--all"), 0);
        // The sum is that of all.
        QCOMPARE(linesWith(brief, "512.25"), 2);
    }

    void oneIsShownWhole()
    {
        QCOMPARE(cli::proposalText(switchedOff("notebook", 1234)),
                 std::string("notebook\n"
                             "id: schedule:notebook\n"
                             "kind: schedule\n"
                             "owner: research\n"
                             "saves per month: 12.34 USD (11.34 to 13.34)\n"
                             "avoidable per month: 13.34 USD\n"
                             "assumptions:\n"
                             "  scale-down-delay: 60s\n"
                             "evidence:\n"
                             "  hours off: 412.0\n"
                             "  saved in the past replayed: -3.45 USD\n"
                             "risks:\n"
                             "  no controller starts the pod again\n"
                             "  what it keeps in memory is lost at each stop\n"
                             "how:\n"
                             "  gpuledger-cli act plan a\n"
                             "  second line\n"));
        Proposal bare;
        bare.id = "commitments:p4d";
        bare.kind = Kind::Commitments;
        bare.target = "p4d";
        bare.excludedBy = Remark{RemarkText::NoOnDemandPrice, {}};
        QCOMPARE(cli::proposalText(bare),
                 std::string("p4d\nid: commitments:p4d\nkind: commitments\nsaves per month: -\n"
                             "avoidable per month: -\nnot counted: its on-demand price is unknown\n"));
        const cli::Json json = cli::proposalJson(bare);
        for (const char *key : {"owner", "currency", "per_month", "avoidable", "how"})
            QVERIFY(json[key].is_null());
        QVERIFY(json["assumptions"].is_object() && json["evidence"].is_object() && json["risks"].is_array());
        QCOMPARE(json["excluded_by"].get<std::string>(), std::string("its on-demand price is unknown"));
    }

    // Names come from labels that anybody in a cluster may write.
    void hostileTextReachesNoTerminal()
    {
        const std::string evil = "x\x1b[31m\xE2\x80\xAE\r";
        Proposal one = switchedOff(evil, 1234);
        one.owner = one.how = evil;
        one.risks = {{RemarkText::NamespaceOf, {savings::textTerm(evil)}}};
        one.evidence = {{{RemarkText::EnvironmentOf, {savings::textTerm(evil)}}, savings::textTerm(evil)}};
        one.assumptions = {{evil, evil}};
        Proposal out = one;
        out.id += "2";
        out.excludedBy = Remark{RemarkText::CountedAlready, {savings::textTerm(evil)}};
        const SavingsList list = listed({one, out});
        for (const std::string &text : {peopleRead(list, true), cli::proposalText(one), cli::proposalText(out)}) {
            QVERIFY(text.find("[31m") != std::string::npos);
            for (const char *bad : {"\x1b", "\xE2\x80\xAE", "\r"})
                QVERIFY(text.find(bad) == std::string::npos);
        }
        const std::string json = cli::jsonText(cli::proposalJson(one), cli::kOneLine);
        QVERIFY(std::none_of(json.begin(), json.end(), [](unsigned char c) { return c < 0x20 || c >= 0x7F; }));
        one.target = "=1+1";
        QVERIFY(cli::savingsCsv({one}).find(",\"'=1+1\",") != std::string::npos);
    }

    void theCommandsOfAnActionAreQuotedForTheShell()
    {
        services::ProposalAct act;
        QVERIFY(cli::actJson(act).is_null());
        QCOMPARE(cli::actText(act, {}), std::string());
        for (const char *id : {"a/b/nb-0/1", "a/b/it's $(rm)/2", "a/b/x\x1b[31m/3"}) {
            act.items.emplace_back();
            act.items.back().id = id;
        }
        const std::string stop = "idle now, to stop it:\n  gpuledger-cli act stop a/b/nb-0/1 'a/b/it'\\''s $(rm)/2'\n";
        QCOMPARE(cli::actText(act, {}), stop); // without what a terminal can't show
        QCOMPARE(cli::actJson(act)["stop"].size(), std::size_t{3});
        QVERIFY(cli::actJson(act)["mark"].empty());
        act.items.resize(1);
        act.canMark = true;
        QVERIFY(cli::actText(act, {}).ends_with("unless someone objects:\n"
                                                "  gpuledger-cli act mark a/b/nb-0/1 --after 24h\n"));
        act.markAfter = base::Seconds{601};
        QVERIFY(cli::actText(act, {}).ends_with("  gpuledger-cli act mark a/b/nb-0/1 --after 11m\n"));
        QCOMPARE(cli::actJson(act)["mark"][0].get<std::string>(), std::string("a/b/nb-0/1"));
        act = {};
        act.done.emplace_back();
        act.done.back().id = 7;
        act.done.back().state = model::ActionState::Verified;
        act.done.back().changedAt = base::parseTime("2026-11-01T13:00:00Z").value();
        QCOMPARE(cli::actText(act, {}),
                 std::string("stopped at 2026-11-01 13:00 (action 7); to bring it back:\n"
                             "  gpuledger-cli act undo 7\n"));
        act.done.back().intent.verb = model::StopVerb::Delete; // nothing was kept from which it could be made again
        QCOMPARE(cli::actText(act, {}), std::string("stopped at 2026-11-01 13:00 (action 7); it can't be undone\n"));
        QCOMPARE(cli::actJson(act)["stopped"][0]["at"].get<std::string>(), std::string("2026-11-01T13:00:00Z"));
    }

    void aSheetHasExactAmounts()
    {
        Proposal one = switchedOff("notebook", 1234);
        one.how = "a \"b\"\nc";
        QCOMPARE(cli::savingsCsv({one}),
                 std::string("id,kind,target,owner,per_month_p10,per_month_p50,per_month_p90,avoidable,currency,"
                             "assumptions,evidence,risks,how,excluded_by,counted_p10,counted_p50,counted_p90\r\n"
                             "schedule:notebook,schedule,notebook,research,11.340000000,12.340000000,13.340000000,"
                             "13.340000000,USD,scale-down-delay: 60s,hours off: 412.0; saved in the past replayed: "
                             "-3.45 USD,no controller starts the pod again; what it keeps in memory is lost at each "
                             "stop,\"a \"\"b\"\"\nc\",,11.340000000,12.340000000,13.340000000\r\n"));
    }
};

GPULEDGER_PLAIN_SUITE(TestSavingsPrint)

} // namespace tst_savingsprint

#include "tst_savingsprint.moc"
