// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QRadioButton>
#include <QWidget>

#include <vector>

class QButtonGroup;

namespace gpuledger::widgets {

// One part of a SegmentedSwitch: a radio button drawn as part of a bar. Owned by the switch; GUI thread.
class Segment : public QRadioButton {
    Q_OBJECT
public:
    Segment(const Theme &theme, const QString &text, QWidget *parent);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    void setChoice(const QString &text);

protected:
    bool hitButton(const QPoint &position) const override { return rect().contains(position); }
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
};

// A few exclusive choices side by side: "Allocation
// Compute
// Both". Arrow keys change the choice. Exposed to screen readers as a group of radio buttons. Owned by its parent; GUI
// thread.
class SegmentedSwitch : public QWidget {
    Q_OBJECT
public:
    struct Choice {
        QString key; // stable
        QString text; // plain, translated
    };

    SegmentedSwitch(const Theme &theme, const QString &accessibleName, const std::vector<Choice> &choices,
                    QWidget *parent = nullptr);

    QString currentKey() const;
    // Emits chosen() on a change; an unknown key is ignored.
    void setCurrentKey(const QString &key);
    // Plain, translated; an unknown key is ignored.
    void setChoiceText(const QString &key, const QString &text);
    // The current one should stay visible; an unknown key is ignored.
    void setChoiceVisible(const QString &key, bool isVisible);

Q_SIGNALS:
    void chosen(const QString &key);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    std::vector<Choice> m_choices;
    QButtonGroup *m_group;
};

} // namespace gpuledger::widgets
