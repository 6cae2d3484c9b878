// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ledger/commit/ledgerwriter.h"
#include "app/ledger/commit/verifyledger.h"
#include "app/store/ledgerstore.h"
#include "tests/support/fakes/countingbuilder.h"
#include "tests/support/fleets/storefixture.h"
#include "tests/support/suite.h"

#include <QTemporaryDir>
#include <QTest>

#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace tst_ledgerstore {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

constexpr std::int64_t kDay = base::kBucketsPerDay;

#define OK(expression)                                                                                                 \
    do {                                                                                                               \
        const auto &okResult = (expression);                                                                           \
        QVERIFY2(okResult.has_value(), okResult ? "" : okResult.error().text.c_str());                                 \
    } while (false)

std::unique_ptr<store::LedgerStore> openIn(const QTemporaryDir &dir)
{
    auto store = store::LedgerStore::open(dir.path().toStdString());
    if (!store)
        qWarning("%s", store.error().text.c_str());
    return store ? std::move(*store) : nullptr;
}

// The contents of the cache after the batches, one commit each.
std::string dumpAfter(const std::vector<ports::FactBatch> &batches)
{
    QTemporaryDir dir;
    CountingBuilder builder;
    {
        const auto store = openIn(dir);
        for (const ports::FactBatch &batch : batches) {
            if (const auto done = ledger::LedgerWriter(*store, builder).commit("prom", batch); !done)
                return "commit failed: " + done.error().text;
        }
        const auto problems = ledger::verify(*store, builder);
        if (!problems || !problems->empty())
            return "verify failed: " + (problems ? problems->front().what : problems.error().text);
    }
    return dumpOf(dir.filePath(QStringLiteral("ledger.db")).toStdString());
}

} // namespace

class TestLedgerStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opensCommitsAndReadsBack()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        QVERIFY(store);
        QCOMPARE(store->notes().size(), std::size_t{0});
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + kDay)));

        const auto facts = store->facts();
        OK(facts);
        QCOMPARE((*facts)->nodes()->size(), std::size_t{2});
        QCOMPARE((*facts)->nodes()->front().labels.at("pool"), std::string("a"));
        const auto devices = (*facts)->devices();
        QCOMPARE(devices->size(), std::size_t{3});
        QCOMPARE(devices->at(2).slices.size(), std::size_t{1});
        QCOMPARE(devices->at(2).slices[0].fraction.of, std::int64_t{7});
        QCOMPARE((*facts)->placements({})->size(), std::size_t{3});
        QVERIFY(*(*facts)->coveredRange() == bucketRange(kFirstBucket, kFirstBucket + kDay));
        const auto holders = (*facts)->holders(bucketRange(kFirstBucket, kFirstBucket + kDay));
        QCOMPARE(holders->size(), std::size_t{4});
        QVERIFY(holders->at(1).seen == bucketRange(kFirstBucket + 90, kFirstBucket + 190));
        QCOMPARE(holders->at(1).gpuRequests.at("nvidia_com_gpu"), std::int64_t{1});

        int days = 0, buckets = 0;
        OK((*facts)->deviceDays({20400}, {20400}, {}, [&](const model::DeviceDay &d) -> base::Result<void> {
            ++days;
            for (const auto &t : d.tracks) {
                buckets += static_cast<int>(t.buckets.size());
                for (auto b : t.buckets) {
                    auto expected = usageAt(kFirstBucket + b.index, static_cast<int>(d.device.value) - 1);
                    expected.index = b.index;
                    if (!(b == expected))
                        return base::fail(base::ErrorCode::Internal, "a bucket came back changed");
                }
            }
            return {};
        }));
        QCOMPARE(days, 3);
        int perDevice = 0;
        for (std::int64_t b = kFirstBucket; b < kFirstBucket + kDay; ++b)
            perDevice += b % 37 != 0;
        QCOMPARE(buckets, 3 * perDevice);
        OK(ledger::verify(*store, builder));
        QVERIFY(ledger::verify(*store, builder)->empty());
    }

    void readsTheCubeBack()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 2 * kDay)));
        const auto cube = store->cube();
        OK(cube);
        const auto groups = (*cube)->groups();
        OK(groups);
        std::vector<char> wanted;
        std::set<std::string> names;
        for (const auto &[id, key] : *groups) {
            names.insert(key.team + "/" + key.workloadKind);
            wanted.resize(static_cast<std::size_t>(id.value) + 1, 0);
            wanted.back() = key.workloadKind == "pod";
        }
        QVERIFY(names.contains("ml/pod") && names.contains("ml/held") && names.contains("/"));
        std::int64_t ticks = 0, rows = 0;
        OK((*cube)->rows({20400}, {20401}, {store::Measure::ActiveTicks, store::Measure::CostIdle}, wanted,
                         [&](base::GroupId, base::Day, store::Measure measure, const store::CellRow &cells) {
                             QCOMPARE(measure, store::Measure::ActiveTicks);
                             ++rows;
                             for (const std::int64_t cell : cells)
                                 ticks += cell;
                         }));
        std::int64_t expected = 0;
        for (std::int64_t b = kFirstBucket; b < kFirstBucket + 2 * kDay; ++b)
            expected += b % 37 == 0 ? 0 : usageAt(b, 0).observed * 2520;
        QCOMPARE(rows, 2);
        QCOMPARE(ticks, expected);
    }

    void givesTheSameRowsHoweverTheTimeIsCut()
    {
        const std::int64_t end = kFirstBucket + 3 * kDay + 77;
        const std::string whole = dumpAfter({fleetBatch(kFirstBucket, end)});
        QVERIFY2(whole.find("failed") == std::string::npos, whole.c_str());
        QVERIFY(whole.size() > 10000);
        QCOMPARE(dumpAfter({fleetBatch(kFirstBucket, end), fleetBatch(kFirstBucket, end)}), whole);
        std::vector<ports::FactBatch> chunks, overlapping, backwards;
        for (std::int64_t from = kFirstBucket; from < end; from += 131) {
            chunks.push_back(fleetBatch(from, std::min(end, from + 131)));
            overlapping.push_back(fleetBatch(std::max(kFirstBucket, from - 24), std::min(end, from + 131)));
        }
        backwards.assign(chunks.rbegin(), chunks.rend());
        QCOMPARE(dumpAfter(chunks), whole);
        QCOMPARE(dumpAfter(overlapping), whole);
        QCOMPARE(dumpAfter(backwards), whole);
    }
    void keepsTheNewestValueOfABucket()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 20)));
        auto late = fleetBatch(kFirstBucket + 5, kFirstBucket + 6);
        late.series.at(0).buckets.at(0).activity = 12345;
        builder.asked.clear();
        OK(ledger::LedgerWriter(*store, builder).commit("prom", late));
        QVERIFY(builder.asked == std::vector<base::Day>{{20400}});
        const auto facts = store->facts();
        OK((*facts)->deviceDays({20400}, {20400}, {}, [&](const model::DeviceDay &d) -> base::Result<void> {
            for (const auto &b : d.tracks.at(0).buckets) {
                if (b.activity == 12345 ? b.index != 5 || d.device.value != 1 : d.device.value == 1 && b.index == 5)
                    return base::fail(base::ErrorCode::Internal, "the late value is not where it belongs");
            }
            return {};
        }));
        QVERIFY(ledger::verify(*store, builder)->empty());
    }

    void tellsAPodRecreatedUnderItsNameApart()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 200)));
        const auto facts = store->facts();
        const auto holders = (*facts)->holders(bucketRange(kFirstBucket + 85, kFirstBucket + 95));
        QCOMPARE(holders->size(), std::size_t{2});
        QCOMPARE(holders->at(0).name, holders->at(1).name);
        QVERIFY(holders->at(0).uid != holders->at(1).uid);
        const auto spans = (*facts)->holderSpans(bucketRange(kFirstBucket + 85, kFirstBucket + 95));
        QCOMPARE(spans->size(), std::size_t{2});
        QVERIFY(spans->at(0).range == bucketRange(kFirstBucket, kFirstBucket + 100));
    }

    void findsWantedHoldersAsAmongAll()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 450)));
        const auto facts = store->facts();
        std::size_t found = 0;
        for (const auto &[from, to] :
             {std::pair(0, 450), std::pair(85, 95), std::pair(150, 160), std::pair(440, 900)}) {
            const auto range = bucketRange(kFirstBucket + from, kFirstBucket + to);
            for (const std::int64_t rest : {0, 1}) {
                using Seen = std::pair<model::Holder, std::vector<base::TimeRange>>;
                std::vector<Seen> all, wanted;
                const auto keep = [](std::vector<Seen> &into) {
                    return [&into](const model::Holder &holder, std::span<const base::TimeRange> spans) {
                        into.emplace_back(holder, std::vector(spans.begin(), spans.end()));
                        return base::Result<void>();
                    };
                };
                const auto isWanted = [&](const model::Holder &holder) -> base::Result<bool> {
                    return holder.id.value % 2 == rest && !holder.name.empty();
                };
                OK((*facts)->store::FactReader::eachWanted(range, isWanted, keep(all)));
                OK((*facts)->eachWanted(range, isWanted, keep(wanted)));
                QCOMPARE(wanted.size(), all.size());
                for (std::size_t i = 0; i < all.size(); ++i) {
                    const model::Holder &a = wanted[i].first, &b = all[i].first;
                    QCOMPARE(a.id, b.id);
                    QCOMPARE(
                        std::tie(a.cluster, a.nameSpace, a.name, a.uid, a.node, a.ownerKind, a.ownerName, a.labels),
                        std::tie(b.cluster, b.nameSpace, b.name, b.uid, b.node, b.ownerKind, b.ownerName, b.labels));
                    QVERIFY(a.completedAt == b.completedAt && a.seen == b.seen && wanted[i].second == all[i].second);
                }
                found += wanted.size();
            }
        }
        QVERIFY(found > 3);
    }

    void takesBackSpansOnlyOnACompleteAnswer()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 80)));
        ports::FactBatch empty;
        empty.covered = bucketRange(kFirstBucket + 20, kFirstBucket + 40);
        empty.complete = false;
        OK(ledger::LedgerWriter(*store, builder).commit("prom", empty));
        const auto all = bucketRange(kFirstBucket, kFirstBucket + 80);
        QCOMPARE((*store->facts())->holderSpans(all)->size(), std::size_t{1});
        QVERIFY(store->syncStates()->at(0).covered == all);
        empty.complete = true;
        OK(ledger::LedgerWriter(*store, builder)
               .commit("other", empty)); // what one source does not know says nothing about another's
        QCOMPARE((*store->facts())->holderSpans(all)->size(), std::size_t{1});
        OK(ledger::LedgerWriter(*store, builder).commit("prom", empty));
        const auto spans = (*store->facts())->holderSpans(all);
        QCOMPARE(spans->size(), std::size_t{2});
        QVERIFY(spans->at(0).range == bucketRange(kFirstBucket, kFirstBucket + 20));
        QVERIFY(spans->at(1).range == bucketRange(kFirstBucket + 40, kFirstBucket + 80));
        QVERIFY(ledger::verify(*store, builder)->empty());
    }

    void mergesSpansThatTwoSourcesKnow()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("a", fleetBatch(kFirstBucket, kFirstBucket + 30)));
        OK(ledger::LedgerWriter(*store, builder).commit("b", fleetBatch(kFirstBucket + 20, kFirstBucket + 60)));
        const auto spans = (*store->facts())->nodeSpans(bucketRange(kFirstBucket, kFirstBucket + 5));
        QCOMPARE(spans->size(), std::size_t{2});
        QVERIFY(spans->at(0).range == bucketRange(kFirstBucket, kFirstBucket + 60));
        QVERIFY(*(*store->facts())->coveredRange() == bucketRange(kFirstBucket, kFirstBucket + 60));
    }

    void touchesEarlierDaysOfAHolderWhoseDeviceBecomesKnown()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        auto early = fleetBatch(kFirstBucket, kFirstBucket + 95);
        early.series.clear();
        OK(ledger::LedgerWriter(*store, builder).commit("prom", early));
        builder.asked.clear();
        OK(ledger::LedgerWriter(*store, builder)
               .commit("prom", fleetBatch(kFirstBucket + kDay + 5, kFirstBucket + kDay + 10)));
        const std::set<base::Day> asked(builder.asked.begin(), builder.asked.end());
        QVERIFY(asked.contains({20400}) && asked.contains({20401}));
    }

    void leavesEverythingAsItIsWhenNothingIsNew()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        const auto batch = fleetBatch(kFirstBucket, kFirstBucket + kDay);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", batch));
        const auto generation = *store->generation();
        builder.asked.clear();
        OK(ledger::LedgerWriter(*store, builder).commit("prom", batch));
        QVERIFY(builder.asked.empty());
        QCOMPARE(*store->generation(), generation);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", {}));
        QCOMPARE(*store->generation(), generation);
        OK(ledger::LedgerWriter(*store, builder)
               .commit("prom", fleetBatch(kFirstBucket + kDay, kFirstBucket + kDay + 1)));
        QVERIFY(*store->generation() > generation);
    }

    void storesNothingWhenTheRollUpFails()
    {
        class Failing final : public ledger::RollupBuilder {
            base::Result<void> rebuild(std::span<const base::Day>, store::FactReader &, store::CubeWriter &) override
            {
                return base::fail(base::ErrorCode::Overflow, "too much");
            }
            std::string fingerprint() const override { return "1"; }
        } failing;
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 10)));
        const auto file = store->file();
        const std::string before = dumpOf(file);
        const auto done =
            ledger::LedgerWriter(*store, failing).commit("prom", fleetBatch(kFirstBucket + 10, kFirstBucket + 20));
        QVERIFY(!done && done.error().code == base::ErrorCode::Overflow);
        QCOMPARE(dumpOf(file), before);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket + 10, kFirstBucket + 20)));
    }

    void keepsNothingOfATransactionThatIsNotCommitted()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        const auto batch = fleetBatch(kFirstBucket, kFirstBucket + 10);
        const std::string before = dumpOf(store->file());
        {
            const auto transaction = store->beginWrite();
            OK(transaction);
            QVERIFY(!(*transaction)->changed());
            OK((*transaction)->putFacts("prom", batch));
            QVERIFY((*transaction)->changed());
            QVERIFY((*transaction)->touched() == std::set<base::Day>{{20400}});
            QCOMPARE((*transaction)->facts().devices()->size(), std::size_t{3});
            QVERIFY((*store->facts())->devices()->empty());
        }
        QCOMPARE(dumpOf(store->file()), before);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", batch)); // the lock was released
        QCOMPARE((*store->facts())->devices()->size(), std::size_t{3});
    }

    void refusesABatchThatPointsNowhere()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        auto batch = fleetBatch(kFirstBucket, kFirstBucket + 10);
        batch.series.at(0).device = 3;
        QVERIFY(!ledger::LedgerWriter(*store, builder).commit("prom", batch));
        batch = fleetBatch(kFirstBucket, kFirstBucket + 10);
        std::swap(batch.series.at(0).bucketNumbers.at(0), batch.series.at(0).bucketNumbers.at(1));
        QVERIFY(!ledger::LedgerWriter(*store, builder).commit("prom", batch));
        batch = fleetBatch(kFirstBucket, kFirstBucket + 10);
        batch.series.at(0).buckets.pop_back();
        QVERIFY(!ledger::LedgerWriter(*store, builder).commit("prom", batch));
        QVERIFY((*store->facts())->devices()->empty());
    }

    void keepsForeignTextAsText()
    {
        const std::string hostile = "x'); DROP TABLE node; -- \"\xE2\x80\xAE\n" + std::string("\0end", 4);
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        auto batch = fleetBatch(kFirstBucket, kFirstBucket + 10);
        batch.nodes.at(0).name = hostile;
        batch.nodes.at(0).labels = {{hostile, hostile}};
        batch.holders.at(0).name = hostile;
        batch.subjects.at(0).nameSpace = hostile;
        batch.series.at(2).gpuInstance = hostile;
        OK(ledger::LedgerWriter(*store, builder).commit(hostile, batch));
        const auto facts = store->facts();
        QVERIFY((*facts)->nodes()->at(0).name == hostile);
        QVERIFY((*facts)->nodes()->at(0).labels.at(hostile) == hostile);
        QVERIFY((*facts)->holders({})->at(0).name == hostile);
        QVERIFY((*facts)->subjects()->at(0).nameSpace == hostile);
        QVERIFY((*facts)->placements({})->at(2).gpuInstance == hostile);
        QVERIFY(store->syncStates()->at(0).source == hostile);
        QVERIFY(ledger::verify(*store, builder)->empty());
    }

    void newerAttributesWinAndUnknownOnesFillIn()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        auto newer = fleetBatch(kFirstBucket + 50, kFirstBucket + 60);
        newer.nodes.at(0).region = "eu-west-1";
        OK(ledger::LedgerWriter(*store, builder).commit("prom", newer));
        auto older = fleetBatch(kFirstBucket, kFirstBucket + 10);
        older.nodes.at(0).region = "us-east-1";
        older.nodes.at(0).cloud = "aws";
        older.devices.at(0).model = "";
        OK(ledger::LedgerWriter(*store, builder).commit("prom", older));
        const auto nodes = (*store->facts())->nodes();
        QCOMPARE(nodes->at(0).region, std::string("eu-west-1"));
        QCOMPARE(nodes->at(0).cloud, std::string("aws"));
        QVERIFY(!(*store->facts())->devices()->at(0).model.empty());
    }

    void rebuildsEverythingWhenTheRulesChange()
    {
        QTemporaryDir dir;
        CountingBuilder builder("1"), changed("2");
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 2 * kDay)));
        QCOMPARE(*ledger::LedgerWriter(*store, builder).refreshRollup(), false);
        QCOMPARE(*ledger::LedgerWriter(*store, changed).refreshRollup(), true);
        const std::set<base::Day> asked(changed.asked.begin(), changed.asked.end());
        QVERIFY(asked.contains({20400}) && asked.contains({20401}));
        QCOMPARE(*ledger::LedgerWriter(*store, changed).refreshRollup(), false);
    }

    void keepsHowASyncEnded()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 10)));
        store::SyncState state;
        state.source = "prom";
        state.lastAttempt = base::fromUnix(1763000000);
        state.lastError = "no answer";
        state.lastErrorCode = "timeout";
        state.accepted = 30;
        OK(store->saveSyncState(state));
        state.source = "never";
        OK(store->saveSyncState(state));
        const auto states = store->syncStates();
        QCOMPARE(states->size(), std::size_t{2});
        QCOMPARE(states->at(0).source, std::string("never"));
        QVERIFY(states->at(0).covered.empty());
        QCOMPARE(states->at(1).lastError, std::string("no answer"));
        QCOMPARE(states->at(1).accepted, std::uint64_t{30});
        QVERIFY(!states->at(1).lastSuccess.has_value());
        QVERIFY(states->at(1).covered == bucketRange(kFirstBucket, kFirstBucket + 10));
    }

    // Names, UUIDs, owners and labels are packed and stored once; any text is returned unchanged, also by the SQL
    // views.
    void namesAndTextsComeBackWhateverTheyAre()
    {
        struct Case {
            std::string name, uid, ownerName;
            model::Labels labels;
        };
        const std::vector<Case> cases{
            {"train-7d4b9-x2x", "0d9c33b4-1f6e-4f6a-9a55-0123456789ab", "train-7d4b9", {{"team", "vision"}}},
            {"train-7d4b9-x2x", "0d9c33b4-1f6e-4f6a-9a55-0123456789ac", "train", {{"team", "vision"}}},
            {"web-0", "0D9C33B4-1F6E-4F6A-9A55-0123456789AB", "web-0", {}},
            {"web-1", "0d9c33b4-1f6e-4f6a-9a55-0123456789a", "other", {{"quote", "a \"b\" \\ c"}}},
            {"Bär-1", "0d9c33b4x1f6e-4f6a-9a55-0123456789ab", "Bär", {{"name", "Bär"}}},
            {"bare", "", "", {{"empty", ""}}},
        };
        ports::FactBatch batch = fleetBatch(kFirstBucket, kFirstBucket + 20);
        const std::size_t others = batch.holders.size();
        for (const Case &c : cases) {
            model::Holder h;
            h.cluster = "c1";
            h.nameSpace = "names";
            h.name = c.name;
            h.uid = c.uid;
            h.ownerKind = c.ownerName.empty() ? "" : "Job";
            h.ownerName = c.ownerName;
            h.labels = c.labels;
            batch.holderSpans.push_back(
                {static_cast<std::uint32_t>(batch.holders.size()), bucketRange(kFirstBucket, kFirstBucket + 20)});
            batch.holders.push_back(h);
        }
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        for (int twice = 0; twice < 2; ++twice) { // the second finds what the first wrote
            OK(ledger::LedgerWriter(*store, builder).commit("prom", batch));
            const auto facts = store->facts();
            const auto holders = (*facts)->holders({});
            OK(holders);
            QCOMPARE(holders->size(), others + cases.size());
            for (std::size_t i = 0; i < cases.size(); ++i) {
                const model::Holder &back = holders->at(others + i), &told = batch.holders[others + i];
                QCOMPARE(back.name, told.name);
                QCOMPARE(back.uid, told.uid);
                QCOMPARE(back.ownerKind, told.ownerKind);
                QCOMPARE(back.ownerName, told.ownerName);
                QVERIFY(back.labels == told.labels);
                const std::string seen =
                    queryText(store->file(),
                              "SELECT name || '|' || uid || '|' || ifnull(owner_name, '') FROM holder_view"
                              " WHERE id = "
                                  + std::to_string(back.id.value));
                QCOMPARE(seen, told.name + "|" + told.uid + "|" + told.ownerName);
            }
        }
        QVERIFY(ledger::verify(*store, builder)->empty());
    }

    void verifyFindsWhatDoesNotFollowFromTheFacts()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + kDay)));
        QVERIFY(ledger::verify(*store, builder)->empty());
        const auto file = store->file();
        const auto damage = [&](const std::string &sql, const std::string &where) {
            const std::string beside = "ATTACH '" + file.string() + ".kept' AS other; ";
            executeOn(file, beside + "CREATE TABLE other.kept AS SELECT * FROM " + where + "; " + sql);
            const auto problems = ledger::verify(*store, builder);
            executeOn(file,
                      beside + "DELETE FROM " + where + "; INSERT INTO " + where
                          + " SELECT * FROM kept; DROP TABLE other.kept");
            return problems && !problems->empty() ? problems->front().where : std::string("nothing");
        };
        QCOMPARE(damage("DELETE FROM rollup WHERE id = (SELECT min(id) FROM rollup)", "rollup"), std::string("rollup"));
        QCOMPARE(damage("UPDATE rollup SET data = zeroblob(20) WHERE id = (SELECT max(id) FROM rollup)", "rollup"),
                 std::string("rollup"));
        QCOMPARE(damage("UPDATE usage_day SET data = x'00' WHERE id = (SELECT max(id) FROM usage_day)", "usage_day"),
                 std::string("usage_day"));
        QCOMPARE(damage("UPDATE usage_day SET data = (SELECT data FROM usage_day ORDER BY id LIMIT 1)", "usage_day"),
                 std::string("usage_day"));
        QCOMPARE(damage("UPDATE text SET value = replace(value, 'vision', 'visioN')", "text"), std::string("text"));
        QCOMPARE(damage("UPDATE subject SET name = 'train-1'", "subject"), std::string("subject"));
        QCOMPARE(damage("UPDATE holder_span SET span_end = span_end - 300", "holder_span"), std::string("rollup"));
        QVERIFY(ledger::verify(*store, builder)->empty());
    }

    void dropsGroupsThatNoDayHas()
    {
        QTemporaryDir dir;
        CountingBuilder builder;
        const auto store = openIn(dir);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", fleetBatch(kFirstBucket, kFirstBucket + 80)));
        const std::size_t before = (*store->cube())->groups()->size();
        ports::FactBatch empty;
        empty.covered = bucketRange(kFirstBucket, kFirstBucket + 80);
        OK(ledger::LedgerWriter(*store, builder).commit("prom", empty));
        QCOMPARE((*store->cube())->groups()->size(), before - 1);
        QVERIFY(ledger::verify(*store, builder)->empty());
    }
};

GPULEDGER_SUITE(TestLedgerStore)

} // namespace tst_ledgerstore

#include "tst_ledgerstore.moc"
