// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/savings/spot/capacity/spotpublished.h"

#include "app/base/text/text.h"
#include "app/savings/prices/pricetable.h"
#include "app/savings/proposals/proposal.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gpuledger::savings {

using base::Result;

namespace {

constexpr std::array<std::pair<std::string_view, double>, 5> kInterruptedBands{
    {{"<5%", 0.025}, {"5-10%", 0.075}, {"10-15%", 0.125}, {"15-20%", 0.175}, {">20%", 0.25}}};

std::string lowerPublished(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

} // namespace

double hourlySpotRate(double monthlyShare)
{
    return -std::log1p(-monthlyShare) / static_cast<double>(kHoursPerMonth);
}

Result<std::vector<PublishedSpot>> readPublishedSpot(std::string_view csv)
{
    const auto table = PriceTable::parse(
        csv, {"cloud", "instance_type", "region", "interrupted_band", "saving_percent", "as_of", "source"});
    GPULEDGER_TRY(table);
    const auto bad = [](std::size_t row, const char *what) {
        return base::fail(base::ErrorCode::Parse,
                          "row " + std::to_string(row + 1) + " of the spot interruptions has " + what);
    };
    if (table->unreadable() > 0)
        return base::fail(base::ErrorCode::Parse, "the spot interruptions have rows that can't be read");
    std::vector<PublishedSpot> out;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        PublishedSpot one;
        one.cloud = lowerPublished(table->cell(row, "cloud"));
        one.machine = lowerPublished(table->cell(row, "instance_type"));
        one.region = lowerPublished(table->cell(row, "region"));
        one.band = table->cell(row, "interrupted_band");
        one.source = table->cell(row, "source");
        const auto *const band = std::find_if(kInterruptedBands.begin(), kInterruptedBands.end(),
                                              [&](const auto &known) { return known.first == one.band; });
        if (band == kInterruptedBands.end())
            return bad(row, "an unknown band");
        one.monthlyShare = band->second;
        if (const std::string_view saving = table->cell(row, "saving_percent"); !saving.empty()) {
            const auto percent = base::parseInt(saving);
            if (!percent || *percent < 1 || *percent > 99)
                return bad(row, "a saving that is not from 1 to 99");
            one.savingPercent = static_cast<int>(*percent);
        }
        const auto day = base::parseTime(table->cell(row, "as_of"));
        if (!day || one.cloud.empty() || one.machine.empty() || one.region.empty() || one.source.empty())
            return bad(row, "no date, name or source");
        one.asOf = base::dayOf(*day);
        out.push_back(std::move(one));
    }
    return out;
}

} // namespace gpuledger::savings
