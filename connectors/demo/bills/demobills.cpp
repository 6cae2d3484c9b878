// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/bills/demobills.h"

#include "app/base/crypto/sha256.h"
#include "connectors/demo/bills/billmonths.h"
#include "connectors/demo/fleet/demooptions.h"
#include "connectors/format/askedbill.h"

#include <algorithm>

namespace gpuledger::demo {

namespace {

using base::ErrorCode;
using base::Result;

// Identifies this bill, in place of a hash of a file's bytes.
std::string identity(const std::string &file, const BillMonth &bill, const Options &options)
{
    constexpr int kVersion = 2; // of the generator: a new version produces new bills
    return "gpuledger demo bill " + std::to_string(kVersion) + ' ' + file + ' ' + std::to_string(options.seed) + ' '
        + std::to_string(options.gpus) + ' ' + std::to_string(base::toUnix(bill.until))
        + (options.burstUntil ? " burst " + std::to_string(base::toUnix(*options.burstUntil)) : std::string());
}

} // namespace

Result<std::unique_ptr<ports::CostSource>> DemoBills::create(const model::SourceSettings &settings,
                                                             const base::Clock &clock)
{
    const auto options = optionsOf(settings);
    GPULEDGER_TRY(options);
    return std::make_unique<DemoBills>(settings.name, *options, clock);
}

DemoBills::DemoBills(std::string name, const Options &options, const base::Clock &clock)
    : m_name(std::move(name))
    , m_options(options)
    , m_clock(clock)
    , m_plan(FleetPlan::make(options))
{
}

std::vector<BillMonth> DemoBills::months() const
{
    std::vector<BillMonth> out;
    for (BillMonth month : billedMonths(m_options, m_clock.now())) {
        for (const BillingCloud cloud : {BillingCloud::Aws, BillingCloud::Gcp}) {
            month.cloud = cloud;
            out.push_back(month);
        }
    }
    return out;
}

std::string DemoBills::fileOf(const BillMonth &bill) const
{
    return std::string(toString(bill.cloud)) + '-' + base::toRfc3339(bill.month.start).substr(0, 7) + ".demo";
}

Result<std::vector<ports::BillDelivery>> DemoBills::deliveries(std::stop_token stop)
{
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "stopped");
    std::vector<ports::BillDelivery> out;
    for (const BillMonth &bill : months())
        out.push_back({{fileOf(bill)}});
    return out;
}

Result<ports::ProbeReport> DemoBills::probe(std::stop_token stop)
{
    if (stop.stop_requested())
        return base::fail(ErrorCode::Cancelled, "stopped");
    ports::ProbeReport report;
    report.product = "GPU Ledger demo";
    report.usable = true;
    report.findings.push_back({ports::Finding::Level::Good,
                               ports::FindingText::BillFiles,
                               {static_cast<std::uint64_t>(months().size())},
                               ports::FindingRemedy::None,
                               {}});
    return report;
}

Result<ports::ImportReport> DemoBills::import(const ports::BillDelivery &delivery, ports::BillSink &sink,
                                              std::stop_token stop)
{
    const auto all = months();
    const auto it = std::find_if(all.begin(), all.end(), [&](const BillMonth &bill) {
        return delivery.files.size() == 1 && delivery.files.front() == fileOf(bill);
    });
    if (it == all.end())
        return base::fail(ErrorCode::NotFound, "there is no such demo bill");
    return importMonth(*it, sink, stop);
}

Result<ports::ImportReport> DemoBills::importMonth(const BillMonth &bill, ports::BillSink &sink,
                                                   const std::stop_token &stop)
{
    ports::ImportReport report;
    report.source = m_name;
    report.version = ports::FocusVersion::V1_2;
    report.versionGuessed = false;
    const std::string file = fileOf(bill), content = identity(file, bill, m_options);
    const std::string hash = base::sha256Hex(content);
    report.files.push_back({file, hash, content.size()});
    const auto known = sink.knows({hash});
    GPULEDGER_TRY(known);
    if (*known) {
        report.outcome = ports::ImportReport::Outcome::Duplicate;
        return report;
    }
    auto lines = billLines(m_plan, bill);
    if (lines.empty()) { // the cloud has no machine of a small fleet
        report.outcome = ports::ImportReport::Outcome::Duplicate;
        return report;
    }
    const model::BillKey key = lines.front().key(m_name);
    GPULEDGER_TRY(format::tallyBill(lines, key, lines.front().product.provider, report));
    GPULEDGER_TRY(format::storeBill(std::move(lines), key, sink, stop, report));
    return report;
}

} // namespace gpuledger::demo
