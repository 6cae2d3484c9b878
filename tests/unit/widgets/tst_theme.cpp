// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/suite.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyleOptionButton>
#include <QTest>

#include <algorithm>
#include <utility>

namespace tst_theme {

using namespace gpuledger::widgets;

namespace {

constexpr double kTextContrast = 4.5;
constexpr double kGraphicContrast = 3.0;

QByteArray fileOf(const QString &name)
{
    QFile file(QStringLiteral(":/gpuledger/themes/%1.json").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

Tokens tokensOf(const QString &name)
{
    QString error;
    const auto tokens = Tokens::fromJson(fileOf(name), &error);
    if (!tokens)
        qWarning("%s", qPrintable(error));
    return tokens.value_or(Tokens());
}

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_theme = std::make_unique<Theme>(); }

    void cleanup()
    {
        QApplication::setStyle(QStringLiteral("Fusion"));
        m_theme.reset();
    }

    void textIsReadable_data() { themes(); }
    void textIsReadable()
    {
        QFETCH(QString, theme);
        const Tokens tokens = tokensOf(theme);
        for (const Color front :
             {Color::Text, Color::Muted, Color::Accent, Color::Info, Color::Warning, Color::Critical, Color::Good}) {
            for (const Color back : {Color::Background, Color::Surface, Color::Raised, Color::Select})
                check(tokens, front, back, kTextContrast);
        }
        check(tokens, Color::AccentText, Color::Accent, kTextContrast);
    }

    void shapesAreVisible_data() { themes(); }
    void shapesAreVisible()
    {
        QFETCH(QString, theme);
        const Tokens tokens = tokensOf(theme);
        for (const Color front : {Color::Active, Color::Idle, Color::Unallocated, Color::Unobserved, Color::Outline}) {
            for (const Color back : {Color::Background, Color::Surface, Color::Raised})
                check(tokens, front, back, kGraphicContrast);
        }
        for (const QColor &series : tokens.series())
            QVERIFY2(contrastRatio(series, tokens.color(Color::Surface)) >= kGraphicContrast,
                     qPrintable(series.name()));
    }

    // Bars, lines, marks and rings also appear on selected rows and hovered bands, and on the track of a bar.
    void shapesAreVisibleOnWhatIsSelected_data() { themes(); }
    void shapesAreVisibleOnWhatIsSelected()
    {
        QFETCH(QString, theme);
        const Tokens tokens = tokensOf(theme);
        for (const Color front : {Color::Active, Color::Idle, Color::Unallocated, Color::Outline, Color::Accent,
                                  Color::Good, Color::Warning, Color::Critical, Color::Info, Color::Muted}) {
            for (const Color back : {Color::Surface, Color::Background, Color::Select})
                check(tokens, front, back, kGraphicContrast);
        }
    }

    // The frame around a cell of a heat map is a line in the surface colour and one in the text colour.
    void framesStandOutFromEveryStep_data() { themes(); }
    void framesStandOutFromEveryStep()
    {
        QFETCH(QString, theme);
        const Tokens tokens = tokensOf(theme);
        for (const HeatScale scale : {HeatScale::Cividis, HeatScale::Viridis, HeatScale::Cost}) {
            for (const QColor &step : tokens.heat(scale)) {
                const double ratio = std::max(contrastRatio(tokens.color(Color::Surface), step),
                                              contrastRatio(tokens.color(Color::Text), step));
                QVERIFY2(ratio >= kGraphicContrast, qPrintable(step.name()));
            }
        }
    }

    void everyTextOfThePaletteIsReadable_data() { themes(); }
    void everyTextOfThePaletteIsReadable()
    {
        QFETCH(QString, theme);
        m_theme->setMode(theme == QLatin1String("dark") ? Theme::Mode::Dark : Theme::Mode::Light);
        const QPalette palette = m_theme->palette();
        using P = QPalette;
        const std::pair<P::ColorRole, P::ColorRole> pairs[] = {
            {P::WindowText, P::Window},       {P::Text, P::Base},         {P::Text, P::AlternateBase},
            {P::PlaceholderText, P::Base},    {P::ButtonText, P::Button}, {P::HighlightedText, P::Highlight},
            {P::ToolTipText, P::ToolTipBase}, {P::Link, P::Window},       {P::LinkVisited, P::Base},
            {P::BrightText, P::Window}};
        for (const auto group : {P::Active, P::Inactive, P::Disabled}) {
            for (const auto &[front, back] : pairs) {
                const double ratio = contrastRatio(palette.color(group, front), palette.color(group, back));
                QVERIFY2(ratio >= kTextContrast,
                         qPrintable(
                             QStringLiteral("group %1, role %2 on %3: %4").arg(group).arg(front).arg(back).arg(ratio)));
            }
        }
    }

    // As painted: the fills of hovered and pressed buttons are not tokens.
    void buttonsStayReadableUnderThePointer_data() { themes(); }
    void buttonsStayReadableUnderThePointer()
    {
        QFETCH(QString, theme);
        m_theme->setMode(theme == QLatin1String("dark") ? Theme::Mode::Dark : Theme::Mode::Light);
        m_theme->apply();
        for (const bool primary : {false, true}) {
            QPushButton button(QStringLiteral("x"));
            setPrimary(&button, primary);
            button.resize(120, 28);
            for (const QStyle::State state : {QStyle::State(QStyle::State_None), QStyle::State(QStyle::State_MouseOver),
                                              QStyle::State(QStyle::State_Sunken)}) {
                QStyleOptionButton option;
                option.initFrom(&button);
                option.rect = button.rect();
                option.state = QStyle::State_Enabled | state;
                QImage image(button.size(), QImage::Format_RGB32);
                image.fill(Qt::magenta);
                QPainter painter(&image);
                QApplication::style()->drawPrimitive(QStyle::PE_PanelButtonCommand, &option, &painter, &button);
                painter.end();
                const QColor fill = image.pixelColor(8, 14);
                const QColor text = m_theme->color(primary ? Color::AccentText : Color::Text);
                QVERIFY2(contrastRatio(text, fill) >= kTextContrast, qPrintable(fill.name()));
            }
        }
    }

    void computesContrastAsWcagDoes()
    {
        QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrastRatio(Qt::white, Qt::black), 21.0);
        QVERIFY(qAbs(contrastRatio(QColor(0x76, 0x76, 0x76), Qt::white) - 4.54) < 0.01);
    }

