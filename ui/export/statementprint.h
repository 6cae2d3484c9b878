// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"
#include "ui/export/statementdocument.h"

#include <QByteArray>
#include <QPageSize>

#include <stop_token>
#include <vector>

class QPagedPaintDevice;

namespace gpuledger::ui {

inline constexpr int kPdfDotsPerInch = 300; // the resolution for the look passed to statementPdf()

// Each sheet starts on a new page; every page is numbered. Nothing is rasterized: text can be read, selected and
// searched. Sets the device's margins itself. Fails with Cancelled, or with Internal if the device cannot be drawn on.
// Reentrant; the look must be DocumentLook::onPaper() for the device's resolution.
[[nodiscard]] base::Result<void> printStatements(const std::vector<StatementSheet> &sheets, const DocumentLook &look,
                                                 QPagedPaintDevice &device, const std::stop_token &stop = {});

// The same as the bytes of a file. Its date is that of the first sheet's figures, so the same sheets yield the same
// bytes.
[[nodiscard]] base::Result<QByteArray> statementPdf(const std::vector<StatementSheet> &sheets, const DocumentLook &look,
                                                    QPageSize::PageSizeId size, const std::stop_token &stop = {});

} // namespace gpuledger::ui
