// SPDX-License-Identifier: GPL-3.0-or-later
// Price lists in the cache: what changed, what stayed, what vanished and came back, and a clock that goes back.
#include "app/store/ledgerstore.h"
#include "app/store/prices/pricestore.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <tuple>

namespace tst_pricestore {

using namespace gpuledger;
using store::PriceOffer;
using store::StoredPrice;

namespace {

constexpr char kList[] = "/etc/lists/neo_vms.csv";

base::UtcTime hour(int number)
{
    return base::fromUnix(1'800'000'000) + base::Seconds{3600} * number;
}

PriceOffer offer(std::int64_t nanos, const std::string &region = "eu-1")
{
    PriceOffer one;
    one.provider = "neo";
    one.region = region;
    one.machine = "n8";
    one.gpu = "H100";
    one.purchase = "on-demand";
    one.source = "neo_vms.csv";
    one.microGpus = 8'000'000;
    one.perHour = base::Money(nanos, base::Currency::usd());
    return one;
}

class PriceCache {
public:
    PriceCache()
        : m_store(*store::LedgerStore::open(m_folder.path().toStdString()))
    {
    }
    store::PriceStore prices() { return m_store->prices(); }
    store::PriceChanges put(const std::vector<PriceOffer> &offers, int at)
    {
        return prices().put(kList, offers, "", hour(at)).value();
    }
    std::vector<StoredPrice> history() { return prices().history().value(); }
    std::vector<StoredPrice> current() { return prices().current().value(); }
    std::int64_t generation() { return m_store->generation().value(); }
    void reopen()
    {
        m_store.reset();
        m_store = *store::LedgerStore::open(m_folder.path().toStdString());
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<store::LedgerStore> m_store;
};

} // namespace

class TestPriceStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsEveryFieldOfAnOffer()
    {
        PriceCache cache;
        PriceOffer one = offer(16'000'000'001);
        one.zone = "eu-1a";
        one.purchase = "1-year";
        one.payment = "partial";
        one.termMonths = 12;
        one.upfront = base::Money(50'000, base::Currency::usd());
        one.gpuModel = "H100 SXM";
        one.memoryMib = 81920;
        one.milliTflops = 989'000;
        one.seen = base::Day{20'700};
        one.contracted = true;
        cache.put({one, offer(5)}, 0);
        cache.reopen();
        const auto all = cache.current();
        QCOMPARE(all.size(), std::size_t{2});
        QVERIFY(all[0].offer == one);
        QVERIFY(all[1].offer == offer(5)); // what is unknown stays unknown
        QCOMPARE(all[0].list, std::string(kList));
    }

    void aChangedPriceIsANewRow()
    {
        PriceCache cache;
        cache.put({offer(100), offer(7, "us-1")}, 0);
        const auto changes = cache.put({offer(120), offer(7, "us-1")}, 5);
        QCOMPARE(changes.added, std::size_t{1});
        QCOMPARE(changes.ended, std::size_t{1});
        QCOMPARE(changes.same, std::size_t{1});
        const auto all = cache.history();
        QCOMPARE(all.size(), std::size_t{3});
        QCOMPARE(all[0].offer.perHour.nanos(), std::int64_t{100});
        QVERIFY(all[0].firstSeen == hour(0) && all[0].lastSeen == hour(0));
        QVERIFY(all[0].endedAt == hour(5));
        QVERIFY(all[1].firstSeen == hour(0) && all[1].lastSeen == hour(5) && !all[1].endedAt);
        QCOMPARE(all[2].offer.perHour.nanos(), std::int64_t{120});
        QVERIFY(all[2].firstSeen == hour(5) && !all[2].endedAt);
        QCOMPARE(cache.current().size(), std::size_t{2});
    }

    void theSameAgainMovesLastSeenAlone()
    {
        PriceCache cache;
        cache.put({offer(100)}, 0);
        const std::int64_t before = cache.generation();
        const auto changes = cache.put({offer(100), offer(100)}, 9);
        QCOMPARE(changes.added + changes.ended, std::size_t{0});
        QCOMPARE(cache.generation(), before);
        const auto all = cache.history();
        QCOMPARE(all.size(), std::size_t{1});
        QVERIFY(all[0].firstSeen == hour(0) && all[0].lastSeen == hour(9) && !all[0].endedAt);
        QVERIFY(cache.prices().confirm(kList, hour(11)));
        QVERIFY(cache.current()[0].lastSeen == hour(11));
        cache.put({offer(100, "us-1")}, 12);
        QVERIFY(cache.history()[0].lastSeen == hour(11)); // not the time at which it was gone
        QVERIFY(cache.generation() != before);
    }

    void anotherDescriptionIsNotAnotherPrice()
    {
        PriceCache cache;
        cache.put({offer(100)}, 0);
        PriceOffer described = offer(100);
        described.gpuModel = "H100 SXM";
        described.seen = base::Day{20'700};
        const auto changes = cache.put({described}, 1);
        QCOMPARE(changes.same, std::size_t{1});
        QCOMPARE(cache.history().size(), std::size_t{1});
        QVERIFY(cache.current()[0].offer == described);
    }

    void whatVanishedCanComeBack()
    {
        PriceCache cache;
        cache.put({offer(100), offer(7, "us-1")}, 0);
        cache.put({offer(7, "us-1")}, 2);
        QCOMPARE(cache.current().size(), std::size_t{1});
        cache.put({offer(100), offer(7, "us-1")}, 4);
        const auto all = cache.history();
        QCOMPARE(all.size(), std::size_t{3});
        QVERIFY(all[0].endedAt == hour(2));
        QVERIFY(all[2].offer == offer(100) && all[2].firstSeen == hour(4) && !all[2].endedAt);
    }

    void termsTellOffersApart()
    {
        PriceCache cache;
        std::vector<PriceOffer> all(5, offer(100));
        all[1].termMonths = 12;
        all[2].termMonths = 24;
        all[3] = all[4] = all[2];
        all[3].payment = "none";
        all[4].upfront = base::Money(0, base::Currency::usd());
        const auto first = cache.put(all, 0), second = cache.put(all, 1);
        QCOMPARE(first.added, std::size_t{5});
        QCOMPARE(second.same, std::size_t{5});
        const auto now = cache.current();
        QCOMPARE(now.size(), std::size_t{5});
        for (std::size_t i = 0; i < all.size(); ++i)
            QVERIFY(now[i].offer == all[i]);
    }

    void twoPricesOfOneOfferAreBothThere()
    {
        PriceCache cache;
        cache.put({offer(100), offer(110)}, 0);
        cache.put({offer(110), offer(100)}, 1);
        QCOMPARE(cache.history().size(), std::size_t{2});
        QCOMPARE(cache.current().size(), std::size_t{2});
    }

    void aClockThatGoesBackTurnsNoTimeRound()
    {
        PriceCache cache;
        cache.put({offer(100)}, 50);
        cache.put({offer(100)}, 10);
        QVERIFY(cache.current()[0].lastSeen == hour(50));
        QVERIFY(cache.prices().lists().value()[0].readAt == hour(10)); // when it was read by this clock
        cache.put({offer(120)}, 20);
        cache.put({offer(130)}, 60);
        const auto all = cache.history();
        QCOMPARE(all.size(), std::size_t{3});
        for (const StoredPrice &one : all)
            QVERIFY(one.firstSeen <= one.lastSeen && (!one.endedAt || one.lastSeen <= *one.endedAt));
        QVERIFY(all[0].endedAt == hour(50) && all[1].firstSeen == hour(50));
        QVERIFY(all[1].endedAt == hour(60) && all[2].firstSeen == hour(60));
    }

    void aClockThatWasAheadDoesNotStay()
    {
        constexpr int kYears = 70 * 365 * 24;
        PriceCache cache;
        cache.put({offer(100)}, 0);
        cache.put({offer(120)}, kYears);
        const auto tidied = cache.prices().tidy(hour(30)).value();
        QCOMPARE(tidied.ahead.size(), std::size_t{1});
        QVERIFY(tidied.ahead[0].newest == hour(kYears));
        auto state = cache.prices().lists().value().at(0);
        QVERIFY(state.newest == hour(30) && state.readAt == hour(30) && state.triedAt == hour(30));
        QVERIFY(cache.current().at(0).lastSeen == hour(30));
        cache.put({offer(130)}, 40);
        const auto all = cache.history();
        QCOMPARE(all.size(), std::size_t{3});
        QVERIFY(all[0].firstSeen == hour(0) && all[0].endedAt == hour(30));
        QVERIFY(all[1].firstSeen == hour(30) && all[1].endedAt == hour(40));
        QVERIFY(all[2].firstSeen == hour(40) && all[2].lastSeen == hour(40));
        QVERIFY(cache.prices().tidy(hour(40)).value().ahead.empty());
    }

    void aClockThatIsBehindCorrectsNothing()
    {
        PriceCache cache;
        cache.put({offer(100)}, 0);
        cache.put({offer(120)}, 30);
        QVERIFY(cache.prices().tidy(base::fromUnix(0)).value().ahead.empty());
        QVERIFY(cache.prices().tidy(hour(30 - 24)).value().ahead.empty()); // a small difference
        QVERIFY(cache.history()[0].endedAt == hour(30));
        QCOMPARE(cache.prices().tidy(hour(30 - 25)).value().ahead.size(), std::size_t{1});
    }

    void forgetsWhatEndedLongAgo()
    {
        constexpr int kKept = 400 * 24;
        PriceCache cache;
        cache.put({offer(1), offer(7, "gone"), offer(9, "back")}, 0);
        cache.put({offer(2)}, 10); // the others end
        cache.put({offer(3)}, 20);
        cache.put({offer(3), offer(9, "back")}, kKept);
        const auto prices = [&] {
            std::vector<std::int64_t> all;
            for (const StoredPrice &one : cache.history())
                all.push_back(one.offer.perHour.nanos());
            return all;
        };
        using Prices = std::vector<std::int64_t>;
        QCOMPARE(cache.prices().tidy(hour(kKept + 9)).value().forgotten, std::int64_t{0});
        cache.put({offer(3), offer(9, "back")}, kKept + 15);
        // A clock that is ahead forgets no more than the newest reading allows.
        QCOMPARE(cache.prices().tidy(hour(100 * kKept)).value().forgotten, std::int64_t{1});
        // What lasts into the time that is kept, and the last price of what was gone by then.
        QCOMPARE(prices(), (Prices{7, 9, 2, 3, 9}));
        constexpr int kMonth = 30 * 24; // a longer pause counts as one
        std::int64_t forgotten = 0;
        int at = kKept + 24;
        for (; at < 2 * kKept + kMonth; at += kMonth) {
            cache.put({offer(3), offer(9, "back")}, at);
            forgotten += cache.prices().tidy(hour(at)).value().forgotten;
        }
        QCOMPARE(forgotten, std::int64_t{2});
        QCOMPARE(prices(), (Prices{7, 3, 9}));
        const std::int64_t before = cache.generation();
        QCOMPARE(cache.prices().tidy(hour(at)).value().forgotten, std::int64_t{0});
        QCOMPARE(cache.generation(), before);
    }

    void syncsWithAClockThatIsAheadForgetNothing()
    {
        constexpr int kYears = 70 * 365 * 24;
        PriceCache cache;
        cache.put({offer(100)}, 0);
        cache.put({offer(120)}, 24);
        cache.put({offer(130)}, 48);
        for (const int at : {50, kYears, kYears + 1, kYears + 48, 2 * kYears}) {
            QCOMPARE(cache.prices().tidy(hour(at)).value().forgotten, std::int64_t{0});
            cache.put({offer(130)}, at);
        }
        QCOMPARE(cache.prices().tidy(hour(60)).value().ahead.size(), std::size_t{1});
        const auto all = cache.history();
        QCOMPARE(all.size(), std::size_t{3});
        QVERIFY(all[0].endedAt == hour(24) && all[1].endedAt == hour(48));
        QVERIFY(all[2].firstSeen == hour(48) && all[2].lastSeen == hour(60) && !all[2].endedAt);
    }

    // The same if it is back before the first price.
    void aClockThatIsBehindKeepsTheHistory()
    {
        constexpr int kWeek = 7 * 24, kWeeks = 10;
        PriceCache cache;
        for (int week = 0; week < kWeeks; ++week)
            cache.put({offer(100 + week)}, week * kWeek);
        const auto times = [&] {
            std::vector<std::pair<base::UtcTime, std::optional<base::UtcTime>>> all;
            for (const StoredPrice &one : cache.history())
                all.emplace_back(one.firstSeen, one.endedAt);
            return all;
        };
        const auto before = times();
        QCOMPARE(before.size(), std::size_t{kWeeks});
        for (const int at : {-5000, 100, 400}) {
            QVERIFY(cache.prices().tidy(hour(at)).value().ahead.empty());
            cache.put({offer(100 + kWeeks - 1)}, at);
            QVERIFY(times() == before);
        }
        QVERIFY(cache.prices().tidy(hour(kWeeks * kWeek)).value().ahead.empty());
        QVERIFY(times() == before);
    }

    void readsOnlyWhatIsAsked()
    {
        PriceCache cache;
        PriceOffer other = offer(5, "US-1");
        other.provider = "Old";
        other.gpu = "L4";
        other.gpuModel = "L4 24GB";
        other.purchase = "spot";
        other.microGpus = 1'000'000;
        cache.put({offer(1), other}, 0);
        cache.put({offer(2), other}, 10);
        const auto asked = [&](const store::PriceQuestion &question) {
            std::vector<std::int64_t> all;
            const auto found = cache.prices().history(question).value();
            for (const StoredPrice &one : found)
                all.push_back(one.offer.perHour.nanos());
            return all;
        };
        using Prices = std::vector<std::int64_t>;
        store::PriceQuestion question;
        QCOMPARE(asked(question), (Prices{1, 5, 2}));
        question.providers = {"x\"y", "oLD"};
        QCOMPARE(asked(question), Prices{5});
        question.regions = {"eu-1"};
        QCOMPARE(asked(question), Prices());
        question = {};
        question.regions = {"us-1"};
        QCOMPARE(asked(question), Prices{5});
        question = {};
        question.purchases = {"on-demand", "commitment"};
        QCOMPARE(asked(question), (Prices{1, 2}));
        question = {};
        question.microGpus = 1'000'000;
        QCOMPARE(asked(question), Prices{5});
        question = {};
        question.wantsGpu = [](const std::string &, const std::string &model) { return model == "L4 24GB"; };
        QCOMPARE(asked(question), Prices{5});
        question.wantsGpu = [](const std::string &gpu, const std::string &) { return gpu == "H100"; };
        QCOMPARE(asked(question), (Prices{1, 2}));
        question.range = base::TimeRange{hour(10), hour(11)};
        QCOMPARE(asked(question), Prices{2}); // the first had ended by then
        question.range = base::TimeRange{hour(9), hour(10)};
        QCOMPARE(asked(question), Prices{1}); // the second began then
        question.wantsGpu = [](const std::string &, const std::string &) { return false; };
        QCOMPARE(asked(question), Prices());
    }

    // Two programs read the list at the same time: what is stored first stays.
    void aReadingThatTookLongerIsNotStored()
    {
        PriceCache cache;
        const store::ReadBefore never{}, once{hour(1)};
        auto prices = cache.prices();
        QVERIFY(!prices.put(kList, {offer(1)}, "new", hour(1), never).value().isSuperseded);
        QVERIFY(prices.put(kList, {offer(2)}, "old", hour(0), never).value().isSuperseded);
        QVERIFY(prices.confirm(kList, hour(5), never));
        QVERIFY(prices.fail(kList, "too slow", hour(5), never));
        const auto state = prices.lists().value().at(0);
        QVERIFY(state.readAt == hour(1) && state.triedAt == hour(1) && state.tag == "new" && state.problem.empty());
        QCOMPARE(cache.history().size(), std::size_t{1});
        QVERIFY(prices.confirm(kList, hour(5), once));
        QVERIFY(prices.lists().value().at(0).readAt == hour(5));
    }

    void aFailedReadingKeepsWhatIsStored()
    {
        PriceCache cache;
        QVERIFY(cache.prices().fail(kList, "it is not there", hour(0)));
        auto state = cache.prices().lists().value().at(0);
        QVERIFY(!state.readAt && state.triedAt == hour(0) && state.problem == "it is not there");
        QVERIFY(cache.prices().put(kList, {offer(100)}, "tag", hour(1)).has_value());
        state = cache.prices().lists().value().at(0);
        QVERIFY(state.readAt == hour(1) && state.problem.empty() && state.tag == "tag");
        QVERIFY(cache.prices().fail(kList, "it is garbage", hour(2)));
        state = cache.prices().lists().value().at(0);
        QVERIFY(state.readAt == hour(1) && state.triedAt == hour(2) && state.problem == "it is garbage");
        QCOMPARE(state.tag, std::string("tag"));
        QVERIFY(cache.current().at(0).lastSeen == hour(1) && !cache.current().at(0).endedAt);
    }

    void aListThatWasNeverReadCannotBeConfirmed()
    {
        PriceCache cache;
        QVERIFY(cache.prices().confirm(kList, hour(1)));
        QVERIFY(cache.prices().lists().value().empty());
    }

    void pricesBetweenReadingsAreKeptWithTheirTimes()
    {
        PriceCache cache;
        const auto put = [&](std::int64_t current, std::vector<store::PriceStep> steps, int at) {
            return cache.prices().put(kList, {offer(current)}, "", hour(at), std::nullopt, steps).value();
        };
        using Times = std::tuple<std::int64_t, base::UtcTime, std::optional<base::UtcTime>>;
        const auto told = [&] {
            std::vector<Times> out;
            for (const StoredPrice &one : cache.history()) {
                QTest::qVerify(one.lastSeen >= one.firstSeen && one.endedAt.value_or(one.lastSeen) >= one.lastSeen,
                               "ordered", "", __FILE__, __LINE__);
                out.emplace_back(one.offer.perHour.nanos(), one.firstSeen, one.endedAt);
            }
            std::sort(out.begin(), out.end(),
                      [](const Times &a, const Times &b) { return std::get<1>(a) < std::get<1>(b); });
            return out;
        };
        // In any order; twice the same price is once; what begins after the reading is not in it.
        put(30,
            {{offer(30), hour(8)},
             {offer(10), hour(1)},
             {offer(10), hour(3)},
             {offer(20), hour(5)},
             {offer(40), hour(11)}},
            10);
        const std::vector<Times> first{{10, hour(1), hour(5)}, {20, hour(5), hour(8)}, {30, hour(8), std::nullopt}};
        QVERIFY(told() == first);
        const std::int64_t before = cache.generation();
        put(30, {{offer(20), hour(5)}, {offer(30), hour(8)}}, 12); // nothing happened since
        QVERIFY(told() == first);
        QCOMPARE(cache.generation(), before);
        // The one before the last reading is the one that was current then.
        QCOMPARE(put(30, {{offer(30), hour(8)}, {offer(50), hour(14)}, {offer(30), hour(16)}}, 18).added,
                 std::size_t{2});
        const std::vector<Times> second{{10, hour(1), hour(5)},
                                        {20, hour(5), hour(8)},
                                        {30, hour(8), hour(14)},
                                        {50, hour(14), hour(16)},
                                        {30, hour(16), std::nullopt}};
        QVERIFY(told() == second);
        // A price that AWS corrected afterwards begins with the reading that had the other one.
        put(60, {{offer(60), hour(17)}}, 20);
        QVERIFY(told().back() == Times(60, hour(18), std::nullopt));
        // Of another offer nothing ends, and an offer that the list no longer has ends with the reading.
        QVERIFY(cache.prices()
                    .put(kList, {offer(5, "eu-2")}, "", hour(22), std::nullopt, {{offer(5, "eu-2"), hour(21)}})
                    .has_value());
        const auto all = told();
        QVERIFY(all[all.size() - 2] == Times(60, hour(18), hour(22)));
        QVERIFY(all.back() == Times(5, hour(21), std::nullopt));
        cache.reopen();
        QVERIFY(told() == all);
    }

    void pricesOfOtherListsEnd()
    {
        PriceCache cache;
        QVERIFY(cache.prices().put("a", {offer(1)}, "x", hour(0)).has_value());
        QVERIFY(cache.prices().put("b", {offer(1)}, "y", hour(0)).has_value());
        QVERIFY(cache.prices().keepOnly({"b"}, hour(3)));
        const auto left = cache.current();
        QCOMPARE(left.size(), std::size_t{1});
        QCOMPARE(left[0].list, std::string("b"));
        QVERIFY(cache.history()[0].endedAt == hour(3));
        // A server must send its text again: nothing of it is stored.
        const auto state = cache.prices().lists().value().at(0);
        QCOMPARE(state.tag, std::string());
        QVERIFY(!state.readAt);
        QVERIFY(cache.prices().confirm("a", hour(3)));
        QVERIFY(!cache.prices().lists().value().at(0).readAt);
        const std::int64_t before = cache.generation();
        QVERIFY(cache.prices().keepOnly({"b"}, hour(4)));
        QCOMPARE(cache.generation(), before);
    }
};

GPULEDGER_SUITE(TestPriceStore)

} // namespace tst_pricestore

#include "tst_pricestore.moc"