    void heatScalesGetLighterStepByStep_data() { themes(); }
    void heatScalesGetLighterStepByStep()
    {
        QFETCH(QString, theme);
        for (const HeatScale scale : {HeatScale::Cividis, HeatScale::Viridis}) {
            const auto &colors = tokensOf(theme).heat(scale);
            for (std::size_t i = 1; i < colors.size(); ++i)
                QVERIFY(contrastRatio(colors[i], Qt::black) > contrastRatio(colors[i - 1], Qt::black));
        }
    }

    // Little cost is close to the surface and much is far from it: darker on white, lighter on black.
    void costMovesAwayFromTheSurfaceStepByStep_data() { themes(); }
    void costMovesAwayFromTheSurfaceStepByStep()
    {
        QFETCH(QString, theme);
        constexpr double kLeastStep = 1.25, kLeastSeen = 1.1;
        const Tokens tokens = tokensOf(theme);
        const auto &colors = tokens.heat(HeatScale::Cost);
        const QColor surface = tokens.color(Color::Surface);
        QVERIFY(contrastRatio(colors[0], surface) >= kLeastSeen);
        for (std::size_t i = 1; i < colors.size(); ++i) {
            QVERIFY(contrastRatio(colors[i], surface) > contrastRatio(colors[i - 1], surface));
            QVERIFY2(contrastRatio(colors[i], colors[i - 1]) >= kLeastStep, qPrintable(colors[i].name()));
        }
        QVERIFY(contrastRatio(colors.back(), surface) >= kTextContrast);
    }

    void costHasItsOwnColorsWhateverTheUserChose()
    {
        m_theme->setHeatScale(HeatScale::Viridis);
        QCOMPARE(m_theme->heatColor(3), m_theme->tokens().heat(HeatScale::Viridis)[3]);
        QCOMPARE(m_theme->heatColor(3, HeatScale::Cost), m_theme->tokens().heat(HeatScale::Cost)[3]);
        QVERIFY(m_theme->heatColor(3) != m_theme->heatColor(3, HeatScale::Cost));
    }

    void sortsValuesIntoTenSteps()
    {
        QCOMPARE(heatStep(0, 0, 100), 0);
        QCOMPARE(heatStep(9.99, 0, 100), 0);
        QCOMPARE(heatStep(10, 0, 100), 1);
        QCOMPARE(heatStep(100, 0, 100), 9);
        QCOMPARE(heatStep(-5, 0, 100), 0);
        QCOMPARE(heatStep(1e308, 0, 100), 9);
        QCOMPARE(heatStep(5, 3, 3), 0);
    }

    void refusesIncompleteThemes()
    {
        QByteArray json = fileOf(QStringLiteral("light"));
        QVERIFY(Tokens::fromJson(json));
        QString error;
        QVERIFY(!Tokens::fromJson(QByteArray(json).replace("\"muted\"", "\"mute\""), &error));
        QVERIFY(error.contains(QStringLiteral("muted")));
        error.clear();
        QVERIFY(!Tokens::fromJson(QByteArray(json).replace("#1A1E23", "#1A1E2"), &error));
        QVERIFY(!error.isEmpty());
        error.clear();
        QVERIFY(!Tokens::fromJson("{", &error));
        QVERIFY(!error.isEmpty());
    }

