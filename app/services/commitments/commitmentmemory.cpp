// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/commitments/commitmentmemory.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace gpuledger::services {

using base::Result;
using model::CloudCommitment;
using model::CloudCommitmentKind;
using model::CommitmentCoverage;

namespace {

using KeptJson = nlohmann::ordered_json;

constexpr std::int64_t kKeptVersion = 1;
constexpr CloudCommitmentKind kLastKind = CloudCommitmentKind::CommittedUse;

std::string keptName(const std::string &source)
{
    return source + "\ncommitments";
}

KeptJson jsonOf(const std::optional<base::UtcTime> &time)
{
    return time ? KeptJson(time->time_since_epoch().count()) : KeptJson(nullptr);
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
            {"start", jsonOf(one.start)},
            {"end", jsonOf(one.end)},
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

// Reads the members of an object. If one does not fit, nothing of it counts.
class KeptReader {
public:
    explicit KeptReader(const KeptJson &json)
        : m_json(json)
        , m_fits(json.is_object())
    {
    }
    bool fits() const { return m_fits; }

    std::string text(const char *key)
    {
        const KeptJson *json = member(key);
        return fit(json && json->is_string()) ? json->get<std::string>() : std::string();
    }
    std::int64_t integer(const char *key) { return integerOf(member(key)); }
    std::optional<std::int64_t> integerOrNull(const char *key)
    {
        return isNull(key) ? std::nullopt : std::optional(integer(key));
    }
    bool truth(const char *key)
    {
        const KeptJson *json = member(key);
        return fit(json && json->is_boolean()) && json->get<bool>();
    }
    double share(const char *key)
    {
        const KeptJson *json = member(key);
        const double value = json && json->is_number() ? json->get<double>() : -1;
        return fit(std::isfinite(value) && value >= 0) ? value : 0;
    }
    std::optional<double> shareOrNull(const char *key)
    {
        return isNull(key) ? std::nullopt : std::optional(share(key));
    }
    std::optional<base::UtcTime> timeOrNull(const char *key)
    {
        const auto seconds = integerOrNull(key);
        return seconds ? std::optional(base::UtcTime{base::Seconds{*seconds}}) : std::nullopt;
    }
    base::Day day(const char *key)
    {
        const std::int64_t number = integer(key);
        return fit(std::in_range<std::int32_t>(number)) ? base::Day{static_cast<std::int32_t>(number)} : base::Day{};
    }
    std::optional<base::Day> dayOrNull(const char *key) { return isNull(key) ? std::nullopt : std::optional(day(key)); }
    std::optional<base::Decimal> amountOrNull(const char *key)
    {
        if (isNull(key))
            return std::nullopt;
        const auto amount = base::Decimal::parse(text(key));
        return fit(amount.has_value()) ? std::optional(*amount) : std::nullopt;
    }
    base::Currency currency(const char *key)
    {
        const std::string code = text(key);
        if (code.empty())
            return {};
        const auto currency = base::Currency::parse(code);
        return fit(currency.has_value()) ? *currency : base::Currency();
    }
    CloudCommitmentKind kind(const char *key)
    {
        const std::int64_t number = integer(key);
        return fit(number >= 0 && number <= static_cast<std::int64_t>(kLastKind))
            ? static_cast<CloudCommitmentKind>(number)
            : CloudCommitmentKind::Reservation;
    }
    // Null: it does not fit.
    const KeptJson *list(const char *key)
    {
        const KeptJson *json = member(key);
        return fit(json && json->is_array()) ? json : nullptr;
    }

private:
    bool fit(bool fits)
    {
        m_fits = m_fits && fits;
        return m_fits;
    }
    const KeptJson *member(const char *key)
    {
        const auto it = m_json.is_object() ? m_json.find(key) : m_json.end();
        return fit(it != m_json.end()) ? &*it : nullptr;
    }
    bool isNull(const char *key)
    {
        const KeptJson *json = member(key);
        return !json || json->is_null();
    }
    std::int64_t integerOf(const KeptJson *json)
    {
        const bool isWhole = json && json->is_number_integer()
            && !(json->is_number_unsigned() && !std::in_range<std::int64_t>(json->get<std::uint64_t>()));
        return fit(isWhole) ? json->get<std::int64_t>() : 0;
    }

    const KeptJson &m_json;
    bool m_fits;
};

std::optional<CloudCommitment> commitmentOf(const KeptJson &json)
{
    KeptReader in(json);
    CloudCommitment one;
    one.cloud = in.text("cloud");
    one.account = in.text("account");
    one.id = in.text("id");
    one.name = in.text("name");
    one.kind = in.kind("kind");
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
    one.by = in.kind("by");
    one.machine = in.text("machine");
    one.region = in.text("region");
    one.covered = in.share("covered");
    one.currency = in.currency("currency");
    one.onDemand = in.amountOrNull("on_demand");
    one.first = in.day("first");
    one.last = in.day("last");
    return in.fits() ? std::optional(std::move(one)) : std::nullopt;
}

std::optional<std::string> sentenceOf(const KeptJson &json)
{
    return json.is_string() ? std::optional(json.get<std::string>()) : std::nullopt;
}

// False: an entry can't be read.
template <typename Value, typename Read>
bool readList(KeptReader &in, const char *key, Read read, std::vector<Value> &out)
{
    const KeptJson *list = in.list(key);
    if (!list)
        return false;
    for (const KeptJson &json : *list) {
        auto one = read(json);
        if (!one)
            return false;
        out.push_back(std::move(*one));
    }
    return true;
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
                        {"read", jsonOf(kept.readAt)},
                        {"failed", jsonOf(kept.failedAt)},
                        {"failure", kept.failure},
                        {"failure_paid", kept.isFailurePaid},
                        {"commitments", std::move(commitments)},
                        {"coverage", std::move(coverage)},
                        {"rejected", kept.report.rejected},
                        {"withheld", kept.report.withheld}};
    return json.dump(-1, ' ', false, KeptJson::error_handler_t::replace);
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
    const bool fits = readList(in, "commitments", commitmentOf, kept.report.commitments)
        && readList(in, "coverage", coverageOf, kept.report.coverage)
        && readList(in, "withheld", sentenceOf, kept.report.withheld);
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
