// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/sources/sourcespage.h"

#include "ui/dialogs/sources/sourcedialog.h"
#include "ui/format/local/localtext.h"
#include "ui/pages/firstrun.h"
#include "ui/pages/owners/ownerrulescard.h"
#include "ui/pages/sources/sourcecardview.h"
#include "widgets/cards/scrolled.h"
#include "widgets/state/plaintext.h"
#include "widgets/state/statepanel.h"
#include "widgets/table/datatable.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gpuledger::ui {

using widgets::Space;

namespace {

constexpr int kCardWidth = 420; // minimum width of a card, if the page is wide enough
constexpr int kWidestCard = 640;
constexpr int kLongestName = 80;
constexpr char kNotice[] = "configuration"; // no-tr: key

const QString kAddKey = QStringLiteral("add"); // no-tr: of a place

// Opens this page with the dialog that adds a source.
QString linkToAdd()
{
    Place place{QStringLiteral("sources"), {}, {}}; // no-tr: id of a page
    place.inner.addQueryItem(kAddKey, QStringLiteral("1"));
    return QString::fromUtf8(place.toUrl().toEncoded());
}

QString shownName(const std::string &name)
{
    return widgets::plainLine(QString::fromStdString(name), kLongestName);
}

} // namespace

SourcesPage::SourcesPage(const PageContext &context, QWidget *parent)
    : StatePage(context, parent)
    , m_model(context.workspace.config(), context.workspace.sources(), context.workspace.spend(), context.tasks,
              context.sync, context.configFile, context.logins)
    , m_owners(context.workspace.config(), context.workspace.fleet(), context.workspace.sources(), context.tasks,
               context.sync, context.configFile)
{
    const int side = context.theme.space(Space::Large);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(side, side, side, side);
    outer->setSpacing(context.theme.space(Space::Medium));
    m_board = new QWidget;
    auto *board = new QVBoxLayout(m_board);
    board->setContentsMargins(0, 0, 0, 0);
    m_grid = new QGridLayout;
    m_grid->setSpacing(context.theme.space(Space::Medium));
    board->setSpacing(context.theme.space(Space::Large));
    board->addLayout(m_grid);
    m_rules = new OwnerRulesCard(context.theme, m_owners, m_board);
    board->addWidget(m_rules);
    board->addStretch();
    m_scroll = widgets::scrolled(m_board);
    makePanel(m_scroll);
    outer->addWidget(makeHeader());
    outer->addWidget(m_panel, 1);
    connect(&m_model, &SourcesViewModel::changed, this, &SourcesPage::showState);
    bindSaving();
    m_panel->showLoading();
    m_model.setActive(false);
    m_owners.setActive(false);
    refresh();
}

void SourcesPage::bindSaving()
{
    connect(m_rules, &OwnerRulesCard::settledChanged, this, &Page::settledChanged);
    connect(&m_model.saver(), &ConfigurationSaver::saved, this, [this] {
        const QString text = std::exchange(m_saved, QString());
        if (!text.isEmpty())
            tellSaved(text, m_model.saver().lastChange());
    });
    connect(&m_model.saver(), &ConfigurationSaver::failed, this, &SourcesPage::tellFailed);
    connect(&m_owners.saver(), &ConfigurationSaver::saved, this, [this] {
        const services::FileChange &change = m_owners.saver().lastChange();
        if (change.before != change.after)
            tellSaved(tr("The owner rules were saved; all figures follow."), change);
    });
}

void SourcesPage::tellSaved(const QString &text, const services::FileChange &change)
{
    const auto undo = [this, change] {
        m_saved.clear();
        m_model.saver().undo(change);
    };
    Q_EMIT noticeWanted({QLatin1String(kNotice), false, text, tr("Undo"), undo});
}

void SourcesPage::tellFailed(const QString &sentence, bool isOtherNow)
{
    m_saved.clear();
    const auto reload = [this] { m_model.saver().reload(); };
    Q_EMIT noticeWanted(
        {QLatin1String(kNotice), true, sentence, isOtherNow ? tr("Read the file again") : QString(), reload});
}

void SourcesPage::editSource(const std::string &name)
{
    const auto settings = m_model.settingsOf(name);
    if (!settings)
        return;
    auto *dialog = new SourceDialog(m_context.theme, m_context.workspace.config(), m_context.workspace.sources(),
                                    m_context.tasks, m_context.sync, m_context.configFile, m_context.logins, window());
    dialog->edit(*settings);
    const ConfigurationSaver *saver = &dialog->draft().saver();
    connect(saver, &ConfigurationSaver::saved, this, [this, saver, name] {
        const services::FileChange &change = saver->lastChange();
        if (change.before != change.after)
            tellSaved(tr("%1 was changed.", "a source").arg(shownName(name)), change);
    });
    connect(saver, &ConfigurationSaver::failed, this, [this](const QString &sentence, bool isOtherNow) {
        if (isOtherNow)
            tellFailed(sentence, true);
    });
    dialog->open();
}

