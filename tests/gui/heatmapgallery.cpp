// SPDX-License-Identifier: GPL-3.0-or-later
// heatmapgallery OUT_DIR: draws the heat map, controls and page states in every theme and direction into PNG files for
// visual inspection. QT_SCALE_FACTOR=2 doubles the pixel density.
#include "widgets/heatmap/heatmap.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMouseEvent>
#include <QPainter>
#include <QRandomGenerator>
#include <QVBoxLayout>

#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>

using namespace gpuledger::widgets;

namespace {

struct Team {
    const char *name;
    double level;
    double idleThousands;
};
constexpr std::array<Team, 8> kTeams{{{"research", 37, 14.8},
                                      {"unowned", 12, 11.9},
                                      {"llm-platform", 66, 9.7},
                                      {"speech", 58, 7.1},
                                      {"vision", 71, 6.2},
                                      {"recsys", 74, 2.2},
                                      {"robotics", 52, 1.9},
                                      {"ads-ranking", 81, .9}}};

QString percent(double value)
{
    return QLocale().toString(value, 'f', 1) + QStringLiteral(" %");
}

void addColumns(HeatmapData &data, int count)
{
    const QStringList days{QStringLiteral("Mon"), QStringLiteral("Tue"), QStringLiteral("Wed"), QStringLiteral("Thu"),
                           QStringLiteral("Fri"), QStringLiteral("Sat"), QStringLiteral("Sun")};
    for (int column = 0; column < count; ++column) {
        const QString day = days.at(column / 24 % 7);
        data.columns << QStringLiteral("%1 %2:00").arg(day).arg(column % 24, 2, 10, QLatin1Char('0'));
        data.columnTitles << data.columns.last()
                + QStringLiteral("–%1:00").arg(column % 24 + 1, 2, 10, QLatin1Char('0'));
        if (column % 24 == 0)
            data.groups.push_back({column, std::min(24, count - column), day});
    }
}

HeatmapData sample(int rows, int columns)
{
    QRandomGenerator random(7);
    HeatmapData data;
    addColumns(data, columns);
    data.columnMeans.assign(static_cast<std::size_t>(columns), 0);
    for (int row = 0; row < rows; ++row) {
        const Team &team = kTeams[static_cast<std::size_t>(row) % kTeams.size()];
        QString name = QString::fromLatin1(team.name);
        if (row >= static_cast<int>(kTeams.size()))
            name += QStringLiteral("-%1").arg(row);
        data.rows.push_back({name, name, QStringLiteral("%1 %").arg(team.level), team.idleThousands,
                             QStringLiteral("%1k").arg(team.idleThousands)});
        for (int column = 0; column < columns; ++column) {
            const double wave = 1 + .35 * std::sin((column % 24 - 9) / 24.0 * 2 * std::numbers::pi);
            const double weekend = column / 24 % 7 >= 5 && row % 8 != 7 ? .45 : 1;
            const double noise = random.bounded(18.0) - 9;
            const bool missing = row % 8 == 3 && column % 168 >= 75 && column % 168 <= 82;
            const double value = std::clamp(team.level * wave * weekend + noise, 0.0, 99.0);
            data.values.push_back(missing ? kMissing : value);
            data.columnMeans[static_cast<std::size_t>(column)] += value / rows;
        }
    }
    data.valueText = percent;
    data.details = [](int, int) -> std::vector<HeatmapData::Line> {
        return {{QStringLiteral("Utilization"), QStringLiteral("17.3 %"), true},
                {QStringLiteral("Held"), QStringLiteral("148.0 GPU-h"), false},
                {QStringLiteral("Observed"), QStringLiteral("100 %"), false},
                {QStringLiteral("Idle cost"), QStringLiteral("$361.20"), false}};
    };
    data.name = QStringLiteral("Utilization by team and hour of the week");
    data.valueName = QStringLiteral("Utilization");
    data.legendText = QStringLiteral("utilization, %");
    data.meanTitle = QStringLiteral("mean");
    data.sideTitle = QStringLiteral("idle cost, USD");
    return data;
}

// The card in which the page puts the heat map.
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

void hover(Heatmap &map, int row, int column)
{
    const QPointF place = map.cellRect(row, column).center();
    QMouseEvent move(QEvent::MouseMove, place, map.viewport()->mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(map.viewport(), &move);
}

struct Picture {
    const char *name;
    bool dark;
    int rows;
    int columns;
    QSize size;
    bool mirrored;
    bool card;
    HeatScale scale;
};

bool draw(Theme &theme, const Picture &picture, const QDir &out)
{
    theme.setMode(picture.dark ? Theme::Mode::Dark : Theme::Mode::Light);
    theme.setHeatScale(picture.scale);
    Card card(theme);
    card.setLayoutDirection(picture.mirrored ? Qt::RightToLeft : Qt::LeftToRight);
    auto *layout = new QVBoxLayout(&card);
    layout->setContentsMargins(33, 29, 33, 29);
    layout->addWidget(plainLabel(theme, QStringLiteral("Teams"), TextSize::Section, Color::Text, QFont::DemiBold));
    auto *map = new Heatmap(theme);
    map->setData(sample(picture.rows, picture.columns));
    layout->addWidget(map, 1);
    card.resize(picture.size);
    card.show();
    card.activateWindow();
    map->setFocus();
    map->setCurrent(0, std::min(130, picture.columns - 1));
    QCoreApplication::processEvents();
    if (picture.card)
        hover(*map, picture.rows > 20 ? 3 : 0, std::min(130, picture.columns - 1));
    QCoreApplication::processEvents();
    return card.grab().save(out.filePath(QString::fromLatin1(picture.name) + QStringLiteral(".png")));
}

// Controls and page states, as a page would place them.
bool drawStates(Theme &theme, bool dark, const QDir &out)
{
    theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
    Card card(theme);
    auto *layout = new QVBoxLayout(&card);
    layout->setContentsMargins(33, 29, 33, 29);
    auto *controls = new QHBoxLayout;
    auto *metric = new ChoiceButton(QStringLiteral("Metric"));
    metric->setChoices(
        {{QStringLiteral("u"), QStringLiteral("Utilization")}, {QStringLiteral("h"), QStringLiteral("Hour of week")}});
    controls->addWidget(plainLabel(theme, QStringLiteral("Teams"), TextSize::Section, Color::Text, QFont::DemiBold));
    controls->addStretch();
    controls->addWidget(metric);
    controls->addWidget(new SegmentedSwitch(theme, QStringLiteral("Layer"),
                                            {{QStringLiteral("a"), QStringLiteral("Allocation")},
                                             {QStringLiteral("c"), QStringLiteral("Compute")},
                                             {QStringLiteral("b"), QStringLiteral("Both")}}));
    auto *off = new QPushButton(QStringLiteral("Export"));
    off->setEnabled(false);
    controls->addWidget(off);
    auto *field = new QLineEdit;
    field->setPlaceholderText(QStringLiteral("Search teams"));
    controls->addWidget(field);
    layout->addLayout(controls);
    auto *grid = new QGridLayout;
    std::array<StatePanel *, 4> panels{};
    for (std::size_t i = 0; i < panels.size(); ++i) {
        panels[i] = new StatePanel(theme, plainLabel(theme, QStringLiteral("content"), TextSize::Body, Color::Muted));
        grid->addWidget(panels[i], static_cast<int>(i) / 2, static_cast<int>(i) % 2);
    }
    layout->addLayout(grid, 1);
    card.resize(1224, 720);
    card.show();
    panels[0]->showFirstRun({QStringLiteral("Nothing is connected yet"),
                             QStringLiteral("GPU Ledger reads utilization from Prometheus and prices from a file."),
                             QString(), QStringLiteral("Add source"), QStringLiteral("Explore the demo fleet")});
    panels[1]->showLoading();
    panels[2]->showEmpty({QStringLiteral("No GPU time in this range"),
                          QStringLiteral("The filter leaves 0 of 412 GPUs."),
                          QStringLiteral("Choose a longer range or remove the filter."), QString(), QString()});
    panels[3]->showData();
    panels[3]->showError({QStringLiteral("prometheus-prod did not answer."), QStringLiteral("It timed out after 30 s."),
                          QStringLiteral("Check its address under Sources."), QStringLiteral("Try again"), QString()},
                         QStringLiteral("Data from 14:02."));
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < StatePanel::kSkeletonDelay + 100)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    return card.grab().save(
        out.filePath(dark ? QStringLiteral("states-dark.png") : QStringLiteral("states-light.png")));
}

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const QDir out(application.arguments().value(1));
    if (argc != 2 || !QDir().mkpath(out.path())) {
        std::fputs("usage: heatmapgallery OUT_DIR\n", stderr);
        return 2;
    }
    Theme theme;
    theme.apply();
    constexpr std::array<Picture, 8> kPictures{{
        {"light", false, 8, 168, {1224, 512}, false, true, HeatScale::Cividis},
        {"dark", true, 8, 168, {1224, 512}, false, true, HeatScale::Cividis},
        {"mirrored", false, 8, 168, {1224, 512}, true, true, HeatScale::Cividis},
        {"viridis", true, 8, 168, {1224, 512}, false, false, HeatScale::Viridis},
        {"rows", false, 40, 168, {1224, 700}, false, false, HeatScale::Cividis},
        {"days", true, 8, 30, {1224, 512}, false, true, HeatScale::Cividis},
        {"large", false, 200, 2000, {1224, 700}, false, true, HeatScale::Cividis},
        {"narrow", false, 8, 168, {700, 420}, false, false, HeatScale::Cividis},
    }};
    for (const Picture &picture : kPictures) {
        if (!draw(theme, picture, out))
            return 1;
    }
    return drawStates(theme, false, out) && drawStates(theme, true, out) ? 0 : 1;
}
