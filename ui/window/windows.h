// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/shell/windowlayout.h"
#include "ui/window/mainwindow.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace gpuledger::ui {

// All windows of the process over one workspace: opens them, remembers how they were left, and carries out wishes that
// reach beyond one. Owns the windows; GUI thread.
class Windows : public QObject {
    Q_OBJECT
public:
    // All of it must outlive this.
    Windows(const WindowContext &context, widgets::Theme &theme, std::vector<PageEntry> pages,
            std::filesystem::path layoutFile, QObject *parent = nullptr);
    ~Windows() override;

    // As they were left; at least one. A link opens in the first.
    void restore(const QString &link);
    // By a later start: a window for the link, or one more of its own.
    void openLink(const QString &link);
    MainWindow &openNew();
    const std::vector<MainWindow *> &all() const { return m_windows; }
    // The theme of the command line holds for this run and is not remembered.
    void keepTheme() { m_themeKept = true; }
    void save();
    // What the desktop prefers; counts unless a theme was chosen.
    void followSystem(bool dark);

private:
    // One that begins at that gpuledger:// link; at the first page where that is none.
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
    std::optional<bool> m_systemDark; // once the desktop says so while the program runs
};

} // namespace gpuledger::ui
