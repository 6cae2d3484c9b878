// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

class QMimeData;

namespace gpuledger::widgets {

// A picture for the clipboard: as an image and as PNG data, for programs that accept only one of them. Owned by the
// caller.
QMimeData *pictureMimeData(const QImage &image);

} // namespace gpuledger::widgets
