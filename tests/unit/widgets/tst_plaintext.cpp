// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/state/plaintext.h"

#include <QLabel>
#include <QTest>
#include <QTextDocument>

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
};

QTEST_MAIN(TestPlainText)
#include "tst_plaintext.moc"
