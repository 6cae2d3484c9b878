// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme.h"

#include "widgets/theme/iconengine.h"
#include "widgets/theme/style.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QPainter>
#include <QPixmap>
#include <QToolTip>

// At global scope, because the macro declares a function there; without it, a static library drops the resource.
static void initWidgetResources()
{
    Q_INIT_RESOURCE(gpuledger_widgets);
}

namespace gpuledger::widgets {

namespace {

Tokens builtIn(const QString &name)
{
    QFile file(QStringLiteral(":/gpuledger/themes/%1.json").arg(name));
    QString error = file.errorString();
    const bool open = file.open(QIODevice::ReadOnly);
    std::optional<Tokens> tokens = open ? Tokens::fromJson(file.readAll(), &error) : std::nullopt;
    if (!tokens)
        qFatal("built-in theme %s: %s", qPrintable(name), qPrintable(error));
    return *std::move(tokens);
}

} // namespace

Theme::Theme(QObject *parent)
    : QObject(parent)
{
    initWidgetResources();
    m_light = builtIn(QStringLiteral("light"));
    m_dark = builtIn(QStringLiteral("dark"));
    m_systemDark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    const QString inter = QStringLiteral("Inter");
    m_family = QFontDatabase::hasFamily(inter) ? inter : QGuiApplication::font().family();
}

Theme::Theme(const Theme &like, double scale, QObject *parent)
    : QObject(parent)
    , m_light(like.m_light.scaled(scale))
    , m_dark(like.m_dark.scaled(scale))
    , m_family(like.m_family)
    , m_mode(like.m_mode)
    , m_heatScale(like.m_heatScale)
    , m_systemDark(like.m_systemDark)
{
}

void Theme::apply()
{
    m_applied = true;
    QApplication::setStyle(new Style(*this));
    publish();
}

void Theme::setMode(Mode mode)
{
    const bool before = isDark();
    m_mode = mode;
    if (before != isDark())
        publish();
}

void Theme::setHeatScale(HeatScale scale)
{
    if (m_heatScale == scale)
        return;
    m_heatScale = scale;
    Q_EMIT changed();
}

bool Theme::isDark() const
{
    return m_mode == Mode::Dark || (m_mode == Mode::System && m_systemDark);
}

void Theme::publish()
{
    if (m_applied) {
        const QPalette colors = palette();
        QApplication::setPalette(colors);
        QToolTip::setPalette(colors); // tooltips have their own palette
        QApplication::setFont(font());
    }
    Q_EMIT changed();
}

QPalette Theme::palette() const
{
    const auto token = [this](Color name) { return color(name); };
    QPalette p;
    p.setColor(QPalette::Window, token(Color::Background));
    p.setColor(QPalette::WindowText, token(Color::Text));
    p.setColor(QPalette::Base, token(Color::Surface));
    p.setColor(QPalette::AlternateBase, token(Color::Background));
    p.setColor(QPalette::Text, token(Color::Text));
    p.setColor(QPalette::PlaceholderText, token(Color::Muted));
    p.setColor(QPalette::Button, token(Color::Surface));
    p.setColor(QPalette::ButtonText, token(Color::Text));
    p.setColor(QPalette::BrightText, token(Color::Critical));
    p.setColor(QPalette::ToolTipBase, token(Color::Raised));
    p.setColor(QPalette::ToolTipText, token(Color::Text));
    p.setColor(QPalette::Highlight, token(Color::Accent));
    p.setColor(QPalette::HighlightedText, token(Color::AccentText));
    p.setColor(QPalette::Link, token(Color::Accent));
    p.setColor(QPalette::LinkVisited, token(Color::Accent));
    // Fusion draws frames and grooves with these; the defaults would be those of a light button.
    p.setColor(QPalette::Light, token(Color::Raised));
    p.setColor(QPalette::Midlight, token(Color::Border));
    p.setColor(QPalette::Mid, token(Color::Border));
    p.setColor(QPalette::Dark, token(Color::Outline));
    p.setColor(QPalette::Shadow, token(Color::Border));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText,
                            QPalette::PlaceholderText, QPalette::ToolTipText})
        p.setColor(QPalette::Disabled, role, token(Color::Muted));
    for (const auto role : {QPalette::Base, QPalette::Button, QPalette::AlternateBase})
        p.setColor(QPalette::Disabled, role, token(Color::Background));
    p.setColor(QPalette::Disabled, QPalette::Highlight, token(Color::Border));
    return p;
}

QFont Theme::font(TextSize size, QFont::Weight weight) const
{
    QFont font(m_family);
    font.setPixelSize(tokens().textSize(size));
    font.setWeight(weight);
    return font;
}

QBrush Theme::hatch(qreal devicePixelRatio) const
{
    // Two lines cross the tile so that adjacent tiles continue each other.
    constexpr int kTile = 6;
    const qreal ratio = devicePixelRatio > 0 ? devicePixelRatio : 1;
    const int side = qMax(1, qRound(kTile * ratio));
    QPixmap tile(side, side);
    tile.fill(color(Color::Background));
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(Color::Unobserved), 1.4 * ratio, Qt::SolidLine, Qt::SquareCap));
    for (const int shift : {-side, 0, side})
        painter.drawLine(QPointF(shift, side), QPointF(shift + side, 0));
    painter.end();
    QBrush brush(tile);
    brush.setTransform(QTransform::fromScale(1 / ratio, 1 / ratio));
    return brush;
}

QIcon Theme::icon(const QString &name, Color color) const
{
    return icon(name, color, color);
}

QIcon Theme::icon(const QString &name, Color color, Color checked) const
{
    QFile file(QStringLiteral(":/gpuledger/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QIcon(new IconEngine(*this, file.readAll(), color, checked));
}

} // namespace gpuledger::widgets
