// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/mainwindow.h"

#include "ui/export/tableexport.h"
#include "ui/viewmodels/sources/syncnotice.h"
#include "ui/window/alertbadge.h"
#include "ui/window/bars/damagebar.h"
#include "ui/window/bars/noticebar.h"
#include "ui/window/bars/stalebar.h"
#include "ui/window/bars/statusline.h"
#include "ui/window/commandpalette.h"
#include "ui/window/helpwindow.h"
#include "ui/window/platform/desktopnotice.h"
#include "ui/window/topbar/costchoice.h"
#include "ui/window/topbar/topbar.h"
#include "widgets/state/plaintext.h"
#include "widgets/table/datatable.h"

#include <QApplication>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gpuledger::ui {

namespace {

constexpr QSize kMinimumSize{1024, 640};
constexpr QSize kFirstSize{1280, 800};
constexpr QSize kFrame{8, 40}; // space for the desktop's window frame
const QString kLinkNotice = QStringLiteral("link"); // no-tr: key
const QString kSyncNotice = QStringLiteral("sync"); // no-tr: key
const QString kSourcesPage = QStringLiteral("sources"); // no-tr: id of a page
const QString kIdlePage = QStringLiteral("idle"); // no-tr: id of a page
const QString kShowbackPage = QStringLiteral("showback"); // no-tr: id of a page

} // namespace

MainWindow::MainWindow(const WindowContext &context, std::vector<PageEntry> pages, const Place &start, QWidget *parent)
    : QMainWindow(parent)
    , m_navigator(start.page.isEmpty() ? Place{pages.front().id, {}, {}} : start)
    , m_context{context, m_navigator}
    , m_pages(std::move(pages))
    , m_made(m_pages.size(), nullptr)
    , m_values(context.workspace.fleet(), context.tasks)
    , m_commands(m_context, m_pages, m_values)
    , m_rail(railWithAlerts(context, m_pages))
    , m_topBar(new TopBar(context, m_navigator, m_values))
    , m_stack(new QStackedWidget)
    , m_notices(new NoticeBar(context.theme))
    , m_palette(nullptr)
{
    setWindowTitle(tr("GPU Ledger"));
    setMinimumSize(kMinimumSize);
    resize(kFirstSize.boundedTo(screen()->availableSize() - kFrame).expandedTo(kMinimumSize));
    auto *central = new QWidget(this);
    auto *outer = new QVBoxLayout(central);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(0);
    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    if (!m_context.reportText.isEmpty())
        right->addWidget(reportBar());
    right->addWidget(new DamageBar(context, central)); // needs a parent, or it would briefly be a window of its own
    right->addWidget(m_topBar);
    right->addWidget(new StaleBar(context.theme, context.workspace.config(), context.sync, central));
    right->addWidget(m_stack, 1);
    right->addWidget(m_notices);
    middle->addWidget(m_rail);
    middle->addLayout(right, 1);
    outer->addLayout(middle, 1);
    outer->addWidget(new StatusLine(context.theme, context.workspace.config(), context.sync));
    setCentralWidget(central);
    m_palette = new CommandPalette(context.theme, this);
    connect(m_rail, &NavigationRail::chosen, this,
            [this](int index) { showPage(m_pages[static_cast<std::size_t>(index)].id); });
    connect(m_rail, &NavigationRail::expandedChanged, this, &MainWindow::railExpandedChanged);
    // The connection ends with a member, because members are destroyed before the widgets.
    connect(qApp, &QApplication::focusChanged, &m_navigator, [this](QWidget *, QWidget *now) {
        if (now == m_stack) // focus returned by a popup that was open while the page loaded
            focusPage();
    });
    addShortcuts();
    addCommands();
    bindPalette();
    CostChoiceButton::keepNotice(m_navigator, *m_notices);
    connect(m_notices, &NoticeBar::focusReleased, m_stack, qOverload<>(&QWidget::setFocus)); // and on to the page
    connect(&m_navigator, &Navigator::moved, this, &MainWindow::arrive);
    connect(&m_context.sync, &SyncController::runningChanged, this, &MainWindow::tellOfSync);
    arrive();
}

Page &MainWindow::pageAt(int index)
{
    Page *&page = m_made[static_cast<std::size_t>(index)];
    if (!page)
        page = makePage(m_pages[static_cast<std::size_t>(index)]);
    return *page;
}

