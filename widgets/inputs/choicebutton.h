// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>
#include <QString>

#include <vector>

class QActionGroup;

namespace gpuledger::widgets {

// A button that shows the current one of a few choices and opens a menu of all of them. Keyboard: Space or Enter opens,
// Up and Down change the choice in place. Owned by its parent; GUI thread.
class ChoiceButton : public QPushButton {
    Q_OBJECT
public:
    struct Choice {
        QString key; // stable
        QString text; // plain, translated
        bool command = false; // opens something: never current, and chosen() is emitted every time
    };

    // `name` says what is being chosen, e.g. "Metric"; the accessible name starts with it.
    explicit ChoiceButton(const QString &name, QWidget *parent = nullptr);

    // The first one becomes current if the current key is not among them. Emits no signal.
    void setChoices(const std::vector<Choice> &choices);
    QString currentKey() const { return m_key; }
    // Emits chosen() on a change; an unknown key is ignored.
    void setCurrentKey(const QString &key);

    QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(const QString &key);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void choose(const QString &key);
    void showChoice(int index);
    int currentIndex() const;

    QString m_name;
    QString m_key;
    std::vector<Choice> m_choices;
    QActionGroup *m_group;
};

} // namespace gpuledger::widgets
