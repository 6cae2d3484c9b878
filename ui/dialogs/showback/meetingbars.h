// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/showback/meeting.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

namespace gpuledger::ui {

// Teams as bars beside their names and amounts, with the part that was held but idle in its own colour. Its texts are
// its accessible description. Owned by its parent; GUI thread.
class MeetingBars : public QWidget {
    Q_OBJECT
public:
    // `theme` must outlive it.
    MeetingBars(const widgets::Theme &theme, std::vector<MeetingSlide::Bar> bars, QWidget *parent);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QFont fittingFont() const;
    int widest(const QFont &font, QString MeetingSlide::Bar::*text) const;

    const widgets::Theme &m_theme;
    std::vector<MeetingSlide::Bar> m_bars;
};

} // namespace gpuledger::ui