Page *MainWindow::makePage(const PageEntry &entry)
{
    Page *page = entry.create(m_context, m_stack);
    page->setAccessibleName(entry.title);
    page->setScope(m_navigator.current().scope);
    page->restoreTables(m_tables.value(entry.id).toObject());
    m_stack->addWidget(page);
    connect(page, &Page::settledChanged, this, [this, page] {
        if (page == currentPage())
            focusPage();
    });
    offerExports(
        *page, entry.title, [this] { return today(); }, m_context.tasks);
    connect(page, &Page::tablesChanged, this, &MainWindow::tablesChanged);
    connect(&m_context.sync, &SyncController::dataChanged, page, &Page::refresh);
    connect(page, &Page::noticeWanted, this, [this](const PageNotice &notice) {
        m_notices->withdraw(notice.key); // this is a new event, so an earlier dismissal does not apply
        m_notices->show({notice.key, notice.isWarning ? Notice::Kind::Warning : Notice::Kind::Info, notice.text,
                         notice.action, notice.run});
        if (notice.desktop.isEmpty() || QGuiApplication::focusWindow())
            return; // the user is looking at a window
        if (!m_desktop)
            m_desktop = new DesktopNotice(QDBusConnection::sessionBus(), this);
        m_desktop->show(QGuiApplication::applicationDisplayName(), notice.desktop);
    });
    connect(page, &Page::placeChanged, this, [this, page] {
        if (page == currentPage())
            m_navigator.setInner(page->place());
    });
    return page;
}

QWidget *MainWindow::reportBar()
{
    using widgets::Space;
    const widgets::Theme &theme = m_context.theme;
    QLabel *text = widgets::plainLabel(theme, m_context.reportText, widgets::TextSize::Caption, widgets::Color::Text);
    text->setObjectName(QStringLiteral("reportBar")); // no-tr: for the accessibility tree
    text->setAccessibleName(m_context.reportText);
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse
                                  | Qt::TextSelectableByKeyboard); // so that fingerprints can be compared
    text->setContentsMargins(theme.space(Space::Large), theme.space(Space::Small), theme.space(Space::Large),
                             theme.space(Space::Small));
    return text;
}

QDate MainWindow::today() const
{
    const auto zone = m_context.workspace.timeZone();
    return QDate(1970, 1, 1).addDays(zone.localDay(m_context.workspace.clock().now()));
}

void MainWindow::addShortcuts()
{
    auto *escape = new QShortcut(Qt::Key_Escape, this);
    connect(escape, &QShortcut::activated, this, [this] {
        Page *page = currentPage();
        if (!page || !page->goBack())
            m_notices->dismissNewest();
    });
    auto *window = new QShortcut(QKeySequence(QKeySequence::New), this);
    connect(window, &QShortcut::activated, this, &MainWindow::newWindowWanted);
    auto *close = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_W), this);
    connect(close, &QShortcut::activated, this, &QWidget::close);
    auto *quit = new QShortcut(QKeySequence(Qt::CTRL | Qt::Key_Q), this);
    connect(quit, &QShortcut::activated, qApp, &QCoreApplication::quit, Qt::QueuedConnection);
    auto *link = new QShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this);
    connect(link, &QShortcut::activated, this, &MainWindow::copyLink);
    auto *help = new QShortcut(QKeySequence(QKeySequence::HelpContents), this);
    connect(help, &QShortcut::activated, this, &MainWindow::showHelp);
}

void MainWindow::addPageCommands()
{
    const auto add = [this](const QString &page, PageAction action, const QString &text, const QString &also) {
        if (indexOf(page) >= 0)
            m_commands.add({text, {}, [this, page, action] { perform(page, action); }, also});
    };
    add(kIdlePage, PageAction::WorstIdle, tr("Most expensive idle workload"),
        tr("worst waste dearest owner", "other words for the most expensive idle workload, to be searched"));
    if (m_context.reportName.isEmpty())
        add(kIdlePage, PageAction::IdleRule, tr("Idle rule…"),
            tr("threshold grace settings", "other words for the idle rule, to be searched"));
    add(kSourcesPage, PageAction::OwnerRules, tr("Owner rules"),
        tr("team ownership assign", "other words for the owner rules, to be searched"));
    add(kShowbackPage, PageAction::Present, tr("Present the statements"),
        tr("slides full screen meeting", "other words for presenting, to be searched"));
    m_commands.add({tr("Export table…"),
                    QKeySequence(widgets::DataTable::kExportKeys).toString(QKeySequence::NativeText),
                    [this] { currentPage()->exportTable(); },
                    tr("csv save download", "other words for exporting a table, to be searched")});
}

