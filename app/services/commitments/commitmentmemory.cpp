// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/commitments/commitmentmemory.h"

#include "app/services/engine/keptjson.h"

#include <utility>

namespace gpuledger::services {

using base::Result;
using model::CloudCommitment;
using model::CloudCommitmentKind;
using model::CommitmentCoverage;

namespace {

constexpr std::int64_t kKeptVersion = 1;
constexpr CloudCommitmentKind kLastKind = CloudCommitmentKind::CommittedUse;

std::string keptName(const std::string &source)
{
    return source + "\ncommitments";
}

KeptJson jsonOf(const std::optional<base::Day> &day)
{
    return day ? KeptJson(day->number) : KeptJson(nullptr);
}

KeptJson jsonOf(const std::optional<base::Decimal> &amount)
{
    return amount ? KeptJson(amount->toText()) : KeptJson(nullptr);
}

KeptJson jsonOf(const std::optional<double> &share)
{
    return share ? KeptJson(*share) : KeptJson(nullptr);
}

KeptJson jsonOf(const CloudCommitment &one)
{
    return {{"cloud", one.cloud},
            {"account", one.account},
            {"id", one.id},
            {"name", one.name},
            {"kind", static_cast<std::int64_t>(one.kind)},
            {"terms", one.terms},
            {"machine", one.machine},
            {"gpu", one.isMachineGpu},
            {"region", one.region},
            {"count", one.count ? KeptJson(*one.count) : KeptJson(nullptr)},
            {"currency", std::string(one.currency.code())},
            {"per_hour", jsonOf(one.perHour)},
            {"start", keptTime(one.start)},
            {"end", keptTime(one.end)},
            {"utilization", jsonOf(one.utilization)},
            {"first", jsonOf(one.first)},
            {"last", jsonOf(one.last)},
            {"unused", jsonOf(one.unused)}};
}

KeptJson jsonOf(const CommitmentCoverage &one)
{
    return {{"cloud", one.cloud},
            {"account", one.account},
            {"by", static_cast<std::int64_t>(one.by)},
            {"machine", one.machine},
            {"region", one.region},
            {"covered", one.covered},
            {"currency", std::string(one.currency.code())},
            {"on_demand", jsonOf(one.onDemand)},
            {"first", one.first.number},
            {"last", one.last.number}};
}

CloudCommitmentKind kindOf(KeptReader &in, const char *key)
{
    return static_cast<CloudCommitmentKind>(in.integerWithin(key, 0, static_cast<std::int64_t>(kLastKind)));
}

std::optional<CloudCommitment> commitmentOf(const KeptJson &json)
{
    KeptReader in(json);
    CloudCommitment one;
    one.cloud = in.text("cloud");
    one.account = in.text("account");
    one.id = in.text("id");
    one.name = in.text("name");
    one.kind = kindOf(in, "kind");
    one.terms = in.text("terms");
    one.machine = in.text("machine");
    one.isMachineGpu = in.truth("gpu");
    one.region = in.text("region");
    one.count = in.integerOrNull("count");
    one.currency = in.currency("currency");
    one.perHour = in.amountOrNull("per_hour");
    one.start = in.timeOrNull("start");
    one.end = in.timeOrNull("end");
    one.utilization = in.shareOrNull("utilization");
    one.first = in.dayOrNull("first");
    one.last = in.dayOrNull("last");
    one.unused = in.amountOrNull("unused");
    return in.fits() ? std::optional(std::move(one)) : std::nullopt;
}

std::optional<CommitmentCoverage> coverageOf(const KeptJson &json)
{
    KeptReader in(json);
    CommitmentCoverage one;
    one.cloud = in.text("cloud");
    one.account = in.text("account");
    one.by = kindOf(in, "by");
    one.machine = in.text("machine");
    one.region = in.text("region");
    one.covered = in.share("covered");
    one.currency = in.currency("currency");
    one.onDemand = in.amountOrNull("on_demand");
    one.first = in.day("first");
    one.last = in.day("last");
    return in.fits() ? std::optional(std::move(one)) : std::nullopt;
}

} // namespace

std::string commitmentsText(const KeptCommitments &kept)
{
    KeptJson commitments = KeptJson::array(), coverage = KeptJson::array();
    for (const CloudCommitment &one : kept.report.commitments)
        commitments.push_back(jsonOf(one));
    for (const CommitmentCoverage &one : kept.report.coverage)
        coverage.push_back(jsonOf(one));
    const KeptJson json{{"version", kKeptVersion},
                        {"read", keptTime(kept.readAt)},
                        {"failed", keptTime(kept.failedAt)},
                        {"failure", kept.failure},
                        {"failure_paid", kept.isFailurePaid},
                        {"commitments", std::move(commitments)},
                        {"coverage", std::move(coverage)},
                        {"rejected", kept.report.rejected},
                        {"withheld", kept.report.withheld}};
    return keptText(json);
}

KeptCommitments commitmentsOfText(const std::string &text)
{
    const KeptJson json = KeptJson::parse(text, nullptr, false);
    KeptReader in(json);
    if (!in.fits() || in.integer("version") != kKeptVersion)
        return {};
    KeptCommitments kept;
    kept.readAt = in.timeOrNull("read");
    kept.failedAt = in.timeOrNull("failed");
    kept.failure = in.text("failure");
    kept.isFailurePaid = in.truth("failure_paid");
    const std::int64_t rejected = in.integer("rejected");
    const bool fits = readKept(in, "commitments", commitmentOf, kept.report.commitments)
        && readKept(in, "coverage", coverageOf, kept.report.coverage)
        && readKept(in, "withheld", keptSentenceOf, kept.report.withheld);
    if (!fits || !in.fits() || rejected < 0)
        return {};
    kept.report.rejected = static_cast<std::uint64_t>(rejected);
    return kept;
}

Result<KeptCommitments> keptCommitments(store::LedgerStore &cache, const std::string &source)
{
    const auto text = cache.memoryOf(keptName(source));
    GPULEDGER_TRY(text);
    return commitmentsOfText(*text);
}

Result<void> keepCommitments(store::LedgerStore &cache, const std::string &source, const KeptCommitments &kept)
{
    return cache.putMemory(keptName(source), commitmentsText(kept));
}

} // namespace gpuledger::services
