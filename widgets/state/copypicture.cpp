// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/copypicture.h"

#include <QBuffer>
#include <QMimeData>

namespace gpuledger::widgets {

QMimeData *pictureMimeData(const QImage &image)
{
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    auto *mime = new QMimeData;
    mime->setImageData(image);
    mime->setData(QStringLiteral("image/png"), png);
    return mime;
}

} // namespace gpuledger::widgets
