// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/program/costoption.h"

#include "ui/format/phrases/figures.h"

#include <CLI/CLI.hpp>

namespace gpuledger::cli {

using model::CostView;

void addCostOption(CLI::App &verb, std::string &name)
{
    verb.add_option("--cost", name,
                    "effective (default): commitments spread over the usage they cover, estimates where there is no "
                    "bill; billed: as on the invoice, unknown where there is no bill; list: by the price book")
        ->check(CLI::IsMember({"billed", "effective", "list"}));
}

CostView costViewOf(const std::string &name)
{
    return model::costViewFromString(name).value_or(CostView::Effective);
}

std::string viewText(CostView view)
{
    switch (view) {
    case CostView::Billed:
        return ", cost as billed";
    case CostView::List:
        return ", cost by list prices";
    case CostView::Effective:
        break;
    }
    return {};
}

std::string unpricedText(base::GpuTime time, CostView view)
{
    if (time.ticks <= 0)
        return {};
    return ui::hoursText(time)
        + (view == CostView::Billed
               ? " GPU-hours are not on any bill yet; their cost is unknown and in no sum\n"
               : " GPU-hours have no price; their cost is unknown and in no sum (add them under prices: overrides)\n");
}

} // namespace gpuledger::cli
