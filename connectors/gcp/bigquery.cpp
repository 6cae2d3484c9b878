// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/gcp/bigquery.h"

#include "app/base/remedy.h"
#include "app/base/text/text.h"
#include "connectors/format/json.h"
#include "connectors/gcp/refusal.h"

#include <algorithm>
#include <random>

namespace gpuledger::gcp {

using base::ErrorCode;
using base::Result;
using Json = nlohmann::json;

namespace {

constexpr const char *kBigQueryScope = "https://www.googleapis.com/auth/bigquery";

tl::unexpected<base::Error> unreadableAnswer(const std::string &what)
{
    return base::fail(ErrorCode::Parse, "BigQuery's answer can't be read: " + what, base::Remedy::NextSyncTriesAgain);
}

// Whole numbers of 64 bits are texts.
std::optional<std::uint64_t> wholeIn64(const Json &reply, const char *name)
{
    const auto number = base::parseInt(format::textOf(reply, name));
    return number && *number >= 0 ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

bool isTrue(const Json &reply, const char *name)
{
    const Json &value = format::memberOf(reply, name);
    return value.is_boolean() && value.get<bool>();
}

std::string freshId()
{
    constexpr std::string_view kHex = "0123456789abcdef";
    std::random_device random;
    std::string id;
    for (int i = 0; i < 32; ++i)
        id += kHex[random() % kHex.size()];
    return id;
}

std::string gigabytes(std::uint64_t bytes)
{
    constexpr std::uint64_t kTenth = 100'000'000;
    const std::uint64_t tenths = (bytes + kTenth - 1) / kTenth; // never shown as less than it is
    return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " GB";
}

// The columns that were asked for, in their order.
bool hasBillColumns(const Json &reply)
{
    const Json &fields = format::memberOf(format::memberOf(reply, "schema"), "fields");
    if (!fields.is_array() || fields.size() != kBillColumns.size())
        return false;
    for (std::size_t i = 0; i < kBillColumns.size(); ++i) {
        if (format::textOf(fields[i], "name") != kBillColumns[i])
            return false;
    }
    return true;
}

} // namespace

BigQuery::BigQuery(const model::SourceSettings &settings, BillSettings bill, ports::SecretStore &secrets,
                   std::shared_ptr<http::HttpClient> client, const base::Clock &realClock, Tuning tuning)
    : m_bill(std::move(bill))
    , m_tuning(std::move(tuning))
    , m_api(settings, {"BigQuery", m_bill.api, kBigQueryScope, refusalOf}, secrets, std::move(client), realClock,
            m_tuning)
{
}

std::string BigQuery::queriesUrl() const
{
    return m_bill.api + "/bigquery/v2/projects/" + m_bill.jobProject + "/queries";
}

// Without the location, a job outside of the large regions is not found.
Result<std::string> BigQuery::resultUrl(const Json &reply, const std::string &pageToken) const
{
    const Json &job = format::memberOf(reply, "jobReference");
    const std::string id = format::textOf(job, "jobId"), location = format::textOf(job, "location");
    const bool isPlain = !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
    if (!isPlain)
        return unreadableAnswer("it names no job");
    http::Parameters parameters{{"maxResults", std::to_string(kMostRowsOfPage)}, {"timeoutMs", "20000"}};
    if (!location.empty())
        parameters.emplace_back("location", location);
    if (!pageToken.empty())
        parameters.emplace_back("pageToken", pageToken);
    return queriesUrl() + '/' + id + '?' + http::formEncode(parameters);
}

Result<std::uint64_t> BigQuery::bytesOf(const BillQuery &query, const std::stop_token &stop)
{
    const auto reply = m_api.ask(queriesUrl(), queryBody(query, m_bill, true, {}), stop);
    GPULEDGER_TRY(reply);
    const auto bytes = wholeIn64(*reply, "totalBytesProcessed");
    if (!bytes)
        return unreadableAnswer("it does not say what the query would scan");
    return *bytes;
}

// Asks until the query is done.
Result<Json> BigQuery::finished(Json reply, const std::stop_token &stop)
{
    const http::Milliseconds begin = m_tuning.pause->steadyNow();
    http::Milliseconds wait = m_tuning.firstPoll;
    while (!isTrue(reply, "jobComplete")) {
        if (m_tuning.pause->steadyNow() - begin > m_tuning.longestQuery)
            return base::fail(ErrorCode::Timeout, "BigQuery did not finish the query in time",
                              base::Remedy::NextSyncTriesAgain);
        if (!m_tuning.pause->wait(wait, stop))
            return base::fail(ErrorCode::Cancelled, "cancelled");
        wait = std::min(2 * wait, m_tuning.longestPoll);
        const auto url = resultUrl(reply, {});
        GPULEDGER_TRY(url);
        auto next = m_api.ask(*url, {}, stop);
        GPULEDGER_TRY(next);
        reply = std::move(*next);
    }
    return reply;
}

Result<void> BigQuery::run(const BillQuery &query, const RowsFn &onRows, const std::stop_token &stop)
{
    const auto bytes = bytesOf(query, stop);
    GPULEDGER_TRY(bytes);
    if (*bytes > m_bill.mostScanned)
        return base::fail(ErrorCode::TooMuch,
                          "the query for the month " + query.month + " would scan " + gigabytes(*bytes)
                              + ", and most_scanned allows " + gigabytes(m_bill.mostScanned) + "; it did not run",
                          base::Remedy::RaiseMostScanned);
    auto first = m_api.ask(queriesUrl(), queryBody(query, m_bill, false, freshId()), stop);
    GPULEDGER_TRY(first);
    auto page = finished(std::move(*first), stop);
    GPULEDGER_TRY(page);
    if (!isTrue(*page, "cacheHit"))
        m_scanned +=
            wholeIn64(*page, "totalBytesBilled").value_or(wholeIn64(*page, "totalBytesProcessed").value_or(*bytes));
    if (!hasBillColumns(*page))
        return unreadableAnswer("it has other columns than were asked for");
    const auto total = wholeIn64(*page, "totalRows");
    if (total.value_or(0) > kMostRows)
        return base::fail(ErrorCode::TooMuch, "the month " + query.month + " has more than 1,000,000 rows",
                          base::Remedy::UseStandardExport);
    std::size_t rows = 0;
    std::string token;
    for (std::size_t pages = 1;; ++pages) {
        if (const Json &some = format::memberOf(*page, "rows"); some.is_array()) { // absent where there are none
            rows += some.size();
            if (rows > kMostRows)
                return unreadableAnswer("it has more rows than it says");
            GPULEDGER_TRY(onRows(some));
        }
        const std::string next = format::textOf(*page, "pageToken");
        if (next.empty())
            break;
        if (next == token || pages >= kMostPages)
            return unreadableAnswer("its pages do not end");
        token = next;
        const auto url = resultUrl(*page, token);
        GPULEDGER_TRY(url);
        auto more = m_api.ask(*url, {}, stop);
        GPULEDGER_TRY(more);
        page = finished(std::move(*more), stop);
        GPULEDGER_TRY(page);
    }
    if (!total || rows != *total)
        return unreadableAnswer("it has another number of rows than it says");
    return {};
}

} // namespace gpuledger::gcp
