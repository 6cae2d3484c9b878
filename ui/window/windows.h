// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/windowlayout.h"
#include "ui/window/mainwindow.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace gpuledger::ui {

// All windows of the process over one workspace: opens them, restores and saves their state, and carries out requests
// that concern more than one. Owns the windows; GUI thread.
class Windows : public QObject {
    Q_OBJECT
public:
    // All arguments must outlive this object.
    Windows(const WindowContext &context, widgets::Theme &theme, std::vector<PageEntry> pages,
            std::filesystem::path layoutFile, QObject *parent = nullptr);
    ~Windows() override;

    // Restores the saved windows, at least one. A link opens in the first one.
    void restore(const QString &link);
    // Called for a later start: opens a window for the link, or a new one.
    void openLink(const QString &link);
    MainWindow &openNew();
    const std::vector<MainWindow *> &all() const { return m_windows; }
    // A theme from the command line applies to this run only and is not saved.
    void keepTheme() { m_themeKept = true; }
    void save();
    // The desktop's preference; applies unless the user has chosen a theme.
    void followSystem(bool dark);

private:
    // A window that starts at that gpuledger:// link, or at the first page if the link is invalid.
    MainWindow &add(const QString &link = {});
    void follow(MainWindow &window, const QString &link);
    void forget(MainWindow *window);
    void setTheme(widgets::Theme::Mode mode);
    void applyTheme();

    ExtraSeriesList m_series;
    const WindowContext m_context;
    widgets::Theme &m_theme;
    const std::vector<PageEntry> m_pages;
    LayoutFile m_file;
    WindowLayout m_layout;
    std::vector<MainWindow *> m_windows;
    QTimer m_saveSoon;
    bool m_themeKept = false;
    std::optional<bool> m_systemDark; // set once the desktop reports a change
};

} // namespace gpuledger::ui
