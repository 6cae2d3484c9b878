// SPDX-License-Identifier: GPL-3.0-or-later
// Price lists on their way to the cache and back: no field is lost, and what is not stored is said.
#include "app/services/engine/engine.h"
#include "app/services/prices/listedprices.h"
#include "app/services/prices/paidprices.h"
#include "app/services/prices/pricefiles.h"
#include "app/services/sources/pricelistsync.h"
#include "app/services/sources/syncreport.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/fakesource.h"
#include "tests/support/fleets/scenario.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QtTest>

namespace tst_listedprices {

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

// Serves one list with the tag "a", and notes which tags it was asked with.
class ListServer final : public ports::SourceCatalog {
public:
    ports::SourceKinds kinds() const override { return {}; }
    base::Result<std::unique_ptr<ports::TelemetrySource>> create(const model::SourceSettings &,
                                                                 const std::vector<model::ExporterMappingText> &,
                                                                 ports::SecretStore &,
                                                                 const base::Clock &) const override
    {
        return base::fail(base::ErrorCode::Unsupported, "no source");
    }
    base::Result<ports::FetchedText> fetchText(const ports::TextRequest &request,
                                               const std::stop_token &) const override
    {
        asked.push_back(request.tag);
        if (request.tag == "a")
            return ports::FetchedText{true, {}, "a", 0};
        return ports::FetchedText{false, "provider,gpu_model,gpus,currency,per_hour\nneo,H100 SXM,8,EUR,9.5\n", "a", 1};
    }
    mutable std::vector<std::string> asked;
};

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

    // "Unchanged" is no answer for a text that was read in another way.
    void aListThatAnotherVersionReadIsSentAgain()
    {
        QTemporaryDir dir;
        const std::filesystem::path folder = dir.path().toStdString();
        const base::FrozenClock clock(base::fromUnix(1'700'000'000));
        const ListServer server;
        tests::NoSecrets secrets;
        auto settings = tests::pricedSettings();
        settings.prices.own.push_back({{}, kOwnList, {}, {}});
        const auto engine = services::Engine::open(settings, {folder, "UTC", false, "alex"}, server, secrets, clock);
        QVERIFY(engine.has_value());
        const auto sync = [&] {
            const auto reports = services::syncPriceLists(**engine, std::nullopt, base::Seconds{0}, {});
            return reports.size() == 1 && !reports.front().error;
        };
        const auto tag = [&] { return (*engine)->cache().prices().lists().value().at(0).tag; };
        QVERIFY(sync() && sync());
        QCOMPARE(server.asked, (std::vector<std::string>{"", "a"}));
        const std::string now = tag();
        QVERIFY(now.starts_with(services::priceReading()));
        auto prices = (*engine)->cache().prices();
        for (const std::string &before : {now.substr(services::priceReading().size() + 1), "0" + now}) {
            QVERIFY(prices.put(kOwnList, {}, before, clock.now()).has_value()); // as another version left it
            QVERIFY(sync());
            QCOMPARE(server.asked.back(), std::string());
            QCOMPARE(prices.current().value().size(), std::size_t{1});
            QCOMPARE(tag(), now);
        }
    }
};

GPULEDGER_SUITE(TestListedPrices)

} // namespace tst_listedprices

#include "tst_listedprices.moc"
