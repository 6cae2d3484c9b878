// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <QByteArray>
#include <QDate>
#include <QString>
#include <QStringList>

namespace gpuledger::ui {

// Writes the file atomically: to a temporary file beside it that is then renamed. Any thread. Fails with StorageFull,
// StorageReadOnly (no such folder, no permission, or a folder of that name) or Storage.
[[nodiscard]] base::Result<void> writeExportFile(const QString &file, const QByteArray &bytes);

// A suggested name: "idle-research-2026-11-21.csv". Parts may be external text; they cannot lead out of the folder,
// hide the file or be invalid on another system.
QString exportFileName(const QStringList &parts, QDate day, const QString &suffix);
// The same without a day: "statement-2026-10-research.pdf".
QString statementFileName(const QStringList &parts, const QString &suffix);

} // namespace gpuledger::ui
