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

// Converts the device page's snapshot to the data of its widgets. Pure; GUI thread, because of the locale. All
// functions need a snapshot with details.
namespace gpuledger::ui {

// A named fact about a device, as text.
struct DeviceFact {
    QString name, value;
    QString tip; // the source of the value; may be empty
};

QString deviceTitle(const DeviceSnapshot &snapshot); // "A100 80GB on gpu-7"
QString deviceSource(const DeviceSnapshot &snapshot); // "From prod, 2 min old"
// Model, UUID, node … and the price; unknown values are omitted, except the price.
std::vector<DeviceFact> deviceFacts(const DeviceSnapshot &snapshot);
// "1 Nov – 21 Nov: 480.0 GPU-h paid for, 1,195.20 USD"
QString devicePaid(const DeviceSnapshot &snapshot);

// Activity, memory, power, in this order.
inline constexpr std::size_t kDeviceLines = 3;
// Row of the state table for time without any facts.
inline constexpr QLatin1String kDeviceNotSynced("not-synced");
std::array<widgets::TimeLines, kDeviceLines> deviceLines(const DeviceSnapshot &snapshot);
// The answer to an expression; no series while `answer` is null.
widgets::TimeLines deviceExtra(const QString &expression, const ExtraAnswer *answer, const DeviceSnapshot &snapshot);
// A note on the answer: omitted series, warnings, no data; empty: none.
QString deviceExtraNote(const ExtraAnswer &answer);

// Share, hours and cost of each state.
std::vector<TableColumn> deviceStateColumns(base::Currency currency);
std::shared_ptr<const TableSnapshot> deviceStates(std::shared_ptr<const DeviceSnapshot> snapshot);
// The holders, newest first.
std::vector<TableColumn> deviceStayColumns(base::Currency currency);
std::shared_ptr<const TableSnapshot> deviceStays(std::shared_ptr<const DeviceSnapshot> snapshot);

// The figures of the device in the range, and of a row of either table.
std::vector<Explained> deviceExplained(const DeviceSnapshot &snapshot, const Scope &scope);
std::vector<Explained> deviceStateExplained(const DeviceSnapshot &snapshot, const Scope &scope, const QString &rowId);
std::vector<Explained> deviceStayExplained(const DeviceSnapshot &snapshot, const Scope &scope, const QString &rowId);
// For a point of a line: the figures computed from the readings of that time, in whole quarter hours.
std::vector<Explained> devicePointExplained(const DeviceSnapshot &snapshot, const Scope &scope, std::size_t line,
                                            int point);

} // namespace gpuledger::ui
