// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "widgets/state/copytable.h"
#include "widgets/state/plaintext.h"

#include <QLabel>
#include <QLocale>
#include <QMimeData>
#include <QTest>
#include <QTextDocument>

#include <limits>
#include <memory>

namespace tst_plaintext {

using namespace gpuledger::widgets;

namespace {

const QString kHostile = QStringLiteral("<img src=file:x> <b>vision</b> & co");

QString shownByRichText(const QString &text)
{
    QTextDocument document;
    document.setHtml(text);
    return document.toPlainText();
}

} // namespace

class TestPlainText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void labelsShowMarkupAsText()
    {
        Theme theme;
        for (QLabel *label : {plainLabel(kHostile), plainLabel(theme, kHostile, TextSize::Section)}) {
            const std::unique_ptr<QLabel> owner(label);
            QCOMPARE(label->textFormat(), Qt::PlainText);
            QCOMPARE(label->text(), kHostile);
            QVERIFY(label->sizeHint().width() >= label->fontMetrics().horizontalAdvance(kHostile));
        }
    }

    void labelsFollowTheTheme()
    {
        Theme theme;
        theme.setMode(Theme::Mode::Light);
        const std::unique_ptr<QLabel> label(plainLabel(theme, kHostile, TextSize::Caption, Color::Muted));
        QCOMPARE(label->font().pixelSize(), 11);
        theme.setMode(Theme::Mode::Dark);
        QCOMPARE(label->palette().color(QPalette::WindowText), theme.color(Color::Muted));
    }

    void toolTipsShowMarkupAsText()
    {
        const QString tip = plainToolTip(kHostile);
        QVERIFY(Qt::mightBeRichText(tip));
        QCOMPARE(shownByRichText(tip), kHostile);
        QVERIFY(!tip.contains(QStringLiteral("<img")));
        QVERIFY(plainToolTip(QString()).isEmpty());
    }

    void messageBoxesShowMarkupAsText()
    {
        const std::unique_ptr<QMessageBox> box(
            plainMessageBox(QMessageBox::Warning, QStringLiteral("Stop"), kHostile, kHostile, nullptr));
        QCOMPARE(box->textFormat(), Qt::PlainText);
        QCOMPARE(box->text(), kHostile);
        QVERIFY(!box->informativeText().contains(QStringLiteral("<img")));
        QCOMPARE(shownByRichText(box->informativeText()), kHostile);
    }

    void lineHasNeitherControlsNorTurns()
    {
        QCOMPARE(plainLine(QStringLiteral("  a\tb\n\nc\u0007d ")), QStringLiteral("a b c d"));
        QCOMPARE(plainLine(QStringLiteral("x\u202Etxt\u2066y\u200F")), QStringLiteral("xtxty"));
        QCOMPARE(plainLine(QStringLiteral("<b>")), QStringLiteral("<b>"));
        QCOMPARE(plainLine(QString()), QString());
        QCOMPARE(plainLine(QStringLiteral("W").repeated(10240), 5), QStringLiteral("WWWWW\u2026"));
        QCOMPARE(plainLine(QStringLiteral("WWWWW"), 5), QStringLiteral("WWWWW"));
        // No half of a surrogate pair is left.
        QCOMPARE(plainLine(QStringLiteral("ab\U0001F600c"), 3), QStringLiteral("ab\u2026"));
    }

    void copiedTableKeepsItsCells()
    {
        CopyTable table;
        table.addHeader({QStringLiteral("team"), QStringLiteral("USD")});
        table.beginRow();
        table.addText(QStringLiteral("=1+1\t<b>\n"));
        table.addNumber(-1234.5);
        table.beginRow();
        table.addText(QStringLiteral("x"));
        table.addNumber(std::numeric_limits<double>::quiet_NaN());
        QLocale::setDefault(QLocale(QLocale::German));
        QCOMPARE(table.text().count(QLatin1Char('\n')), 3);
        QCOMPARE(table.text(), QStringLiteral("team\tUSD\n'=1+1 <b>\t-1234.5\nx\t\n"));
        const std::unique_ptr<QMimeData> mime(table.mimeData());
        QVERIFY(mime->html().contains(QStringLiteral("&lt;b&gt;")));
        table.beginRow();
        table.addNumber(1234.5);
        QVERIFY(table.text().endsWith(QStringLiteral("\n1234,5\n")));
        QLocale::setDefault(QLocale::c());
    }
};

GPULEDGER_WINDOW_SUITE(TestPlainText)

} // namespace tst_plaintext

#include "tst_plaintext.moc"
