// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/viewmodels/showback/meeting.h"
#include "ui/viewmodels/showback/showbackviewmodel.h"
#include "widgets/theme/theme.h"

#include <QDialog>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace gpuledger::ui {

class MeetingSlideView;

// The showback meeting on the whole screen: a slide of all teams, then one a team; arrow keys, Page Up and Down, Home,
// End and Escape. Decisions are made and settled here, and kept by the view-model. Its texts grow with the window.
// Deletes itself when closed. GUI thread.
class Presentation : public QDialog {
    Q_OBJECT
public:
    enum class Rights { Decide, Look }; // Look: of a report, which nothing is written to
    // `theme` and `model` outlive it; begins at the slide of `team`.
    Presentation(const widgets::Theme &theme, ShowbackViewModel &model, const std::optional<std::string> &team,
                 Rights rights, QWidget *parent = nullptr);
    ~Presentation() override;

    int slideCount() const { return static_cast<int>(m_slides.size()); }
    int currentSlide() const { return m_current; }
    void showSlide(int index); // the nearest there is

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void takeFigures();
    void makeTheme();
    void makeSlide();
    void makeFoot(QVBoxLayout &layout);
    void askForDecision();

    const widgets::Theme &m_like;
    ShowbackViewModel &m_model;
    const Rights m_rights;
    std::unique_ptr<widgets::Theme> m_theme; // as large as the window asks for
    double m_scale = 0;
    std::vector<MeetingSlide> m_slides;
    int m_current = 0;
    QTimer m_sized; // a window that is being dragged is laid out once it rests
    QWidget *m_frame = nullptr;
    MeetingSlideView *m_view = nullptr;
    QLabel *m_place = nullptr, *m_problem = nullptr;
};

} // namespace gpuledger::ui
