// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/clouds/cloudbills.h"

#include "app/base/crypto/sha256.h"
#include "connectors/demo/bills/billmonths.h"
#include "connectors/format/askedbill.h"

#include <algorithm>

namespace gpuledger::demo {

using base::ErrorCode;
using base::Result;

Result<std::unique_ptr<ports::CostSource>> CloudBills::create(const model::SourceSettings &settings,
                                                              const base::Clock &clock)
{
    const auto account = accountOf(settings);
    GPULEDGER_TRY(account);
    return std::make_unique<CloudBills>(settings.name, *account->first, account->second, clock);
}

CloudBills::CloudBills(std::string name, const CloudAccount &account, const Options &options, const base::Clock &clock)
    : m_name(std::move(name))
    , m_account(account)
    , m_options(options)
    , m_clock(clock)
    , m_machines(machinesAt(account, FleetPlan::make(options)))
{
}

std::vector<BillMonth> CloudBills::months() const
{
    std::vector<BillMonth> out = billedMonths(m_options, m_clock.now());
    std::erase_if(out, [&](const BillMonth &month) {
        return std::none_of(m_machines.begin(), m_machines.end(),
                            [&](const CloudMachine &machine) { return month.monthsBefore <= machine.sinceMonths; });
    });
    return out;
}

std::string CloudBills::fileOf(const BillMonth &bill) const
{
    return std::string(m_account.word) + '-' + base::toRfc3339(bill.month.start).substr(0, 7) + ".demo";
}

Result<std::vector<ports::BillDelivery>> CloudBills::deliveries(std::stop_token stop)
{
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "stopped");
    std::vector<ports::BillDelivery> out;
    for (const BillMonth &bill : months())
        out.push_back({{fileOf(bill)}});
    return out;
}

Result<ports::ProbeReport> CloudBills::probe(std::stop_token stop)
{
    const auto bills = deliveries(std::move(stop));
    GPULEDGER_TRY(bills);
    ports::ProbeReport report;
    report.product = "GPU Ledger demo";
    report.usable = true;
    report.findings.push_back({ports::Finding::Level::Good,
                               ports::FindingText::BillFiles,
                               {static_cast<std::uint64_t>(bills->size())},
                               ports::FindingRemedy::None,
                               {}});
    return report;
}

Result<ports::ImportReport> CloudBills::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                               std::stop_token stop)
{
    const auto all = months();
    const auto bill = std::find_if(all.begin(), all.end(), [&](const BillMonth &one) {
        return delivery.files.size() == 1 && delivery.files.front() == fileOf(one);
    });
    if (bill == all.end())
        return base::fail(ErrorCode::NotFound, "there is no such demo bill");
    ports::ImportReport report;
    report.source = m_name;
    report.version = ports::FocusVersion::V1_2;
    report.versionGuessed = false;
    const std::string file = fileOf(*bill);
    // In place of a hash of a file's bytes.
    const std::string content = "gpuledger demo cloud bill 1 " + file + ' ' + std::to_string(m_options.clouds) + ' '
        + std::to_string(base::toUnix(bill->until));
    const std::string hash = base::sha256Hex(content);
    report.files.push_back({file, hash, content.size()});
    const auto known = sink.knows({hash});
    GPULEDGER_TRY(known);
    if (*known) {
        report.outcome = ports::ImportReport::Outcome::Duplicate;
        return report;
    }
    auto lines = cloudLines(m_account, m_machines, *bill);
    const model::BillKey key = lines.front().key(m_name); // months() has only those with lines
    GPULEDGER_TRY(format::tallyBill(lines, key, std::string(m_account.provider), report));
    GPULEDGER_TRY(format::storeBill(std::move(lines), key, sink, stop, report));
    return report;
}

} // namespace gpuledger::demo
