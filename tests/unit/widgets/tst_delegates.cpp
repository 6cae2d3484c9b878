// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "widgets/delegates/badgedelegate.h"
#include "widgets/delegates/bardelegate.h"
#include "widgets/delegates/rangedelegate.h"
#include "widgets/delegates/sparklinedelegate.h"

#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QToolTip>

#include <cmath>
#include <limits>

namespace tst_delegates {

using namespace gpuledger::widgets;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const QString kHostile = QStringLiteral("<img src=file:x> \u202Etxt\u0007\n<b>bold</b>");

} // namespace

class TestDelegates : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_theme = std::make_unique<Theme>();
        m_theme->setMode(Theme::Mode::Light);
        m_model = std::make_unique<QStandardItemModel>(1, 1);
        m_index = m_model->index(0, 0);
        m_direction = Qt::LeftToRight;
        m_state = QStyle::State_Enabled;
    }
    void cleanup()
    {
        m_model.reset();
        m_theme.reset();
    }

    void barIsAsLongAsItsShare_data()
    {
        QTest::addColumn<QVariant>("share");
        QTest::addColumn<double>("expected");
        QTest::newRow("none") << QVariant(0.0) << 0.0;
        QTest::newRow("half") << QVariant(0.5) << 84.0;
        QTest::newRow("a little") << QVariant(0.0001) << 2.0;
        QTest::newRow("full") << QVariant(1.0) << 168.0;
        QTest::newRow("beyond") << QVariant(1.21) << 167.0; // minus the mark of 100 %
        QTest::newRow("huge") << QVariant(1e300) << 167.0;
        QTest::newRow("negative") << QVariant(-3.0) << 0.0;
        QTest::newRow("missing") << QVariant(kNan) << 0.0;
        QTest::newRow("infinite") << QVariant(std::numeric_limits<double>::infinity()) << 0.0;
        QTest::newRow("not set") << QVariant() << 0.0;
    }
    void barIsAsLongAsItsShare()
    {
        QFETCH(QVariant, share);
        QFETCH(double, expected);
        m_model->setData(m_index, share, kBarShareRole);
        m_model->setData(m_index, static_cast<int>(Color::Idle), kBarColorRole);
        for (const bool mirrored : {false, true}) {
            m_direction = mirrored ? Qt::RightToLeft : Qt::LeftToRight;
            const BarDelegate delegate(*m_theme);
            const QImage image = draw(delegate);
            const QRect track = BarDelegate::trackRect(kCell.adjusted(8, 0, -8, -1), mirrored);
            int length = 0;
            for (int x = 0; x < image.width(); ++x)
                length += image.pixelColor(x, track.center().y()) == m_theme->color(Color::Idle);
            QVERIFY2(std::abs(length - expected) <= 1, qPrintable(QString::number(length)));
            // It grows from the start of the line.
            if (expected > 10) {
                const int start = mirrored ? track.right() - 2 : track.left() + 2;
                QCOMPARE(image.pixelColor(start, track.center().y()), m_theme->color(Color::Idle));
            }
        }
    }

    void rangeLiesOnItsScale_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("middle");
        QTest::addColumn<double>("high");
        QTest::addColumn<double>("mark"); // expected, as a share
        QTest::newRow("whole") << 0.0 << 0.5 << 1.0 << 0.5;
        QTest::newRow("nothing") << 0.0 << 0.0 << 0.0 << 0.0;
        QTest::newRow("all at the end") << 1.0 << 1.0 << 1.0 << 1.0;
        QTest::newRow("narrow") << 0.2 << 0.3 << 0.4 << 0.3;
        QTest::newRow("beyond") << -4.0 << 1e300 << 1e300 << 1.0;
        QTest::newRow("upside down") << 0.6 << 0.1 << 0.2 << 0.6;
    }
    void rangeLiesOnItsScale()
    {
        QFETCH(double, low);
        QFETCH(double, middle);
        QFETCH(double, high);
        QFETCH(double, mark);
        m_model->setData(m_index, QStringLiteral("900–1,500 USD"));
        m_model->setData(m_index, low, kRangeLowRole);
        m_model->setData(m_index, middle, kRangeMiddleRole);
        m_model->setData(m_index, high, kRangeHighRole);
        for (const bool mirrored : {false, true}) {
            m_direction = mirrored ? Qt::RightToLeft : Qt::LeftToRight;
            const QImage image = draw(RangeDelegate(*m_theme));
            const QRect scale = RangeDelegate::scaleRect(kCell.adjusted(8, 0, -8, -1));
            int first = -1, last = -1; // of the mark
            for (int x = 0; x < image.width(); ++x) {
                const bool isMark = image.pixelColor(x, scale.center().y()) == m_theme->color(Color::Active);
                first = isMark && first < 0 ? x : first;
                last = isMark ? x : last;
                QVERIFY(!isMark || (x >= scale.left() && x <= scale.right()));
            }
            QVERIFY(first >= 0 && last - first <= 3);
            const double at = mirrored ? 1 - mark : mark;
            QVERIFY2(std::abs((first + last) / 2.0 - (scale.left() + at * (scale.width() - 3) + 1)) <= 2,
                     qPrintable(QString::number(first)));
            QVERIFY(!has(image, Color::Text)); // the text is for the tooltip
        }
    }

    void aScaleBelowZeroMarksZero()
    {
        m_model->setData(m_index, 0.6, kRangeLowRole);
        m_model->setData(m_index, 0.8, kRangeMiddleRole);
        m_model->setData(m_index, 1.0, kRangeHighRole);
        QVERIFY(!has(draw(RangeDelegate(*m_theme)), Color::Muted));
        m_model->setData(m_index, 0.25, kRangeZeroRole);
        const QImage image = draw(RangeDelegate(*m_theme));
        const QRect scale = RangeDelegate::scaleRect(kCell.adjusted(8, 0, -8, -1));
        int at = -1;
        for (int x = 0; x < image.width(); ++x)
            at = image.pixelColor(x, scale.center().y()) == m_theme->color(Color::Muted) ? x : at;
        QVERIFY2(std::abs(at - (scale.left() + 0.25 * scale.width())) <= 3, qPrintable(QString::number(at)));
    }

    void aRangeThatIsNotKnownIsMutedText()
    {
        m_model->setData(m_index, QStringLiteral("counted already"));
        m_model->setData(m_index, 0.5, kRangeLowRole);
        m_model->setData(m_index, kNan, kRangeMiddleRole);
        m_model->setData(m_index, 1.0, kRangeHighRole);
        const QImage image = draw(RangeDelegate(*m_theme));
        QVERIFY(has(image, Color::Muted));
        QVERIFY(!has(image, Color::Active));
    }

    void whatHasNoShareIsMutedText()
    {
        m_model->setData(m_index, QStringLiteral("no budget"));
        const QImage image = draw(BarDelegate(*m_theme));
        QVERIFY(has(image, Color::Muted));
        QVERIFY(!has(image, Color::Text));
        QVERIFY(!has(image, Color::Active));
    }

    void figuresEndAtTheSamePlace()
    {
        const FigureDelegate delegate(*m_theme);
        for (const Qt::LayoutDirection direction : {Qt::LeftToRight, Qt::RightToLeft}) {
            m_direction = direction;
            m_model->setData(m_index, QStringLiteral("1,111.11"));
            const QImage ones = draw(delegate);
            m_model->setData(m_index, QStringLiteral("9,999.99"));
            const QImage nines = draw(delegate);
            // The separators are aligned.
            QVERIFY(std::abs(inkStart(nines) - inkStart(ones)) <= 3);
            const QRect ink = inkOf(nines);
            if (direction == Qt::LeftToRight)
                QVERIFY(ink.left() > 140 && ink.right() <= kCell.right() - 8);
            else
                QVERIFY(ink.right() < 100 && ink.left() >= 8);
        }
    }

    void toneColorsTheText()
    {
        m_model->setData(m_index, QStringLiteral("+9.2 %"));
        m_model->setData(m_index, QVariant::fromValue(Tone::Critical), kToneRole);
        QVERIFY(has(draw(FigureDelegate(*m_theme)), Color::Critical));
        m_theme->setMode(Theme::Mode::Dark);
        QVERIFY(has(draw(FigureDelegate(*m_theme)), Color::Critical));
    }

    void badgeIsAnOutlineInItsTone()
    {
        m_model->setData(m_index, QStringLiteral("high"));
        m_model->setData(m_index, QVariant::fromValue(Tone::Good), kToneRole);
        for (const bool mirrored : {false, true}) {
            m_direction = mirrored ? Qt::RightToLeft : Qt::LeftToRight;
            const QImage image = draw(BadgeDelegate(*m_theme));
            const int x = mirrored ? kCell.right() - 8 : 8;
            QCOMPARE(image.pixelColor(x, kCell.center().y()), m_theme->color(Color::Good));
            QCOMPARE(image.pixelColor(mirrored ? x - 3 : x + 3, kCell.center().y()), m_theme->color(Color::Surface));
        }
        m_model->setData(m_index, QString());
        QVERIFY(!has(draw(BadgeDelegate(*m_theme)), Color::Good));
    }

    void sparklineHasItsColorOrItsText()
    {
        m_model->setData(m_index, QVariant::fromValue(QList<double>{1, 1, kNan, 5, 5}), kSparklineRole);
        QVERIFY(hasLine(draw(SparklineDelegate(*m_theme)), Color::Accent));
        m_model->setData(m_index, static_cast<int>(Color::Idle), kSparklineColorRole);
        m_model->setData(m_index, 3.0, kSparklineThresholdRole);
        const QImage image = draw(SparklineDelegate(*m_theme));
        QVERIFY(hasLine(image, Color::Idle));
        QVERIFY(has(image, Color::Critical));
        m_model->setData(m_index, QVariant(), kSparklineRole);
        m_model->setData(m_index, QStringLiteral("nothing yet"));
        QVERIFY(has(draw(SparklineDelegate(*m_theme)), Color::Muted));
    }

    void selectionIsSoftAndTextStaysReadable()
    {
        m_model->setData(m_index, QStringLiteral("vision"));
        m_state |= QStyle::State_Selected;
        for (const bool dark : {false, true}) {
            m_theme->setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
            const QImage image = draw(CellDelegate(*m_theme));
            QCOMPARE(image.pixelColor(kCell.right() - 3, 5), m_theme->color(Color::Select));
            QVERIFY(has(image, Color::Text));
            QCOMPARE(image.pixelColor(100, kCell.bottom()), m_theme->color(Color::Border));
        }
    }

    void paintsNothingOutsideItsCell_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("hostile") << kHostile;
        QTest::newRow("long") << QStringLiteral("W").repeated(10 * 1024);
        QTest::newRow("right to left") << QStringLiteral("عربي").repeated(100);
        QTest::newRow("lines") << QStringLiteral("a\n").repeated(500);
    }
    void paintsNothingOutsideItsCell()
    {
        QFETCH(QString, text);
        m_model->setData(m_index, text);
        m_model->setData(m_index, 2.0, kBarShareRole);
        const CellDelegate cell(*m_theme);
        const FigureDelegate figure(*m_theme);
        const BarDelegate bar(*m_theme);
        const BadgeDelegate badge(*m_theme);
        const SparklineDelegate spark(*m_theme);
        for (const CellDelegate *delegate :
             std::initializer_list<const CellDelegate *>{&cell, &figure, &bar, &badge, &spark}) {
            for (const int width : {200, 60, 12, 1}) {
                QImage image(300, 100, QImage::Format_RGB32);
                image.fill(m_theme->color(Color::Surface));
                const QRect place(50, 30, width, 34);
                draw(*delegate, image, place);
                for (int y = 0; y < 100; ++y) {
                    for (int x = 0; x < 300; ++x) {
                        if (!place.contains(x, y))
                            QCOMPARE(image.pixelColor(x, y), m_theme->color(Color::Surface));
                    }
                }
            }
        }
    }

    void toolTipHasWhatIsCutAsPlainText()
    {
        QTableView view;
        view.setModel(m_model.get());
        auto *delegate = new CellDelegate(*m_theme, &view);
        view.setItemDelegate(delegate);
        view.setColumnWidth(0, 60);
        view.resize(200, 100);
        view.show();
        m_model->setData(m_index, kHostile);
        m_model->setData(m_index, QStringLiteral("<i>prometheus</i>, 2 min"), Qt::ToolTipRole);
        const QString tip = toolTip(view, *delegate);
        QVERIFY(tip.contains(QStringLiteral("&lt;img")));
        QVERIFY(tip.contains(QStringLiteral("&lt;i&gt;prometheus")));
        QVERIFY(!tip.contains(QStringLiteral("<img")));
        m_model->setData(m_index, QStringLiteral("short"));
        view.setColumnWidth(0, 190);
        QVERIFY(!toolTip(view, *delegate).contains(QStringLiteral("short")));
    }

    void checkBoxesStayClickable()
    {
        QTableView view;
        view.setModel(m_model.get());
        view.setItemDelegate(new CellDelegate(*m_theme, &view));
        m_model->setItem(0, 0, new QStandardItem(QStringLiteral("notebook/one")));
        m_model->item(0)->setCheckable(true);
        view.setColumnWidth(0, 190);
        view.resize(300, 100);
        view.show();
        QStyleOptionViewItem option;
        option.initFrom(&view);
        option.widget = &view;
        option.rect = view.visualRect(m_index);
        option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
        const QRect box = view.style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, &view);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, box.center());
        QCOMPARE(m_model->item(0)->checkState(), Qt::Checked);
    }

