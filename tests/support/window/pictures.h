// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

namespace gpuledger::tests {

// Compares screenshots with stored ones. The stored picture has a fifth of the width and height, and the mean colours
// of overlapping tiles are compared: differences in glyph rendering do not matter, differences in position and amount
// of content do. Pure; any thread.
inline constexpr int kPictureScale = 5;

// The stored form of a picture.
QImage thumbnailOf(const QImage &picture);

// The deviation of the worst tile, 0 to 255, and its position in the picture; infinite if the sizes differ.
struct PictureDifference {
    double worst = 0;
    QPoint where; // top left of the tile, in pixels of the picture
};
PictureDifference differenceOf(const QImage &thumbnail, const QImage &stored);

// Above this the layout differs. The same page with different hinting, text gamma or a letter width off by a pixel
// stays below; a missing row or a moved column is far above.
inline constexpr double kPictureTolerance = 9;

} // namespace gpuledger::tests
