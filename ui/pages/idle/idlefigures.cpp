// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/idle/idlefigures.h"

#include "app/insight/proof/blockedproof.h"

#include <QCoreApplication>

#include <algorithm>

namespace gpuledger::ui {

namespace {

struct IdleFigures {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::IdlePage)
};

} // namespace

std::vector<Explained> idleExplained(const IdleSnapshot &snapshot, const std::string &row)
{
    const auto figure = [&](const char *measure) { return insight::idleFigure(snapshot.list.at, row, measure); };
    if (row.starts_with(insight::kBlockedItem))
        return {{IdleFigures::tr("Per month if left idle"), figure("per-month")}, // no-tr: name of a figure
                {IdleFigures::tr("Rate per hour"), figure("rate-per-hour")}}; // no-tr: name of a figure
    const auto isIn = [&](const std::vector<insight::IdleItem> &items) {
        return std::any_of(items.begin(), items.end(), [&](const insight::IdleItem &item) { return item.id == row; });
    };
    if (!isIn(snapshot.list.items) && !isIn(snapshot.list.partly)) // unknown items have no figures
        return {};
    return {{IdleFigures::tr("Cost so far"), figure("wasted")}, // no-tr: name of a figure
            {IdleFigures::tr("Per month if left idle"), figure("per-month")}, // no-tr: name of a figure
            {IdleFigures::tr("Idle hours"), figure("idle-hours")}, // no-tr: name of a figure
            {IdleFigures::tr("Rate per hour"), figure("rate-per-hour")}}; // no-tr: name of a figure
}

} // namespace gpuledger::ui