    void knowsColorsByName()
    {
        for (int i = 0; i < kColorCount; ++i)
            QCOMPARE(colorFromName(nameOf(static_cast<Color>(i))), std::optional(static_cast<Color>(i)));
        QVERIFY(!colorFromName(u"shade"));
    }

    void switchesWhileRunning()
    {
        m_theme->setMode(Theme::Mode::Light);
        m_theme->apply();
        QPushButton button(QStringLiteral("Sync"));
        QSignalSpy spy(m_theme.get(), &Theme::changed);
        m_theme->setMode(Theme::Mode::Dark);
        QCOMPARE(spy.count(), 1);
        m_theme->setMode(Theme::Mode::Dark);
        QCOMPARE(spy.count(), 1);
        const QColor text = tokensOf(QStringLiteral("dark")).color(Color::Text);
        QCOMPARE(QApplication::palette().color(QPalette::WindowText), text);
        QTRY_COMPARE(button.palette().color(QPalette::ButtonText), text);
        QCOMPARE(button.grab().toImage().pixelColor(button.rect().center().x(), 3), m_theme->color(Color::Surface));
    }

    void leavesTheApplicationAloneUntilApplied()
    {
        const QPalette before = QApplication::palette();
        m_theme->setMode(Theme::Mode::Dark);
        QCOMPARE(QApplication::palette(), before);
    }

    void paletteHasDisabledAndPlaceholderText()
    {
        const QPalette palette = m_theme->palette();
        const QColor muted = m_theme->color(Color::Muted);
        QCOMPARE(palette.color(QPalette::Disabled, QPalette::Text), muted);
        QCOMPARE(palette.color(QPalette::Disabled, QPalette::ButtonText), muted);
        QCOMPARE(palette.color(QPalette::Active, QPalette::PlaceholderText), muted);
        QCOMPARE(palette.color(QPalette::ToolTipText), m_theme->color(Color::Text));
    }

    void everyIconIsDrawnInItsToken()
    {
        const QStringList names = QDir(QStringLiteral(":/gpuledger/icons")).entryList();
        QVERIFY(names.size() >= 9);
        for (const QString &file : names) {
            const QIcon icon = m_theme->icon(file.chopped(4), Color::Critical);
            const QImage image = icon.pixmap(QSize(20, 20), 2.0).toImage();
            QCOMPARE(image.size(), QSize(40, 40));
            bool drawn = false;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    drawn = drawn || image.pixelColor(x, y) == m_theme->color(Color::Critical);
            }
            QVERIFY2(drawn, qPrintable(file));
        }
        QVERIFY(m_theme->icon(QStringLiteral("no-such-icon")).isNull());
    }

    void iconsFollowTheTheme()
    {
        m_theme->setMode(Theme::Mode::Light);
        const QIcon icon = m_theme->icon(QStringLiteral("heatmap"), Color::Text);
        const QImage light = icon.pixmap(20, 20).toImage();
        m_theme->setMode(Theme::Mode::Dark);
        QVERIFY(icon.pixmap(20, 20).toImage() != light);
    }

    void hatchHasTwoColors()
    {
        for (const qreal ratio : {1.0, 1.5, 2.0}) {
            QImage image(48, 48, QImage::Format_RGB32);
            image.setDevicePixelRatio(ratio);
            image.fill(Qt::red);
            QPainter painter(&image);
            painter.fillRect(QRectF(0, 0, 48 / ratio, 48 / ratio), m_theme->hatch(ratio));
            painter.end();
            bool ground = false;
            int lines = 0;
            for (int x = 0; x < 48; ++x) {
                ground = ground || image.pixelColor(x, 20) == m_theme->color(Color::Background);
                lines += image.pixelColor(x, 20) != m_theme->color(Color::Background);
            }
            QVERIFY(ground);
            QVERIFY(lines > 8);
        }
    }

private:
    static void themes()
    {
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << QStringLiteral("light");
        QTest::newRow("dark") << QStringLiteral("dark");
    }

    static void check(const Tokens &tokens, Color front, Color back, double least)
    {
        const double ratio = contrastRatio(tokens.color(front), tokens.color(back));
        const QString pair = nameOf(front) + QStringLiteral(" on ") + nameOf(back) + QStringLiteral(": ")
            + QString::number(ratio, 'f', 2);
        QVERIFY2(ratio >= least, qPrintable(pair));
    }

    std::unique_ptr<Theme> m_theme;
};

GPULEDGER_WINDOW_SUITE(TestTheme)

} // namespace tst_theme

#include "tst_theme.moc"
