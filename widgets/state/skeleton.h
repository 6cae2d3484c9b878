// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QList>
#include <QRect>
#include <QWidget>

namespace gpuledger::widgets {

// Grey placeholders in the shape of the content to come; not animated, because movement carries no information here.
// Owned by its parent; GUI thread.
class Skeleton : public QWidget {
    Q_OBJECT
public:
    enum class Shape {
        Matrix, // names and wide rows
        Table, // rows of cells beside a panel
        Document, // a list beside a page of text
    };
    explicit Skeleton(const Theme &theme, QWidget *parent = nullptr);

    void setShape(Shape shape);
    Shape shape() const { return m_shape; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    // The blocks within the area, for a layout from left to right.
    QList<QRect> blocks(const QRect &area) const;
    QList<QRect> matrix(const QRect &area) const;
    QList<QRect> table(const QRect &area) const;
    QList<QRect> document(const QRect &area) const;

    const Theme &m_theme;
    Shape m_shape = Shape::Matrix;
};

} // namespace gpuledger::widgets
