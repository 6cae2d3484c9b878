// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "tests/support/window/pictures.h"
#include "tests/support/window/testwindow.h"
#include "widgets/cards/keyfigurecard.h"
#include "widgets/heatmap/heatmapaccessible.h"
#include "widgets/inputs/choicebutton.h"
#include "widgets/state/skeleton.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QFontInfo>
#include <QTest>

namespace tst_goldens {

using namespace gpuledger;
using tests::TestWindow;
using widgets::StatePanel;

namespace {

constexpr int kPatience = 60'000;
constexpr qint64 kMostBytes = 1'000'000; // of all stored pictures

enum class Case { FirstRun, Loading, Ready, Empty, Error, Stale };

struct CaseName {
    Case which;
    const char *name;
};
constexpr CaseName kCases[] = {{Case::FirstRun, "firstrun"}, {Case::Loading, "loading"}, {Case::Ready, "ready"},
                               {Case::Empty, "empty"},       {Case::Error, "error"},     {Case::Stale, "stale"}};
// Sources, statements, savings and alerts ignore filters by cluster, so a filter never empties them.
constexpr const char *kPages[] = {"overview", "heatmap", "idle", "savings", "showback", "alerts", "device", "sources"};

bool has(std::string_view page, Case which)
{
    return (page != "sources" && page != "showback" && page != "savings" && page != "alerts") || which != Case::Empty;
}

QDir stored()
{
    return QDir(QStringLiteral(GPULEDGER_GOLDEN_DIR));
}

// Where the screenshots of failed comparisons are saved.
QDir drawn()
{
    QDir folder(QStringLiteral(GPULEDGER_DRAWN_DIR));
    folder.mkpath(QStringLiteral("."));
    return folder;
}

bool renewing()
{
    return qEnvironmentVariableIntValue("GPULEDGER_RENEW_PICTURES") == 1;
}

StatePanel::State stateOf(Case which)
{
    switch (which) {
    case Case::FirstRun:
        return StatePanel::State::FirstRun;
    case Case::Loading:
        return StatePanel::State::Loading;
    case Case::Ready:
        return StatePanel::State::Data;
    case Case::Empty:
        return StatePanel::State::Empty;
    case Case::Error:
    case Case::Stale:
        return StatePanel::State::Error;
    }
    return {};
}

} // namespace

// Compares each page in each of its states with stored pictures. GPULEDGER_RENEW_PICTURES=1 stores them again; look at
// what git reports as changed before committing it.
class GoldenTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QApplication::setCursorFlashTime(0);
        QVERIFY2(QFontInfo(QFont(QStringLiteral("Inter"))).family() == QLatin1String("Inter"),
                 "the font Inter is missing: ./dev deps installs it");
        m_theme.setMode(widgets::Theme::Mode::Light);
        m_theme.apply();
        widgets::installHeatmapAccessibility();
    }

    void looksAsStored_data()
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<Case>("which");
        QTest::addColumn<bool>("dark");
        for (const char *page : kPages) {
            for (const auto &[which, name] : kCases) {
                if (has(page, which))
                    QTest::addRow("%s-%s-light", page, name) << QString::fromLatin1(page) << which << false;
            }
            QTest::addRow("%s-ready-dark", page) << QString::fromLatin1(page) << Case::Ready << true;
        }
    }

    void looksAsStored()
    {
        QFETCH(QString, page);
        QFETCH(Case, which);
        QFETCH(bool, dark);
        m_theme.setMode(dark ? widgets::Theme::Mode::Dark : widgets::Theme::Mode::Light);
        // The text of an error contains a temporary folder and the query that failed first.
        const bool worded = which == Case::Error || which == Case::Stale;
        const QImage picture = pictureOf(page, which);
        QString name = QString::fromLatin1(QTest::currentDataTag());
        // Columns of the matrix end at screen pixels, so a denser screen has room for wider ones.
        const bool matrix = page == QLatin1String("heatmap") && (which == Case::Ready || which == Case::Stale);
        if (matrix && picture.devicePixelRatio() > 1)
            name += QStringLiteral("-dense");
        compare(picture, name, (worded ? 3 : 1) * tests::kPictureTolerance);
    }

    void storedPicturesAreSmall()
    {
        qint64 bytes = 0;
        for (const QFileInfo &file : stored().entryInfoList({QStringLiteral("*.png")}))
            bytes += file.size();
        QVERIFY2(bytes > 0 && bytes < kMostBytes, qPrintable(QString::number(bytes)));
    }

    // The comparison itself: differences that it must ignore ...
    void anotherRasterizerIsTheSamePicture()
    {
        const QImage picture = pictureOf(QStringLiteral("idle"), Case::Ready);
        const QImage plain = tests::thumbnailOf(picture);
        const auto off = [&](const QImage &other) {
            return tests::differenceOf(tests::thumbnailOf(other), plain).worst;
        };
        QCOMPARE(off(picture), 0.0);
        QImage bolder = picture; // slightly darker, like letters drawn with another gamma
        for (int y = 0; y < bolder.height(); ++y) {
            for (int x = 0; x < bolder.width(); ++x) {
                const QColor c = picture.pixelColor(x, y);
                bolder.setPixelColor(x, y,
                                     QColor::fromRgbF(float(qPow(c.redF(), 1.08)), float(qPow(c.greenF(), 1.08)),
                                                      float(qPow(c.blueF(), 1.08))));
            }
        }
        QVERIFY2(off(bolder) < tests::kPictureTolerance, qPrintable(QString::number(off(bolder))));
        const QImage moved = picture.copy(1, 0, picture.width(), picture.height());
        QVERIFY2(off(moved) < tests::kPictureTolerance, qPrintable(QString::number(off(moved))));
    }

    // ... and differences that it must detect.
    void aBrokenLayoutIsAnother_data()
    {
        using Break = std::function<void(ui::Page &)>;
        QTest::addColumn<QString>("page");
        QTest::addColumn<Break>("breakIt");
        QTest::newRow("card missing") << QStringLiteral("overview")
                                      << Break([](ui::Page &p) { p.findChild<widgets::KeyFigureCard *>()->hide(); });
        QTest::newRow("rows too high") << QStringLiteral(
            "idle") << Break([](ui::Page &p) { p.findChild<widgets::DataTable *>()->setRowHeight(40); });
        QTest::newRow("controls gone") << QStringLiteral("heatmap") << Break([](ui::Page &p) {
            for (auto *one : p.findChildren<widgets::ChoiceButton *>())
                one->hide();
        });
        QTest::newRow("margins grown") << QStringLiteral("sources")
                                       << Break([](ui::Page &p) { p.setContentsMargins(12, 12, 12, 12); });
    }

    void aBrokenLayoutIsAnother()
    {
        using Break = std::function<void(ui::Page &)>;
        QFETCH(QString, page);
        QFETCH(Break, breakIt);
        m_theme.setMode(widgets::Theme::Mode::Light);
        TestWindow test(m_theme, TestWindow::Fleet::Synced);
        test.open(QStringLiteral("gpuledger://") + page);
        const QImage before = tests::thumbnailOf(test.picture());
        breakIt(*test.window().currentPage());
        QTest::qWait(50);
        const double off = tests::differenceOf(tests::thumbnailOf(test.picture()), before).worst;
        QVERIFY2(off > 2 * tests::kPictureTolerance, qPrintable(QString::number(off)));
    }

    void anotherSizeIsAnotherPicture()
    {
        QImage one(80, 80, QImage::Format_RGB32), other(80, 85, QImage::Format_RGB32);
        one.fill(Qt::white);
        other.fill(Qt::white);
        QVERIFY(qIsInf(tests::differenceOf(one, other).worst));
        QVERIFY(qIsInf(tests::differenceOf(QImage(), QImage()).worst));
    }

