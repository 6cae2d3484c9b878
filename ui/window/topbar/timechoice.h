// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/page.h"
#include "widgets/inputs/choicebutton.h"

namespace gpuledger::ui {

// The time range of all pages: a button with the common ones, and a last choice that asks for any other. Shows the
// navigator's place and changes it. GUI thread; owned by the top bar.
class TimeChoiceButton : public widgets::ChoiceButton {
    Q_OBJECT
public:
    TimeChoiceButton(const WindowContext &context, Navigator &navigator, QWidget *parent = nullptr);

    struct SpanName {
        Span span;
        QString key;
        QString text;
    };
    static std::vector<SpanName> spans(); // without Custom
    void askForRange(); // starting with the range that is shown

private:
    void choose(const QString &key);
    void show(const TimeChoice &time);
    void openDialog(base::TimeRange range);

    const WindowContext m_context;
    Navigator &m_navigator;
};

} // namespace gpuledger::ui
