// SPDX-License-Identifier: GPL-3.0-or-later
// Days that are stored for the replays of savings: for random fleets they give every collector what a walk gives it,
// also after a late change of facts or bills and under other rules, and a damaged one is not used.
#include "app/services/savingsinputs/capacitypools.h"
#include "app/services/savingsinputs/days/hourrecorder.h"
#include "app/services/savingsinputs/days/keptdays.h"
#include "app/services/savingsinputs/rightsizefacts.h"
#include "app/services/savingsinputs/schedule/schedulefacts.h"
#include "app/store/dayfacts/dayfactstore.h"
#include "app/store/sqlite/pagevfs.h"
#include "resources/resources.h"
#include "tests/support/fleets/randomcompany.h"
#include "tests/support/suite.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QTest>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <future>
#include <set>
#include <span>
#include <sstream>
#include <string>

namespace tst_keptdays {

using namespace gpuledger;
using namespace gpuledger::tests;

namespace {

constexpr base::Seconds kAnHour{3600};

void tell(std::ostream &out, const std::vector<savings::CapacityPool> &pools)
{
    for (const savings::CapacityPool &pool : pools) {
        out << pool.id << '|' << pool.owner << '|' << static_cast<int>(pool.scaler) << pool.standalone << ' '
            << pool.gpus << ' ' << pool.unallocated.ticks << '\n';
        for (const savings::CapacityNode &node : pool.nodes) {
            out << node.name << ' ' << static_cast<int>(node.terms);
            for (const std::string &device : node.devices)
                out << ' ' << device;
            for (const savings::CapacityHour hour : node.hours)
                out << ' ' << hour.nanos << ',' << hour.allocated << hour.present << hour.known << hour.priced;
            for (const savings::SmallHold &hold : node.small) {
                out << " small " << hold.first << '+' << hold.count;
                for (const std::uint32_t work : hold.work)
                    out << ' ' << pool.work[work].name << '/' << pool.work[work].owner;
            }
            out << '\n';
        }
        for (const savings::ShareCounts &shares : pool.shares) {
            for (const savings::ShareCount &share : shares.bySize())
                out << share.gpus << 'x' << share.count << ' ';
            out << ';';
        }
    }
}

void tell(std::ostream &out, const savings::SchedulePast &past)
{
    for (const savings::ScheduleWorkload &one : past.workloads) {
        out << one.id << '|' << one.owner << '|' << one.protection << '|' << one.controllerKind << '|' << one.replicas
            << ' ' << one.sunk.ticks << ' ' << one.shared.ticks << ' ' << one.unknown.ticks << '\n';
        for (const savings::ScheduleHour &h : one.hours)
            out << h.hour << ':' << h.held.ticks << ',' << h.active.ticks << ',' << h.unobserved.ticks << ','
                << h.unpriced.ticks << ',' << h.cost << ' ';
        for (const savings::ScheduleEnding &e : one.endings)
            out << e.hour << ':' << e.with << ',' << e.cost << ',' << e.idle << ',' << e.machine.ticks << ' ';
        for (const std::string &device : one.resources)
            out << device << ' ';
    }
    for (const auto &group : past.groups) {
        for (const std::int32_t other : group)
            out << other << ' ';
        out << ';';
    }
}

void tell(std::ostream &out, const std::vector<savings::RightSizeWorkload> &workloads)
{
    for (const savings::RightSizeWorkload &one : workloads) {
        out << one.id << '|' << one.owner << '|' << one.machine << '|' << static_cast<int>(one.tier) << one.inference
            << one.training << one.severalModels << one.severalMarkets << one.sliced << one.spread << ' ' << one.gpu
            << ' ' << one.market << ' ' << one.machineGpus << ' ' << one.heldGpus << ' ' << one.usedGpus << ' '
            << one.podGpus << ' ' << one.firstHour << '-' << one.lastHour << ' ' << one.cost << ' ' << one.ownSeconds
            << ' ' << one.ownCost << ' ' << one.ownBase;
        for (const base::GpuTime time : {one.held, one.unobserved, one.memoryUnknown, one.sunk, one.shared, one.unknown,
                                         one.unpriced, one.spot, one.coarse})
            out << ' ' << time.ticks;
        for (const auto &[load, ticks] : one.loads)
            out << ' ' << load.memory << '/' << load.activity << '=' << ticks;
        for (const savings::RightSizeHour &h : one.hours)
            out << ' ' << h.hour << ':' << h.machineSeconds << ',' << h.cost << ',' << h.base;
        for (const std::string &device : one.resources)
            out << ' ' << device;
        out << '\n';
    }
}

// Notes which days are walked.
class NotedReader final : public store::AttributionReader {
public:
    NotedReader(store::AttributionReader &of, std::set<base::Day> &walked)
        : m_of(of)
        , m_walked(walked)
    {
    }
    base::Result<void> walk(base::Day first, base::Day last, std::span<const base::DeviceId> devices,
                            const Visitor &visit) override
    {
        for (base::Day day = first; day <= last; ++day.number)
            m_walked.insert(day);
        return m_of.walk(first, last, devices, visit);
    }
    store::FactReader *facts() override { return m_of.facts(); }
    bool hasStoredCost() const override { return m_of.hasStoredCost(); }
    base::Result<store::IdleReader *> kept() override { return m_of.kept(); }

private:
    store::AttributionReader &m_of;
    std::set<base::Day> &m_walked;
};

// A company's cache under some rules.
struct Asked {
    explicit Asked(Company &of, model::Settings rules = companyRules(), const char *ofZone = kCompanyZone)
        : company(of)
        , zone(base::TimeZone::find(ofZone).value())
        , settings(std::move(rules))
        , ledger(ledger::Ledger::create(settings).value())
        , store(store::LedgerStore::open(company.folder).value())
    {
    }

