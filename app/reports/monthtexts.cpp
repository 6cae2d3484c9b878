// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/monthtexts.h"

#include <nlohmann/json.hpp>

namespace gpuledger::reports::texts {

using base::Currency;
using base::Money;
using base::Result;
using insight::LedgerAnswer;
using insight::LedgerRow;
using insight::LedgerTotal;

namespace {

using Json = nlohmann::ordered_json;

// Of the rows; another one is another program's. The first one has no rules, and does not say whether the month before
// was closed.
constexpr int kFirstForm = 1, kFormWithoutDoubts = 2, kForm = 3;
constexpr char kMonth[] = "month", kBill[] = "bill", kAdjustment[] = "adjustment", kRules[] = "rules";
constexpr char kNoRules[] = "unknown", kKnownRules[] = "known"; // those of the close of the month before
constexpr double kMostWeight = 1e9;
constexpr std::size_t kRowFigures = 9; // behind the keys of a row

std::string text(const Json &json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string codeOf(Currency currency)
{
    return std::string(currency.code());
}

Json timeOrNull(const std::optional<base::UtcTime> &t)
{
    return t ? Json(base::toRfc3339(*t)) : Json(nullptr);
}

Json jsonOf(const Objection &objection)
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
    }
    return json;
}

// Reads a row that was checked against its hash: what does not fit was written by another program.
class Reader {
public:
    explicit Reader(const std::string &row)
        : m_json(Json::parse(row, nullptr, false))
        , m_fits(m_json.is_array() && !m_json.empty() && m_json[0].is_string())
    {
    }
    bool fits() const { return m_fits; }
    std::string kind() const { return m_fits ? m_json[0].get<std::string>() : std::string(); }
    std::size_t size() const { return m_json.size(); }
    const Json &object()
    {
        static const Json kNone = Json::object();
        const bool there = m_fits && m_at < m_json.size() && m_json[m_at].is_object();
        m_fits = there;
        return there ? m_json[m_at++] : kNone;
    }
    std::string text()
    {
        const Json *json = next();
        const auto *value = json ? json->get_ptr<const std::string *>() : nullptr;
        m_fits = m_fits && value;
        return value ? *value : std::string();
    }
    std::int64_t integer()
    {
        const Json *json = next();
        m_fits = m_fits && json && json->is_number_integer()
            && !(json->is_number_unsigned() && json->get<std::uint64_t>() > INT64_MAX);
        return m_fits ? json->get<std::int64_t>() : 0;
    }
    std::optional<std::int64_t> integerOrNull()
    {
        if (!m_fits || m_at >= m_json.size() || !m_json[m_at].is_null())
            return integer();
        ++m_at;
        return std::nullopt;
    }
    bool truth()
    {
        const Json *json = next();
        m_fits = m_fits && json && json->is_boolean();
        return m_fits && json->get<bool>();
    }
    Currency currency()
    {
        const std::string code = text();
        const auto currency = Currency::parse(code);
        m_fits = m_fits && (currency || code.empty());
        return currency ? *currency : Currency();
    }
    insight::Month month()
    {
        const auto month = insight::monthFromString(text());
        m_fits = m_fits && month;
        return month.value_or(insight::Month{});
    }
    base::UtcTime time()
    {
        const auto t = base::parseTime(text());
        m_fits = m_fits && t;
        return t ? *t : base::UtcTime{};
    }

private:
    const Json *next()
    {
        m_fits = m_fits && m_at < m_json.size();
        return m_fits ? &m_json[m_at++] : nullptr;
    }

    Json m_json;
    std::size_t m_at = 1;
    bool m_fits = false;
};

tl::unexpected<base::Error> unreadable()
{
    return base::fail(
        base::ErrorCode::StorageCorrupt, "a row of a closed month can't be read",
        "Put a backup of the data folder in its place; \"gpuledger-cli verify\" tells what else is damaged.");
}

Json jsonOf(const SharingRules &rules)
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
        // As the configuration has them; a stranger's report may say anything.
        if (!weight.is_number() || !(weight.get<double>() >= 0 && weight.get<double>() <= kMostWeight))
            return std::nullopt;
        out.weights[team] = weight.get<double>();
    }
    return out;
}

