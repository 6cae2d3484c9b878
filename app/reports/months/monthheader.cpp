// SPDX-License-Identifier: GPL-3.0-or-later
// The first row of a closed month: its header, an object with names.
#include "app/base/remedy.h"
#include "app/reports/months/monthtexts.h"
#include "app/reports/months/rowreader.h"

namespace gpuledger::reports::texts {

using base::Currency;
using base::Result;
using insight::LedgerAnswer;

namespace {

// Format versions of the rows; any other was written by another program version. The first one has no rules, and does
// not say whether the preceding month was closed; the second one has no doubts; the third one has nothing about the
// months before the preceding one; the fourth one does not say which teams unowned cost may belong to.
constexpr int kFirstForm = 1, kForm = 5;
constexpr char kMonth[] = "month";
constexpr char kNoRules[] = "unknown", kKnownRules[] = "known"; // those of the close of the preceding month
constexpr double kMostWeight = 1e9;

Json timeOrNull(const std::optional<base::UtcTime> &t)
{
    return t ? Json(base::toRfc3339(*t)) : Json(nullptr);
}

Json headerJson(const Objection &objection)
{
    Json json{{"what", std::string(toString(objection.kind))}};
    if (objection.kind == ObjectionKind::Difference || objection.kind == ObjectionKind::Unexplained) {
        json["amount"] = objection.amount.toDecimal();
        json["currency"] = codeOf(objection.amount.currency());
        json["view"] = objection.effective ? "effective" : "billed";
    } else if (objection.kind == ObjectionKind::EarlierOpen) {
        json["month"] = insight::toString(objection.month);
        json["count"] = objection.count;
    } else if (objection.kind == ObjectionKind::NotFetched) {
        json["source"] = objection.source;
        json["from"] = base::toRfc3339(objection.range.start);
        json["to"] = base::toRfc3339(objection.range.end);
        json["count"] = objection.count;
    } else if (objection.kind == ObjectionKind::CountedTwice) {
        json["account"] = objection.account;
        json["count"] = objection.count;
    }
    return json;
}

Json headerJson(const SharingRules &rules)
{
    Json json{{"idle", std::string(toString(rules.idle))}, {"shared", std::string(toString(rules.shared))}};
    json["weights"] = Json::object();
    for (const auto &[team, weight] : rules.weights)
        json["weights"][team] = weight;
    return json;
}

std::optional<SharingRules> sharingOf(const Json &json)
{
    const auto rule = [&](const char *key) -> std::optional<SharingRule> {
        const auto it = json.is_object() ? json.find(key) : json.end();
        return it != json.end() && it->is_string() ? sharingRuleFromString(it->get<std::string>()) : std::nullopt;
    };
    const auto idle = rule("idle"), shared = rule("shared");
    const auto weights = json.is_object() ? json.find("weights") : json.end();
    if (!idle || !shared || weights == json.end() || !weights->is_object())
        return std::nullopt;
    SharingRules out{*idle, *shared, {}};
    for (const auto &[team, weight] : weights->items()) {
        // As the configuration allows; an untrusted report may contain anything.
        if (!weight.is_number() || !(weight.get<double>() >= 0 && weight.get<double>() <= kMostWeight))
            return std::nullopt;
        out.weights[team] = weight.get<double>();
    }
    return out;
}

// std::nullopt: it exists, and is neither true nor false.
std::optional<bool> truthAt(const Json &json, const char *key, bool otherwise)
{
    const auto it = json.find(key);
    if (it == json.end())
        return otherwise;
    return it->is_boolean() ? std::optional(it->get<bool>()) : std::nullopt;
}

// Reads what the header says about a closed preceding month. False: it is invalid.
bool takeBefore(MonthRecord &to, const Json &json)
{
    if (const auto before = json.find("closed_before"); before != json.end()) {
        const std::string rules = before->is_string() ? before->get<std::string>() : std::string();
        if (rules != kNoRules && rules != kKnownRules)
            return false;
        to.restated = RestatedMonth();
        if (rules == kKnownRules)
            to.restated->byOldRules = LedgerAnswer();
    }
    if (const auto code = json.find("currency_before"); code != json.end()) {
        const auto currency = Currency::parse(code->is_string() ? code->get<std::string>() : std::string());
        if (!currency)
            return false;
        to.reportBefore = *currency;
    }
    return true;
}

} // namespace

std::string ofHeader(const ClosedMonth &month, std::size_t figureCount)
{
    const MonthRecord &record = month.record;
    Json json{{"form", kForm},
              {"month", insight::toString(record.month)},
              {"closed_at", base::toRfc3339(record.made)},
              {"closed_by", month.by},
              {"reason", month.reason},
              {"figures", figureCount},
              {"currency", codeOf(record.report)}};
    const bool fetched = !record.covered.empty();
    json["covered_from"] = timeOrNull(fetched ? std::optional(record.covered.start) : std::nullopt);
    json["covered_to"] = timeOrNull(fetched ? std::optional(record.covered.end) : std::nullopt);
    json["reviewed_at"] = timeOrNull(month.review ? std::optional(month.review->at) : std::nullopt);
    json["reviewed_by"] = month.review ? Json(month.review->by) : Json(nullptr);
    json["objections"] = Json::array();
    for (const Objection &objection : month.objections)
        json["objections"].push_back(headerJson(objection));
    if (record.doubts)
        json["doubts"] = true;
    if (record.possible)
        json["possible"] = true;
    if (record.past)
        json["past"] = true;
    if (record.fetchedInPart)
        json["fetched_in_part"] = true;
    if (!record.knowsBefore) // a report of a month that was stored in the first form
        json["knows_before"] = false;
    if (!record.sharing.movesNothing())
        json["sharing"] = headerJson(record.sharing);
    if (record.restated)
        json["closed_before"] = record.restated->byOldRules ? kKnownRules : kNoRules;
    if (record.reportBefore && *record.reportBefore != record.report)
        json["currency_before"] = codeOf(*record.reportBefore);
    return text(Json::array({kMonth, std::move(json)}));
}

std::string ofSharing(const SharingRules &rules)
{
    return text(Json::array({"sharing", headerJson(rules)}));
}

Result<ClosedMonth> readHeader(const std::string &row)
{
    Reader reader(row);
    const Json &json = reader.object();
    if (reader.kind() != kMonth || !reader.fits())
        return unreadable();
    const auto textAt = [&](const char *key) {
        const auto it = json.find(key);
        return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
    };
    const auto form = json.find("form");
    if (form == json.end() || !form->is_number_integer() || form->get<std::int64_t>() < kFirstForm
        || form->get<std::int64_t>() > kForm)
        return base::fail(base::ErrorCode::StorageNewer,
                          "a closed month was written in a format that this version does not know",
                          base::Remedy::InstallNewerOrChooseFolder);
    ClosedMonth out;
    const auto month = insight::monthFromString(textAt("month"));
    const auto made = base::parseTime(textAt("closed_at"));
    const auto currency = Currency::parse(textAt("currency"));
    if (!month || !made || !currency)
        return unreadable();
    out.record.month = *month;
    out.record.made = *made;
    out.record.report = *currency;
    const auto doubts = truthAt(json, "doubts", false), possible = truthAt(json, "possible", false),
               past = truthAt(json, "past", false), knowsBefore = truthAt(json, "knows_before", *form != kFirstForm),
               inPart = truthAt(json, "fetched_in_part", false);
    if (!doubts || !possible || !past || !knowsBefore || !inPart)
        return unreadable();
    out.record.knowsBefore = *knowsBefore;
    out.record.fetchedInPart = *inPart;
    if (*doubts)
        out.record.doubts = LedgerAnswer();
    if (*possible)
        out.record.possible = LedgerAnswer();
    if (*past)
        out.record.past = PastMonths();
    const auto from = base::parseTime(textAt("covered_from")), to = base::parseTime(textAt("covered_to"));
    if (from && to)
        out.record.covered = {*from, *to};
    if (!takeBefore(out.record, json))
        return unreadable();
    if (const auto sharing = json.find("sharing"); sharing != json.end()) {
        const auto rules = sharingOf(*sharing);
        if (!rules)
            return unreadable();
        out.record.sharing = *rules;
    }
    out.by = textAt("closed_by");
    out.reason = textAt("reason");
    if (const auto reviewed = base::parseTime(textAt("reviewed_at")))
        out.review = MonthStatus::Review{*reviewed, textAt("reviewed_by")};
    return out;
}

Result<std::size_t> figureCountOf(const std::string &header)
{
    Reader reader(header);
    const Json &json = reader.object();
    const auto it = json.find("figures");
    if (it == json.end() || !it->is_number_unsigned())
        return unreadable();
    return it->get<std::size_t>();
}

} // namespace gpuledger::reports::texts
