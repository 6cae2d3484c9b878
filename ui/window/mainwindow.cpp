// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/mainwindow.h"

#include "ui/window/navigationrail.h"
#include "ui/window/statusline.h"
#include "ui/window/topbar.h"

#include <QHBoxLayout>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace gpuledger::ui {

namespace {

constexpr QSize kMinimumSize{1024, 640};
constexpr QSize kFirstSize{1280, 800};

} // namespace

MainWindow::MainWindow(const WindowContext &context, std::vector<PageEntry> pages, QWidget *parent)
    : QMainWindow(parent)
    , m_navigator({pages.front().id, {}, {}})
    , m_context{context, m_navigator}
    , m_pages(std::move(pages))
    , m_values(context.workspace, context.tasks)
    , m_rail(new NavigationRail(context.theme, m_pages))
    , m_topBar(new TopBar(context, m_navigator, m_values))
    , m_stack(new QStackedWidget)
{
    setWindowTitle(tr("GPU Ledger"));
    setMinimumSize(kMinimumSize);
    resize(kFirstSize);
    auto *central = new QWidget(this);
    auto *outer = new QVBoxLayout(central);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(0);
    auto *right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(m_topBar);
    right->addWidget(m_stack, 1);
    middle->addWidget(m_rail);
    middle->addLayout(right, 1);
    outer->addLayout(middle, 1);
    outer->addWidget(new StatusLine(context.theme, context.workspace, context.sync));
    setCentralWidget(central);
    addPages();
    addShortcuts();
    connect(&m_navigator, &Navigator::moved, this, &MainWindow::arrive);
    arrive();
}

void MainWindow::addPages()
{
    for (const PageEntry &entry : m_pages) {
        Page *page = entry.create(m_context, m_stack);
        m_stack->addWidget(page);
        connect(&m_context.sync, &SyncController::dataChanged, page, &Page::refresh);
        connect(page, &Page::placeChanged, this, [this, page] {
            if (page == currentPage())
                m_navigator.setInner(page->place());
        });
    }
    connect(m_rail, &NavigationRail::chosen, this,
            [this](int index) { showPage(m_pages[static_cast<std::size_t>(index)].id); });
}

void MainWindow::addShortcuts()
{
    auto *escape = new QShortcut(Qt::Key_Escape, this);
    connect(escape, &QShortcut::activated, this, [this] {
        if (Page *page = currentPage())
            page->goBack();
    });
    // Ctrl+1 and so on belong to the rail's buttons: of two owners of one key neither gets it.
}

int MainWindow::indexOf(const QString &id) const
{
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i].id == id)
            return static_cast<int>(i);
    }
    return -1;
}

Page *MainWindow::pageAt(int index) const
{
    return qobject_cast<Page *>(m_stack->widget(index));
}

bool MainWindow::showPage(const QString &id)
{
    const int index = indexOf(id);
    if (index < 0)
        return false;
    m_navigator.openPage(id, pageAt(index)->place()); // as it was left
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
    for (int i = 0; i < m_stack->count(); ++i)
        pageAt(i)->setScope(place.scope);
    pageAt(index)->restore(place.inner);
    m_stack->setCurrentIndex(index);
    m_rail->setCurrent(index);
    m_topBar->setTitle(m_pages[static_cast<std::size_t>(index)].title);
}

Page *MainWindow::currentPage() const
{
    return qobject_cast<Page *>(m_stack->currentWidget());
}

} // namespace gpuledger::ui
