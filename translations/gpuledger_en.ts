<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>gpuledger::ui::ActionWords</name>
    <message numerus="yes">
        <source>Bringing back: %1 of %n workload(s) verified</source>
        <translation>
            <numerusform>Bringing back: %1 of %n workload verified</numerusform>
            <numerusform>Bringing back: %1 of %n workloads verified</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopping: %1 of %n workload(s) verified</source>
        <translation>
            <numerusform>Stopping: %1 of %n workload verified</numerusform>
            <numerusform>Stopping: %1 of %n workloads verified</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Brought back %n workload(s).</source>
        <translation>
            <numerusform>Brought back %n workload.</numerusform>
            <numerusform>Brought back %n workloads.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopped %n workload(s).</source>
        <translation>
            <numerusform>Stopped %n workload.</numerusform>
            <numerusform>Stopped %n workloads.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ActivityPage</name>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AlertEditor</name>
    <message numerus="yes">
        <source>%1 of %n were over within an hour, too soon to act on.</source>
        <comment>notices</comment>
        <translation>
            <numerusform>%1 of %n was over within an hour, too soon to act on.</numerusform>
            <numerusform>%1 of %n were over within an hour, too soon to act on.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AlertTables</name>
    <message numerus="yes">
        <source>%1, and %n more</source>
        <comment>teams that one message is about</comment>
        <translation>
            <numerusform>%1, and %n more</numerusform>
            <numerusform>%1, and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AlertText</name>
    <message numerus="yes">
        <source>%n times</source>
        <translation>
            <numerusform>%n time</numerusform>
            <numerusform>%n times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::BudgetsViewModel</name>
    <message numerus="yes">
        <source>The budgets of %n more source(s) could not be read.</source>
        <translation>
            <numerusform>The budgets of %n more source could not be read.</numerusform>
            <numerusform>The budgets of %n more sources could not be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Not compared: %n budget(s).</source>
        <translation>
            <numerusform>Not compared: %n budget.</numerusform>
            <numerusform>Not compared: %n budgets.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Left out: %n budget(s) of hours or shares instead of money.</source>
        <translation>
            <numerusform>Left out: %n budget of hours or shares instead of money.</numerusform>
            <numerusform>Left out: %n budgets of hours or shares instead of money.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Left out: %n budget(s) that can&apos;t be read.</source>
        <translation>
            <numerusform>Left out: %n budget that can&apos;t be read.</numerusform>
            <numerusform>Left out: %n budgets that can&apos;t be read.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ChoiceDialog</name>
    <message numerus="yes">
        <source>A text may have at most %n byte(s).</source>
        <translation>
            <numerusform>A text may have at most %n byte.</numerusform>
            <numerusform>A text may have at most %n bytes.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ClaimsViewModel</name>
    <message numerus="yes">
        <source>Not compared: %n claim(s).</source>
        <translation>
            <numerusform>Not compared: %n claim.</numerusform>
            <numerusform>Not compared: %n claims.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CommitmentsTable</name>
    <message numerus="yes">
        <source>in %n day(s)</source>
        <translation>
            <numerusform>in %n day</numerusform>
            <numerusform>in %n days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CommitmentsViewModel</name>
    <message numerus="yes">
        <source>And %n more figure(s) of coverage.</source>
        <translation>
            <numerusform>And %n more figure of coverage.</numerusform>
            <numerusform>And %n more figures of coverage.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Commitments are read from %n more source(s).</source>
        <translation>
            <numerusform>Commitments are read from %n more source.</numerusform>
            <numerusform>Commitments are read from %n more sources.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>And %n more thing(s) can&apos;t be read.</source>
        <translation>
            <numerusform>And %n more thing can&apos;t be read.</numerusform>
            <numerusform>And %n more things can&apos;t be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Left out: %n row(s) for machines without GPUs.</source>
        <translation>
            <numerusform>Left out: %n row for machines without GPUs.</numerusform>
            <numerusform>Left out: %n rows for machines without GPUs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Left out: %n row(s) that can&apos;t be read.</source>
        <translation>
            <numerusform>Left out: %n row that can&apos;t be read.</numerusform>
            <numerusform>Left out: %n rows that can&apos;t be read.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ComparePanel</name>
    <message numerus="yes">
        <source>%n GPUs</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more provider(s) in the table</source>
        <translation>
            <numerusform>and %n more provider in the table</numerusform>
            <numerusform>and %n more providers in the table</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more owned machine(s) of the configuration</source>
        <translation>
            <numerusform>and %n more owned machine of the configuration</numerusform>
            <numerusform>and %n more owned machines of the configuration</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CompareTable</name>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CompareViewModel</name>
    <message numerus="yes">
        <source>%n rows of the price lists have no price that can be compared</source>
        <translation>
            <numerusform>%n row of the price lists has no price that can be compared</numerusform>
            <numerusform>%n rows of the price lists have no price that can be compared</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n price lists could not be read at the last sync; their stored prices are compared</source>
        <translation>
            <numerusform>%n price list could not be read at the last sync; its stored prices are compared</numerusform>
            <numerusform>%n price lists could not be read at the last sync; their stored prices are compared</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The times of %n price lists lie in the future: the clock of this computer is behind, or it was ahead at the last sync, which the next one corrects</source>
        <translation>
            <numerusform>The time of %n price list lies in the future: the clock of this computer is behind, or it was ahead at the last sync, which the next one corrects</numerusform>
            <numerusform>The times of %n price lists lie in the future: the clock of this computer is behind, or it was ahead at the last sync, which the next one corrects</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n price lists have no stored prices yet</source>
        <translation>
            <numerusform>%n price list has no stored prices yet</numerusform>
            <numerusform>%n price lists have no stored prices yet</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DesktopNotices</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::FilterBar</name>
    <message numerus="yes">
        <source>%n teams</source>
        <translation>
            <numerusform>%n team</numerusform>
            <numerusform>%n teams</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdlePage</name>
    <message numerus="yes">
        <source>%n workload(s) can&apos;t be judged: too little of the window was observed.</source>
        <translation>
            <numerusform>%n workload can&apos;t be judged: too little of the window was observed.</numerusform>
            <numerusform>%n workloads can&apos;t be judged: too little of the window was observed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle workloads</source>
        <translation>
            <numerusform>%n idle workload</numerusform>
            <numerusform>%n idle workloads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n selected</numerusform>
            <numerusform>%n selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copy %n selected</source>
        <translation>
            <numerusform>Copy %n selected</numerusform>
            <numerusform>Copy %n selected</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle workload(s) that would serve it are not in this list: remove the filter.</source>
        <translation>
            <numerusform>%n idle workload that would serve it is not in this list: remove the filter.</numerusform>
            <numerusform>%n idle workloads that would serve it are not in this list: remove the filter.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle workload(s) on %1</source>
        <comment>time at which the data end</comment>
        <translation>
            <numerusform>%n idle workload on %1</numerusform>
            <numerusform>%n idle workloads on %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>&amp;Stop %n selected…</source>
        <translation>
            <numerusform>&amp;Stop %n selected…</numerusform>
            <numerusform>&amp;Stop %n selected…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleRuleDialog</name>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleRuleText</name>
    <message numerus="yes">
        <source>%n stop(s) came too late in this time to tell whether they were false.</source>
        <translation>
            <numerusform>%n stop came too late in this time to tell whether it was false.</numerusform>
            <numerusform>%n stops came too late in this time to tell whether they were false.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleStop</name>
    <message numerus="yes">
        <source>%n workload(s)</source>
        <comment>to be marked</comment>
        <translation>
            <numerusform>%n workload</numerusform>
            <numerusform>%n workloads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workload(s) will be stopped after %1 unless someone objects. Nobody was notified.</source>
        <comment>time</comment>
        <translation>
            <numerusform>%n workload will be stopped after %1 unless someone objects. Nobody was notified.</numerusform>
            <numerusform>%n workloads will be stopped after %1 unless someone objects. Nobody was notified.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleTable</name>
    <message numerus="yes">
        <source>%n workloads</source>
        <translation>
            <numerusform>%n workload</numerusform>
            <numerusform>%n workloads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleText</name>
    <message numerus="yes">
        <source>%n devices</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of all workloads</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n idle time of all workloads</numerusform>
            <numerusform>%n idle times of all workloads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of workloads without a kind</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n idle time of workloads without a kind</numerusform>
            <numerusform>%n idle times of workloads without a kind</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of the kind %1</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n idle time of the kind %1</numerusform>
            <numerusform>%n idle times of the kind %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of the team&apos;s workloads without a kind</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n idle time of the team&apos;s workloads without a kind</numerusform>
            <numerusform>%n idle times of the team&apos;s workloads without a kind</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of the team&apos;s workloads of the kind %1</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n idle time of the team&apos;s workloads of the kind %1</numerusform>
            <numerusform>%n idle times of the team&apos;s workloads of the kind %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of this workload, and those of its team</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n idle time of this workload, and those of its team</numerusform>
            <numerusform>%n idle times of this workload, and those of its team</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more pod(s)</source>
        <translation>
            <numerusform>%n more pod</numerusform>
            <numerusform>%n more pods</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::LocalText</name>
    <message numerus="yes">
        <source>%n s</source>
        <comment>age in seconds</comment>
        <translation>
            <numerusform>%n s</numerusform>
            <numerusform>%n s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n min</source>
        <comment>age in minutes</comment>
        <translation>
            <numerusform>%n min</numerusform>
            <numerusform>%n min</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n h</source>
        <comment>age in hours</comment>
        <translation>
            <numerusform>%n h</numerusform>
            <numerusform>%n h</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n d</source>
        <comment>age in days</comment>
        <translation>
            <numerusform>%n d</numerusform>
            <numerusform>%n d</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Synced %n sources</source>
        <translation>
            <numerusform>Synced %n source</numerusform>
            <numerusform>Synced %n sources</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <comment>sources</comment>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n instance types</source>
        <translation>
            <numerusform>%n instance type</numerusform>
            <numerusform>%n instance types</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Meeting</name>
    <message numerus="yes">
        <source>%n more team(s)</source>
        <translation>
            <numerusform>%n more team</numerusform>
            <numerusform>%n more teams</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::MeetingSlideView</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::NavigationRail</name>
    <message numerus="yes">
        <source>%n firing</source>
        <comment>alerts</comment>
        <translation>
            <numerusform>%n firing</numerusform>
            <numerusform>%n firing</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewBudgets</name>
    <message numerus="yes">
        <source>%n day(s) of it are unknown and estimated.</source>
        <translation>
            <numerusform>%n day of it is unknown and estimated.</numerusform>
            <numerusform>%n days of it are unknown and estimated.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n day(s) with unfinished bills are completed by what such days used to gain.</source>
        <translation>
            <numerusform>%n day with an unfinished bill is completed by what such days used to gain.</numerusform>
            <numerusform>%n days with unfinished bills are completed by what such days used to gain.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewFound</name>
    <message numerus="yes">
        <source>+ %n more currency(ies)</source>
        <translation>
            <numerusform>+ %n more currency</numerusform>
            <numerusform>+ %n more currencies</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>found in %n other currency(ies) only</source>
        <translation>
            <numerusform>found in %n other currency only</numerusform>
            <numerusform>found in %n other currencies only</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewText</name>
    <message numerus="yes">
        <source>%n workload(s), no price known</source>
        <translation>
            <numerusform>%n workload, no price known</numerusform>
            <numerusform>%n workloads, no price known</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OwnerRulesPreview</name>
    <message numerus="yes">
        <source>%n unowned workloads</source>
        <translation>
            <numerusform>%n unowned workload</numerusform>
            <numerusform>%n unowned workloads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n teams gain or lose by the changed rules.</source>
        <translation>
            <numerusform>%n team gains or loses by the changed rules.</numerusform>
            <numerusform>%n teams gain or lose by the changed rules.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 names the owner of %2 of it, %n teams</source>
        <comment>a label, a share</comment>
        <translation>
            <numerusform>%1 names the owner of %2 of it, %n team</numerusform>
            <numerusform>%1 names the owner of %2 of it, %n teams</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 covers %2 of the unowned cost of bills, %n teams</source>
        <comment>a tag, a share</comment>
        <translation>
            <numerusform>%1 covers %2 of the unowned cost of bills, %n team</numerusform>
            <numerusform>%1 covers %2 of the unowned cost of bills, %n teams</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Phrase</name>
    <message numerus="yes">
        <source>%n devices</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n MIG instances</source>
        <translation>
            <numerusform>%n MIG instance</numerusform>
            <numerusform>%n MIG instances</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n metric names</source>
        <translation>
            <numerusform>%n metric name</numerusform>
            <numerusform>%n metric names</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU pods</source>
        <translation>
            <numerusform>%n GPU pod</numerusform>
            <numerusform>%n GPU pods</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n namespaces</source>
        <translation>
            <numerusform>%n namespace</numerusform>
            <numerusform>%n namespaces</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n targets</source>
        <translation>
            <numerusform>%n target</numerusform>
            <numerusform>%n targets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n made-up GPUs</source>
        <translation>
            <numerusform>%n made-up GPU</numerusform>
            <numerusform>%n made-up GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n clusters</source>
        <translation>
            <numerusform>%n cluster</numerusform>
            <numerusform>%n clusters</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n day</numerusform>
            <numerusform>%n days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n line</numerusform>
            <numerusform>%n lines</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n file</numerusform>
            <numerusform>%n files</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <translation>
            <numerusform>%n row</numerusform>
            <numerusform>%n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n earlier months</source>
        <translation>
            <numerusform>%n earlier month</numerusform>
            <numerusform>%n earlier months</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more parts of the month</source>
        <translation>
            <numerusform>%n more part of the month</numerusform>
            <numerusform>%n more parts of the month</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more accounts</source>
        <translation>
            <numerusform>%n more account</numerusform>
            <numerusform>%n more accounts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::PlannedViewModel</name>
    <message numerus="yes">
        <source>Left out without GPUs: %n group(s) of machines.</source>
        <translation>
            <numerusform>Left out without GPUs: %n group of machines.</numerusform>
            <numerusform>Left out without GPUs: %n groups of machines.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ProofRows</name>
    <message numerus="yes">
        <source>%1 and %n like it</source>
        <translation>
            <numerusform>%1 and %n like it</numerusform>
            <numerusform>%1 and %n like it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ProofText</name>
    <message numerus="yes">
        <source>And %n smaller row(s) with %1.</source>
        <translation>
            <numerusform>And %n smaller row with %1.</numerusform>
            <numerusform>And %n smaller rows with %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsTable</name>
    <message numerus="yes">
        <source>%n proposal(s)</source>
        <translation>
            <numerusform>%n proposal</numerusform>
            <numerusform>%n proposals</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsText</name>
    <message numerus="yes">
        <source>%n proposal(s)</source>
        <translation>
            <numerusform>%n proposal</numerusform>
            <numerusform>%n proposals</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n accepted, too early to measure</source>
        <translation>
            <numerusform>%n accepted, too early to measure</numerusform>
            <numerusform>%n accepted, too early to measure</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n accepted, can&apos;t be measured</source>
        <translation>
            <numerusform>%n accepted, can&apos;t be measured</numerusform>
            <numerusform>%n accepted, can&apos;t be measured</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n accepted, not measured yet</source>
        <translation>
            <numerusform>%n accepted, not measured yet</numerusform>
            <numerusform>%n accepted, not measured yet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stop(s)</source>
        <translation>
            <numerusform>%n stop</numerusform>
            <numerusform>%n stops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stop(s), nothing claimed</source>
        <translation>
            <numerusform>%n stop, nothing claimed</numerusform>
            <numerusform>%n stops, nothing claimed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ShowbackPage</name>
    <message numerus="yes">
        <source>Saved %n statements in %1</source>
        <translation>
            <numerusform>Saved %n statement in %1</numerusform>
            <numerusform>Saved %n statements in %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopped after %n statement(s).</source>
        <translation>
            <numerusform>Stopped after %n statement.</numerusform>
            <numerusform>Stopped after %n statements.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourceLoss</name>
    <message numerus="yes">
        <source>The server has less data for %n days than before: %1 instead of %2. The fuller figures are kept until you decide.</source>
        <translation>
            <numerusform>The server has less data for %n day than before: %1 instead of %2. The fuller figures are kept until you decide.</numerusform>
            <numerusform>The server has less data for %n days than before: %1 instead of %2. The fuller figures are kept until you decide.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The server has less data for %n days than before. The fuller figures are kept until you decide.</source>
        <translation>
            <numerusform>The server has less data for %n day than before. The fuller figures are kept until you decide.</numerusform>
            <numerusform>The server has less data for %n days than before. The fuller figures are kept until you decide.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more days</source>
        <translation>
            <numerusform>and %n more day</numerusform>
            <numerusform>and %n more days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The last sync lacked %n series that were there before. That time is fetched again until you decide.</source>
        <translation>
            <numerusform>The last sync lacked %n series that was there before. That time is fetched again until you decide.</numerusform>
            <numerusform>The last sync lacked %n series that were there before. That time is fetched again until you decide.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n devices</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>From %1 to %2 the source lacks %n series (%3, %4 device-hours).</source>
        <comment>two times; devices; hours</comment>
        <translation>
            <numerusform>From %1 to %2 the source lacks %n series (%3, %4 device-hours).</numerusform>
            <numerusform>From %1 to %2 the source lacks %n series (%3, %4 device-hours).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourceRow</name>
    <message numerus="yes">
        <source>%n more</source>
        <comment>sources</comment>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourcesViewModel</name>
    <message numerus="yes">
        <source>%n GPUs</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n node</numerusform>
            <numerusform>%n nodes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Counted twice: %1 in %2, on %n days; billed %3.</source>
        <comment>an account, a month, amounts</comment>
        <translation>
            <numerusform>Counted twice: %1 in %2, on %n day; billed %3.</numerusform>
            <numerusform>Counted twice: %1 in %2, on %n days; billed %3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The same for %n more accounts and months.</source>
        <translation>
            <numerusform>The same for %n more account or month.</numerusform>
            <numerusform>The same for %n more accounts and months.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StaleBar</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <comment>names of sources</comment>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StatementSavings</name>
    <message numerus="yes">
        <source>Found: %n proposal(s)</source>
        <translation>
            <numerusform>Found: %n proposal</numerusform>
            <numerusform>Found: %n proposals</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Realized so far: %n proposal(s)</source>
        <translation>
            <numerusform>Realized so far: %n proposal</numerusform>
            <numerusform>Realized so far: %n proposals</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stop(s)</source>
        <translation>
            <numerusform>%n stop</numerusform>
            <numerusform>%n stops</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Realized so far: %n proposal(s), %1</source>
        <comment>&quot;3 stops&quot;</comment>
        <translation>
            <numerusform>Realized so far: %n proposal, %1</numerusform>
            <numerusform>Realized so far: %n proposals, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StatusLine</name>
    <message numerus="yes">
        <source>%n GPUs</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StopDialog</name>
    <message numerus="yes">
        <source>&amp;Stop %n workloads</source>
        <translation>
            <numerusform>&amp;Stop %n workload</numerusform>
            <numerusform>&amp;Stop %n workloads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n commands copied.</source>
        <translation>
            <numerusform>%n command copied.</numerusform>
            <numerusform>%n commands copied.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workloads can&apos;t be stopped with kubectl.</source>
        <translation>
            <numerusform>%n workload can&apos;t be stopped with kubectl.</numerusform>
            <numerusform>%n workloads can&apos;t be stopped with kubectl.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StopTable</name>
    <message numerus="yes">
        <source>%n checks passed</source>
        <translation>
            <numerusform>%n check passed</numerusform>
            <numerusform>%n checks passed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SyncNotice</name>
    <message numerus="yes">
        <source>%1 has less data for %n days than before; the fuller figures are kept until you decide.</source>
        <comment>a source</comment>
        <translation>
            <numerusform>%1 has less data for %n day than before; the fuller figures are kept until you decide.</numerusform>
            <numerusform>%1 has less data for %n days than before; the fuller figures are kept until you decide.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sources have less data than before; the fuller figures are kept until you decide.</source>
        <translation>
            <numerusform>%n source has less data than before; the fuller figures are kept until you decide.</numerusform>
            <numerusform>%n sources have less data than before; the fuller figures are kept until you decide.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::WaitingTable</name>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n waiting</numerusform>
            <numerusform>%n waiting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::WaitingViewModel</name>
    <message numerus="yes">
        <source>%n jobs waiting for GPUs</source>
        <translation>
            <numerusform>%n job waiting for GPUs</numerusform>
            <numerusform>%n jobs waiting for GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle workloads</source>
        <translation>
            <numerusform>%n idle workload</numerusform>
            <numerusform>%n idle workloads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopping %1 would serve %n of them</source>
        <translation>
            <numerusform>Stopping %1 would serve %n of them</numerusform>
            <numerusform>Stopping %1 would serve %n of them</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::ChipRow</name>
    <message numerus="yes">
        <source>%n more filters</source>
        <translation>
            <numerusform>%n more filter</numerusform>
            <numerusform>%n more filters</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::LineChart</name>
    <message numerus="yes">
        <source>%n points not observed</source>
        <translation>
            <numerusform>%n point not observed</numerusform>
            <numerusform>%n points not observed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::Sparkline</name>
    <message numerus="yes">
        <source>%n values</source>
        <comment>of a line</comment>
        <translation>
            <numerusform>%n value</numerusform>
            <numerusform>%n values</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not observed</source>
        <comment>of the values of a line</comment>
        <translation>
            <numerusform>%n not observed</numerusform>
            <numerusform>%n not observed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::StackedBarChart</name>
    <message numerus="yes">
        <source>%n bars, none observed</source>
        <translation>
            <numerusform>%n bar, none observed</numerusform>
            <numerusform>%n bars, none observed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bars from %1 to %2</source>
        <translation>
            <numerusform>%n bar from %1 to %2</numerusform>
            <numerusform>%n bars from %1 to %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not observed</source>
        <comment>bars</comment>
        <translation>
            <numerusform>%n not observed</numerusform>
            <numerusform>%n not observed</numerusform>
        </translation>
    </message>
</context>
</TS>
