// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

namespace gpuledger::tests {

// Pictures of windows against stored ones. What is stored is a fifth as wide and high, and what is compared is the mean
// colour of overlapping tiles of it: how a letter is drawn makes no difference, where things lie and how much there is
// of them does. Pure; any thread.
inline constexpr int kPictureScale = 5;

// What is stored of a picture.
QImage thumbnailOf(const QImage &picture);

// How far the worst tile is off, 0 to 255, and where that is in the picture; infinite when the sizes differ.
struct PictureDifference {
    double worst = 0;
    QPoint where; // top left of the tile, in pixels of the picture
};
PictureDifference differenceOf(const QImage &thumbnail, const QImage &stored);

// Above this the layout is another one. The same page with another hinting, another gamma of its letters or a letter's
// width moved by a pixel stays below; a missing row or a column elsewhere is far above.
inline constexpr double kPictureTolerance = 9;

} // namespace gpuledger::tests
