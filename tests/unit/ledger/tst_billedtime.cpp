// SPDX-License-Identifier: GPL-3.0-or-later
// The billed GPU time of one day's machines against the GPU time that telemetry saw: what was seen and the rest are
// never more than what was paid, and where there is a doubt, nothing is split.
#include "app/base/time/gputime.h"
#include "app/ledger/bills/billedhours.h"
#include "tests/support/suite.h"

#include <QTest>

#include <cmath>
#include <memory>

namespace tst_billedtime {

using namespace gpuledger;
using namespace gpuledger::ledger;

namespace {

constexpr std::int64_t kHourTicks = 3600 * base::GpuTime::kTicksPerSecond;

struct Told {
    std::string cloud = "azure", sku = "box", type; // type of a machine with `gpus` GPUs; empty: not given
    std::int64_t gpus = 0; // of that type, or of the SKU
    double hours = 0;
    std::string meter{};
    bool isRefund = false, isCorrection = false;
    std::string source = "bill";
};

class Bill {
public:
    // Each node: hours of its devices, which stand at the positions 0, 1, …; all have a record.
    void node(const std::vector<double> &hours)
    {
        m_nodes.emplace_back();
        m_nodes.back().node = &m_record;
        for (const double one : hours)
            device(m_nextDevice++, one, static_cast<int>(m_nodes.back().positions.size()));
    }
    // Adds to the last node.
    void device(std::int64_t id, double hours, int position)
    {
        NodeDay &last = m_nodes.back();
        last.devices[id] += ticks(hours);
        last.positions.insert(position);
        last.ticks += ticks(hours);
    }
    // GPU-hours of the rest; 0: no split.
    double rest(const std::vector<Told> &lines, bool isGroup = false)
    {
        BillMatch::Found found;
        found.isGroup = isGroup;
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            found.nodes.push_back(i);
        BilledHours hours(m_nodes);
        std::vector<std::unique_ptr<model::BillLine>> kept;
        std::vector<std::pair<store::BilledItem, BillItem>> items;
        for (const Told &told : lines) {
            items.push_back(itemOf(told, kept));
            hours.add(items.back().first, items.back().second, found, told.isRefund);
        }
        const auto split = hours.splitOf(found);
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < lines.size(); ++i)
            sum += lines[i].isRefund ? 0 : hours.restOf(items[i].first, items[i].second, found);
        if (split ? sum > split->rest || sum < split->rest - std::ssize(lines) : sum != 0)
            qFatal("the lines have %lld of the rest", static_cast<long long>(sum));
        return split ? static_cast<double>(split->rest) / kHourTicks : 0;
    }

private:
    static std::int64_t ticks(double hours) { return std::llround(hours * kHourTicks); }

    std::pair<store::BilledItem, BillItem> itemOf(const Told &told, std::vector<std::unique_ptr<model::BillLine>> &kept)
    {
        kept.push_back(std::make_unique<model::BillLine>());
        model::BillLine &line = *kept.back();
        line.product.skuId = told.sku;
        line.product.skuMeter = told.meter;
        if (told.isRefund || told.isCorrection)
            line.chargeClass = model::ChargeClass::Correction;
        store::BilledItem billed;
        billed.line = &line;
        billed.source = told.source;
        if (told.hours != 0)
            billed.quantity = std::llround(told.hours * 1e6);
        BillItem item;
        item.timed = true;
        item.secondsPerUnit = 3600;
        item.cloud = told.cloud;
        if (told.type.empty()) {
            item.gpus = told.gpus;
        } else {
            m_machines.push_back(std::make_unique<PriceBook::Machine>());
            m_machines.back()->instanceType = told.type;
            m_machines.back()->devices = told.gpus;
            item.machine = m_machines.back().get();
        }
        return {billed, item};
    }

    model::Node m_record;
    std::vector<NodeDay> m_nodes;
    std::vector<std::unique_ptr<PriceBook::Machine>> m_machines;
    std::int64_t m_nextDevice = 1;
};

Told box(double hours, std::int64_t gpus = 4, const std::string &type = "a4", const std::string &sku = "box")
{
    Told told;
    told.sku = sku;
    told.type = type;
    told.gpus = gpus;
    told.hours = hours;
    return told;
}

Told untyped(double hours, const std::string &sku = "licence")
{
    return box(hours, 0, {}, sku);
}

Told refund(Told told)
{
    told.isRefund = true;
    return told;
}

Told correction(Told told)
{
    told.isCorrection = true;
    return told;
}

const std::vector<double> kTenHours{10, 10, 10, 10};

} // namespace

class TestBilledTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Four GPUs for ten hours, other four for twelve, in the same places.
    void aMachineThatStopsAndStarts()
    {
        Bill bill;
        bill.node({10, 10, 10, 10});
        for (int i = 0; i < 4; ++i)
            bill.device(100 + i, 12, i);
        QCOMPARE(bill.rest({box(22)}), 0.0);
        QCOMPARE(bill.rest({untyped(22, "box")}), 0.0); // its type is not given
        QCOMPARE(bill.rest({box(24)}), 8.0);
        QCOMPARE(bill.rest({untyped(24, "box")}), 8.0);
    }

    void positionsThatAreUnknownTellNothing()
    {
        Bill bill;
        bill.node({});
        for (int i = 0; i < 4; ++i)
            bill.device(100 + i, 10, -1);
        QCOMPARE(bill.rest({untyped(24, "box")}), 0.0);
        QCOMPARE(bill.rest({box(24)}), 56.0);
    }

    void someOfItsGpus()
    {
        Bill bill;
        bill.node(kTenHours);
        QCOMPARE(bill.rest({box(24, 8)}), 152.0);
        Told gpuHours{"gcp", "gpu", {}, 0, 192, "Nvidia Tesla A100 GPU running in Iowa"};
        QCOMPARE(bill.rest({gpuHours}), 152.0);
        gpuHours.hours = 700; // more than a machine has
        QCOMPARE(bill.rest({gpuHours}), 0.0);
    }

    void metersThatDontCountMachines()
    {
        Bill bill;
        bill.node(kTenHours);
        QCOMPARE(bill.rest({box(10), untyped(20)}), 0.0);
        QCOMPARE(bill.rest({untyped(10, "box"), untyped(20)}), 0.0);
        QCOMPARE(bill.rest({box(0), untyped(20)}), 0.0); // the machine's hours are not given
        QCOMPARE(bill.rest({box(10), untyped(4608)}, true), 0.0);
        QCOMPARE(bill.rest({untyped(4608)}, true), 0.0);
    }

    void aScaleSetOfWhichOneMachineIsSeen()
    {
        Bill bill;
        bill.node(kTenHours);
        QCOMPARE(bill.rest({box(48)}, true), 152.0);
        QCOMPARE(bill.rest({box(48)}, false), 0.0); // one machine has no 48 hours
    }

    // The same devices in two nodes.
    void aNodeThatChangesItsRecord()
    {
        Bill bill;
        bill.node(kTenHours);
        bill.node({});
        for (int i = 0; i < 4; ++i)
            bill.device(1 + i, 14, i);
        QCOMPARE(bill.rest({box(24)}), 0.0);
        QCOMPARE(bill.rest({box(48)}, true), 96.0); // each device counts once
    }

    void aMachineOfTwoSizes()
    {
        Bill bill;
        bill.node({2, 2, 2, 2});
        QCOMPARE(bill.rest({box(14), box(10, 8, "a8", "big")}), 128.0);
        QCOMPARE(bill.rest({box(14), box(14, 8, "a8", "big")}), 0.0); // 28 hours of a day
        QCOMPARE(bill.rest({box(14), box(14, 4, "a4", "licence")}), 48.0); // of the same hours
        Told other = box(10, 8, "a8", "big");
        other.source = "other";
        QCOMPARE(bill.rest({box(14), other}), 72.0);
    }

    void hoursThatAreRefunded()
    {
        Bill bill;
        bill.node(kTenHours);
        QCOMPARE(bill.rest({box(24), refund(box(-14))}), 0.0);
        QCOMPARE(bill.rest({box(24), refund(box(14))}), 0.0);
        QCOMPARE(bill.rest({box(24), refund(box(4))}), 40.0);
        QCOMPARE(bill.rest({box(24), refund(box(0))}), 0.0); // the hours are not given
        QCOMPARE(bill.rest({box(24), refund(box(14, 4, "a4", "other"))}), 0.0);
        QCOMPARE(bill.rest({box(24), refund(box(24)), correction(box(12))}), 8.0);
        QCOMPARE(bill.rest({box(12), correction(box(12))}), 8.0); // may be of the price
    }

    void moreGpusThanThereAre()
    {
        Bill bill;
        bill.node(kTenHours);
        QCOMPARE(bill.rest({box(24, 9'000'000'000'000'000'000)}), 0.0);
        QCOMPARE(bill.rest({box(24, 9'000'000'000'000'000'000, {})}), 0.0);
    }

    void tooManyGpusOnABillAreUnknown()
    {
        model::BillLine line;
        store::BilledItem billed;
        billed.line = &line;
        billed.quantity = 9'000'000'000'000'000'000;
        BillItem item;
        item.secondsPerUnit = 86400;
        item.gpus = 9'000'000'000'000'000'000;
        QVERIFY(!gpuTicksOf(billed, item));
        billed.quantity = 24'000'000;
        item.secondsPerUnit = 3600;
        item.gpus = 8;
        QCOMPARE(*gpuTicksOf(billed, item), 192 * kHourTicks);
    }
};

GPULEDGER_SUITE(TestBilledTime)

} // namespace tst_billedtime

#include "tst_billedtime.moc"
