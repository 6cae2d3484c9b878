// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

namespace gpuledger::widgets {

// A colour by meaning, or by position in the theme's series colours; resolved when painted, so it follows the theme.
class SeriesColor {
public:
    SeriesColor(Color token = Color::Accent)
        : m_token(token)
    {
    }
    static SeriesColor series(int index)
    {
        SeriesColor color;
        color.m_index = index;
        return color;
    }

    QColor resolve(const Theme &theme) const
    {
        const QList<QColor> &all = theme.tokens().series();
        return m_index < 0 ? theme.color(m_token) : all.at(m_index % all.size());
    }
    bool operator==(const SeriesColor &) const = default;

private:
    Color m_token;
    int m_index = -1;
};

} // namespace gpuledger::widgets