    base::TimeRange known() const { return store->facts().value()->coveredRange().value(); }

    std::string pasts(base::TimeRange range, bool isKept)
    {
        const auto generation = store->generation().value();
        const auto facts = store->facts().value();
        const auto all = ledger->attribution(*facts);
        walked.clear();
        NotedReader noted(*all, walked);
        store::AttributionReader *const attribution = &noted;
        const auto kept =
            isKept ? services::KeptDays::open(*store, generation, *ledger, settings, *attribution).value() : nullptr;
        const auto terms = [&](const std::vector<model::PlacedDevice> &devices, base::UtcTime at) {
            return ledger->costTerms(*facts, devices, at);
        };
        const auto catalog = ledger::GpuCatalog::load(resources::find("prices/gpus.csv").value()).value();
        const auto prices = ledger::PriceBook::create(settings.prices, settings.currency,
                                                      resources::find("prices/instances.csv").value(), catalog)
                                .value();
        const auto schedule =
            services::scheduleCollector(facts.get(),
                                        {savings::scheduleRange(range, zone), zone, settings.currency, {}, true}, terms)
                .value();
        const auto sized =
            services::rightSizeCollector(*attribution,
                                         {range, settings.currency, model::toShare(settings.idle.threshold), {}, true},
                                         catalog, prices, terms, {}, kept.get(), schedule->recent())
                .value();
        const auto capacity = services::capacityCollector(range);
        const std::array<services::DayCollector *, 3> collectors{sized.get(), schedule.get(), capacity.get()};
        if (const auto done = services::collectDays(*attribution, collectors, {}, kept.get()); !done)
            qFatal("%s", done.error().text.c_str());
        std::ostringstream out;
        const savings::RightSizePast past = sized->take().value();
        tell(out, past.workloads);
        tell(out, past.earlier);
        for (const std::uint64_t name : past.earlierNames)
            out << name << ' ';
        for (const auto &[key, works] : past.sliceWork) {
            out << key.first << '/' << key.second;
            for (const savings::RightSizeSliceWork &one : works)
                out << ' ' << one.heldGpus << ',' << one.usedGpus << ',' << one.inference << ',' << one.peak.p99Memory
                    << ',' << one.peak.p95Activity << ',' << one.held.ticks << ',' << one.unobserved.ticks << ','
                    << one.memoryUnknown.ticks;
        }
        tell(out, schedule->take().value());
        tell(out, capacity->take(*ledger, *facts).value());
        return out.str();
    }

