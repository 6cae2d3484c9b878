// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewmodels/shell/windowlayout.h"

#include "app/base/files/filereplace.h"
#include "app/base/text/log.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

#include <string_view>

namespace gpuledger::ui {

namespace {

constexpr int kVersion = 1;
constexpr qint64 kLargestFile = 1 << 20;
constexpr int kFarthest = 100'000; // pixels; no screen is beyond that

// Keys of the file.
constexpr QLatin1String kFormat("version"), kTheme("theme"), kScale("heat_scale"), kRail("rail_expanded"),
    kWindows("windows"), kX("x"), kY("y"), kWidth("width"), kHeight("height"), kMaximized("maximized"), kPlace("place"),
    kSeries("device_series"), kTables("tables");

QJsonObject toObject(const WindowState &window)
{
    QJsonObject o{{kMaximized, window.maximized}, {kPlace, window.place}};
    if (!window.geometry.isNull()) {
        o.insert(kX, window.geometry.x());
        o.insert(kY, window.geometry.y());
        o.insert(kWidth, window.geometry.width());
        o.insert(kHeight, window.geometry.height());
    }
    return o;
}

WindowState fromObject(const QJsonObject &o)
{
    WindowState window;
    const QRect geometry(o[kX].toInt(), o[kY].toInt(), o[kWidth].toInt(), o[kHeight].toInt());
    const bool sane = geometry.width() > 0 && geometry.height() > 0 && geometry.width() < kFarthest
        && geometry.height() < kFarthest && qAbs(geometry.x()) < kFarthest && qAbs(geometry.y()) < kFarthest;
    if (sane)
        window.geometry = geometry;
    window.maximized = o[kMaximized].toBool();
    window.place = o[kPlace].toString();
    return window;
}

bool isNewer(const QByteArray &json)
{
    return QJsonDocument::fromJson(json).object()[kFormat].toInt() > kVersion;
}

} // namespace

QByteArray WindowLayout::toJson() const
{
    QJsonArray list;
    for (const WindowState &window : windows)
        list.append(toObject(window));
    const QJsonObject o{{kFormat, kVersion},
                        {kTheme, theme},
                        {kScale, heatScale},
                        {kRail, railExpanded},
                        {kTables, tables},
                        {kWindows, list},
                        {kSeries, QJsonArray::fromStringList(deviceSeries)}};
    return QJsonDocument(o).toJson();
}

std::optional<WindowLayout> WindowLayout::fromJson(const QByteArray &json)
{
    const QJsonDocument document = QJsonDocument::fromJson(json);
    if (!document.isObject() || document.object()[kFormat].toInt() != kVersion)
        return std::nullopt;
    const QJsonObject o = document.object();
    WindowLayout layout;
    const QString theme = o[kTheme].toString(), scale = o[kScale].toString();
    if (theme == QLatin1String("light") || theme == QLatin1String("dark"))
        layout.theme = theme;
    if (scale == QLatin1String("viridis"))
        layout.heatScale = scale;
    layout.railExpanded = o[kRail].toBool();
    layout.tables = o[kTables].toObject();
    for (const auto &window : o[kWindows].toArray()) {
        if (window.isObject() && layout.windows.size() < static_cast<std::size_t>(kMostWindows))
            layout.windows.push_back(fromObject(window.toObject()));
    }
    for (const auto &expression : o[kSeries].toArray()) {
        if (expression.isString())
            layout.deviceSeries.append(expression.toString());
    }
    return layout;
}

WindowLayout LayoutFile::read()
{
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kLargestFile)
        return {};
    const QByteArray json = file.readAll();
    m_foreign = isNewer(json);
    if (const auto layout = WindowLayout::fromJson(json)) {
        m_written = json;
        return *layout;
    }
    base::log::info("window",
                    m_foreign ? "the window layout is of a newer version and is left alone"
                              : "the window layout is damaged and is passed over");
    return {};
}

base::Result<void> LayoutFile::write(const WindowLayout &layout)
{
    const QByteArray json = layout.toJson();
    if (m_foreign || json == m_written)
        return {};
    std::error_code ignored; // replaceFile() reports the error
    std::filesystem::create_directories(m_file.parent_path(), ignored);
    GPULEDGER_TRY(base::replaceFile(m_file, std::string_view(json.constData(), static_cast<std::size_t>(json.size()))));
    m_written = json;
    return {};
}

} // namespace gpuledger::ui
