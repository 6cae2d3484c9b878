// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/window/pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gpuledger::tests {

namespace {

constexpr int kTile = 8, kStep = 4; // pixels of the thumbnail

std::array<double, 3> meanOf(const QImage &image, const QRect &tile)
{
    std::array<double, 3> sum{};
    for (int y = tile.top(); y <= tile.bottom(); ++y) {
        const auto *line = reinterpret_cast<const QRgb *>(image.constScanLine(y));
        for (int x = tile.left(); x <= tile.right(); ++x) {
            sum[0] += qRed(line[x]);
            sum[1] += qGreen(line[x]);
            sum[2] += qBlue(line[x]);
        }
    }
    for (double &channel : sum)
        channel /= static_cast<double>(tile.width()) * tile.height();
    return sum;
}

} // namespace

QImage thumbnailOf(const QImage &picture)
{
    // By visual impression: a screen of twice the density shows the same.
    QImage small = picture.convertToFormat(QImage::Format_RGB32)
                       .scaled(picture.deviceIndependentSize().toSize() / kPictureScale, Qt::IgnoreAspectRatio,
                               Qt::SmoothTransformation)
                       .convertToFormat(QImage::Format_RGB32);
    small.setDevicePixelRatio(1);
    return small;
}

PictureDifference differenceOf(const QImage &thumbnail, const QImage &stored)
{
    PictureDifference difference;
    if (thumbnail.size() != stored.size() || stored.isNull()) {
        difference.worst = std::numeric_limits<double>::infinity();
        return difference;
    }
    const QImage a = thumbnail.convertToFormat(QImage::Format_RGB32), b = stored.convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < a.height(); y += kStep) {
        for (int x = 0; x < a.width(); x += kStep) {
            const QRect tile = QRect(x, y, kTile, kTile) & a.rect();
            const auto one = meanOf(a, tile), other = meanOf(b, tile);
            for (std::size_t channel = 0; channel < one.size(); ++channel) {
                const double off = std::abs(one[channel] - other[channel]);
                if (off > difference.worst)
                    difference = {off, tile.topLeft() * kPictureScale};
            }
        }
    }
    return difference;
}

} // namespace gpuledger::tests
