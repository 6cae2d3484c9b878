// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/azure/costs/keptmonth.h"

#include "app/base/text/text.h"
#include "connectors/format/askedbill.h"
#include "connectors/format/json.h"

#include <algorithm>

namespace gpuledger::azure {

using Json = nlohmann::json;

namespace {

constexpr int kMonthVersion = 1;
constexpr std::size_t kRowParts = 10;

Json storedRow(const CostRow &row)
{
    return Json::array({std::to_string(row.day.number), std::string(1, static_cast<char>(row.part)),
                        std::string(row.currency.code()), row.item, row.charge, row.resource, row.subscription, row.tag,
                        row.billed.toText(), row.effective.toText()});
}

std::optional<CostRow> rowFromStored(const Json &stored, const base::TimeRange &month)
{
    if (!stored.is_array() || stored.size() != kRowParts
        || !std::all_of(stored.begin(), stored.end(), [](const Json &one) { return one.is_string(); }))
        return std::nullopt;
    const auto text = [&](std::size_t i) { return stored[i].get<std::string>(); };
    const auto day = base::parseInt(text(0));
    const std::string part = text(1);
    const auto currency = base::Currency::parse(text(2));
    const auto billed = base::Decimal::parse(text(8)), effective = base::Decimal::parse(text(9));
    if (!day || *day < base::dayOf(month.start).number || *day >= base::dayOf(month.end).number || part.size() != 1
        || std::string("msn").find(part) == std::string::npos || !currency || !billed || !effective)
        return std::nullopt;
    CostRow row;
    row.day.number = static_cast<std::int32_t>(*day);
    row.part = static_cast<CostPart>(part.front());
    row.currency = *currency;
    row.item = text(3);
    row.charge = text(4);
    row.resource = text(5);
    row.subscription = text(6);
    row.tag = text(7);
    row.billed = *billed;
    row.effective = *effective;
    return row;
}

std::int64_t wholeIn(const Json &object, const char *key)
{
    const auto at = object.find(key);
    return at != object.end() && at->is_number_integer() ? at->get<std::int64_t>() : 0;
}

} // namespace

bool KeptMonth::isFinal(base::UtcTime now) const
{
    return asked >= format::nextMonthStart(range.end) && asked <= now + base::kDay;
}

base::TimeRange KeptMonth::due(base::UtcTime now, base::Seconds refresh) const
{
    const bool isFresh = asked != base::UtcTime{} && now < asked + refresh && asked <= now + refresh;
    if (isFresh || isFinal(now))
        return {};
    return {range.start, std::min(range.end, base::floorTo(now, base::kDay))};
}

void KeptMonth::put(std::vector<CostRow> answer, base::UtcTime end, base::UtcTime now)
{
    restated += answer == rows ? 0 : 1;
    rows = std::move(answer);
    until = end;
    asked = now;
}

std::string KeptMonth::toText() const
{
    Json all = Json::array();
    for (const CostRow &row : rows)
        all.push_back(storedRow(row));
    const Json stored{{"version", kMonthVersion},     {"month", base::toUnix(range.start)},
                      {"identity", identity},         {"asked", base::toUnix(asked)},
                      {"until", base::toUnix(until)}, {"restated", restated},
                      {"imported", wasImported},      {"rows", std::move(all)}};
    return stored.dump();
}

std::optional<KeptMonth> KeptMonth::fromText(const std::string &text, const base::TimeRange &month)
{
    const auto stored = format::parseJson(text);
    if (!stored || !stored->is_object() || wholeIn(*stored, "version") != kMonthVersion
        || wholeIn(*stored, "month") != base::toUnix(month.start) || !stored->contains("rows")
        || !stored->at("rows").is_array())
        return std::nullopt;
    KeptMonth out;
    out.range = month;
    out.identity = format::textOf(*stored, "identity");
    out.asked = base::fromUnix(wholeIn(*stored, "asked"));
    out.until = base::fromUnix(wholeIn(*stored, "until"));
    out.restated = wholeIn(*stored, "restated");
    const auto imported = stored->find("imported");
    out.wasImported = imported != stored->end() && imported->is_boolean() && imported->get<bool>();
    for (const Json &one : stored->at("rows")) {
        auto row = rowFromStored(one, month);
        if (!row)
            return std::nullopt;
        out.rows.push_back(std::move(*row));
    }
    return out;
}

} // namespace gpuledger::azure
