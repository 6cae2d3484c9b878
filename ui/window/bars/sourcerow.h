// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;

namespace gpuledger::widgets {
class Theme;
}

namespace gpuledger::ui {

// The states of sources, side by side, as many as there is room for; the last words say how many more there are, and
// their tip which. Sources in trouble come before all others. It asks for no width of its own. GUI thread.
class SourceRow : public QWidget {
    Q_OBJECT
public:
    explicit SourceRow(const widgets::Theme &theme, QWidget *parent = nullptr);

    void clear();
    // Takes ownership of `entry`. `name` is told in the tip while there is no room for it.
    void add(QWidget *entry, const QString &name, bool inTrouble);
    // After the last one.
    void fit();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Entry {
        QWidget *widget;
        QString name;
        bool inTrouble;
    };
    // The entries that have room within `room` pixels, those in trouble first.
    std::vector<bool> chosen(int room) const;

    std::vector<Entry> m_entries;
    QHBoxLayout *m_layout;
    QLabel *m_more;
};

} // namespace gpuledger::ui
