// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

namespace gpuledger::widgets {

// Grey placeholders for a heading and rows; not animated, because movement carries no information here. Owned by its
// parent.
class Skeleton : public QWidget {
    Q_OBJECT
public:
    explicit Skeleton(const Theme &theme, QWidget *parent = nullptr);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
};

} // namespace gpuledger::widgets
