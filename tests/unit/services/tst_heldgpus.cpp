// SPDX-License-Identifier: GPL-3.0-or-later
// How many GPUs a team holds, of which a plan may stop a share.
#include "app/services/actions/fleetquestions.h"
#include "app/services/actions/liveenvironment.h"
#include "tests/support/fakes/fakeenvironment.h"
#include "tests/support/fakes/nosecrets.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>

namespace tst_heldgpus {

using namespace gpuledger;
using base::Result;
using base::UtcTime;
using namespace std::chrono_literals;

namespace {

constexpr UtcTime kQuarter{1'770'003'000s}; // a whole quarter hour

// One team that has held four GPUs for days, synced until some time.
class SteadyFleet final : public services::FleetQuestions {
public:
    SteadyFleet(UtcTime now, UtcTime synced)
        : m_synced(synced)
    {
        m_clock.time = now;
    }
    const model::Settings &settings() const override { return m_settings; }
    const base::Clock &clock() const override { return m_clock; }
    std::vector<model::OwnerRule> ownerRules() const override { return {}; }
    std::string expressionSource(const std::string &) const override { return {}; }
    bool isReport() const override { return false; }
    Result<void> syncNow(const std::string &, std::stop_token) override { return {}; }
    Result<base::TimeRange> coveredRange() override { return base::TimeRange{m_synced - 48h, m_synced}; }
    Result<insight::Reach> reach(base::TimeRange) override { return insight::Reach{}; }
    Result<insight::IdleList> idle(UtcTime, const insight::Filter &, model::CostView) override
    {
        return insight::IdleList{};
    }
    Result<insight::Summary> summary(const insight::Query &query, const insight::Dimension &) override
    {
        const base::Seconds known = std::min(query.range.end, m_synced) - query.range.start;
        insight::SummaryRow row;
        row.key = "vision";
        row.time.idle.ticks = 4 * known.count() * base::GpuTime::kTicksPerSecond;
        insight::Summary out;
        out.rows = {row};
        return out;
    }

private:
    tests::SteppedClock m_clock;
    UtcTime m_synced;
    model::Settings m_settings;
};

class NoCatalog final : public ports::SourceCatalog {
public:
    ports::SourceKinds kinds() const override { return {}; }
    Result<std::unique_ptr<ports::TelemetrySource>> create(const model::SourceSettings &,
                                                           const std::vector<model::ExporterMappingText> &,
                                                           ports::SecretStore &, const base::Clock &) const override
    {
        return base::fail(base::ErrorCode::Unsupported, "no source");
    }
};

} // namespace

class TestHeldGpus : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Between a sync and the plan, a quarter of an hour may have begun that nothing is known of yet.
    void timeSinceTheSyncDoesNotCount_data()
    {
        QTest::addColumn<int>("now");
        QTest::addColumn<int>("synced");
        QTest::newRow("in the middle of a quarter") << 400 << 300;
        QTest::newRow("synced to the second") << 0 << 0;
        QTest::newRow("right after a quarter has begun") << 1 << -300;
        QTest::newRow("a sync of an hour ago") << 1 << -3600;
    }
    void timeSinceTheSyncDoesNotCount()
    {
        QFETCH(int, now);
        QFETCH(int, synced);
        SteadyFleet fleet(kQuarter + base::Seconds(now), kQuarter + base::Seconds(synced));
        const NoCatalog catalog;
        tests::NoSecrets secrets;
        services::LiveEnvironment environment(fleet, catalog, secrets, "somebody");
        const auto held = environment.heldGpus();
        QVERIFY(held);
        QCOMPARE(held->size(), std::size_t{1});
        QCOMPARE(held->at("vision"), 4.0);
    }
};

GPULEDGER_SUITE(TestHeldGpus)

} // namespace tst_heldgpus

#include "tst_heldgpus.moc"
