// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/mainwindow.h"

#include "ui/window/navigationrail.h"
#include "ui/window/statusline.h"
#include "ui/window/syncindicator.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QShortcut>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <utility>

namespace gpuledger::ui {

namespace {

constexpr QSize kMinimumSize{1024, 640};
constexpr QSize kFirstSize{1280, 800};
constexpr int kTopBarHeight = 52;

// A strip in the surface colour with a line below.
class Bar : public QWidget {
public:
    Bar(const widgets::Theme &theme, QWidget *parent)
        : QWidget(parent)
        , m_theme(theme)
    {
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), m_theme.color(widgets::Color::Surface));
        painter.setPen(m_theme.color(widgets::Color::Border));
        painter.drawLine(0, height() - 1, width(), height() - 1);
    }

private:
    const widgets::Theme &m_theme;
};

} // namespace

MainWindow::MainWindow(const PageContext &context, std::vector<PageEntry> pages, QWidget *parent)
    : QMainWindow(parent)
    , m_context(context)
    , m_pages(std::move(pages))
    , m_rail(new NavigationRail(context.theme, m_pages))
    , m_title(widgets::plainLabel(context.theme, {}, widgets::TextSize::Title, widgets::Color::Text, QFont::DemiBold))
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
    right->addWidget(topBar());
    right->addWidget(m_stack, 1);
    middle->addWidget(m_rail);
    middle->addLayout(right, 1);
    outer->addLayout(middle, 1);
    outer->addWidget(new StatusLine(context.theme, context.workspace, context.sync));
    setCentralWidget(central);
    for (const PageEntry &entry : m_pages) {
        Page *page = entry.create(m_context, m_stack);
        m_stack->addWidget(page);
        connect(&context.sync, &SyncController::dataChanged, page, &Page::refresh);
    }
    connect(m_rail, &NavigationRail::chosen, this, &MainWindow::setCurrent);
    for (const auto &keys : {QKeySequence(QKeySequence::Back), QKeySequence(Qt::Key_Escape)}) {
        auto *back = new QShortcut(keys, this);
        connect(back, &QShortcut::activated, this, [this] {
            if (Page *page = currentPage())
                page->goBack();
        });
    }
    setCurrent(0);
}

QWidget *MainWindow::topBar()
{
    auto *bar = new Bar(m_context.theme, this);
    bar->setFixedHeight(kTopBarHeight);
    auto *layout = new QHBoxLayout(bar);
    const int side = m_context.theme.space(widgets::Space::Large);
    layout->setContentsMargins(side, 0, side, 0);
    layout->addWidget(m_title);
    layout->addStretch();
    layout->addWidget(new SyncIndicator(m_context.theme, m_context.sync));
    return bar;
}

bool MainWindow::showPage(const QString &id)
{
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i].id == id) {
            setCurrent(static_cast<int>(i));
            return true;
        }
    }
    return false;
}

Page *MainWindow::currentPage() const
{
    return qobject_cast<Page *>(m_stack->currentWidget());
}

void MainWindow::setCurrent(int index)
{
    m_stack->setCurrentIndex(index);
    m_rail->setCurrent(index);
    m_title->setText(m_pages[static_cast<std::size_t>(index)].title);
}

} // namespace gpuledger::ui