void MainWindow::perform(const QString &page, PageAction action)
{
    if (!showPage(page))
        return;
    Page *shown = currentPage();
    if (shown->settled())
        return void(shown->perform(action));
    auto *once = new QObject(this);
    connect(shown, &Page::settledChanged, once, [this, shown, once, action] {
        if (!shown->settled())
            return;
        once->deleteLater();
        disconnect(shown, nullptr, once, nullptr);
        if (shown == currentPage())
            shown->perform(action);
    });
}

void MainWindow::addCommands()
{
    using Mode = widgets::Theme::Mode;
    using widgets::HeatScale;
    const auto add = [this](const QString &text, const QKeySequence &keys, std::function<void()> run) {
        m_commands.add({text, keys.toString(QKeySequence::NativeText), std::move(run)});
    };
    if (m_context.sync.canSync()) {
        add(tr("Sync now"), Qt::Key_F5, [this] { m_context.sync.start(); });
        add(tr("Cancel sync"), {}, [this] { m_context.sync.cancel(); });
    }
    add(tr("New window"), QKeySequence::New, [this] { Q_EMIT newWindowWanted(); });
    add(tr("Copy link to this view"), Qt::CTRL | Qt::SHIFT | Qt::Key_C, [this] { copyLink(); });
    add(tr("Help for this page"), QKeySequence::HelpContents, [this] { showHelp(); });
    add(tr("Custom time range…"), {}, [this] { m_topBar->askForRange(); });
    add(tr("Add a filter…"), {}, [this] { m_topBar->openFilterMenu(); });
    add(tr("Show or hide names of pages"), Qt::CTRL | Qt::Key_B, [this] {
        m_rail->setExpanded(!m_rail->isExpanded());
        Q_EMIT railExpandedChanged(m_rail->isExpanded());
    });
    addPageCommands();
    add(tr("Theme: light"), {}, [this] { Q_EMIT themeWanted(Mode::Light); });
    add(tr("Theme: dark"), {}, [this] { Q_EMIT themeWanted(Mode::Dark); });
    add(tr("Theme: as the system"), {}, [this] { Q_EMIT themeWanted(Mode::System); });
    add(tr("Heat scale: cividis"), {}, [this] { Q_EMIT heatScaleWanted(HeatScale::Cividis); });
    add(tr("Heat scale: viridis"), {}, [this] { Q_EMIT heatScaleWanted(HeatScale::Viridis); });
}

void MainWindow::bindPalette()
{
    connect(m_topBar, &TopBar::searchWanted, this, &MainWindow::openPalette);
    connect(m_topBar, &TopBar::helpWanted, this, &MainWindow::showHelp);
    connect(m_palette, &CommandPalette::opening, this, [this] {
        m_commands.prepare();
        m_palette->setEntries(m_commands.entries());
    });
    connect(m_palette, &CommandPalette::picked, &m_commands, &Commands::run);
    connect(&m_commands, &Commands::changed, this, [this] {
        if (m_palette->isVisible())
            m_palette->setEntries(m_commands.entries());
    });
    connect(&m_commands, &Commands::pageWanted, this, &MainWindow::showPage);
}

void MainWindow::openPalette()
{
    m_palette->open();
}

void MainWindow::showHelp()
{
    if (!m_help)
        m_help = new HelpWindow(m_context.theme, m_context.openAddress, this);
    m_help->showChapter(m_pages[static_cast<std::size_t>(indexOf(m_navigator.current().page))].chapter);
}

int MainWindow::indexOf(const QString &id) const
{
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i].id == id)
            return static_cast<int>(i);
    }
    return -1;
}

bool MainWindow::showPage(const QString &id)
{
    const int index = indexOf(id);
    if (index < 0)
        return false;
    m_navigator.openPage(id, pageAt(index).place()); // where the user left it
    return true;
}

bool MainWindow::open(const Place &place)
{
    if (indexOf(place.page) < 0)
        return false;
    m_navigator.go(place);
    return true;
}

