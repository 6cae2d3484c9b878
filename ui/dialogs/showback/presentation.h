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

// The full-screen showback meeting: a slide for all teams, then one per team; arrow keys, Page Up and Down, Home, End
// and Escape. Decisions are made and settled here, and stored by the view model. Its texts grow with the window.
// Deletes itself when closed. GUI thread.
class Presentation : public QDialog {
    Q_OBJECT
public:
    enum class Rights { Decide, Look }; // Look: for a report, which is read-only
    // `theme` and `model` must outlive it; starts at the slide of `team`.
    Presentation(const widgets::Theme &theme, ShowbackViewModel &model, const std::optional<std::string> &team,
                 Rights rights, QWidget *parent = nullptr);
    ~Presentation() override;

    int slideCount() const { return static_cast<int>(m_slides.size()); }
    int currentSlide() const { return m_current; }
    void showSlide(int index); // the nearest existing one

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
    std::unique_ptr<widgets::Theme> m_theme; // scaled to the size of the window
    double m_scale = 0;
    std::vector<MeetingSlide> m_slides;
    int m_current = 0;
    QTimer m_sized; // a window that is being resized is laid out when it comes to rest
    QWidget *m_frame = nullptr;
    MeetingSlideView *m_view = nullptr;
    QLabel *m_place = nullptr, *m_problem = nullptr;
};

} // namespace gpuledger::ui
