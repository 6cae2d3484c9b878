// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/proposals/proposal.h"
#include "app/savings/proposals/seededrandom.h"
#include "tests/support/savingsremarks.h"
#include "tests/support/suite.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <set>

namespace tst_proposals {

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

const base::TimeRange kRange{base::fromUnix(0), base::fromUnix(28 * 86400)};

base::Money amountIn(const std::string &currency, std::int64_t nanos)
{
    return {nanos, base::Currency::parse(currency).value()};
}

Proposal proposed(Kind kind, const std::string &name, std::int64_t nanos, std::vector<std::string> resources,
                  const std::string &currency = "USD")
{
    Proposal one;
    one.id = std::string(toString(kind)) + ':' + name;
    one.kind = kind;
    one.target = name;
    one.currency = currency;
    one.perMonth = {amountIn(currency, nanos - 10), amountIn(currency, nanos), amountIn(currency, nanos + 20)};
    one.avoidable = amountIn(currency, nanos + 20);
    one.resources = std::move(resources);
    return one;
}

const Proposal &itemOf(const SavingsList &list, const std::string &id)
{
    const auto found =
        std::find_if(list.items.begin(), list.items.end(), [&](const Proposal &one) { return one.id == id; });
    Q_ASSERT(found != list.items.end());
    return *found;
}

bool counts(const Proposal &one)
{
    return !one.excludedBy;
}

// Few resources and few amounts, so that many overlap and many tie.
std::vector<Proposal> randomProposals(SeededRandom &random)
{
    std::vector<Proposal> all;
    const std::int64_t count = random.below(14);
    for (std::int64_t i = 0; i < count; ++i) {
        std::vector<std::string> resources;
        for (std::int64_t k = random.below(4); k > 0; --k)
            resources.push_back("gpu-" + std::to_string(random.below(8)));
        Proposal one =
            proposed(kKinds[static_cast<std::size_t>(random.below(std::int64_t{kKinds.size()}))], std::to_string(i),
                     random.below(7) * 100, resources, random.below(4) == 0 ? "EUR" : "USD");
        const std::int64_t state = random.below(8);
        if (state == 0)
            one.excludedBy = Remark{RemarkText::WorkMoves, {}};
        if (state == 1) {
            one.perMonth.reset();
            if (random.below(2) != 0)
                one.excludedBy = Remark{RemarkText::TooMuchUnpriced, {}};
        }
        all.push_back(std::move(one));
    }
    return all;
}

int stepOf(Kind kind) // capacity, schedule and right-size; then spot; then commitments
{
    return kind == Kind::Commitments ? 3 : kind == Kind::Spot ? 2 : 1;
}

bool isBetterThan(const Proposal &a, const Proposal &b)
{
    if (stepOf(a.kind) != stepOf(b.kind))
        return stepOf(a.kind) < stepOf(b.kind);
    if (a.perMonth->p50.nanos() != b.perMonth->p50.nanos())
        return a.perMonth->p50.nanos() > b.perMonth->p50.nanos();
    return a.kind != b.kind ? a.kind < b.kind : a.id < b.id;
}

bool overlap(const Proposal &a, const Proposal &b)
{
    return a.currency == b.currency
        && std::any_of(a.resources.begin(), a.resources.end(), [&](const std::string &resource) {
               return std::count(b.resources.begin(), b.resources.end(), resource) > 0;
           });
}

// By the definition and without any order: a candidate counts if no better one that counts shares a resource with it.
bool countsByDefinition(const Proposal &one, const std::vector<Proposal> &all)
{
    if (!one.perMonth || !counts(one) || one.perMonth->p50.nanos() <= 0)
        return false;
    return std::none_of(all.begin(), all.end(), [&](const Proposal &other) {
        return other.perMonth && counts(other) && overlap(one, other) && isBetterThan(other, one)
            && countsByDefinition(other, all);
    });
}

std::vector<std::string> idsOf(const SavingsList &list)
{
    std::vector<std::string> ids;
    for (const Proposal &one : list.items)
        ids.push_back(one.id);
    return ids;
}

} // namespace

