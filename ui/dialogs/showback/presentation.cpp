// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/showback/presentation.h"

#include "ui/dialogs/showback/decisiondialog.h"
#include "ui/dialogs/showback/meetingslideview.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace gpuledger::ui {

using widgets::Color;
using widgets::plainLabel;
using widgets::Space;
using widgets::TextSize;

namespace {

constexpr QSize kDesigned(1280, 760); // the size for which the theme's text sizes are designed
constexpr double kLeast = 0.75, kMost = 4, kStep = 0.05;
constexpr int kRest = 60; // ms

} // namespace

Presentation::Presentation(const widgets::Theme &theme, ShowbackViewModel &model,
                           const std::optional<std::string> &team, Rights rights, QWidget *parent)
    : QDialog(parent, Qt::Window)
    , m_like(theme)
    , m_model(model)
    , m_rights(rights)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Showback meeting"));
    resize(kDesigned);
    setMinimumSize(kDesigned / 2);
    m_sized.setSingleShot(true);
    m_sized.setInterval(kRest);
    connect(&m_sized, &QTimer::timeout, this, &Presentation::makeTheme);
    connect(&m_like, &widgets::Theme::changed, this, [this] {
        m_scale = 0;
        m_sized.start();
    });
    connect(&m_model, &ShowbackViewModel::changed, this, &Presentation::takeFigures);
    connect(&m_model, &ShowbackViewModel::decisionKept, this, [this](bool, const QString &problem) {
        if (m_problem)
            m_problem->setText(problem);
    });
    takeFigures();
    const auto it =
        std::find_if(m_slides.begin(), m_slides.end(), [&](const MeetingSlide &slide) { return slide.team == team; });
    m_current = it == m_slides.end() ? 0 : static_cast<int>(it - m_slides.begin());
    makeTheme();
}

Presentation::~Presentation() = default;

void Presentation::takeFigures()
{
    if (!m_model.snapshot() || m_model.state() != PageState::Data)
        return; // the current content stays
    m_slides = meetingSlides(*m_model.snapshot());
    if (m_rights == Rights::Look) {
        for (MeetingSlide &slide : m_slides)
            slide.draft.reset();
    }
    m_current = std::clamp(m_current, 0, std::max(0, slideCount() - 1));
    if (m_theme)
        makeSlide();
}

// Everything is created again in the current size of the window.
void Presentation::makeTheme()
{
    const double fits =
        std::min(static_cast<double>(width()) / kDesigned.width(), static_cast<double>(height()) / kDesigned.height());
    const double scale = std::clamp(std::round(fits / kStep) * kStep, kLeast, kMost);
    if (std::abs(scale - m_scale) < kStep / 2)
        return;
    m_scale = scale;
    delete m_frame; // before the theme that it uses
    m_view = nullptr;
    delete layout();
    m_theme = std::make_unique<widgets::Theme>(m_like, scale);
    m_frame = new QWidget(this);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_frame);
    auto *layout = new QVBoxLayout(m_frame);
    const int side = m_theme->space(Space::Large);
    layout->setContentsMargins(side, side, side, m_theme->space(Space::Small));
    layout->setSpacing(m_theme->space(Space::Small));
    makeFoot(*layout);
    makeSlide();
}

void Presentation::makeFoot(QVBoxLayout &layout)
{
    auto *foot = new QHBoxLayout;
    foot->setSpacing(m_theme->space(Space::Small));
    m_problem = plainLabel(*m_theme, {}, TextSize::Body, Color::Critical, QFont::Normal, m_frame);
    m_place = plainLabel(*m_theme, {}, TextSize::Body, Color::Muted, QFont::Normal, m_frame);
    const auto button = [&](const QString &text, const QString &name, auto call) {
        auto *one = new QPushButton(text, m_frame);
        one->setFont(m_theme->font());
        one->setAccessibleName(name);
        one->setToolTip(widgets::plainToolTip(name));
        one->setAutoDefault(false);
        connect(one, &QPushButton::clicked, this, call);
        return one;
    };
    foot->addWidget(m_problem, 1);
    foot->addWidget(button(QStringLiteral("‹"), tr("Previous slide"), [this] { showSlide(m_current - 1); }));
    foot->addWidget(m_place);
    foot->addWidget(button(QStringLiteral("›"), tr("Next slide"), [this] { showSlide(m_current + 1); }));
    foot->addWidget(button(tr("End"), tr("End the presentation"), [this] { reject(); }));
    layout.addLayout(foot);
}

void Presentation::makeSlide()
{
    delete m_view;
    m_view = nullptr;
    if (m_slides.empty())
        return;
    const MeetingSlide &slide = m_slides[static_cast<std::size_t>(m_current)];
    m_view = new MeetingSlideView(*m_theme, slide, m_frame);
    connect(m_view, &MeetingSlideView::decisionWanted, this, &Presentation::askForDecision);
    connect(m_view, &MeetingSlideView::settleWanted, this, [this](qint64 decision, bool done) {
        m_model.settle(decision, done ? reports::DecisionState::Done : reports::DecisionState::Dropped);
    });
    static_cast<QVBoxLayout *>(m_frame->layout())->insertWidget(0, m_view, 1);
    m_view->show(); // otherwise it appears a moment after the previous one is gone
    m_place->setText(tr("%1 of %2", "slide").arg(m_current + 1).arg(slideCount()));
    setAccessibleName(
        tr("%1, slide %2 of %3").arg(widgets::plainLine(slide.title)).arg(m_current + 1).arg(slideCount()));
    m_frame->setFocus();
}

void Presentation::showSlide(int index)
{
    index = std::clamp(index, 0, std::max(0, slideCount() - 1));
    if (index == m_current)
        return;
    m_current = index;
    m_problem->clear();
    makeSlide();
}

void Presentation::askForDecision()
{
    const auto &draft = m_slides[static_cast<std::size_t>(m_current)].draft;
    if (!draft)
        return;
    auto *dialog = new DecisionDialog(m_like, *draft, this);
    connect(dialog, &DecisionDialog::decided, &m_model, &ShowbackViewModel::decide);
    dialog->open();
}

void Presentation::keyPressEvent(QKeyEvent *event)
{
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Left:
        return showSlide(m_current + ((event->key() == Qt::Key_Right) == mirrored ? -1 : 1));
    case Qt::Key_PageDown:
    case Qt::Key_Down:
        return showSlide(m_current + 1);
    case Qt::Key_PageUp:
    case Qt::Key_Up:
        return showSlide(m_current - 1);
    case Qt::Key_Home:
        return showSlide(0);
    case Qt::Key_End:
        return showSlide(slideCount() - 1);
    case Qt::Key_D:
        return askForDecision();
    default:
        QDialog::keyPressEvent(event);
    }
}

void Presentation::resizeEvent(QResizeEvent *event)
{
    QDialog::resizeEvent(event);
    m_sized.start();
}

} // namespace gpuledger::ui
