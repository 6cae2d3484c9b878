// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/base/result.h"

#include <QByteArray>
#include <QJsonObject>
#include <QRect>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <optional>
#include <vector>

namespace gpuledger::ui {

// The saved state of one window.
struct WindowState {
    QRect geometry; // of the normal window; null: the default size
    bool maximized = false;
    QString place; // a gpuledger:// link; empty: the first page
    friend bool operator==(const WindowState &, const WindowState &) = default;
};

// The saved state of the program. A value; any thread.
struct WindowLayout {
    QString theme = QStringLiteral("system"); // or "light", "dark"
    QString heatScale = QStringLiteral("cividis"); // or "viridis"
    bool railExpanded = false;
    QJsonObject tables; // by page: the layout of its tables
    std::vector<WindowState> windows;
    QStringList deviceSeries; // ExtraSeriesList

    QByteArray toJson() const;
    // std::nullopt if it is damaged or was written by a newer version.
    static std::optional<WindowLayout> fromJson(const QByteArray &json);
    friend bool operator==(const WindowLayout &, const WindowLayout &) = default;

    static constexpr int kMostWindows = 16;
};

// The layout file in the state folder. A damaged file is treated as missing; one of a newer version is left alone. GUI
// thread.
class LayoutFile {
public:
    explicit LayoutFile(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }
    WindowLayout read();
    // Atomic, and only if something changed. Fails with StorageFull or StorageReadOnly.
    [[nodiscard]] base::Result<void> write(const WindowLayout &layout);

private:
    std::filesystem::path m_file;
    QByteArray m_written;
    bool m_foreign = false; // written by a newer version
};

} // namespace gpuledger::ui