    std::size_t keptDays()
    {
        const auto facts = store->facts().value();
        const auto attribution = ledger->attribution(*facts);
        const auto kept =
            services::KeptDays::open(*store, store->generation().value(), *ledger, settings, *attribution).value();
        std::size_t days = 0;
        for (base::Day day = base::dayOf(known().start); day <= base::dayOf(known().end); ++day.number)
            days += kept->has(day).value() ? 1 : 0;
        return days;
    }

    Company &company;
    const base::TimeZone zone;
    std::set<base::Day> walked; // by the last pasts()
    const model::Settings settings;
    const std::unique_ptr<ledger::Ledger> ledger;
    const std::unique_ptr<store::LedgerStore> store;
};

base::TimeRange hoursOf(base::TimeRange range)
{
    return {base::ceilTo(range.start, kAnHour), base::floorTo(range.end, kAnHour)};
}

// Walked, walked and stored, and as stored; the first if they are the same.
std::string same(Asked &asked, base::TimeRange range)
{
    const std::string walked = asked.pasts(range, false);
    return asked.pasts(range, true) == walked && asked.pasts(range, true) == walked ? walked : std::string();
}

} // namespace

class TestKeptDays : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void giveWhatAWalkGives()
    {
        std::size_t days = 0;
        for (std::uint64_t seed = 31; seed <= 36; ++seed) {
            Company company(seed, static_cast<Telling>(seed % 3));
            Asked asked(company);
            const base::TimeRange known = hoursOf(asked.known());
            QVERIFY2(!same(asked, known).empty(), std::to_string(seed).c_str());
            // A part of them, which begins and ends within days.
            QVERIFY(!same(asked, {known.start + 5 * kAnHour, known.end - 7 * kAnHour}).empty());
            days += asked.keptDays();
        }
        QVERIFY(days > 6);
    }

    void areReadInsteadOfWalked()
    {
        Company company(38, Telling::Tidy);
        Asked asked(company);
        const base::TimeRange known = hoursOf(asked.known());
        asked.pasts(known, true);
        const std::set<base::Day> before = asked.walked;
        const std::size_t kept = asked.keptDays();
        QVERIFY(kept > 0);
        asked.pasts(known, true);
        QCOMPARE(asked.walked.size() + kept, before.size());
        for (const base::Day day : asked.walked) // incomplete, or not all of it is asked for
            QVERIFY(day.start() < known.start || known.end < day.end());
    }

    // Hours of local time lie across those of UTC, so that every day is walked each time: none is stored for nothing.
    void areNotStoredWhereNoQuestionReadsThem()
    {
        Company company(39, Telling::Tidy);
        Asked asked(company, companyRules(), "Asia/Kolkata");
        QVERIFY(!same(asked, hoursOf(asked.known())).empty());
        QCOMPARE(asked.keptDays(), std::size_t{0});
    }