private:
    QImage pictureOf(const QString &page, Case which)
    {
        const bool synced = which != Case::FirstRun;
        TestWindow test(m_theme, synced ? TestWindow::Fleet::Synced : TestWindow::Fleet::NoSource);
        QString link = QStringLiteral("gpuledger://") + page;
        if (page == QLatin1String("device"))
            link += QStringLiteral("?at.uuid=")
                + (synced && which != Case::Empty ? test.idleDevice() : QStringLiteral("none"));
        switch (which) {
        case Case::FirstRun:
        case Case::Ready:
            test.open(link);
            break;
        case Case::Empty:
            test.open(link.contains(QLatin1Char('?')) ? link : link + QStringLiteral("?cluster=nowhere"));
            break;
        case Case::Loading:
            test.holdWorkers();
            test.show(link);
            if (!QTest::qWaitFor(
                    [&] { return test.window().currentPage()->findChild<widgets::Skeleton *>()->isVisible(); },
                    kPatience))
                QTest::qFail("no skeleton", __FILE__, __LINE__);
            break;
        case Case::Error:
            test.breakCache();
            test.open(link);
            break;
        case Case::Stale:
            test.open(link);
            test.breakCache();
            test.refresh();
            break;
        }
        const auto state = test.window().currentPage()->findChild<StatePanel *>()->state();
        QTest::qVerify(state == stateOf(which), "the page's state", qPrintable(page), __FILE__, __LINE__);
        return test.picture();
    }

    static void compare(const QImage &picture, const QString &name, double tolerance)
    {
        const QString file = name + QStringLiteral(".png");
        const QImage thumbnail = tests::thumbnailOf(picture);
        const QImage before(stored().filePath(file));
        const auto difference = tests::differenceOf(thumbnail, before);
        if (renewing()) {
            // Pictures that still match are kept, so that git shows only what changed.
            if (difference.worst > tolerance / 3)
                QVERIFY(thumbnail.save(stored().filePath(file), "PNG", 0));
            return;
        }
        if (difference.worst <= tolerance)
            return;
        picture.save(drawn().filePath(file));
        const QString why = QStringLiteral("%1 is off by %2 near (%3, %4); drawn: %5")
                                .arg(name)
                                .arg(difference.worst, 0, 'f', 1)
                                .arg(difference.where.x())
                                .arg(difference.where.y())
                                .arg(drawn().filePath(file));
        QFAIL(qPrintable(why));
    }

    widgets::Theme m_theme;
};

GPULEDGER_WINDOW_SUITE(GoldenTest)

} // namespace tst_goldens

#include "tst_goldens.moc"
