// SPDX-License-Identifier: GPL-3.0-or-later
// chartgallery OUT_DIR: draws cards, charts and table cells as the Overview page and the evidence panel would place
// them, in both themes and right to left, into PNG files for visual inspection. QT_SCALE_FACTOR=2 doubles the pixel
// density.
#include "widgets/cards/card.h"
#include "widgets/cards/keyfigurecard.h"
#include "widgets/charts/linechart.h"
#include "widgets/charts/stackedbarchart.h"
#include "widgets/charts/waterfallchart.h"
#include "widgets/delegates/badgedelegate.h"
#include "widgets/delegates/bardelegate.h"
#include "widgets/delegates/sparklinedelegate.h"

#include <QApplication>
#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QMouseEvent>
#include <QRandomGenerator>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include <array>
#include <cmath>
#include <cstdio>

using namespace gpuledger::widgets;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

QList<double> walk(QRandomGenerator &random, int count, double start, double step)
{
    QList<double> values;
    for (double value = start; values.size() < count;
         value = std::max(0.0, value + (random.generateDouble() * 2 - 1) * step))
        values << value;
    return values;
}

QString dollars(double value)
{
    return QLocale().toString(value, 'f', 2) + QStringLiteral(" USD");
}

QWidget *keyFigures(const Theme &theme)
{
    using Direction = KeyFigure::Direction;
    using Meaning = KeyFigure::Meaning;
    QRandomGenerator random(7);
    auto *row = new QWidget;
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    const auto add = [&](const char *title, const char *value, const char *change, const char *word,
                         Direction direction, Meaning meaning, const char *detail, Color color,
                         const QList<double> &trend) {
        KeyFigure figure;
        figure.title = QString::fromUtf8(title);
        figure.value = QString::fromUtf8(value);
        figure.change = QString::fromUtf8(change);
        figure.changeWord = QString::fromUtf8(word);
        figure.direction = direction;
        figure.meaning = meaning;
        figure.detail = QString::fromUtf8(detail);
        figure.trend.values = trend;
        figure.trend.color = color;
        auto *card = new KeyFigureCard(theme);
        card->setFigure(figure);
        layout->addWidget(card, 1);
    };
    QList<double> gap = walk(random, 30, 60, 6);
    for (int i = 12; i < 17; ++i)
        gap[i] = kNan;
    add("Spend, November", "$394,120", "12.0 %", "", Direction::Up, Meaning::Bad,
        "forecast $521k ± 18k of $480k budget", Color::Accent, walk(random, 30, 12, 2));
    add("Utilization", "61.4 %", "3.1 pt", "", Direction::Up, Meaning::Good, "allocation 83 %, compute 74 %",
        Color::Active, gap);
    add("Idle cost", "$71,930", "20 %", "", Direction::Up, Meaning::Bad, "18.3 % of spend; 46 GPUs idle now",
        Color::Idle, walk(random, 30, 2, .5));
    add("Savings found", "$88.4k /mo", "$31.2k realized", "", Direction::None, Meaning::Good,
        "spot 41k, right-size 22k, schedule 25k, commitments 10k, left out as overlapping 19k", Color::Good,
        walk(random, 30, 5, 1));
    return row;
}

StackedBars spendPerDay(int days)
{
    QRandomGenerator random(11);
    StackedBars data;
    data.title = QStringLiteral("Spend per day");
    data.unit = QStringLiteral("USD");
    data.series = {{QStringLiteral("active"), Color::Active, false},
                   {QStringLiteral("idle"), Color::Idle, false},
                   {QStringLiteral("unallocated"), Color::Unallocated, false},
                   {QStringLiteral("unobserved"), Color::Unobserved, true}};
    QDate day(2026, 10, 22);
    for (int i = 0; i < days; ++i, day = day.addDays(1)) {
        const bool weekend = day.dayOfWeek() > 5;
        const double active = (7500 + random.bounded(1500)) * (weekend ? .72 : 1);
        const double idle = (2200 + random.bounded(1200)) * (weekend ? 1.5 : 1);
        std::vector<double> values{active, idle, 1000.0 + random.bounded(600), 250.0 + random.bounded(500)};
        if (i == 17)
            values = {kNan, kNan, kNan, kNan};
        data.bars.push_back({QLocale().toString(day, QStringLiteral("d MMM")),
                             QLocale().toString(day, QStringLiteral("dddd d MMMM")), values, day.toString(Qt::ISODate),
                             i >= days - 3});
    }
    data.budget = 15500;
    data.budgetText = QStringLiteral("budget per day 15.5k");
    data.valueText = dollars;
    return data;
}

Waterfall whatChanged()
{
    using Kind = Waterfall::Step::Kind;
    Waterfall data;
    data.title = QStringLiteral("What changed");
    data.note = QStringLiteral("against October, same days");
    data.steps = {
        {QStringLiteral("Oct"), 352000, Kind::Start, {}},    {QStringLiteral("price"), 9000, Kind::Change, {}},
        {QStringLiteral("volume"), 38000, Kind::Change, {}}, {QStringLiteral("mix"), -17000, Kind::Change, {}},
        {QStringLiteral("idle"), 12000, Kind::Change, {}},   {QStringLiteral("Nov"), 394000, Kind::End, {}}};
    data.valueText = dollars;
    return data;
}

