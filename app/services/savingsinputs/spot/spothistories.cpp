// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/savingsinputs/spot/spothistories.h"

#include "app/base/text/text.h"
#include "app/ledger/prices/pricerules.h"
#include "app/savings/spot/capacity/spothistory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace gpuledger::services {

using base::ErrorCode;
using base::Result;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargestSpotHistory = 64U << 20; // bytes
constexpr base::Seconds kSpotStillKnown{3600}; // a history that ends no longer before knows the state

std::int64_t secondOf(base::UtcTime at)
{
    return at.time_since_epoch().count();
}

Result<std::string> spotHistoryText(const fs::path &path)
{
    std::error_code ec;
    const fs::file_status status = fs::status(path, ec);
    if (status.type() == fs::file_type::not_found)
        return base::fail(ErrorCode::NotFound, "there is no such file");
    if (fs::exists(status) && !fs::is_regular_file(status))
        return base::fail(ErrorCode::InvalidArgument, "it is not a file");
    const std::uintmax_t size = fs::file_size(path, ec);
    if (!ec && size > kLargestSpotHistory)
        return base::fail(ErrorCode::TooMuch, "it is larger than 64 MiB");
    std::ifstream in(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in)
        return base::fail(ErrorCode::NotFound, "it can't be read");
    return text;
}

// What counts of a trace, in seconds since 1970.
savings::SpotTrace keptOf(savings::SpotTrace trace, base::UtcTime began, base::UtcTime at)
{
    for (savings::SpotInterval &one : trace.intervals)
        one.start += secondOf(began);
    for (savings::SpotPriceStep &one : trace.prices)
        one.start += secondOf(began);
    trace = savings::before(trace, secondOf(at));
    return savings::since(trace, trace.end() - kSpotHistoryKept.count());
}

Result<void> addSpotHistory(const model::SpotHistoryFile &file, base::UtcTime at, SpotHistories &out)
{
    const auto text = spotHistoryText(file.path);
    GPULEDGER_TRY(text);
    auto traces = savings::readSpotIntervals(*text);
    GPULEDGER_TRY(traces);
    const std::size_t had = out.traces.size();
    std::optional<std::int64_t> first; // where a trace begins, after `began`
    for (savings::SpotTrace &one : *traces) {
        first = std::min(first.value_or(one.begin()), one.begin());
        savings::SpotTrace kept = keptOf(std::move(one), file.began, at);
        if (!kept.intervals.empty())
            out.traces.push_back({std::move(kept), fs::path(file.path).filename().string()});
    }
    if (out.traces.size() == had)
        return base::fail(ErrorCode::InvalidArgument,
                          "its first interval begins at "
                              + base::toRfc3339(file.began + base::Seconds{first.value_or(0)})
                              + ", after the time that is asked about");
    return {};
}

} // namespace

SpotHistories readSpotHistories(const std::vector<model::SpotHistoryFile> &files, base::UtcTime at)
{
    SpotHistories out;
    for (const model::SpotHistoryFile &file : files) {
        if (const auto added = addSpotHistory(file, at, out); !added)
            out.unread.push_back({base::printable(file.path, 200), added.error().text});
    }
    return out;
}

bool isZoneOf(std::string_view zone, std::string_view region)
{
    const std::string whole = ledger::lowerCase(zone), part = ledger::lowerCase(region);
    if (part.empty() || !whole.starts_with(part))
        return false;
    std::string_view rest = std::string_view(whole).substr(part.size());
    const auto isIn = [&](char first, char last) { return rest.front() >= first && rest.front() <= last; };
    if (rest.empty())
        return true;
    const bool isApart = rest.front() == '-';
    rest.remove_prefix(isApart ? 1 : 0);
    return rest.size() == 1 && (isIn('a', 'z') || (isApart && isIn('0', '9')));
}

std::optional<savings::SpotInterruptions> historyOf(const SpotHistories &histories, std::string_view region,
                                                    std::string_view machine, base::UtcTime at)
{
    savings::SpotInterruptions out;
    out.basis = savings::SpotBasis::History;
    std::set<std::string> files;
    std::int64_t end = 0;
    for (const SpotHistories::One &one : histories.traces) {
        if (ledger::lowerCase(one.trace.instanceType) != ledger::lowerCase(machine)
            || !isZoneOf(one.trace.zone, region))
            continue;
        out.history.push_back(one.trace);
        files.insert(one.file);
        end = std::max(end, one.trace.end());
    }
    if (!savings::shapeOf(out.history).isEnough())
        return std::nullopt;
    for (const std::string &file : files)
        out.source += (out.source.empty() ? "" : ", ") + file;
    out.seen = base::dayOf(base::UtcTime{base::Seconds{end - 1}});
    if (end < secondOf(at - kSpotStillKnown))
        out.now = secondOf(at);
    return out;
}

std::set<std::string> othersWithHistory(const SpotHistories &histories, std::string_view region,
                                        std::string_view machine)
{
    std::set<std::string> out;
    for (const SpotHistories::One &one : histories.traces) {
        if (isZoneOf(one.trace.zone, region))
            out.insert(ledger::lowerCase(one.trace.instanceType));
    }
    out.erase(ledger::lowerCase(machine));
    return out;
}

} // namespace gpuledger::services
