// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/model/money/costview.h"

namespace gpuledger::model {

std::string_view toString(CostView view)
{
    switch (view) {
    case CostView::Billed:
        return "billed";
    case CostView::List:
        return "list";
    case CostView::Effective:
        break;
    }
    return "effective";
}

std::optional<CostView> costViewFromString(std::string_view text)
{
    for (const CostView view : {CostView::Billed, CostView::Effective, CostView::List}) {
        if (text == toString(view))
            return view;
    }
    return std::nullopt;
}

} // namespace gpuledger::model
