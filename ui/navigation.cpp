// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/navigation.h"

#include "ui/pages/heatmappage.h"

#include <QCoreApplication>

namespace gpuledger::ui {

std::vector<PageEntry> pages()
{
    return {
        {QStringLiteral("heatmap"), QCoreApplication::translate("gpuledger::ui::Navigation", "Heatmap"),
         QStringLiteral("heatmap"),
         [](const PageContext &context, QWidget *parent) -> Page * { return new HeatmapPage(context, parent); }},
    };
}

} // namespace gpuledger::ui
