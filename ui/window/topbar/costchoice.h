// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/model/money/costview.h"
#include "ui/viewmodels/shell/navigator.h"
#include "widgets/inputs/choicebutton.h"

#include <vector>

namespace gpuledger::ui {

class NoticeBar;

// Which cost all pages show: effective, billed or by list prices. Shows the navigator's place and changes it. GUI
// thread; owned by the top bar.
class CostChoiceButton : public widgets::ChoiceButton {
    Q_OBJECT
public:
    explicit CostChoiceButton(Navigator &navigator, QWidget *parent = nullptr);

    struct ViewName {
        model::CostView view;
        QString key;
        QString text;
    };
    static std::vector<ViewName> views();
    // Keeps a notice there about what is unknown or missing in the view of cost that is shown; none for the effective
    // one. Both must outlive the connection.
    static void keepNotice(Navigator &navigator, NoticeBar &notices);

private:
    void choose(const QString &key);
    void show();

    Navigator &m_navigator;
};

} // namespace gpuledger::ui
