// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/topbar/filterpopup.h"

#include "ui/format/local/localtext.h"
#include "widgets/inputs/picklist.h"
#include "widgets/inputs/segmentedswitch.h"
#include "widgets/state/plaintext.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScreen>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>

namespace gpuledger::ui {

using insight::Dimension;

namespace {

constexpr QSize kPopupSize{320, 380};
constexpr Dimension::Kind kOffered[] = {Dimension::Team,     Dimension::Cluster,     Dimension::Cloud,
                                        Dimension::Region,   Dimension::GpuModel,    Dimension::WorkloadKind,
                                        Dimension::Workload, Dimension::Environment, Dimension::NodePool,
                                        Dimension::Node,     Dimension::Device};
// Prefixes of value keys, so that the empty value has a key as well.
const QString kInclude = QStringLiteral("include"); // no-tr: key
const QString kExclude = QStringLiteral("exclude"); // no-tr: key
constexpr QLatin1Char kValue('=');

QString keyOf(const Dimension &dimension)
{
    return QString::fromStdString(insight::toString(dimension));
}

} // namespace

FilterPopup::FilterPopup(const widgets::Theme &theme, DimensionValues &values, QWidget *parent)
    : QFrame(parent, Qt::Popup)
    , m_theme(theme)
    , m_values(values)
    , m_stack(new QStackedLayout)
    , m_dimensions(new widgets::PickList(theme, tr("Filter by"), this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setAccessibleName(tr("Add a filter"));
    setFixedSize(kPopupSize);
    const int side = theme.space(widgets::Space::Small);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(side, side, side, side);
    layout->addLayout(m_stack); // which has no margins of its own
    m_stack->addWidget(m_dimensions);
    m_stack->addWidget(valuePage());
    listDimensions();
    connect(&m_values, &DimensionValues::labelsChanged, this, &FilterPopup::listDimensions);
    m_values.wantLabels();
    connect(m_dimensions, &widgets::PickList::picked, this, &FilterPopup::openDimension);
    connect(&m_values, &DimensionValues::changed, this, [this](const Dimension &dimension) {
        if (atValues() && dimension == m_dimension)
            listValues();
    });
}

QWidget *FilterPopup::valuePage()
{
    auto *page = new QWidget(this);
    auto *layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(m_theme.space(widgets::Space::Small));
    auto *head = new QHBoxLayout;
    head->setSpacing(m_theme.space(widgets::Space::Tiny));
    auto *back = new QToolButton(page);
    back->setAutoRaise(true);
    back->setIcon(m_theme.icon(QStringLiteral("back"))); // no-tr: icon name
    back->setAccessibleName(tr("All dimensions"));
    m_title = widgets::plainLabel(m_theme, {}, widgets::TextSize::Body, widgets::Color::Text, QFont::DemiBold, page);
    m_mode = new widgets::SegmentedSwitch(
        m_theme, tr("How the value is used"),
        {{kInclude, tr("Only", "filter: only this value")}, {kExclude, tr("Not", "filter: all but this value")}}, page);
    head->addWidget(back);
    head->addWidget(m_title, 1);
    head->addWidget(m_mode);
    m_list = new widgets::PickList(m_theme, {}, page);
    layout->addLayout(head);
    layout->addWidget(m_list, 1);
    connect(back, &QToolButton::clicked, this, &FilterPopup::back);
    connect(m_mode, &widgets::SegmentedSwitch::chosen, m_list, [this] { m_list->setFocus(); });
    connect(m_list, &widgets::PickList::leftEmpty, this, &FilterPopup::back);
    connect(m_list, &widgets::PickList::picked, this, [this](const QString &key) {
        const bool exclude = m_mode->currentKey() == kExclude;
        Q_EMIT chosen({m_dimension, key.mid(1).toStdString(), exclude});
        close();
    });
    return page;
}

void FilterPopup::listDimensions()
{
    std::vector<widgets::PickEntry> entries;
    for (const Dimension dimension : kOffered)
        entries.push_back({keyOf(dimension), LocalText::dimensionName(dimension), {}, {}});
    if (const auto labels = m_values.labels()) {
        for (const insight::LabelUse &use : *labels)
            entries.push_back(
                {keyOf(use.dimension), LocalText::dimensionName(use.dimension), LocalText::percent(use.share, 0), {}});
    }
    m_dimensions->setPlaceholder(tr("Filter by"));
    m_dimensions->setEmptyText(tr("No matches"));
    m_dimensions->setEntries(std::move(entries));
}

void FilterPopup::openDimension(const QString &name)
{
    const auto dimension = insight::dimensionFromString(name.toStdString());
    if (!dimension)
        return;
    m_dimension = *dimension;
    const QString title = LocalText::dimensionName(*dimension);
    m_title->setText(title);
    m_list->setName(tr("Values of %1", "a dimension").arg(title));
    m_list->setPlaceholder(tr("Search"));
    m_list->setPattern({});
    m_stack->setCurrentIndex(1);
    listValues();
    m_values.want(*dimension);
    m_list->setFocus();
}

void FilterPopup::listValues()
{
    const auto values = m_values.values(m_dimension);
    std::vector<widgets::PickEntry> entries;
    if (values) {
        for (const insight::DimensionValue &v : *values) {
            const QString value = QString::fromStdString(v.value);
            entries.push_back({kValue + value,
                               value.isEmpty() ? tr("none: has no value") : value,
                               v.share ? LocalText::percent(*v.share) : QString(),
                               {}});
        }
    }
    m_list->setEmptyText(!values ? tr("Loading…") : entries.empty() ? tr("Nothing synced yet") : tr("No matches"));
    m_list->setEntries(std::move(entries));
}

bool FilterPopup::atValues() const
{
    return m_stack->currentIndex() == 1;
}

void FilterPopup::back()
{
    m_stack->setCurrentIndex(0);
    m_dimensions->setFocus();
}

void FilterPopup::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape)
        return QFrame::keyPressEvent(event);
    if (atValues())
        back();
    else
        close();
}

void FilterPopup::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(widgets::Color::Raised));
    painter.setPen(m_theme.color(widgets::Color::Outline));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void FilterPopup::openBelow(const QWidget &button)
{
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    const int gap = m_theme.space(widgets::Space::Tiny);
    QPoint at = button.mapToGlobal(QPoint(mirrored ? button.width() - width() : 0, button.height() + gap));
    const QRect screen = button.screen()->availableGeometry();
    at.setX(qBound(screen.left(), at.x(), qMax(screen.left(), screen.right() - width())));
    at.setY(qBound(screen.top(), at.y(), qMax(screen.top(), screen.bottom() - height())));
    move(at);
    show();
    m_dimensions->setFocus();
}

} // namespace gpuledger::ui
