// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/heatmap/heatmappath.h"

#include "ui/format/local/localtext.h"
#include "widgets/state/plaintext.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace gpuledger::ui {

namespace {

struct PathText {
    Q_DECLARE_TR_FUNCTIONS(gpuledger::ui::HeatmapPage)
};

} // namespace

HeatmapPath::HeatmapPath(const widgets::Theme &theme, QWidget *parent)
    : QWidget(parent)
{
    const auto label = [&](widgets::Color color, QFont::Weight weight) {
        return widgets::plainLabel(theme, {}, widgets::TextSize::Section, color, weight, this);
    };
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(theme.space(widgets::Space::Tiny));
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        Step &step = m_steps[i];
        step.button = new QToolButton(this);
        step.button->setAutoRaise(true);
        connect(step.button, &QToolButton::clicked, this, [this, i] { Q_EMIT climbed(static_cast<int>(i)); });
        step.arrow = label(widgets::Color::Muted, QFont::Normal);
        step.arrow->setText(QStringLiteral("›"));
        layout->addWidget(step.button);
        layout->addWidget(step.arrow);
    }
    m_here = label(widgets::Color::Text, QFont::DemiBold);
    m_what = label(widgets::Color::Muted, QFont::Normal);
    layout->addWidget(m_here);
    layout->addWidget(m_what);
}

void HeatmapPath::showPath(const HeatmapViewModel &model)
{
    const auto &path = model.path();
    const auto nameOf = [&](std::size_t depth) -> QString {
        if (depth == 0)
            return LocalText::dimensionPlural(path.empty() ? model.dimension() : model.root());
        const HeatmapViewModel::Crumb &crumb = path[depth - 1];
        return LocalText::valueName(crumb.dimension == insight::Dimension::Team ? LocalText::teamName(crumb.key)
                                                                                : QString::fromStdString(crumb.key));
    };
    for (std::size_t i = 0; i < m_steps.size(); ++i) {
        const Step &step = m_steps[i];
        const bool any = i < path.size();
        if (any) {
            step.button->setText(nameOf(i).replace(QLatin1Char('&'), QLatin1String("&&")));
            step.button->setAccessibleName(PathText::tr("Back to %1").arg(nameOf(i)));
        }
        step.button->setVisible(any);
        step.arrow->setVisible(any);
    }
    m_here->setText(nameOf(path.size()));
    // At the top level, the choice of rows beside it says the same.
    m_what->setVisible(!path.empty());
    m_what->setText(QStringLiteral("› ") + LocalText::inSentence(LocalText::dimensionPlural(model.dimension())));
}

} // namespace gpuledger::ui