    void areStoredOnlyForTheStateThatTheyAreOf()
    {
        Company company(40, Telling::Tidy);
        const Asked asked(company);
        store::DayFactStore days = asked.store->dayFacts();
        const std::int64_t now = asked.store->generation().value();
        const base::Day day{20000};
        const auto isPut = [&](std::int64_t generation) {
            return std::async(std::launch::async,
                              [&] {
                                  return days.put({{day, "data"}}, "rules", generation).value();
                              })
                .get();
        };
        QVERIFY(!isPut(now - 1));
        QVERIFY(!days.read(day, "rules", now).value());
        {
            const auto writing = asked.store->beginWrite().value();
            QVERIFY(!isPut(now)); // does not wait
        }
        QVERIFY(isPut(now));
        QCOMPARE(days.read(day, "rules", now).value().value_or(""), std::string("data"));
        QVERIFY(!days.read(day, "others", now).value());
        QVERIFY(!days.read(day, "rules", now + 1).value());
        QVERIFY(days.days("rules", now).value() == std::set<base::Day>{day});
        QVERIFY(days.days("others", now).value() == std::set<base::Day>{});
        QVERIFY(!days.days("rules", now + 1).value());
        const auto reader = store::LedgerStore::open(company.folder, {.readOnly = true}).value();
        QVERIFY(days.canPut() && !reader->dayFacts().canPut());
        QCOMPARE(reader->dayFacts().read(day, "rules", now).value().value_or(""), std::string("data"));
    }

    // Walking days that can't be stored would be for nothing.
    void noneIsMissingOnceTheCacheHasChanged()
    {
        Company company(40, Telling::Tidy);
        const Asked asked(company);
        const base::TimeRange known = asked.known();
        const auto missing = [&](std::int64_t generation) {
            return services::missingDays(*asked.store, generation, *asked.ledger, asked.settings,
                                         base::dayOf(known.start), base::dayOf(known.end))
                .value()
                .size();
        };
        const std::int64_t now = asked.store->generation().value();
        QVERIFY(missing(now) > 0);
        QCOMPARE(missing(now - 1), std::size_t{0});
    }

    void oldOnesAreRemoved()
    {
        Company company(40, Telling::Tidy);
        const Asked asked(company);
        store::DayFactStore days = asked.store->dayFacts();
        const std::int64_t now = asked.store->generation().value();
        const auto put = [&](std::int32_t day, const char *rules) {
            QVERIFY(days.put({{{day}, "data"}}, rules, now).value());
        };
        const auto stored = [&](const char *rules) { return days.days(rules, now).value().value(); };
        put(20000, "1 a");
        put(20001, "1 b");
        put(20401, "1 a"); // 400 days after the second
        QCOMPARE(stored("1 a"), (std::set<base::Day>{{20401}}));
        QCOMPARE(stored("1 b"), (std::set<base::Day>{{20001}})); // another configuration may be in use again
        put(20402, "2 a"); // another form
        QVERIFY(stored("1 a").empty() && stored("1 b").empty());
        QCOMPARE(stored("2 a"), (std::set<base::Day>{{20402}}));
        put(10000, "2 a");
        QCOMPARE(stored("2 a"), (std::set<base::Day>{{20402}}));
    }

    void aLateChangeIsWalkedAgain()
    {
        for (std::uint64_t seed = 41; seed <= 43; ++seed) {
            Company company(seed, static_cast<Telling>(seed % 3));
            Asked asked(company);
            const base::TimeRange known = hoursOf(asked.known());
            const std::string before = same(asked, known);
            QVERIFY(!before.empty());
            const std::size_t kept = asked.keptDays();
            ports::FactBatch late = company.fleet.batch;
            for (auto &series : late.series) {
                for (model::UsageBucket &bucket : series.buckets)
                    bucket.activity = model::toShare(0.5);
            }
            QVERIFY(ledger::LedgerWriter(*asked.store, asked.ledger->rollup()).commit("late", late));
            QVERIFY(asked.keptDays() < kept);
            const std::string after = same(asked, hoursOf(asked.known()));
            QVERIFY(!after.empty() && after != before);
            const std::size_t keptAgain = asked.keptDays();
            company.bill(*asked.store, 7);
            QVERIFY(asked.keptDays() <= keptAgain);
            QVERIFY(!same(asked, hoursOf(asked.known())).empty());
        }
    }

