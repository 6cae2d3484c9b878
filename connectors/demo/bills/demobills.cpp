// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/demo/bills/demobills.h"

#include "app/ports/billtally.h"
#include "connectors/demo/fleet/demooptions.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace gpuledger::demo {

namespace {

using base::ErrorCode;
using base::Result;

constexpr base::Seconds kBilledAfter = base::kDay;

base::UtcTime monthOf(base::UtcTime t)
{
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(t)};
    return std::chrono::sys_days(day.year() / day.month() / 1);
}

base::UtcTime nextMonth(base::UtcTime month)
{
    constexpr std::chrono::days kLongest{31};
    return monthOf(month + kLongest);
}

base::UtcTime monthBefore(base::UtcTime month, int count)
{
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(month)};
    return std::chrono::sys_days((day.year() / day.month() - std::chrono::months(count)) / 1);
}

// 0 if `to` is not later.
int monthsBetween(base::UtcTime from, base::UtcTime to)
{
    int count = 0;
    for (; from < to; from = nextMonth(from))
        ++count;
    return count;
}

Result<std::string> sha256(std::string_view text)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1)
        return base::fail(ErrorCode::Internal, "SHA-256 failed");
    std::string hex;
    constexpr std::string_view kDigits = "0123456789abcdef";
    for (unsigned i = 0; i < length; ++i) {
        hex += kDigits[digest[i] >> 4U];
        hex += kDigits[digest[i] & 15U];
    }
    return hex;
}

// Identifies this bill, in place of a hash of a file's bytes.
std::string identity(const std::string &file, const BillMonth &bill, const Options &options)
{
    constexpr int kVersion = 2; // of the generator: a new version produces new bills
    return "gpuledger demo bill " + std::to_string(kVersion) + ' ' + file + ' ' + std::to_string(options.seed) + ' '
        + std::to_string(options.gpus) + ' ' + std::to_string(base::toUnix(bill.until))
        + (options.burstUntil ? " burst " + std::to_string(base::toUnix(*options.burstUntil)) : std::string());
}

Result<void> tally(const std::vector<model::BillLine> &lines, ports::ImportReport &report)
{
    for (const model::BillLine &line : lines) {
        const ports::RowMoney money{line.billed.currency(), base::Decimal::of(line.billed),
                                    base::Decimal::of(line.effective)};
        GPULEDGER_TRY(ports::add(report.accepted, money));
    }
    report.read = report.accepted;
    if (!lines.empty()) {
        report.parts.push_back({lines.front().key(report.source), report.accepted});
        report.providers.push_back({lines.front().product.provider, report.accepted});
    }
    return {};
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
    const base::UtcTime now = m_clock.now();
    const base::UtcTime begin = base::floorTo(now - m_options.days * base::kDay, base::kDay);
    const base::UtcTime billed = base::floorTo(now - kBilledAfter, base::kDay);
    base::UtcTime observed = monthOf(begin);
    if (observed < begin)
        observed = nextMonth(observed);
    base::UtcTime month = observed;
    if (m_options.months > 0)
        month = std::min(month, monthBefore(monthOf(now), m_options.months));
    std::vector<BillMonth> out;
    for (; month < billed; month = nextMonth(month)) {
        for (const BillingCloud cloud : {BillingCloud::Aws, BillingCloud::Gcp}) {
            const base::UtcTime end = nextMonth(month);
            out.push_back({cloud, {month, end}, std::min(end, billed), monthsBetween(month, observed)});
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
    const auto hash = sha256(content);
    GPULEDGER_TRY(hash);
    report.files.push_back({file, *hash, content.size()});
    const auto known = sink.knows({*hash});
    GPULEDGER_TRY(known);
    if (*known) {
        report.outcome = ports::ImportReport::Outcome::Duplicate;
        return report;
    }
    GPULEDGER_TRY(sink.begin(report.files));
    auto done = pass(bill, sink, stop, report);
    if (done)
        done = sink.commit(report);
    if (!done)
        sink.discard();
    GPULEDGER_TRY(done);
    return report;
}

Result<void> DemoBills::pass(const BillMonth &bill, ports::BillSink &sink, const std::stop_token &stop,
                             ports::ImportReport &report) const
{
    auto lines = billLines(m_plan, bill);
    GPULEDGER_TRY(tally(lines, report));
    for (std::size_t from = 0; from < lines.size(); from += kMostLines) {
        if (stop.stop_requested())
            return base::fail(ErrorCode::Cancelled, "stopped");
        const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(from);
        const auto end = begin + static_cast<std::ptrdiff_t>(std::min(kMostLines, lines.size() - from));
        ports::BillBatch batch{report.parts.front().key, {}};
        batch.lines.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
        GPULEDGER_TRY(sink.accept(std::move(batch)));
        sink.progress({report.files.front().bytes, report.files.front().bytes, from});
    }
    return {};
}

} // namespace gpuledger::demo
