// SPDX-License-Identifier: GPL-3.0-or-later
// Partly known cells: their appearance and their descriptions.
#include "tests/support/suite.h"
#include "tests/unit/widgets/heatmapsample.h"
#include "widgets/heatmap/heatmap.h"

#include <QAccessible>
#include <QTest>

#include <cmath>

namespace tst_heatmapparts {

using namespace gpuledger;
using tests::matrix;
using widgets::Color;
using widgets::Heatmap;
using widgets::HeatmapData;
using widgets::Theme;

namespace {

constexpr int kRows = 3, kColumns = 30;

// Of row 0: column 2 is known to 40 %, column 3 to 95 %, column 4 to 94 %; column 3 of row 1 is missing.
HeatmapData partly()
{
    HeatmapData data = matrix(kRows, kColumns);
    auto known = std::make_shared<std::vector<std::uint8_t>>(kRows * kColumns, std::uint8_t{100});
    (*known)[2] = 40;
    (*known)[3] = 95;
    (*known)[4] = 94;
    (*known)[kColumns + 3] = 0;
    data.known = std::move(known);
    data.partText = QStringLiteral("observed in part");
    return data;
}

class Shown {
public:
    explicit Shown(Theme::Mode mode, HeatmapData data, bool mirrored = false)
    {
        theme.setMode(mode);
        theme.apply();
        map = std::make_unique<Heatmap>(theme);
        map->setLayoutDirection(mirrored ? Qt::RightToLeft : Qt::LeftToRight);
        map->resize(900, 220);
        map->setData(std::move(data));
        picture = map->picture(1);
    }
    // Colours of a cell's column of pixels, from top to bottom.
    std::vector<QRgb> pixels(int row, int column) const
    {
        const QRectF cell = map->cellRect(row, column);
        std::vector<QRgb> out;
        for (int y = static_cast<int>(cell.top()); y < static_cast<int>(cell.bottom()); ++y)
            out.push_back(picture.pixel(static_cast<int>(cell.center().x()), y));
        return out;
    }
    // Share of the cell that has the colour of its step, from the top.
    double filled(int row, int column) const
    {
        const auto all = pixels(row, column);
        std::size_t n = 0;
        while (n < all.size() && all[n] == all.front())
            ++n;
        return static_cast<double>(n) / static_cast<double>(all.size());
    }
    bool hasHatch(int row, int column) const
    {
        const QRectF cell = map->cellRect(row, column);
        const QRgb line = theme.color(Color::Unobserved).rgb();
        for (int y = static_cast<int>(cell.top()); y < static_cast<int>(cell.bottom()); ++y) {
            for (int x = static_cast<int>(cell.left()); x < static_cast<int>(cell.right()) - 1; ++x) {
                const QColor c = picture.pixelColor(x, y), wanted(line);
                if (std::abs(c.red() - wanted.red()) + std::abs(c.green() - wanted.green())
                        + std::abs(c.blue() - wanted.blue())
                    < 60)
                    return true;
            }
        }
        return false;
    }