class TestProposals : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void copiesOfASharedListChangeApart()
    {
        SharedList<Assumption> first{{"policy", "nights"}};
        const SharedList<Assumption> own = first;
        QVERIFY(&own[0] != &first[0]);
        first.share();
        first.share();
        SharedList<Assumption> second = first;
        QVERIFY(&second[0] == &first[0]);
        second.push_back({"seed", "1"});
        QCOMPARE(first.size(), std::size_t(1));
        QCOMPARE(second.size(), std::size_t(2));
        QCOMPARE(second.front().value, std::string("nights"));
        QCOMPARE(second.back().name, std::string("seed"));
        first.change().clear();
        QVERIFY(first.empty() && own.size() == 1 && second.size() == 2);
        first.share();
        QVERIFY(SharedList<Assumption>(first).empty());
    }

    void namesOfKindsAreReadBack()
    {
        std::set<std::string> names;
        for (const Kind kind : kKinds) {
            QVERIFY(kindFrom(toString(kind)) == kind);
            names.insert(std::string(toString(kind)));
        }
        QVERIFY((names == std::set<std::string>{"capacity", "schedule", "right-size", "spot", "commitments"}));
        for (const char *other : {"", "Capacity", "capacity ", "schedul", "spots"})
            QVERIFY(!kindFrom(other));
    }

    // What each proposal of these tests is checked for.
    void aRemarkWithOtherTermsIsFound()
    {
        const RemarkTerm one = countTerm(1);
        QVERIFY(tests::areTermsRight({RemarkText::NodeHoursUnpriced, {one, one}}));
        QVERIFY(!tests::areTermsRight({RemarkText::NodeHoursUnpriced, {one}}));
        QVERIFY(!tests::areTermsRight({RemarkText::NodeHoursUnpriced, {one, one, one}}));
        QVERIFY(!tests::areTermsRight({RemarkText::CardNumber, {remarkTerm({RemarkText::CountedAlready, {}})}}));
    }

    void nothingIsNothing()
    {
        const SavingsList list = withoutDoubleCounting(kRange, {});
        QVERIFY(list.range == kRange);
        QVERIFY(list.sums.empty() && list.items.empty());
    }

    // B loses to A, so it does not hold the resource that it shares with C.
    void theLoserOfAChainFreesTheNext()
    {
        const SavingsList list = withoutDoubleCounting(kRange,
                                                       {proposed(Kind::Schedule, "c", 100, {"2"}),
                                                        proposed(Kind::Schedule, "b", 200, {"1", "2"}),
                                                        proposed(Kind::Schedule, "a", 300, {"1"})});
        QVERIFY(counts(itemOf(list, "schedule:a")));
        QVERIFY(counts(itemOf(list, "schedule:c")));
        QVERIFY(tests::isExcludedBy(itemOf(list, "schedule:b"), RemarkText::CountedAlready));
        QCOMPARE(tests::said(itemOf(list, "schedule:b").excludedBy), std::string("counted already in schedule:a"));
        QCOMPARE(list.sums.size(), std::size_t(1));
        QCOMPARE(list.sums[0].perMonth.p50.nanos(), std::int64_t(400));
        QCOMPARE(list.sums[0].perMonth.p10.nanos(), std::int64_t(380));
        QCOMPARE(list.sums[0].perMonth.p90.nanos(), std::int64_t(440));
        QVERIFY((idsOf(list) == std::vector<std::string>{"schedule:a", "schedule:c", "schedule:b"}));
    }

    void equalAmountsGoToTheEarlierKindThenToTheId()
    {
        const SavingsList kinds = withoutDoubleCounting(kRange,
                                                        {proposed(Kind::Commitments, "a", 100, {"1"}),
                                                         proposed(Kind::Schedule, "b", 100, {"1"}),
                                                         proposed(Kind::Capacity, "c", 100, {"1"})});
        QVERIFY(counts(itemOf(kinds, "capacity:c")));
        QVERIFY(!counts(itemOf(kinds, "schedule:b")) && !counts(itemOf(kinds, "commitments:a")));
        const SavingsList sizes = withoutDoubleCounting(
            kRange,
            {proposed(Kind::Commitments, "a", 100, {"1", "2"}), proposed(Kind::RightSize, "b", 100, {"1", "2"}),
             proposed(Kind::Schedule, "c", 100, {"3"}), proposed(Kind::RightSize, "d", 100, {"3"})});
        QVERIFY(counts(itemOf(sizes, "right-size:b")) && !counts(itemOf(sizes, "commitments:a")));
        QVERIFY(counts(itemOf(sizes, "schedule:c")) && !counts(itemOf(sizes, "right-size:d")));
        const SavingsList ids = withoutDoubleCounting(
            kRange, {proposed(Kind::Schedule, "b", 100, {"1"}), proposed(Kind::Schedule, "a", 100, {"1"})});
        QVERIFY(counts(itemOf(ids, "schedule:a")) && !counts(itemOf(ids, "schedule:b")));
    }

    void currenciesNeverCompete()
    {
        const SavingsList list = withoutDoubleCounting(
            kRange,
            {proposed(Kind::Schedule, "usd", 100, {"1"}, "USD"), proposed(Kind::Schedule, "eur", 900, {"1"}, "EUR")});
        QVERIFY(counts(list.items[0]) && counts(list.items[1]));
        QCOMPARE(list.sums.size(), std::size_t(2));
        QCOMPARE(list.sums[0].currency, std::string("EUR"));
        QCOMPARE(list.sums[1].perMonth.p50.nanos(), std::int64_t(100));
    }

    void whatIsExcludedHoldsNothing()
    {
        Proposal unknown = proposed(Kind::Capacity, "unknown", 0, {"1"});
        unknown.perMonth.reset();
        Proposal refused = proposed(Kind::Capacity, "refused", 900, {"1"});
        refused.excludedBy = Remark{RemarkText::TooYoung, {}};
        const SavingsList list =
            withoutDoubleCounting(kRange, {unknown, refused, proposed(Kind::Schedule, "small", 100, {"1"})});
        QVERIFY(counts(itemOf(list, "schedule:small")));
        QVERIFY(!counts(itemOf(list, "capacity:unknown")));
        QVERIFY(tests::isExcludedBy(itemOf(list, "capacity:refused"), RemarkText::TooYoung));
        QVERIFY(tests::isExcludedBy(itemOf(list, "capacity:unknown"), RemarkText::CantCompute));
        QVERIFY((idsOf(list) == std::vector<std::string>{"schedule:small", "capacity:refused", "capacity:unknown"}));
        QCOMPARE(list.sums[0].perMonth.p50.nanos(), std::int64_t(100));
    }

    void whatSavesNothingDoesNotCount()
    {
        const SavingsList list = withoutDoubleCounting(kRange,
                                                       {proposed(Kind::Capacity, "none", 0, {"1"}),
                                                        proposed(Kind::Capacity, "loss", -5, {"2"}),
                                                        proposed(Kind::Schedule, "little", 1, {"3"})});
        QVERIFY(tests::isExcludedBy(itemOf(list, "capacity:none"), RemarkText::SavedNothing));
        QVERIFY(tests::isExcludedBy(itemOf(list, "capacity:loss"), RemarkText::SavedNothing));
        QVERIFY(counts(itemOf(list, "schedule:little")));
        QCOMPARE(list.sums[0].perMonth.p50.nanos(), std::int64_t(1));
    }

    // A sum that no Money can hold leaves out what does not fit, and says so.
    void aSumThatOverflowsLeavesOut()
    {
        constexpr std::int64_t kHuge = 9'000'000'000'000'000'000;
        const SavingsList list = withoutDoubleCounting(kRange,
                                                       {proposed(Kind::Capacity, "a", kHuge, {"1"}),
                                                        proposed(Kind::Schedule, "b", kHuge - 1, {"2"}),
                                                        proposed(Kind::Schedule, "c", 100, {"2"})});
        QVERIFY(counts(itemOf(list, "capacity:a")) && counts(itemOf(list, "schedule:c")));
        QVERIFY(tests::isExcludedBy(itemOf(list, "schedule:b"), RemarkText::CantAdd));
        QCOMPARE(list.sums[0].perMonth.p50.nanos(), kHuge + 100);
    }

    void randomOnesAreAsDefined()
    {
        SeededRandom random(22, 1);
        for (int round = 0; round < 3000; ++round) {
            std::vector<Proposal> all = randomProposals(random);
            const SavingsList list = withoutDoubleCounting(kRange, all);
            QCOMPARE(list.items.size(), all.size());
            std::set<std::string> ids;
            std::set<std::pair<std::string, std::string>> taken;
            std::map<std::string, std::int64_t> p10, p50, p90, avoidable;
            std::map<std::pair<std::string, Kind>, std::int64_t> byKind;
            for (const Proposal &before : all) {
                const Proposal &after = itemOf(list, before.id);
                QVERIFY(ids.insert(after.id).second);
                QCOMPARE(counts(after), countsByDefinition(before, all));
                if (before.excludedBy)
                    QVERIFY(tests::isExcludedBy(after, before.excludedBy->text));
                tests::checked(after);
                if (!counts(after))
                    continue;
                const std::set<std::string> own(after.resources.begin(), after.resources.end());
                for (const std::string &resource : own)
                    QVERIFY(taken.insert({after.currency, resource}).second);
                p10[after.currency] += after.perMonth->p10.nanos();
                p50[after.currency] += after.perMonth->p50.nanos();
                p90[after.currency] += after.perMonth->p90.nanos();
                avoidable[after.currency] += after.avoidable->nanos();
                byKind[{after.currency, after.kind}] += after.perMonth->p50.nanos();
            }
            QCOMPARE(list.sums.size(), p50.size());
            auto currency = p50.begin();
            std::size_t parts = 0;
            for (const SavingsSum &sum : list.sums) {
                QCOMPARE(sum.currency, (currency++)->first);
                QCOMPARE(sum.perMonth.p10.nanos(), p10[sum.currency]);
                QCOMPARE(sum.perMonth.p50.nanos(), p50[sum.currency]);
                QCOMPARE(sum.perMonth.p90.nanos(), p90[sum.currency]);
                QVERIFY(sum.perMonth.p90.nanos() <= avoidable[sum.currency]);
                QVERIFY(std::is_sorted(sum.byKind.begin(), sum.byKind.end(),
                                       [](const auto &a, const auto &b) { return a.first < b.first; }));
                for (const auto &[kind, band] : sum.byKind)
                    QCOMPARE(band.p50.nanos(), byKind.at({sum.currency, kind}));
                parts += sum.byKind.size();
            }
            QCOMPARE(parts, byKind.size());
        }
    }

    void theOrderOfTheEnginesDoesNotMatter()
    {
        SeededRandom random(22, 2);
        for (int round = 0; round < 500; ++round) {
            std::vector<Proposal> all = randomProposals(random);
            const SavingsList list = withoutDoubleCounting(kRange, all);
            for (std::size_t i = all.size(); i > 1; --i)
                std::swap(all[i - 1], all[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
            const SavingsList turned = withoutDoubleCounting(kRange, all);
            QVERIFY(idsOf(turned) == idsOf(list));
            for (std::size_t i = 0; i < list.items.size(); ++i)
                QCOMPARE(tests::said(turned.items[i].excludedBy), tests::said(list.items[i].excludedBy));
            // And it says the same of its own answer.
            QVERIFY(idsOf(withoutDoubleCounting(kRange, list.items)) == idsOf(list));
            const auto firstOut = std::find_if_not(list.items.begin(), list.items.end(), counts);
            QVERIFY(std::none_of(firstOut, list.items.end(), counts));
            QVERIFY(std::is_sorted(list.items.begin(), firstOut, [](const Proposal &a, const Proposal &b) {
                return a.perMonth->p50.nanos() > b.perMonth->p50.nanos();
            }));
        }
    }
};

GPULEDGER_PLAIN_SUITE(TestProposals)

} // namespace tst_proposals

#include "tst_proposals.moc"
