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

// One window as it was left.
struct WindowState {
    QRect geometry; // of the normal window; null: the first size
    bool maximized = false;
    QString place; // a gpuledger:// link; empty: the first page
    friend bool operator==(const WindowState &, const WindowState &) = default;
};

// How the program was left. A value; any thread.
struct WindowLayout {
    QString theme = QStringLiteral("system"); // or "light", "dark"
    QString heatScale = QStringLiteral("cividis"); // or "viridis"
    bool railExpanded = false;
    QJsonObject tables; // by page: how its tables are arranged
    std::vector<WindowState> windows;
    QStringList deviceSeries; // ExtraSeriesList

    QByteArray toJson() const;
    // Nothing when it is damaged or of a newer program.
    static std::optional<WindowLayout> fromJson(const QByteArray &json);
    friend bool operator==(const WindowLayout &, const WindowLayout &) = default;

    static constexpr int kMostWindows = 16;
};

// The file of a layout in the state folder. A damaged one is as good as none; one of a newer program is left alone.
// GUI thread.
class LayoutFile {
public:
    explicit LayoutFile(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }
    WindowLayout read();
    // Whole or not at all, only when something changed. Fails with StorageFull or StorageReadOnly.
    [[nodiscard]] base::Result<void> write(const WindowLayout &layout);

private:
    std::filesystem::path m_file;
    QByteArray m_written;
    bool m_foreign = false; // of a newer program
};

} // namespace gpuledger::ui
