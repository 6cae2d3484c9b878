// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/windows.h"

#include "app/base/text/log.h"
#include "ui/window/bars/noticebar.h"

#include <QApplication>

#include <algorithm>

namespace gpuledger::ui {

namespace {

constexpr int kSaveMs = 1000; // dragging an edge causes many changes
constexpr int kCascade = 32; // offset of a new window, in pixels

widgets::Theme::Mode modeOf(const QString &name)
{
    using Mode = widgets::Theme::Mode;
    return name == QLatin1String("dark") ? Mode::Dark : name == QLatin1String("light") ? Mode::Light : Mode::System;
}

QString nameOf(widgets::Theme::Mode mode)
{
    switch (mode) {
    case widgets::Theme::Mode::Light:
        return QStringLiteral("light"); // no-tr: key
    case widgets::Theme::Mode::Dark:
        return QStringLiteral("dark"); // no-tr: key
    case widgets::Theme::Mode::System:
        return QStringLiteral("system"); // no-tr: key
    }
    return {};
}

WindowContext withSeries(WindowContext context, ExtraSeriesList &series)
{
    context.extraSeries = &series;
    return context;
}

} // namespace

Windows::Windows(const WindowContext &context, widgets::Theme &theme, std::vector<PageEntry> pages,
                 std::filesystem::path layoutFile, QObject *parent)
    : QObject(parent)
    , m_context(withSeries(context, m_series))
    , m_theme(theme)
    , m_pages(std::move(pages))
    , m_file(std::move(layoutFile))
{
    m_saveSoon.setSingleShot(true);
    m_saveSoon.setInterval(kSaveMs);
    connect(&m_saveSoon, &QTimer::timeout, this, &Windows::save);
    connect(&m_series, &ExtraSeriesList::changed, &m_saveSoon, qOverload<>(&QTimer::start));
    connect(qApp, &QCoreApplication::aboutToQuit, this, &Windows::save);
}

Windows::~Windows()
{
    for (MainWindow *window : std::exchange(m_windows, {}))
        delete window;
}

void Windows::restore(const QString &link)
{
    m_layout = m_file.read();
    m_series.set(m_layout.deviceSeries);
    applyTheme();
    m_theme.setHeatScale(m_layout.heatScale == QLatin1String("viridis") ? widgets::HeatScale::Viridis
                                                                        : widgets::HeatScale::Cividis);
    const std::vector<WindowState> states = m_layout.windows;
    for (const WindowState &state : states) {
        const bool first = m_windows.empty();
        MainWindow &window = add(first && !link.isEmpty() ? link : state.place);
        window.restoreState(state);
        window.show();
    }
    if (m_windows.empty())
        add(link).show();
    follow(*m_windows.front(), link);
}

void Windows::follow(MainWindow &window, const QString &link)
{
    if (link.isEmpty())
        return;
    const auto place = Place::fromUrl(QUrl::fromEncoded(link.toUtf8(), QUrl::StrictMode));
    if (!place || !window.open(*place))
        window.notices().show({QStringLiteral("badlink"),
                               Notice::Kind::Warning, // no-tr: key
                               tr("The opened link can't be read; this is the previous view."),
                               {},
                               {}});
}

void Windows::openLink(const QString &link)
{
    MainWindow &window = openNew();
    follow(window, link);
}

MainWindow &Windows::openNew()
{
    const auto *origin = qobject_cast<MainWindow *>(QApplication::activeWindow());
    if (!origin && !m_windows.empty())
        origin = m_windows.back();
    std::optional<WindowState> state;
    if (origin)
        state = origin->saveState();
    MainWindow &window = add(state ? state->place : QString());
    if (state) {
        state->geometry.translate(kCascade, kCascade);
        window.restoreState(*state);
    }
    window.show();
    window.raise();
    window.activateWindow();
    m_saveSoon.start();
    return window;
}

MainWindow &Windows::add(const QString &link)
{
    auto start = Place::fromUrl(QUrl::fromEncoded(link.toUtf8(), QUrl::StrictMode));
    const bool known = start
        && std::any_of(m_pages.begin(), m_pages.end(), [&](const PageEntry &page) { return page.id == start->page; });
    auto *window = new MainWindow(m_context, m_pages, known ? *start : Place{});
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->setRailExpanded(m_layout.railExpanded);
    window->restoreTables(m_layout.tables);
    m_windows.push_back(window);
    connect(window, &QObject::destroyed, this, [this, window] { std::erase(m_windows, window); });
    connect(window, &MainWindow::closing, this, [this, window] { forget(window); });
    connect(window, &MainWindow::stateChanged, &m_saveSoon, qOverload<>(&QTimer::start));
    connect(window, &MainWindow::tablesChanged, this, [this, window] {
        m_layout.tables = window->tables(); // the next window starts with the most recent arrangement
        m_saveSoon.start();
    });
    connect(window, &MainWindow::newWindowWanted, this, [this] { openNew(); });
    connect(window, &MainWindow::themeWanted, this, &Windows::setTheme);
    connect(window, &MainWindow::heatScaleWanted, this, [this](widgets::HeatScale scale) {
        m_theme.setHeatScale(scale);
        m_layout.heatScale = scale == widgets::HeatScale::Viridis ? QStringLiteral("viridis") // no-tr: key
                                                                  : QStringLiteral("cividis"); // no-tr: key
        m_saveSoon.start();
    });
    connect(window, &MainWindow::railExpandedChanged, this, [this](bool expanded) {
        m_layout.railExpanded = expanded;
        for (MainWindow *other : m_windows)
            other->setRailExpanded(expanded);
        m_saveSoon.start();
    });
    return *window;
}

void Windows::setTheme(widgets::Theme::Mode mode)
{
    m_themeKept = false;
    m_layout.theme = nameOf(mode);
    applyTheme();
    m_saveSoon.start();
}

void Windows::followSystem(bool dark)
{
    m_systemDark = dark;
    applyTheme();
}

void Windows::applyTheme()
{
    using Mode = widgets::Theme::Mode;
    if (m_themeKept)
        return;
    const Mode chosen = modeOf(m_layout.theme);
    const bool system = chosen == Mode::System && m_systemDark.has_value();
    m_theme.setMode(!system ? chosen : *m_systemDark ? Mode::Dark : Mode::Light);
}

void Windows::forget(MainWindow *window)
{
    // The last one is saved, so that the next start looks like the end of this one.
    if (m_windows.size() == 1)
        save();
    std::erase(m_windows, window);
    if (!m_windows.empty())
        m_saveSoon.start();
}

void Windows::save()
{
    m_saveSoon.stop();
    if (m_windows.empty())
        return;
    m_layout.deviceSeries = m_series.expressions();
    m_layout.windows.clear();
    for (const MainWindow *window : m_windows) {
        if (m_layout.windows.size() < static_cast<std::size_t>(WindowLayout::kMostWindows))
            m_layout.windows.push_back(window->saveState());
    }
    if (const auto written = m_file.write(m_layout); !written)
        base::log::info("window", "the window layout can't be written: " + written.error().text);
}

} // namespace gpuledger::ui
