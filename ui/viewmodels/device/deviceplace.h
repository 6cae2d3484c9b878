// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QUrl>
#include <QUrlQuery>

// Links to the device page, for every page that shows devices. Pure; any thread.
namespace gpuledger::ui {

inline QString devicePage()
{
    return QStringLiteral("device"); // no-tr: id of a page
}

// `device` is a UUID, or "UUID:<instance>" for a slice; without a cluster, the one that has the device.
inline QUrlQuery devicePlace(const QString &device, const QString &cluster = {})
{
    QUrlQuery place;
    place.addQueryItem(QStringLiteral("uuid"), QString::fromLatin1(QUrl::toPercentEncoding(device)));
    if (!cluster.isEmpty())
        place.addQueryItem(QStringLiteral("cluster"), QString::fromLatin1(QUrl::toPercentEncoding(cluster)));
    return place;
}

} // namespace gpuledger::ui
