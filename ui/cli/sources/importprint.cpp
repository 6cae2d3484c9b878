// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/sources/importprint.h"

#include "app/base/text/text.h"
#include "ui/format/phrases/figures.h"
#include "ui/format/phrases/phrase.h"

#include <algorithm>
#include <filesystem>

namespace gpuledger::cli {

namespace {

using ports::BillFinding;
using ports::BillTally;
using ports::ImportReport;
using Level = ports::Finding::Level;

std::string_view nameOf(ImportReport::Outcome outcome)
{
    switch (outcome) {
    case ImportReport::Outcome::Imported:
        return "imported";
    case ImportReport::Outcome::Duplicate:
        return "duplicate";
    case ImportReport::Outcome::Unfinished:
        return "unfinished";
    }
    return "unfinished";
}

std::string_view nameOf(Level level)
{
    switch (level) {
    case Level::Good:
        return "good";
    case Level::Missing:
        return "missing";
    case Level::Problem:
        return "problem";
    }
    return "problem";
}

Json versionOf(ports::FocusVersion version)
{
    switch (version) {
    case ports::FocusVersion::Unknown:
        return nullptr;
    case ports::FocusVersion::V1_0:
        return "1.0";
    case ports::FocusVersion::V1_1:
        return "1.1";
    case ports::FocusVersion::V1_2:
        return "1.2";
    case ports::FocusVersion::Later:
        return "later";
    case ports::FocusVersion::UsageReport:
        return "aws-cur";
    }
    return nullptr;
}

// The amounts as the file has them, exact, and as the ledger stores them.
Json importJson(const BillTally &tally)
{
    Json sums = Json::array();
    for (const ports::BillSum &sum : tally.sums)
        sums.push_back({{"currency", textOrNull(std::string(sum.currency.code()))},
                        {"lines", sum.lines},
                        {"unknown_billed", sum.unknownBilled},
                        {"unknown_effective", sum.unknownEffective},
                        {"billed", sum.billed.toText()},
                        {"effective", sum.effective.toText()},
                        {"billed_kept", sum.billedKept.toText()},
                        {"effective_kept", sum.effectiveKept.toText()}});
    return {{"lines", tally.lines}, {"sums", std::move(sums)}};
}

std::string dayText(base::UtcTime t)
{
    return base::toRfc3339(t).substr(0, 10);
}

Json importJson(const model::BillKey &key)
{
    return {{"source", key.source}, {"account", key.billingAccountId}, {"period_start", dayText(key.periodStart)}};
}

Json findingsOf(const ImportReport &report)
{
    Json findings = Json::array();
    for (const BillFinding &finding : report.findings)
        findings.push_back({{"level", std::string(nameOf(finding.level))},
                            {"provider", textOrNull(finding.provider)},
                            {"text", ui::textOf(finding).english()}});
    return findings;
}

std::string fileNames(const std::vector<std::string> &paths)
{
    std::string names;
    for (const std::string &path : paths)
        names += (names.empty() ? "" : ", ") + std::filesystem::path(path).filename().string();
    return names;
}

std::string keyText(const model::BillKey &key)
{
    return "account " + key.billingAccountId + ", billing period of " + dayText(key.periodStart);
}

// Shows paths where files in two folders have the same name.
std::string namesBeside(const std::vector<std::string> &paths, const std::vector<std::string> &others)
{
    const bool isSame = std::any_of(paths.begin(), paths.end(), [&](const std::string &path) {
        return std::any_of(others.begin(), others.end(), [&](const std::string &other) {
            return std::filesystem::path(path).filename() == std::filesystem::path(other).filename();
        });
    });
    if (!isSame)
        return fileNames(paths);
    std::string names;
    for (const std::string &path : paths)
        names += (names.empty() ? "" : ", ") + path;
    return names;
}

std::string amountsText(const store::BillTotals &totals)
{
    std::string text;
    for (const auto &[currency, amounts] : totals)
        text += ", " + ui::moneyText(base::Money(amounts.billed, currency)) + " billed";
    return text;
}

std::string warningOf(const store::ReplacedBill &replaced)
{
    const std::string before = namesBeside(replaced.before, replaced.now);
    const std::string now = namesBeside(replaced.now, replaced.before);
    std::string text = keyText(replaced.key) + ": " + now + " replaced what " + before + " said ("
        + std::to_string(replaced.lines) + (replaced.lines == 1 ? " row" : " rows") + amountsText(replaced.amounts)
        + ')';
    if (replaced.stillThere.empty())
        return text + "; " + before + " is no longer there";
    const std::string left = namesBeside(replaced.stillThere, replaced.now);
    return text + ", and " + left + (replaced.stillThere.size() == 1 ? " is" : " are")
        + " still there. If both belong to one bill, name them as parts of one export (part_0, part_1, …); if " + now
        + " is the newer version, move " + left + " away";
}

Json importJson(const store::ReplacedBill &replaced)
{
    Json json{{"account", replaced.key.billingAccountId}, {"period_start", dayText(replaced.key.periodStart)}};
    json["files"] = replaced.before;
    json["by"] = replaced.now;
    json["still_there"] = replaced.stillThere;
    json["rows"] = replaced.lines;
    json["amounts"] = Json::array();
    for (const auto &[currency, amounts] : replaced.amounts)
        json["amounts"].push_back(
            {{"billed", cli::toJson(std::optional(base::Money(amounts.billed, currency)))},
             {"effective", cli::toJson(std::optional(base::Money(amounts.effective, currency)))}});
    return json;
}

std::string warningOf(const std::pair<model::BillKey, std::string> &twice)
{
    return keyText(twice.first) + " is also in source " + twice.second + ": its cost is counted twice";
}

} // namespace

Json toJson(const ImportReport &report)
{
    Json json{{"outcome", std::string(nameOf(report.outcome))}, {"version", versionOf(report.version)}};
    json["unfinished"] = textOrNull(report.unfinished);
    json["files"] = Json::array();
    for (const ports::BillFile &file : report.files)
        json["files"].push_back({{"path", file.path}, {"sha256", file.sha256}, {"bytes", file.bytes}});
    json["read"] = importJson(report.read);
    json["accepted"] = importJson(report.accepted);
    json["rejected"] = importJson(report.rejected);
    json["providers"] = Json::array();
    for (const ports::ProviderPart &part : report.providers)
        json["providers"].push_back({{"provider", part.provider}, {"accepted", importJson(part.accepted)}});
    json["parts"] = Json::array();
    for (const ports::BillPart &part : report.parts) {
        Json one = importJson(part.key);
        one["accepted"] = importJson(part.accepted);
        json["parts"].push_back(std::move(one));
    }
    json["rejections"] = Json::array();
    for (const ports::Rejection &rejection : report.rejections)
        json["rejections"].push_back(
            {{"file", rejection.file}, {"line", rejection.row}, {"reason", ui::textOf(rejection).english()}});
    json["findings"] = findingsOf(report);
    return json;
}

Json toJson(const ingest::BillOutcome &outcome)
{
    Json json = outcome.report ? toJson(*outcome.report) : Json{{"outcome", "failed"}};
    if (!outcome.report)
        json["files"] = outcome.files;
    json["warnings"] = Json::array();
    for (const store::ReplacedBill &replaced : outcome.findings.replaced)
        json["warnings"].push_back(warningOf(replaced));
    for (const auto &twice : outcome.findings.twice)
        json["warnings"].push_back(warningOf(twice));
    json["replaced"] = Json::array();
    for (const store::ReplacedBill &replaced : outcome.findings.replaced)
        json["replaced"].push_back(importJson(replaced));
    json["copy_of"] = outcome.copyOf.empty() ? Json(nullptr) : Json(outcome.copyOf);
    json["error"] = outcome.error ? cli::toJson(*outcome.error) : Json(nullptr);
    return json;
}

Json toJson(const ports::WaitingBill &file)
{
    return {{"file", base::repairedUtf8(file.file.string())}, {"until", cli::toJson(file.until)}};
}

void noteWaiting(const Output &out, const std::string &source, const ports::WaitingBill &file,
                 const base::TimeZone &zone)
{
    out.note(source + ": " + fileNames({base::repairedUtf8(file.file.string())})
             + ": not read yet, because it is still being written; waiting until " + ui::timeText(file.until, zone));
}

void noteImport(const Output &out, const std::string &source, const ingest::BillOutcome &outcome, bool verbose)
{
    const std::string files = fileNames(outcome.files);
    const std::string begin = source + ": " + files + ": ";
    if (!outcome.report)
        return;
    const ImportReport &report = *outcome.report;
    if (report.outcome == ImportReport::Outcome::Unfinished) {
        out.note(begin + "left alone until it is whole (" + report.unfinished + ")");
        return;
    }
    if (!outcome.copyOf.empty()) {
        out.note(begin + "a copy of " + fileNames(outcome.copyOf) + ", which was read before; it changes nothing");
        return;
    }
    for (const store::ReplacedBill &replaced : outcome.findings.replaced)
        out.note(source + ": " + warningOf(replaced));
    for (const auto &twice : outcome.findings.twice)
        out.note(source + ": " + warningOf(twice));
    for (const ports::RejectCount &count : report.rejectCounts)
        out.note(begin + std::to_string(count.lines) + " rejected: " + ui::textOf(count.reason).english());
    for (const BillFinding &finding : report.findings) {
        if (verbose || finding.level == Level::Problem)
            out.note(begin + (finding.provider.empty() ? "" : finding.provider + ": ") + ui::textOf(finding).english());
    }
    for (const ports::Rejection &rejection : report.rejections) {
        if (verbose)
            out.note(begin + "line " + std::to_string(rejection.row) + ": " + ui::textOf(rejection).english());
    }
}

std::string chargeText(const base::Money &amount)
{
    constexpr std::int64_t kNanosPerCent = 10'000'000;
    if (amount.nanos() == 0 || amount.nanos() >= kNanosPerCent)
        return ui::moneyText(amount);
    return ui::fixed(amount.toDouble(), 5) + ' ' + std::string(amount.currency().code());
}

} // namespace gpuledger::cli
