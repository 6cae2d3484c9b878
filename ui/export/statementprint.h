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

inline constexpr int kPdfDotsPerInch = 300; // of the look that statementPdf() wants

// Each sheet begins on a page of its own; every page has its number. Nothing is a picture: letters can be read, marked
// and searched for. The device's margins are this function's own. Fails with Cancelled, or with Internal when the
// device can't be drawn on. Reentrant; the look is of DocumentLook::onPaper() for the device's resolution.
[[nodiscard]] base::Result<void> printStatements(const std::vector<StatementSheet> &sheets, const DocumentLook &look,
                                                 QPagedPaintDevice &device, const std::stop_token &stop = {});

// The same as a file's bytes. Its date is that of the first sheet's figures: the same sheets give the same bytes.
[[nodiscard]] base::Result<QByteArray> statementPdf(const std::vector<StatementSheet> &sheets, const DocumentLook &look,
                                                    QPageSize::PageSizeId size, const std::stop_token &stop = {});

} // namespace gpuledger::ui