TimeLines activity(bool several)
{
    QRandomGenerator random(5);
    TimeLines data;
    data.title = several ? QStringLiteral("Device 3 of gpu-a100-07") : QStringLiteral("Activity (SM active)");
    data.note = several ? QString() : QStringLiteral("0.0 %");
    data.zone = QTimeZone::utc();
    data.series = {{QStringLiteral("compute"), {}, Color::Active, !several}};
    if (several)
        data.series.push_back({QStringLiteral("memory held"), {}, SeriesColor::series(0), false});
    for (int i = 0; i < 96; ++i) {
        data.times.push_back(1'795'000'200'000LL + i * 900'000LL);
        const bool gap = i >= 60 && i < 70;
        data.series[0].values.push_back(gap ? kNan : i < 24 ? 60 + random.bounded(30) : random.bounded(3));
        if (several)
            data.series[1].values.push_back(gap ? kNan : i < 3 ? i * 24 : 70 + random.bounded(3));
    }
    data.threshold = 5;
    data.thresholdText = QStringLiteral("idle below 5 %");
    data.maximum = 100;
    return data;
}

void fillRow(QStandardItemModel &model, int row, const QStringList &texts, double change, double use, double idle,
             double budget, const QList<double> &trend)
{
    for (int column = 0; column < texts.size(); ++column)
        model.setData(model.index(row, column), texts.at(column));
    QFont bold;
    bold.setWeight(QFont::DemiBold);
    model.setData(model.index(row, 0), bold, Qt::FontRole);
    const Tone tone = change > 5 ? Tone::Critical : change < 0 ? Tone::Good : Tone::Neutral;
    model.setData(model.index(row, 2), QVariant::fromValue(tone), kToneRole);
    model.setData(model.index(row, 3), use, kBarShareRole);
    model.setData(model.index(row, 4), idle, kBarShareRole);
    model.setData(model.index(row, 4), static_cast<int>(Color::Idle), kBarColorRole);
    model.setData(model.index(row, 5), budget, kBarShareRole);
    model.setData(model.index(row, 5), static_cast<int>(budget > 1 ? Color::Critical : Color::Accent), kBarColorRole);
    model.setData(model.index(row, 6), QVariant::fromValue(trend), kSparklineRole);
    const std::array<Tone, 3> tones{Tone::Good, Tone::Warning, Tone::Critical};
    model.setData(model.index(row, 7), QVariant::fromValue(tones[static_cast<std::size_t>(row) % 3]), kToneRole);
}

QStandardItemModel *teams(QObject *parent)
{
    QRandomGenerator random(3);
    auto *model = new QStandardItemModel(6, 8, parent);
    model->setHorizontalHeaderLabels({QStringLiteral("Team"), QStringLiteral("Spend, USD"), QStringLiteral("Change"),
                                      QStringLiteral("Utilization"), QStringLiteral("Idle share"),
                                      QStringLiteral("Forecast of budget"), QStringLiteral("30 days"),
                                      QStringLiteral("Confidence")});
    const QString minus(QChar(0x2212));
    const auto row = [&](int i, const char *name, const char *spend, const QString &change, double by, int use,
                         int idle, double budget, const char *budgetText, const char *badge) {
        QList<double> trend = walk(random, 30, 10, 2);
        if (i == 2)
            trend[11] = trend[12] = trend[13] = kNan;
        fillRow(*model, i,
                {QString::fromUtf8(name), QString::fromUtf8(spend), change, QStringLiteral("%1 %").arg(use),
                 QStringLiteral("%1 %").arg(idle), QString::fromUtf8(budgetText), QString(), QString::fromUtf8(badge)},
                by, use / 100.0, idle / 100.0, budget, trend);
    };
    row(0, "vision", "121,480", QStringLiteral("+9.2 %"), 9.2, 71, 11, .92, "92 %", "high");
    row(1, "llm-platform", "98,310", QStringLiteral("+22.5 %"), 22.5, 66, 16, 1.13, "113 %", "medium");
    row(2, "speech", "61,200", minus + QStringLiteral("4.1 %"), -4.1, 58, 21, .84, "84 %", "low");
    row(3, "recsys", "47,950", QStringLiteral("+3.3 %"), 3.3, 74, 8, .78, "78 %", "kept until 18:00");
    row(4, "research-with-a-very-long-name", "38,420", QStringLiteral("+31.0 %"), 31, 37, 44, 1.21, "121 %", "medium");
    row(5, "unowned", "26,760", QStringLiteral("+1.2 %"), 1.2, 1, 79, kNan, "no budget", "");
    return model;
}

QWidget *table(const Theme &theme)
{
    auto *view = new QTableView;
    view->setModel(teams(view));
    auto *bar = new BarDelegate(theme, view);
    view->setItemDelegate(new CellDelegate(theme, view));
    for (const int column : {1, 2})
        view->setItemDelegateForColumn(column, new FigureDelegate(theme, view));
    for (const int column : {3, 4, 5})
        view->setItemDelegateForColumn(column, bar);
    view->setItemDelegateForColumn(6, new SparklineDelegate(theme, view));
    view->setItemDelegateForColumn(7, new BadgeDelegate(theme, view));
    view->setShowGrid(false);
    view->setFrameShape(QFrame::NoFrame);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(CellDelegate::kRowHeight);
    view->setSelectionBehavior(QAbstractItemView::SelectRows);
    view->selectRow(1);
    constexpr std::array<int, 8> kWidths{130, 100, 90, 190, 190, 190, 130, 120};
    for (std::size_t i = 0; i < kWidths.size(); ++i)
        view->setColumnWidth(static_cast<int>(i), kWidths[i]);
    view->setFixedHeight(6 * CellDelegate::kRowHeight + 32);
    return view;
}

QWidget *framed(const Theme &theme, QWidget *content, int padding = 16)
{
    auto *card = new Card(theme);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(padding, 12, padding, 12);
    layout->addWidget(content);
    return card;
}

template <typename ChartType, typename Data> ChartType *chart(const Theme &theme, Data data)
{
    auto *widget = new ChartType(theme);
    widget->setData(std::move(data));
    return widget;
}

void hover(Chart &chart, int index)
{
    const QPointF place = chart.itemRect(index).center();
    QMouseEvent move(QEvent::MouseMove, place, chart.mapToGlobal(place), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(&chart, &move);
}

bool save(QWidget &page, const QDir &out, const QString &name)
{
    page.show();
    QCoreApplication::processEvents();
    return page.grab().save(out.filePath(name + QStringLiteral(".png")));
}

bool drawOverview(Theme &theme, const QDir &out, const QString &name, bool mirrored, bool withCard, int width = 1224)
{
    QWidget page;
    page.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
    auto *layout = new QVBoxLayout(&page);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addWidget(keyFigures(theme));
    auto *row = new QHBoxLayout;
    auto *bars = chart<StackedBarChart>(theme, spendPerDay(30));
    bars->setMinimumHeight(228);
    row->addWidget(framed(theme, bars), 724);
    row->addWidget(framed(theme, chart<WaterfallChart>(theme, whatChanged())), 456);
    layout->addLayout(row);
    layout->addWidget(framed(theme, table(theme), 8));
    page.resize(width, 720);
    page.show();
    page.activateWindow();
    bars->setFocus();
    bars->setCurrentIndex(4);
    QCoreApplication::processEvents();
    if (withCard)
        hover(*bars, 9);
    return save(page, out, name);
}

bool drawEvidence(Theme &theme, const QDir &out, const QString &name, bool mirrored)
{
    QWidget page;
    page.setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
    auto *layout = new QHBoxLayout(&page);
    auto *left = new QVBoxLayout;
    left->addWidget(framed(theme, chart<LineChart>(theme, activity(false))));
    left->addWidget(framed(theme, chart<LineChart>(theme, activity(true))));
    auto *spark = new Sparkline(theme);
    QRandomGenerator random(9);
    QList<double> values = walk(random, 96, 60, 6);
    for (int i = 40; i < 52; ++i)
        values[i] = kNan;
    spark->setData({values, 20, 0, kNan, Color::Idle, true});
    spark->setFixedHeight(44);
    left->addWidget(framed(theme, spark));
    layout->addLayout(left, 1);
    auto *right = new QVBoxLayout;
    Waterfall odd = whatChanged();
    odd.steps[1].value = kNan;
    odd.steps[2].value = -360000;
    right->addWidget(framed(theme, chart<WaterfallChart>(theme, odd)));
    StackedBars credits = spendPerDay(7);
    credits.bars[2].values = {4000, -3000, 1000, 0};
    right->addWidget(framed(theme, chart<StackedBarChart>(theme, credits)));
    right->addWidget(framed(theme, chart<StackedBarChart>(theme, StackedBars())));
    layout->addLayout(right, 1);
    page.resize(900, 640);
    page.show();
    QCoreApplication::processEvents();
    hover(*page.findChildren<LineChart *>().at(1), 50);
    return save(page, out, name);
}

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const QDir out(application.arguments().value(1));
    if (argc != 2 || !QDir().mkpath(out.path())) {
        std::fputs("usage: chartgallery OUT_DIR\n", stderr);
        return 2;
    }
    Theme theme;
    theme.apply();
    bool drawn = true;
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        const QString look = dark ? QStringLiteral("-dark") : QStringLiteral("-light");
        drawn = drawOverview(theme, out, QStringLiteral("charts") + look, false, dark) && drawn;
        drawn = drawEvidence(theme, out, QStringLiteral("evidence") + look, false) && drawn;
    }
    theme.setMode(Theme::Mode::Light);
    drawn = drawOverview(theme, out, QStringLiteral("charts-mirrored"), true, true) && drawn;
    for (const int width : {1024, 2560})
        drawn = drawOverview(theme, out, QStringLiteral("charts-%1").arg(width), false, false, width) && drawn;
    drawn = drawEvidence(theme, out, QStringLiteral("evidence-mirrored"), true) && drawn;
    return drawn ? 0 : 1;
}
