// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigation.h"

#include "ui/pages/activity/activitypage.h"
#include "ui/pages/alerts/alertspage.h"
#include "ui/pages/device/devicepage.h"
#include "ui/pages/heatmap/heatmappage.h"
#include "ui/pages/idle/idlepage.h"
#include "ui/pages/overview/overviewpage.h"
#include "ui/pages/savings/savingspage.h"
#include "ui/pages/showback/showbackpage.h"
#include "ui/pages/sources/sourcespage.h"
#include "ui/viewmodels/device/deviceplace.h"

#include <QCoreApplication>

namespace gpuledger::ui {

std::vector<PageEntry> pages()
{
    return {
        {QStringLiteral("overview"), QCoreApplication::translate("gpuledger::ui::Navigation", "Overview"),
         QStringLiteral("overview"), QStringLiteral("pages/overview.md"),
         [](const PageContext &context, QWidget *parent) -> Page * { return new OverviewPage(context, parent); }},
        {QStringLiteral("heatmap"), QCoreApplication::translate("gpuledger::ui::Navigation", "Heat map"),
         QStringLiteral("heatmap"), QStringLiteral("pages/heatmap.md"),
         [](const PageContext &context, QWidget *parent) -> Page * { return new HeatmapPage(context, parent); }},
        {QStringLiteral("idle"), QCoreApplication::translate("gpuledger::ui::Navigation", "Idle"),
         QStringLiteral("idle"), QStringLiteral("pages/idle.md"),
         [](const PageContext &context, QWidget *parent) -> Page * { return new IdlePage(context, parent); }},
        {QStringLiteral("savings"), QCoreApplication::translate("gpuledger::ui::Navigation", "Savings"),
         QStringLiteral("savings"), QStringLiteral("pages/savings.md"),
         [](const PageContext &context, QWidget *parent) -> Page * { return new SavingsPage(context, parent); }},
        {QStringLiteral("showback"), QCoreApplication::translate("gpuledger::ui::Navigation", "Showback"),
         QStringLiteral("showback"), QStringLiteral("pages/showback.md"),
         [](const PageContext &context, QWidget *parent) -> Page * { return new ShowbackPage(context, parent); }},
        {QStringLiteral("alerts"), QCoreApplication::translate("gpuledger::ui::Navigation", "Alerts"),
         QStringLiteral("alerts"), QStringLiteral("pages/alerts.md"),
         [](const PageContext &context, QWidget *parent) -> Page * { return new AlertsPage(context, parent); }},
        {QStringLiteral("activity"), QCoreApplication::translate("gpuledger::ui::Navigation", "Activity"),
         QStringLiteral("activity"), QStringLiteral("pages/activity.md"),
         [](const PageContext &context, QWidget *parent) -> Page * { return new ActivityPage(context, parent); }},
        {QStringLiteral("sources"), QCoreApplication::translate("gpuledger::ui::Navigation", "Sources"),
         QStringLiteral("sources"), QStringLiteral("pages/sources.md"),
         [](const PageContext &context, QWidget *parent) -> Page * { return new SourcesPage(context, parent); }},
        {devicePage(), QCoreApplication::translate("gpuledger::ui::Navigation", "Device"), QString(),
         QStringLiteral("pages/device.md"),
         [](const PageContext &context, QWidget *parent) -> Page * { return new DevicePage(context, parent); }, false},
    };
}

} // namespace gpuledger::ui
