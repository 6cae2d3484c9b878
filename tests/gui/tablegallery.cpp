// SPDX-License-Identifier: GPL-3.0-or-later
// tablegallery OUT_DIR: draws the table of every page in every theme and direction into PNG files for visual
// inspection. QT_SCALE_FACTOR=2 doubles the pixel density.
#include "tests/support/fleets/tablesample.h"
#include "ui/viewmodels/tables/tablemodel.h"
#include "widgets/table/datatable.h"

#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QTreeView>
#include <QVBoxLayout>

#include <array>
#include <cstdio>

using namespace gpuledger;
using namespace gpuledger::widgets;

namespace {

// The card in which a page puts its table.
class Card : public QWidget {
public:
    explicit Card(const Theme &theme)
        : m_theme(theme)
    {
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), m_theme.color(Color::Background));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(m_theme.color(Color::Border));
        painter.setBrush(m_theme.color(Color::Surface));
        painter.drawRoundedRect(QRectF(rect()).adjusted(16.5, 16.5, -16.5, -16.5), 6, 6);
    }

private:
    const Theme &m_theme;
};

struct Picture {
    const char *name;
    bool dark;
    bool grouped;
    bool mirrored;
    QSize size;
    const char *filter;
    int rowHeight;
};

constexpr std::array<Picture, 9> kPictures{{
    {"table-grouped-light", false, true, false, {828, 500}, "", 30},
    {"table-grouped-dark", true, true, false, {828, 500}, "", 30},
    {"table-flat-light", false, false, false, {1224, 400}, "", 35},
    {"table-flat-dark", true, false, false, {1224, 400}, "", 35},
    {"table-mirrored", false, true, true, {828, 500}, "", 30},
    {"table-filter", false, true, false, {828, 400}, "notebook", 30},
    {"table-nothing", true, true, false, {828, 400}, "zebra", 30},
    {"table-narrow", false, true, false, {480, 400}, "", 30},
    {"table-wide", false, false, false, {2500, 400}, "", 35},
}};

bool draw(Theme &theme, const Picture &picture, const QDir &out)
{
    theme.setMode(picture.dark ? Theme::Mode::Dark : Theme::Mode::Light);
    ui::TableModel model(tests::sampleColumns());
    model.setGrouped(picture.grouped);
    model.setSnapshot(tests::sampleTable(tests::idleRows(), true));
    model.sort(static_cast<int>(tests::SampleColumn::PerMonth), Qt::DescendingOrder);
    model.setChecked({QStringLiteral("notebook/ablation-8"), QStringLiteral("pod/default/cuda-test-3f9")}, true);
    Card card(theme);
    card.setLayoutDirection(picture.mirrored ? Qt::RightToLeft : Qt::LeftToRight);
    auto *layout = new QVBoxLayout(&card);
    layout->setContentsMargins(25, 20, 25, 20);
    auto *table = new DataTable(theme, QStringLiteral("Idle workloads"), model);
    table->setRowHeight(picture.rowHeight);
    layout->addWidget(table);
    card.resize(picture.size);
    card.show();
    card.activateWindow();
    table->setCurrentRow(QStringLiteral("notebook/ablation-8"));
    model.setFilterText(QString::fromLatin1(picture.filter));
    for (int i = 0; i < 4; ++i)
        QCoreApplication::processEvents();
    return card.grab().save(out.filePath(QString::fromLatin1(picture.name) + QStringLiteral(".png")));
}

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const QDir out(application.arguments().value(1));
    if (argc != 2 || !QDir().mkpath(out.path())) {
        std::fputs("usage: tablegallery OUT_DIR\n", stderr);
        return 2;
    }
    Theme theme;
    theme.apply();
    for (const Picture &picture : kPictures) {
        if (!draw(theme, picture, out))
            return 1;
    }
    return 0;
}