    void areThoseOfTheRules()
    {
        Company company(51, Telling::Tidy);
        Asked asked(company);
        const base::TimeRange known = hoursOf(asked.known());
        const std::string usual = same(asked, known);
        QVERIFY(!usual.empty() && asked.keptDays() > 0);
        model::Settings busier = companyRules(), owned = companyRules(), guarded = companyRules();
        busier.idle.threshold = 0.6;
        model::OwnerRule everything;
        everything.kind = model::OwnerRule::Kind::Namespace;
        everything.match = model::OwnerRule::Match::Regex;
        everything.pattern = ".*";
        everything.team = "everybody";
        owned.owners.insert(owned.owners.begin(), everything);
        guarded.idle.protect = {{{}, "nowhere"}};
        for (const model::Settings &rules : {busier, owned, guarded}) {
            Asked other(company, rules);
            QCOMPARE(other.keptDays(), std::size_t{0});
            QVERIFY(!same(other, known).empty());
            QVERIFY(other.keptDays() > 0);
            QCOMPARE(asked.keptDays(), std::size_t{0});
        }
        QCOMPARE(same(asked, known), usual);
    }

    void aDamagedOneIsNotUsed()
    {
        Company company(61, Telling::Tidy);
        Asked asked(company);
        const auto facts = asked.store->facts().value();
        const auto attribution = asked.ledger->attribution(*facts);
        const base::Day day{base::dayOf(asked.known().start).number + 1};
        services::HourRecorder recorder(day, model::toShare(asked.settings.idle.threshold));
        std::size_t pieces = 0;
        QVERIFY(attribution->walk(day, day, {}, [&](const model::DeviceAttribution &device) -> base::Result<void> {
            recorder.add(device);
            ++pieces;
            return {};
        }));
        const std::string blob = recorder.take().value();
        const auto devices = facts->devices().value();
        const auto nodes = facts->nodes().value();
        services::HourFleet fleet;
        for (const model::Node &node : nodes)
            fleet.nodes.emplace(node.id.value, &node);
        std::size_t read = 0;
        const auto isRead = [&](base::Day of, const std::string &text) {
            services::HourDay hours;
            const bool isWhole = hours.read(of, text, fleet);
            read = hours.pieces().size();
            return isWhole;
        };
        QVERIFY(pieces > 0 && !isRead(day, blob)); // its devices are unknown
        for (const model::Device &device : devices)
            fleet.devices.emplace(device.id.value, &device);
        QVERIFY(isRead(day, blob));
        QCOMPARE(read, pieces);
        QVERIFY(!isRead({day.number + 1}, blob));
        for (std::size_t i = 0; i < blob.size(); i += 5) {
            std::string other = blob;
            other[i] = static_cast<char>(other[i] ^ 4);
            QVERIFY(!isRead(day, other));
            QVERIFY(!isRead(day, blob.substr(0, i)));
        }
    }

    // A page of the table that can't be read costs the stored days and not the answer.
    void daysOnADamagedPageAreWalked()
    {
        Company company(62, Telling::Tidy);
        std::string before;
        base::TimeRange known;
        {
            Asked asked(company);
            known = hoursOf(asked.known());
            before = same(asked, known);
            QVERIFY(!before.empty() && asked.keptDays() > 0);
        }
        const std::filesystem::path file = company.folder / "ledger.db";
        std::int64_t page = 0, size = 0;
        {
            SQLite::Database database(file.string(), SQLite::OPEN_READWRITE, 0, store::pageVfs());
            database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
            page = database.execAndGet("SELECT rootpage FROM sqlite_master WHERE name = 'day_fact'").getInt64();
            size = database.execAndGet("PRAGMA page_size").getInt64();
        }
        {
            std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
            bytes.seekp((page - 1) * size);
            bytes.write("damaged", 7);
            QVERIFY(bytes.good());
        }
        Asked again(company);
        QCOMPARE(again.pasts(known, true), before);
        QVERIFY(again.walked.size() > 1);
    }
};

GPULEDGER_SUITE(TestKeptDays)

} // namespace tst_keptdays

#include "tst_keptdays.moc"
