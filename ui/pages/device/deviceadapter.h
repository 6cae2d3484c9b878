// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/explainmenu.h"
#include "ui/viewmodels/device/deviceviewmodel.h"
#include "ui/viewmodels/tables/tablesnapshot.h"
#include "widgets/charts/linechart.h"

#include <QString>

#include <array>
#include <memory>
#include <vector>

// The device page's snapshot as what its widgets show. Pure; GUI thread, because of the locale. All of it needs a
// snapshot with details.
namespace gpuledger::ui {

struct DeviceFact {
    QString name, value;
    QString tip; // where the value is from; may be empty
};

QString deviceTitle(const DeviceSnapshot &snapshot); // "A100 80GB on gpu-7"
QString deviceSource(const DeviceSnapshot &snapshot); // "From prod, 2 min old"
// Model, UUID, node … and the price; what is not known is left out, an unknown price is not.
std::vector<DeviceFact> deviceFacts(const DeviceSnapshot &snapshot);
// "1 Nov – 21 Nov: 480.0 GPU-h paid for, 1,195.20 USD"
QString devicePaid(const DeviceSnapshot &snapshot);

// Activity, memory, power: in this order.
inline constexpr std::size_t kDeviceLines = 3;
// Row of the table of states that no fact stands behind.
inline constexpr QLatin1String kDeviceNotSynced("not-synced");
std::array<widgets::TimeLines, kDeviceLines> deviceLines(const DeviceSnapshot &snapshot);
// What an expression gave; no series while `answer` is null.
widgets::TimeLines deviceExtra(const QString &expression, const ExtraAnswer *answer, const DeviceSnapshot &snapshot);
// What has to be said about it: left out, warned about, nothing there; empty: nothing.
QString deviceExtraNote(const ExtraAnswer &answer);

// Share, hours and cost of each state.
std::vector<TableColumn> deviceStateColumns(base::Currency currency);
std::shared_ptr<const TableSnapshot> deviceStates(std::shared_ptr<const DeviceSnapshot> snapshot);
// Who held it, newest first.
std::vector<TableColumn> deviceStayColumns(base::Currency currency);
std::shared_ptr<const TableSnapshot> deviceStays(std::shared_ptr<const DeviceSnapshot> snapshot);

// The figures of the device in the range, and of a row of either table.
std::vector<Explained> deviceExplained(const DeviceSnapshot &snapshot, const Scope &scope);
std::vector<Explained> deviceStateExplained(const DeviceSnapshot &snapshot, const Scope &scope, const QString &rowId);
std::vector<Explained> deviceStayExplained(const DeviceSnapshot &snapshot, const Scope &scope, const QString &rowId);
// Of a point of a line: what was made of the readings of that time, in whole quarter hours.
std::vector<Explained> devicePointExplained(const DeviceSnapshot &snapshot, const Scope &scope, std::size_t line,
                                            int point);

} // namespace gpuledger::ui
