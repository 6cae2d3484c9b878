// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/files/reportmonth.h"

#include "app/base/remedy.h"

#include <nlohmann/json.hpp>

#include <array>

namespace gpuledger::reports {

using base::ErrorCode;
using base::Result;

namespace {

using Json = nlohmann::ordered_json;

Json jsonOf(const std::optional<MonthStatus::Review> &review)
{
    return review ? Json{{"at", base::toRfc3339(review->at)}, {"by", review->by}} : Json(nullptr);
}

Json jsonOf(const std::map<std::string, MonthStatus::Team> &teams)
{
    Json out = Json::array();
    for (const auto &[team, one] : teams)
        out.push_back({{"team", team}, {"review", jsonOf(one.review)}, {"outdated", jsonOf(one.outdated)}});
    return out;
}

Json jsonOf(const MonthStatus &status)
{
    return {{"state", std::string(toString(status.state))},
            {"over", status.isOver},
            {"at", status.at ? Json(base::toRfc3339(*status.at)) : Json(nullptr)},
            {"by", status.by},
            {"reason", status.reason},
            {"hash", status.hash},
            {"outdated", jsonOf(status.outdated)},
            {"review", jsonOf(status.review)},
            {"teams", jsonOf(status.teams)}};
}

tl::unexpected<base::Error> unreadableReport()
{
    return base::fail(ErrorCode::StorageCorrupt, "the report's statement can't be read",
                      base::Remedy::RequestTrustedReport);
}

// Reads values of a JSON object; a missing value or one of another type makes it invalid.
class Fields {
public:
    explicit Fields(const Json &json)
        : m_json(json)
        , m_fits(json.is_object())
    {
    }
    bool fits() const { return m_fits; }
    std::string text(const char *key)
    {
        const Json *value = find(key);
        const auto *found = value ? value->get_ptr<const std::string *>() : nullptr;
        m_fits = m_fits && found;
        return found ? *found : std::string();
    }
    bool truth(const char *key)
    {
        const Json *value = find(key);
        m_fits = m_fits && value && value->is_boolean();
        return m_fits && value->get<bool>();
    }
    std::optional<base::UtcTime> time(const char *key)
    {
        const Json *value = find(key);
        if (value && value->is_null())
            return std::nullopt;
        const auto at = base::parseTime(text(key));
        m_fits = m_fits && at;
        return at ? std::optional(*at) : std::nullopt;
    }
    std::optional<MonthStatus::Review> review(const char *key)
    {
        const Json *value = find(key);
        m_fits = m_fits && value;
        if (!m_fits || value->is_null())
            return std::nullopt;
        Fields fields(*value);
        const auto at = fields.time("at");
        const std::string by = fields.text("by");
        m_fits = fields.fits() && at;
        return m_fits ? std::optional(MonthStatus::Review{*at, by}) : std::nullopt;
    }
    const Json *find(const char *key) const
    {
        const auto it = m_fits ? m_json.find(key) : m_json.end();
        return it == m_json.end() ? nullptr : &*it;
    }

private:
    const Json &m_json;
    bool m_fits;
};

// Reports from before team reviews existed have none.
bool takeTeams(const Json *from, std::map<std::string, MonthStatus::Team> &teams)
{
    if (!from)
        return true;
    for (const Json &json : *from) {
        Fields fields(json);
        MonthStatus::Team &team = teams[fields.text("team")];
        team.review = fields.review("review");
        team.outdated = fields.review("outdated");
        team.state = team.review ? MonthState::Reviewed : MonthState::Draft;
        if (!fields.fits())
            return false;
    }
    return from->is_array();
}

std::optional<MonthStatus> statusFrom(const Json &json)
{
    Fields fields(json);
    MonthStatus status;
    const std::string state = fields.text("state");
    bool isKnown = false;
    for (const MonthState one : {MonthState::Draft, MonthState::Reviewed, MonthState::Closed}) {
        if (toString(one) == state) {
            status.state = one;
            isKnown = true;
        }
    }
    status.isOver = fields.truth("over");
    status.at = fields.time("at");
    status.by = fields.text("by");
    status.reason = fields.text("reason");
    status.hash = fields.text("hash");
    status.outdated = fields.review("outdated");
    status.review = fields.review("review");
    const bool hasTeams = takeTeams(fields.find("teams"), status.teams);
    return isKnown && hasTeams && fields.fits() ? std::optional(std::move(status)) : std::nullopt;
}

} // namespace

Result<std::string> toText(const KeptMonth &month)
{
    ClosedMonth closed;
    closed.record = month.record;
    auto texts = encode(closed, [](const LineVisitor &) { return Result<void>(); });
    GPULEDGER_TRY(texts);
    const Json json{{"status", jsonOf(month.status)}, {"rows", std::move(texts->rows)}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<KeptMonth> keptMonthOf(std::string_view text)
{
    const Json json = Json::parse(text, nullptr, false);
    const Fields fields(json);
    const Json *rows = fields.find("rows"), *status = fields.find("status");
    if (!rows || !status || !rows->is_array())
        return unreadableReport();
    std::vector<std::string> texts;
    for (const Json &row : *rows) {
        if (!row.is_string())
            return unreadableReport();
        texts.push_back(row.get<std::string>());
    }
    if (texts.empty())
        return unreadableReport();
    auto closed = decode(texts);
    GPULEDGER_TRY(closed);
    auto read = statusFrom(*status);
    if (!read)
        return unreadableReport();
    read->month = closed->record.month;
    return KeptMonth{std::move(closed->record), std::move(*read)};
}

} // namespace gpuledger::reports