LedgerRow rowOf(Reader &reader, Currency report)
{
    LedgerRow row;
    for (std::size_t i = 1; i + kRowFigures < reader.size(); ++i)
        row.keys.push_back(reader.text());
    row.currency = reader.currency();
    row.billed = Money(reader.integer(), row.currency);
    row.effective = Money(reader.integer(), row.currency);
    row.gpuTime = {reader.integer()};
    row.hasGpuTime = reader.truth();
    row.gpuTimeComplete = reader.truth();
    row.priced = Money(reader.integer(), report);
    row.unpriced = {reader.integer()};
    if (const auto allocated = reader.integerOrNull())
        row.allocated = Money(*allocated, row.currency);
    return row;
}

LedgerTotal billOf(Reader &reader)
{
    LedgerTotal total;
    total.currency = reader.currency();
    for (Money LedgerTotal::*part :
         {&LedgerTotal::billBilled, &LedgerTotal::billEffective, &LedgerTotal::billed, &LedgerTotal::effective,
          &LedgerTotal::unexplainedBilled, &LedgerTotal::unexplainedEffective})
        total.*part = Money(reader.integer(), total.currency);
    return total;
}

MonthAdjustment adjustmentOf(Reader &reader)
{
    MonthAdjustment one;
    one.of = reader.month();
    one.closedAt = reader.time();
    one.key.currency = reader.currency();
    one.key.team = reader.text();
    one.key.category = reader.text();
    one.key.state = reader.text();
    one.amounts.billed = reader.integer();
    one.amounts.effective = reader.integer();
    one.amounts.estimated = reader.integer();
    return one;
}

// Where rows of a kind go; null: no such rows.
LedgerAnswer *answerOf(MonthRecord &record, const std::string &kind)
{
    if (kind == kSum)
        return &record.after;
    if (kind == kBefore)
        return &record.before;
    if (kind == kWorkload)
        return &record.workloads;
    if (kind == kDoubt && record.doubts)
        return &*record.doubts;
    if (kind == kNow && record.restated)
        return &record.restated->now;
    return kind == kOldRules && record.restated && record.restated->byOldRules ? &*record.restated->byOldRules
                                                                               : nullptr;
}

// Rows of one kind that have as many keys as that kind has.
bool take(ClosedMonth &to, Reader &reader)
{
    MonthRecord &record = to.record;
    const std::string kind = reader.kind();
    if (kind == kBill) {
        record.after.totals.push_back(billOf(reader));
    } else if (kind == kAdjustment) {
        record.adjustments.push_back(adjustmentOf(reader));
    } else if (kind == kRules) {
        to.rules = KeptRules();
        to.rules->id = reader.text();
        to.rules->text = reader.text();
    } else {
        LedgerAnswer *answer = answerOf(record, kind);
        const std::size_t keys = (kind == kWorkload    ? workloadDimensions()
                                      : kind == kDoubt ? doubtDimensions()
                                                       : statementDimensions())
                                     .size();
        if (!answer || reader.size() != 1 + keys + kRowFigures)
            return false;
        const bool isThen = kind == kBefore || kind == kOldRules;
        answer->rows.push_back(rowOf(reader, isThen ? record.reportBefore.value_or(record.report) : record.report));
    }
    return reader.fits();
}

// What the header says of a closed month before. False: it can't be read.
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
        json["objections"].push_back(jsonOf(objection));
    if (record.doubts)
        json["doubts"] = true;
    if (record.fetchedInPart)
        json["fetched_in_part"] = true;
    if (!record.sharing.movesNothing())
        json["sharing"] = jsonOf(record.sharing);
    if (record.restated)
        json["closed_before"] = record.restated->byOldRules ? kKnownRules : kNoRules;
    if (record.reportBefore && *record.reportBefore != record.report)
        json["currency_before"] = codeOf(*record.reportBefore);
    return text(Json::array({kMonth, std::move(json)}));
}

