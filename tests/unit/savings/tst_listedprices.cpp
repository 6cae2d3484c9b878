// SPDX-License-Identifier: GPL-3.0-or-later
// Price lists on their way to the cache and back: no field is lost, and what is not stored is said.
#include "app/services/savingsinputs/listedprices.h"
#include "app/services/savingsinputs/paidprices.h"
#include "app/services/savingsinputs/pricefiles.h"
#include "tests/support/suite.h"

#include <QtTest>

using namespace gpuledger;
using namespace gpuledger::savings;

namespace {

constexpr char kOwnList[] = "https://prices.example.org/own.csv";

QuoteList ownList(const std::string &rows)
{
    const auto lists = services::priceLists();
    return services::readFetchedPrices(
               {kOwnList,
                "provider,gpu_model,gpus,currency,per_hour,purchase,term_months,payment,upfront,source\n" + rows,
                true,
                {},
                {}},
               lists.value())
        .value();
}

store::PriceListState stateOf(const std::string &problem, std::optional<base::UtcTime> readAt)
{
    return {kOwnList, base::fromUnix(200), readAt, {}, problem};
}

} // namespace

class TestListedPrices : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void termsComeBackFromTheCache()
    {
        const QuoteList list = ownList("neo,H100,8,EUR,9.5,commitment,24,partial,17520,\n"
                                       "neo,H100,8,EUR,9.5,3-years,,none,0,\n"
                                       "neo,H100,8,EUR,12,on-demand,,,,\n");
        QCOMPARE(list.quotes.size(), std::size_t{3});
        const auto offers = services::offersOf(list);
        QCOMPARE(offers.size(), list.quotes.size());
        for (std::size_t i = 0; i < offers.size(); ++i) {
            store::StoredPrice stored;
            stored.offer = offers[i];
            stored.lastSeen = base::fromUnix(86400 * 20'000);
            const PriceQuote back = services::listedPrice(stored).quote, &one = list.quotes[i];
            QVERIFY(back.termMonths == one.termMonths && back.payment == one.payment && back.upfront == one.upfront);
            QVERIFY(back.perHour == one.perHour && back.purchase == one.purchase && back.microGpus == one.microGpus);
            QVERIFY(back.contracted && back.source == kOwnList && back.provider == "neo" && back.gpuName == "H100");
            QVERIFY(back.seen == base::Day{20'000});
        }
        QVERIFY(list.quotes[0].termMonths == 24 && list.quotes[1].termMonths == 36);
    }

    void aListIsNotTheOwnBills()
    {
        const QuoteList list = ownList("neo,H100,8,EUR,12,,,,,own bills\n"
                                       "neo,H100,8,EUR,12,,,,,a letter\n");
        QCOMPARE(list.quotes.size(), std::size_t{2});
        QCOMPARE(list.quotes[0].source, std::string(kOwnList));
        QCOMPARE(list.quotes[1].source, std::string("a letter"));
    }

    void saysWhichListsHaveNoNewPrices()
    {
        model::PriceSettings settings;
        settings.own.push_back({{}, kOwnList, {}, {}});
        const auto unread = [&](const std::vector<store::PriceListState> &states) {
            return services::unreadLists(settings, states, base::fromUnix(1000));
        };
        QVERIFY(unread({stateOf("", base::fromUnix(100))}).empty());
        QCOMPARE(unread({}).size(), std::size_t{1});
        QVERIFY(!unread({}).front().readAt);
        const auto failed = unread({stateOf("gone", base::fromUnix(100))});
        QVERIFY(failed.size() == 1 && failed[0].problem == "gone" && failed[0].readAt == base::fromUnix(100));
        // It was taken out of the configuration, and is in it again: its prices ended.
        const auto again = unread({stateOf("", std::nullopt)});
        QVERIFY(again.size() == 1 && again[0].problem.empty() && !again[0].readAt);
    }

    void saysWhichListsHaveATimeToCome()
    {
        model::PriceSettings settings;
        settings.own.push_back({{}, kOwnList, {}, {}});
        const base::UtcTime now = base::fromUnix(1'800'000'000);
        const auto at = [&](base::Seconds after) {
            return services::unreadLists(settings, {stateOf("", now + after)}, now);
        };
        QVERIFY(at(store::kPriceClockSkew).empty());
        const auto ahead = at(store::kPriceClockSkew + base::Seconds{1});
        QVERIFY(ahead.size() == 1 && ahead[0].isAhead && ahead[0].problem.empty());
        QVERIFY(ahead[0].readAt == now + store::kPriceClockSkew + base::Seconds{1});
        QVERIFY(!services::unreadLists(settings, {stateOf("gone", now)}, now).front().isAhead);
    }
};

GPULEDGER_SUITE(TestListedPrices)
#include "tst_listedprices.moc"