private:
    static constexpr QRect kCell{0, 0, 240, 34};

    QImage draw(const CellDelegate &delegate) const
    {
        QImage image(kCell.size(), QImage::Format_RGB32);
        image.fill(m_theme->color(Color::Surface));
        draw(delegate, image, kCell);
        return image;
    }

    void draw(const CellDelegate &delegate, QImage &image, const QRect &place) const
    {
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.rect = place;
        option.direction = m_direction;
        option.state = m_state;
        delegate.paint(&painter, option, m_index);
    }

    static int distance(const QColor &a, const QColor &b)
    {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
    }

    template <typename Predicate> static bool any(const QImage &image, Predicate holds)
    {
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (holds(image.pixelColor(x, y)))
                    return true;
            }
        }
        return false;
    }

    // A pixel that is closer to this token than to any other: letters have few full pixels.
    bool has(const QImage &image, Color color) const
    {
        return any(image, [&](const QColor &pixel) {
            const int own = distance(pixel, m_theme->color(color));
            for (int other = 0; other < kColorCount && own > 0; ++other) {
                if (distance(pixel, m_theme->color(static_cast<Color>(other))) < own)
                    return false;
            }
            return true;
        });
    }

    // A pixel that is closer to this colour than to the background: a thin line may have no full one.
    bool hasLine(const QImage &image, Color color) const
    {
        return any(image, [&](const QColor &pixel) {
            return 2 * distance(pixel, m_theme->color(color)) < distance(pixel, m_theme->color(Color::Surface));
        });
    }

    QRect inkOf(const QImage &image) const
    {
        QRect ink;
        for (int y = 0; y < kCell.bottom() - 1; ++y) {
            for (int x = 0; x < image.width(); ++x) {
                if (image.pixelColor(x, y) != m_theme->color(Color::Surface))
                    ink |= QRect(x, y, 1, 1);
            }
        }
        return ink;
    }
    int inkStart(const QImage &image) const { return inkOf(image).left(); }

    QString toolTip(QTableView &view, CellDelegate &delegate) const
    {
        QStyleOptionViewItem option;
        option.initFrom(&view);
        option.widget = &view;
        option.rect = view.visualRect(m_index);
        const QPoint place = option.rect.center();
        QHelpEvent event(QEvent::ToolTip, place, view.viewport()->mapToGlobal(place));
        delegate.helpEvent(&event, &view, option, m_index);
        return QToolTip::text();
    }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<QStandardItemModel> m_model;
    QModelIndex m_index;
    Qt::LayoutDirection m_direction = Qt::LeftToRight;
    QStyle::State m_state;
};

GPULEDGER_WINDOW_SUITE(TestDelegates)

} // namespace tst_delegates

#include "tst_delegates.moc"
