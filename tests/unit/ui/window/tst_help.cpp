// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/support/window/testwindow.h"
#include "ui/navigation.h"
#include "ui/window/commandpalette.h"
#include "ui/window/helpwindow.h"
#include "widgets/inputs/picklist.h"
#include "widgets/state/plaintext.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QDir>
#include <QDirIterator>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QToolButton>

namespace tst_help {

using namespace gpuledger;
using tests::TestWindow;
using ui::HelpWindow;

namespace {

// Every link of the displayed chapter, as it is written.
QStringList linksOf(const QTextBrowser &text)
{
    QStringList links;
    for (QTextBlock block = text.document()->begin(); block.isValid(); block = block.next()) {
        for (auto part = block.begin(); !part.atEnd(); ++part) {
            const QString link = part.fragment().charFormat().anchorHref();
            if (!link.isEmpty() && !links.contains(link))
                links << link;
        }
    }
    return links;
}

QStringList chapters()
{
    const QDir root(QStringLiteral(":/handbook"));
    QStringList all;
    for (QDirIterator it(root.path(), {QStringLiteral("*.md")}, QDir::Files, QDirIterator::Subdirectories);
         it.hasNext();)
        all << root.relativeFilePath(it.next());
    all.sort();
    return all;
}

} // namespace

// The handbook in the window: F1 on each page, links between chapters, external links, keys.
class HelpTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_theme.apply();
        m_world = std::make_unique<TestWindow>(m_theme, TestWindow::Fleet::NoSource);
    }
    void cleanupTestCase() { m_world.reset(); }

    void f1OpensTheChapterOfThePage_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<QString>("title");
        QTest::addColumn<QString>("chapter");
        for (const ui::PageEntry &page : ui::pages())
            QTest::addRow("%s", qPrintable(page.id)) << page.id << page.title << page.chapter;
    }

    void f1OpensTheChapterOfThePage()
    {
        QFETCH(QString, page);
        QFETCH(QString, title);
        QFETCH(QString, chapter);
        QVERIFY(chapters().contains(chapter));
        ui::MainWindow &window = m_world->window();
        window.show();
        QVERIFY(window.showPage(page));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_F1);
        auto *help = window.findChild<HelpWindow *>();
        QVERIFY(help && help->isVisible());
        QCOMPARE(help->chapter(), chapter);
        QCOMPARE(HelpWindow::titleOf(chapter), title);
        QCOMPARE(help->windowTitle(), QStringLiteral("Help: ") + title);
        QVERIFY(textOf(*help).toPlainText().startsWith(title));
        QCOMPARE(window.findChildren<HelpWindow *>().size(), 1); // always the same window
        QTRY_COMPARE(QApplication::activeWindow(), help); // otherwise the key goes to the other window
        QTest::keyClick(help, Qt::Key_Escape);
        QVERIFY(!help->isVisible());
        QVERIFY(window.isVisible());
    }

    void aButtonOpensTheChapterOfThePage()
    {
        ui::MainWindow &window = m_world->window();
        window.show();
        QVERIFY(window.showPage(QStringLiteral("heatmap")));
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QToolButton *button = nullptr;
        for (auto *one : window.findChildren<QToolButton *>()) {
            if (one->accessibleName() == QLatin1String("Help for this page"))
                button = one;
        }
        QVERIFY(button && button->isVisible() && !button->icon().isNull());
        QCOMPARE(button->toolTip(), widgets::plainToolTip(QStringLiteral("Help for this page (F1)")));
        button->setFocus(Qt::TabFocusReason);
        QVERIFY(button->hasFocus());
        QTest::keyClick(button, Qt::Key_Space);
        auto *help = window.findChild<HelpWindow *>();
        QVERIFY(help && help->isVisible());
        QCOMPARE(help->chapter(), QStringLiteral("pages/heatmap.md"));
        help->close();
        QTest::keyClick(&window, Qt::Key_F1); // the key is not taken away
        QVERIFY(help->isVisible());
        help->close();
    }

    void thePaletteOpensIt()
    {
        ui::MainWindow &window = m_world->window();
        window.show();
        QVERIFY(window.showPage(QStringLiteral("idle")));
        window.openPalette();
        auto *palette = window.findChild<ui::CommandPalette *>();
        QTest::keyClicks(palette->list()->field(), QStringLiteral("Help for this page"));
        QTest::keyClick(palette->list()->field(), Qt::Key_Return);
        auto *help = window.findChild<HelpWindow *>();
        QVERIFY(help && help->isVisible());
        QCOMPARE(help->chapter(), QStringLiteral("pages/idle.md"));
        help->close();
    }

    void everyChapterIsReachedFromTheContents()
    {
        HelpWindow help(m_theme, {});
        QSet<QString> seen;
        QStringList open{QStringLiteral("README.md")};
        while (!open.isEmpty()) {
            help.showChapter(open.takeFirst());
            const QString chapter = help.chapter();
            if (seen.contains(chapter))
                continue;
            seen.insert(chapter);
            QVERIFY2(!HelpWindow::titleOf(chapter).isEmpty(), qPrintable(chapter));
            for (const QString &link : linksOf(textOf(help))) {
                const QUrl url = addressOf(help).resolved(QUrl(link));
                if (url.scheme() == QLatin1String("qrc"))
                    open << url.path().mid(static_cast<int>(QStringLiteral("/handbook/").size()));
            }
        }
        QStringList all(seen.begin(), seen.end());
        all.sort();
        QCOMPARE(all, chapters());
    }

    void linksLeadToAnotherChapterAndToHeadings()
    {
        HelpWindow help(m_theme, {});
        for (const QString &chapter : chapters()) {
            help.showChapter(chapter);
            QTextBrowser &text = textOf(help);
            for (const QString &link : linksOf(text)) {
                const QUrl url = addressOf(help).resolved(QUrl(link));
                if (url.scheme() != QLatin1String("qrc"))
                    continue;
                Q_EMIT text.anchorClicked(QUrl(link));
                const QString where = chapter + QStringLiteral(" -> ") + link;
                QVERIFY2(QLatin1String("/handbook/") + help.chapter() == url.path(), qPrintable(where));
                if (!url.fragment().isEmpty())
                    QVERIFY2(text.textCursor().blockFormat().headingLevel() > 1, qPrintable(where));
                help.showChapter(chapter);
            }
        }
    }

    void aHeadingComesIntoSight()
    {
        HelpWindow help(m_theme, {});
        help.showChapter(QStringLiteral("pages/idle.md"));
        QVERIFY(QTest::qWaitForWindowExposed(&help));
        QTextBrowser &text = textOf(help);
        Q_EMIT text.anchorClicked(QUrl(QStringLiteral("../stopping.md#undo")));
        QCOMPARE(text.textCursor().block().text(), QStringLiteral("Undo"));
        QVERIFY(text.verticalScrollBar()->value() > 0);
        const QRect place = text.cursorRect();
        QVERIFY(place.top() >= 0 && place.top() < text.viewport()->height() / 2);
    }

    void noChapterIsWiderThanTheWindow()
    {
        HelpWindow help(m_theme, {});
        for (const QString &chapter : chapters()) {
            help.showChapter(chapter);
            QVERIFY(QTest::qWaitForWindowExposed(&help));
            QTextBrowser &text = textOf(help);
            const auto *layout = text.document()->documentLayout();
            for (QTextBlock block = text.document()->begin(); block.isValid(); block = block.next()) {
                qreal right = 0;
                for (int line = 0; line < block.layout()->lineCount(); ++line)
                    right = qMax(right, block.layout()->lineAt(line).naturalTextRect().right());
                right += layout->blockBoundingRect(block).left();
                QVERIFY2(block.text().isEmpty() || right <= text.viewport()->width(),
                         qPrintable(chapter + QLatin1Char(' ') + block.text()));
            }
        }
    }

    void backAndForwardGoThroughWhatWasRead()
    {
        HelpWindow help(m_theme, {});
        help.showChapter(QStringLiteral("pages/idle.md"));
        help.showChapter(QStringLiteral("stopping.md"));
        const auto steps = help.findChildren<QToolButton *>();
        QCOMPARE(steps.size(), 2);
        QVERIFY(steps[0]->isEnabled() && !steps[1]->isEnabled());
        steps[0]->click();
        QCOMPARE(help.chapter(), QStringLiteral("pages/idle.md"));
        QCOMPARE(help.windowTitle(), QStringLiteral("Help: Idle"));
        QVERIFY(steps[1]->isEnabled());
        steps[1]->click();
        QCOMPARE(help.chapter(), QStringLiteral("stopping.md"));
        help.findChildren<QPushButton *>().front()->click();
        QCOMPARE(help.chapter(), QStringLiteral("README.md"));
    }

    void onlyHttpsOpensOutside()
    {
        QList<QUrl> opened;
        HelpWindow help(m_theme, [&](const QUrl &url) {
            opened << url;
            return true;
        });
        help.showChapter(QStringLiteral("connect.md"));
        QTextBrowser &text = textOf(help);
        for (const char *link :
             {"http://example.org/", "file:///etc/passwd", "qrc:/i18n/gpuledger_de.qm",
              "qrc:/handbook/../i18n/gpuledger_de.qm", "javascript:alert(1)", "mailto:a@example.org"})
            Q_EMIT text.anchorClicked(QUrl(QLatin1String(link)));
        QVERIFY(opened.isEmpty());
        QCOMPARE(help.chapter(), QStringLiteral("connect.md"));
        Q_EMIT text.anchorClicked(QUrl(QStringLiteral("https://example.org/x")));
        QCOMPARE(opened, QList<QUrl>{QUrl(QStringLiteral("https://example.org/x"))});
        QCOMPARE(help.chapter(), QStringLiteral("connect.md"));
    }

    void aMissingChapterIsTheContents()
    {
        HelpWindow help(m_theme, {});
        help.showChapter(QStringLiteral("no-such.md"));
        QCOMPARE(help.chapter(), QStringLiteral("README.md"));
        QCOMPARE(HelpWindow::titleOf(QStringLiteral("no-such.md")), QString());
    }

    void everyControlHasANameAndATurn()
    {
        HelpWindow help(m_theme, {});
        help.showChapter(QStringLiteral("pages/idle.md"));
        help.showChapter(QStringLiteral("stopping.md"));
        help.findChild<QToolButton *>()->click(); // both directions are possible
        QStringList names;
        QWidget *widget = help.findChild<QToolButton *>();
        for (QWidget *first = widget; names.isEmpty() || widget != first; widget = widget->nextInFocusChain()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible())
                continue;
            const auto *button = qobject_cast<QPushButton *>(widget);
            names << (button ? button->text() : widget->accessibleName());
        }
        QCOMPARE(names,
                 QStringList({QStringLiteral("Back"), QStringLiteral("Forward"), QStringLiteral("Contents"),
                              QStringLiteral("Close"), QStringLiteral("Chapter of the handbook")}));
    }

    // For visual inspection: GPULEDGER_PICTURES names a folder.
    void followsTheTheme()
    {
        HelpWindow help(m_theme, {});
        using Mode = widgets::Theme::Mode;
        for (const Mode mode : {Mode::Light, Mode::Dark}) {
            m_theme.setMode(mode);
            for (const char *chapter : {"pages/idle.md", "README.md", "configuration.md", "stopping.md"}) {
                help.showChapter(QLatin1String(chapter));
                QVERIFY(QTest::qWaitForWindowExposed(&help));
                const auto isDark = [&] {
                    // The mean of the window: a single pixel may be part of a letter.
                    const QImage mean =
                        help.grab().toImage().scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
                    return mean.pixelColor(0, 0).lightness() < 128;
                };
                QTRY_COMPARE(isDark(), mode == Mode::Dark); // palettes change by events
                if (const QString folder = qEnvironmentVariable("GPULEDGER_PICTURES"); !folder.isEmpty()) {
                    const QString name = QString(QLatin1String(chapter)).replace(QLatin1Char('/'), QLatin1Char('-'));
                    help.grab().save(QStringLiteral("%1/help-%2-%3.png")
                                         .arg(folder, name.chopped(3),
                                              mode == Mode::Dark ? QStringLiteral("dark") : QStringLiteral("light")));
                }
            }
        }
        m_theme.setMode(Mode::Light);
    }

private:
    static QUrl addressOf(const HelpWindow &help) { return QUrl(QStringLiteral("qrc:/handbook/") + help.chapter()); }
    static QTextBrowser &textOf(const HelpWindow &help) { return *help.findChild<QTextBrowser *>(); }

    widgets::Theme m_theme;
    std::unique_ptr<TestWindow> m_world;
};

GPULEDGER_WINDOW_SUITE(HelpTest)

} // namespace tst_help

#include "tst_help.moc"