std::string ofBill(const LedgerTotal &total)
{
    return text(Json::array({kBill, codeOf(total.currency), total.billBilled.nanos(), total.billEffective.nanos(),
                             total.billed.nanos(), total.effective.nanos(), total.unexplainedBilled.nanos(),
                             total.unexplainedEffective.nanos()}));
}

std::string ofRow(std::string_view what, const LedgerRow &row)
{
    Json json = Json::array({std::string(what)});
    for (const std::string &key : row.keys)
        json.push_back(key);
    json.push_back(codeOf(row.currency));
    json.push_back(row.billed.nanos());
    json.push_back(row.effective.nanos());
    json.push_back(row.gpuTime.ticks);
    json.push_back(row.hasGpuTime);
    json.push_back(row.gpuTimeComplete);
    json.push_back(row.priced.nanos());
    json.push_back(row.unpriced.ticks);
    json.push_back(row.allocated ? Json(row.allocated->nanos()) : Json(nullptr));
    return text(json);
}

std::string ofAdjustment(const MonthAdjustment &one)
{
    return text(Json::array({kAdjustment, insight::toString(one.of), base::toRfc3339(one.closedAt),
                             codeOf(one.key.currency), one.key.team, one.key.category, one.key.state,
                             one.amounts.billed, one.amounts.effective, one.amounts.estimated}));
}

std::string ofRules(const KeptRules &rules)
{
    return text(Json::array({kRules, rules.id, rules.text}));
}

std::string ofSharing(const SharingRules &rules)
{
    return text(Json::array({"sharing", jsonOf(rules)}));
}

std::string ofKey(std::size_t number, const model::LedgerKey &key)
{
    return text(Json::array({"key", number, codeOf(key.currency), std::string(model::toString(key.category)),
                             std::string(model::toString(key.origin)), std::string(model::toString(key.match)),
                             key.source, key.team, key.state, key.workloadKind, key.environment, key.account,
                             key.accountName, key.service, key.cloud, key.region, key.cluster, key.gpuModel}));
}

std::string ofLine(base::Day day, std::size_t key, const model::LedgerAmounts &amounts)
{
    return text(Json::array({"line", insight::dayText(day), key, amounts.billed, amounts.effective, amounts.ticks,
                             amounts.unknownTime, amounts.priced, amounts.unpricedTicks, amounts.allocated}));
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
    if (form == json.end() || (*form != kFirstForm && *form != kFormWithoutDoubts && *form != kForm))
        return base::fail(base::ErrorCode::StorageNewer,
                          "a closed month was written in a form that this program does not know",
                          "Install the newer version of GPU Ledger that wrote it, or choose another data folder.");
    ClosedMonth out;
    const auto month = insight::monthFromString(textAt("month"));
    const auto made = base::parseTime(textAt("closed_at"));
    const auto currency = Currency::parse(textAt("currency"));
    if (!month || !made || !currency)
        return unreadable();
    out.record.month = *month;
    out.record.made = *made;
    out.record.report = *currency;
    out.record.knowsBefore = *form != kFirstForm;
    if (const auto doubts = json.find("doubts"); doubts != json.end()) {
        if (!doubts->is_boolean())
            return unreadable();
        if (doubts->get<bool>())
            out.record.doubts = LedgerAnswer();
    }
    if (const auto part = json.find("fetched_in_part"); part != json.end()) {
        if (!part->is_boolean())
            return unreadable();
        out.record.fetchedInPart = part->get<bool>();
    }
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

Result<ClosedMonth> read(const std::vector<std::string> &rows)
{
    if (rows.empty())
        return unreadable();
    auto out = readHeader(rows.front());
    GPULEDGER_TRY(out);
    const auto count = figureCountOf(rows.front());
    GPULEDGER_TRY(count);
    if (*count != rows.size())
        return unreadable();
    for (std::size_t i = 1; i < rows.size(); ++i) {
        Reader reader(rows[i]);
        if (!reader.fits() || !take(*out, reader))
            return unreadable();
    }
    return out;
}

} // namespace gpuledger::reports::texts
