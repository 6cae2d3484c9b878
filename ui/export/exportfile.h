// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <QByteArray>
#include <QDate>
#include <QString>
#include <QStringList>

namespace gpuledger::ui {

// Writes the file whole or leaves what was there: beside it first, then renamed. Any thread. Fails with StorageFull,
// StorageReadOnly (no such folder, no right, a folder of that name) or Storage.
[[nodiscard]] base::Result<void> writeExportFile(const QString &file, const QByteArray &bytes);

// A name to offer: "idle-research-2026-11-21.csv". Parts may be foreign text; none of it leads out of the folder, hides
// the file or breaks on another system.
QString exportFileName(const QStringList &parts, QDate day, const QString &suffix);
// The same without a day: "statement-2026-10-research.pdf".
QString statementFileName(const QStringList &parts, const QString &suffix);

} // namespace gpuledger::ui
