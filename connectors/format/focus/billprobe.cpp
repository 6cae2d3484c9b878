// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/format/focus/billprobe.h"

#include "connectors/format/focus/billimport.h"

namespace gpuledger::focus {

using base::Result;

namespace {

// Accepts everything and keeps nothing.
class TestSink final : public ports::BillSink {
public:
    Result<bool> knows(const std::vector<std::string> &) override { return false; }
    Result<void> begin(const std::vector<ports::BillFile> &) override { return {}; }
    Result<void> accept(ports::BillBatch) override { return {}; }
    Result<void> commit(const ports::ImportReport &) override { return {}; }
    void discard() override { }
    void progress(const ports::BillProgress &) override { }
};

std::string versionName(ports::FocusVersion version)
{
    switch (version) {
    case ports::FocusVersion::Unknown:
        return "?";
    case ports::FocusVersion::V1_0:
        return "1.0";
    case ports::FocusVersion::V1_1:
        return "1.1";
    case ports::FocusVersion::V1_2:
        return "1.2";
    case ports::FocusVersion::Later:
        return "> 1.2";
    case ports::FocusVersion::UsageReport:
        break; // no version of FOCUS
    }
    return "?";
}

using ProbeLevel = ports::Finding::Level;
using ports::FindingRemedy;
using ports::FindingText;

void addReport(ports::ProbeReport &probe, const std::string &file, ports::ImportReport report)
{
    if (report.outcome == ports::ImportReport::Outcome::Unfinished) {
        probe.findings.push_back(
            {ProbeLevel::Missing, FindingText::BillFilesNotReady, {std::uint64_t{1}}, FindingRemedy::WaitForFiles, {}});
        return;
    }
    probe.findings.push_back({ProbeLevel::Good, FindingText::BillVersion, {}, {}, {}});
    if (report.version != ports::FocusVersion::UsageReport)
        probe.findings.back().terms.emplace_back(versionName(report.version));
    if (report.rejected.lines == 0)
        probe.findings.push_back({ProbeLevel::Good, FindingText::BillRows, {file, report.read.lines}, {}, {}});
    else
        probe.findings.push_back({ProbeLevel::Problem,
                                  FindingText::BillRowsRefused,
                                  {file, report.read.lines, report.rejected.lines},
                                  FindingRemedy::LookAtRows,
                                  {}});
    probe.usable = report.accepted.lines > 0;
    probe.bill = std::move(report);
}

} // namespace

Result<void> probeBill(ports::ProbeReport &probe, const std::string &shown, const std::string &source,
                       const ports::BillDelivery &delivery, const base::Clock &clock, std::stop_token stop,
                       std::vector<std::string> names)
{
    TestSink sink;
    BillImport one(source, delivery, sink, clock, std::move(stop), std::move(names));
    auto report = one.run();
    GPULEDGER_TRY(report);
    addReport(probe, shown, std::move(*report));
    return {};
}

} // namespace gpuledger::focus
