// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/savings/proposals/proposal.h"
#include "ui/format/savings/savingsphrase.h"

#include <QtGlobal>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What a proposal says, for tests. Needs gpuledger_format.
namespace gpuledger::tests {

inline bool isExcludedBy(const savings::Proposal &proposal, savings::RemarkText text)
{
    return proposal.excludedBy && proposal.excludedBy->text == text;
}

inline bool hasRisk(const savings::Proposal &proposal, savings::RemarkText text)
{
    return std::any_of(proposal.risks.begin(), proposal.risks.end(),
                       [&](const savings::Remark &risk) { return risk.text == text; });
}

// In English, as the command line writes it; empty: nothing is said.
inline std::string said(const std::optional<savings::Remark> &remark)
{
    return remark ? ui::textOf(*remark).english() : std::string();
}

inline std::string saidOf(const savings::Proposal &proposal, savings::RemarkText risk)
{
    const auto found = std::find_if(proposal.risks.begin(), proposal.risks.end(),
                                    [&](const savings::Remark &one) { return one.text == risk; });
    return found == proposal.risks.end() ? std::string() : said(*found);
}

// The value of a label; empty: there is none.
inline std::string evidenceOf(const savings::Proposal &proposal, const std::string &label)
{
    for (const savings::Evidence &one : proposal.evidence) {
        if (ui::textOf(one.label).english() == label)
            return ui::valueOf(one.value).english();
    }
    return {};
}

// True if the text has a placeholder for each of its terms and no other, and so have the remarks within it.
inline bool areTermsRight(const savings::Remark &remark)
{
    const std::string text(savings::englishOf(remark.text));
    std::vector<bool> named(9, false);
    for (std::size_t at = text.find('%'); at != std::string::npos; at = text.find('%', at + 1)) {
        const char digit = at + 1 < text.size() ? text[at + 1] : ' ';
        if (digit >= '1' && digit <= '9')
            named[static_cast<std::size_t>(digit - '1')] = true;
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
        if (named[i] != (i < remark.terms.size()))
            return false;
    }
    return std::all_of(remark.terms.begin(), remark.terms.end(), [](const savings::RemarkTerm &term) {
        const bool isRemark = term.kind == savings::RemarkTerm::Kind::Remark;
        return term.remark.size() == (isRemark ? 1U : 0U) && (!isRemark || areTermsRight(term.remark.front()));
    });
}

// The proposal, each remark of which has the terms of its text; otherwise the test ends.
inline savings::Proposal checked(savings::Proposal proposal)
{
    std::vector<savings::Remark> all = proposal.risks;
    if (proposal.excludedBy)
        all.push_back(*proposal.excludedBy);
    for (const savings::Evidence &one : proposal.evidence) {
        all.push_back(one.label);
        all.push_back({savings::RemarkText::CardNumber, {one.value}}); // any text with one term
    }
    for (const savings::Remark &remark : all) {
        if (!areTermsRight(remark))
            qFatal("%s: its terms are not those of the text: %s", proposal.id.c_str(), said(remark).c_str());
    }
    return proposal;
}

inline std::vector<savings::Proposal> checked(std::vector<savings::Proposal> proposals)
{
    for (savings::Proposal &one : proposals)
        one = checked(std::move(one));
    return proposals;
}

} // namespace gpuledger::tests
