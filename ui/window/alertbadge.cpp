// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/alertbadge.h"

#include "ui/viewmodels/alerts/alertcount.h"

#include <algorithm>

namespace gpuledger::ui {

NavigationRail *railWithAlerts(const WindowContext &context, const std::vector<PageEntry> &pages)
{
    auto *rail = new NavigationRail(context.theme, pages);
    const auto page = std::find_if(pages.begin(), pages.end(),
                                   [](const PageEntry &one) { return one.id == QLatin1String("alerts"); }); // no-tr: id
    if (page == pages.end())
        return rail;
    const int index = static_cast<int>(page - pages.begin());
    auto *count =
        new AlertCount(context.workspace.config(), context.workspace.alerts(), context.tasks, context.sync, rail);
    QObject::connect(count, &AlertCount::changed, rail, [rail, count, index] {
        const int firing = count->firing().value_or(0);
        rail->setBadge(index, firing, firing > 0 ? NavigationRail::tr("%n firing", "alerts", firing) : QString());
    });
    return rail;
}

} // namespace gpuledger::ui
