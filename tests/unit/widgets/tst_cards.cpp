// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "widgets/cards/card.h"
#include "widgets/cards/keyfigurecard.h"
#include "widgets/cards/keyfigurerow.h"
#include "widgets/theme/tabular.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <cmath>

namespace tst_cards {

using namespace gpuledger::widgets;

namespace {

KeyFigure spend()
{
    KeyFigure figure;
    figure.title = QStringLiteral("Spend, November");
    figure.value = QStringLiteral("$394,120");
    figure.change = QStringLiteral("12.0 %");
    figure.direction = KeyFigure::Direction::Up;
    figure.meaning = KeyFigure::Meaning::Bad;
    figure.detail = QStringLiteral("forecast $521k ± 18k of $480k budget");
    figure.trend.values = {1, 3, 2, 4};
    figure.source = QStringLiteral("prometheus-prod");
    figure.age = QStringLiteral("as of 14:02");
    return figure;
}

int colored(const QImage &image, const QRect &area, const QColor &color)
{
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        for (int x = area.left(); x <= area.right(); ++x)
            count += image.pixelColor(x, y) == color;
    }
    return count;
}

} // namespace

class TestCards : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_theme = std::make_unique<Theme>();
        m_theme->setMode(Theme::Mode::Light);
        m_card = std::make_unique<KeyFigureCard>(*m_theme);
        m_card->setFigure(spend());
        m_card->resize(288, m_card->sizeHint().height());
    }
    void cleanup()
    {
        m_card.reset();
        m_theme.reset();
    }

    void opensByClickEnterAndSpace()
    {
        QSignalSpy opened(m_card.get(), &QAbstractButton::clicked);
        QTest::mouseClick(m_card.get(), Qt::LeftButton);
        QTest::keyClick(m_card.get(), Qt::Key_Return);
        QTest::keyClick(m_card.get(), Qt::Key_Enter);
        QTest::keyClick(m_card.get(), Qt::Key_Space);
        QCOMPARE(opened.count(), 4);
    }

    void isAButtonThatSaysItsFigure()
    {
        QAccessibleInterface *face = QAccessible::queryAccessibleInterface(m_card.get());
        QCOMPARE(face->role(), QAccessible::Button);
        QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Spend, November: $394,120"));
        QCOMPARE(
            face->text(QAccessible::Description),
            QStringLiteral("up 12.0 %, worse; forecast $521k ± 18k of $480k budget; prometheus-prod; as of 14:02"));
        KeyFigure unknown = spend();
        unknown.value.clear();
        unknown.change.clear();
        m_card->setFigure(unknown);
        QCOMPARE(face->text(QAccessible::Name), QStringLiteral("Spend, November: not known"));
    }

    void changeSaysGoodOrBadInColorAndWord_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void changeSaysGoodOrBadInColorAndWord()
    {
        QFETCH(bool, dark);
        m_theme->setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        KeyFigure figure = spend();
        figure.trend.values.clear();
        m_card->setFigure(figure);
        QVERIFY(colored(picture(), m_card->rect(), m_theme->color(Color::Critical)) > 10);
        QCOMPARE(colored(picture(), m_card->rect(), m_theme->color(Color::Good)), 0);
        figure.meaning = KeyFigure::Meaning::Good;
        m_card->setFigure(figure);
        QVERIFY(colored(picture(), m_card->rect(), m_theme->color(Color::Good)) > 10);
        QCOMPARE(colored(picture(), m_card->rect(), m_theme->color(Color::Critical)), 0);
        QCOMPARE(m_card->changeText(), QStringLiteral("up 12.0 %, better"));
        figure.direction = KeyFigure::Direction::Down;
        figure.changeWord = QStringLiteral("than October");
        m_card->setFigure(figure);
        QCOMPARE(m_card->changeText(), QStringLiteral("down 12.0 %, than October"));
        figure.meaning = KeyFigure::Meaning::Neutral;
        figure.changeWord.clear();
        m_card->setFigure(figure);
        QCOMPARE(m_card->changeText(), QStringLiteral("down 12.0 %"));
        QCOMPARE(colored(picture(), m_card->rect(), m_theme->color(Color::Good)), 0);
    }

    void staysInItsFrameWithAnyText_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("width");
        for (const int width : {400, 288, 150, 40}) {
            QTest::addRow("empty %d", width) << QString() << width;
            QTest::addRow("long %d", width) << QStringLiteral("W").repeated(10000) << width;
            QTest::addRow("words %d", width) << QStringLiteral("many words ").repeated(900) << width;
            QTest::addRow("right to left %d", width) << QStringLiteral("\u202Eعربي <b>x</b>\n\t\u0007") << width;
        }
    }
    void staysInItsFrameWithAnyText()
    {
        QFETCH(QString, text);
        QFETCH(int, width);
        KeyFigure figure = spend();
        figure.title = figure.value = figure.change = figure.detail = text;
        const int height = m_card->sizeHint().height();
        for (const Qt::LayoutDirection direction : {Qt::LeftToRight, Qt::RightToLeft}) {
            m_card->setLayoutDirection(direction);
            m_card->setFigure(figure);
            m_card->resize(width, height);
            QCOMPARE(m_card->sizeHint().height(), height);
            const QImage image = picture();
            const QColor surface = m_theme->color(Color::Surface);
            QCOMPARE(colored(image, QRect(4, 8, 10, height - 16), surface), 10 * (height - 16));
            QCOMPARE(colored(image, QRect(width - 14, 8, 10, height - 16), surface), 10 * (height - 16));
        }
        QVERIFY(!m_card->toolTip().contains(QStringLiteral("<b>")));
    }

    void mirrorsFromRightToLeft()
    {
        const auto left = [this] {
            const QImage image = picture();
            return colored(image, QRect(10, 30, 100, 40), m_theme->color(Color::Text));
        };
        QVERIFY(left() > 30);
        m_card->setLayoutDirection(Qt::RightToLeft);
        QCOMPARE(left(), 0);
    }

    void showsFocus()
    {
        KeyFigure figure = spend();
        figure.trend.values.clear();
        m_card->setFigure(figure);
        QCOMPARE(colored(picture(), m_card->rect(), m_theme->color(Color::Accent)), 0);
        m_card->show();
        m_card->activateWindow();
        m_card->setFocus();
        QTRY_VERIFY(m_card->hasFocus());
        QCOMPARE(colored(picture(), m_card->rect(), m_theme->color(Color::Accent)), 0); // it would look selected
        m_card->setAttribute(Qt::WA_KeyboardFocusChange); // as after Tab
        QVERIFY(colored(picture(), m_card->rect(), m_theme->color(Color::Accent)) > 300);
    }

    void theTipIsBelowAndDoesNotRepeatTheFigure()
    {
        m_card->move(40, 40);
        m_card->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_card.get()));
        const auto ask = [this] {
            QHelpEvent help(QEvent::ToolTip, m_card->rect().center(), m_card->mapToGlobal(m_card->rect().center()));
            QCoreApplication::sendEvent(m_card.get(), &help);
        };
        ask();
        QVERIFY(QToolTip::isVisible());
        QVERIFY(QToolTip::text().contains(QStringLiteral("prometheus-prod")));
        QVERIFY(!QToolTip::text().contains(QStringLiteral("$394,120")));
        const QRect card(m_card->mapToGlobal(QPoint()), m_card->size());
        int tips = 0;
        for (const QWidget *widget : QApplication::topLevelWidgets()) {
            if (!widget->inherits("QTipLabel") || !widget->isVisible())
                continue;
            ++tips;
            QVERIFY(!widget->geometry().intersects(card));
        }
        QCOMPARE(tips, 1);
        QToolTip::hideText();
        KeyFigure cut = spend();
        cut.value = QStringLiteral("$394,120.00").repeated(20);
        m_card->setFigure(cut);
        ask();
        QVERIFY(QToolTip::text().contains(cut.value)); // which the card can't show
        QToolTip::hideText();
    }

    // Cards beside each other have the same size of figures, and either all or none a sparkline.
    void aRowLooksAlike()
    {
        KeyFigureRow row(*m_theme, 2);
        KeyFigure small = spend();
        small.value = QStringLiteral("$1");
        row.setFigure(0, spend());
        row.setFigure(1, small);
        // Whether the second card, whose figure is short, has its sparkline.
        const auto hasLine = [&](int width) {
            row.resize(width, row.sizeHint().height());
            row.show();
            QCoreApplication::processEvents();
            KeyFigureCard *card = row.cards()[1];
            const int above = m_theme->space(Space::Medium) + QFontMetrics(m_theme->font()).height();
            const QRect end(card->width() - m_theme->space(Space::Large) - 40, above, 40,
                            QFontMetrics(m_theme->font(TextSize::Figure)).height());
            const QImage image = card->grab().toImage().convertToFormat(QImage::Format_RGB32);
            return end.width() * end.height() - colored(image, end, m_theme->color(Color::Surface)) > 5;
        };
        const QFontMetrics large(m_theme->font(TextSize::Figure, QFont::DemiBold));
        const QFontMetrics title(m_theme->font(TextSize::Title, QFont::DemiBold));
        const int spare = 2 * m_theme->space(Space::Large) + 8 + 45;
        const auto widthFor = [&](const QFontMetrics &font) {
            return 2 * (font.horizontalAdvance(spend().value) + spare) + m_theme->space(Space::Medium) + 2;
        };
        QVERIFY(hasLine(widthFor(large) + 200));
        QVERIFY(row.cards()[0]->fits(KeyFigureCard::Look::Large));
        QVERIFY(hasLine(widthFor(title))); // with smaller figures
        QVERIFY(!row.cards()[0]->fits(KeyFigureCard::Look::Large));
        QVERIFY(!hasLine(widthFor(title) - 40)); // it has room, but the first card does not
        QVERIFY(row.cards()[1]->fits(KeyFigureCard::Look::Small));
    }

    // A short figure is not larger than the others.
    void figuresOfARowAreEquallyLarge()
    {
        KeyFigureRow row(*m_theme, 2);
        KeyFigure longest = spend(), shortest = spend();
        longest.value = QStringLiteral("$394,120,000,000");
        shortest.value = QStringLiteral("$8");
        longest.trend = shortest.trend = {};
        row.setFigure(0, longest);
        row.setFigure(1, shortest);
        // The height of the digit.
        const auto height = [&](int width) {
            row.resize(width, row.sizeHint().height());
            row.show();
            QCoreApplication::processEvents();
            KeyFigureCard *card = row.cards()[1];
            const int above = m_theme->space(Space::Medium) + QFontMetrics(m_theme->font()).height();
            const QRect figure(m_theme->space(Space::Large), above, 40,
                               QFontMetrics(m_theme->font(TextSize::Figure)).height());
            const QImage image = card->grab().toImage().convertToFormat(QImage::Format_RGB32);
            int rows = 0;
            for (int y = figure.top(); y <= figure.bottom(); ++y) {
                const QRect line(figure.left(), y, figure.width(), 1);
                rows += colored(image, line, m_theme->color(Color::Surface)) < line.width() ? 1 : 0;
            }
            return rows;
        };
        const auto widthFor = [&](TextSize size) {
            const QFontMetrics metrics(m_theme->font(size, QFont::DemiBold));
            return 2 * (metrics.horizontalAdvance(longest.value) + 2 * m_theme->space(Space::Large) + 2)
                + m_theme->space(Space::Medium);
        };
        const int large = height(widthFor(TextSize::Figure)), small = height(widthFor(TextSize::Title)),
                  smallest = height(widthFor(TextSize::Section));
        QVERIFY2(large > small && small > smallest && smallest > 0,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(large).arg(small).arg(smallest)));
    }

    void cardFollowsTheTheme()
    {
        Card card(*m_theme);
        card.resize(60, 60);
        QCOMPARE(card.grab().toImage().pixelColor(30, 30), m_theme->color(Color::Surface));
        m_theme->setMode(Theme::Mode::Dark);
        QCOMPARE(card.grab().toImage().pixelColor(30, 30), m_theme->color(Color::Surface));
        QCOMPARE(card.grab().toImage().pixelColor(30, 0), m_theme->color(Color::Border));
    }

    void digitsAreEquallyWide()
    {
        const QFont font = m_theme->font();
        QCOMPARE(tabularWidth(font, QStringLiteral("1,111.11")), tabularWidth(font, QStringLiteral("9,999.99")));
        QCOMPARE(tabularWidth(font, QStringLiteral("٣٣٣")), tabularWidth(font, QStringLiteral("١١١")));
        QCOMPARE(tabularWidth(font, QString()), 0.0);
        QImage image(200, 40, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setFont(font);
        painter.setPen(Qt::black);
        drawTabular(painter, QRectF(40, 0, 100, 40), Qt::AlignRight, QStringLiteral("1,111.11"));
        painter.end();
        const int width = static_cast<int>(std::ceil(tabularWidth(font, QStringLiteral("1,111.11"))));
        QCOMPARE(colored(image, QRect(141, 0, 58, 40), Qt::white), 58 * 40);
        QCOMPARE(colored(image, QRect(0, 0, 138 - width, 40), Qt::white), (138 - width) * 40);
        QVERIFY(colored(image, QRect(140 - width, 0, width, 40), Qt::white) < width * 40);
    }

private:
    QImage picture() const { return m_card->grab().toImage().convertToFormat(QImage::Format_RGB32); }

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<KeyFigureCard> m_card;
};

GPULEDGER_WINDOW_SUITE(TestCards)

} // namespace tst_cards

#include "tst_cards.moc"