    Theme theme;
    std::unique_ptr<Heatmap> map;
    QImage picture;
};

} // namespace

class HeatmapPartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hatchesWhatIsNotKnown_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<bool>("mirrored");
        QTest::newRow("light") << false << false;
        QTest::newRow("dark") << true << false;
        QTest::newRow("right to left") << false << true;
    }

    void hatchesWhatIsNotKnown()
    {
        QFETCH(bool, dark);
        QFETCH(bool, mirrored);
        const Shown shown(dark ? Theme::Mode::Dark : Theme::Mode::Light, partly(), mirrored);
        QVERIFY(shown.map->cellRect(0, 2).width() > 8);
        QCOMPARE(shown.filled(0, 1), 1.0);
        QVERIFY2(std::abs(shown.filled(0, 2) - 0.4) < 0.1, qPrintable(QString::number(shown.filled(0, 2))));
        QCOMPARE(shown.filled(0, 3), 1.0); // almost whole, so drawn as whole
        QVERIFY(shown.filled(0, 4) < 1 && shown.filled(0, 4) > 0.6);
        QVERIFY(!shown.hasHatch(0, 1) && shown.hasHatch(0, 2) && !shown.hasHatch(0, 3) && shown.hasHatch(0, 4));
        // The value has the same colour as in a whole cell.
        HeatmapData whole = partly();
        whole.known.reset();
        const Shown plain(dark ? Theme::Mode::Dark : Theme::Mode::Light, whole, mirrored);
        QCOMPARE(shown.pixels(0, 2).front(), plain.pixels(0, 2).front());
        QCOMPARE(plain.filled(0, 2), 1.0);
    }

    void aMissingCellIsHatchedAsAWhole()
    {
        const Shown shown(Theme::Mode::Light, partly());
        QVERIFY(!shown.map->data().isPart(1, 3));
        QVERIFY(shown.hasHatch(1, 3));
        HeatmapData whole = partly();
        whole.known.reset();
        const Shown plain(Theme::Mode::Light, whole);
        QCOMPARE(shown.pixels(1, 3), plain.pixels(1, 3));
    }

    void aCellWhereNothingWasHeldMayBeKnownInPart()
    {
        HeatmapData data = partly();
        data.values[2] = widgets::kMissing;
        data.blanks.assign(data.values.size(), false);
        data.blanks[2] = true;
        data.blankText = QStringLiteral("nothing held");
        const Shown shown(Theme::Mode::Light, data);
        QVERIFY(shown.map->data().isPart(0, 2));
        QVERIFY(shown.hasHatch(0, 2));
        QCOMPARE(shown.map->valueText(0, 2), QStringLiteral("nothing held, observed in part: 40 %"));
    }

    void saysItInWords()
    {
        const Shown shown(Theme::Mode::Light, partly());
        QCOMPARE(shown.map->valueText(0, 1), QStringLiteral("1.0 %"));
        QCOMPARE(shown.map->valueText(0, 2), QStringLiteral("2.0 %, observed in part: 40 %"));
        QCOMPARE(shown.map->valueText(0, 3), QStringLiteral("3.0 %"));
        QCOMPARE(shown.map->valueText(1, 3), QStringLiteral("not observed"));
        QAccessible::setActive(true);
        auto *table = QAccessible::queryAccessibleInterface(shown.map.get())->tableInterface();
        QVERIFY(table->cellAt(0, 2)->text(QAccessible::Name).endsWith(QStringLiteral("observed in part: 40 %")));
        QAccessible::setActive(false);
    }

    // The legend explains the mark only if it is used.
    void theLegendExplainsIt()
    {
        const auto legendOf = [](const HeatmapData &data) {
            const Shown shown(Theme::Mode::Light, data);
            return shown.picture.copy(shown.map->geometryOfCells().legend());
        };
        HeatmapData whole = partly();
        whole.known.reset();
        HeatmapData allKnown = partly();
        allKnown.known =
            std::make_shared<const std::vector<std::uint8_t>>(std::size_t{kRows * kColumns}, std::uint8_t{95});
        QVERIFY(legendOf(partly()) != legendOf(whole));
        QVERIFY(legendOf(allKnown) == legendOf(whole));
    }

    // With millions of cells too, at one byte each.
    void packedCellsAreMarked()
    {
        HeatmapData data = partly();
        const auto values = std::make_shared<std::vector<float>>();
        for (const double v : data.values)
            values->push_back(std::isnan(v) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(v));
        data.values.clear();
        data.packed = values;
        const Shown shown(Theme::Mode::Light, data);
        QVERIFY(shown.hasHatch(0, 2) && !shown.hasHatch(0, 1));
        QVERIFY(shown.map->valueText(0, 2).endsWith(QStringLiteral("observed in part: 40 %")));
    }
};

GPULEDGER_WINDOW_SUITE(HeatmapPartsTest)

} // namespace tst_heatmapparts

#include "tst_heatmapparts.moc"
