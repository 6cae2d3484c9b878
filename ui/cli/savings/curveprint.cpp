// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cli/savings/curveprint.h"

#include "ui/format/savings/savingsphrase.h"

#include <string>

namespace gpuledger::cli {

namespace {

std::string unitOfCurve(const savings::CurveAxis &axis)
{
    return axis.unit == savings::CurveUnit::Amount ? axis.currency : savings::toString(axis.unit);
}

Json pointJson(const savings::ProposalCurve &curve, std::size_t at)
{
    Json point{{"x", curve.x[at]}, {"y", Json::array()}};
    for (const savings::CurveLine &line : curve.lines)
        point["y"].push_back(line.y[at]);
    if (!curve.p10.empty()) {
        point["p10"] = curve.p10[at];
        point["p90"] = curve.p90[at];
    }
    if (!curve.shaded.empty())
        point["shaded"] = static_cast<bool>(curve.shaded[at]);
    return point;
}

} // namespace

Json curveJson(const std::optional<savings::ProposalCurve> &curve)
{
    if (!curve)
        return nullptr;
    const auto english = [](const savings::Remark &remark) { return ui::textOf(remark).english(); };
    Json json{{"title", english(curve->title)}, {"x_name", english(curve->xAxis.name)}};
    json["x_unit"] = unitOfCurve(curve->xAxis);
    json["y_name"] = english(curve->yAxis.name);
    json["y_unit"] = unitOfCurve(curve->yAxis);
    json["lines"] = Json::array();
    for (const savings::CurveLine &line : curve->lines)
        json["lines"].push_back(english(line.name));
    json["points"] = Json::array();
    for (std::size_t i = 0; i < curve->x.size(); ++i)
        json["points"].push_back(pointJson(*curve, i));
    json["shaded"] = curve->shaded.empty() ? Json(nullptr) : Json(english(curve->shadedName));
    json["marks"] = Json::array();
    for (const savings::CurveMark &mark : curve->marks)
        json["marks"].push_back({{"name", english(mark.name)}, {"x", mark.x}});
    json["reference"] =
        curve->reference ? Json{{"name", english(curve->reference->name)}, {"y", curve->reference->y}} : Json(nullptr);
    return json;
}

} // namespace gpuledger::cli