void MainWindow::arrive()
{
    const Place place = m_navigator.current();
    const int index = indexOf(place.page);
    for (Page *made : m_made) {
        if (!made)
            continue;
        if (made != m_made[static_cast<std::size_t>(index)] && !made->isVisible())
            made->setActive(false); // was never visible
        made->setScope(place.scope);
    }
    Page &page = pageAt(index);
    page.restore(place.inner);
    page.setActive(true);
    const QWidget *focus = focusWidget();
    // Keyboard focus in the rail and the bars stays where it is.
    const bool inFrame = focus && isVisible() && focus->isVisible() && !m_stack->isAncestorOf(focus);
    const bool another = currentPage() != &page || !isVisible();
    m_stack->setCurrentWidget(&page);
    m_rail->setCurrent(index);
    const QString title = m_pages[static_cast<std::size_t>(index)].title;
    m_topBar->setPage(title, page);
    m_stack->setAccessibleName(title);
    setWindowTitle(m_context.reportName.isEmpty()
                       ? title
                       : tr("%1 – %2", "page, name of a report").arg(title, m_context.reportName));
    if (another && !inFrame)
        m_stack->setFocus(Qt::OtherFocusReason);
    focusPage();
    Q_EMIT stateChanged();
}

void MainWindow::focusPage()
{
    Page *page = currentPage();
    if (focusWidget() != m_stack || !page->settled())
        return;
    if (QWidget *control = page->mainControl(); control && control->isVisibleTo(this))
        return control->setFocus(Qt::OtherFocusReason);
    for (QWidget *next = page->nextInFocusChain(); next != page; next = next->nextInFocusChain()) {
        if (page->isAncestorOf(next) && next->isVisibleTo(this) && next->isEnabled()
            && (next->focusPolicy() & Qt::TabFocus))
            return next->setFocus(Qt::OtherFocusReason);
    }
}

Page *MainWindow::currentPage() const
{
    return qobject_cast<Page *>(m_stack->currentWidget());
}

void MainWindow::copyLink()
{
    QGuiApplication::clipboard()->setText(QString::fromUtf8(m_navigator.current().toUrl().toEncoded()));
    m_notices->withdraw(kLinkNotice);
    m_notices->show({kLinkNotice,
                     Notice::Kind::Info,
                     tr("The link to this view is on the clipboard. It opens this page with its range and filters."),
                     {},
                     {}});
}

void MainWindow::tellOfSync()
{
    if (m_context.sync.running())
        return;
    const auto failed = failureOf(m_context.sync.lastReports());
    if (!failed)
        return m_notices->withdraw(kSyncNotice);
    m_notices->show({kSyncNotice, Notice::Kind::Warning, failed->text, tr("Details", "of a failed sync"),
                     [this, details = failed->details] { showSyncDetails(details); }});
}

void MainWindow::showSyncDetails(const QString &text)
{
    if (showPage(kSourcesPage))
        return;
    auto *box = widgets::plainMessageBox(QMessageBox::Warning, tr("Last sync"), text, {}, this); // allowed: factory
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

void MainWindow::setRailExpanded(bool expanded)
{
    m_rail->setExpanded(expanded);
}

QJsonObject MainWindow::tables() const
{
    QJsonObject all = m_tables;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        const QJsonObject tables = m_made[i] ? m_made[i]->tables() : QJsonObject();
        if (!tables.isEmpty())
            all.insert(m_pages[i].id, tables);
    }
    return all;
}

void MainWindow::restoreTables(const QJsonObject &tables)
{
    m_tables = tables;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (m_made[i])
            m_made[i]->restoreTables(tables.value(m_pages[i].id).toObject());
    }
}

WindowState MainWindow::saveState() const
{
    return {normalGeometry().isValid() ? normalGeometry() : geometry(), isMaximized(),
            QString::fromUtf8(m_navigator.current().toUrl().toEncoded())};
}

void MainWindow::restoreState(const WindowState &state)
{
    const auto screens = QGuiApplication::screens();
    const bool seen = std::any_of(screens.begin(), screens.end(), [&](const QScreen *screen) {
        return screen->availableGeometry().intersects(state.geometry);
    });
    if (seen)
        setGeometry(state.geometry);
    if (state.maximized)
        setWindowState(windowState() | Qt::WindowMaximized);
    if (const auto place = Place::fromUrl(QUrl::fromEncoded(state.place.toUtf8(), QUrl::StrictMode)))
        open(*place);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    Q_EMIT closing();
    QMainWindow::closeEvent(event);
}

void MainWindow::moveEvent(QMoveEvent *event)
{
    QMainWindow::moveEvent(event);
    Q_EMIT stateChanged();
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    Q_EMIT stateChanged();
}

} // namespace gpuledger::ui
