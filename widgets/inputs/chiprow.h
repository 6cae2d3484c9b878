// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

class QPushButton;

namespace gpuledger::widgets {

class Chip;

// Chips side by side in one line. Those that do not fit are behind a button "+3", whose menu removes them. After a
// removal by keyboard, the focus moves to the neighbour. Owned by its parent; GUI thread.
class ChipRow : public QWidget {
    Q_OBJECT
public:
    struct Item {
        QString key; // stable
        QString text; // plain, translated
        friend bool operator==(const Item &, const Item &) = default;
    };

    explicit ChipRow(const Theme &theme, QWidget *parent = nullptr);

    void setItems(const std::vector<Item> &items);
    const std::vector<Item> &items() const { return m_items; }
    int hiddenCount() const { return m_hidden; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void removed(const QString &key);
    void allRemoved();
    void focusLost(); // the last chip was removed while it had the focus

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    int moreWidth() const;
    void arrange();
    void fillMenu();

    const Theme &m_theme;
    std::vector<Item> m_items;
    std::vector<Chip *> m_chips;
    QPushButton *m_more;
    int m_hidden = 0;
};

} // namespace gpuledger::widgets