void SourcesPage::askToRemove(const std::string &name)
{
    const QString shown = shownName(name);
    using Box = QMessageBox; // allowed: created by the factory
    Box *box = widgets::plainMessageBox(Box::Question, tr("Remove source"), tr("Remove %1?", "a source").arg(shown),
                                        m_model.removalText(name), window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto *remove = box->addButton(tr("Remove source"), Box::DestructiveRole);
    QPushButton *cancel = box->addButton(Box::Cancel);
    box->setDefaultButton(cancel);
    box->setEscapeButton(cancel);
    connect(remove, &QPushButton::clicked, this, [this, name, shown] {
        m_saved = tr("%1 was removed. What it reported stays in the figures.", "a source").arg(shown);
        m_model.remove(name);
    });
    box->open();
}

void SourcesPage::askToAccept(const std::string &name)
{
    const QString consequence = m_model.acceptanceText(name);
    if (consequence.isEmpty()) // the data came back in between
        return;
    using Box = QMessageBox; // allowed: created by the factory
    Box *box = widgets::plainMessageBox(Box::Warning, tr("Accept missing data"),
                                        tr("Accept that %1 has less than before?", "a source").arg(shownName(name)),
                                        consequence, window());
    box->setAttribute(Qt::WA_DeleteOnClose);
    auto *accept = box->addButton(tr("Accept missing data"), Box::DestructiveRole);
    QPushButton *cancel = box->addButton(Box::Cancel);
    box->setDefaultButton(cancel);
    box->setEscapeButton(cancel);
    connect(accept, &QPushButton::clicked, this, [this, name] { m_model.acceptLoss(name); });
    box->open();
}

QWidget *SourcesPage::makeHeader()
{
    auto *bar = m_header = new QWidget;
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    m_title = widgets::plainLabel(m_context.theme, tr("Where the figures come from"), widgets::TextSize::Section,
                                  widgets::Color::Text, QFont::DemiBold, bar);
    layout->addWidget(m_title);
    layout->addStretch();
    m_add = new QPushButton(m_context.configFile.empty() ? tr("Connect your own…") : tr("Add source…"), bar);
    widgets::setPrimary(m_add);
    layout->addWidget(m_add);
    connect(m_add, &QPushButton::clicked, this, [this] {
        if (!m_context.configFile.empty())
            addSource(m_context, window());
        else if (m_context.startAnother) // demo fleet: the user's own data open in a separate window
            m_context.startAnother({linkToAdd()});
    });
    return bar;
}

void SourcesPage::showData()
{
    showCards();
    m_panel->showData();
}

void SourcesPage::showError()
{
    m_panel->showError(
        {tr("The sources can't be shown"), LocalText::sentence(m_model.error()), {}, tr("Try again"), {}});
}

void SourcesPage::stateShown()
{
    m_header->setVisible(m_model.state() != PageState::FirstRun); // which offers the same in the centre
}

void SourcesPage::showCards()
{
    const auto &cards = m_model.cards();
    const bool same = std::equal(cards.begin(), cards.end(), m_views.begin(), m_views.end(),
                                 [](const SourceCard &card, const auto &view) { return card.name == view.first; });
    if (!same)
        makeViews();
    for (std::size_t i = 0; i < cards.size(); ++i)
        m_views[i].second->setCard(cards[i], !m_context.sync.running(), m_model.canChange());
}

void SourcesPage::makeViews()
{
    for (const auto &[name, view] : m_views)
        view->deleteLater();
    m_views.clear();
    for (const SourceCard &card : m_model.cards()) {
        auto *view = new SourceCardView(m_context.theme, *m_model.testOf(card.name), m_board);
        const std::string name = card.name;
        connect(view, &SourceCardView::syncRequested, this, [this, name] { m_model.sync(name); });
        connect(view, &SourceCardView::acceptRequested, this, [this, name] { askToAccept(name); });
        connect(view, &SourceCardView::stopRequested, &m_model, &SourcesViewModel::stopSync);
        connect(view, &SourceCardView::testRequested, this, [this, name] { m_model.test(name); });
        connect(view, &SourceCardView::editRequested, this, [this, name] { editSource(name); });
        connect(view, &SourceCardView::removeRequested, this, [this, name] { askToRemove(name); });
        m_views.emplace_back(name, view);
    }
    m_columns = 0;
    placeCards();
    // Created after the rules below them, Tab would reach them last.
    QWidget *before = m_add;
    for (const auto &[name, view] : m_views) {
        for (QWidget *control : view->findChildren<QWidget *>()) {
            if ((control->focusPolicy() & Qt::TabFocus) == Qt::TabFocus) {
                setTabOrder(before, control);
                before = control;
            }
        }
    }
}

void SourcesPage::placeCards()
{
    const int side = m_context.theme.space(Space::Large);
    const int columns = std::max(1, (width() - 2 * side) / kCardWidth);
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (int column = 0; column < m_grid->columnCount(); ++column)
        m_grid->setColumnStretch(column, 0);
    int at = 0;
    for (const auto &[name, view] : m_views) {
        view->setMaximumWidth(kWidestCard);
        m_grid->addWidget(view, at / columns, at % columns, Qt::AlignTop);
        ++at;
    }
    for (int column = 0; column < columns; ++column)
        m_grid->setColumnStretch(column, 1);
}

void SourcesPage::restore(const QUrlQuery &place)
{
    if (!place.hasQueryItem(kAddKey) || m_isAdding)
        return;
    m_isAdding = true;
    // After the window is shown; then the place is without it, so that the dialog does not come back by itself.
    QTimer::singleShot(0, this, [this] {
        m_isAdding = false;
        if (!m_context.configFile.empty())
            addSource(m_context, window());
        Q_EMIT placeChanged();
    });
}

bool SourcesPage::perform(PageAction action)
{
    if (action != PageAction::OwnerRules || m_model.state() == PageState::FirstRun)
        return false;
    m_scroll->ensureWidgetVisible(m_rules->table());
    m_rules->table()->setFocus(Qt::ShortcutFocusReason);
    return true;
}

bool SourcesPage::settled() const
{
    const bool hasRules = m_model.state() == PageState::Data || m_model.state() == PageState::Empty;
    return m_model.state() != PageState::Loading && (!hasRules || m_rules->settled());
}

void SourcesPage::refresh()
{
    m_model.refresh();
    m_owners.refresh();
}

void SourcesPage::setActive(bool active)
{
    m_model.setActive(active);
    m_owners.setActive(active);
}

void SourcesPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    placeCards();
}

} // namespace gpuledger::ui
