// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/tokens.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace gpuledger::widgets {

namespace {

constexpr std::array<const char *, kColorCount> kColorNames{
    "background", "surface", "raised", "border",      "outline",    "text", "muted",   "accent",   "accentText",
    "select",     "active",  "idle",   "unallocated", "unobserved", "info", "warning", "critical", "good"};
constexpr std::array<const char *, 3> kHeatNames{"cividis", "viridis", "cost"}; // in the order of HeatScale
constexpr std::array<const char *, 6> kSpaceNames{"tiny", "small", "medium", "large", "wide", "huge"};
constexpr std::array<const char *, 2> kRadiusNames{"card", "control"};
constexpr std::array<const char *, 5> kTextSizeNames{"caption", "body", "section", "title", "figure"};

// Records the first error, so that the callers need no error handling of their own.
class Reader {
public:
    QColor color(const QJsonValue &value, const QString &where)
    {
        const QColor color(value.toString());
        if (!color.isValid())
            fail(where);
        return color;
    }

    template <std::size_t N>
    void numbers(const QJsonObject &object, const std::array<const char *, N> &names, std::array<int, N> &out)
    {
        for (std::size_t i = 0; i < N; ++i) {
            out[i] = object.value(QLatin1String(names[i])).toInt(0);
            if (out[i] <= 0)
                fail(QString::fromLatin1(names[i]));
        }
    }

    void heat(const QJsonArray &array, const QString &name, std::array<QColor, kHeatSteps> &out)
    {
        for (int i = 0; i < kHeatSteps; ++i)
            out[static_cast<std::size_t>(i)] = color(array.at(i), name);
    }

    void fail(const QString &where)
    {
        if (m_error.isEmpty())
            m_error = QStringLiteral("theme: missing or not valid: ") + where;
    }

    const QString &error() const { return m_error; }

private:
    QString m_error;
};

double linear(double channel)
{
    // WCAG 2.1, definition of relative luminance.
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

QString nameOf(Color color)
{
    return QString::fromLatin1(kColorNames[static_cast<std::size_t>(color)]);
}

std::optional<Color> colorFromName(QStringView name)
{
    for (int i = 0; i < kColorCount; ++i) {
        if (name == QLatin1String(kColorNames[static_cast<std::size_t>(i)]))
            return static_cast<Color>(i);
    }
    return std::nullopt;
}

std::optional<Tokens> Tokens::fromJson(const QByteArray &json, QString *error)
{
    Reader reader;
    QJsonParseError parsed;
    const QJsonObject root = QJsonDocument::fromJson(json, &parsed).object();
    if (parsed.error != QJsonParseError::NoError)
        reader.fail(parsed.errorString());

    Tokens tokens;
    tokens.m_name = root.value(QLatin1String("name")).toString();
    const QJsonObject colors = root.value(QLatin1String("colors")).toObject();
    for (std::size_t i = 0; i < kColorNames.size(); ++i) {
        const QString name = QString::fromLatin1(kColorNames[i]);
        tokens.m_colors[i] = reader.color(colors.value(name), name);
    }
    const QJsonArray series = root.value(QLatin1String("series")).toArray();
    for (const QJsonValue &value : series)
        tokens.m_series.append(reader.color(value, QStringLiteral("series")));
    if (tokens.m_series.isEmpty())
        reader.fail(QStringLiteral("series"));
    const QJsonObject heat = root.value(QLatin1String("heat")).toObject();
    for (std::size_t i = 0; i < kHeatNames.size(); ++i) {
        const QString name = QString::fromLatin1(kHeatNames[i]);
        reader.heat(heat.value(name).toArray(), name, tokens.m_heat[i]);
    }
    reader.numbers(root.value(QLatin1String("space")).toObject(), kSpaceNames, tokens.m_spaces);
    reader.numbers(root.value(QLatin1String("radius")).toObject(), kRadiusNames, tokens.m_radii);
    reader.numbers(root.value(QLatin1String("textSize")).toObject(), kTextSizeNames, tokens.m_textSizes);

    if (reader.error().isEmpty())
        return tokens;
    if (error)
        *error = reader.error();
    return std::nullopt;
}

int heatStep(double value, double minimum, double maximum)
{
    if (!(maximum > minimum))
        return 0;
    // Clamped before the cast: an infinite value cannot be converted to int.
    const double share = std::clamp((value - minimum) / (maximum - minimum), 0.0, 1.0);
    return std::min(kHeatSteps - 1, static_cast<int>(share * kHeatSteps));
}

double contrastRatio(const QColor &a, const QColor &b)
{
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

Tokens Tokens::scaled(double factor) const
{
    Tokens out = *this;
    const auto scale = [factor](int &size) { size = qMax(1, qRound(size * factor)); };
    std::for_each(out.m_spaces.begin(), out.m_spaces.end(), scale);
    std::for_each(out.m_radii.begin(), out.m_radii.end(), scale);
    std::for_each(out.m_textSizes.begin(), out.m_textSizes.end(), scale);
    return out;
}

} // namespace gpuledger::widgets
