// SPDX-License-Identifier: GPL-3.0-or-later
// The crontab of a schedule around holidays.
#include "app/base/time/time.h"
#include "app/savings/schedule/schedulehow.h"
#include "tests/support/suite.h"

#include <QtTest>

namespace tst_schedulehow {

using namespace gpuledger;
using namespace gpuledger::savings;

class TestScheduleHow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cronLinesLeaveHolidaysOff()
    {
        ScheduleWorkload one;
        one.nameSpace = "ml";
        one.controllerKind = "Deployment";
        one.controllerName = "nb";
        const std::string change = "kubectl -n 'ml' scale deployment/'nb' --replicas=";
        const std::string today = "case \"$(TZ=UTC date +\\%F)\" in ";
        const std::int32_t wednesday = base::dayOf(base::parseTime("2026-12-30").value()).number;
        QCOMPARE(scheduleHow(one, schedulePolicies()[1], "UTC", {wednesday, wednesday + 2}),
                 "CRON_TZ=UTC\n0 0 * * 6 " + change + "0\n0 0 * * 1 " + today + "2026-12-30|2027-01-01) ;; *) " + change
                     + "1 ;; esac\n0 0 30 12 * " + today + "2026-12-30) " + change + "0 ;; esac\n0 0 31 12 * " + today
                     + "2026-12-31) " + change + "1 ;; esac\n0 0 1 1 * " + today + "2027-01-01) " + change
                     + "0 ;; esac\n");
        QCOMPARE(scheduleHow(one, schedulePolicies()[0], "UTC", {wednesday}),
                 "CRON_TZ=UTC\n0 20 * * * " + change + "0\n0 7 * * * " + today + "2026-12-30) ;; *) " + change
                     + "1 ;; esac\n");
    }
};

GPULEDGER_SUITE(TestScheduleHow)

} // namespace tst_schedulehow

#include "tst_schedulehow.moc"
