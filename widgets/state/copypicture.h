// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

class QMimeData;

namespace gpuledger::widgets {

// A picture for the clipboard: as an image and as the bytes of a PNG file, for programs that take only one of them. The
// caller owns it.
QMimeData *pictureMimeData(const QImage &image);

} // namespace gpuledger::widgets
