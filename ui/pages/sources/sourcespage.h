// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/statepage.h"
#include "ui/viewmodels/owners/ownerrulesviewmodel.h"
#include "ui/viewmodels/sources/sourcesviewmodel.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace gpuledger::ui {

class OwnerRulesCard;
class SourceCardView;

// The sources of the figures: a card for each source with its test, actions to add, change and remove sources, and the
// owner rules. Layout and bindings only: the state is in the view models.
class SourcesPage : public StatePage {
    Q_OBJECT
public:
    SourcesPage(const PageContext &context, QWidget *parent = nullptr);

    // `add` opens the dialog that adds a source, once.
    void restore(const QUrlQuery &place) override;
    bool perform(PageAction action) override;
    void setScope(const Scope &) override { } // the state of sources does not depend on the scope
    bool usesCostView() const override { return false; }
    bool settled() const override;
    void refresh() override;
    void setActive(bool active) override;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeHeader();
    PageState state() const override { return m_model.state(); }
    void showData() override;
    void showEmpty() override { showData(); }
    void showError() override;
    void stateShown() override;
    void showCards();
    void makeViews();
    void placeCards();
    void bindSaving();
    void editSource(const std::string &name);
    void askToRemove(const std::string &name);
    void askToAccept(const std::string &name);
    // Reports what was saved, and offers to restore the previous file.
    void tellSaved(const QString &text, const services::FileChange &change);
    void tellFailed(const QString &sentence, bool isOtherNow);

    SourcesViewModel m_model;
    OwnerRulesViewModel m_owners;
    QWidget *m_header = nullptr;
    QLabel *m_title = nullptr;
    QPushButton *m_add = nullptr;
    OwnerRulesCard *m_rules = nullptr;
    QString m_saved; // the message after the running save
    QScrollArea *m_scroll = nullptr;
    QGridLayout *m_grid = nullptr;
    QWidget *m_board = nullptr;
    std::vector<std::pair<std::string, SourceCardView *>> m_views;
    int m_columns = 0;
    bool m_isAdding = false; // about to open the dialog
};

} // namespace gpuledger::ui
