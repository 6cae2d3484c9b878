<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>gpuledger::ui::ActionWords</name>
    <message numerus="yes">
        <source>Bringing back: %1 of %n workload(s) verified</source>
        <translation>
            <numerusform>%n Workload wird zurückgeholt, %1 bestätigt</numerusform>
            <numerusform>%n Workloads werden zurückgeholt, %1 bestätigt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopping: %1 of %n workload(s) verified</source>
        <translation>
            <numerusform>%n Workload wird gestoppt, %1 bestätigt</numerusform>
            <numerusform>%n Workloads werden gestoppt, %1 bestätigt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Brought back %n workload(s).</source>
        <translation>
            <numerusform>%n Workload zurückgeholt.</numerusform>
            <numerusform>%n Workloads zurückgeholt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopped %n workload(s).</source>
        <translation>
            <numerusform>%n Workload gestoppt.</numerusform>
            <numerusform>%n Workloads gestoppt.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was not: %2</source>
        <comment>object, why</comment>
        <translation>%1 nicht: %2</translation>
    </message>
    <message>
        <source>Free: %1, %2 a month.</source>
        <translation>Frei: %1, %2 im Monat.</translation>
    </message>
    <message>
        <source>Free: %1.</source>
        <translation>Frei: %1.</translation>
    </message>
    <message>
        <source>On a simulated platform: nothing real was stopped.</source>
        <translation>Auf einer simulierten Plattform: Nichts Echtes wurde gestoppt.</translation>
    </message>
    <message>
        <source>Not everything went as requested.</source>
        <translation>Nicht alles ging wie gewünscht.</translation>
    </message>
    <message>
        <source>%1 scaled from %2 to %3</source>
        <comment>kind of object, numbers of replicas</comment>
        <translation>%1 von %2 auf %3 skaliert</translation>
    </message>
    <message>
        <source>%1 suspended</source>
        <comment>kind of object</comment>
        <translation>%1 angehalten</translation>
    </message>
    <message>
        <source>%1 resumed</source>
        <comment>kind of object</comment>
        <translation>%1 fortgesetzt</translation>
    </message>
    <message>
        <source>%1 suspended through its queue</source>
        <comment>kind of object</comment>
        <translation>%1 über seine Warteschlange angehalten</translation>
    </message>
    <message>
        <source>%1 resumed through its queue</source>
        <comment>kind of object</comment>
        <translation>%1 über seine Warteschlange fortgesetzt</translation>
    </message>
    <message>
        <source>%1 stopped: annotation set</source>
        <comment>kind of object</comment>
        <translation>%1 gestoppt: Annotation gesetzt</translation>
    </message>
    <message>
        <source>%1 resumed: annotation removed</source>
        <comment>kind of object</comment>
        <translation>%1 fortgesetzt: Annotation entfernt</translation>
    </message>
    <message>
        <source>%1 resumed: annotation set back</source>
        <comment>kind of object</comment>
        <translation>%1 fortgesetzt: Annotation zurückgesetzt</translation>
    </message>
    <message>
        <source>%1 deleted</source>
        <comment>kind of object</comment>
        <translation>%1 gelöscht</translation>
    </message>
    <message>
        <source>%1 created again</source>
        <comment>kind of object</comment>
        <translation>%1 neu erstellt</translation>
    </message>
    <message>
        <source>%1 shut down</source>
        <comment>kind of object</comment>
        <translation>%1 heruntergefahren</translation>
    </message>
    <message>
        <source>%1 started</source>
        <comment>kind of object</comment>
        <translation>%1 gestartet</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ActivityEvidence</name>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Wer</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Eigentümer</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Per month if left idle</source>
        <translation>Pro Monat, wenn es so bleibt</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>Plattform</translation>
    </message>
    <message>
        <source>simulated: nothing real was stopped</source>
        <translation>simuliert: Nichts Echtes wurde gestoppt</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>Identität</translation>
    </message>
    <message>
        <source>Receipt</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>Brings back</source>
        <translation>Holt zurück</translation>
    </message>
    <message>
        <source>action %1</source>
        <translation>Aktion %1</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>Eintrag</translation>
    </message>
    <message>
        <source>Hash</source>
        <translation>Hash</translation>
    </message>
    <message>
        <source>Written</source>
        <translation>Geschrieben</translation>
    </message>
    <message>
        <source>Outcome</source>
        <comment>of a damaged cache</comment>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Damage</source>
        <translation>Schaden</translation>
    </message>
    <message>
        <source>repaired</source>
        <comment>a damaged cache</comment>
        <translation>behoben</translation>
    </message>
    <message>
        <source>what can&apos;t be fetched again was carried over</source>
        <translation>was nicht neu abgerufen werden kann, wurde übernommen</translation>
    </message>
    <message>
        <source>nothing could be carried over</source>
        <translation>nichts konnte übernommen werden</translation>
    </message>
    <message>
        <source>Planned change</source>
        <translation>Geplante Änderung</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Feld</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>Währung</translation>
    </message>
    <message>
        <source>accepted</source>
        <comment>a proposal of savings</comment>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>dismissed</source>
        <comment>a proposal of savings</comment>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>put off</source>
        <comment>a proposal of savings</comment>
        <translation>zurückgestellt</translation>
    </message>
    <message>
        <source>open again</source>
        <comment>a proposal of savings</comment>
        <translation>wieder offen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ActivityPage</name>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Activity can&apos;t be shown</source>
        <translation>Die Aktivität kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>No activity yet</source>
        <translation>Noch keine Aktivität</translation>
    </message>
    <message>
        <source>Everything you and others stop, bring back, sign off and decide is kept permanently.</source>
        <translation>Alles, was Sie und andere stoppen, zurückholen, freigeben und beschließen, bleibt dauerhaft erhalten.</translation>
    </message>
    <message>
        <source>1 entry</source>
        <translation>1 Eintrag</translation>
    </message>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n Eintrag</numerusform>
            <numerusform>%n Einträge</numerusform>
        </translation>
    </message>
    <message>
        <source>What happened</source>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>Checks beforehand</source>
        <translation>Vorherige Prüfungen</translation>
    </message>
    <message>
        <source>On the platform</source>
        <translation>Auf der Plattform</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>not known: %1</source>
        <translation>nicht bekannt: %1</translation>
    </message>
    <message>
        <source>checking…</source>
        <translation>wird geprüft…</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ActivityTable</name>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Wer</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>Nummer</translation>
    </message>
    <message>
        <source>stop</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>undo</source>
        <translation>zurückgeholt</translation>
    </message>
    <message>
        <source>review a month</source>
        <translation>Monat geprüft</translation>
    </message>
    <message>
        <source>close a month</source>
        <translation>Monat geschlossen</translation>
    </message>
    <message>
        <source>decide</source>
        <translation>entschieden</translation>
    </message>
    <message>
        <source>settle a decision</source>
        <translation>Entscheidung erledigt</translation>
    </message>
    <message>
        <source>withdraw a request</source>
        <translation>Wunsch zurückgenommen</translation>
    </message>
    <message>
        <source>request to leave alone</source>
        <translation>um Schonung gebeten</translation>
    </message>
    <message>
        <source>end a mark</source>
        <translation>Vormerkung beendet</translation>
    </message>
    <message>
        <source>postpone a mark</source>
        <translation>Vormerkung verschoben</translation>
    </message>
    <message>
        <source>mark for stopping</source>
        <translation>zum Stoppen vorgemerkt</translation>
    </message>
    <message>
        <source>review a team&apos;s statement</source>
        <translation>Abrechnung eines Teams geprüft</translation>
    </message>
    <message>
        <source>acknowledge a damaged cache</source>
        <translation>beschädigten Cache zur Kenntnis nehmen</translation>
    </message>
    <message>
        <source>%1, written %2 by this computer&apos;s clock</source>
        <comment>time that an entry says, time of its writing</comment>
        <translation>%1, geschrieben %2 nach der Uhr dieses Rechners</translation>
    </message>
    <message>
        <source>decide on a saving</source>
        <translation>über eine Einsparung entscheiden</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AdvancedRows</name>
    <message>
        <source>%1: NAME=VALUE, with semicolons between several</source>
        <comment>help of a setting</comment>
        <translation>%1: NAME=WERT, mehrere durch Semikolon getrennt</translation>
    </message>
    <message>
        <source>Hide advanced settings</source>
        <translation>Erweiterte Einstellungen verbergen</translation>
    </message>
    <message>
        <source>Show advanced settings</source>
        <translation>Erweiterte Einstellungen zeigen</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>Wie in der Datei</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AlertBar</name>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AlertEditor</name>
    <message>
        <source>The demo fleet has no configuration file: try rules here and see when they would have fired; they can&apos;t be saved.</source>
        <translation>Die Demoflotte hat keine Konfigurationsdatei: Regeln lassen sich hier ausprobieren, um zu sehen, wann sie ausgelöst hätten, aber nicht speichern.</translation>
    </message>
    <message>
        <source>Read the file again</source>
        <translation>Datei neu lesen</translation>
    </message>
    <message>
        <source>Delete rule</source>
        <translation>Regel löschen</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>Änderungen verwerfen</translation>
    </message>
    <message>
        <source>Save rule</source>
        <translation>Regel speichern</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Messgröße</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>A number with its unit</source>
        <translation>Eine Zahl mit ihrer Einheit</translation>
    </message>
    <message>
        <source>For how long</source>
        <translation>Wie lange</translation>
    </message>
    <message>
        <source>When the</source>
        <comment>beginning of the sentence of a rule: When the [idle cost] of [each team]</comment>
        <translation>Wenn der Wert</translation>
    </message>
    <message>
        <source>of</source>
        <comment>in the sentence of a rule: the [idle cost] of [each team]</comment>
        <translation>für</translation>
    </message>
    <message>
        <source>for</source>
        <comment>in the sentence of a rule: is above [200 USD/day] for [2 h]</comment>
        <translation>liegt, und das für</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>In notices and on the command line</source>
        <translation>In Mitteilungen und auf der Befehlszeile</translation>
    </message>
    <message>
        <source>Working hours</source>
        <translation>Arbeitszeit</translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>At other times nothing fires or resolves</source>
        <translation>Zu anderen Zeiten beginnt und endet kein Alarm</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schweregrad</translation>
    </message>
    <message>
        <source>Resolves</source>
        <translation>Endet</translation>
    </message>
    <message>
        <source>Send to</source>
        <translation>Senden an</translation>
    </message>
    <message>
        <source>In the past 90 days</source>
        <translation>In den letzten 90 Tagen</translation>
    </message>
    <message>
        <source>When the rule would have fired</source>
        <translation>Wann die Regel ausgelöst hätte</translation>
    </message>
    <message>
        <source>New rule</source>
        <translation>Neue Regel</translation>
    </message>
    <message>
        <source>is below</source>
        <comment>in the sentence of a rule</comment>
        <translation>unter</translation>
    </message>
    <message>
        <source>is above</source>
        <comment>in the sentence of a rule</comment>
        <translation>über</translation>
    </message>
    <message>
        <source>any time</source>
        <comment>how long a condition must hold</comment>
        <translation>beliebig kurze Zeit</translation>
    </message>
    <message>
        <source>at the threshold</source>
        <comment>where an alert ends</comment>
        <translation>an der Schwelle</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gespeichert…</translation>
    </message>
    <message>
        <source>Nothing was fetched in this time.</source>
        <translation>In dieser Zeit wurde nichts abgerufen.</translation>
    </message>
    <message>
        <source>It would not have fired.</source>
        <translation>Sie hätte nicht ausgelöst.</translation>
    </message>
    <message>
        <source>It would have sent about %1 notices a week.</source>
        <comment>a number</comment>
        <translation>Sie hätte etwa %1 Mitteilungen pro Woche gesendet.</translation>
    </message>
    <message>
        <source>None was over within an hour.</source>
        <translation>Keine war innerhalb einer Stunde vorbei.</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n were over within an hour, too soon to act on.</source>
        <comment>notices</comment>
        <translation>
            <numerusform>%1 von %n war innerhalb einer Stunde vorbei, zu früh zum Handeln.</numerusform>
            <numerusform>%1 von %n waren innerhalb einer Stunde vorbei, zu früh zum Handeln.</numerusform>
        </translation>
    </message>
    <message>
        <source>Replaying the rule…</source>
        <translation>Die Regel wird nachgespielt…</translation>
    </message>
    <message>
        <source>Shown once the rule can be read.</source>
        <translation>Wird gezeigt, sobald die Regel lesbar ist.</translation>
    </message>
    <message>
        <source>%1 back from the threshold</source>
        <comment>where an alert ends, a share</comment>
        <translation>um %1 hinter die Schwelle zurück</translation>
    </message>
    <message>
        <source>The month in which the year and the quarters of all budgets and forecasts begin. It is written to your configuration at once; alerts about budgets and forecasts begin anew.</source>
        <translation>Der Monat, in dem das Jahr und die Quartale aller Budgets und Prognosen beginnen. Er wird sofort in die Konfiguration geschrieben; Alarme zu Budgets und Prognosen beginnen neu.</translation>
    </message>
    <message>
        <source>Year begins in</source>
        <translation>Jahr beginnt im</translation>
    </message>
    <message>
        <source>Year begins in: %1</source>
        <comment>month</comment>
        <translation>Jahr beginnt im: %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AlertTables</name>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>The most serious state of its scopes</source>
        <translation>Der schwerwiegendste Zustand ihrer Bereiche</translation>
    </message>
    <message>
        <source>Firing</source>
        <translation>Ausgelöst</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schweregrad</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>Scopes whose value is not known now; they neither fire nor resolve</source>
        <translation>Bereiche, deren Wert gerade nicht bekannt ist; für sie beginnt und endet kein Alarm</translation>
    </message>
    <message>
        <source>New rule</source>
        <translation>Neue Regel</translation>
    </message>
    <message>
        <source>%1 (not saved)</source>
        <comment>a rule</comment>
        <translation>%1 (nicht gespeichert)</translation>
    </message>
    <message>
        <source>Firing for</source>
        <translation>Ausgelöst für</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>Seit</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Now; a dash: it is not known</source>
        <translation>Jetzt; ein Strich: nicht bekannt</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Silenced or acknowledged</source>
        <translation>Stummgeschaltet oder bestätigt</translation>
    </message>
    <message>
        <source>silenced</source>
        <translation>stummgeschaltet</translation>
    </message>
    <message>
        <source>acknowledged</source>
        <translation>bestätigt</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Worüber</translation>
    </message>
    <message>
        <source>That it fires or is over</source>
        <translation>Dass der Alarm ausgelöst wurde oder vorbei ist</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Last attempt</source>
        <translation>Letzter Versuch</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>rule, teams</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>That send to it</source>
        <translation>Die dorthin senden</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Was</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Became</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Silenced</source>
        <translation>Stummgeschaltet</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>By</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>every rule</source>
        <translation>alle Regeln</translation>
    </message>
    <message>
        <source>When it would have fired</source>
        <translation>Wann sie ausgelöst hätte</translation>
    </message>
    <message>
        <source>When it would have fired; sorted and exported as hours in all</source>
        <translation>Wann sie ausgelöst hätte; sortiert und exportiert als Stunden insgesamt</translation>
    </message>
    <message>
        <source>Notices</source>
        <translation>Mitteilungen</translation>
    </message>
    <message>
        <source>Short</source>
        <translation>Kurz</translation>
    </message>
    <message>
        <source>Over within an hour: nobody could have acted on it</source>
        <translation>Innerhalb einer Stunde vorbei: niemand hätte handeln können</translation>
    </message>
    <message>
        <source>Worst value</source>
        <translation>Schlechtester Wert</translation>
    </message>
    <message>
        <source>%1, %2 in all</source>
        <comment>how often it fired, for how long</comment>
        <translation>%1, insgesamt %2</translation>
    </message>
    <message>
        <source>Teams, clusters or other scopes that it fires for</source>
        <translation>Teams, Cluster oder andere Bereiche, für die sie ausgelöst hat</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>Meldung</translation>
    </message>
    <message numerus="yes">
        <source>%1, and %n more</source>
        <comment>teams that one message is about</comment>
        <translation>
            <numerusform>%1 und %n weiteres</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AlertText</name>
    <message>
        <source>idle cost</source>
        <comment>what an alert watches</comment>
        <translation>Leerlaufkosten</translation>
    </message>
    <message>
        <source>idle GPU-hours</source>
        <comment>what an alert watches</comment>
        <translation>GPU-Stunden im Leerlauf</translation>
    </message>
    <message>
        <source>utilization</source>
        <comment>what an alert watches</comment>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>unallocated capacity</source>
        <comment>what an alert watches</comment>
        <translation>nicht vergebene Kapazität</translation>
    </message>
    <message>
        <source>spend of the budget</source>
        <comment>what an alert watches</comment>
        <translation>Ausgaben aus dem Budget</translation>
    </message>
    <message>
        <source>forecast of the budget</source>
        <comment>what an alert watches</comment>
        <translation>Prognose für das Budget</translation>
    </message>
    <message>
        <source>cost with an owner</source>
        <comment>what an alert watches</comment>
        <translation>Kosten mit Eigentümer</translation>
    </message>
    <message>
        <source>each team</source>
        <comment>whose value an alert watches</comment>
        <translation>jedes Team</translation>
    </message>
    <message>
        <source>each cluster</source>
        <comment>whose value an alert watches</comment>
        <translation>jeden Cluster</translation>
    </message>
    <message>
        <source>each node pool</source>
        <comment>whose value an alert watches</comment>
        <translation>jeden Knotenpool</translation>
    </message>
    <message>
        <source>everything</source>
        <comment>whose value an alert watches</comment>
        <translation>alles</translation>
    </message>
    <message>
        <source>info</source>
        <comment>severity</comment>
        <translation>Info</translation>
    </message>
    <message>
        <source>warning</source>
        <comment>severity</comment>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>critical</source>
        <comment>severity</comment>
        <translation>kritisch</translation>
    </message>
    <message>
        <source>inactive</source>
        <comment>state of an alert</comment>
        <translation>inaktiv</translation>
    </message>
    <message>
        <source>pending</source>
        <comment>state of an alert</comment>
        <translation>wartend</translation>
    </message>
    <message>
        <source>firing</source>
        <comment>state of an alert</comment>
        <translation>ausgelöst</translation>
    </message>
    <message>
        <source>resolved</source>
        <comment>state of an alert</comment>
        <translation>beendet</translation>
    </message>
    <message>
        <source>all</source>
        <comment>an alert about everything</comment>
        <translation>alles</translation>
    </message>
    <message>
        <source>waiting</source>
        <comment>a message</comment>
        <translation>wartet</translation>
    </message>
    <message>
        <source>delivered</source>
        <comment>a message</comment>
        <translation>zugestellt</translation>
    </message>
    <message>
        <source>not delivered</source>
        <comment>a message</comment>
        <translation>nicht zugestellt</translation>
    </message>
    <message>
        <source>test</source>
        <comment>a message</comment>
        <translation>Test</translation>
    </message>
    <message>
        <source>%1 per day</source>
        <comment>an amount</comment>
        <translation>%1 pro Tag</translation>
    </message>
    <message>
        <source>%1 h per day</source>
        <comment>a number</comment>
        <translation>%1 h pro Tag</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <comment>a number</comment>
        <translation>%1 GPUs</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message numerus="yes">
        <source>%n times</source>
        <translation>
            <numerusform>%n-mal</numerusform>
            <numerusform>%n-mal</numerusform>
        </translation>
    </message>
    <message>
        <source>cost anomaly</source>
        <comment>what an alert watches</comment>
        <translation>Kostenanomalie</translation>
    </message>
    <message>
        <source>utilization anomaly</source>
        <comment>what an alert watches</comment>
        <translation>Auslastungsanomalie</translation>
    </message>
    <message>
        <source>age of the last sync</source>
        <comment>what an alert watches</comment>
        <translation>Alter der letzten Synchronisierung</translation>
    </message>
    <message>
        <source>waiting demand for GPUs</source>
        <comment>what an alert watches</comment>
        <translation>wartender Bedarf an GPUs</translation>
    </message>
    <message>
        <source>unexplained share of the bill</source>
        <comment>what an alert watches</comment>
        <translation>ungeklärter Anteil der Rechnung</translation>
    </message>
    <message>
        <source>unused cost</source>
        <comment>what an alert watches: of each commitment</comment>
        <translation>ungenutzte Kosten</translation>
    </message>
    <message>
        <source>price change</source>
        <comment>what an alert watches</comment>
        <translation>Preisänderung</translation>
    </message>
    <message>
        <source>spot interruptions</source>
        <comment>what an alert watches</comment>
        <translation>Spot-Unterbrechungen</translation>
    </message>
    <message>
        <source>each source</source>
        <comment>whose value an alert watches</comment>
        <translation>jede Quelle</translation>
    </message>
    <message>
        <source>each GPU model</source>
        <comment>whose value an alert watches</comment>
        <translation>jedes GPU-Modell</translation>
    </message>
    <message>
        <source>each commitment</source>
        <comment>whose value an alert watches</comment>
        <translation>jede Zusage</translation>
    </message>
    <message>
        <source>%1 h</source>
        <comment>a number</comment>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 per day</source>
        <comment>a number</comment>
        <translation>%1 pro Tag</translation>
    </message>
    <message>
        <source>remaining time</source>
        <comment>what an alert watches: of each commitment</comment>
        <translation>Restlaufzeit</translation>
    </message>
    <message>
        <source>each label with a budget</source>
        <comment>whose value an alert watches</comment>
        <translation>jedes Label mit Budget</translation>
    </message>
    <message>
        <source>%1 d</source>
        <comment>a number of days</comment>
        <translation>%1 d</translation>
    </message>
    <message>
        <source>each cloud project with a budget</source>
        <comment>whose value an alert watches</comment>
        <translation>jedes Cloud-Projekt mit Budget</translation>
    </message>
    <message>
        <source>cancelled</source>
        <comment>a message</comment>
        <translation>zurückgezogen</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>state of a message</comment>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>allocation without use</source>
        <comment>what an alert watches</comment>
        <translation>Zuteilung ohne Nutzung</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>targets and the team or cluster</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Routes also tell %1.</source>
        <translation>Routen informieren außerdem %1.</translation>
    </message>
    <message>
        <source>%1, no pool</source>
        <comment>nodes of a cluster</comment>
        <translation>%1, ohne Pool</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AlertsPage</name>
    <message>
        <source>Shown</source>
        <translation>Angezeigt</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Delivery and history</source>
        <translation>Zustellung und Verlauf</translation>
    </message>
    <message>
        <source>No rules yet.</source>
        <translation>Noch keine Regeln.</translation>
    </message>
    <message>
        <source>Add rule</source>
        <translation>Regel hinzufügen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>A report has no alerts</source>
        <translation>Ein Bericht hat keine Alarme</translation>
    </message>
    <message>
        <source>Alerts are about what happens now; a report file shows a month that is over.</source>
        <translation>Alarme betreffen, was jetzt geschieht; eine Berichtsdatei zeigt einen Monat, der vorbei ist.</translation>
    </message>
    <message>
        <source>No rules yet</source>
        <translation>Noch keine Regeln</translation>
    </message>
    <message>
        <source>A rule says when people should look: too much idle cost, too little utilization, a budget that runs out.</source>
        <translation>Eine Regel sagt, wann jemand hinsehen sollte: zu viele Leerlaufkosten, zu wenig Auslastung, ein Budget, das zu Ende geht.</translation>
    </message>
    <message>
        <source>Alerts can&apos;t be shown</source>
        <translation>Die Alarme können nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Alerts as of %1</source>
        <translation>Alarme, Stand %1</translation>
    </message>
    <message>
        <source>Your configuration was changed.</source>
        <translation>Ihre Konfiguration wurde geändert.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AlertsViewModel</name>
    <message>
        <source>Silenced until %1.</source>
        <comment>time</comment>
        <translation>Stummgeschaltet bis %1.</translation>
    </message>
    <message>
        <source>The silence has ended.</source>
        <translation>Die Stummschaltung ist beendet.</translation>
    </message>
    <message>
        <source>The message is not sent.</source>
        <translation>Die Nachricht wird nicht gesendet.</translation>
    </message>
    <message>
        <source>%1 has received a test message.</source>
        <comment>a target</comment>
        <translation>%1 hat eine Testnachricht erhalten.</translation>
    </message>
    <message>
        <source>Use up to 64 letters, digits, dots, dashes and underscores.</source>
        <translation>Erlaubt sind bis zu 64 Buchstaben, Ziffern, Punkte, Binde- und Unterstriche.</translation>
    </message>
    <message>
        <source>Another rule has this name.</source>
        <translation>Eine andere Regel heißt so.</translation>
    </message>
    <message>
        <source>Write, for example, %1.</source>
        <comment>a bound</comment>
        <translation>Ein Beispiel: %1.</translation>
    </message>
    <message>
        <source>Write, for example, %1.</source>
        <comment>hours</comment>
        <translation>Ein Beispiel: %1.</translation>
    </message>
    <message>
        <source>Acknowledged: no further message says that it fires.</source>
        <translation>Bestätigt: keine weitere Nachricht meldet, dass der Alarm ausgelöst ist.</translation>
    </message>
    <message>
        <source>The message is sent after the next sync.</source>
        <translation>Die Nachricht wird nach der nächsten Synchronisierung gesendet.</translation>
    </message>
    <message>
        <source>%1 did not accept the test message.</source>
        <comment>a target</comment>
        <translation>%1 hat die Testnachricht nicht angenommen.</translation>
    </message>
    <message>
        <source>%1 did not accept the test message: %2</source>
        <comment>a target, why</comment>
        <translation>%1 hat die Testnachricht nicht angenommen: %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::AssumptionPopup</name>
    <message>
        <source>Use default</source>
        <translation>Standardwert</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Space paints an hour, Enter a whole day. Default: %1</source>
        <translation>Die Leertaste malt eine Stunde, die Eingabetaste einen ganzen Tag. Standard: %1</translation>
    </message>
    <message>
        <source>From %1 to %2; default %3</source>
        <comment>limits of a value</comment>
        <translation>Von %1 bis %2; Standard %3</translation>
    </message>
    <message>
        <source> %</source>
        <comment>unit behind a number</comment>
        <translation> %</translation>
    </message>
    <message>
        <source> h</source>
        <comment>unit behind a number: hours</comment>
        <translation> h</translation>
    </message>
    <message>
        <source> min</source>
        <comment>unit behind a number: minutes</comment>
        <translation> min</translation>
    </message>
    <message>
        <source> s</source>
        <comment>unit behind a number: seconds</comment>
        <translation> s</translation>
    </message>
    <message>
        <source>off</source>
        <comment>an hour of the week</comment>
        <translation>aus</translation>
    </message>
    <message>
        <source>on</source>
        <comment>an hour of the week</comment>
        <translation>an</translation>
    </message>
    <message>
        <source>Now the best policy: painting replaces it</source>
        <translation>Derzeit die beste Regel: Malen ersetzt sie</translation>
    </message>
    <message>
        <source>The default is set in the configuration.</source>
        <translation>Der Standardwert steht in der Konfiguration.</translation>
    </message>
    <message>
        <source>For %1 work, the configuration says %2.</source>
        <comment>a kind of work, a value</comment>
        <translation>Für Arbeit der Art „%1“ steht %2 in der Konfiguration.</translation>
    </message>
    <message>
        <source>The configuration says that %1 work may be interrupted.</source>
        <comment>a kind of work</comment>
        <translation>Laut Konfiguration darf Arbeit der Art „%1“ unterbrochen werden.</translation>
    </message>
    <message>
        <source>The configuration says that %1 work must not be interrupted.</source>
        <comment>a kind of work</comment>
        <translation>Laut Konfiguration darf Arbeit der Art „%1“ nicht unterbrochen werden.</translation>
    </message>
    <message>
        <source>The configuration says that %1 work must end within %2 of its start.</source>
        <comment>a kind of work, a length of time</comment>
        <translation>Laut Konfiguration muss Arbeit der Art „%1“ spätestens %2 nach ihrem Beginn enden.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::BudgetsTable</name>
    <message>
        <source>Day</source>
        <comment>the period of a budget</comment>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Month</source>
        <comment>the period of a budget</comment>
        <translation>Monat</translation>
    </message>
    <message>
        <source>Quarter</source>
        <comment>the period of a budget</comment>
        <translation>Quartal</translation>
    </message>
    <message>
        <source>Year</source>
        <comment>the period of a budget</comment>
        <translation>Jahr</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>the first and the last day</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>from %1</source>
        <comment>the first day</comment>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>until %1</source>
        <comment>the last day</comment>
        <translation>bis %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>title of a column, currency</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Its name at the cloud</source>
        <translation>Sein Name bei der Cloud</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>Umfang</translation>
    </message>
    <message>
        <source>The costs that the budget covers</source>
        <translation>Die Kosten, für die das Budget gilt</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>Konto</translation>
    </message>
    <message>
        <source>The account, subscription or billing account that has the budget</source>
        <translation>Das Konto, Abonnement oder Rechnungskonto, zu dem das Budget gehört</translation>
    </message>
    <message>
        <source>Period</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>Its current days in UTC, both included</source>
        <translation>Die Tage des laufenden Zeitraums in UTC, beide eingeschlossen</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Spent</source>
        <translation>Ausgegeben</translation>
    </message>
    <message>
        <source>What the cloud says was spent in the period so far</source>
        <translation>Was laut der Cloud in dem Zeitraum bisher ausgegeben wurde</translation>
    </message>
    <message>
        <source>Of the limit</source>
        <translation>Von der Grenze</translation>
    </message>
    <message>
        <source>What the cloud says was spent, as a share of the limit</source>
        <translation>Was laut der Cloud ausgegeben wurde, als Anteil an der Grenze</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>Prognose</translation>
    </message>
    <message>
        <source>What the cloud expects by the end of the period</source>
        <translation>Was die Cloud bis zum Ende des Zeitraums erwartet</translation>
    </message>
    <message>
        <source>Bill so far</source>
        <translation>Rechnung bisher</translation>
    </message>
    <message>
        <source>What the bill of the same source has in the period</source>
        <translation>Was die Rechnung derselben Quelle in dem Zeitraum enthält</translation>
    </message>
    <message>
        <source>Bill through</source>
        <translation>Rechnung bis</translation>
    </message>
    <message>
        <source>The last day that the bill has of the period</source>
        <translation>Der letzte Tag des Zeitraums, den die Rechnung enthält</translation>
    </message>
    <message>
        <source>The bill has other costs as well, or counts them in another way.</source>
        <translation>Die Rechnung enthält auch andere Kosten oder rechnet sie anders.</translation>
    </message>
    <message>
        <source>The cloud does not say which days count.</source>
        <translation>Die Cloud sagt nicht, welche Tage zählen.</translation>
    </message>
    <message>
        <source>The bill lacks days of the period.</source>
        <translation>In der Rechnung fehlen Tage des Zeitraums.</translation>
    </message>
    <message>
        <source>There is no exchange rate for the currency of the bill.</source>
        <translation>Für die Währung der Rechnung gibt es keinen Wechselkurs.</translation>
    </message>
    <message>
        <source>List prices are not what was paid.</source>
        <translation>Listenpreise sind nicht das, was bezahlt wurde.</translation>
    </message>
    <message>
        <source>%1, source %2</source>
        <comment>a cloud, a source</comment>
        <translation>%1, Quelle %2</translation>
    </message>
    <message>
        <source>whole bill</source>
        <translation>ganze Rechnung</translation>
    </message>
    <message>
        <source>all costs</source>
        <translation>alle Kosten</translation>
    </message>
    <message>
        <source>over the limit</source>
        <translation>über der Grenze</translation>
    </message>
    <message>
        <source>%1 does not tell this limit as an amount.</source>
        <comment>a cloud</comment>
        <translation>%1 nennt diese Grenze nicht als Betrag.</translation>
    </message>
    <message>
        <source>%1 does not tell what was spent.</source>
        <comment>a cloud</comment>
        <translation>%1 sagt nicht, was ausgegeben wurde.</translation>
    </message>
    <message>
        <source>%1 does not tell whose budget it is.</source>
        <comment>a cloud</comment>
        <translation>%1 sagt nicht, wessen Budget es ist.</translation>
    </message>
    <message>
        <source>%1 tells no forecast for this budget.</source>
        <comment>a cloud</comment>
        <translation>%1 nennt für dieses Budget keine Prognose.</translation>
    </message>
    <message>
        <source>Over the limit by %1.</source>
        <translation>%1 über der Grenze.</translation>
    </message>
    <message>
        <source>Bill of %1, through %2</source>
        <comment>a source, a day</comment>
        <translation>Rechnung von %1, bis %2</translation>
    </message>
    <message>
        <source>Bill of %1</source>
        <comment>a source</comment>
        <translation>Rechnung von %1</translation>
    </message>
    <message>
        <source>As %1 says, read by %2</source>
        <comment>a cloud, a source</comment>
        <translation>Wie %1 es sagt, gelesen von %2</translation>
    </message>
    <message>
        <source>The limit is not above zero.</source>
        <translation>Die Grenze liegt nicht über null.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::BudgetsViewModel</name>
    <message numerus="yes">
        <source>The budgets of %n more source(s) could not be read.</source>
        <translation>
            <numerusform>Auch nicht lesbar: %n weitere Quelle.</numerusform>
            <numerusform>Auch nicht lesbar: %n weitere Quellen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Cloud and source</source>
        <translation>Cloud und Quelle</translation>
    </message>
    <message numerus="yes">
        <source>Not compared: %n budget(s).</source>
        <translation>
            <numerusform>Nicht verglichen: %n Budget.</numerusform>
            <numerusform>Nicht verglichen: %n Budgets.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Left out: %n budget(s) of hours or shares instead of money.</source>
        <translation>
            <numerusform>Weggelassen: %n Budget für Stunden oder Anteile statt Geld.</numerusform>
            <numerusform>Weggelassen: %n Budgets für Stunden oder Anteile statt Geld.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Left out: %n budget(s) that can&apos;t be read.</source>
        <translation>
            <numerusform>Weggelassen: %n Budget, das nicht lesbar ist.</numerusform>
            <numerusform>Weggelassen: %n Budgets, die nicht lesbar sind.</numerusform>
        </translation>
    </message>
    <message>
        <source>What was spent and the forecast are the cloud&apos;s own figures; the bill may end some days earlier.</source>
        <translation>Was ausgegeben wurde und die Prognose sind Zahlen der Cloud; die Rechnung kann einige Tage früher enden.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ChoiceDialog</name>
    <message>
        <source>Accept: %1</source>
        <translation>Annehmen: %1</translation>
    </message>
    <message>
        <source>Accept it</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Who does it</source>
        <translation>Wer es macht</translation>
    </message>
    <message>
        <source>Done by</source>
        <translation>Erledigt bis</translation>
    </message>
    <message>
        <source>Note (optional)</source>
        <translation>Notiz (freiwillig)</translation>
    </message>
    <message>
        <source>Dismiss: %1</source>
        <translation>Verwerfen: %1</translation>
    </message>
    <message>
        <source>Dismiss it</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Later: %1</source>
        <translation>Später: %1</translation>
    </message>
    <message>
        <source>Remind me</source>
        <translation>Erinnern</translation>
    </message>
    <message>
        <source>Ask again on</source>
        <translation>Wieder fragen am</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Enter who does it.</source>
        <translation>Geben Sie an, wer es macht.</translation>
    </message>
    <message>
        <source>Enter a reason; it is kept in the log.</source>
        <translation>Geben Sie einen Grund an; er bleibt im Protokoll.</translation>
    </message>
    <message numerus="yes">
        <source>A text may have at most %n byte(s).</source>
        <translation>
            <numerusform>Ein Text darf höchstens %n Byte haben.</numerusform>
            <numerusform>Ein Text darf höchstens %n Bytes haben.</numerusform>
        </translation>
    </message>
    <message>
        <source>From then on, what it really saves is measured. Nothing is run.</source>
        <translation>Danach wird gemessen, was er wirklich spart. Ausgeführt wird nichts.</translation>
    </message>
    <message>
        <source>It no longer counts; other proposals may have its machines.</source>
        <translation>Er zählt nicht mehr; andere Vorschläge können seine Maschinen haben.</translation>
    </message>
    <message>
        <source>Until that day it does not count; other proposals may have its machines.</source>
        <translation>Bis zu diesem Tag zählt er nicht; andere Vorschläge können seine Maschinen haben.</translation>
    </message>
    <message>
        <source>Recording…</source>
        <translation>Wird festgehalten…</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ClaimsTable</name>
    <message>
        <source>Claim</source>
        <translation>Behauptung</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <source>UTC days, both included</source>
        <translation>UTC-Tage, beide eingeschlossen</translation>
    </message>
    <message>
        <source>Claimed</source>
        <translation>Angeblich gespart</translation>
    </message>
    <message>
        <source>Bill before</source>
        <translation>Rechnung davor</translation>
    </message>
    <message>
        <source>Bill since</source>
        <translation>Rechnung seitdem</translation>
    </message>
    <message>
        <source>The same costs on the days of the claim</source>
        <translation>Dieselben Kosten an den Tagen der Behauptung</translation>
    </message>
    <message>
        <source>Bill fell by</source>
        <translation>Rechnung sank um</translation>
    </message>
    <message>
        <source>GPU-hours before</source>
        <translation>GPU-Stunden davor</translation>
    </message>
    <message>
        <source>GPU-hours since</source>
        <translation>GPU-Stunden seitdem</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>the first and the last day</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Claimed in %1</source>
        <comment>a source</comment>
        <translation>Behauptet in %1</translation>
    </message>
    <message>
        <source>As the tool describes it</source>
        <translation>Wie das Werkzeug es beschreibt</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>Umfang</translation>
    </message>
    <message>
        <source>The costs that the claim covers</source>
        <translation>Die Kosten, um die es geht</translation>
    </message>
    <message>
        <source>What the tool says it saved on these days</source>
        <translation>Was das Werkzeug an diesen Tagen gespart haben will</translation>
    </message>
    <message>
        <source>The same costs over an equal number of days just before this tool&apos;s first claim about them</source>
        <translation>Dieselben Kosten an ebenso vielen Tagen direkt vor der ersten Behauptung dieses Werkzeugs über sie</translation>
    </message>
    <message>
        <source>Negative if the bill rose. A lower bill may only mean lower use</source>
        <translation>Negativ, wenn die Rechnung stieg. Eine kleinere Rechnung kann auch nur weniger Nutzung bedeuten</translation>
    </message>
    <message>
        <source>GPU-hours on the bill in the time before</source>
        <translation>GPU-Stunden auf der Rechnung in der Zeit davor</translation>
    </message>
    <message>
        <source>GPU-hours on the bill on the days of the claim</source>
        <translation>GPU-Stunden auf der Rechnung an den Tagen der Behauptung</translation>
    </message>
    <message>
        <source>No bill has these costs, before the claim or since.</source>
        <translation>Keine Rechnung hat diese Kosten, weder vor der Behauptung noch seitdem.</translation>
    </message>
    <message>
        <source>Some of these days are missing from the bill or may still change.</source>
        <translation>Einige dieser Tage fehlen auf der Rechnung oder können sich noch ändern.</translation>
    </message>
    <message>
        <source>There is no exchange rate for the currency of these costs.</source>
        <translation>Für die Währung dieser Kosten gibt es keinen Wechselkurs.</translation>
    </message>
    <message>
        <source>List prices are not what was paid.</source>
        <translation>Listenpreise sind nicht das, was bezahlt wurde.</translation>
    </message>
    <message>
        <source>Savings</source>
        <translation>Einsparungen</translation>
    </message>
    <message>
        <source>all costs</source>
        <translation>alle Kosten</translation>
    </message>
    <message>
        <source>Your bills, %1 – %2</source>
        <comment>the first and the last day</comment>
        <translation>Ihre Rechnungen, %1 – %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ClaimsViewModel</name>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message numerus="yes">
        <source>Not compared: %n claim(s).</source>
        <translation>
            <numerusform>Nicht verglichen: %n Behauptung.</numerusform>
            <numerusform>Nicht verglichen: %n Behauptungen.</numerusform>
        </translation>
    </message>
    <message>
        <source>A bill does not say why it changed, so compare the GPU-hours as well.</source>
        <translation>Eine Rechnung sagt nicht, warum sie sich geändert hat: Die GPU-Stunden gehören zum Vergleich.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CloseMonthDialog</name>
    <message>
        <source>Close %1</source>
        <translation>%1 abschließen</translation>
    </message>
    <message>
        <source>A closed month never changes. Its statement is kept as it is now; what becomes known later is booked as an adjustment in a month that is still open.</source>
        <translation>Ein abgeschlossener Monat ändert sich nie mehr. Seine Abrechnung bleibt, wie sie jetzt ist; was später bekannt wird, wird als Berichtigung in einem noch offenen Monat gebucht.</translation>
    </message>
    <message>
        <source>Note (optional)</source>
        <translation>Anmerkung (optional)</translation>
    </message>
    <message>
        <source>Reason for closing anyway</source>
        <translation>Grund, trotzdem abzuschließen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>It can&apos;t be closed yet, whatever reason is given.</source>
        <translation>Er kann noch nicht abgeschlossen werden, auch nicht mit einem Grund.</translation>
    </message>
    <message>
        <source>The text is too long.</source>
        <translation>Der Text ist zu lang.</translation>
    </message>
    <message>
        <source>Give a reason; it goes into the audit log.</source>
        <translation>Bitte einen Grund angeben; er kommt ins Prüfprotokoll.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CommandConsentPanel</name>
    <message>
        <source>Program: %1</source>
        <translation>Programm: %1</translation>
    </message>
    <message>
        <source>Arguments: %1</source>
        <comment>none, or one on each line below</comment>
        <translation>Argumente: %1</translation>
    </message>
    <message>
        <source>none</source>
        <comment>arguments</comment>
        <translation>keine</translation>
    </message>
    <message>
        <source>Environment: %1</source>
        <comment>names of variables</comment>
        <translation>Umgebung: %1</translation>
    </message>
    <message>
        <source>SHA-256: %1</source>
        <comment>of the program</comment>
        <translation>SHA-256: %1</translation>
    </message>
    <message>
        <source>Command that would run to log in</source>
        <translation>Befehl, der zur Anmeldung laufen würde</translation>
    </message>
    <message>
        <source>It runs without a shell and without input, for at most 30 s, each time this source is queried. You are asked again when any of this changes.</source>
        <translation>Es läuft ohne Shell und ohne Eingabe, höchstens 30 s, bei jeder Abfrage dieser Quelle. Ändert sich etwas davon, wird erneut um Zustimmung gebeten.</translation>
    </message>
    <message>
        <source>Agree to run this command</source>
        <translation>Diesem Befehl zustimmen</translation>
    </message>
    <message>
        <source>Agree to run these commands</source>
        <translation>Diesen Befehlen zustimmen</translation>
    </message>
    <message>
        <source>It has changed since you agreed to it</source>
        <translation>Seit der Zustimmung hat es sich geändert</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CommandPalette</name>
    <message>
        <source>Search or command</source>
        <translation>Suche oder Befehl</translation>
    </message>
    <message>
        <source>A page, team, workload, device or command</source>
        <translation>Seite, Team, Workload, Gerät oder Befehl</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>Keine Treffer</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Commands</name>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Time range</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>%1 in the heat map</source>
        <comment>team</comment>
        <translation>%1 in der Heatmap</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CommitmentsTable</name>
    <message>
        <source>Savings Plan</source>
        <translation>Savings Plan</translation>
    </message>
    <message>
        <source>Reservation</source>
        <translation>Reservierung</translation>
    </message>
    <message>
        <source>Committed use</source>
        <translation>Committed Use</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>kind of a commitment, its terms</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>any machine</source>
        <translation>jede Maschine</translation>
    </message>
    <message>
        <source>%1× %2</source>
        <comment>a number, a machine or GPU</comment>
        <translation>%1× %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>title of a column, currency</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Commitment</source>
        <translation>Zusage</translation>
    </message>
    <message>
        <source>Its name at the cloud, or else its id</source>
        <translation>Name in der Cloud, sonst die Kennung</translation>
    </message>
    <message>
        <source>For</source>
        <translation>Für</translation>
    </message>
    <message>
        <source>The machines or GPUs that it is for, and how many of them</source>
        <translation>Für welche Maschinen oder GPUs sie gilt, und für wie viele</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>Bedingungen</translation>
    </message>
    <message>
        <source>What was bought, in the cloud&apos;s words</source>
        <translation>Was gekauft wurde, in den Worten der Cloud</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>Konto</translation>
    </message>
    <message>
        <source>The account, subscription or project that bought it</source>
        <translation>Das Konto, Abonnement oder Projekt, das sie gekauft hat</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>Per hour</source>
        <translation>Pro Stunde</translation>
    </message>
    <message>
        <source>The spend that is committed to</source>
        <translation>Die zugesagten Ausgaben</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>Endet</translation>
    </message>
    <message>
        <source>The day on which it ends, in the time zone of the window</source>
        <translation>Der Tag, an dem sie endet, in der Zeitzone des Fensters</translation>
    </message>
    <message>
        <source>Used (cloud)</source>
        <translation>Genutzt (Cloud)</translation>
    </message>
    <message>
        <source>The share of it that was used, as the cloud says</source>
        <translation>Der genutzte Anteil laut Cloud</translation>
    </message>
    <message>
        <source>Used (bill)</source>
        <translation>Genutzt (Rechnung)</translation>
    </message>
    <message>
        <source>Unused</source>
        <translation>Ungenutzt</translation>
    </message>
    <message>
        <source>What the unused part cost in the days of the cloud&apos;s figures</source>
        <translation>Was der ungenutzte Teil in den Tagen der Cloud gekostet hat</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <source>The days of the cloud&apos;s figures, or else those of the bill, in UTC, both included</source>
        <translation>Die Tage, für die die Zahlen der Cloud gelten, sonst die der Rechnung, in UTC, beide eingeschlossen</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>the first and the last day</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>%1, source %2</source>
        <comment>a cloud, a source</comment>
        <translation>%1, Quelle %2</translation>
    </message>
    <message>
        <source>over</source>
        <comment>a commitment</comment>
        <translation>vorbei</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message numerus="yes">
        <source>in %n day(s)</source>
        <translation>
            <numerusform>in %n Tag</numerusform>
            <numerusform>in %n Tagen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a day, how far it is</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 does not say who bought it.</source>
        <comment>a cloud</comment>
        <translation>%1 sagt nicht, wer sie gekauft hat.</translation>
    </message>
    <message>
        <source>It is for all regions, or %1 does not say for which one it is.</source>
        <comment>a cloud</comment>
        <translation>Sie gilt für alle Regionen, oder %1 sagt nicht, für welche.</translation>
    </message>
    <message>
        <source>%1 does not say what is paid per hour.</source>
        <comment>a cloud</comment>
        <translation>%1 sagt nicht, was pro Stunde bezahlt wird.</translation>
    </message>
    <message>
        <source>%1 does not say when it ends.</source>
        <comment>a cloud</comment>
        <translation>%1 sagt nicht, wann sie endet.</translation>
    </message>
    <message>
        <source>%1 does not say how much was used.</source>
        <comment>a cloud</comment>
        <translation>%1 sagt nicht, wie viel genutzt wurde.</translation>
    </message>
    <message>
        <source>%1 does not say what the unused part cost.</source>
        <comment>a cloud</comment>
        <translation>%1 sagt nicht, was der ungenutzte Teil gekostet hat.</translation>
    </message>
    <message>
        <source>It ended on %1.</source>
        <comment>a date and time</comment>
        <translation>Sie endete am %1.</translation>
    </message>
    <message>
        <source>It ends on %1, %2.</source>
        <comment>a date and time, how far it is</comment>
        <translation>Sie endet am %1, %2.</translation>
    </message>
    <message>
        <source>It starts on %1.</source>
        <comment>a date and time</comment>
        <translation>Sie beginnt am %1.</translation>
    </message>
    <message>
        <source>It started on %1.</source>
        <comment>a date and time</comment>
        <translation>Sie begann am %1.</translation>
    </message>
    <message>
        <source>As %1 says, read by %2</source>
        <comment>a cloud, a source</comment>
        <translation>Laut %1, gelesen von %2</translation>
    </message>
    <message>
        <source>The share of its amortized cost that was used, by your bills</source>
        <translation>Der genutzte Anteil ihrer amortisierten Kosten laut Ihren Rechnungen</translation>
    </message>
    <message>
        <source>No bill has anything of it in the days %1.</source>
        <comment>days</comment>
        <translation>Keine Rechnung enthält etwas davon in den Tagen %1.</translation>
    </message>
    <message>
        <source>No bill has anything of it.</source>
        <translation>Keine Rechnung enthält etwas davon.</translation>
    </message>
    <message>
        <source>Neither the cloud nor a bill has figures of its use.</source>
        <translation>Weder die Cloud noch eine Rechnung hat Zahlen zur Nutzung.</translation>
    </message>
    <message>
        <source>By the bills, %1</source>
        <comment>days</comment>
        <translation>Laut den Rechnungen, %1</translation>
    </message>
    <message>
        <source>By the bills</source>
        <translation>Laut den Rechnungen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CommitmentsViewModel</name>
    <message>
        <source>%1 in %2</source>
        <comment>machines, a region</comment>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 of account %2</source>
        <comment>machines, an account</comment>
        <translation>%1 von Konto %2</translation>
    </message>
    <message>
        <source>Savings Plans cover %1 of %2</source>
        <comment>a share, machines</comment>
        <translation>Savings Plans decken %1 von %2</translation>
    </message>
    <message>
        <source>Reservations cover %1 of %2</source>
        <comment>a share, machines</comment>
        <translation>Reservierungen decken %1 von %2</translation>
    </message>
    <message>
        <source>Committed use covers %1 of %2</source>
        <comment>a share, machines</comment>
        <translation>Committed Use deckt %1 von %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>what is covered, days</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1; the rest cost %2</source>
        <comment>what is covered, money</comment>
        <translation>%1; der Rest kostete %2</translation>
    </message>
    <message>
        <source>In the days %1:</source>
        <comment>followed by what was covered</comment>
        <translation>In den Tagen %1:</translation>
    </message>
    <message numerus="yes">
        <source>And %n more figure(s) of coverage.</source>
        <translation>
            <numerusform>Und %n weitere Angabe zur Abdeckung.</numerusform>
            <numerusform>Und %n weitere Angaben zur Abdeckung.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 was read on %2.</source>
        <comment>a source, a date and time</comment>
        <translation>%1 wurde am %2 gelesen.</translation>
    </message>
    <message>
        <source>%1 was not read yet.</source>
        <comment>a source</comment>
        <translation>%1 wurde noch nicht gelesen.</translation>
    </message>
    <message>
        <source>%1 was read on %2; the last try, on %3, failed: %4.</source>
        <comment>a source, dates and times, a reason</comment>
        <translation>%1 wurde am %2 gelesen; der letzte Versuch am %3 ist gescheitert: %4.</translation>
    </message>
    <message>
        <source>%1 was not read yet; the last try, on %2, failed: %3.</source>
        <comment>a source, a date and time, a reason</comment>
        <translation>%1 wurde noch nicht gelesen; der letzte Versuch am %2 ist gescheitert: %3.</translation>
    </message>
    <message numerus="yes">
        <source>Commitments are read from %n more source(s).</source>
        <translation>
            <numerusform>Zusagen werden aus %n weiterer Quelle gelesen.</numerusform>
            <numerusform>Zusagen werden aus %n weiteren Quellen gelesen.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <comment>a source, a sentence</comment>
        <translation>%1: %2.</translation>
    </message>
    <message numerus="yes">
        <source>And %n more thing(s) can&apos;t be read.</source>
        <translation>
            <numerusform>Und %n weitere Angabe kann nicht gelesen werden.</numerusform>
            <numerusform>Und %n weitere Angaben können nicht gelesen werden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Left out: %n row(s) for machines without GPUs.</source>
        <translation>
            <numerusform>Ausgelassen: %n Zeile für Maschinen ohne GPUs.</numerusform>
            <numerusform>Ausgelassen: %n Zeilen für Maschinen ohne GPUs.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Left out: %n row(s) that can&apos;t be read.</source>
        <translation>
            <numerusform>Ausgelassen: %n unlesbare Zeile.</numerusform>
            <numerusform>Ausgelassen: %n unlesbare Zeilen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Cloud and source</source>
        <translation>Cloud und Quelle</translation>
    </message>
    <message>
        <source>No commitments were read yet</source>
        <translation>Es wurden noch keine Zusagen gelesen</translation>
    </message>
    <message>
        <source>A sync reads them once a day.</source>
        <translation>Ein Abgleich liest sie einmal am Tag.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ComparePanel</name>
    <message>
        <source>Offers</source>
        <translation>Angebote</translation>
    </message>
    <message>
        <source>GPU model</source>
        <translation>GPU-Modell</translation>
    </message>
    <message>
        <source>All GPU models</source>
        <translation>Alle GPU-Modelle</translation>
    </message>
    <message>
        <source>GPUs of a machine</source>
        <translation>GPUs je Maschine</translation>
    </message>
    <message>
        <source>Any number of GPUs</source>
        <translation>Beliebig viele GPUs</translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation>1 GPU</translation>
    </message>
    <message numerus="yes">
        <source>%n GPUs</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>Bedingungen</translation>
    </message>
    <message>
        <source>All terms</source>
        <translation>Alle Bedingungen</translation>
    </message>
    <message>
        <source>On demand</source>
        <translation>On-Demand</translation>
    </message>
    <message>
        <source>Spot</source>
        <translation>Spot</translation>
    </message>
    <message>
        <source>Committed</source>
        <translation>Mit Zusage</translation>
    </message>
    <message>
        <source>Price lists</source>
        <translation>Preislisten</translation>
    </message>
    <message>
        <source>Open a SkyPilot catalogue</source>
        <translation>SkyPilot-Katalog öffnen</translation>
    </message>
    <message>
        <source>Open own offers</source>
        <translation>Eigene Angebote öffnen</translation>
    </message>
    <message>
        <source>Price lists (*.csv)</source>
        <translation>Preislisten (*.csv)</translation>
    </message>
    <message>
        <source>Own bills have no GPU machine time in the last 28 days.</source>
        <translation>Die eigenen Rechnungen enthalten für die letzten 28 Tage keine Zeit von GPU-Maschinen.</translation>
    </message>
    <message>
        <source>Compared are the prices of machines alone, without moving data and storing it there.</source>
        <translation>Verglichen werden nur die Preise der Maschinen, ohne den Umzug von Daten und ihre Speicherung dort.</translation>
    </message>
    <message>
        <source>Prices can&apos;t be shown</source>
        <translation>Preise können nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>No offer matches</source>
        <translation>Kein Angebot passt</translation>
    </message>
    <message>
        <source>No price list has such a machine on these terms.</source>
        <translation>Keine Preisliste hat eine solche Maschine zu diesen Bedingungen.</translation>
    </message>
    <message>
        <source>Per GPU-hour</source>
        <translation>Je GPU-Stunde</translation>
    </message>
    <message>
        <source>%1, paid</source>
        <comment>provider</comment>
        <translation>%1, bezahlt</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <comment>provider, machine, terms</comment>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>Add a SkyPilot catalogue…</source>
        <translation>SkyPilot-Katalog hinzufügen…</translation>
    </message>
    <message>
        <source>Add own offers (CSV)…</source>
        <translation>Eigene Angebote (CSV) hinzufügen…</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <comment>a file</comment>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>At list prices, own bills are not compared.</source>
        <translation>Bei Listenpreisen werden eigene Rechnungen nicht verglichen.</translation>
    </message>
    <message>
        <source>Cheapest GPU-hour by provider, %1</source>
        <comment>a currency</comment>
        <translation>Günstigste GPU-Stunde je Anbieter, %1</translation>
    </message>
    <message numerus="yes">
        <source>and %n more provider(s) in the table</source>
        <translation>
            <numerusform>und %n weiterer Anbieter in der Tabelle</numerusform>
            <numerusform>und %n weitere Anbieter in der Tabelle</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more owned machine(s) of the configuration</source>
        <translation>
            <numerusform>und %n weitere eigene Maschine der Konfiguration</numerusform>
            <numerusform>und %n weitere eigene Maschinen der Konfiguration</numerusform>
        </translation>
    </message>
    <message>
        <source>Own or rent</source>
        <translation>Besitzen oder mieten</translation>
    </message>
    <message>
        <source>%1 (interruptions: %2)</source>
        <comment>offer, how often</comment>
        <translation>%1 (Unterbrechungen: %2)</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>Was verglichen wird</translation>
    </message>
    <message>
        <source>Planned machines</source>
        <translation>Geplante Maschinen</translation>
    </message>
    <message>
        <source>The plans can&apos;t be shown</source>
        <translation>Die Pläne können nicht gezeigt werden</translation>
    </message>
    <message>
        <source>No machine with GPUs is planned</source>
        <translation>Keine Maschine mit GPUs ist geplant</translation>
    </message>
    <message>
        <source>The plans that are connected have none.</source>
        <translation>Die verbundenen Pläne haben keine.</translation>
    </message>
    <message>
        <source>Claimed savings</source>
        <translation>Angebliche Einsparungen</translation>
    </message>
    <message>
        <source>The claims can&apos;t be shown</source>
        <translation>Die Behauptungen können nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Nothing is claimed</source>
        <translation>Nichts wird behauptet</translation>
    </message>
    <message>
        <source>The files of claims that are connected have none.</source>
        <translation>Die verbundenen Dateien enthalten keine Behauptung.</translation>
    </message>
    <message>
        <source>Budgets of clouds</source>
        <translation>Budgets der Clouds</translation>
    </message>
    <message>
        <source>The budgets can&apos;t be shown</source>
        <translation>Die Budgets können nicht angezeigt werden</translation>
    </message>
    <message>
        <source>No budget limits money</source>
        <translation>Kein Budget begrenzt Geld</translation>
    </message>
    <message>
        <source>The accounts of the sources see none at AWS, Azure and Google Cloud.</source>
        <translation>Die Konten der Quellen sehen keines bei AWS, Azure und Google Cloud.</translation>
    </message>
    <message>
        <source>Budgets</source>
        <translation>Budgets</translation>
    </message>
    <message>
        <source>Commitments at clouds</source>
        <translation>Zusagen bei Clouds</translation>
    </message>
    <message>
        <source>The commitments can&apos;t be shown</source>
        <translation>Die Zusagen können nicht angezeigt werden</translation>
    </message>
    <message>
        <source>No commitment was found</source>
        <translation>Keine Zusage gefunden</translation>
    </message>
    <message>
        <source>The accounts of the sources see none for machines with GPUs.</source>
        <translation>Die Konten der Quellen sehen keine für Maschinen mit GPUs.</translation>
    </message>
    <message>
        <source>Commitments</source>
        <translation>Zusagen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CompareTable</name>
    <message>
        <source>Provider</source>
        <translation>Anbieter</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>The model that the list means, or its own name</source>
        <translation>Das Modell, das die Liste meint, oder ihr eigener Name dafür</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>GPUs of the machine</source>
        <translation>GPUs der Maschine</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>Bedingungen</translation>
    </message>
    <message>
        <source>On which terms it is offered or was paid</source>
        <translation>Zu welchen Bedingungen sie angeboten oder bezahlt wurde</translation>
    </message>
    <message>
        <source>Per GPU-hour</source>
        <translation>Je GPU-Stunde</translation>
    </message>
    <message>
        <source>Price of the machine divided by its GPUs</source>
        <translation>Preis der Maschine geteilt durch ihre GPUs</translation>
    </message>
    <message>
        <source>Per GiB-hour</source>
        <translation>Je GiB-Stunde</translation>
    </message>
    <message>
        <source>Divided by the memory of its GPUs</source>
        <translation>Geteilt durch den Speicher ihrer GPUs</translation>
    </message>
    <message>
        <source>Per TFLOP-hour</source>
        <translation>Je TFLOP-Stunde</translation>
    </message>
    <message>
        <source>Divided by the dense 16-bit TFLOP/s of its GPUs, without sparsity</source>
        <translation>Geteilt durch die dichten 16-Bit-TFLOP/s ihrer GPUs, ohne Sparsity</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>Alter</translation>
    </message>
    <message>
        <source>Time since the day of the price</source>
        <translation>Zeit seit dem Tag des Preises</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>The list that has the price</source>
        <translation>Die Liste, die den Preis enthält</translation>
    </message>
    <message>
        <source>on demand</source>
        <translation>On-Demand</translation>
    </message>
    <message>
        <source>spot</source>
        <translation>Spot</translation>
    </message>
    <message>
        <source>1 year</source>
        <translation>1 Jahr</translation>
    </message>
    <message>
        <source>3 years</source>
        <translation>3 Jahre</translation>
    </message>
    <message>
        <source>commitment</source>
        <translation>Zusage</translation>
    </message>
    <message>
        <source>capacity block</source>
        <translation>Kapazitätsblock</translation>
    </message>
    <message>
        <source>GPU cloud</source>
        <translation>GPU-Cloud</translation>
    </message>
    <message>
        <source>Prices in %1</source>
        <comment>a currency</comment>
        <translation>Preise in %1</translation>
    </message>
    <message>
        <source>1 day</source>
        <translation>1 Tag</translation>
    </message>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n Tag</numerusform>
            <numerusform>%n Tage</numerusform>
        </translation>
    </message>
    <message>
        <source>own bills</source>
        <translation>eigene Rechnungen</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>region, zone</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>%1, price of %2</source>
        <comment>source, date</comment>
        <translation>%1, Preis vom %2</translation>
    </message>
    <message>
        <source>%1, date unknown</source>
        <comment>source</comment>
        <translation>%1, Datum unbekannt</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>title of a column, currency</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>Währung</translation>
    </message>
    <message>
        <source>Interruptions</source>
        <translation>Unterbrechungen</translation>
    </message>
    <message>
        <source>How often a spot machine is taken away: the published share in a month, or the rate that was measured</source>
        <translation>Wie oft eine Spot-Maschine entzogen wird: der veröffentlichte Anteil im Monat oder die gemessene Rate</translation>
    </message>
    <message>
        <source>%1 per hour</source>
        <comment>measured interruptions</comment>
        <translation>%1 pro Stunde</translation>
    </message>
    <message>
        <source>%1 a month</source>
        <comment>share of machines that are interrupted</comment>
        <translation>%1 im Monat</translation>
    </message>
    <message>
        <source>Measured, %1, until %2</source>
        <comment>file, date</comment>
        <translation>Gemessen, %1, bis %2</translation>
    </message>
    <message>
        <source>Published, %1, %2</source>
        <comment>source, date</comment>
        <translation>Veröffentlicht, %1, %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CompareViewModel</name>
    <message>
        <source>Currency</source>
        <translation>Währung</translation>
    </message>
    <message>
        <source>1 row of the price lists has no price that can be compared</source>
        <translation>1 Zeile der Preislisten hat keinen vergleichbaren Preis</translation>
    </message>
    <message numerus="yes">
        <source>%n rows of the price lists have no price that can be compared</source>
        <translation>
            <numerusform>%n Zeile der Preislisten hat keinen vergleichbaren Preis</numerusform>
            <numerusform>%n Zeilen der Preislisten haben keinen vergleichbaren Preis</numerusform>
        </translation>
    </message>
    <message>
        <source>The price list %1 could not be read at the last sync; its stored prices are compared</source>
        <translation>Die Preisliste %1 ließ sich beim letzten Abgleich nicht lesen; verglichen werden ihre gespeicherten Preise</translation>
    </message>
    <message numerus="yes">
        <source>%n price lists could not be read at the last sync; their stored prices are compared</source>
        <translation>
            <numerusform>%n Preisliste ließ sich beim letzten Abgleich nicht lesen; verglichen werden ihre gespeicherten Preise</numerusform>
            <numerusform>%n Preislisten ließen sich beim letzten Abgleich nicht lesen; verglichen werden ihre gespeicherten Preise</numerusform>
        </translation>
    </message>
    <message>
        <source>The time of the price list %1 lies in the future: the clock of this computer is behind, or it was ahead at the last sync, which the next one corrects</source>
        <translation>Die Zeit der Preisliste %1 liegt in der Zukunft: Die Uhr dieses Computers geht nach, oder sie ging beim letzten Abgleich vor, was der nächste berichtigt</translation>
    </message>
    <message numerus="yes">
        <source>The times of %n price lists lie in the future: the clock of this computer is behind, or it was ahead at the last sync, which the next one corrects</source>
        <translation>
            <numerusform>Die Zeit von %n Preisliste liegt in der Zukunft: Die Uhr dieses Computers geht nach, oder sie ging beim letzten Abgleich vor, was der nächste berichtigt</numerusform>
            <numerusform>Die Zeiten von %n Preislisten liegen in der Zukunft: Die Uhr dieses Computers geht nach, oder sie ging beim letzten Abgleich vor, was der nächste berichtigt</numerusform>
        </translation>
    </message>
    <message>
        <source>No price of the price list %1 is stored yet</source>
        <translation>Von der Preisliste %1 ist bisher kein Preis gespeichert</translation>
    </message>
    <message numerus="yes">
        <source>%n price lists have no stored prices yet</source>
        <translation>
            <numerusform>Von %n Preisliste sind bisher keine Preise gespeichert</numerusform>
            <numerusform>Von %n Preislisten sind bisher keine Preise gespeichert</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ComparedPanel</name>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ContextFinder</name>
    <message>
        <source>There is no kubeconfig in the usual place</source>
        <translation>Am üblichen Ort liegt keine Kubeconfig</translation>
    </message>
    <message>
        <source>There is no such file</source>
        <translation>Diese Datei gibt es nicht</translation>
    </message>
    <message>
        <source>That isn&apos;t a readable kubeconfig</source>
        <translation>Das ist keine lesbare Kubeconfig</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CostChoiceButton</name>
    <message>
        <source>Effective cost</source>
        <translation>Effektive Kosten</translation>
    </message>
    <message>
        <source>Billed cost</source>
        <translation>Berechnete Kosten</translation>
    </message>
    <message>
        <source>List prices</source>
        <translation>Listenpreise</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Effective: commitments spread over what they cover. Billed: as on the invoice. List: by the price book.</source>
        <translation>Effektiv: Zusagen auf das verteilt, was sie abdecken. Berechnet: wie auf der Rechnung. Liste: nach dem Preisbuch.</translation>
    </message>
    <message>
        <source>Cost as billed: GPU time that is on no bill yet has no known cost and is in no sum. Stops and idle rules keep showing the effective cost.</source>
        <translation>Kosten wie berechnet: GPU-Zeit, die noch auf keiner Rechnung steht, hat keine bekannten Kosten und ist in keiner Summe. Stopps und Leerlaufregeln zeigen weiter die effektiven Kosten.</translation>
    </message>
    <message>
        <source>Cost by list prices, whatever was billed. Statements, stops and idle rules have no list prices: they keep showing the effective cost.</source>
        <translation>Kosten nach Listenpreisen, was auch immer berechnet wurde. Abrechnungen, Stopps und Leerlaufregeln haben keine Listenpreise: Sie zeigen weiter die effektiven Kosten.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CoverageBar</name>
    <message>
        <source>Coverage of the owner rules</source>
        <translation>Abdeckung durch die Eigentümerregeln</translation>
    </message>
    <message>
        <source>%1 %2 (%3)</source>
        <comment>a part, its share, amounts</comment>
        <translation>%1 %2 (%3)</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>a part, its share</comment>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::CurveText</name>
    <message>
        <source>%1 %2:00</source>
        <comment>weekday, hour</comment>
        <translation>%1 %2:00</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>name of an axis, its unit</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>day and month below an axis, in the notation of Qt</comment>
        <translation>d. MMM</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DamageBar</name>
    <message>
        <source>Acknowledge</source>
        <translation>Zur Kenntnis genommen</translation>
    </message>
    <message>
        <source>Records in the log that you know about it. The damaged file stays where it is.</source>
        <translation>Vermerkt im Protokoll, dass Sie davon wissen. Die beschädigte Datei bleibt, wo sie ist.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DecisionDialog</name>
    <message>
        <source>Save decision</source>
        <translation>Beschluss festhalten</translation>
    </message>
    <message>
        <source>Decision for %1</source>
        <translation>Beschluss für %1</translation>
    </message>
    <message>
        <source>Stop notebooks at night</source>
        <translation>Notebooks nachts anhalten</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>optional</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Responsible</source>
        <translation>Verantwortlich</translation>
    </message>
    <message>
        <source>By</source>
        <comment>a day</comment>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Reduce</source>
        <translation>Soll sinken</translation>
    </message>
    <message>
        <source>To at most, %1 a month</source>
        <translation>Auf höchstens, %1 im Monat</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <comment>month, amount, currency</comment>
        <translation>%1: %2 %3</translation>
    </message>
    <message>
        <source>The target isn&apos;t an amount of money.</source>
        <translation>Das Ziel ist kein Geldbetrag.</translation>
    </message>
    <message>
        <source>The text is too long.</source>
        <translation>Der Text ist zu lang.</translation>
    </message>
    <message>
        <source>It goes into the audit log. The next meeting opens with its result.</source>
        <translation>Er kommt in das Protokoll. Die nächste Besprechung beginnt mit seinem Ergebnis.</translation>
    </message>
    <message>
        <source>Enter what is to be done and who is responsible.</source>
        <translation>Eingeben, was zu tun ist und wer dafür verantwortlich ist.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DeliveryPanel</name>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Nothing was sent in the past 90 days.</source>
        <translation>In den letzten 90 Tagen wurde nichts gesendet.</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Ziele</translation>
    </message>
    <message>
        <source>The configuration has no targets, so nothing is sent.</source>
        <translation>Die Konfiguration hat keine Ziele, darum wird nichts gesendet.</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Silences</source>
        <translation>Stummschaltungen</translation>
    </message>
    <message>
        <source>Nothing is silenced.</source>
        <translation>Nichts ist stummgeschaltet.</translation>
    </message>
    <message>
        <source>Send again</source>
        <translation>Erneut senden</translation>
    </message>
    <message>
        <source>Discard</source>
        <comment>a message</comment>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Send test</source>
        <translation>Test senden</translation>
    </message>
    <message>
        <source>End silence</source>
        <translation>Stummschaltung beenden</translation>
    </message>
    <message>
        <source>No alert changed its state in the past 90 days.</source>
        <translation>In den letzten 90 Tagen hat kein Alarm seinen Zustand geändert.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DesktopNotices</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 und %n weiterer</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Test: %1</source>
        <translation>Test: %1</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Stop…</source>
        <translation>Stoppen…</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DeviceCharts</name>
    <message>
        <source>Remove %1</source>
        <comment>an expression</comment>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Remove this expression</source>
        <translation>Diesen Ausdruck entfernen</translation>
    </message>
    <message>
        <source>Querying the server…</source>
        <translation>Der Server wird gefragt…</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DevicePage</name>
    <message>
        <source>Copy the UUID</source>
        <translation>UUID kopieren</translation>
    </message>
    <message>
        <source>Add PromQL…</source>
        <translation>PromQL hinzufügen…</translation>
    </message>
    <message>
        <source>Open in Grafana</source>
        <translation>In Grafana öffnen</translation>
    </message>
    <message>
        <source>Time, cost and holders are limited to the filter.</source>
        <translation>Zeit, Kosten und Belegung gelten innerhalb des Filters.</translation>
    </message>
    <message>
        <source>States</source>
        <translation>Zustände</translation>
    </message>
    <message>
        <source>Holders</source>
        <translation>Belegung</translation>
    </message>
    <message>
        <source>Nothing is known about this device in this range</source>
        <translation>Über dieses Gerät ist in diesem Zeitraum nichts bekannt</translation>
    </message>
    <message>
        <source>There is no such device</source>
        <translation>Dieses Gerät gibt es nicht</translation>
    </message>
    <message>
        <source>It was not seen in the chosen time.</source>
        <translation>In der gewählten Zeit war es nicht zu sehen.</translation>
    </message>
    <message>
        <source>No source has ever reported a device with this UUID.</source>
        <translation>Keine Quelle hat je von einem Gerät mit dieser UUID berichtet.</translation>
    </message>
    <message>
        <source>Choose a longer time range.</source>
        <translation>Einen längeren Zeitraum wählen.</translation>
    </message>
    <message>
        <source>Choose one in the heat map or the idle list, or search for it with Ctrl+K.</source>
        <translation>Eines in der Heatmap oder der Leerlaufliste wählen oder mit Strg+K suchen.</translation>
    </message>
    <message>
        <source>The device can&apos;t be shown</source>
        <translation>Das Gerät kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Older data</source>
        <translation>Ältere Daten</translation>
    </message>
    <message>
        <source>No one within the filter held it in this time.</source>
        <translation>In dieser Zeit war sie von niemandem belegt, auf den der Filter passt.</translation>
    </message>
    <message>
        <source>No one held it in this time.</source>
        <translation>In dieser Zeit war sie von niemandem belegt.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DeviceProofs</name>
    <message>
        <source>Paid GPU-hours</source>
        <translation>Bezahlte GPU-Stunden</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Utilization</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>Observed share</source>
        <translation>Beobachteter Anteil</translation>
    </message>
    <message>
        <source>GPU-hours, %1</source>
        <comment>state</comment>
        <translation>GPU-Stunden, %1</translation>
    </message>
    <message>
        <source>Cost, %1</source>
        <comment>state</comment>
        <translation>Kosten, %1</translation>
    </message>
    <message>
        <source>GPU-hours held by %1 in this range</source>
        <translation>GPU-Stunden, belegt von %1 in diesem Zeitraum</translation>
    </message>
    <message>
        <source>GPU-hours of %1 idle in this range</source>
        <translation>Untätige GPU-Stunden von %1 in diesem Zeitraum</translation>
    </message>
    <message>
        <source>Cost of %1 in this range</source>
        <translation>Kosten von %1 in diesem Zeitraum</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>unobserved</source>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>unallocated</source>
        <translation>nicht belegt</translation>
    </message>
    <message>
        <source>%1, %2 from %3</source>
        <comment>figure, length of time, its start</comment>
        <translation>%1, %2 ab %3</translation>
    </message>
    <message>
        <source>Utilization while held</source>
        <translation>Auslastung der belegten Zeit</translation>
    </message>
    <message>
        <source>Idle GPU-hours</source>
        <translation>Untätige GPU-Stunden</translation>
    </message>
    <message>
        <source>Memory while held</source>
        <translation>Speicher in der belegten Zeit</translation>
    </message>
    <message>
        <source>Power while held</source>
        <translation>Leistung in der belegten Zeit</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DeviceStates</name>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Unallocated</source>
        <translation>Nicht belegt</translation>
    </message>
    <message>
        <source>Unobserved</source>
        <translation>Nicht beobachtet</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>GPU-h</source>
        <translation>GPU-h</translation>
    </message>
    <message>
        <source>Device-hours in this state</source>
        <translation>Gerätestunden in diesem Zustand</translation>
    </message>
    <message>
        <source>Cost, %1</source>
        <translation>Kosten, %1</translation>
    </message>
    <message>
        <source>What the time in this state cost</source>
        <translation>Was die Zeit in diesem Zustand gekostet hat</translation>
    </message>
    <message>
        <source>Not fetched yet</source>
        <translation>Noch nicht abgerufen</translation>
    </message>
    <message>
        <source>Share of paid time, including time not fetched yet</source>
        <translation>Anteil an der bezahlten Zeit, einschließlich noch nicht abgerufener</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DeviceStays</name>
    <message>
        <source>Held by</source>
        <translation>Belegt von</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Eigentümer</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Held, GPU-h</source>
        <translation>Belegt, GPU-h</translation>
    </message>
    <message>
        <source>GPU-hours held in this time</source>
        <translation>In dieser Zeit belegte GPU-Stunden</translation>
    </message>
    <message>
        <source>Idle, GPU-h</source>
        <translation>Leerlauf, GPU-h</translation>
    </message>
    <message>
        <source>GPU-hours held and below the idle threshold</source>
        <translation>Belegte GPU-Stunden unter der Leerlaufschwelle</translation>
    </message>
    <message>
        <source>Cost, %1</source>
        <translation>Kosten, %1</translation>
    </message>
    <message>
        <source>What the held time cost</source>
        <translation>Was die belegte Zeit gekostet hat</translation>
    </message>
    <message>
        <source>Pod</source>
        <translation>Pod</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Slice</translation>
    </message>
    <message>
        <source>whole device</source>
        <translation>ganzes Gerät</translation>
    </message>
    <message>
        <source>before %1</source>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>still held</source>
        <comment>at the end of the range</comment>
        <translation>noch belegt</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>kein Preis</translation>
    </message>
    <message>
        <source>still at %1</source>
        <comment>held when the data end, time</comment>
        <translation>noch am %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DeviceText</name>
    <message>
        <source>%1 on %2</source>
        <comment>GPU model, node</comment>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>The exporter calls it %1</source>
        <translation>Der Exporter nennt es %1</translation>
    </message>
    <message>
        <source>UUID</source>
        <translation>UUID</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>Its position in the node</source>
        <translation>Seine Position im Knoten</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Instance</source>
        <translation>Instanz</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Slices</source>
        <translation>Slices</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>Preis</translation>
    </message>
    <message>
        <source>Price from</source>
        <translation>Preis aus</translation>
    </message>
    <message>
        <source>%1 paid for</source>
        <translation>%1 bezahlt</translation>
    </message>
    <message>
        <source>%1, no price known</source>
        <comment>GPU-hours paid for</comment>
        <translation>%1, kein Preis bekannt</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>GPU-hours paid for, money</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <source>Activity (%1)</source>
        <translation>Aktivität (%1)</translation>
    </message>
    <message>
        <source>idle below %1</source>
        <translation>Leerlauf unter %1</translation>
    </message>
    <message>
        <source>Memory used, GiB</source>
        <translation>Belegter Speicher, GiB</translation>
    </message>
    <message>
        <source>Power, W</source>
        <translation>Leistung, W</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>at rest %1</source>
        <translation>in Ruhe %1</translation>
    </message>
    <message>
        <source>From %1, queried just now</source>
        <comment>name of a source</comment>
        <translation>Aus %1, soeben gefragt</translation>
    </message>
    <message>
        <source>The server has no data for this expression in the chosen time.</source>
        <translation>Der Server hat zu diesem Ausdruck im gewählten Zeitraum keine Daten.</translation>
    </message>
    <message>
        <source>%1 of %2 series are drawn; narrow the expression to see the others.</source>
        <translation>%1 von %2 Reihen sind gezeichnet; ein engerer Ausdruck zeigt die übrigen.</translation>
    </message>
    <message>
        <source>The server warns: %1</source>
        <translation>Der Server warnt: %1</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <comment>memory</comment>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>no price known</source>
        <translation>kein Preis bekannt</translation>
    </message>
    <message>
        <source>%1 an hour</source>
        <comment>money</comment>
        <translation>%1 je Stunde</translation>
    </message>
    <message>
        <source>%1, changed in this range</source>
        <translation>%1, in diesem Zeitraum geändert</translation>
    </message>
    <message>
        <source>instance %1</source>
        <comment>of a MIG device</comment>
        <translation>Instanz %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>MIG profile, its instance</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Whole device</source>
        <translation>Ganzes Gerät</translation>
    </message>
    <message>
        <source>Value</source>
        <comment>of an expression without labels</comment>
        <translation>Wert</translation>
    </message>
    <message>
        <source>None of it passes the filter</source>
        <translation>Nichts davon passt zum Filter</translation>
    </message>
    <message>
        <source>Not paid for in this time</source>
        <translation>In dieser Zeit nicht bezahlt</translation>
    </message>
    <message>
        <source>%1; %2 not fetched yet</source>
        <comment>what was paid for, GPU-hours</comment>
        <translation>%1; %2 noch nicht abgerufen</translation>
    </message>
    <message>
        <source>now %1</source>
        <comment>newest value</comment>
        <translation>jetzt %1</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <comment>newest value, time</comment>
        <translation>%1 um %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::DocumentView</name>
    <message>
        <source>Statement</source>
        <translation>Abrechnung</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ExplainMenu</name>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
    <message>
        <source>Explain: %1</source>
        <comment>a figure</comment>
        <translation>Erklären: %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ExpressionField</name>
    <message>
        <source>Add</source>
        <comment>an expression</comment>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>PromQL expression</source>
        <translation>PromQL-Ausdruck</translation>
    </message>
    <message>
        <source>Querying %1…</source>
        <comment>name of a source</comment>
        <translation>%1 wird gefragt…</translation>
    </message>
    <message>
        <source>PromQL, run on %1 over the same time. $device is the UUID; $cluster, $node and $index work too.</source>
        <translation>PromQL, auf %1 über dieselbe Zeit ausgeführt. $device ist die UUID; auch $cluster, $node und $index sind möglich.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::FactList</name>
    <message>
        <source>%1: %2</source>
        <comment>name and value</comment>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::FalseStops</name>
    <message>
        <source>Workload</source>
        <translation>Workload</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Eigentümer</translation>
    </message>
    <message>
        <source>Type</source>
        <comment>of a workload</comment>
        <translation>Art</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>When the rule would have stopped it</source>
        <translation>Wann die Regel ihn gestoppt hätte</translation>
    </message>
    <message>
        <source>Resumed after</source>
        <translation>Wieder aktiv nach</translation>
    </message>
    <message>
        <source>How long after the stop work resumed</source>
        <translation>Wie lange nach dem Stopp er wieder arbeitete</translation>
    </message>
    <message>
        <source>Interrupted, GPU-h</source>
        <translation>Gestört, GPU-h</translation>
    </message>
    <message>
        <source>At most: active time from then on</source>
        <translation>Höchstens: aktive Zeit von da an</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::FilterBar</name>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>+ Filter</source>
        <translation>+ Filter</translation>
    </message>
    <message>
        <source>Add a filter</source>
        <translation>Filter hinzufügen</translation>
    </message>
    <message>
        <source>All teams</source>
        <translation>Alle Teams</translation>
    </message>
    <message numerus="yes">
        <source>%n teams</source>
        <translation>
            <numerusform>%n Team</numerusform>
            <numerusform>%n Teams</numerusform>
        </translation>
    </message>
    <message>
        <source>More teams…</source>
        <translation>Weitere Teams…</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::FilterPopup</name>
    <message>
        <source>Filter by</source>
        <translation>Filtern nach</translation>
    </message>
    <message>
        <source>Add a filter</source>
        <translation>Filter hinzufügen</translation>
    </message>
    <message>
        <source>All dimensions</source>
        <translation>Alle Dimensionen</translation>
    </message>
    <message>
        <source>How the value is used</source>
        <translation>Verwendung des Werts</translation>
    </message>
    <message>
        <source>Only</source>
        <comment>filter: only this value</comment>
        <translation>Nur</translation>
    </message>
    <message>
        <source>Not</source>
        <comment>filter: all but this value</comment>
        <translation>Nicht</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>Keine Treffer</translation>
    </message>
    <message>
        <source>Values of %1</source>
        <comment>a dimension</comment>
        <translation>Werte von %1</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>none: has no value</source>
        <translation>keiner: ohne Wert</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Wird geladen…</translation>
    </message>
    <message>
        <source>Nothing synced yet</source>
        <translation>Noch nichts abgeglichen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::FiringList</name>
    <message>
        <source>Firing</source>
        <comment>list of alerts</comment>
        <translation>Ausgelöst</translation>
    </message>
    <message>
        <source>Nothing fires.</source>
        <translation>Kein Alarm ist ausgelöst.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>&amp;Stop…</source>
        <translation>&amp;Stoppen…</translation>
    </message>
    <message>
        <source>Silence…</source>
        <translation>Stummschalten…</translation>
    </message>
    <message>
        <source>Acknowledge</source>
        <translation>Bestätigen</translation>
    </message>
    <message>
        <source>Opens the Stop dialog for the idle workload that costs most</source>
        <translation>Öffnet den Dialog zum Stoppen für den teuersten Workload im Leerlauf</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>rule, team</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Nothing can be stopped based on data this old: sync first (F5).</source>
        <translation>Auf Grundlage so alter Daten kann nichts gestoppt werden: zuerst synchronisieren (F5).</translation>
    </message>
    <message>
        <source>Nothing that may be stopped is idle there now.</source>
        <translation>Dort ist gerade nichts im Leerlauf, das gestoppt werden darf.</translation>
    </message>
    <message>
        <source>No further message says that it fires</source>
        <translation>Keine weitere Nachricht meldet, dass der Alarm ausgelöst ist</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::FirstRun</name>
    <message>
        <source>Nothing has been synced yet</source>
        <translation>Noch nichts abgeglichen</translation>
    </message>
    <message>
        <source>The first sync fetches the telemetry of the last weeks and then follows it.</source>
        <translation>Der erste Abgleich holt die Telemetrie der letzten Wochen; danach bleibt sie aktuell.</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>Jetzt abgleichen</translation>
    </message>
    <message>
        <source>See where your GPU money goes</source>
        <translation>Sehen, wohin das GPU-Geld fließt</translation>
    </message>
    <message>
        <source>Connect the Prometheus that scrapes your GPU exporters. It is only read, and everything stays on this computer.</source>
        <translation>Verbinden mit dem Prometheus, der die GPU-Exporter abfragt. Es wird nur gelesen, und alles bleibt auf diesem Computer.</translation>
    </message>
    <message>
        <source>Or look around first, with the figures of a fictional company.</source>
        <translation>Oder erst umsehen, mit den Zahlen einer erfundenen Firma.</translation>
    </message>
    <message>
        <source>Connect a Prometheus…</source>
        <translation>Prometheus verbinden…</translation>
    </message>
    <message>
        <source>Explore the demo fleet</source>
        <translation>Demo-Flotte erkunden</translation>
    </message>
    <message>
        <source>Fetching the first data</source>
        <translation>Die ersten Daten werden abgerufen</translation>
    </message>
    <message>
        <source>Fetching the first data of %1</source>
        <comment>a source</comment>
        <translation>Die ersten Daten von %1 werden abgerufen</translation>
    </message>
    <message>
        <source>The pages fill as the data arrive.</source>
        <translation>Die Seiten füllen sich, sobald Daten eintreffen.</translation>
    </message>
    <message>
        <source>%1 fetched, about %2 left</source>
        <comment>share of a time range, duration</comment>
        <translation>%1 abgerufen, noch etwa %2</translation>
    </message>
    <message>
        <source>%1 fetched</source>
        <comment>share of a time range</comment>
        <translation>%1 abgerufen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::HeatmapAdapter</name>
    <message>
        <source>%1 heat map</source>
        <translation>Heatmap: %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>metric, unit</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>sum</source>
        <comment>of a row</comment>
        <translation>Summe</translation>
    </message>
    <message>
        <source>mean</source>
        <comment>of a row</comment>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>nothing held</source>
        <translation>nichts belegt</translation>
    </message>
    <message>
        <source>idle cost, %1</source>
        <translation>Leerlaufkosten, %1</translation>
    </message>
    <message>
        <source>not observed</source>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>Held</source>
        <translation>Belegt</translation>
    </message>
    <message>
        <source>Paid for</source>
        <translation>Bezahlt</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>Beobachtet</translation>
    </message>
    <message>
        <source>Idle cost</source>
        <translation>Leerlaufkosten</translation>
    </message>
    <message>
        <source>%1:00–%2:00</source>
        <comment>from hour, to hour</comment>
        <translation>%1:00–%2:00</translation>
    </message>
    <message>
        <source>%1 %2:00</source>
        <comment>weekday, hour</comment>
        <translation>%1 %2:00</translation>
    </message>
    <message>
        <source>%1:00</source>
        <comment>hour</comment>
        <translation>%1:00</translation>
    </message>
    <message>
        <source>week of %1</source>
        <translation>Woche ab %1</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>date format</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>(unallocated)</source>
        <translation>(nicht belegt)</translation>
    </message>
    <message>
        <source>(none)</source>
        <translation>(ohne)</translation>
    </message>
    <message>
        <source>observed in part</source>
        <comment>a cell of a heat map</comment>
        <translation>teilweise beobachtet</translation>
    </message>
    <message>
        <source>Not fetched yet</source>
        <translation>Noch nicht abgerufen</translation>
    </message>
    <message>
        <source>Observed in part</source>
        <translation>Teilweise beobachtet</translation>
    </message>
    <message>
        <source>%1 of this time</source>
        <translation>%1 dieser Zeit</translation>
    </message>
    <message>
        <source>Cost of unallocated time</source>
        <translation>Kosten nicht belegter Zeit</translation>
    </message>
    <message>
        <source>%1, mean per hour</source>
        <comment>metric</comment>
        <translation>%1, Mittel je Stunde</translation>
    </message>
    <message>
        <source>Sum of %1 h</source>
        <comment>of a cell: a number of hours</comment>
        <translation>Summe von %1 h</translation>
    </message>
    <message>
        <source>%1, %2, range of the data</source>
        <comment>metric, unit</comment>
        <translation>%1, %2, Bereich der Daten</translation>
    </message>
    <message>
        <source>%1 per hour</source>
        <comment>an amount of money</comment>
        <translation>%1 je Stunde</translation>
    </message>
    <message>
        <source>as billed</source>
        <comment>rates</comment>
        <translation>wie berechnet</translation>
    </message>
    <message>
        <source>list prices</source>
        <comment>rates</comment>
        <translation>Listenpreise</translation>
    </message>
    <message>
        <source>effective rates</source>
        <translation>effektive Sätze</translation>
    </message>
    <message>
        <source>%1, %2 per hour, %3</source>
        <comment>metric, currency, rates</comment>
        <translation>%1, %2 je Stunde, %3</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <comment>metric, currency, rates</comment>
        <translation>%1, %2, %3</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::HeatmapPage</name>
    <message>
        <source>Metric</source>
        <translation>Messgröße</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Anzeige</translation>
    </message>
    <message>
        <source>Allocation</source>
        <translation>Belegung</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechenlast</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beide</translation>
    </message>
    <message>
        <source>No devices in this range</source>
        <translation>Keine Geräte in diesem Zeitraum</translation>
    </message>
    <message>
        <source>No GPU was paid for in the chosen time.</source>
        <translation>Für keine GPU wurde im gewählten Zeitraum bezahlt.</translation>
    </message>
    <message>
        <source>Choose a longer time range.</source>
        <translation>Einen längeren Zeitraum wählen.</translation>
    </message>
    <message>
        <source>Data until %1</source>
        <translation>Daten bis %1</translation>
    </message>
    <message>
        <source>The heat map can&apos;t be shown</source>
        <translation>Die Heatmap kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>row, column</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>Zurück zu %1</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Nothing matches this filter</source>
        <translation>Nichts passt zu diesem Filter</translation>
    </message>
    <message>
        <source>No GPU within the filter was paid for in the chosen time.</source>
        <translation>Im gewählten Zeitraum wurde keine GPU bezahlt, die der Filter zulässt.</translation>
    </message>
    <message>
        <source>Remove a filter or choose a longer time range.</source>
        <translation>Einen Filter entfernen oder einen längeren Zeitraum wählen.</translation>
    </message>
    <message>
        <source>Remove all filters</source>
        <translation>Alle Filter entfernen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>metric, cell</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>GPU-hours held</source>
        <translation>Belegte GPU-Stunden</translation>
    </message>
    <message>
        <source>unallocated</source>
        <translation>nicht belegt</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <comment>metric, holder, time</comment>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>not observed</source>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>only %1 of this time was observed</source>
        <translation>nur %1 dieser Zeit wurden beobachtet</translation>
    </message>
    <message>
        <source>%1, sum</source>
        <comment>metric</comment>
        <translation>%1, Summe</translation>
    </message>
    <message>
        <source>0–100 %</source>
        <translation>0–100 %</translation>
    </message>
    <message>
        <source>Colours from 0 to 100 %</source>
        <translation>Farben von 0 bis 100 %</translation>
    </message>
    <message>
        <source>Colours from 0 to 100 %, instead of the range of the data</source>
        <translation>Farben von 0 bis 100 %, statt des Bereichs der Daten</translation>
    </message>
    <message>
        <source>Finding out who held it…</source>
        <translation>Belegung wird ermittelt …</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::HeatmapStrip</name>
    <message>
        <source>Show details</source>
        <translation>Einzelheiten zeigen</translation>
    </message>
    <message>
        <source>Holders of the cell</source>
        <translation>Belegung der Zelle</translation>
    </message>
    <message>
        <source>nothing was paid for in this cell</source>
        <translation>in dieser Zelle wurde für nichts bezahlt</translation>
    </message>
    <message>
        <source>Open in Grafana</source>
        <translation>In Grafana öffnen</translation>
    </message>
    <message>
        <source>Show all in Idle</source>
        <translation>Alle unter Leerlauf zeigen</translation>
    </message>
    <message>
        <source>What is idle now in this row, with the reasons and a way to stop it</source>
        <translation>Was in dieser Zeile jetzt leerläuft, mit den Gründen und einem Weg, es zu stoppen</translation>
    </message>
    <message>
        <source>%1 of %2 holders</source>
        <comment>holders in this cell, holders in the row</comment>
        <translation>%1 von %2 Inhabern</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::HelpWindow</name>
    <message>
        <source>Handbook</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Contents</source>
        <comment>of the handbook</comment>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Close</source>
        <comment>the handbook</comment>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Chapter of the handbook</source>
        <translation>Kapitel des Handbuchs</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Help: %1</source>
        <comment>title of a chapter</comment>
        <translation>Hilfe: %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::HiddenCosts</name>
    <message>
        <source>Other than GPU time</source>
        <translation>Außer GPU-Zeit</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>Dienst</translation>
    </message>
    <message>
        <source>Cost, %1</source>
        <translation>Kosten, %1</translation>
    </message>
    <message>
        <source>Effective cost from bills</source>
        <translation>Effektive Kosten nach den Rechnungen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleEvidencePanel</name>
    <message>
        <source>Highest activity</source>
        <translation>Höchste Aktivität</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <source>Highest activity (%1)</source>
        <translation>Höchste Aktivität (%1)</translation>
    </message>
    <message>
        <source>Activity (%1)</source>
        <translation>Aktivität (%1)</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>Idle since</source>
        <translation>Leerlauf seit</translation>
    </message>
    <message>
        <source>Show in heat map</source>
        <translation>In der Heatmap zeigen</translation>
    </message>
    <message>
        <source>Owner %1</source>
        <translation>Eigentümer: %1</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>%1 bisher</translation>
    </message>
    <message>
        <source>no price known</source>
        <translation>kein Preis bekannt</translation>
    </message>
    <message>
        <source>Price: %1. %2</source>
        <translation>Preis: %1. %2</translation>
    </message>
    <message>
        <source>protected: %1</source>
        <translation>geschützt: %1</translation>
    </message>
    <message>
        <source>For stopping</source>
        <translation>Für das Stoppen</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>Dagegen</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>Nicht bekannt</translation>
    </message>
    <message>
        <source>Why it is unknown</source>
        <translation>Warum es unbekannt ist</translation>
    </message>
    <message>
        <source>%1 of its window was observed, %2 is needed to call it idle</source>
        <translation>%1 des Fensters wurden beobachtet, %2 sind nötig, um von Leerlauf zu sprechen</translation>
    </message>
    <message>
        <source>Its history can&apos;t be read</source>
        <translation>Der Verlauf kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>Reading its history…</source>
        <translation>Verlauf wird gelesen…</translation>
    </message>
    <message>
        <source>It held nothing in the last 24 h</source>
        <translation>In den letzten 24 h war nichts belegt</translation>
    </message>
    <message>
        <source>not observed now</source>
        <translation>derzeit nicht beobachtet</translation>
    </message>
    <message>
        <source>%1, threshold %2</source>
        <translation>%1, Schwelle %2</translation>
    </message>
    <message>
        <source>Memory held, %1 devices</source>
        <translation>Belegter Speicher, %1 Geräte</translation>
    </message>
    <message>
        <source>Memory held</source>
        <translation>Belegter Speicher</translation>
    </message>
    <message>
        <source>%1 GiB of %2</source>
        <translation>%1 GiB von %2</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>Power, %1 devices</source>
        <translation>Leistung, %1 Geräte</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>%1, at rest %2</source>
        <translation>%1, in Ruhe %2</translation>
    </message>
    <message>
        <source>%1, at rest</source>
        <translation>%1, in Ruhe</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>heading and one of the lines below it</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Show a device</source>
        <translation>Ein Gerät zeigen</translation>
    </message>
    <message>
        <source>Show the device</source>
        <translation>Das Gerät zeigen</translation>
    </message>
    <message>
        <source>Why, and what stopping saves</source>
        <translation>Warum, und was Stoppen spart</translation>
    </message>
    <message>
        <source>The last %1 in steps of %2; hatched: not observed</source>
        <comment>lengths of time</comment>
        <translation>Die letzten %1 in Schritten von %2; schraffiert: nicht beobachtet</translation>
    </message>
    <message>
        <source>%1; the highest value of each step</source>
        <comment>a sentence</comment>
        <translation>%1; der höchste Wert jedes Schritts</translation>
    </message>
    <message>
        <source>Why it can&apos;t be stopped</source>
        <translation>Warum es nicht angehalten werden kann</translation>
    </message>
    <message>
        <source>Idle for at least</source>
        <comment>a time; heading</comment>
        <translation>Im Leerlauf seit mindestens</translation>
    </message>
    <message>
        <source>cost so far unknown</source>
        <translation>bisherige Kosten unbekannt</translation>
    </message>
    <message>
        <source>Why it is blocked</source>
        <translation>Warum sie blockiert sind</translation>
    </message>
    <message>
        <source>Who waited</source>
        <translation>Wer gewartet hat</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdlePage</name>
    <message>
        <source>Idle workloads</source>
        <translation>Workloads im Leerlauf</translation>
    </message>
    <message>
        <source>Grouped</source>
        <translation>Gruppierung</translation>
    </message>
    <message>
        <source>By owner</source>
        <translation>Nach Eigentümer</translation>
    </message>
    <message>
        <source>Flat</source>
        <comment>list without groups</comment>
        <translation>Ohne Gruppen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation>Auswahl aufheben</translation>
    </message>
    <message>
        <source>Copy list</source>
        <translation>Liste kopieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>The idle list can&apos;t be shown</source>
        <translation>Die Leerlaufliste kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>List as of %1</source>
        <translation>Liste vom %1</translation>
    </message>
    <message>
        <source>Nothing is idle</source>
        <translation>Nichts ist im Leerlauf</translation>
    </message>
    <message>
        <source>Nothing is idle within this filter</source>
        <translation>Mit diesem Filter ist nichts im Leerlauf</translation>
    </message>
    <message>
        <source>Everything held was active within its grace window of up to %1.</source>
        <translation>Alles Belegte war in seiner Karenzzeit von bis zu %1 aktiv.</translation>
    </message>
    <message numerus="yes">
        <source>%n workload(s) can&apos;t be judged: too little of the window was observed.</source>
        <translation>
            <numerusform>%n Workload ist nicht zu beurteilen: zu wenig des Fensters wurde beobachtet.</numerusform>
            <numerusform>%n Workloads sind nicht zu beurteilen: zu wenig des Fensters wurde beobachtet.</numerusform>
        </translation>
    </message>
    <message>
        <source>Show unknown</source>
        <translation>Unbekannte zeigen</translation>
    </message>
    <message>
        <source>Remove the filter to see the whole fleet.</source>
        <translation>Den Filter entfernen, um die ganze Flotte zu sehen.</translation>
    </message>
    <message>
        <source>%1, no price known</source>
        <comment>GPUs</comment>
        <translation>%1, kein Preis bekannt</translation>
    </message>
    <message>
        <source>1 idle workload</source>
        <translation>1 Workload im Leerlauf</translation>
    </message>
    <message numerus="yes">
        <source>%n idle workloads</source>
        <translation>
            <numerusform>%n Workload im Leerlauf</numerusform>
            <numerusform>%n Workloads im Leerlauf</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n selected</source>
        <translation>
            <numerusform>%n ausgewählt</numerusform>
            <numerusform>%n ausgewählt</numerusform>
        </translation>
    </message>
    <message>
        <source>Select workloads to add them up</source>
        <translation>Workloads auswählen, um sie zu summieren</translation>
    </message>
    <message numerus="yes">
        <source>Copy %n selected</source>
        <translation>
            <numerusform>%n ausgewählte Zeile kopieren</numerusform>
            <numerusform>%n ausgewählte Zeilen kopieren</numerusform>
        </translation>
    </message>
    <message>
        <source>Cost so far</source>
        <translation>Kosten bisher</translation>
    </message>
    <message>
        <source>Per month if left idle</source>
        <translation>Pro Monat, wenn es so bleibt</translation>
    </message>
    <message>
        <source>Idle hours</source>
        <translation>Untätige Stunden</translation>
    </message>
    <message>
        <source>Rate per hour</source>
        <translation>Preis je Stunde</translation>
    </message>
    <message>
        <source>&amp;Stop this one…</source>
        <translation>Diesen &amp;stoppen…</translation>
    </message>
    <message>
        <source>Stop…</source>
        <translation>Stoppen…</translation>
    </message>
    <message>
        <source>Leave alone…</source>
        <translation>In Ruhe lassen…</translation>
    </message>
    <message>
        <source>No longer %1</source>
        <comment>snoozed, kept, protected</comment>
        <translation>Nicht mehr %1</translation>
    </message>
    <message>
        <source>Stop later…</source>
        <translation>Später stoppen…</translation>
    </message>
    <message>
        <source>Cancel stopping it later</source>
        <translation>Doch nicht später stoppen</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Anzeige</translation>
    </message>
    <message>
        <source>Idle</source>
        <comment>list of what is idle</comment>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Waiting jobs</source>
        <translation>Wartende Jobs</translation>
    </message>
    <message numerus="yes">
        <source>%n idle workload(s) that would serve it are not in this list: remove the filter.</source>
        <translation>
            <numerusform>%n Workload im Leerlauf, der helfen würde, ist nicht in dieser Liste: entfernen Sie den Filter.</numerusform>
            <numerusform>%n Workloads im Leerlauf, die helfen würden, sind nicht in dieser Liste: entfernen Sie den Filter.</numerusform>
        </translation>
    </message>
    <message>
        <source>Jobs waiting for GPUs</source>
        <translation>Auf GPUs wartende Jobs</translation>
    </message>
    <message>
        <source>Rule…</source>
        <comment>for what is idle</comment>
        <translation>Regel…</translation>
    </message>
    <message>
        <source>Idle rule</source>
        <translation>Leerlaufregel</translation>
    </message>
    <message>
        <source>When a workload counts as idle, and what another rule would do</source>
        <translation>Wann ein Workload als untätig gilt, und was eine andere Regel bewirken würde</translation>
    </message>
    <message>
        <source>What is idle now is not known</source>
        <translation>Was jetzt im Leerlauf ist, ist nicht bekannt</translation>
    </message>
    <message>
        <source>Nothing was idle at %1, where the data end; what happened since has not been fetched yet.</source>
        <translation>Am %1, am Ende der Daten, war nichts im Leerlauf; was seither geschah, wurde noch nicht geholt.</translation>
    </message>
    <message>
        <source>Nothing can be stopped based on data that end at %1: sync first (F5).</source>
        <translation>Aus Daten, die am %1 enden, lässt sich nichts stoppen: erst abgleichen (F5).</translation>
    </message>
    <message>
        <source>Nothing can be stopped before the first sync.</source>
        <translation>Vor dem ersten Abgleich lässt sich nichts stoppen.</translation>
    </message>
    <message numerus="yes">
        <source>%n idle workload(s) on %1</source>
        <comment>time at which the data end</comment>
        <translation>
            <numerusform>%n Workload im Leerlauf am %1</numerusform>
            <numerusform>%n Workloads im Leerlauf am %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; stopping %2</source>
        <comment>GPUs, &quot;saves 1,234 USD a month&quot;</comment>
        <translation>%1; Stoppen %2</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Stop %n selected…</source>
        <translation>
            <numerusform>%n ausgewählte &amp;stoppen…</numerusform>
            <numerusform>%n ausgewählte &amp;stoppen…</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing is known to be idle</source>
        <translation>Von nichts ist bekannt, dass es im Leerlauf ist</translation>
    </message>
    <message>
        <source>What could be judged was active within its grace window of up to %1.</source>
        <translation>Was zu beurteilen war, war in seiner Karenzzeit von bis zu %1 aktiv.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleRowButtons</name>
    <message>
        <source>Tell owner</source>
        <translation>Eigentümer informieren</translation>
    </message>
    <message>
        <source>Copy a message: what is idle, since when, and how to keep it</source>
        <translation>Eine Nachricht kopieren: was leerläuft, seit wann, und wie man es behält</translation>
    </message>
    <message>
        <source>End snooze</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>Snooze…</source>
        <translation>Zurückstellen…</translation>
    </message>
    <message>
        <source>Unprotect</source>
        <translation>Freigeben</translation>
    </message>
    <message>
        <source>Protect…</source>
        <translation>Schützen…</translation>
    </message>
    <message>
        <source>Protected by %1</source>
        <translation>Geschützt durch %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleRuleCurveText</name>
    <message>
        <source>Rule in use</source>
        <translation>Geltende Regel</translation>
    </message>
    <message>
        <source>Each rule replayed over %1.</source>
        <translation>Jede Regel über %1 nachgespielt.</translation>
    </message>
    <message>
        <source>Too little is stored for an estimate; each rule is being replayed.</source>
        <translation>Für eine Schätzung ist zu wenig gespeichert; jede Regel wird gerade nachgespielt.</translation>
    </message>
    <message>
        <source>Estimated from how workloads stayed idle in the 28 days before, in hours of workloads, however many GPUs these had; each rule is being replayed.</source>
        <translation>Geschätzt daraus, wie lange Workloads in den 28 Tagen davor im Leerlauf blieben, in Stunden von Workloads, gleich wie viele GPUs diese hatten; jede Regel wird gerade nachgespielt.</translation>
    </message>
    <message>
        <source>Another rule, %1, would have brought back more hours with fewer false stops.</source>
        <translation>Eine andere Regel, %1, hätte mehr Stunden zurückgebracht, bei weniger falschen Stopps.</translation>
    </message>
    <message>
        <source>%1, measured: %2 of stops would have been false</source>
        <comment>a time, a share</comment>
        <translation>%1, gemessen: %2 der Stopps wären falsch gewesen</translation>
    </message>
    <message>
        <source>%1, default: too little past</source>
        <comment>a time</comment>
        <translation>%1, Vorgabe: zu wenig Vergangenheit</translation>
    </message>
    <message>
        <source>%1, configured</source>
        <comment>a time</comment>
        <translation>%1, konfiguriert</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>kind of workload, its grace window</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>others</source>
        <comment>kinds of workloads</comment>
        <translation>andere</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleRuleDialog</name>
    <message>
        <source>Idle rule</source>
        <translation>Leerlaufregel</translation>
    </message>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n Tag</numerusform>
            <numerusform>%n Tage</numerusform>
        </translation>
    </message>
    <message>
        <source>Tried over the last</source>
        <translation>Erprobt über die letzten</translation>
    </message>
    <message>
        <source>A stop is false if work resumes within</source>
        <translation>Ein Stopp ist falsch, wenn wieder gearbeitet wird innerhalb von</translation>
    </message>
    <message>
        <source>False if work resumed within</source>
        <translation>Falsch, wenn wieder aktiv nach</translation>
    </message>
    <message>
        <source>Current rule</source>
        <translation>Geltende Regel</translation>
    </message>
    <message>
        <source>This rule</source>
        <translation>Diese Regel</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>By owner</source>
        <translation>Nach Eigentümer</translation>
    </message>
    <message>
        <source>False stops</source>
        <translation>Falsche Stopps</translation>
    </message>
    <message>
        <source>What the rule would have stopped, by owner</source>
        <translation>Was die Regel gestoppt hätte, nach Eigentümer</translation>
    </message>
    <message>
        <source>Stops after which work resumed soon</source>
        <translation>Stopps, nach denen bald wieder gearbeitet wurde</translation>
    </message>
    <message>
        <source>Reset to current rule</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Fill in the current rule</source>
        <translation>Die geltende Regel eintragen</translation>
    </message>
    <message>
        <source>Close</source>
        <comment>a dialog</comment>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Save rule</source>
        <translation>Regel speichern</translation>
    </message>
    <message>
        <source>The rule can&apos;t be tried</source>
        <translation>Die Regel lässt sich nicht erproben</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>There is no configuration file: you can see what a rule would have done, but not save it.</source>
        <translation>Es gibt keine Konfigurationsdatei: Was eine Regel bewirkt hätte, ist zu sehen; speichern lässt sie sich nicht.</translation>
    </message>
    <message>
        <source>A saved rule applies to the idle list and the idle cost of every open month, and is written to your configuration. Closed months stay as they are.</source>
        <translation>Eine gespeicherte Regel gilt für die Leerlaufliste und die Leerlaufkosten jedes offenen Monats und wird in die Konfiguration geschrieben. Abgeschlossene Monate bleiben, wie sie sind.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleRuleForm</name>
    <message>
        <source>Activity below</source>
        <translation>Aktivität unter</translation>
    </message>
    <message>
        <source>A GPU with activity below this counts as doing nothing.</source>
        <translation>Eine GPU mit geringerer Aktivität gilt als untätig.</translation>
    </message>
    <message>
        <source>Observed at least</source>
        <translation>Mindestens beobachtet</translation>
    </message>
    <message>
        <source>Share of the time before; with less it can&apos;t be judged.</source>
        <translation>Anteil der Zeit davor; mit weniger ist kein Urteil möglich.</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>One per line: namespace:NAME, label:NAME=VALUE.</source>
        <translation>Eine je Zeile: namespace:NAME, label:NAME=WERT.</translation>
    </message>
    <message>
        <source>Notebooks idle for</source>
        <translation>Notebooks seit</translation>
    </message>
    <message>
        <source>Development idle for</source>
        <translation>Entwicklung seit</translation>
    </message>
    <message>
        <source>Training idle for</source>
        <translation>Training seit</translation>
    </message>
    <message>
        <source>Batch jobs idle for</source>
        <translation>Batch-Jobs seit</translation>
    </message>
    <message>
        <source>Inference idle for</source>
        <translation>Inferenz seit</translation>
    </message>
    <message>
        <source>Others idle for</source>
        <translation>Andere seit</translation>
    </message>
    <message>
        <source>At least this long, from 5m to 90d: 90m, 2h or 1d.</source>
        <translation>Mindestens so lange, von 5m bis 90d: 90m, 2h oder 1d.</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t a time from 5m to 90d; write 90m, 2h or 1d.</source>
        <comment>what was typed</comment>
        <translation>„%1“ ist keine Dauer von 5m bis 90d; schreiben Sie 90m, 2h oder 1d.</translation>
    </message>
    <message>
        <source>“%1” isn&apos;t an exception; write namespace:NAME or label:NAME=VALUE.</source>
        <comment>what was typed</comment>
        <translation>„%1“ ist keine Ausnahme; schreiben Sie namespace:NAME oder label:NAME=WERT.</translation>
    </message>
    <message>
        <source>In use: %1</source>
        <comment>a time and where it comes from</comment>
        <translation>Gilt: %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleRuleParts</name>
    <message>
        <source>Owner</source>
        <translation>Eigentümer</translation>
    </message>
    <message>
        <source>Type</source>
        <comment>of a workload</comment>
        <translation>Art</translation>
    </message>
    <message>
        <source>Stops</source>
        <translation>Stopps</translation>
    </message>
    <message>
        <source>How often it would have stopped something</source>
        <translation>Wie oft sie etwas gestoppt hätte</translation>
    </message>
    <message>
        <source>False</source>
        <translation>Falsch</translation>
    </message>
    <message>
        <source>Stops after which work resumed soon</source>
        <translation>Stopps, nach denen bald wieder gearbeitet wurde</translation>
    </message>
    <message>
        <source>Recovered, GPU-h</source>
        <translation>Gewonnen, GPU-h</translation>
    </message>
    <message>
        <source>Idle GPU-hours after the stops</source>
        <translation>Leerlauf-GPU-Stunden nach den Stopps</translation>
    </message>
    <message>
        <source>Recovered, %1</source>
        <comment>currency</comment>
        <translation>Gewonnen, %1</translation>
    </message>
    <message>
        <source>What these hours cost</source>
        <translation>Was diese Stunden kosteten</translation>
    </message>
    <message>
        <source>Interrupted, GPU-h</source>
        <translation>Gestört, GPU-h</translation>
    </message>
    <message>
        <source>At most: active time after false stops</source>
        <translation>Höchstens: aktive Zeit nach falschen Stopps</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>kein Preis</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleRuleText</name>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>Stops</source>
        <translation>Stopps</translation>
    </message>
    <message>
        <source>How often it would have stopped something</source>
        <translation>Wie oft sie etwas gestoppt hätte</translation>
    </message>
    <message>
        <source>False stops</source>
        <translation>Falsche Stopps</translation>
    </message>
    <message>
        <source>Work resumed soon after: someone would have been disturbed</source>
        <translation>Bald danach wurde wieder gearbeitet: jemand wäre gestört worden</translation>
    </message>
    <message>
        <source>Recovered, GPU-hours</source>
        <translation>Zurückgewonnen, GPU-Stunden</translation>
    </message>
    <message>
        <source>Idle GPU-hours after the stops, until work resumed or the workload ended</source>
        <translation>Leerlauf-GPU-Stunden nach den Stopps, bis wieder gearbeitet wurde oder der Workload endete</translation>
    </message>
    <message>
        <source>Recovered, %1</source>
        <comment>currency</comment>
        <translation>Zurückgewonnen, %1</translation>
    </message>
    <message>
        <source>What these hours cost</source>
        <translation>Was diese Stunden kosteten</translation>
    </message>
    <message>
        <source>Work interrupted, GPU-hours</source>
        <translation>Gestörte Arbeit, GPU-Stunden</translation>
    </message>
    <message>
        <source>At most: active time after false stops, until the workload ended</source>
        <translation>Höchstens: aktive Zeit nach falschen Stopps, bis der Workload endete</translation>
    </message>
    <message>
        <source>Of %1 idle GPU-hours in this time.</source>
        <translation>Von %1 Leerlauf-GPU-Stunden in dieser Zeit.</translation>
    </message>
    <message>
        <source>There is no older data.</source>
        <translation>Ältere Daten gibt es nicht.</translation>
    </message>
    <message numerus="yes">
        <source>%n stop(s) came too late in this time to tell whether they were false.</source>
        <translation>
            <numerusform>%n Stopp kam zu spät in dieser Zeit, um zu sagen, ob er falsch war.</numerusform>
            <numerusform>%n Stopps kamen zu spät in dieser Zeit, um zu sagen, ob sie falsch waren.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 GPU-hours after stops were not observed and are not in any sum.</source>
        <translation>%1 GPU-Stunden nach den Stopps wurden nicht beobachtet und sind in keiner Summe.</translation>
    </message>
    <message>
        <source>%1 recovered GPU-hours have no price.</source>
        <translation>%1 zurückgewonnene GPU-Stunden haben keinen Preis.</translation>
    </message>
    <message>
        <source>The current rule is worse: this one would have recovered at least as much with no more false stops.</source>
        <translation>Die jetzige Regel ist schlechter: Diese hätte mindestens so viel zurückgewonnen, ohne mehr falsche Stopps.</translation>
    </message>
    <message>
        <source>The current rule is better: it would have recovered at least as much with no more false stops.</source>
        <translation>Die jetzige Regel ist besser: Sie hätte mindestens so viel zurückgewonnen, ohne mehr falsche Stopps.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleStop</name>
    <message>
        <source>Halt</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>It will be left alone.</source>
        <translation>Es wird in Ruhe gelassen.</translation>
    </message>
    <message>
        <source>The request was withdrawn.</source>
        <translation>Der Wunsch wurde zurückgenommen.</translation>
    </message>
    <message>
        <source>A stop or an undo did not go as requested.</source>
        <translation>Ein Stoppen oder Rückgängigmachen ging nicht wie gewünscht.</translation>
    </message>
    <message>
        <source>It was not marked: %1.</source>
        <comment>why</comment>
        <translation>Es wurde nicht vorgemerkt: %1.</translation>
    </message>
    <message>
        <source>It will be stopped after %1 unless someone objects. Its owner was not notified.</source>
        <comment>time</comment>
        <translation>Es wird nach %1 gestoppt, wenn niemand widerspricht. Der Besitzer wurde nicht benachrichtigt.</translation>
    </message>
    <message>
        <source>No watch is running on this data: nothing is stopped until one is.</source>
        <translation>Auf diesen Daten läuft kein „watch“: Bis eines läuft, wird nichts gestoppt.</translation>
    </message>
    <message>
        <source>Copy a message for its owner</source>
        <translation>Nachricht für den Besitzer kopieren</translation>
    </message>
    <message>
        <source>A message for %1 was copied; paste it where its owner will read it.</source>
        <comment>team</comment>
        <translation>Eine Nachricht für %1 wurde kopiert; sie lässt sich dort einfügen, wo der Eigentümer sie liest.</translation>
    </message>
    <message numerus="yes">
        <source>%n workload(s)</source>
        <comment>to be marked</comment>
        <translation>
            <numerusform>%n Workload</numerusform>
            <numerusform>%n Workloads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n workload(s) will be stopped after %1 unless someone objects. Nobody was notified.</source>
        <comment>time</comment>
        <translation>
            <numerusform>%n Workload wird nach %1 gestoppt, wenn niemand widerspricht. Niemand wurde benachrichtigt.</numerusform>
            <numerusform>%n Workloads werden nach %1 gestoppt, wenn niemand widerspricht. Niemand wurde benachrichtigt.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleTable</name>
    <message>
        <source>Workload</source>
        <translation>Workload</translation>
    </message>
    <message>
        <source>What holds the GPUs and does nothing with them</source>
        <translation>Was die GPUs belegt und nichts mit ihnen tut</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Devices and parts of devices that it holds</source>
        <translation>Belegte Geräte und Teile von Geräten</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>The rule that keeps it from being stopped, or how little was seen</source>
        <translation>Die Regel, die vor dem Stoppen schützt, oder wie wenig beobachtet wurde</translation>
    </message>
    <message>
        <source>Idle for</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Time since its last activity</source>
        <translation>Zeit seit der letzten Aktivität</translation>
    </message>
    <message>
        <source>%1/h</source>
        <comment>currency an hour</comment>
        <translation>%1/h</translation>
    </message>
    <message>
        <source>Cost of an hour at its rate</source>
        <translation>Kosten einer Stunde zum geltenden Satz</translation>
    </message>
    <message>
        <source>Cost so far</source>
        <translation>Kosten bisher</translation>
    </message>
    <message>
        <source>Cost of its idle time until now, in %1</source>
        <translation>Kosten des Leerlaufs bis jetzt, in %1</translation>
    </message>
    <message>
        <source>Per month</source>
        <translation>Pro Monat</translation>
    </message>
    <message>
        <source>Cost of a month if left idle: 730 hours, in %1</source>
        <translation>Kosten eines Monats, wenn es so bleibt: 730 Stunden, in %1</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Eigentümer</translation>
    </message>
    <message>
        <source>The team that pays for it</source>
        <translation>Das Team, das dafür bezahlt</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Namespace</source>
        <translation>Namespace</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>GPU model</source>
        <translation>GPU-Modell</translation>
    </message>
    <message>
        <source>Idle since</source>
        <translation>Leerlauf seit</translation>
    </message>
    <message>
        <source>Its last activity, or its start when there was none</source>
        <translation>Die letzte Aktivität, oder der Start, wenn es keine gab</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>Beobachtet</translation>
    </message>
    <message>
        <source>Share of its grace window that was observed</source>
        <translation>Beobachteter Anteil der Karenzzeit</translation>
    </message>
    <message>
        <source>Idle now</source>
        <translation>Jetzt im Leerlauf</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>protected</source>
        <translation>geschützt</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>kein Preis</translation>
    </message>
    <message>
        <source>seen %1</source>
        <comment>share of the window that was observed</comment>
        <translation>gesehen: %1</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>a sentence, then its source</comment>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Observed %1 of its window, %2 is needed</source>
        <translation>%1 des Fensters beobachtet, %2 sind nötig</translation>
    </message>
    <message>
        <source>Since %1 at the earliest: not all of the time was observed</source>
        <translation>Frühestens seit %1: nicht die ganze Zeit wurde beobachtet</translation>
    </message>
    <message>
        <source>Since %1</source>
        <translation>Seit %1</translation>
    </message>
    <message>
        <source>Protected by %1</source>
        <translation>Geschützt durch %1</translation>
    </message>
    <message>
        <source>An hour&apos;s cost × 730 hours</source>
        <translation>Kosten einer Stunde × 730 Stunden</translation>
    </message>
    <message>
        <source>%1: less than %2 of their window was observed, so they can&apos;t be judged</source>
        <translation>%1: weniger als %2 des Fensters wurden beobachtet; ein Urteil ist nicht möglich</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>workloads, GPUs</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>1 workload</source>
        <translation>1 Workload</translation>
    </message>
    <message numerus="yes">
        <source>%n workloads</source>
        <translation>
            <numerusform>%n Workload</numerusform>
            <numerusform>%n Workloads</numerusform>
        </translation>
    </message>
    <message>
        <source>Snoozed</source>
        <translation>Zurückgestellt</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>wird gestoppt</translation>
    </message>
    <message>
        <source>Stopped; its GPUs count as free once telemetry confirms it</source>
        <translation>Gestoppt; seine GPUs gelten als frei, sobald die Telemetrie es bestätigt</translation>
    </message>
    <message>
        <source>Requested by %1</source>
        <translation>Gewünscht von %1</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>bis %1</translation>
    </message>
    <message>
        <source>until withdrawn</source>
        <translation>bis es zurückgenommen wird</translation>
    </message>
    <message>
        <source>Avoidable</source>
        <translation>Vermeidbar</translation>
    </message>
    <message>
        <source>Sunk</source>
        <translation>Unvermeidbar</translation>
    </message>
    <message>
        <source>stops %1</source>
        <comment>time</comment>
        <translation>stoppt %1</translation>
    </message>
    <message>
        <source>marked</source>
        <translation>vorgemerkt</translation>
    </message>
    <message>
        <source>stopped after %1 unless someone objects</source>
        <translation>wird nach %1 gestoppt, wenn niemand widerspricht</translation>
    </message>
    <message>
        <source>not stopped: the configuration does not let the watch stop anything</source>
        <translation>wird nicht gestoppt: Die Konfiguration lässt „watch“ nichts stoppen</translation>
    </message>
    <message>
        <source>Idle at the end of the data</source>
        <translation>Im Leerlauf am Ende der Daten</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>workloads and GPUs that were stopped, &quot;saving 1,234 USD a month&quot;</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1; stopping %2</source>
        <comment>workloads and GPUs, &quot;saves 1,234 USD a month&quot;</comment>
        <translation>%1; Stoppen %2</translation>
    </message>
    <message>
        <source>The part of its monthly cost that ends when it is stopped; &quot;up to&quot;: whether it ends is not known</source>
        <translation>Der Teil seiner monatlichen Kosten, der mit dem Stoppen endet; „bis zu“: ob er endet, ist nicht bekannt</translation>
    </message>
    <message>
        <source>Stays idle</source>
        <translation>Bleibt ungenutzt</translation>
    </message>
    <message>
        <source>Chance that it does no work in the next hour, measured from how long workloads stayed idle</source>
        <translation>Wahrscheinlichkeit, dass in der nächsten Stunde nichts gerechnet wird, gemessen daran, wie lange Workloads bisher ungenutzt blieben</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>partly idle</source>
        <translation>teilweise untätig</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>idle GPUs of all, and their model</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2, not in the sums above: the others work, so it can&apos;t be stopped, but a smaller size would do</source>
        <comment>idle GPUs, all GPUs</comment>
        <translation>%1 von %2, nicht in den Summen darüber: Die übrigen arbeiten, daher ist Anhalten nicht möglich, aber eine kleinere Größe würde genügen</translation>
    </message>
    <message>
        <source>The part of its monthly cost that continues: the machine is owned, committed to, or stays for others</source>
        <translation>Der Teil der Monatskosten, der weiterläuft: Die Maschine ist eigen, fest gebunden oder bleibt für andere</translation>
    </message>
    <message>
        <source>Partly idle</source>
        <translation>Teilweise untätig</translation>
    </message>
    <message>
        <source>The cost of its idle GPUs ends only with the whole machine, or with a smaller size</source>
        <translation>Die Kosten der GPUs, die nicht arbeiten, enden nur mit der ganzen Maschine oder mit einer kleineren Größe</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>blockiert</translation>
    </message>
    <message>
        <source>%1, %2 a month</source>
        <comment>GPUs, money</comment>
        <translation>%1, %2 im Monat</translation>
    </message>
    <message>
        <source>%1, not in the sums above: nothing holds them, and pods that waited could not be given them</source>
        <comment>&quot;2 GPUs, 1,234 USD a month&quot;</comment>
        <translation>%1, nicht in den Summen oben: Nichts belegt sie, und wartende Pods konnten sie nicht bekommen</translation>
    </message>
    <message>
        <source>Blocked</source>
        <comment>GPUs that could not be given to what waited</comment>
        <translation>Blockiert</translation>
    </message>
    <message>
        <source>%1; %2 more may be blocked, which is not known</source>
        <comment>&quot;2 GPUs, not in the sums above&quot;, number</comment>
        <translation>%1; von %2 weiteren ist nicht bekannt, ob sie blockiert sind</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleText</name>
    <message>
        <source>%1 d %2 h</source>
        <comment>length of time</comment>
        <translation>%1 d %2 h</translation>
    </message>
    <message>
        <source>%1 d</source>
        <comment>length of time</comment>
        <translation>%1 d</translation>
    </message>
    <message>
        <source>%1 h</source>
        <comment>length of time</comment>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <comment>length of time</comment>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1 min</source>
        <comment>length of time</comment>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>d MMM, HH:mm</source>
        <comment>format of a day and time in QLocale&apos;s letters</comment>
        <translation>d. MMM, HH:mm</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>a time and its zone</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>d MMM yyyy, HH:mm</source>
        <comment>format of a date and time in QLocale&apos;s letters</comment>
        <translation>d. MMM yyyy, HH:mm</translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation>1 GPU</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 GPUs</translation>
    </message>
    <message>
        <source>1 device</source>
        <translation>1 Gerät</translation>
    </message>
    <message numerus="yes">
        <source>%n devices</source>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n Geräte</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <comment>number of GPUs and their model</comment>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>cluster %1</source>
        <translation>Cluster %1</translation>
    </message>
    <message>
        <source>ns %1</source>
        <comment>namespace</comment>
        <translation>NS %1</translation>
    </message>
    <message>
        <source>node %1</source>
        <translation>Knoten %1</translation>
    </message>
    <message>
        <source>SM active</source>
        <translation>SM aktiv</translation>
    </message>
    <message>
        <source>graphics engine active</source>
        <translation>Grafik-Engine aktiv</translation>
    </message>
    <message>
        <source>GPU utilization</source>
        <translation>GPU-Auslastung</translation>
    </message>
    <message>
        <source>duty cycle</source>
        <translation>Einschaltdauer</translation>
    </message>
    <message>
        <source>Part of the time since then was not observed: it may have worked later</source>
        <translation>Ein Teil der Zeit seither wurde nicht beobachtet: Arbeit danach ist möglich</translation>
    </message>
    <message>
        <source>What it costs: there is no price for its GPUs</source>
        <translation>Die Kosten: für diese GPUs gibt es keinen Preis</translation>
    </message>
    <message>
        <source>Activity of %1 of %2 devices is not reported</source>
        <translation>Die Aktivität von %1 der %2 Geräte wird nicht gemeldet</translation>
    </message>
    <message>
        <source>Memory of %1 of %2 devices is not reported</source>
        <translation>Der Speicher von %1 der %2 Geräte wird nicht gemeldet</translation>
    </message>
    <message>
        <source>Power of %1 of %2 devices is not reported</source>
        <translation>Die Leistung von %1 der %2 Geräte wird nicht gemeldet</translation>
    </message>
    <message>
        <source>The resting draw of this model is not known</source>
        <translation>Die Ruheleistung dieses Modells ist nicht bekannt</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>kein Preis</translation>
    </message>
    <message>
        <source>not known</source>
        <comment>an amount of money</comment>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>notebook</source>
        <translation>Notebook</translation>
    </message>
    <message>
        <source>development</source>
        <translation>Entwicklung</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>inference</source>
        <translation>Inferenz</translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of all workloads</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n Leerlaufzeit aller Workloads</numerusform>
            <numerusform>%n Leerlaufzeiten aller Workloads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of workloads without a kind</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n Leerlaufzeit von Workloads ohne Art</numerusform>
            <numerusform>%n Leerlaufzeiten von Workloads ohne Art</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of the kind %1</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n Leerlaufzeit der Art %1</numerusform>
            <numerusform>%n Leerlaufzeiten der Art %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of the team&apos;s workloads without a kind</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n Leerlaufzeit von Workloads des Teams ohne Art</numerusform>
            <numerusform>%n Leerlaufzeiten von Workloads des Teams ohne Art</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of the team&apos;s workloads of the kind %1</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n Leerlaufzeit von Workloads des Teams der Art %1</numerusform>
            <numerusform>%n Leerlaufzeiten von Workloads des Teams der Art %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n idle time(s) of this workload, and those of its team</source>
        <comment>what a chance was measured from</comment>
        <translation>
            <numerusform>%n Leerlaufzeit dieses Workloads und denen seines Teams</numerusform>
            <numerusform>%n Leerlaufzeiten dieses Workloads und denen seines Teams</numerusform>
        </translation>
    </message>
    <message>
        <source>a default, because no past is known</source>
        <translation>Vorgabe, weil keine Vergangenheit bekannt ist</translation>
    </message>
    <message>
        <source>Chance that it does no work in the next hour: %1; in the next day: %2. Measured from: %3</source>
        <translation>Wahrscheinlichkeit, dass in der nächsten Stunde nichts gerechnet wird: %1; am nächsten Tag: %2. Grundlage: %3</translation>
    </message>
    <message>
        <source>Expected of a stop now, over a day: %1 of idle time back, at most %2 of work lost</source>
        <translation>Von einem Stopp jetzt an einem Tag zu erwarten: %1 Leerlauf zurück, höchstens %2 Arbeit verloren</translation>
    </message>
    <message>
        <source>up to %1</source>
        <comment>an amount of money</comment>
        <translation>bis zu %1</translation>
    </message>
    <message>
        <source>%1, up to %2</source>
        <comment>amounts of money</comment>
        <translation>%1, bis zu %2</translation>
    </message>
    <message>
        <source>%1, %2 without a price</source>
        <translation>%1, %2 ohne Preis</translation>
    </message>
    <message>
        <source>saves nothing: it is owned or committed to</source>
        <translation>spart nichts: eigene oder fest zugesagte Maschine</translation>
    </message>
    <message>
        <source>saves nothing</source>
        <translation>spart nichts</translation>
    </message>
    <message>
        <source>saves %1 a month</source>
        <comment>one or two amounts of money</comment>
        <translation>spart %1 im Monat</translation>
    </message>
    <message>
        <source>saving nothing: it is owned or committed to</source>
        <translation>ohne Ersparnis: eigene oder fest zugesagte Maschine</translation>
    </message>
    <message>
        <source>saving nothing</source>
        <translation>ohne Ersparnis</translation>
    </message>
    <message>
        <source>saving %1 a month</source>
        <comment>one or two amounts of money</comment>
        <translation>Ersparnis %1 im Monat</translation>
    </message>
    <message>
        <source>&gt; %1</source>
        <comment>more than a share in percent</comment>
        <translation>&gt; %1</translation>
    </message>
    <message>
        <source>saves nothing now: the machine stays for others that use it</source>
        <translation>spart jetzt nichts: Die Maschine bleibt für andere, die sie nutzen</translation>
    </message>
    <message>
        <source>saving nothing now: the machine stays for others that use it</source>
        <translation>spart jetzt nichts: Die Maschine bleibt für andere, die sie nutzen</translation>
    </message>
    <message>
        <source>%1 of its %2 do no work and the others do: it can&apos;t be stopped, but a smaller size would do</source>
        <comment>GPUs</comment>
        <translation>%1 von %2 arbeiten nicht, die übrigen schon: Anhalten ist nicht möglich, aber eine kleinere Größe würde genügen</translation>
    </message>
    <message>
        <source>Each pod that waited needs more GPUs on one node than the %1 that are free on this one</source>
        <translation>Jeder wartende Pod braucht mehr GPUs auf einem Knoten als die %1, die auf diesem frei sind</translation>
    </message>
    <message>
        <source>Only MIG slices of another size, or what slices leave of a GPU, are free here</source>
        <translation>Hier sind nur MIG-Instanzen anderer Größe frei, oder was Instanzen von einer GPU übrig lassen</translation>
    </message>
    <message>
        <source>%1 waited for %2 × %3 from %4 to %5</source>
        <comment>pod, number, Kubernetes resource, times</comment>
        <translation>%1 wartete auf %2 × %3 von %4 bis %5</translation>
    </message>
    <message numerus="yes">
        <source>%n more pod(s)</source>
        <translation>
            <numerusform>%n weiterer Pod</numerusform>
            <numerusform>%n weitere Pods</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleViewModel</name>
    <message>
        <source>Group</source>
        <comment>what the rows of the table are grouped into</comment>
        <translation>Gruppe</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::IdleWaiting</name>
    <message>
        <source>Jobs waiting for GPUs</source>
        <translation>Auf GPUs wartende Jobs</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Select for &amp;all</source>
        <translation>Für a&amp;lle wählen</translation>
    </message>
    <message>
        <source>Select every idle workload that blocks one of them</source>
        <translation>Jeden Workload im Leerlauf wählen, der einen davon blockiert</translation>
    </message>
    <message>
        <source>&amp;Select blockers</source>
        <translation>Blockierer &amp;wählen</translation>
    </message>
    <message>
        <source>Waiting jobs can&apos;t be shown</source>
        <translation>Wartende Jobs können nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>No jobs are waiting for GPUs</source>
        <translation>Keine Jobs warten auf GPUs</translation>
    </message>
    <message>
        <source>Every pod that requests GPUs has a node.</source>
        <translation>Jeder Pod, der GPUs anfordert, hat einen Knoten.</translation>
    </message>
    <message>
        <source>Waiting jobs are not known</source>
        <translation>Wartende Jobs sind nicht bekannt</translation>
    </message>
    <message>
        <source>No source in this configuration reports waiting jobs.</source>
        <translation>Keine Quelle dieser Konfiguration meldet wartende Jobs.</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>They are read from the Kubernetes API, and from kube-state-metrics and Kueue in your Prometheus.</source>
        <translation>Gelesen werden sie aus der Kubernetes-API sowie aus kube-state-metrics und Kueue in Ihrem Prometheus.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::LeaveAloneDialog</name>
    <message>
        <source>Leave %1 alone</source>
        <translation>%1 in Ruhe lassen</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Zurückstellen</translation>
    </message>
    <message>
        <source>Keep until</source>
        <translation>Behalten bis</translation>
    </message>
    <message>
        <source>Protect</source>
        <translation>Schützen</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Until the end of</source>
        <translation>Bis zum Ende des</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Leave it alone</source>
        <translation>In Ruhe lassen</translation>
    </message>
    <message>
        <source>It is listed below the others until then (UTC); it can still be stopped.</source>
        <translation>Bis dahin (UTC) steht es unter den anderen; gestoppt werden kann es weiterhin.</translation>
    </message>
    <message>
        <source>It can&apos;t be stopped from here until then (UTC).</source>
        <translation>Bis dahin (UTC) kann es von hier aus nicht gestoppt werden.</translation>
    </message>
    <message>
        <source>It can&apos;t be stopped from here until the request is withdrawn.</source>
        <translation>Es kann von hier aus nicht gestoppt werden, bis der Wunsch zurückgenommen wird.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::LocalText</name>
    <message>
        <source>%1 %</source>
        <comment>percentage</comment>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 GPU-h</source>
        <comment>device hours</comment>
        <translation>%1 GPU-h</translation>
    </message>
    <message>
        <source>%1 W</source>
        <comment>electric power</comment>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>amount and currency</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1M</source>
        <comment>millions</comment>
        <translation>%1 Mio.</translation>
    </message>
    <message>
        <source>%1k</source>
        <comment>thousands</comment>
        <translation>%1 Tsd.</translation>
    </message>
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
            <numerusform>%n Tag</numerusform>
            <numerusform>%n d</numerusform>
        </translation>
    </message>
    <message>
        <source>Utilization</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>SM active</source>
        <translation>SM aktiv</translation>
    </message>
    <message>
        <source>Tensor active</source>
        <translation>Tensor aktiv</translation>
    </message>
    <message>
        <source>Memory used</source>
        <translation>Belegter Speicher</translation>
    </message>
    <message>
        <source>Power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>Allocation</source>
        <translation>Belegung</translation>
    </message>
    <message>
        <source>Effective use</source>
        <translation>Effektive Nutzung</translation>
    </message>
    <message>
        <source>Idle cost</source>
        <translation>Leerlaufkosten</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Coverage</source>
        <translation>Abdeckung</translation>
    </message>
    <message>
        <source>Hour of week</source>
        <translation>Stunde der Woche</translation>
    </message>
    <message>
        <source>Hour of day</source>
        <translation>Stunde des Tages</translation>
    </message>
    <message>
        <source>Calendar day</source>
        <translation>Kalendertag</translation>
    </message>
    <message>
        <source>Every hour</source>
        <translation>Jede Stunde</translation>
    </message>
    <message>
        <source>Teams</source>
        <translation>Teams</translation>
    </message>
    <message>
        <source>Clusters</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Clouds</source>
        <translation>Clouds</translation>
    </message>
    <message>
        <source>Regions</source>
        <translation>Regionen</translation>
    </message>
    <message>
        <source>GPU models</source>
        <translation>GPU-Modelle</translation>
    </message>
    <message>
        <source>Workload types</source>
        <translation>Workload-Arten</translation>
    </message>
    <message>
        <source>Environments</source>
        <translation>Umgebungen</translation>
    </message>
    <message>
        <source>Workloads</source>
        <translation>Workloads</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Cloud</source>
        <translation>Cloud</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>GPU model</source>
        <translation>GPU-Modell</translation>
    </message>
    <message>
        <source>Workload type</source>
        <translation>Workload-Art</translation>
    </message>
    <message>
        <source>Environment</source>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>Workload</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>none</source>
        <comment>a filter&apos;s value: what has no value</comment>
        <translation>ohne</translation>
    </message>
    <message>
        <source>not %1: %2</source>
        <comment>filter: dimension, value</comment>
        <translation>nicht %1: %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>filter: dimension, value</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>a day: Qt&apos;s date format</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM HH:mm</source>
        <comment>a day and time: Qt&apos;s date format</comment>
        <translation>d. MMM HH:mm</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>a range</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>The last sync failed.</source>
        <translation>Der letzte Abgleich ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>The last sync failed: no source could be read.</source>
        <translation>Der letzte Abgleich ist fehlgeschlagen: keine Quelle war lesbar.</translation>
    </message>
    <message>
        <source>Synced one source</source>
        <translation>Eine Quelle abgeglichen</translation>
    </message>
    <message numerus="yes">
        <source>Synced %n sources</source>
        <translation>
            <numerusform>%n Quelle abgeglichen</numerusform>
            <numerusform>%n Quellen abgeglichen</numerusform>
        </translation>
    </message>
    <message>
        <source>one failed</source>
        <comment>a source</comment>
        <translation>eine fehlgeschlagen</translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <comment>sources</comment>
        <translation>
            <numerusform>%n fehlgeschlagen</numerusform>
            <numerusform>%n fehlgeschlagen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; %2.</source>
        <comment>what went well; what did not</comment>
        <translation>%1; %2.</translation>
    </message>
    <message>
        <source>W</source>
        <comment>watt</comment>
        <translation>W</translation>
    </message>
    <message>
        <source>%</source>
        <comment>percent sign</comment>
        <translation>%</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>Abgebrochen.</translation>
    </message>
    <message>
        <source>The request is invalid.</source>
        <translation>Die Anfrage ist ungültig.</translation>
    </message>
    <message>
        <source>The configuration is invalid.</source>
        <translation>Die Konfiguration ist ungültig.</translation>
    </message>
    <message>
        <source>The server rejected the credential.</source>
        <translation>Der Server hat die Zugangsdaten abgelehnt.</translation>
    </message>
    <message>
        <source>A permission is missing.</source>
        <translation>Eine Berechtigung fehlt.</translation>
    </message>
    <message>
        <source>The server is rate limiting requests.</source>
        <translation>Der Server begrenzt die Zahl der Anfragen.</translation>
    </message>
    <message>
        <source>The server did not respond in time.</source>
        <translation>Der Server hat nicht rechtzeitig geantwortet.</translation>
    </message>
    <message>
        <source>The server can&apos;t be reached.</source>
        <translation>Der Server ist nicht erreichbar.</translation>
    </message>
    <message>
        <source>The server&apos;s certificate can&apos;t be trusted.</source>
        <translation>Dem Zertifikat des Servers kann nicht vertraut werden.</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>Der Datenträger ist voll.</translation>
    </message>
    <message>
        <source>The data folder can&apos;t be written to.</source>
        <translation>In den Datenordner kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Another program is using the cache.</source>
        <translation>Ein anderes Programm benutzt den Cache.</translation>
    </message>
    <message>
        <source>The cache is damaged.</source>
        <translation>Der Cache ist beschädigt.</translation>
    </message>
    <message>
        <source>The cache was written by a newer version.</source>
        <translation>Der Cache wurde von einer neueren Version geschrieben.</translation>
    </message>
    <message>
        <source>Something went wrong.</source>
        <translation>Etwas ist schiefgegangen.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>source: what happened</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>To fix this: %1.</source>
        <translation>Abhilfe: %1.</translation>
    </message>
    <message>
        <source>small</source>
        <comment>how nouns begin inside of a sentence: translate as small or as capital</comment>
        <translation>capital</translation>
    </message>
    <message>
        <source>%1 min</source>
        <comment>length of time</comment>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <comment>length of time</comment>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <comment>length of time</comment>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <comment>amount of memory</comment>
        <translation>%1 GiB</translation>
    </message>
    <message>
        <source>Demo fleet</source>
        <translation>Demo-Flotte</translation>
    </message>
    <message>
        <source>namespace %1</source>
        <translation>Namespace %1</translation>
    </message>
    <message>
        <source>label %1</source>
        <comment>a rule</comment>
        <translation>Label %1</translation>
    </message>
    <message>
        <source>The response can&apos;t be read.</source>
        <translation>Die Antwort ist nicht lesbar.</translation>
    </message>
    <message>
        <source>Not found.</source>
        <translation>Es wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>The server failed.</source>
        <translation>Der Server hat versagt.</translation>
    </message>
    <message>
        <source>Too much data.</source>
        <translation>Das ist zu viel auf einmal.</translation>
    </message>
    <message>
        <source>Not supported.</source>
        <translation>Das wird hier nicht unterstützt.</translation>
    </message>
    <message>
        <source>The cache failed.</source>
        <translation>Der Cache hat versagt.</translation>
    </message>
    <message>
        <source>Refused.</source>
        <translation>Es wurde abgelehnt.</translation>
    </message>
    <message>
        <source>To fix this: %1</source>
        <comment>a question</comment>
        <translation>Abhilfe: %1</translation>
    </message>
    <message>
        <source>Label %1</source>
        <comment>of a workload: its key</comment>
        <translation>Label %1</translation>
    </message>
    <message>
        <source>Namespace label %1</source>
        <comment>its key</comment>
        <translation>Namespace-Label %1</translation>
    </message>
    <message>
        <source>Node label %1</source>
        <comment>its key</comment>
        <translation>Knoten-Label %1</translation>
    </message>
    <message>
        <source>(the node&apos;s region is unknown)</source>
        <translation>(die Region des Knotens ist unbekannt)</translation>
    </message>
    <message>
        <source>(the node is in %1)</source>
        <comment>a region</comment>
        <translation>(der Knoten ist in %1)</translation>
    </message>
    <message>
        <source>price book %1: %2</source>
        <comment>date, what it lists</comment>
        <translation>Preisliste %1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%n instance types</source>
        <translation>
            <numerusform>%n Instanztyp</numerusform>
            <numerusform>%n Instanztypen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>instance types, a cloud</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>list price estimate (median of %1, %2)</source>
        <comment>instance types, date</comment>
        <translation>geschätzter Listenpreis (Median von %1, %2)</translation>
    </message>
    <message>
        <source>override: %1</source>
        <comment>of a price, what it is for</comment>
        <translation>Vorgabe: %1</translation>
    </message>
    <message>
        <source>Every 5 minutes</source>
        <translation>Alle 5 Minuten</translation>
    </message>
    <message>
        <source>From %1, %2 old</source>
        <translation>Aus %1, %2 alt</translation>
    </message>
    <message>
        <source>Demo bill</source>
        <translation>Demo-Rechnung</translation>
    </message>
    <message>
        <source>Kubernetes (stop and bring back)</source>
        <translation>Kubernetes (stoppen und zurückholen)</translation>
    </message>
    <message>
        <source>AWS (EC2, SageMaker)</source>
        <translation>AWS (EC2, SageMaker)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>a time and its zone</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Unallocated</source>
        <comment>in place of a team</comment>
        <translation>Nicht belegt</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>month year</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>expected: as billed until %1</source>
        <comment>a date</comment>
        <translation>erwartet: wie bis %1 berechnet</translation>
    </message>
    <message>
        <source>expected: as its instance type was billed until %1</source>
        <comment>a date</comment>
        <translation>erwartet: wie sein Instanztyp bis %1 berechnet wurde</translation>
    </message>
    <message>
        <source>bill, effective cost</source>
        <translation>Rechnung, effektive Kosten</translation>
    </message>
    <message>
        <source>allocator: %1</source>
        <comment>name of a source</comment>
        <translation>Kostenverteiler: %1</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Authority</source>
        <translation>Zertifizierungsstelle</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>Währung</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>Kopfzeilen</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>Only for a private endpoint</source>
        <translation>Nur für einen privaten Endpunkt</translation>
    </message>
    <message>
        <source>The longest that one answer may take</source>
        <translation>Wie lange eine Antwort höchstens dauern darf</translation>
    </message>
    <message>
        <source>Currency of its amounts, which its answers do not tell</source>
        <translation>Währung der Beträge, die in den Antworten fehlt</translation>
    </message>
    <message>
        <source>HTTP headers that go with every request, such as a tenant</source>
        <translation>HTTP-Kopfzeilen, die mit jeder Anfrage gehen, etwa ein Mandant</translation>
    </message>
    <message>
        <source>PEM file of your own certificate authority; certificates are always verified</source>
        <translation>PEM-Datei der eigenen Zertifizierungsstelle; Zertifikate werden immer geprüft</translation>
    </message>
    <message>
        <source>the public endpoints of the region</source>
        <translation>die öffentlichen Endpunkte der Region</translation>
    </message>
    <message>
        <source>those that the system trusts</source>
        <translation>alle, denen das System vertraut</translation>
    </message>
    <message>
        <source>as read %1</source>
        <comment>a price list, date</comment>
        <translation>gelesen am %1</translation>
    </message>
    <message>
        <source>bill, billed cost</source>
        <translation>Rechnung, berechnete Kosten</translation>
    </message>
    <message>
        <source>AWS (bill, from Cost Explorer)</source>
        <translation>AWS (Rechnung, aus dem Cost Explorer)</translation>
    </message>
    <message>
        <source>Tag</source>
        <translation>Tag</translation>
    </message>
    <message>
        <source>Amounts</source>
        <translation>Beträge</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>Konto</translation>
    </message>
    <message>
        <source>Asked again after</source>
        <translation>Erneut gefragt nach</translation>
    </message>
    <message>
        <source>Paid requests</source>
        <translation>Bezahlte Anfragen</translation>
    </message>
    <message>
        <source>Key of the cost allocation tag that names the team, for machines with GPUs</source>
        <translation>Schlüssel des Kostenzuordnungs-Tags, das das Team nennt, für Maschinen mit GPUs</translation>
    </message>
    <message>
        <source>Before (gross) or after (net) the discounts that were negotiated with AWS</source>
        <translation>Vor (gross) oder nach (net) den mit AWS ausgehandelten Rabatten</translation>
    </message>
    <message>
        <source>Number of the account whose bill it is</source>
        <translation>Nummer des Kontos, um dessen Rechnung es geht</translation>
    </message>
    <message>
        <source>that of the credentials</source>
        <translation>das der Zugangsdaten</translation>
    </message>
    <message>
        <source>How long days that are not final are not asked for again; each refresh costs money</source>
        <translation>Wie lange nach noch nicht endgültigen Tagen nicht erneut gefragt wird; jede Aktualisierung kostet Geld</translation>
    </message>
    <message>
        <source>The most requests that one sync may pay for, at USD 0.01 each</source>
        <translation>So viele Anfragen darf eine Synchronisierung höchstens bezahlen, zu je 0,01 USD</translation>
    </message>
    <message>
        <source>Bucket</source>
        <translation>Bucket</translation>
    </message>
    <message>
        <source>Prefix</source>
        <translation>Präfix</translation>
    </message>
    <message>
        <source>Name of the S3 bucket that the export is written to</source>
        <translation>Name des S3-Buckets, in den der Export geschrieben wird</translation>
    </message>
    <message>
        <source>Folder of the export in the bucket</source>
        <translation>Ordner des Exports im Bucket</translation>
    </message>
    <message>
        <source>the whole bucket</source>
        <translation>der ganze Bucket</translation>
    </message>
    <message>
        <source>Azure (bill, from Cost Management)</source>
        <translation>Azure (Rechnung, aus Cost Management)</translation>
    </message>
    <message>
        <source>Only for a private endpoint or a national cloud</source>
        <translation>Nur für einen privaten Endpunkt oder eine nationale Cloud</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Id of a subscription, or the path of a resource group, management group or billing account</source>
        <translation>ID eines Abonnements oder Pfad einer Ressourcengruppe, Verwaltungsgruppe oder eines Abrechnungskontos</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Mandant</translation>
    </message>
    <message>
        <source>Id of the directory that the application belongs to</source>
        <translation>ID des Verzeichnisses, zu dem die Anwendung gehört</translation>
    </message>
    <message>
        <source>Key of the tag that names the team, for virtual machines</source>
        <translation>Schlüssel des Tags, der das Team nennt, für virtuelle Maschinen</translation>
    </message>
    <message>
        <source>How long days that are not final are not asked for again; Azure limits how much is asked</source>
        <translation>So lange wird nach Tagen, die nicht endgültig sind, nicht wieder gefragt; Azure begrenzt, wie viel gefragt wird</translation>
    </message>
    <message>
        <source>Login</source>
        <translation>Anmeldung</translation>
    </message>
    <message>
        <source>Address of the service that gives tokens</source>
        <translation>Adresse des Dienstes, der Token ausgibt</translation>
    </message>
    <message>
        <source>that of the cloud of the address</source>
        <translation>die der Cloud dieser Adresse</translation>
    </message>
    <message>
        <source>Id and secret of an application in Microsoft Entra, or a token</source>
        <translation>ID und Geheimnis einer Anwendung in Microsoft Entra, oder ein Token</translation>
    </message>
    <message>
        <source>the managed identity of this machine</source>
        <translation>die verwaltete Identität dieses Rechners</translation>
    </message>
    <message>
        <source>Google Cloud (bill, from BigQuery)</source>
        <translation>Google Cloud (Rechnung, aus BigQuery)</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Id of the project that has the export&apos;s dataset</source>
        <translation>Kennung des Projekts, in dem das Dataset des Exports liegt</translation>
    </message>
    <message>
        <source>Dataset</source>
        <translation>Dataset</translation>
    </message>
    <message>
        <source>Name of the BigQuery dataset that the export is written to</source>
        <translation>Name des BigQuery-Datasets, in das der Export geschrieben wird</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>The detailed export (its name has _resource_), which tells machines apart, or the standard one</source>
        <translation>Der detaillierte Export (sein Name enthält _resource_), der Maschinen unterscheidet, oder der Standardexport</translation>
    </message>
    <message>
        <source>Paying project</source>
        <translation>Zahlendes Projekt</translation>
    </message>
    <message>
        <source>Id of the project that runs the queries and pays for them</source>
        <translation>Kennung des Projekts, in dem die Abfragen laufen und das sie bezahlt</translation>
    </message>
    <message>
        <source>that of the dataset</source>
        <translation>das des Datasets</translation>
    </message>
    <message>
        <source>Most scanned</source>
        <translation>Höchstens gelesen</translation>
    </message>
    <message>
        <source>How many GB the query for one month may scan; one that would scan more does not run</source>
        <translation>So viele GB darf die Abfrage für einen Monat lesen; eine, die mehr lesen würde, läuft nicht</translation>
    </message>
    <message>
        <source>How long months that are not final are not asked for again; Google charges for what a query scans</source>
        <translation>So lange wird nach Monaten, die nicht endgültig sind, nicht wieder gefragt; Google berechnet, was eine Abfrage liest</translation>
    </message>
    <message>
        <source>FOCUS bills</source>
        <translation>FOCUS-Rechnungen</translation>
    </message>
    <message>
        <source>File or folder</source>
        <translation>Datei oder Ordner</translation>
    </message>
    <message>
        <source>May get and list pods, what owns them, nodes and namespaces, and, where it is installed, the queues of Kueue</source>
        <translation>Darf Pods und ihre Besitzer, Knoten und Namespaces lesen und auflisten und, wo es installiert ist, die Warteschlangen von Kueue</translation>
    </message>
    <message>
        <source>May patch each kind that is to be stopped: its scale, or the object itself</source>
        <translation>Darf jede Art ändern, die gestoppt werden soll: ihre Skalierung oder das Objekt selbst</translation>
    </message>
    <message>
        <source>May stop and start these, and tag them with who stopped them</source>
        <translation>Darf diese stoppen und starten und durch Tags angeben, wer sie gestoppt hat</translation>
    </message>
    <message>
        <source>May list the bucket and read the files of the export; put its name in place of BUCKET</source>
        <translation>Darf den Bucket auflisten und die Dateien des Exports lesen; BUCKET durch seinen Namen ersetzen</translation>
    </message>
    <message>
        <source>May read costs and budgets of the scope, as the role Cost Management Reader allows</source>
        <translation>Darf Kosten und Budgets des Bereichs lesen, wie es die Rolle Cost Management Reader erlaubt</translation>
    </message>
    <message>
        <source>May run queries in the project, and read the tables of the export&apos;s dataset</source>
        <translation>Darf im Projekt Abfragen ausführen und die Tabellen des Datasets mit dem Export lesen</translation>
    </message>
    <message>
        <source>RunPod (bill, pods)</source>
        <translation>RunPod (Rechnung, Pods)</translation>
    </message>
    <message>
        <source>An API key of RunPod that may read</source>
        <translation>Ein API-Schlüssel von RunPod, der lesen darf</translation>
    </message>
    <message>
        <source>How long months that are not final are not asked for again</source>
        <translation>Wie lange Monate, die noch nicht endgültig sind, nicht erneut abgefragt werden</translation>
    </message>
    <message>
        <source>Azure (bill, from a FOCUS export)</source>
        <translation>Azure (Rechnung, aus einem FOCUS-Export)</translation>
    </message>
    <message>
        <source>Storage account</source>
        <translation>Speicherkonto</translation>
    </message>
    <message>
        <source>Container</source>
        <translation>Container</translation>
    </message>
    <message>
        <source>Name of the storage account that the export is written to</source>
        <translation>Name des Speicherkontos, in das der Export geschrieben wird</translation>
    </message>
    <message>
        <source>Name of the container that the export is written to</source>
        <translation>Name des Containers, in den der Export geschrieben wird</translation>
    </message>
    <message>
        <source>Folder of the export in the container</source>
        <translation>Ordner des Exports im Container</translation>
    </message>
    <message>
        <source>the whole container</source>
        <translation>der ganze Container</translation>
    </message>
    <message>
        <source>Address of Blob Storage, only for a private endpoint or a national cloud</source>
        <translation>Adresse des Blob-Speichers, nur für einen privaten Endpunkt oder eine nationale Cloud</translation>
    </message>
    <message>
        <source>Id and secret of an application in Microsoft Entra, a token, or the user sas with a shared access signature as the password</source>
        <translation>ID und Geheimnis einer Anwendung in Microsoft Entra, ein Token, oder der Benutzer sas mit einer Shared Access Signature als Passwort</translation>
    </message>
    <message>
        <source>May list and read the files of the export, as the role Storage Blob Data Reader allows</source>
        <translation>Darf die Dateien des Exports auflisten und lesen, wie es die Rolle Storage-Blobdatenleser erlaubt</translation>
    </message>
    <message>
        <source>Vast.ai (bill, instances)</source>
        <translation>Vast.ai (Rechnung, Instanzen)</translation>
    </message>
    <message>
        <source>An API key of Vast.ai that may read</source>
        <translation>Ein API-Schlüssel von Vast.ai, der lesen darf</translation>
    </message>
    <message>
        <source>May read charges and instances, as an API key with the permissions billing_read and instance_read allows</source>
        <translation>Darf die Kosten und die Instanzen lesen; dafür genügt ein API-Schlüssel mit den Berechtigungen billing_read und instance_read</translation>
    </message>
    <message>
        <source>AWS (bill, from an export)</source>
        <translation>AWS (Rechnung aus einem Export)</translation>
    </message>
    <message>
        <source>A file with a bill in the FOCUS format or an AWS Cost and Usage Report, or a folder that is watched for them</source>
        <translation>Eine Datei mit einer Rechnung im FOCUS-Format oder einem Cost and Usage Report von AWS oder ein Ordner, in dem nach solchen Dateien gesucht wird</translation>
    </message>
    <message>
        <source>Node pools</source>
        <translation>Node-Pools</translation>
    </message>
    <message>
        <source>Node pool</source>
        <translation>Node-Pool</translation>
    </message>
    <message>
        <source>Lambda (estimate)</source>
        <translation>Lambda (Schätzung)</translation>
    </message>
    <message>
        <source>An API key of Lambda, which reports no bill: costs are estimated from what each sync sees, and miss up to one interval before the first and after the last sight of an instance</source>
        <translation>Ein API-Schlüssel von Lambda, das keine Rechnung liefert: Die Kosten werden aus dem geschätzt, was jede Synchronisierung sieht; vor dem ersten und nach dem letzten Blick auf eine Instanz fehlt bis zu ein Abstand zwischen zweien</translation>
    </message>
    <message>
        <source>Prices</source>
        <translation>Preise</translation>
    </message>
    <message>
        <source>Which prices are read for comparisons: all, spot, on-demand or none</source>
        <translation>Welche Preise für Vergleiche gelesen werden: all (alle), spot, on-demand oder none (keine)</translation>
    </message>
    <message>
        <source>all; spot with an address of its own, which is that of EC2</source>
        <translation>all; bei eigener Adresse, die die von EC2 ist: spot</translation>
    </message>
    <message>
        <source>May read the bill, the pods and the prices, as an API key with the permission Read Only allows</source>
        <translation>Darf die Rechnung, die Pods und die Preise lesen; dafür genügt ein API-Schlüssel mit der Berechtigung Read Only</translation>
    </message>
    <message>
        <source>Lists the instances and the types with their prices; every API key of Lambda may do that, and more</source>
        <translation>Listet die Instanzen und die Typen mit ihren Preisen auf; das darf jeder API-Schlüssel von Lambda, und noch mehr</translation>
    </message>
    <message>
        <source>May stop and start pods, as an API key that may write pods allows</source>
        <translation>Darf Pods stoppen und starten, wie es ein API-Schlüssel erlaubt, der Pods schreiben darf</translation>
    </message>
    <message>
        <source>May stop and start instances, as an API key with the permission instance_write allows</source>
        <translation>Darf Instanzen stoppen und starten, wie es ein API-Schlüssel mit der Berechtigung instance_write erlaubt</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>Maschinen</translation>
    </message>
    <message>
        <source>Whether all machines with GPUs are listed, also those without telemetry: all or none</source>
        <translation>Ob alle Maschinen mit GPUs aufgelistet werden, auch die ohne Telemetrie: all oder none</translation>
    </message>
    <message>
        <source>Google Cloud (machines, prices)</source>
        <translation>Google Cloud (Maschinen, Preise)</translation>
    </message>
    <message>
        <source>Id of the project that has the machines</source>
        <translation>ID des Projekts, in dem die Maschinen sind</translation>
    </message>
    <message>
        <source>Azure (machines, prices)</source>
        <translation>Azure (Maschinen, Preise)</translation>
    </message>
    <message>
        <source>Subscription</source>
        <translation>Abonnement</translation>
    </message>
    <message>
        <source>Id of the subscription that has the machines</source>
        <translation>ID des Abonnements, in dem die Maschinen sind</translation>
    </message>
    <message>
        <source>May list and read the instances of Compute Engine</source>
        <translation>Darf die Instanzen der Compute Engine auflisten und lesen</translation>
    </message>
    <message>
        <source>May stop and start these</source>
        <translation>Darf diese stoppen und starten</translation>
    </message>
    <message>
        <source>CoreWeave (estimate)</source>
        <translation>CoreWeave (Schätzung)</translation>
    </message>
    <message>
        <source>Rate card</source>
        <translation>Preisliste</translation>
    </message>
    <message>
        <source>Address of the Prometheus data source in CoreWeave&apos;s managed Grafana</source>
        <translation>Adresse der Prometheus-Datenquelle im verwalteten Grafana von CoreWeave</translation>
    </message>
    <message>
        <source>A token of a service account in CoreWeave&apos;s managed Grafana</source>
        <translation>Ein Token eines Dienstkontos im verwalteten Grafana von CoreWeave</translation>
    </message>
    <message>
        <source>CSV file with your price per hour of each instance type, as CoreWeave tells no prices</source>
        <translation>CSV-Datei mit Ihrem Stundenpreis jedes Instanztyps, denn CoreWeave nennt keine Preise</translation>
    </message>
    <message>
        <source>May query the metrics of the managed Grafana, as members of the groups admin, metrics and write may</source>
        <translation>Darf die Metriken des verwalteten Grafana abfragen, wie es Mitglieder der Gruppen admin, metrics und write dürfen</translation>
    </message>
    <message>
        <source>Infracost (planned machines)</source>
        <translation>Infracost (geplante Maschinen)</translation>
    </message>
    <message>
        <source>Output of infracost breakdown or diff with --format json, or a folder of such files</source>
        <translation>Ausgabe von infracost breakdown oder diff mit --format json, oder ein Ordner mit solchen Dateien</translation>
    </message>
    <message>
        <source>Demo plans</source>
        <translation>Demo-Pläne</translation>
    </message>
    <message>
        <source>price of the machine in the list of %1</source>
        <comment>a cloud</comment>
        <translation>Preis der Maschine in der Liste von %1</translation>
    </message>
    <message>
        <source>Claimed savings</source>
        <translation>Angebliche Einsparungen</translation>
    </message>
    <message>
        <source>Claimed savings (CSV of other tools)</source>
        <translation>Angebliche Einsparungen (CSV anderer Werkzeuge)</translation>
    </message>
    <message>
        <source>CSV file of what other tools claim to have saved, or a folder of such files</source>
        <translation>CSV-Datei mit dem, was andere Werkzeuge gespart haben wollen, oder ein Ordner solcher Dateien</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>What the columns tool, what, scope, from, to, saved and currency are called in the file, where they are called otherwise</source>
        <translation>Wie die Spalten tool, what, scope, from, to, saved und currency in der Datei heißen, wenn sie anders heißen</translation>
    </message>
    <message>
        <source>as they are called here</source>
        <translation>wie sie hier heißen</translation>
    </message>
    <message>
        <source>Demo claims</source>
        <translation>Behauptungen der Demo</translation>
    </message>
    <message>
        <source>Which account: azure, coreweave, lambda, runpod, vastai or nebius</source>
        <translation>Welches Konto: azure, coreweave, lambda, runpod, vastai oder nebius</translation>
    </message>
    <message>
        <source>Demo cloud</source>
        <translation>Demo-Cloud</translation>
    </message>
    <message>
        <source>A key file of a service account, a credential file of gcloud or of an identity pool, or a token</source>
        <translation>Eine Schlüsseldatei eines Dienstkontos, eine Zugangsdatei von gcloud oder eines Identitätspools, oder ein Token</translation>
    </message>
    <message>
        <source>the service account of this machine</source>
        <translation>das Dienstkonto dieses Rechners</translation>
    </message>
    <message>
        <source>Whether Azure&apos;s public prices are read for comparisons: all or none</source>
        <translation>Ob die öffentlichen Preise von Azure für Vergleiche gelesen werden: all (alle) oder none (keine)</translation>
    </message>
    <message>
        <source>all; none with an address of its own</source>
        <translation>all; mit eigener Adresse none</translation>
    </message>
    <message>
        <source>Regions whose prices are read, as Azure writes them, separated by spaces</source>
        <translation>Regionen, deren Preise gelesen werden, in der Schreibweise von Azure, durch Leerzeichen getrennt</translation>
    </message>
    <message>
        <source>those in which the subscription has machines with GPUs</source>
        <translation>die, in denen das Abonnement Maschinen mit GPUs hat</translation>
    </message>
    <message>
        <source>Address of the prices</source>
        <translation>Adresse der Preise</translation>
    </message>
    <message>
        <source>Address of the service for retail prices; it is sent no credential</source>
        <translation>Adresse des Dienstes für Listenpreise; ihm werden keine Zugangsdaten gesendet</translation>
    </message>
    <message>
        <source>Nebius (machines, prices)</source>
        <translation>Nebius (Maschinen, Preise)</translation>
    </message>
    <message>
        <source>Only for a private endpoint, which is then that of all services</source>
        <translation>Nur für einen privaten Endpunkt, der dann der aller Dienste ist</translation>
    </message>
    <message>
        <source>those of the services, such as https://compute.api.nebius.cloud</source>
        <translation>die der Dienste, etwa https://compute.api.nebius.cloud</translation>
    </message>
    <message>
        <source>A credentials file of a service account, or a token</source>
        <translation>Eine Datei mit den Zugangsdaten eines Dienstkontos oder ein Token</translation>
    </message>
    <message>
        <source>May read the project with its instances, platforms and prices</source>
        <translation>Darf das Projekt mit seinen Instanzen, Plattformen und Preisen lesen</translation>
    </message>
    <message>
        <source>May stop and start instances; Nebius has no smaller role for it</source>
        <translation>Darf Instanzen stoppen und starten; eine kleinere Rolle dafür hat Nebius nicht</translation>
    </message>
    <message>
        <source>May read public prices, for which the Cloud Billing API is enabled in its project</source>
        <translation>Darf öffentliche Preise lesen, wofür in seinem Projekt die Cloud Billing API aktiviert ist</translation>
    </message>
    <message>
        <source>Which list prices are read for comparisons: all, on-demand, spot, commitments or none</source>
        <translation>Welche Listenpreise für Vergleiche gelesen werden: all, on-demand, spot, commitments oder none</translation>
    </message>
    <message>
        <source>Address of the Cloud Billing API, which has the prices</source>
        <translation>Adresse der Cloud Billing API, die die Preise hat</translation>
    </message>
    <message>
        <source>Database</source>
        <translation>Datenbank</translation>
    </message>
    <message>
        <source>Glue database of a table over the export, for months that are too large to fetch; Athena groups them, and charges for what it scans</source>
        <translation>Glue-Datenbank einer Tabelle über dem Export, für Monate, die zum Abrufen zu groß sind; Athena fasst sie zusammen und berechnet, was es liest</translation>
    </message>
    <message>
        <source>none: files are fetched</source>
        <translation>keine: Dateien werden abgerufen</translation>
    </message>
    <message>
        <source>Glue table over the files of the export</source>
        <translation>Glue-Tabelle über den Dateien des Exports</translation>
    </message>
    <message>
        <source>Workgroup</source>
        <translation>Arbeitsgruppe</translation>
    </message>
    <message>
        <source>Workgroup of Athena that runs the queries</source>
        <translation>Arbeitsgruppe von Athena, die die Abfragen ausführt</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Folder in S3 that Athena writes results to</source>
        <translation>Ordner in S3, in den Athena Ergebnisse schreibt</translation>
    </message>
    <message>
        <source>that of the workgroup</source>
        <translation>der der Arbeitsgruppe</translation>
    </message>
    <message>
        <source>How long months whose files changed are not asked for again; Athena charges for what a query scans</source>
        <translation>Wie lange Monate, deren Dateien sich geändert haben, nicht erneut abgefragt werden; Athena berechnet, was eine Abfrage liest</translation>
    </message>
    <message>
        <source>Address of Athena</source>
        <translation>Adresse von Athena</translation>
    </message>
    <message>
        <source>the public endpoint of the region</source>
        <translation>der öffentliche Endpunkt der Region</translation>
    </message>
    <message>
        <source>With a database and a table, in addition: may run queries of Athena; put the name of the bucket for results in place of RESULTS</source>
        <translation>Mit einer Datenbank und einer Tabelle zusätzlich: darf Abfragen von Athena ausführen; setzen Sie den Namen des Buckets für Ergebnisse anstelle von RESULTS ein</translation>
    </message>
    <message>
        <source>May read time series of Cloud Monitoring, which is enabled in the project</source>
        <translation>Darf Zeitreihen von Cloud Monitoring lesen, das im Projekt eingeschaltet ist</translation>
    </message>
    <message>
        <source>GPU use</source>
        <translation>GPU-Nutzung</translation>
    </message>
    <message>
        <source>Whether GPU use is read from Cloud Monitoring, for machines that run the Ops Agent: all or none</source>
        <translation>Ob die GPU-Nutzung aus Cloud Monitoring gelesen wird, für Maschinen mit dem Ops Agent: all oder none</translation>
    </message>
    <message>
        <source>May describe instances of EC2 and machines of SageMaker, and read prices and GPU metrics</source>
        <translation>Darf Instanzen von EC2 und Maschinen von SageMaker beschreiben sowie Preise und GPU-Metriken lesen</translation>
    </message>
    <message>
        <source>May list instances of Vertex AI Workbench, which name their owners</source>
        <translation>Darf Instanzen von Vertex AI Workbench auflisten, die ihre Eigentümer nennen</translation>
    </message>
    <message>
        <source>May list virtual machines, scale sets and computes of Machine Learning, and read the activity log, GPU metrics, locks and its own rights</source>
        <translation>Darf virtuelle Maschinen, Skalierungsgruppen und Computeressourcen von Machine Learning auflisten sowie das Aktivitätsprotokoll, GPU-Metriken, Sperren und die eigenen Rechte lesen</translation>
    </message>
    <message>
        <source>Whether GPU use of machines of Azure Machine Learning is read from Azure Monitor: all or none</source>
        <translation>Ob die GPU-Nutzung von Maschinen in Azure Machine Learning aus Azure Monitor gelesen wird: all oder none</translation>
    </message>
    <message>
        <source>May deallocate and start virtual machines, and stop and start compute instances of Machine Learning</source>
        <translation>Darf die Zuordnung virtueller Maschinen aufheben und sie starten sowie Compute-Instanzen von Machine Learning stoppen und starten</translation>
    </message>
    <message>
        <source>Whether GPU use is read from CloudWatch, for machines that run its agent, and for endpoints and training jobs of SageMaker: all or none; AWS charges 0.01 USD per 1,000 metrics</source>
        <translation>Ob die GPU-Nutzung aus CloudWatch gelesen wird, für Maschinen mit dessen Agent sowie für Endpunkte und Trainingsjobs von SageMaker: all oder none; AWS berechnet 0,01 USD je 1.000 Metriken</translation>
    </message>
    <message>
        <source>Billing account</source>
        <translation>Rechnungskonto</translation>
    </message>
    <message>
        <source>Id of the billing account whose budgets are read, if the name of the table doesn&apos;t end with it</source>
        <translation>ID des Rechnungskontos, dessen Budgets gelesen werden, wenn der Name der Tabelle nicht damit endet</translation>
    </message>
    <message>
        <source>that in the name of the table</source>
        <translation>das im Namen der Tabelle</translation>
    </message>
    <message>
        <source>For budgets, in addition: may see the billing account, and the Cloud Billing Budget API is enabled in the project of the account</source>
        <translation>Für Budgets zusätzlich: darf das Rechnungskonto sehen, und im Projekt des Kontos ist die Cloud Billing Budget API aktiviert</translation>
    </message>
    <message>
        <source>Commitments</source>
        <translation>Zusagen</translation>
    </message>
    <message>
        <source>Whether Savings Plans and reservations are read from Cost Explorer: all or none; each reading is at least four paid requests</source>
        <translation>Ob Savings Plans und Reservierungen aus dem Cost Explorer gelesen werden: all oder none; jedes Lesen sind mindestens vier bezahlte Anfragen</translation>
    </message>
    <message>
        <source>Projects with commitments</source>
        <translation>Projekte mit Zusagen</translation>
    </message>
    <message>
        <source>Ids of the projects whose committed use is read, separated by commas, or none</source>
        <translation>Kennungen der Projekte, deren Committed Use gelesen wird, durch Kommas getrennt, oder none</translation>
    </message>
    <message>
        <source>For commitments, in addition: may read the reservations and savings plans of the tenant, as the roles Reservations Reader and Savings plan Reader allow</source>
        <translation>Für Zusagen zusätzlich: darf die Reservierungen und Savings Plans des Mandanten lesen, wie es die Rollen Reservations Reader und Savings plan Reader erlauben</translation>
    </message>
    <message>
        <source>For commitments, in addition: may list the committed use of each project, in which the Compute Engine API is enabled</source>
        <translation>Für Zusagen zusätzlich: darf den Committed Use jedes Projekts auflisten, in dem die Compute Engine API aktiviert ist</translation>
    </message>
    <message>
        <source>May read costs and commitments in Cost Explorer; each request costs USD 0.01, and a test makes one; may also view the budgets of the account and the names of the accounts of its organization, which is free</source>
        <translation>Darf Kosten und Zusagen im Cost Explorer lesen; jede Anfrage kostet 0,01 USD, und ein Test stellt eine; darf auch die Budgets des Kontos und die Namen der Konten seiner Organisation sehen, was nichts kostet</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::MainWindow</name>
    <message>
        <source>GPU Ledger</source>
        <translation>GPU Ledger</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>Jetzt abgleichen</translation>
    </message>
    <message>
        <source>Cancel sync</source>
        <translation>Abgleich abbrechen</translation>
    </message>
    <message>
        <source>New window</source>
        <translation>Neues Fenster</translation>
    </message>
    <message>
        <source>Copy link to this view</source>
        <translation>Link zu dieser Ansicht kopieren</translation>
    </message>
    <message>
        <source>Custom time range…</source>
        <translation>Eigener Zeitraum…</translation>
    </message>
    <message>
        <source>Add a filter…</source>
        <translation>Filter hinzufügen…</translation>
    </message>
    <message>
        <source>Show or hide names of pages</source>
        <translation>Namen der Seiten zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Theme: light</source>
        <translation>Farbschema: hell</translation>
    </message>
    <message>
        <source>Theme: dark</source>
        <translation>Farbschema: dunkel</translation>
    </message>
    <message>
        <source>Theme: as the system</source>
        <translation>Farbschema: wie das System</translation>
    </message>
    <message>
        <source>Heat scale: cividis</source>
        <translation>Farbskala: cividis</translation>
    </message>
    <message>
        <source>Heat scale: viridis</source>
        <translation>Farbskala: viridis</translation>
    </message>
    <message>
        <source>The link to this view is on the clipboard. It opens this page with its range and filters.</source>
        <translation>Der Link zu dieser Ansicht liegt in der Zwischenablage. Er öffnet diese Seite mit ihrem Zeitraum und ihren Filtern.</translation>
    </message>
    <message>
        <source>Details</source>
        <comment>of a failed sync</comment>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Last sync</source>
        <translation>Letzter Abgleich</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>page, name of a report</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Help for this page</source>
        <translation>Hilfe zu dieser Seite</translation>
    </message>
    <message>
        <source>Most expensive idle workload</source>
        <translation>Teuerster Leerlauf</translation>
    </message>
    <message>
        <source>worst waste dearest owner</source>
        <comment>other words for the most expensive idle workload, to be searched</comment>
        <translation>schlimmster Verschwendung teuerste Besitzer Workload</translation>
    </message>
    <message>
        <source>Idle rule…</source>
        <translation>Leerlaufregel…</translation>
    </message>
    <message>
        <source>threshold grace settings</source>
        <comment>other words for the idle rule, to be searched</comment>
        <translation>Schwelle Schonfrist Einstellungen</translation>
    </message>
    <message>
        <source>Owner rules</source>
        <translation>Eigentümerregeln</translation>
    </message>
    <message>
        <source>team ownership assign</source>
        <comment>other words for the owner rules, to be searched</comment>
        <translation>Team Besitzer zuordnen</translation>
    </message>
    <message>
        <source>Present the statements</source>
        <translation>Abrechnungen vorführen</translation>
    </message>
    <message>
        <source>slides full screen meeting</source>
        <comment>other words for presenting, to be searched</comment>
        <translation>Folien Vollbild Besprechung Präsentation</translation>
    </message>
    <message>
        <source>Export table…</source>
        <translation>Tabelle exportieren…</translation>
    </message>
    <message>
        <source>csv save download</source>
        <comment>other words for exporting a table, to be searched</comment>
        <translation>CSV speichern herunterladen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::MarkDialog</name>
    <message>
        <source>Stop %1 later</source>
        <translation>%1 später stoppen</translation>
    </message>
    <message>
        <source>Hours to object</source>
        <translation>Stunden für Widerspruch</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Mark it</source>
        <translation>Vormerken</translation>
    </message>
    <message>
        <source>The watch stops it after %1, unless someone objects or it becomes active again. All checks are made then, as for a stop now.</source>
        <translation>„watch“ stoppt es nach %1, wenn niemand widerspricht und es nicht wieder arbeitet. Dann wird alles geprüft wie beim Stoppen jetzt.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Meeting</name>
    <message>
        <source>Idle cost</source>
        <translation>Leerlaufkosten</translation>
    </message>
    <message>
        <source>Total cost</source>
        <translation>Kosten insgesamt</translation>
    </message>
    <message>
        <source>All teams</source>
        <translation>Alle Teams</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <comment>month, cost view, how far it is signed off</comment>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>billed cost</source>
        <translation>berechnete Kosten</translation>
    </message>
    <message>
        <source>effective cost</source>
        <translation>effektive Kosten</translation>
    </message>
    <message>
        <source>Spend, %1</source>
        <comment>currency</comment>
        <translation>Ausgaben, %1</translation>
    </message>
    <message>
        <source>the month isn&apos;t over yet</source>
        <translation>der Monat läuft noch</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <comment>amount, month</comment>
        <translation>%1 gegenüber %2</translation>
    </message>
    <message>
        <source>Held and idle, %1</source>
        <comment>currency</comment>
        <translation>Belegt und untätig, %1</translation>
    </message>
    <message>
        <source>%1 of the spend</source>
        <translation>%1 der Ausgaben</translation>
    </message>
    <message>
        <source>GPU-hours</source>
        <translation>GPU-Stunden</translation>
    </message>
    <message>
        <source>%1 of them active</source>
        <translation>davon %1 aktiv</translation>
    </message>
    <message>
        <source>Per active GPU-hour, %1</source>
        <comment>currency</comment>
        <translation>Je aktive GPU-Stunde, %1</translation>
    </message>
    <message>
        <source>GPU cost per active hour</source>
        <translation>GPU-Kosten je aktive Stunde</translation>
    </message>
    <message>
        <source>Difference to bill, %1</source>
        <comment>currency</comment>
        <translation>Differenz zur Rechnung, %1</translation>
    </message>
    <message>
        <source>no bill is stored: all is estimated</source>
        <translation>keine Rechnung da: alles geschätzt</translation>
    </message>
    <message>
        <source>unexplained: %1</source>
        <translation>ungeklärt: %1</translation>
    </message>
    <message>
        <source>%1 idle</source>
        <translation>%1 untätig</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>team, decision</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, done</source>
        <comment>person</comment>
        <translation>%1, erledigt</translation>
    </message>
    <message>
        <source>%1, was due on %2</source>
        <comment>person, day</comment>
        <translation>%1, war fällig am %2</translation>
    </message>
    <message>
        <source>%1, by %2</source>
        <comment>person, day</comment>
        <translation>%1, bis %2</translation>
    </message>
    <message>
        <source>%1: from %2 to at most %3 %4 a month</source>
        <comment>measure, amount, amount, currency</comment>
        <translation>%1: von %2 auf höchstens %3 %4 im Monat</translation>
    </message>
    <message>
        <source>%1: less than %2 %3 a month</source>
        <comment>measure, amount, currency</comment>
        <translation>%1: weniger als %2 %3 im Monat</translation>
    </message>
    <message>
        <source>Its result is known when the month is over.</source>
        <translation>Sein Ergebnis steht fest, wenn der Monat vorbei ist.</translation>
    </message>
    <message>
        <source>The team has no figures this month.</source>
        <translation>Das Team hat in diesem Monat keine Zahlen.</translation>
    </message>
    <message>
        <source>Made for billed cost: switch to it to see the result.</source>
        <translation>Für berechnete Kosten gefasst: umschalten zeigt das Ergebnis.</translation>
    </message>
    <message>
        <source>Made for effective cost: switch to it to see the result.</source>
        <translation>Für effektive Kosten gefasst: umschalten zeigt das Ergebnis.</translation>
    </message>
    <message>
        <source>%1: %2 → %3 %4</source>
        <comment>measure, amount, amount, currency</comment>
        <translation>%1: %2 → %3 %4</translation>
    </message>
    <message>
        <source>target %1 met</source>
        <translation>Ziel %1 erreicht</translation>
    </message>
    <message>
        <source>target %1 missed</source>
        <translation>Ziel %1 verfehlt</translation>
    </message>
    <message>
        <source>its result can&apos;t be measured: active hours are missing</source>
        <translation>das Ergebnis ist nicht messbar: aktive Stunden fehlen</translation>
    </message>
    <message>
        <source>saved %1 %2 at this month&apos;s amount of work</source>
        <comment>amount, currency</comment>
        <translation>sparte %1 %2 bei der Arbeit dieses Monats</translation>
    </message>
    <message>
        <source>cost %1 %2 more at this month&apos;s amount of work</source>
        <comment>amount, currency</comment>
        <translation>kostete %1 %2 mehr bei der Arbeit dieses Monats</translation>
    </message>
    <message>
        <source>not billed (estimated): %1</source>
        <comment>amount</comment>
        <translation>nicht berechnet (geschätzt): %1</translation>
    </message>
    <message>
        <source>some cost has no owner, and some was split equally because its use was not measured</source>
        <translation>ein Teil der Kosten hat keinen Besitzer, ein anderer wurde gleich aufgeteilt, weil seine Nutzung nicht gemessen wurde</translation>
    </message>
    <message>
        <source>some cost was split equally because its use was not measured</source>
        <translation>ein Teil der Kosten wurde gleich aufgeteilt, weil seine Nutzung nicht gemessen wurde</translation>
    </message>
    <message>
        <source>some cost has no owner and may be this team&apos;s</source>
        <translation>ein Teil der Kosten hat keinen Besitzer und kann diesem Team gehören</translation>
    </message>
    <message>
        <source>Between %1 and %2: %3.</source>
        <comment>amount, amount, reason</comment>
        <translation>Zwischen %1 und %2: %3.</translation>
    </message>
    <message numerus="yes">
        <source>%n more team(s)</source>
        <translation>
            <numerusform>%n weiteres Team</numerusform>
            <numerusform>%n weitere Teams</numerusform>
        </translation>
    </message>
    <message>
        <source>Without an owner: parts of it may belong to teams.</source>
        <translation>Ohne Besitzer: Teile davon können Teams gehören.</translation>
    </message>
    <message>
        <source>Accepted saving, open: %1 %2 a month projected</source>
        <comment>amount, currency</comment>
        <translation>Angenommene Einsparung, offen: voraussichtlich %1 %2 im Monat</translation>
    </message>
    <message>
        <source>Accepted saving, open: its amount is unknown</source>
        <translation>Angenommene Einsparung, offen: der Betrag ist unbekannt</translation>
    </message>
    <message>
        <source>what it really saved is on the Savings page</source>
        <translation>was sie wirklich gespart hat, steht auf der Seite Einsparungen</translation>
    </message>
    <message>
        <source>Left of the budget, %1</source>
        <comment>currency</comment>
        <translation>Vom Budget übrig, %1</translation>
    </message>
    <message>
        <source>%1 of %2 spent</source>
        <comment>percent, amount</comment>
        <translation>%1 von %2 ausgegeben</translation>
    </message>
    <message>
        <source>nothing is available</source>
        <translation>nichts ist verfügbar</translation>
    </message>
    <message>
        <source>At the month&apos;s end %1 spent, with 80 % probability between %2 and %3.</source>
        <comment>amounts</comment>
        <translation>Am Monatsende %1 ausgegeben, mit einer Wahrscheinlichkeit von 80 % zwischen %2 und %3.</translation>
    </message>
    <message>
        <source>At the month&apos;s end %1 spent.</source>
        <comment>amount</comment>
        <translation>Am Monatsende %1 ausgegeben.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::MeetingBars</name>
    <message>
        <source>Cost of teams</source>
        <translation>Kosten der Teams</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::MeetingSlideView</name>
    <message>
        <source>Where it went</source>
        <translation>Wofür</translation>
    </message>
    <message>
        <source>Most expensive workloads</source>
        <translation>Teuerste Workloads</translation>
    </message>
    <message>
        <source>Cost, %1</source>
        <translation>Kosten, %1</translation>
    </message>
    <message>
        <source>incl. idle</source>
        <translation>inkl. Leerlauf</translation>
    </message>
    <message>
        <source>Results of earlier decisions</source>
        <translation>Ergebnisse früherer Beschlüsse</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>noch %n</numerusform>
            <numerusform>noch %n</numerusform>
        </translation>
    </message>
    <message>
        <source>Decisions of this meeting</source>
        <translation>Beschlüsse dieser Besprechung</translation>
    </message>
    <message>
        <source>Decide…</source>
        <translation>Beschließen …</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Erledigt</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Done: %1</source>
        <comment>decision</comment>
        <translation>Erledigt: %1</translation>
    </message>
    <message>
        <source>Drop: %1</source>
        <comment>decision</comment>
        <translation>Verwerfen: %1</translation>
    </message>
    <message>
        <source>Cost by month and state, %1</source>
        <translation>Kosten nach Monat und Zustand, %1</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>untätig</translation>
    </message>
    <message>
        <source>unallocated</source>
        <translation>nicht vergeben</translation>
    </message>
    <message>
        <source>not observed</source>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>other costs</source>
        <translation>sonstige Kosten</translation>
    </message>
    <message>
        <source>Teams, %1</source>
        <comment>currency</comment>
        <translation>Teams, %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Navigation</name>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Showback</source>
        <translation>Showback</translation>
    </message>
    <message>
        <source>Activity</source>
        <translation>Aktivität</translation>
    </message>
    <message>
        <source>Savings</source>
        <translation>Einsparungen</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>Alarme</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::NavigationRail</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Hide names</source>
        <translation>Namen verbergen</translation>
    </message>
    <message>
        <source>Show names</source>
        <comment>of the pages</comment>
        <translation>Namen zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%n firing</source>
        <comment>alerts</comment>
        <translation>
            <numerusform>%n ausgelöst</numerusform>
            <numerusform>%n ausgelöst</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>page, what its badge means</comment>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::NoticeBar</name>
    <message>
        <source>Notices</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Information</source>
        <translation>Information</translation>
    </message>
    <message>
        <source>Dismiss: %1</source>
        <comment>a notice</comment>
        <translation>Verwerfen: %1</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Verwerfen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewBudgets</name>
    <message>
        <source>no budget</source>
        <translation>kein Budget</translation>
    </message>
    <message>
        <source>nothing left</source>
        <comment>of a budget</comment>
        <translation>nichts übrig</translation>
    </message>
    <message>
        <source>%1: %2 so far, no forecast is possible yet.</source>
        <comment>month, money</comment>
        <translation>%1: bisher %2, noch ist keine Prognose möglich.</translation>
    </message>
    <message>
        <source>%1: %2 so far, forecast %3 from the mean of few days.</source>
        <comment>month, money, money</comment>
        <translation>%1: bisher %2, Prognose %3 aus dem Mittel weniger Tage.</translation>
    </message>
    <message>
        <source>%1: %2 so far, forecast %3; with 80 % probability %4 to %5.</source>
        <comment>month, money</comment>
        <translation>%1: bisher %2, Prognose %3; mit 80 % Wahrscheinlichkeit %4 bis %5.</translation>
    </message>
    <message numerus="yes">
        <source>%n day(s) of it are unknown and estimated.</source>
        <translation>
            <numerusform>%n Tag davon ist unbekannt und geschätzt.</numerusform>
            <numerusform>%n Tage davon sind unbekannt und geschätzt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Budget of %1: %2, of which %3 carried over</source>
        <comment>period, money</comment>
        <translation>Budget für %1: %2, davon %3 übertragen</translation>
    </message>
    <message>
        <source>Budget of %1: %2</source>
        <comment>period, money</comment>
        <translation>Budget für %1: %2</translation>
    </message>
    <message>
        <source>%1, %2 spent</source>
        <comment>the budget, a share</comment>
        <translation>%1, %2 ausgegeben</translation>
    </message>
    <message>
        <source>%1, forecast %2</source>
        <comment>the budget, a share</comment>
        <translation>%1, Prognose %2</translation>
    </message>
    <message>
        <source>%1.</source>
        <comment>end of a sentence</comment>
        <translation>%1.</translation>
    </message>
    <message>
        <source>%1: over the budget by %2.</source>
        <comment>the budget, money</comment>
        <translation>%1: %2 über dem Budget.</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <comment>parts of a line below the spend</comment>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>forecast %1</source>
        <comment>short amount</comment>
        <translation>Prognose %1</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <comment>forecast, short amount</comment>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>%1 of %2 budget</source>
        <comment>forecast, short amount</comment>
        <translation>%1 von %2 Budget</translation>
    </message>
    <message>
        <source>budget per day %1</source>
        <translation>Budget je Tag %1</translation>
    </message>
    <message numerus="yes">
        <source>%n day(s) with unfinished bills are completed by what such days used to gain.</source>
        <translation>
            <numerusform>%n Tag mit unvollständiger Rechnung ist um das ergänzt, was solche Tage sonst noch dazubekamen.</numerusform>
            <numerusform>%n Tage mit unvollständiger Rechnung sind um das ergänzt, was solche Tage sonst noch dazubekamen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewDaysCard</name>
    <message>
        <source>Spend per day</source>
        <translation>Ausgaben je Tag</translation>
    </message>
    <message>
        <source>Cost of</source>
        <translation>Kosten von</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Allem</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU-Zeit</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewFound</name>
    <message>
        <source>Savings found</source>
        <translation>Gefundene Ersparnis</translation>
    </message>
    <message>
        <source>computing…</source>
        <translation>wird berechnet…</translation>
    </message>
    <message>
        <source>not known: %1</source>
        <comment>savings; a sentence that says why</comment>
        <translation>nicht bekannt: %1</translation>
    </message>
    <message>
        <source>of the whole fleet</source>
        <comment>savings, although the page is filtered</comment>
        <translation>der ganzen Flotte</translation>
    </message>
    <message numerus="yes">
        <source>+ %n more currency(ies)</source>
        <translation>
            <numerusform>+ %n weitere Währung</numerusform>
            <numerusform>+ %n weitere Währungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>found in %n other currency(ies) only</source>
        <translation>
            <numerusform>nur in %n anderen Währung gefunden</numerusform>
            <numerusform>nur in %n anderen Währungen gefunden</numerusform>
        </translation>
    </message>
    <message>
        <source>needs 14 days of data</source>
        <translation>braucht Daten von 14 Tagen</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>nichts gefunden</translation>
    </message>
    <message>
        <source>realized %1</source>
        <comment>money</comment>
        <translation>erreicht: %1</translation>
    </message>
    <message>
        <source>realized %1 of %2 projected</source>
        <comment>money</comment>
        <translation>erreicht: %1 von vorhergesagten %2</translation>
    </message>
    <message>
        <source>a month; no spread in the past</source>
        <comment>below an amount</comment>
        <translation>im Monat; in der Vergangenheit ohne Streuung</translation>
    </message>
    <message>
        <source>a month, between %1 and %2</source>
        <comment>below an amount; two short amounts</comment>
        <translation>im Monat, zwischen %1 und %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewPage</name>
    <message>
        <source>Teams</source>
        <translation>Teams</translation>
    </message>
    <message>
        <source>No GPU time in this range</source>
        <translation>Keine GPU-Zeit in diesem Zeitraum</translation>
    </message>
    <message>
        <source>No GPU was paid for in the chosen time and filter.</source>
        <translation>Für keine GPU wurde im gewählten Zeitraum und Filter bezahlt.</translation>
    </message>
    <message>
        <source>Choose a longer time range or remove a filter.</source>
        <translation>Einen längeren Zeitraum wählen oder einen Filter entfernen.</translation>
    </message>
    <message>
        <source>The overview can&apos;t be shown</source>
        <translation>Die Übersicht kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Older data</source>
        <translation>Ältere Daten</translation>
    </message>
    <message>
        <source>Remove all filters</source>
        <translation>Alle Filter entfernen</translation>
    </message>
    <message>
        <source>Nothing from this time has been fetched yet</source>
        <translation>Aus dieser Zeit wurde noch nichts abgerufen</translation>
    </message>
    <message>
        <source>The data end at %1.</source>
        <translation>Die Daten enden am %1.</translation>
    </message>
    <message>
        <source>Sync now (F5), or choose a longer time range.</source>
        <translation>Jetzt abgleichen (F5) oder einen längeren Zeitraum wählen.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewProofs</name>
    <message>
        <source>Billed, effective cost</source>
        <translation>Berechnet, effektive Kosten</translation>
    </message>
    <message>
        <source>Idle cost</source>
        <translation>Leerlaufkosten</translation>
    </message>
    <message>
        <source>Utilization</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>Paid GPU-hours</source>
        <translation>Bezahlte GPU-Stunden</translation>
    </message>
    <message>
        <source>Observed share</source>
        <translation>Beobachteter Anteil</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>figure, team</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Billed spend</source>
        <translation>Berechnete Ausgaben</translation>
    </message>
    <message>
        <source>Cost of %1 time, before</source>
        <comment>state</comment>
        <translation>Kosten der Zeit „%1“, vorher</translation>
    </message>
    <message>
        <source>Cost of %1 time, now</source>
        <comment>state</comment>
        <translation>Kosten der Zeit „%1“, jetzt</translation>
    </message>
    <message>
        <source>Spend before</source>
        <translation>Ausgaben vorher</translation>
    </message>
    <message>
        <source>Spend now</source>
        <translation>Ausgaben jetzt</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>category, service</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>figure, GPU model</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Billed cost</source>
        <translation>Berechnete Kosten</translation>
    </message>
    <message>
        <source>The same time by the price book</source>
        <translation>Dieselbe Zeit nach der Preisliste</translation>
    </message>
    <message>
        <source>GPU-hours</source>
        <translation>GPU-Stunden</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>unallocated</source>
        <translation>nicht belegt</translation>
    </message>
    <message>
        <source>unobserved</source>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>part, day</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Spend</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>other costs</source>
        <translation>sonstige Kosten</translation>
    </message>
    <message>
        <source>Change by price</source>
        <translation>Änderung durch den Preis</translation>
    </message>
    <message>
        <source>Change by work</source>
        <translation>Änderung durch die Arbeit</translation>
    </message>
    <message>
        <source>Change by efficiency</source>
        <translation>Änderung durch die Effizienz</translation>
    </message>
    <message>
        <source>Change by mix</source>
        <translation>Änderung durch den Mix</translation>
    </message>
    <message>
        <source>Other change</source>
        <translation>Sonstige Änderung</translation>
    </message>
    <message>
        <source>Estimated, on no bill</source>
        <translation>Geschätzt, auf keiner Rechnung</translation>
    </message>
    <message>
        <source>Cost of GPU time</source>
        <translation>Kosten der GPU-Zeit</translation>
    </message>
    <message>
        <source>Unallocated cost</source>
        <translation>Kosten nicht belegter GPUs</translation>
    </message>
    <message>
        <source>Waste</source>
        <translation>Verschwendung</translation>
    </message>
    <message>
        <source>Waste, the idle part</source>
        <translation>Verschwendung, davon Leerlauf</translation>
    </message>
    <message>
        <source>Waste, the unallocated part</source>
        <translation>Verschwendung, davon nicht belegt</translation>
    </message>
    <message>
        <source>Idle cost of GPU time</source>
        <translation>Kosten ungenutzter GPU-Zeit</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewReasonsCard</name>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Hidden costs</source>
        <translation>Versteckte Kosten</translation>
    </message>
    <message>
        <source>Unit prices</source>
        <translation>Stückpreise</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Was sich geändert hat</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewText</name>
    <message>
        <source>Spend</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>%1 have no price and are not included</source>
        <translation>%1 haben keinen Preis und sind nicht enthalten</translation>
    </message>
    <message>
        <source>%1 paid for</source>
        <translation>%1 bezahlt</translation>
    </message>
    <message>
        <source>Utilization</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>%1 pt</source>
        <comment>percentage points</comment>
        <translation>%1 Pp.</translation>
    </message>
    <message>
        <source>allocation %1, observed %2</source>
        <translation>Belegung %1, beobachtet %2</translation>
    </message>
    <message>
        <source>allocation %1</source>
        <translation>Belegung %1</translation>
    </message>
    <message>
        <source>Idle now</source>
        <translation>Jetzt im Leerlauf</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <comment>number of idle devices</comment>
        <translation>%1 GPUs</translation>
    </message>
    <message>
        <source>nothing is known to be idle</source>
        <translation>nichts ist bekanntermaßen im Leerlauf</translation>
    </message>
    <message>
        <source>%1 a month if left idle</source>
        <translation>%1 pro Monat, wenn es so bleibt</translation>
    </message>
    <message numerus="yes">
        <source>%n workload(s), no price known</source>
        <translation>
            <numerusform>%n Workload, kein Preis bekannt</numerusform>
            <numerusform>%n Workloads, kein Preis bekannt</numerusform>
        </translation>
    </message>
    <message>
        <source>Spend per day</source>
        <translation>Ausgaben pro Tag</translation>
    </message>
    <message>
        <source>Spend per day by state</source>
        <translation>Ausgaben pro Tag nach Zustand</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>unallocated</source>
        <translation>nicht belegt</translation>
    </message>
    <message>
        <source>unobserved</source>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>day below the axis</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>%1, part of the day</source>
        <translation>%1, Teil des Tages</translation>
    </message>
    <message>
        <source>What changed</source>
        <translation>Veränderungen</translation>
    </message>
    <message>
        <source>What changed in the spend</source>
        <translation>Veränderungen der Ausgaben</translation>
    </message>
    <message>
        <source>no data for the previous period</source>
        <translation>keine Daten des vorigen Zeitraums</translation>
    </message>
    <message>
        <source>against %1</source>
        <translation>gegenüber %1</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>Spend, %1</source>
        <translation>Ausgaben, %1</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Spend in this range</source>
        <translation>Ausgaben in diesem Zeitraum</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>team and its change</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Most: %1</source>
        <translation>Am meisten: %1</translation>
    </message>
    <message>
        <source>data until %1, %2 ago</source>
        <translation>Daten bis %1, vor %2</translation>
    </message>
    <message>
        <source>price</source>
        <translation>Preis</translation>
    </message>
    <message>
        <source>The same GPUs at other rates</source>
        <translation>Dieselben GPUs zu anderen Sätzen</translation>
    </message>
    <message>
        <source>mix</source>
        <translation>Mix</translation>
    </message>
    <message>
        <source>Pricier or cheaper GPU models</source>
        <translation>Teurere oder günstigere GPU-Modelle</translation>
    </message>
    <message>
        <source>Cost of active time</source>
        <translation>Kosten der aktiven Zeit</translation>
    </message>
    <message>
        <source>Cost of idle time</source>
        <translation>Kosten des Leerlaufs</translation>
    </message>
    <message>
        <source>Cost of unallocated time</source>
        <translation>Kosten der nicht belegten Zeit</translation>
    </message>
    <message>
        <source>Cost of unobserved time</source>
        <translation>Kosten der nicht beobachteten Zeit</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>first and last day</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>team and its change (why)</comment>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>higher prices</source>
        <translation>höhere Preise</translation>
    </message>
    <message>
        <source>lower prices</source>
        <translation>niedrigere Preise</translation>
    </message>
    <message>
        <source>pricier GPUs</source>
        <translation>teurere GPUs</translation>
    </message>
    <message>
        <source>cheaper GPUs</source>
        <translation>billigere GPUs</translation>
    </message>
    <message>
        <source>bills: %1; %2 unpriced</source>
        <comment>money, GPU-hours</comment>
        <translation>Rechnungen: %1; %2 ohne Preis</translation>
    </message>
    <message>
        <source>bills of these days: %1</source>
        <comment>money</comment>
        <translation>Rechnungen dieser Tage: %1</translation>
    </message>
    <message>
        <source>fully billed</source>
        <translation>alles berechnet</translation>
    </message>
    <message>
        <source>Billed spend per day</source>
        <translation>Berechnete Ausgaben je Tag</translation>
    </message>
    <message>
        <source>other costs</source>
        <translation>sonstige Kosten</translation>
    </message>
    <message>
        <source>%1 (UTC)</source>
        <comment>day</comment>
        <translation>%1 (UTC)</translation>
    </message>
    <message>
        <source>other</source>
        <translation>anderes</translation>
    </message>
    <message>
        <source>Everything except GPU time</source>
        <translation>Alles außer GPU-Zeit</translation>
    </message>
    <message>
        <source>more work</source>
        <translation>mehr Arbeit</translation>
    </message>
    <message>
        <source>less work</source>
        <translation>weniger Arbeit</translation>
    </message>
    <message>
        <source>less efficient</source>
        <translation>weniger effizient</translation>
    </message>
    <message>
        <source>more efficient</source>
        <translation>effizienter</translation>
    </message>
    <message>
        <source>work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>More or fewer active GPU-hours</source>
        <translation>Mehr oder weniger aktive GPU-Stunden</translation>
    </message>
    <message>
        <source>efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>More or fewer paid GPU-hours per active one</source>
        <translation>Mehr oder weniger bezahlte GPU-Stunden je aktive</translation>
    </message>
    <message>
        <source>at most %1</source>
        <comment>money</comment>
        <translation>höchstens %1</translation>
    </message>
    <message>
        <source>%1 have no price, %2 were not fetched yet</source>
        <comment>GPU-hours</comment>
        <translation>%1 ohne Preis, %2 noch nicht abgerufen</translation>
    </message>
    <message>
        <source>%1 paid for, %2 not fetched yet</source>
        <comment>GPU-hours</comment>
        <translation>%1 bezahlt, %2 noch nicht abgerufen</translation>
    </message>
    <message>
        <source>before: not fetched</source>
        <comment>the period before</comment>
        <translation>davor: nicht abgerufen</translation>
    </message>
    <message>
        <source>before: %1 fetched</source>
        <comment>share of the period before</comment>
        <translation>davor: %1 abgerufen</translation>
    </message>
    <message>
        <source>only %1 fetched</source>
        <comment>share of the range</comment>
        <translation>nur %1 abgerufen</translation>
    </message>
    <message>
        <source>%1 was not fetched</source>
        <comment>the period before</comment>
        <translation>%1 wurde nicht abgerufen</translation>
    </message>
    <message>
        <source>of %1 only %2 was fetched</source>
        <comment>the period before, share</comment>
        <translation>von %1 wurden nur %2 abgerufen</translation>
    </message>
    <message>
        <source>only %1 of this range was fetched</source>
        <comment>share</comment>
        <translation>nur %1 dieses Zeitraums abgerufen</translation>
    </message>
    <message>
        <source>%1, not fetched to its end</source>
        <translation>%1, nicht bis zum Ende abgerufen</translation>
    </message>
    <message>
        <source>%1, not fetched yet</source>
        <translation>%1, noch nicht abgerufen</translation>
    </message>
    <message>
        <source>Idle on %1</source>
        <comment>time at which the data end</comment>
        <translation>Im Leerlauf am %1</translation>
    </message>
    <message>
        <source>what is idle now is not known</source>
        <translation>was jetzt im Leerlauf ist, ist nicht bekannt</translation>
    </message>
    <message>
        <source>Cost of GPU time</source>
        <translation>Kosten der GPU-Zeit</translation>
    </message>
    <message>
        <source>Spend (billed + estimated)</source>
        <translation>Ausgaben (berechnet + geschätzt)</translation>
    </message>
    <message>
        <source>Billed spend</source>
        <translation>Berechnete Ausgaben</translation>
    </message>
    <message>
        <source>%1 billed · %2 estimated</source>
        <comment>money</comment>
        <translation>%1 berechnet · %2 geschätzt</translation>
    </message>
    <message>
        <source>%1; %2 not final yet</source>
        <comment>the spend, money</comment>
        <translation>%1; %2 noch nicht endgültig</translation>
    </message>
    <message>
        <source>Waste</source>
        <translation>Verschwendung</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <comment>parts of the waste, range</comment>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>pale: not final yet</source>
        <comment>days of the chart</comment>
        <translation>blass: noch nicht endgültig</translation>
    </message>
    <message>
        <source>%1, not final yet</source>
        <comment>day</comment>
        <translation>%1, noch nicht endgültig</translation>
    </message>
    <message>
        <source>%1 are on no bill yet and not included</source>
        <comment>GPU-hours</comment>
        <translation>%1 stehen noch auf keiner Rechnung und sind nicht enthalten</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <comment>cost of what is idle, what stopping saves</comment>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>Idle then</source>
        <comment>when the data end</comment>
        <translation>Leerlauf damals</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OverviewWaste</name>
    <message>
        <source>idle %1, unallocated %2</source>
        <comment>money</comment>
        <translation>Leerlauf %1, nicht belegt %2</translation>
    </message>
    <message>
        <source>stopping saves %1 a month</source>
        <comment>money</comment>
        <translation>Stoppen spart %1 im Monat</translation>
    </message>
    <message>
        <source>stopping saves up to %1 a month</source>
        <comment>money</comment>
        <translation>Stoppen spart bis zu %1 im Monat</translation>
    </message>
    <message>
        <source>stopping saves %1 to %2 a month</source>
        <comment>money</comment>
        <translation>Stoppen spart %1 bis %2 im Monat</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OwnedText</name>
    <message>
        <source>Owned %1</source>
        <comment>node labels</comment>
        <translation>Eigene %1</translation>
    </message>
    <message>
        <source>Owned %1 (%2)</source>
        <comment>node labels, GPU model</comment>
        <translation>Eigene %1 (%2)</translation>
    </message>
    <message>
        <source>Above a utilization of %1, owning is cheaper than %2.</source>
        <translation>Über einer Auslastung von %1 ist Besitzen billiger als %2.</translation>
    </message>
    <message>
        <source>Below a utilization of %1, owning is cheaper than %2.</source>
        <translation>Unter einer Auslastung von %1 ist Besitzen billiger als %2.</translation>
    </message>
    <message>
        <source>At any utilization, owning is cheaper than %1.</source>
        <translation>Besitzen ist bei jeder Auslastung billiger als %1.</translation>
    </message>
    <message>
        <source>Owning is never cheaper than %1.</source>
        <translation>Besitzen ist nie billiger als %1.</translation>
    </message>
    <message>
        <source>Its nodes have several GPU models; compare one of them with rent: %1</source>
        <comment>a command</comment>
        <translation>Ihre Knoten haben mehrere GPU-Modelle; eines davon mit der Miete vergleichen: %1</translation>
    </message>
    <message>
        <source>Its GPU model is not known; compare it with rent: %1</source>
        <comment>a command</comment>
        <translation>Ihr GPU-Modell ist nicht bekannt; mit der Miete vergleichen: %1</translation>
    </message>
    <message>
        <source>No price list offers %1 on demand in USD.</source>
        <comment>a GPU model</comment>
        <translation>Keine Preisliste bietet %1 on-demand in USD an.</translation>
    </message>
    <message>
        <source>the cheapest rent on demand, %1 per GPU-hour (%2)</source>
        <comment>an amount, price list and machine</comment>
        <translation>die billigste Miete on-demand, %1 pro GPU-Stunde (%2)</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>owned machines, what is wrong</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: what a GPU-hour costs is not known; the configuration does not have %2.</source>
        <comment>owned machines, keys of the configuration</comment>
        <translation>%1: Was eine GPU-Stunde kostet, ist nicht bekannt; in der Konfiguration fehlt %2.</translation>
    </message>
    <message>
        <source>%1: %2 per GPU-hour at full use. %3</source>
        <comment>owned machines, an amount, a sentence</comment>
        <translation>%1: %2 pro GPU-Stunde bei voller Nutzung. %3</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OwnerRuleDialog</name>
    <message>
        <source>Looks at</source>
        <translation>Prüft</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Change rule</source>
        <translation>Regel ändern</translation>
    </message>
    <message>
        <source>Add rule</source>
        <translation>Regel hinzufügen</translation>
    </message>
    <message>
        <source>Edit owner rule</source>
        <translation>Eigentümerregel bearbeiten</translation>
    </message>
    <message>
        <source>Add an owner rule</source>
        <translation>Eigentümerregel hinzufügen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Name of the label</source>
        <translation>Name des Labels</translation>
    </message>
    <message>
        <source>team</source>
        <comment>example of a label&apos;s name</comment>
        <translation>team</translation>
    </message>
    <message>
        <source>Which</source>
        <translation>Welcher</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>for example %1</source>
        <comment>a day</comment>
        <translation>zum Beispiel %1</translation>
    </message>
    <message>
        <source>Until</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>The first day on which the rule applies (UTC); empty: always did</source>
        <translation>Der erste Tag, für den die Regel gilt (UTC); leer: seit jeher</translation>
    </message>
    <message>
        <source>The first day on which it no longer applies (UTC); empty: no end</source>
        <translation>Der erste Tag, für den sie nicht mehr gilt (UTC); leer: kein Ende</translation>
    </message>
    <message>
        <source>Any value</source>
        <comment>of a label</comment>
        <translation>Jeder Wert</translation>
    </message>
    <message>
        <source>Any name</source>
        <comment>of a namespace or node pool</comment>
        <translation>Jeder Name</translation>
    </message>
    <message>
        <source>Is exactly</source>
        <translation>Ist genau</translation>
    </message>
    <message>
        <source>Begins with</source>
        <translation>Beginnt mit</translation>
    </message>
    <message>
        <source>Matches the expression</source>
        <translation>Passt zum Ausdruck</translation>
    </message>
    <message>
        <source>the team that owns it</source>
        <translation>das Team, dem es gehört</translation>
    </message>
    <message>
        <source>the group “team”, else the value</source>
        <translation>die Gruppe „team“, sonst der Wert</translation>
    </message>
    <message>
        <source>what the value says</source>
        <translation>was der Wert sagt</translation>
    </message>
    <message>
        <source>Checking what it claims…</source>
        <translation>Es wird geprüft, was sie beansprucht…</translation>
    </message>
    <message>
        <source>It claims nothing from the last 30 days.</source>
        <translation>Sie beansprucht nichts aus den letzten 30 Tagen.</translation>
    </message>
    <message>
        <source>It claims %1 GPU-h, %2 %3, from the last 30 days.</source>
        <comment>hours, amount, currency</comment>
        <translation>Sie beansprucht %1 GPU-h, %2 %3, aus den letzten 30 Tagen.</translation>
    </message>
    <message>
        <source>All rules together assign %1 of the cost; the current ones assign %2.</source>
        <translation>Alle Regeln zusammen ordnen %1 der Kosten zu; die geltenden %2.</translation>
    </message>
    <message>
        <source>for example %1</source>
        <comment>an expression</comment>
        <translation>zum Beispiel %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OwnerRuleTable</name>
    <message>
        <source>No.</source>
        <comment>place of a rule</comment>
        <translation>Nr.</translation>
    </message>
    <message>
        <source>The first rule that matches counts</source>
        <translation>Die erste passende Regel zählt</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>What it checks</source>
        <translation>Was sie prüft</translation>
    </message>
    <message>
        <source>Share of cost</source>
        <translation>Kostenanteil</translation>
    </message>
    <message>
        <source>Of all cost in the range; of the time where no price is known</source>
        <translation>An allen Kosten des Zeitraums; an der Zeit, wo kein Preis bekannt ist</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Who owns what the rule matches</source>
        <translation>Wem gehört, was die Regel trifft</translation>
    </message>
    <message>
        <source>Valid</source>
        <translation>Gültig</translation>
    </message>
    <message>
        <source>Days (UTC) on which the rule applies</source>
        <translation>Tage (UTC), für die die Regel gilt</translation>
    </message>
    <message>
        <source>GPU-h</source>
        <translation>GPU-h</translation>
    </message>
    <message>
        <source>GPU-hours that it claims</source>
        <translation>GPU-Stunden, die sie beansprucht</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Cost, %1</source>
        <translation>Kosten, %1</translation>
    </message>
    <message>
        <source>Cost of what it claims</source>
        <translation>Kosten dessen, was sie beansprucht</translation>
    </message>
    <message>
        <source>No rule matches</source>
        <translation>Keine Regel passt</translation>
    </message>
    <message>
        <source>unowned</source>
        <translation>ohne Eigentümer</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <comment>teams</comment>
        <translation>%1 und %2 weitere</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OwnerRuleText</name>
    <message>
        <source>Label of the workload</source>
        <translation>Label des Workloads</translation>
    </message>
    <message>
        <source>Label of the namespace</source>
        <translation>Label des Namespace</translation>
    </message>
    <message>
        <source>Name of the namespace</source>
        <translation>Name des Namespace</translation>
    </message>
    <message>
        <source>Node pool</source>
        <translation>Node-Pool</translation>
    </message>
    <message>
        <source>Tag of the cloud</source>
        <translation>Tag der Cloud</translation>
    </message>
    <message>
        <source>Account or project</source>
        <translation>Konto oder Projekt</translation>
    </message>
    <message>
        <source>Everything else</source>
        <translation>Alles Übrige</translation>
    </message>
    <message>
        <source>Label %1</source>
        <comment>of a workload</comment>
        <translation>Label %1</translation>
    </message>
    <message>
        <source>Namespace label %1</source>
        <translation>Namespace-Label %1</translation>
    </message>
    <message>
        <source>Namespace</source>
        <translation>Namespace</translation>
    </message>
    <message>
        <source>Cloud tag %1</source>
        <translation>Cloud-Tag %1</translation>
    </message>
    <message>
        <source>Account</source>
        <translation>Konto</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <comment>a label, its value</comment>
        <translation>%1 ist %2</translation>
    </message>
    <message>
        <source>%1 begins with %2</source>
        <comment>a label, its value</comment>
        <translation>%1 beginnt mit %2</translation>
    </message>
    <message>
        <source>%1 matches %2</source>
        <comment>a label, an expression</comment>
        <translation>%1 passt zu %2</translation>
    </message>
    <message>
        <source>unowned</source>
        <translation>ohne Eigentümer</translation>
    </message>
    <message>
        <source>the group “team”</source>
        <comment>of an expression</comment>
        <translation>die Gruppe „team“</translation>
    </message>
    <message>
        <source>namespace name</source>
        <comment>of a namespace</comment>
        <translation>Name des Namespace</translation>
    </message>
    <message>
        <source>label value</source>
        <comment>of a label</comment>
        <translation>Label-Wert</translation>
    </message>
    <message>
        <source>from %1, before %2</source>
        <comment>two days</comment>
        <translation>ab %1, vor %2</translation>
    </message>
    <message>
        <source>from %1</source>
        <comment>a day</comment>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>before %1</source>
        <comment>a day</comment>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>always</source>
        <translation>immer</translation>
    </message>
    <message>
        <source>Tags and accounts come with bills; telemetry does not carry them.</source>
        <translation>Tags und Konten kommen mit Rechnungen; die Telemetrie enthält sie nicht.</translation>
    </message>
    <message>
        <source>Name the label, for example team</source>
        <translation>Das Label nennen, zum Beispiel team</translation>
    </message>
    <message>
        <source>Say what to compare with</source>
        <translation>Angeben, womit verglichen wird</translation>
    </message>
    <message>
        <source>Not an expression: %1, at character %2</source>
        <translation>Kein Ausdruck: %1, bei Zeichen %2</translation>
    </message>
    <message>
        <source>Not an expression: %1</source>
        <translation>Kein Ausdruck: %1</translation>
    </message>
    <message>
        <source>Name the team that owns it</source>
        <translation>Das Team nennen, dem es gehört</translation>
    </message>
    <message>
        <source>Write a day as 2026-01-31</source>
        <translation>Einen Tag in der Form 2026-01-31 schreiben</translation>
    </message>
    <message>
        <source>It must end after it begins</source>
        <translation>Das Ende muss nach dem Anfang liegen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OwnerRulesCard</name>
    <message>
        <source>Owner rules</source>
        <translation>Eigentümerregeln</translation>
    </message>
    <message>
        <source>Read the file again</source>
        <translation>Datei neu lesen</translation>
    </message>
    <message>
        <source>Discard changes</source>
        <translation>Änderungen verwerfen</translation>
    </message>
    <message>
        <source>Save rules</source>
        <translation>Regeln speichern</translation>
    </message>
    <message>
        <source>Owner rules in their order</source>
        <translation>Eigentümerregeln in ihrer Reihenfolge</translation>
    </message>
    <message>
        <source>Add rule…</source>
        <translation>Regel hinzufügen…</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Edit rule</source>
        <translation>Regel bearbeiten</translation>
    </message>
    <message>
        <source>Delete rule</source>
        <translation>Regel löschen</translation>
    </message>
    <message>
        <source>Move rule up</source>
        <translation>Regel nach oben schieben</translation>
    </message>
    <message>
        <source>Move rule down</source>
        <translation>Regel nach unten schieben</translation>
    </message>
    <message>
        <source>Without rules of your own the built-in ones apply: the labels team, owner and cost-center of the workload, then of its namespace, then the namespace&apos;s name.</source>
        <translation>Ohne eigene Regeln gelten die eingebauten: die Labels team, owner und cost-center des Workloads, dann seines Namespace, dann der Name des Namespace.</translation>
    </message>
    <message>
        <source>The demo fleet has no configuration file: try rules here and see what they would do; they can&apos;t be saved.</source>
        <translation>Die Demo-Flotte hat keine Konfigurationsdatei: Regeln lassen sich hier erproben, aber nicht speichern.</translation>
    </message>
    <message>
        <source>These rules are built in. What you change is written to your configuration.</source>
        <translation>Diese Regeln sind eingebaut. Änderungen kommen in die eigene Konfiguration.</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gespeichert…</translation>
    </message>
    <message>
        <source>Nothing to show yet</source>
        <translation>Noch nichts zu zeigen</translation>
    </message>
    <message>
        <source>What the rules claim is shown once GPU time has been read from a source.</source>
        <translation>Was die Regeln beanspruchen, ist zu sehen, sobald GPU-Zeit aus einer Quelle gelesen wurde.</translation>
    </message>
    <message>
        <source>What the rules claim can&apos;t be shown</source>
        <translation>Was die Regeln beanspruchen, kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Data until %1</source>
        <translation>Daten bis %1</translation>
    </message>
    <message>
        <source>The first rule that matches names the team. Figures of %1</source>
        <comment>range of days</comment>
        <translation>Die erste passende Regel nennt das Team. Zahlen von %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::OwnerRulesPreview</name>
    <message>
        <source>1 unowned workload</source>
        <translation>1 Workload ohne Eigentümer</translation>
    </message>
    <message numerus="yes">
        <source>%n unowned workloads</source>
        <translation>
            <numerusform>%n Workload ohne Eigentümer</numerusform>
            <numerusform>%n Workloads ohne Eigentümer</numerusform>
        </translation>
    </message>
    <message>
        <source>What each team gets</source>
        <translation>Was auf jedes Team entfällt</translation>
    </message>
    <message>
        <source>What changes for each team</source>
        <translation>Was sich für jedes Team ändert</translation>
    </message>
    <message>
        <source>Every workload of the range has an owner.</source>
        <translation>Jeder Workload des Zeitraums hat einen Eigentümer.</translation>
    </message>
    <message>
        <source>Unowned workloads</source>
        <translation>Workloads ohne Eigentümer</translation>
    </message>
    <message>
        <source>1 team gains or loses by the changed rules.</source>
        <translation>1 Team gewinnt oder verliert durch die geänderten Regeln.</translation>
    </message>
    <message numerus="yes">
        <source>%n teams gain or lose by the changed rules.</source>
        <translation>
            <numerusform>%n Team gewinnt oder verliert durch die geänderten Regeln.</numerusform>
            <numerusform>%n Teams gewinnen oder verlieren durch die geänderten Regeln.</numerusform>
        </translation>
    </message>
    <message>
        <source>No team gains or loses.</source>
        <translation>Kein Team gewinnt oder verliert.</translation>
    </message>
    <message>
        <source>By the current rules. Change one to see who would gain or lose.</source>
        <translation>Nach den geltenden Regeln. Wird eine geändert, ist zu sehen, wer gewänne oder verlöre.</translation>
    </message>
    <message>
        <source>%1 %2, %3 GPU-h</source>
        <comment>amount, currency, hours</comment>
        <translation>%1 %2, %3 GPU-h</translation>
    </message>
    <message>
        <source>Owned</source>
        <comment>share of cost</comment>
        <translation>Zugeordnet</translation>
    </message>
    <message>
        <source>Unowned</source>
        <comment>share of cost</comment>
        <translation>Ohne Eigentümer</translation>
    </message>
    <message>
        <source>Unallocated</source>
        <comment>share of cost</comment>
        <translation>Nicht belegt</translation>
    </message>
    <message>
        <source>%1 names the owner of %2 of it, one team</source>
        <comment>a label, a share</comment>
        <translation>%1 nennt den Eigentümer von %2 davon, ein Team</translation>
    </message>
    <message numerus="yes">
        <source>%1 names the owner of %2 of it, %n teams</source>
        <comment>a label, a share</comment>
        <translation>
            <numerusform>%1 nennt den Eigentümer von %2 davon, %n Team</numerusform>
            <numerusform>%1 nennt den Eigentümer von %2 davon, %n Teams</numerusform>
        </translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Add a rule for %1</source>
        <translation>Regel für %1 hinzufügen</translation>
    </message>
    <message>
        <source>%1 covers %2 of the unowned cost of bills, one team</source>
        <comment>a tag, a share</comment>
        <translation>%1 deckt %2 der Kosten ohne Eigentümer auf Rechnungen, ein Team</translation>
    </message>
    <message numerus="yes">
        <source>%1 covers %2 of the unowned cost of bills, %n teams</source>
        <comment>a tag, a share</comment>
        <translation>
            <numerusform>%1 deckt %2 der Kosten ohne Eigentümer auf Rechnungen, %n Team</numerusform>
            <numerusform>%1 deckt %2 der Kosten ohne Eigentümer auf Rechnungen, %n Teams</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Phrase</name>
    <message numerus="yes">
        <source>%n devices</source>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n Geräte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n Knoten</numerusform>
            <numerusform>%n Knoten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n MIG instances</source>
        <translation>
            <numerusform>%n MIG-Instanz</numerusform>
            <numerusform>%n MIG-Instanzen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n metric names</source>
        <translation>
            <numerusform>%n Metrikname</numerusform>
            <numerusform>%n Metriknamen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n GPU pods</source>
        <translation>
            <numerusform>%n GPU-Pod</numerusform>
            <numerusform>%n GPU-Pods</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n namespaces</source>
        <translation>
            <numerusform>%n Namespace</numerusform>
            <numerusform>%n Namespaces</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n targets</source>
        <translation>
            <numerusform>%n Target</numerusform>
            <numerusform>%n Targets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n made-up GPUs</source>
        <translation>
            <numerusform>%n erfundene GPU</numerusform>
            <numerusform>%n erfundene GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n clusters</source>
        <translation>
            <numerusform>%n Cluster</numerusform>
            <numerusform>%n Cluster</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n days</source>
        <translation>
            <numerusform>%n Tag</numerusform>
            <numerusform>%n Tage</numerusform>
        </translation>
    </message>
    <message>
        <source>a Prometheus-compatible server</source>
        <translation>ein Prometheus-kompatibler Server</translation>
    </message>
    <message>
        <source>%1 responds, %2</source>
        <translation>%1 antwortet, %2</translation>
    </message>
    <message>
        <source>no metrics of a known GPU exporter in the last two days</source>
        <translation>keine Metriken eines bekannten GPU-Exporters in den letzten zwei Tagen</translation>
    </message>
    <message>
        <source>%1: %2 on %3</source>
        <translation>%1: %2 auf %3</translation>
    </message>
    <message>
        <source>%1: %2 on %3, %4</source>
        <translation>%1: %2 auf %3, %4</translation>
    </message>
    <message>
        <source>%1 series do not identify a device: they have none of the labels %2</source>
        <translation>%1 Reihen bezeichnen kein Gerät: Sie haben keines der Labels %2</translation>
    </message>
    <message>
        <source>%1: no series identifies a device, because label %2 is missing; the labels are %3</source>
        <translation>%1: Keine Reihe bezeichnet ein Gerät, weil das Label %2 fehlt; vorhanden sind %3</translation>
    </message>
    <message>
        <source>%1 exports no activity metric</source>
        <translation>%1 exportiert keine Metrik der Aktivität</translation>
    </message>
    <message>
        <source>%1 sent data in the last two days, but none in the last 15 minutes</source>
        <translation>%1 lieferte in den letzten zwei Tagen Daten, in den letzten 15 Minuten aber keine</translation>
    </message>
    <message>
        <source>activity is measured as SM activity, the best available signal</source>
        <translation>Aktivität ist die SM-Aktivität, das beste Signal</translation>
    </message>
    <message>
        <source>activity is measured as SM activity on %1 of %2, and by a weaker signal on the others</source>
        <translation>%2, davon %1 mit SM-Aktivität; die übrigen haben ein schwächeres Signal</translation>
    </message>
    <message>
        <source>activity is measured on the graphics engine: SM activity is not exported</source>
        <translation>Aktivität ist die der Grafik-Engine: SM-Aktivität wird nicht exportiert</translation>
    </message>
    <message>
        <source>activity is measured on the graphics engine on %1 of %2: SM activity is not exported</source>
        <translation>%2, davon %1 mit der Aktivität der Grafik-Engine: SM-Aktivität wird nicht exportiert</translation>
    </message>
    <message>
        <source>activity is measured as GPU utilization, which stays high when a job hangs</source>
        <translation>Aktivität ist die GPU-Auslastung, die auch bei einem hängenden Job hoch ist</translation>
    </message>
    <message>
        <source>activity is measured as GPU utilization on %1 of %2, which stays high when a job hangs</source>
        <translation>%2, davon %1 mit der GPU-Auslastung, die auch bei einem hängenden Job hoch ist</translation>
    </message>
    <message>
        <source>activity is measured as GPU utilization, which stays high when a job hangs and is absent on MIG instances</source>
        <translation>Aktivität ist die GPU-Auslastung, die auch bei einem hängenden Job hoch ist und auf MIG-Instanzen fehlt</translation>
    </message>
    <message>
        <source>activity is measured as GPU utilization on %1 of %2, which stays high when a job hangs and is absent on MIG instances</source>
        <translation>%2, davon %1 mit der GPU-Auslastung, die auch bei einem hängenden Job hoch ist und auf MIG-Instanzen fehlt</translation>
    </message>
    <message>
        <source>activity is measured as a duty cycle: SM activity is not exported</source>
        <translation>Aktivität ist eine Einschaltdauer: SM-Aktivität wird nicht exportiert</translation>
    </message>
    <message>
        <source>activity is measured as a duty cycle on %1 of %2: SM activity is not exported</source>
        <translation>%2, davon %1 mit einer Einschaltdauer: SM-Aktivität wird nicht exportiert</translation>
    </message>
    <message>
        <source>memory in use is not exported: an idle device that holds a model looks like an empty one</source>
        <translation>belegter Speicher wird nicht exportiert: ein Gerät im Leerlauf, das ein Modell hält, sieht wie ein leeres aus</translation>
    </message>
    <message>
        <source>holders are read from exported_pod: the exporter is scraped with honor_labels false</source>
        <translation>die Belegung wird aus exported_pod gelesen: der Exporter wird mit honor_labels false abgefragt</translation>
    </message>
    <message>
        <source>holders are read from the exporter&apos;s own labels</source>
        <translation>die Belegung wird aus den Labels des Exporters gelesen</translation>
    </message>
    <message>
        <source>no series names its holder in a known label, but these labels exist: %1</source>
        <translation>keine Zeitreihe nennt in einem bekannten Label, wer das Gerät belegt; vorhanden ist aber %1</translation>
    </message>
    <message>
        <source>no series names the pod or job that holds a device</source>
        <translation>keine Zeitreihe nennt den Pod oder Job, der ein Gerät belegt</translation>
    </message>
    <message>
        <source>%1 does not report which pod holds a device</source>
        <translation>%1 meldet nicht, welcher Pod ein Gerät belegt</translation>
    </message>
    <message>
        <source>no kube-state-metrics: the holder of a device is known only from the exporter&apos;s labels, and the namespace is used as the team</source>
        <translation>kein kube-state-metrics: wer ein Gerät belegt, ist nur aus den Labels des Exporters bekannt, und der Namespace steht für das Team</translation>
    </message>
    <message>
        <source>no kube-state-metrics either</source>
        <translation>auch kein kube-state-metrics</translation>
    </message>
    <message>
        <source>kube-state-metrics reports which pods request GPUs</source>
        <translation>kube-state-metrics meldet, welche Pods GPUs anfordern</translation>
    </message>
    <message>
        <source>kube_node_labels is missing: instance types and regions are unknown, so prices depend on the GPU model alone</source>
        <translation>kube_node_labels fehlt: Instanztypen und Regionen sind unbekannt, Preise richten sich daher allein nach dem GPU-Modell</translation>
    </message>
    <message>
        <source>kube_pod_status_phase is missing: finished pods count as holders until they are deleted</source>
        <translation>kube_pod_status_phase fehlt: beendete Pods gelten als Belegung, bis sie gelöscht sind</translation>
    </message>
    <message>
        <source>label %1 is on %2 of %3</source>
        <translation>Label %1: %3, davon %2 mit diesem Label</translation>
    </message>
    <message>
        <source>no label of the GPU pods could be a team: the namespace is used instead</source>
        <translation>kein Label der GPU-Pods könnte ein Team nennen: der Namespace steht dafür</translation>
    </message>
    <message>
        <source>no labels of GPU pods are known: the namespace is used as the team</source>
        <translation>keine Labels von GPU-Pods sind bekannt: der Namespace steht für das Team</translation>
    </message>
    <message>
        <source>%1 goes up to %2 on %3: it is a percentage, although its name says ratio, and is read as a percentage there</source>
        <translation>%1 reicht bis %2 (%3): es sind Prozent unter dem Namen eines Verhältnisses, und so werden sie dort gelesen</translation>
    </message>
    <message>
        <source>%1 is a percentage by its name, but never exceeds %2: it is probably a ratio, and busy devices look idle</source>
        <translation>%1 ist dem Namen nach Prozent, übersteigt aber nie %2: wahrscheinlich ist es ein Verhältnis, und beschäftigte Geräte sehen nach Leerlauf aus</translation>
    </message>
    <message>
        <source>%1 should lie between 0 and 1, but goes up to %2 on %3: these values are not used</source>
        <translation>%1 müsste zwischen 0 und 1 liegen, reicht aber bis %2 (%3): diese Werte werden nicht benutzt</translation>
    </message>
    <message>
        <source>the server warns: %1</source>
        <translation>der Server warnt: %1</translation>
    </message>
    <message>
        <source>%1 on %2 in %3, %4</source>
        <translation>%1, %2, %3, %4</translation>
    </message>
    <message>
        <source>no SM activity on %1: utilization is used instead</source>
        <translation>keine SM-Aktivität (%1): dort zählt die Auslastung</translation>
    </message>
    <message>
        <source>start dcgm-exporter (or the AMD device-metrics-exporter) and let this server scrape it; other exporters can be described under `exporters` in the configuration</source>
        <translation>dcgm-exporter (oder den device-metrics-exporter von AMD) starten und von diesem Server abfragen lassen; ein anderer Exporter kann unter `exporters` in der Konfiguration stehen</translation>
    </message>
    <message>
        <source>keep this label when relabeling, or set labels.uuid of &quot;%1&quot; under `exporters` in the configuration to yours</source>
        <translation>dieses Label beim Umbenennen behalten oder das eigene als labels.uuid von „%1“ unter `exporters` in der Konfiguration nennen</translation>
    </message>
    <message>
        <source>check on the targets page of the server that the exporter is up</source>
        <translation>auf der Targets-Seite des Servers prüfen, ob der Exporter läuft</translation>
    </message>
    <message>
        <source>add DCGM_FI_PROF_SM_ACTIVE to the metrics file of dcgm-exporter</source>
        <translation>DCGM_FI_PROF_SM_ACTIVE in die Metrikdatei von dcgm-exporter aufnehmen</translation>
    </message>
    <message>
        <source>enable gpu_prof_sm_active in the configuration of the exporter</source>
        <translation>gpu_prof_sm_active in der Konfiguration des Exporters einschalten</translation>
    </message>
    <message>
        <source>use dcgm-exporter with DCGM_FI_PROF_SM_ACTIVE for a better signal</source>
        <translation>für ein besseres Signal dcgm-exporter mit DCGM_FI_PROF_SM_ACTIVE verwenden</translation>
    </message>
    <message>
        <source>if it has a metric of SM activity, map that metric under `exporters` in the configuration</source>
        <translation>eine Metrik der SM-Aktivität dafür unter `exporters` in der Konfiguration nennen, wenn es eine gibt</translation>
    </message>
    <message>
        <source>add DCGM_FI_DEV_FB_USED to the metrics file of dcgm-exporter</source>
        <translation>DCGM_FI_DEV_FB_USED in die Metrikdatei von dcgm-exporter aufnehmen</translation>
    </message>
    <message>
        <source>enable the memory metrics of the exporter</source>
        <translation>die Speichermetriken des Exporters einschalten</translation>
    </message>
    <message>
        <source>undo the relabeling, or set labels.pod of &quot;%1&quot; under `exporters` in the configuration to this label</source>
        <translation>das Umbenennen rückgängig machen oder das Label als labels.pod von „%1“ unter `exporters` in der Konfiguration nennen</translation>
    </message>
    <message>
        <source>set DCGM_EXPORTER_KUBERNETES=true for dcgm-exporter, or --hpc-job-mapping-dir with Slurm</source>
        <translation>bei dcgm-exporter DCGM_EXPORTER_KUBERNETES=true setzen, mit Slurm --hpc-job-mapping-dir</translation>
    </message>
    <message>
        <source>kube-state-metrics identifies holders only where no other pod is possible; dcgm-exporter always names them</source>
        <translation>kube-state-metrics zeigt die Belegung nur dort, wo kein anderer Pod infrage kommt; dcgm-exporter nennt sie immer</translation>
    </message>
    <message>
        <source>start kube-state-metrics, or an exporter that names the pod</source>
        <translation>kube-state-metrics starten oder einen Exporter, der den Pod nennt</translation>
    </message>
    <message>
        <source>start kube-state-metrics and let this server scrape it with honor_labels: true</source>
        <translation>kube-state-metrics starten und von diesem Server mit honor_labels: true abfragen lassen</translation>
    </message>
    <message>
        <source>start kube-state-metrics with --metric-labels-allowlist=nodes=[*]</source>
        <translation>kube-state-metrics mit --metric-labels-allowlist=nodes=[*] starten</translation>
    </message>
    <message>
        <source>keep this metric in kube-state-metrics</source>
        <translation>diese Metrik in kube-state-metrics behalten</translation>
    </message>
    <message>
        <source>start kube-state-metrics with --metric-labels-allowlist=pods=[team],namespaces=[team], or the label that you use</source>
        <translation>kube-state-metrics mit --metric-labels-allowlist=pods=[team],namespaces=[team] oder dem eigenen Label starten</translation>
    </message>
    <message>
        <source>remove the rule that rescales it, or map the metric under `exporters` in the configuration with factor %1</source>
        <translation>die Umrechnung entfernen oder die Metrik unter `exporters` in der Konfiguration mit dem Faktor %1 nennen</translation>
    </message>
    <message>
        <source>responses may be incomplete until this is fixed</source>
        <translation>bis zur Behebung können Antworten unvollständig sein</translation>
    </message>
    <message>
        <source>activity at most %1 in any 5 min of the last %2, threshold %3</source>
        <translation>Aktivität höchstens %1 in jedem 5-min-Abschnitt der letzten %2, Schwelle %3</translation>
    </message>
    <message>
        <source>memory %1 held, unchanged</source>
        <translation>%1 Speicher belegt, unverändert</translation>
    </message>
    <message>
        <source>memory %1 held, changed within the window</source>
        <translation>%1 Speicher belegt, im Fenster verändert</translation>
    </message>
    <message>
        <source>power %1, resting draw %2</source>
        <translation>Leistung %1, in Ruhe %2</translation>
    </message>
    <message>
        <source>started only %1 ago</source>
        <translation>erst vor %1 gestartet</translation>
    </message>
    <message>
        <source>the device is shared and its activity is not reported per holder</source>
        <translation>das Gerät ist geteilt, und seine Aktivität wird nicht nach Nutzern unterschieden</translation>
    </message>
    <message>
        <source>no label names the holder: it is the only pod that requests this device</source>
        <translation>kein Label nennt, wer es belegt: nur dieser Pod fordert das Gerät an</translation>
    </message>
    <message>
        <source>observed %1 of the last %2, %3 is needed</source>
        <translation>%1 der letzten %2 beobachtet, %3 sind nötig</translation>
    </message>
    <message numerus="yes">
        <source>%n lines</source>
        <translation>
            <numerusform>%n Zeile</numerusform>
            <numerusform>%n Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>the column %1 is missing: its values are unknown</source>
        <translation>die Spalte %1 fehlt: ihre Werte sind unbekannt</translation>
    </message>
    <message>
        <source>%1 is empty where it never should be: %2</source>
        <translation>%1 ist leer, wo es nie leer sein sollte: %2</translation>
    </message>
    <message>
        <source>%1 can&apos;t be read, for example &quot;%2&quot;: kept as it is beside the line, otherwise unknown: %3</source>
        <translation>%1 ist nicht lesbar, zum Beispiel „%2“: unverändert neben der Zeile behalten, sonst unbekannt: %3</translation>
    </message>
    <message>
        <source>%1 has a value that FOCUS does not define, for example &quot;%2&quot;: kept as it is beside the line: %3</source>
        <translation>%1 hat ein Wort, das FOCUS nicht kennt, zum Beispiel „%2“: unverändert neben der Zeile behalten: %3</translation>
    </message>
    <message>
        <source>%1 was read despite its capitalization: %2</source>
        <translation>%1 wurde trotz abweichender Großschreibung gelesen: %2</translation>
    </message>
    <message>
        <source>a literal NULL was read as no value: %1</source>
        <translation>Ausgeschriebenes NULL wurde als kein Wert gelesen: %1</translation>
    </message>
    <message>
        <source>times without a zone were read as UTC: %1</source>
        <translation>Zeiten ohne Zone wurden als UTC gelesen: %1</translation>
    </message>
    <message>
        <source>bytes that are not UTF-8 were replaced: %1</source>
        <translation>Bytes, die kein UTF-8 sind, wurden ersetzt: %1</translation>
    </message>
    <message>
        <source>a list cost of 0 for something that costs money was treated as unknown: %1</source>
        <translation>Listenkosten von 0 für etwas, das Geld kostet, gelten als unbekannt: %1</translation>
    </message>
    <message>
        <source>a contracted cost of 0 for something that costs money was treated as unknown: %1</source>
        <translation>Vertragskosten von 0 für etwas, das Geld kostet, gelten als unbekannt: %1</translation>
    </message>
    <message>
        <source>without unit prices or SKU: %1</source>
        <translation>ohne Stückpreise oder SKU: %1</translation>
    </message>
    <message>
        <source>tags can&apos;t be read: kept as they are beside the line: %1</source>
        <translation>Tags sind nicht lesbar: unverändert neben der Zeile behalten: %1</translation>
    </message>
    <message>
        <source>tags without braces were read: %1</source>
        <translation>Tags ohne Klammern wurden gelesen: %1</translation>
    </message>
    <message>
        <source>spaces around tag keys were removed: %1</source>
        <translation>Leerzeichen um Tag-Schlüssel wurden entfernt: %1</translation>
    </message>
    <message>
        <source>&quot;user:&quot; was removed from tag keys: %1</source>
        <translation>„user:“ wurde aus Tag-Schlüsseln entfernt: %1</translation>
    </message>
    <message>
        <source>tags were built from x_Labels, x_Tags and x_ProjectLabels: %1</source>
        <translation>Tags wurden aus x_Labels, x_Tags und x_ProjectLabels gebildet: %1</translation>
    </message>
    <message>
        <source>the region was taken from its name: %1</source>
        <translation>die Region wurde aus ihrem Namen genommen: %1</translation>
    </message>
    <message>
        <source>details of the SKU were taken from x_SkuDetails: %1</source>
        <translation>Einzelheiten der SKU wurden aus x_SkuDetails genommen: %1</translation>
    </message>
    <message>
        <source>ids with varying capitalization were written in lower case: %1</source>
        <translation>Kennungen mit wechselnder Großschreibung wurden klein geschrieben: %1</translation>
    </message>
    <message>
        <source>billed with effective cost 0, and the bill&apos;s 0 was kept: %2 %1 in %3</source>
        <translation>berechnet mit effektiven Kosten 0, und die 0 der Rechnung wurde behalten: %2 %1 in %3</translation>
    </message>
    <message>
        <source>credits in x_Credits that are in neither cost, to be compared with the invoice: %2 %1 in %3</source>
        <translation>Gutschriften in x_Credits, die in keinen Kosten stehen und mit der Rechnung zu vergleichen sind: %2 %1 in %3</translation>
    </message>
    <message>
        <source>the commitment was taken from x_SubscriptionInstanceId: %1</source>
        <translation>die Verpflichtung wurde aus x_SubscriptionInstanceId genommen: %1</translation>
    </message>
    <message>
        <source>the charge period lies outside the billing period: %1</source>
        <translation>der Kostenzeitraum liegt außerhalb des Abrechnungszeitraums: %1</translation>
    </message>
    <message>
        <source>columns of FOCUS 1.3 or later were found: their values are kept beside the lines</source>
        <translation>Spalten von FOCUS 1.3 oder später gefunden: ihre Werte bleiben neben den Zeilen erhalten</translation>
    </message>
    <message>
        <source>only a header</source>
        <translation>nichts als eine Kopfzeile</translation>
    </message>
    <message>
        <source>the line has %1 columns, the header %2</source>
        <translation>die Zeile hat %1 Spalten, die Kopfzeile %2</translation>
    </message>
    <message>
        <source>there is text after a closing quote</source>
        <translation>Text geht hinter einem schließenden Anführungszeichen weiter</translation>
    </message>
    <message>
        <source>the line is longer than %1 bytes</source>
        <translation>die Zeile ist länger als %1 Bytes</translation>
    </message>
    <message>
        <source>the line has a NUL byte</source>
        <translation>die Zeile hat ein NUL-Byte</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 ist leer</translation>
    </message>
    <message>
        <source>%1 is not a time: &quot;%2&quot;</source>
        <translation>%1 ist keine Zeit: „%2“</translation>
    </message>
    <message>
        <source>the time that starts with %1 ends before it starts</source>
        <translation>die Zeit, die mit %1 beginnt, endet, bevor sie beginnt</translation>
    </message>
    <message>
        <source>%1 is not an amount: &quot;%2&quot;</source>
        <translation>%1 ist kein Betrag: „%2“</translation>
    </message>
    <message>
        <source>%1 is too large: &quot;%2&quot;</source>
        <translation>%1 ist zu groß: „%2“</translation>
    </message>
    <message>
        <source>unknown charge category &quot;%1&quot;</source>
        <translation>es gibt keine Kostenart „%1“</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a currency</source>
        <translation>„%1“ ist keine Währung</translation>
    </message>
    <message>
        <source>a different number of columns than the header</source>
        <translation>eine andere Zahl von Spalten als die Kopfzeile</translation>
    </message>
    <message>
        <source>the line is too long</source>
        <translation>die Zeile ist zu lang</translation>
    </message>
    <message>
        <source>a value that an amount requires is empty</source>
        <translation>ein Wert ist leer, ohne den kein Betrag auskommt</translation>
    </message>
    <message>
        <source>a time can&apos;t be read</source>
        <translation>eine Zeit ist nicht lesbar</translation>
    </message>
    <message>
        <source>a time ends before it starts</source>
        <translation>eine Zeit endet, bevor sie beginnt</translation>
    </message>
    <message>
        <source>an amount can&apos;t be read</source>
        <translation>ein Betrag ist nicht lesbar</translation>
    </message>
    <message>
        <source>an amount is too large</source>
        <translation>ein Betrag ist zu groß</translation>
    </message>
    <message>
        <source>an unknown charge category</source>
        <translation>eine unbekannte Kostenart</translation>
    </message>
    <message>
        <source>an unknown currency</source>
        <translation>eine unbekannte Währung</translation>
    </message>
    <message numerus="yes">
        <source>%n files</source>
        <translation>
            <numerusform>%n Datei</numerusform>
            <numerusform>%n Dateien</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rows</source>
        <translation>
            <numerusform>%n Zeile</numerusform>
            <numerusform>%n Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 with billing data</source>
        <translation>%1 mit Rechnungen</translation>
    </message>
    <message>
        <source>%1 that may still be being written</source>
        <translation>%1, die vielleicht noch geschrieben werden</translation>
    </message>
    <message>
        <source>no CSV file with billing data in %1</source>
        <translation>keine CSV-Datei mit Rechnungen in %1</translation>
    </message>
    <message>
        <source>FOCUS version %1, by its columns</source>
        <translation>FOCUS Version %1, den Spalten nach</translation>
    </message>
    <message>
        <source>%1: %2, all of them readable</source>
        <translation>%1: %2, alle lesbar</translation>
    </message>
    <message>
        <source>%1: %2, of which %3 can&apos;t be read</source>
        <translation>%1: %2, davon %3 nicht lesbar</translation>
    </message>
    <message>
        <source>put FOCUS exports there, as CSV, .csv.gz or .csv.zst, or correct the path</source>
        <translation>FOCUS-Exporte dort ablegen, als CSV, .csv.gz oder .csv.zst, oder den Pfad berichtigen</translation>
    </message>
    <message>
        <source>they are read once they are complete</source>
        <translation>sie werden gelesen, wenn sie vollständig sind</translation>
    </message>
    <message>
        <source>run sync --verbose to see their line numbers and the reasons</source>
        <translation>ihre Zeilennummern und die Gründe zeigt sync --verbose</translation>
    </message>
    <message>
        <source>%1, which comes before it, is still open</source>
        <translation>%1 liegt davor und ist noch offen</translation>
    </message>
    <message numerus="yes">
        <source>%n earlier months</source>
        <translation>
            <numerusform>%n früherer Monat</numerusform>
            <numerusform>%n frühere Monate</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and %2 are still open</source>
        <translation>%1 und %2 sind noch offen</translation>
    </message>
    <message>
        <source>nothing was fetched from %1 between %2 and %3</source>
        <translation>von %1 wurde zwischen %2 und %3 nichts abgeholt</translation>
    </message>
    <message numerus="yes">
        <source>%n more parts of the month</source>
        <translation>
            <numerusform>%n weiteren Teil des Monats</numerusform>
            <numerusform>%n weitere Teile des Monats</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing was fetched from %1 between %2 and %3, and for %4</source>
        <translation>von %1 wurde zwischen %2 und %3 nichts abgeholt, ebenso für %4</translation>
    </message>
    <message>
        <source>the month is not over</source>
        <translation>der Monat ist noch nicht zu Ende</translation>
    </message>
    <message>
        <source>nothing is stored for it</source>
        <translation>dafür ist nichts gespeichert</translation>
    </message>
    <message>
        <source>no bill covers it: everything is an estimate</source>
        <translation>keine Rechnung deckt ihn ab: alles ist geschätzt</translation>
    </message>
    <message>
        <source>the effective cost of the ledger minus that of the bills is %1, not 0</source>
        <translation>die effektiven Kosten des Hauptbuchs weichen um %1 von denen der Rechnungen ab</translation>
    </message>
    <message>
        <source>the ledger minus the bills is %1, not 0</source>
        <translation>das Hauptbuch weicht um %1 von den Rechnungen ab</translation>
    </message>
    <message>
        <source>%1 of the bills&apos; effective cost is unexplained</source>
        <translation>%1 der effektiven Kosten der Rechnungen sind unerklärt</translation>
    </message>
    <message>
        <source>%1 of the bills is unexplained</source>
        <translation>%1 der Rechnungen sind unerklärt</translation>
    </message>
    <message>
        <source>%1 is closed</source>
        <translation>%1 ist abgeschlossen</translation>
    </message>
    <message>
        <source>%1 is marked as reviewed</source>
        <translation>%1 ist als geprüft vermerkt</translation>
    </message>
    <message>
        <source>%1 is already closed; nothing was changed</source>
        <translation>%1 ist bereits abgeschlossen; nichts wurde geändert</translation>
    </message>
    <message>
        <source>%1 is already closed, since %2; nothing was changed</source>
        <translation>%1 ist bereits seit %2 abgeschlossen; nichts wurde geändert</translation>
    </message>
    <message>
        <source>%1 is already closed, since %2 by %3; nothing was changed</source>
        <translation>%1 ist bereits seit %2 durch %3 abgeschlossen; nichts wurde geändert</translation>
    </message>
    <message>
        <source>the figures of %1 have changed since they were shown; nothing was changed</source>
        <translation>die Zahlen von %1 haben sich geändert, seit sie gezeigt wurden; nichts wurde geändert</translation>
    </message>
    <message>
        <source>%1 can&apos;t be signed off</source>
        <translation>%1 kann nicht freigegeben werden</translation>
    </message>
    <message>
        <source>it assigns no GPU cost to pods that share a GPU</source>
        <translation>Pods, die sich eine GPU teilen, bekommen dort keine GPU-Kosten</translation>
    </message>
    <message>
        <source>it assigns no GPU cost to pods on MIG instances</source>
        <translation>Pods auf MIG-Instanzen bekommen dort keine GPU-Kosten</translation>
    </message>
    <message>
        <source>it assigns no GPU cost to pods on AMD GPUs</source>
        <translation>Pods auf AMD-GPUs bekommen dort keine GPU-Kosten</translation>
    </message>
    <message>
        <source>it assigns no GPU cost to pods that held GPUs</source>
        <translation>Pods, die GPUs belegten, bekommen dort keine GPU-Kosten</translation>
    </message>
    <message>
        <source>the GPU time it counts for pods differs from what they held</source>
        <translation>die GPU-Zeit, die dort für Pods gezählt wird, weicht von der belegten ab</translation>
    </message>
    <message>
        <source>its idle cost has no GPU-hours: it is cost assigned to no pod, not time that no pod held</source>
        <translation>seine Leerlaufkosten haben keine GPU-Stunden: Sie sind, was keinem Pod zugerechnet wurde, und keine Zeit, die kein Pod hatte</translation>
    </message>
    <message>
        <source>its idle cost is negative: it assigned more to pods than the nodes cost</source>
        <translation>seine Leerlaufkosten sind negativ: Pods wurde mehr zugerechnet, als die Knoten kosten</translation>
    </message>
    <message>
        <source>its node price has no part for the GPUs; the price book was used</source>
        <translation>sein Knotenpreis enthält keinen Teil für die GPUs; das Preisbuch wurde verwendet</translation>
    </message>
    <message>
        <source>it has no price for these nodes; the price book was used</source>
        <translation>er hat keinen Preis für diese Knoten; das Preisbuch wurde verwendet</translation>
    </message>
    <message>
        <source>its allocations and its assets have different prices for the same GPU time; that of the assets was used</source>
        <translation>seine Zurechnungen und seine Anlagen haben verschiedene Preise für dieselbe GPU-Zeit; der der Anlagen wurde verwendet</translation>
    </message>
    <message>
        <source>two sources price the same nodes; the first by name was used</source>
        <translation>zwei Quellen haben Preise derselben Knoten; die dem Namen nach erste wurde verwendet</translation>
    </message>
    <message>
        <source>the bill says so, and the bill was used</source>
        <translation>die Rechnung sagt es so, und die Rechnung wurde verwendet</translation>
    </message>
    <message>
        <source>telemetry never saw these nodes</source>
        <translation>die Telemetrie hat diese Knoten nie gesehen</translation>
    </message>
    <message>
        <source>the price book has a different price for the same time; the source&apos;s was used</source>
        <translation>das Preisbuch hat einen anderen Preis für dieselbe Zeit; der der Quelle wurde verwendet</translation>
    </message>
    <message>
        <source>%1 prices %2, %3 of them with GPUs</source>
        <translation>%1 hat Preise für %2, davon %3 mit GPUs</translation>
    </message>
    <message>
        <source>%1 responds, but has no prices for yesterday&apos;s nodes</source>
        <translation>%1 antwortet, hat aber für gestern keinen Preis eines Knotens</translation>
    </message>
    <message>
        <source>%1 prices %2, but reports no GPU in any of them</source>
        <translation>%1 hat Preise für %2, kennt aber in keinem eine GPU</translation>
    </message>
    <message>
        <source>%1 with GPUs, but without a price</source>
        <translation>%1 mit GPUs ohne Preis</translation>
    </message>
    <message>
        <source>it assigns GPU cost or GPU time to %1</source>
        <translation>GPU-Kosten oder GPU-Zeit bekommen: %1</translation>
    </message>
    <message>
        <source>it assigns no GPU cost to any pod</source>
        <translation>er rechnet keinem Pod GPU-Kosten zu</translation>
    </message>
    <message>
        <source>%1 has no GPU metrics: it knows what GPUs cost, not what was done with them</source>
        <translation>%1 hat keine GPU-Metriken: Was GPUs kosten, ist dort bekannt, nicht, was mit ihnen getan wurde</translation>
    </message>
    <message>
        <source>its amounts are read as %1, because its responses contain no currency; set `currency` of the source for another one</source>
        <translation>die Beträge werden als %1 gelesen, weil seine Antworten keine Währung enthalten; für eine andere `currency` der Quelle setzen</translation>
    </message>
    <message>
        <source>check that it is connected to a Prometheus server that scrapes it with honor_labels: true</source>
        <translation>prüfen, ob er mit einem Prometheus-Server verbunden ist, der ihn mit honor_labels: true abfragt</translation>
    </message>
    <message>
        <source>check that the nodes offer nvidia.com/gpu; it supports neither AMD nor MIG resources, and the price book prices such nodes</source>
        <translation>prüfen, ob die Knoten nvidia.com/gpu anbieten; er kennt weder AMD- noch MIG-Ressourcen, und solche Knoten bepreist die Preisliste</translation>
    </message>
    <message>
        <source>check its pricing of these nodes; until then, the price book is used</source>
        <translation>seine Preise dieser Knoten prüfen; bis dahin gilt die Preisliste</translation>
    </message>
    <message>
        <source>nothing is lost: telemetry shows who held a GPU, and the node&apos;s price is split accordingly</source>
        <translation>nichts geht verloren: Die Telemetrie zeigt, wer eine GPU belegte, und danach wird der Preis des Knotens aufgeteilt</translation>
    </message>
    <message>
        <source>nothing is lost: the Prometheus source provides the activity of GPUs</source>
        <translation>nichts geht verloren: Die Aktivität der GPUs liefert die Prometheus-Quelle</translation>
    </message>
    <message>
        <source>it is the same object</source>
        <translation>es ist dasselbe Objekt</translation>
    </message>
    <message>
        <source>still owned by the same team</source>
        <translation>gehört noch demselben Team</translation>
    </message>
    <message>
        <source>it is not protected</source>
        <translation>es ist nicht geschützt</translation>
    </message>
    <message>
        <source>its kind can be stopped</source>
        <translation>seine Art kann gestoppt werden</translation>
    </message>
    <message>
        <source>the platform allows it</source>
        <translation>die Plattform erlaubt es</translation>
    </message>
    <message>
        <source>the platform&apos;s dry run passed</source>
        <translation>der Probelauf der Plattform gelang</translation>
    </message>
    <message>
        <source>nothing is being written</source>
        <translation>es wird nichts geschrieben</translation>
    </message>
    <message>
        <source>the clock is steady</source>
        <translation>die Uhr geht gleichmäßig</translation>
    </message>
    <message>
        <source>%1 is active again</source>
        <translation>%1 ist wieder aktiv</translation>
    </message>
    <message>
        <source>too little was seen of %1 to call it idle</source>
        <translation>von %1 wurde zu wenig gesehen, um es untätig zu nennen</translation>
    </message>
    <message>
        <source>there is no recent sample of %1</source>
        <translation>es gibt keinen neuen Messwert von %1</translation>
    </message>
    <message>
        <source>it writes %1 bytes a second: a checkpoint may be under way</source>
        <translation>es schreibt %1 Bytes in der Sekunde: vielleicht gerade einen Checkpoint</translation>
    </message>
    <message>
        <source>not known: no source reports what it writes</source>
        <translation>nicht bekannt: keine Quelle sagt, was es schreibt</translation>
    </message>
    <message>
        <source>the clock jumped by %1 s: wait for two fresh samples</source>
        <translation>die Uhr sprang um %1 s: zwei neue Messwerte abwarten</translation>
    </message>
    <message>
        <source>it no longer exists</source>
        <translation>es existiert nicht mehr</translation>
    </message>
    <message>
        <source>another object has its name now</source>
        <translation>ein anderes Objekt hat inzwischen seinen Namen</translation>
    </message>
    <message>
        <source>someone changed it in the meantime: it is now %1</source>
        <translation>jemand hat es inzwischen geändert: es ist jetzt %1</translation>
    </message>
    <message>
        <source>it can&apos;t be stopped: %1</source>
        <translation>es kann nicht gestoppt werden: %1</translation>
    </message>
    <message>
        <source>no source reaches cluster %1 to stop anything there</source>
        <translation>keine Quelle erreicht den Cluster %1, um dort etwas zu stoppen</translation>
    </message>
    <message>
        <source>the rights of source %1 do not include &quot;stop&quot;</source>
        <translation>die Rechte der Quelle %1 enthalten nicht „stop“</translation>
    </message>
    <message>
        <source>you lack a permission there: %1</source>
        <translation>Ihnen fehlt dort ein Recht: %1</translation>
    </message>
    <message>
        <source>the platform&apos;s dry run refused it: %1</source>
        <translation>der Probelauf der Plattform lehnte es ab: %1</translation>
    </message>
    <message>
        <source>a dry run is not possible there: %1</source>
        <translation>ein Probelauf ist dort nicht möglich: %1</translation>
    </message>
    <message>
        <source>it can&apos;t be queried: %1</source>
        <translation>es kann nicht abgefragt werden: %1</translation>
    </message>
    <message>
        <source>action %1 on it is not settled yet</source>
        <translation>Aktion %1 daran ist noch nicht geklärt</translation>
    </message>
    <message>
        <source>Same object</source>
        <translation>Selbes Objekt</translation>
    </message>
    <message>
        <source>Still idle</source>
        <translation>Noch untätig</translation>
    </message>
    <message>
        <source>Same owner</source>
        <translation>Selber Eigentümer</translation>
    </message>
    <message>
        <source>Not protected</source>
        <translation>Nicht geschützt</translation>
    </message>
    <message>
        <source>Can be stopped</source>
        <translation>Stoppbar</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>Erlaubt</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>Probelauf</translation>
    </message>
    <message>
        <source>Writes nothing</source>
        <translation>Schreibt nichts</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>not checked</source>
        <translation>nicht geprüft</translation>
    </message>
    <message>
        <source>it belongs to %1 as well</source>
        <translation>es gehört auch %1</translation>
    </message>
    <message>
        <source>protected by the configuration: %1</source>
        <translation>durch die Konfiguration geschützt: %1</translation>
    </message>
    <message>
        <source>protected by a label of %1</source>
        <translation>geschützt durch ein Label von %1</translation>
    </message>
    <message>
        <source>someone asked to keep it: %1</source>
        <translation>jemand bat, es zu behalten: %1</translation>
    </message>
    <message>
        <source>what its processes hold in memory</source>
        <translation>was seine Prozesse im Speicher halten</translation>
    </message>
    <message>
        <source>progress since the last checkpoint</source>
        <translation>Fortschritt seit dem letzten Checkpoint</translation>
    </message>
    <message>
        <source>files on the machine&apos;s own disk</source>
        <translation>Dateien auf der Platte der Maschine</translation>
    </message>
    <message>
        <source>its place in the queue: it is queued again and may wait</source>
        <translation>sein Platz in der Warteschlange: es wird neu eingereiht und wartet vielleicht</translation>
    </message>
    <message>
        <source>its endpoint: requests go unanswered meanwhile</source>
        <translation>sein Endpunkt: Anfragen bleiben solange unbeantwortet</translation>
    </message>
    <message>
        <source>its capacity: a start may fail where the cloud has none</source>
        <translation>seine Kapazität: ein Start kann scheitern, wenn die Cloud keine hat</translation>
    </message>
    <message>
        <source>the object itself</source>
        <translation>das Objekt selbst</translation>
    </message>
    <message>
        <source>an autoscaler is inactive while it is at 0: %1</source>
        <translation>ein Autoscaler ruht, solange es bei 0 ist: %1</translation>
    </message>
    <message>
        <source>KEDA would scale it back: %1</source>
        <translation>KEDA würde es wieder hochskalieren: %1</translation>
    </message>
    <message>
        <source>it may be reset by %1</source>
        <translation>es wird vielleicht zurückgesetzt von %1</translation>
    </message>
    <message>
        <source>it is stopped through its queue: %1</source>
        <translation>es wird über seine Warteschlange gestoppt: %1</translation>
    </message>
    <message>
        <source>a disruption budget wants it to stay up: %1</source>
        <translation>ein Disruption Budget will, dass es läuft: %1</translation>
    </message>
    <message>
        <source>a schedule starts the next run: %1</source>
        <translation>ein Zeitplan startet den nächsten Lauf: %1</translation>
    </message>
    <message>
        <source>the platform can&apos;t guard the call: %1</source>
        <translation>die Plattform kann den Aufruf nicht absichern: %1</translation>
    </message>
    <message>
        <source>still billed: %1</source>
        <translation>weiter berechnet: %1</translation>
    </message>
    <message>
        <source>note: %1</source>
        <translation>Hinweis: %1</translation>
    </message>
    <message>
        <source>proposed</source>
        <translation>vorgeschlagen</translation>
    </message>
    <message>
        <source>checked</source>
        <translation>geprüft</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>bestätigt</translation>
    </message>
    <message>
        <source>under way</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>done, being verified</source>
        <translation>getan, wird nachgeprüft</translation>
    </message>
    <message>
        <source>verified</source>
        <translation>nachgeprüft</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>noch nicht bekannt</translation>
    </message>
    <message>
        <source>undone</source>
        <translation>rückgängig gemacht</translation>
    </message>
    <message>
        <source>deletes it</source>
        <translation>löscht es</translation>
    </message>
    <message>
        <source>asks its controller to stop it (%1)</source>
        <translation>bittet seinen Controller, es zu stoppen (%1)</translation>
    </message>
    <message>
        <source>sets %1 from %2 to %3</source>
        <translation>setzt %1 von %2 auf %3</translation>
    </message>
    <message>
        <source>can&apos;t be brought back</source>
        <translation>kann nicht zurückgeholt werden</translation>
    </message>
    <message>
        <source>only by recreating it from what was saved</source>
        <translation>nur, indem es aus dem Gespeicherten neu angelegt wird</translation>
    </message>
    <message>
        <source>removes the mark; it starts again</source>
        <translation>entfernt die Markierung; es startet wieder</translation>
    </message>
    <message>
        <source>sets %1 back to %2</source>
        <translation>setzt %1 zurück auf %2</translation>
    </message>
    <message>
        <source>That is more than %1 at once.</source>
        <translation>Das sind mehr als %1 auf einmal.</translation>
    </message>
    <message>
        <source>That is %1 of the GPUs that %2 holds now.</source>
        <translation>Das sind %1 der GPUs, die %2 jetzt hält.</translation>
    </message>
    <message>
        <source>snoozed</source>
        <translation>zurückgestellt</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>protected</source>
        <translation>geschützt</translation>
    </message>
    <message>
        <source>stopped unless someone objects</source>
        <translation>gestoppt, wenn niemand widerspricht</translation>
    </message>
    <message>
        <source>nothing is loaded: it holds at most %1 on each device</source>
        <translation>nichts ist geladen: es belegt höchstens %1 auf jedem Gerät</translation>
    </message>
    <message>
        <source>memory is in use but the GPU does no work</source>
        <translation>Speicher ist belegt, aber die GPU arbeitet nicht</translation>
    </message>
    <message>
        <source>it does little work, and its memory would fit into the smallest slice of a device</source>
        <translation>es arbeitet ein wenig, und sein Speicher passte in die kleinste MIG-Instanz eines Geräts</translation>
    </message>
    <message>
        <source>the reason is not known: its memory is not reported</source>
        <translation>der Grund ist nicht bekannt: sein Speicher wird nicht gemeldet</translation>
    </message>
    <message>
        <source>its cost ends when its machine is given back</source>
        <translation>seine Kosten enden, wenn seine Maschine zurückgegeben wird</translation>
    </message>
    <message>
        <source>stopping saves nothing until the commitment or reservation that pays for its machine ends; the bill does not say when</source>
        <translation>Stoppen spart nichts, bis die Zusage oder Reservierung endet, die seine Maschine bezahlt; die Rechnung sagt nicht, wann</translation>
    </message>
    <message>
        <source>stopping saves nothing: the machine is owned; it only frees it for others</source>
        <translation>Stoppen spart nichts: die Maschine ist Eigentum; es macht sie nur für andere frei</translation>
    </message>
    <message>
        <source>whether stopping saves anything is not known</source>
        <translation>ob Stoppen etwas spart, ist nicht bekannt</translation>
    </message>
    <message>
        <source>someone objected: the mark of %1 was withdrawn</source>
        <translation>jemand hat widersprochen: Die Vormerkung von %1 wurde zurückgenommen</translation>
    </message>
    <message>
        <source>not stopped: %1</source>
        <translation>nicht gestoppt: %1</translation>
    </message>
    <message>
        <source>not stopped: it has been active since it was marked</source>
        <translation>nicht gestoppt: Es war seit der Vormerkung aktiv</translation>
    </message>
    <message>
        <source>not stopped: it is no longer in the idle list</source>
        <translation>nicht gestoppt: Es steht nicht mehr in der Leerlaufliste</translation>
    </message>
    <message>
        <source>stopped by action %1</source>
        <translation>gestoppt durch Aktion %1</translation>
    </message>
    <message>
        <source>someone stopped it before, by action %1</source>
        <translation>jemand hat es vorher gestoppt, durch Aktion %1</translation>
    </message>
    <message>
        <source>action %1 failed: %2</source>
        <translation>Aktion %1 ist fehlgeschlagen: %2</translation>
    </message>
    <message>
        <source>not stopped by action %1: %2</source>
        <translation>durch Aktion %1 nicht gestoppt: %2</translation>
    </message>
    <message>
        <source>not stopped: %1 holds GPUs through the same object and is not marked</source>
        <translation>nicht gestoppt: %1 hält GPUs über dasselbe Objekt und ist nicht vorgemerkt</translation>
    </message>
    <message>
        <source>not stopped: with everything else due, it exceeds the limits of one stop</source>
        <translation>nicht gestoppt: Mit allem, was fällig ist, überschreitet es die Grenzen eines Stoppens</translation>
    </message>
    <message>
        <source>not stopped: it can&apos;t be brought back</source>
        <translation>nicht gestoppt: Es lässt sich nicht zurückholen</translation>
    </message>
    <message>
        <source>not stopped: for six hours it could not be checked: %1</source>
        <translation>nicht gestoppt: Sechs Stunden lang ließ es sich nicht prüfen: %1</translation>
    </message>
    <message>
        <source>%1 in %2 (GPUs: %3) has been idle since %4.</source>
        <translation>%1 in %2 (GPUs: %3) ist seit %4 im Leerlauf.</translation>
    </message>
    <message>
        <source>It will be stopped after %1 unless someone objects or it becomes active again.</source>
        <translation>Es wird nach %1 gestoppt, wenn niemand widerspricht und es nicht wieder aktiv wird.</translation>
    </message>
    <message>
        <source>Requested by %1.</source>
        <translation>Gewünscht von %1.</translation>
    </message>
    <message>
        <source>Requested by %1: %2</source>
        <translation>Gewünscht von %1: %2</translation>
    </message>
    <message>
        <source>To object: set its label or tag gpu-ledger.io/protect to true.</source>
        <translation>Zum Widersprechen: Label oder Tag gpu-ledger.io/protect auf true setzen.</translation>
    </message>
    <message>
        <source>To object: %1</source>
        <translation>Zum Widersprechen: %1</translation>
    </message>
    <message>
        <source>Or ask %1 to withdraw mark %2 (gpuledger-cli act release).</source>
        <translation>Oder %1 bitten, Vormerkung %2 zurückzunehmen (gpuledger-cli act release).</translation>
    </message>
    <message>
        <source>its notice starts again: the computer&apos;s clock jumped</source>
        <translation>seine Frist beginnt neu: Die Uhr des Rechners ist gesprungen</translation>
    </message>
    <message>
        <source>its notice starts again: no watch was running meanwhile</source>
        <translation>seine Frist beginnt neu: Unterdessen lief kein „watch“</translation>
    </message>
    <message>
        <source>it will be tried again: %1</source>
        <translation>es wird wieder versucht: %1</translation>
    </message>
    <message>
        <source>held by idle workloads</source>
        <translation>im Leerlauf gehalten</translation>
    </message>
    <message>
        <source>no quota left</source>
        <translation>kein Kontingent mehr</translation>
    </message>
    <message>
        <source>node is tainted or cordoned</source>
        <translation>Taint oder Sperre am Knoten</translation>
    </message>
    <message>
        <source>no CPU left on the node</source>
        <translation>keine CPU mehr</translation>
    </message>
    <message>
        <source>no memory left on the node</source>
        <translation>kein Speicher mehr</translation>
    </message>
    <message>
        <source>held by protected workloads</source>
        <translation>geschützt gehalten</translation>
    </message>
    <message>
        <source>not enough on one node</source>
        <translation>nicht genug auf einem Knoten</translation>
    </message>
    <message>
        <source>MIG slices of another size</source>
        <translation>MIG-Slices anderer Größe</translation>
    </message>
    <message>
        <source>another kind of GPU or node</source>
        <translation>andere Art von GPU oder Knoten</translation>
    </message>
    <message>
        <source>nothing idle would help</source>
        <translation>nichts im Leerlauf würde helfen</translation>
    </message>
    <message>
        <source>no known blocker</source>
        <translation>kein bekanntes Hindernis</translation>
    </message>
    <message>
        <source>size not reported</source>
        <translation>Größe nicht gemeldet</translation>
    </message>
    <message>
        <source>stopping %1 on node %2 makes room for it</source>
        <translation>%1 auf Knoten %2 zu stoppen schafft Platz dafür</translation>
    </message>
    <message>
        <source>queue %1 has no quota left</source>
        <translation>Warteschlange %1 hat kein Kontingent mehr</translation>
    </message>
    <message>
        <source>node %1 has idle GPUs, but it is cordoned or has a taint that the job does not tolerate</source>
        <translation>Knoten %1 hat GPUs im Leerlauf, ist aber gesperrt oder hat einen Taint, den der Job nicht duldet</translation>
    </message>
    <message>
        <source>node %1 has idle GPUs, but not the %2 CPU cores asked for</source>
        <translation>Knoten %1 hat GPUs im Leerlauf, aber nicht die verlangten %2 CPU-Kerne</translation>
    </message>
    <message>
        <source>node %1 has idle GPUs, but not the %2 of memory asked for</source>
        <translation>Knoten %1 hat GPUs im Leerlauf, aber nicht die verlangten %2 Speicher</translation>
    </message>
    <message>
        <source>%1 on node %2 is idle, and protected</source>
        <translation>%1 auf Knoten %2 ist im Leerlauf und geschützt</translation>
    </message>
    <message>
        <source>enough GPUs are idle, but not on one node; %1 comes closest</source>
        <translation>genug GPUs sind im Leerlauf, aber nicht auf einem Knoten; %1 kommt am nächsten</translation>
    </message>
    <message>
        <source>idle on node %1 are MIG slices of another size</source>
        <translation>im Leerlauf sind auf Knoten %1 MIG-Slices anderer Größe</translation>
    </message>
    <message>
        <source>what is idle on node %1 is not of the requested kind</source>
        <translation>was auf Knoten %1 im Leerlauf ist, ist nicht von der verlangten Art</translation>
    </message>
    <message>
        <source>no idle GPU of its cluster would help</source>
        <translation>keine GPU im Leerlauf seines Clusters würde helfen</translation>
    </message>
    <message>
        <source>node %1 has free GPUs for it; nothing known blocks it</source>
        <translation>Knoten %1 hat freie GPUs dafür; nichts Bekanntes steht im Weg</translation>
    </message>
    <message>
        <source>no metric reports how many GPUs it needs</source>
        <translation>keine Metrik meldet, wie viele GPUs er braucht</translation>
    </message>
    <message>
        <source>node selectors and taints were not considered</source>
        <translation>Node-Selektoren und Taints wurden nicht berücksichtigt</translation>
    </message>
    <message>
        <source>taints were not considered</source>
        <translation>Taints wurden nicht berücksichtigt</translation>
    </message>
    <message>
        <source>node selectors were not considered</source>
        <translation>Node-Selektoren wurden nicht berücksichtigt</translation>
    </message>
    <message>
        <source>CPU and memory were not considered</source>
        <translation>CPU und Speicher wurden nicht berücksichtigt</translation>
    </message>
    <message>
        <source>its other kinds of GPU were not considered</source>
        <translation>seine weiteren Arten von GPU wurden nicht berücksichtigt</translation>
    </message>
    <message>
        <source>%1 did not report waiting jobs: %2</source>
        <translation>%1 hat wartende Jobs nicht gemeldet: %2</translation>
    </message>
    <message>
        <source>%1 can&apos;t report waiting jobs: it lacks %2</source>
        <translation>%1 kann wartende Jobs nicht melden: es fehlt %2</translation>
    </message>
    <message>
        <source>%1 would report more with %2</source>
        <translation>%1 würde mit %2 mehr melden</translation>
    </message>
    <message>
        <source>%1 responds and accepts the credentials</source>
        <translation>%1 antwortet und nimmt die Zugangsdaten an</translation>
    </message>
    <message>
        <source>may %1</source>
        <translation>darf %1</translation>
    </message>
    <message>
        <source>may not %1</source>
        <translation>darf nicht %1</translation>
    </message>
    <message>
        <source>machines can be read; permission to stop one is checked when it is selected</source>
        <translation>Maschinen können gelesen werden; ob eine gestoppt werden darf, wird bei ihrer Auswahl geprüft</translation>
    </message>
    <message>
        <source>the configuration does not allow stopping anything here</source>
        <translation>die Konfiguration erlaubt hier kein Stoppen</translation>
    </message>
    <message>
        <source>grant it, or grant it in the namespaces where workloads may be stopped; each plan checks this</source>
        <translation>dieses Recht geben, oder es in den Namespaces geben, in denen Workloads gestoppt werden dürfen; jeder Plan prüft das</translation>
    </message>
    <message>
        <source>add stop to the rights of the source</source>
        <translation>stop zu den Rechten der Quelle hinzufügen</translation>
    </message>
    <message>
        <source>gone, or another one has its name</source>
        <translation>weg, oder ein anderes hat seinen Namen</translation>
    </message>
    <message>
        <source>it runs: %1 is %2</source>
        <translation>es läuft: %1 ist %2</translation>
    </message>
    <message>
        <source>stopped; not marked by whom</source>
        <translation>gestoppt; von wem, ist dort nicht vermerkt</translation>
    </message>
    <message>
        <source>stopped by action %1, of %2</source>
        <translation>gestoppt durch Aktion %1, von %2</translation>
    </message>
    <message>
        <source>stopped by %1, not from here</source>
        <translation>gestoppt von %1, nicht von hier aus</translation>
    </message>
    <message>
        <source>enough GPUs are idle, but not so that each of its pods fits on a node; %1 comes closest</source>
        <translation>genug GPUs sind im Leerlauf, aber nicht so, dass jeder seiner Pods auf einen Knoten passt; %1 kommt am nächsten</translation>
    </message>
    <message>
        <source>the statement of %1 for %2 is marked as reviewed</source>
        <translation>die Abrechnung von %1 für %2 ist als geprüft vermerkt</translation>
    </message>
    <message>
        <source>its cost ends when it is stopped</source>
        <translation>ihre Kosten enden, sobald sie gestoppt ist</translation>
    </message>
    <message>
        <source>it is ambiguous: %1 have one of its name</source>
        <translation>es ist mehrdeutig: %1 haben eines dieses Namens</translation>
    </message>
    <message>
        <source>still idle, by samples of %1</source>
        <translation>noch immer untätig, nach Messwerten von %1</translation>
    </message>
    <message>
        <source>still idle</source>
        <translation>noch immer untätig</translation>
    </message>
    <message>
        <source>%1 served a request at %2</source>
        <translation>%1 hat um %2 eine Anfrage bedient</translation>
    </message>
    <message>
        <source>%1 is active again: %2 at %3</source>
        <translation>%1 ist wieder aktiv: %2 um %3</translation>
    </message>
    <message>
        <source>the newest sample of %1 is too old: %2</source>
        <translation>der neueste Messwert von %1 ist zu alt: %2</translation>
    </message>
    <message>
        <source>it is managed by %1, which may start it again: it is stopped only when that is named (act stop --despite)</source>
        <translation>es wird von %1 verwaltet und könnte von dort wieder gestartet werden: gestoppt wird es nur, wenn das ausdrücklich genannt wird (act stop --despite)</translation>
    </message>
    <message>
        <source>it can&apos;t be brought back, and the configuration does not permit that (actions: { irreversible: typed_name }): %1</source>
        <translation>es lässt sich nicht zurückholen, und die Konfiguration erlaubt das nicht (actions: { irreversible: typed_name }): %1</translation>
    </message>
    <message>
        <source>protected by an annotation of %1</source>
        <translation>durch eine Annotation von %1 geschützt</translation>
    </message>
    <message>
        <source>protected by a tag of %1</source>
        <translation>durch ein Tag von %1 geschützt</translation>
    </message>
    <message>
        <source>starts it again, if the cloud has room; what was on its own disks is gone</source>
        <translation>startet die Maschine wieder, wenn die Cloud Platz hat; was auf ihren eigenen Platten lag, ist weg</translation>
    </message>
    <message>
        <source>it now has less data for %1 than before; the earlier data was kept</source>
        <translation>er hat jetzt weniger Daten für %1 als zuvor; die früheren wurden behalten</translation>
    </message>
    <message>
        <source>check whether it lost data; if it did not: sync --source %1 --accept-gone</source>
        <translation>prüfen, ob er Daten verloren hat; wenn nicht: sync --source %1 --accept-gone</translation>
    </message>
    <message>
        <source>the month is not over by this computer&apos;s clock, which says %1</source>
        <translation>der Monat ist nach der Uhr dieses Rechners noch nicht vorbei; sie zeigt %1</translation>
    </message>
    <message>
        <source>closed months: %1; reviews: %2; entries of the log: %3; actions: %4; holds and marks: %5</source>
        <translation>abgeschlossene Monate: %1; Prüfungen: %2; Einträge im Protokoll: %3; Aktionen: %4; Schonfristen und Vormerkungen: %5</translation>
    </message>
    <message>
        <source>The cache was damaged. The damage was repaired and nothing is missing; the damaged file is kept as %1.</source>
        <translation>Der Cache war beschädigt. Der Schaden wurde behoben, es fehlt nichts; die beschädigte Datei liegt als %1 bereit.</translation>
    </message>
    <message>
        <source>The cache was damaged and is kept as %1. It can&apos;t be read: closed months, the log and actions that it held are missing here, and everything else has to be fetched again.</source>
        <translation>Der Cache war beschädigt und liegt als %1 bereit. Er ist nicht lesbar: Abgeschlossene Monate, das Protokoll und Aktionen, die darin standen, fehlen hier; alles andere muss neu abgerufen werden.</translation>
    </message>
    <message>
        <source>The cache was damaged and is kept as %1. It held nothing that people signed off or did; everything else has to be fetched again.</source>
        <translation>Der Cache war beschädigt und liegt als %1 bereit. Er enthielt nichts, was jemand freigegeben oder getan hat; alles andere muss neu abgerufen werden.</translation>
    </message>
    <message>
        <source>The cache was damaged and is kept as %1. What people signed off and did was carried over (%2); everything else has to be fetched again.</source>
        <translation>Der Cache war beschädigt und liegt als %1 bereit. Was freigegeben und getan wurde, ist übernommen (%2); alles andere muss neu abgerufen werden.</translation>
    </message>
    <message>
        <source>The cache was damaged and is kept as %1. What people signed off and did is missing here (as far as it can be read: %2), and everything else has to be fetched again.</source>
        <translation>Der Cache war beschädigt und liegt als %1 bereit. Was freigegeben und getan wurde, fehlt hier (soweit lesbar: %2); alles andere muss neu abgerufen werden.</translation>
    </message>
    <message>
        <source>The cache was damaged and is kept as %1. What people signed off and did is missing here (%2), and everything else has to be fetched again.</source>
        <translation>Der Cache war beschädigt und liegt als %1 bereit. Was freigegeben und getan wurde, fehlt hier (%2); alles andere muss neu abgerufen werden.</translation>
    </message>
    <message>
        <source>%1 is not in the idle list: only what is idle is stopped</source>
        <translation>%1 steht nicht in der Leerlaufliste: Nur was untätig ist, wird angehalten</translation>
    </message>
    <message>
        <source>not allowed: %1</source>
        <translation>nicht erlaubt: %1</translation>
    </message>
    <message>
        <source>the configuration does not let source %1 change anything</source>
        <translation>die Konfiguration lässt Quelle %1 nichts ändern</translation>
    </message>
    <message>
        <source>%1 is now %2; it was %3 before the stop and nothing was changed</source>
        <translation>%1 ist inzwischen %2; vor dem Stopp war es %3, und nichts wurde geändert</translation>
    </message>
    <message>
        <source>someone else has stopped it since: %1</source>
        <translation>seither hat es jemand anders gestoppt: %1</translation>
    </message>
    <message>
        <source>someone else has changed it since: it no longer carries the mark of this stop; nothing was changed</source>
        <translation>seither hat es jemand anders geändert: Es trägt keine Markierung dieses Stopps mehr; nichts wurde geändert</translation>
    </message>
    <message>
        <source>it is still there; nothing was changed</source>
        <translation>es ist noch da; nichts wurde geändert</translation>
    </message>
    <message>
        <source>the object is gone, or another one has its name now</source>
        <translation>das Objekt ist weg, oder ein anderes trägt inzwischen seinen Namen</translation>
    </message>
    <message>
        <source>it was stopped again by action %1; bring that one back</source>
        <translation>es wurde durch Aktion %1 noch einmal gestoppt; holen Sie jene zurück</translation>
    </message>
    <message>
        <source>someone reset %1 to %2</source>
        <translation>jemand hat %1 auf %2 zurückgesetzt</translation>
    </message>
    <message>
        <source>it was brought back, but %1 is now %2; it was %3 before the stop</source>
        <translation>es wurde zurückgeholt, aber %1 ist inzwischen %2; vor dem Stopp war es %3</translation>
    </message>
    <message>
        <source>the object is gone</source>
        <translation>das Objekt ist weg</translation>
    </message>
    <message>
        <source>it was done, but these still hold GPUs: %1</source>
        <translation>es wurde ausgeführt, aber diese belegen noch GPUs: %1</translation>
    </message>
    <message>
        <source>it was done, but %1 is still %2</source>
        <translation>es wurde ausgeführt, aber %1 ist noch immer %2</translation>
    </message>
    <message>
        <source>it was done, but did not take effect</source>
        <translation>es wurde ausgeführt, blieb aber ohne Wirkung</translation>
    </message>
    <message>
        <source>brought back by action %1</source>
        <translation>zurückgeholt durch Aktion %1</translation>
    </message>
    <message>
        <source>the answer was lost: %1</source>
        <translation>die Antwort ging verloren: %1</translation>
    </message>
    <message>
        <source>the program ended before the answer was written down</source>
        <translation>das Programm endete, bevor die Antwort aufgeschrieben war</translation>
    </message>
    <message>
        <source>it is gone, as requested</source>
        <translation>es ist weg, wie verlangt</translation>
    </message>
    <message>
        <source>the object is gone; it is not known whether this caused it</source>
        <translation>das Objekt ist weg; ob dadurch, ist nicht bekannt</translation>
    </message>
    <message>
        <source>the platform confirms: it was done</source>
        <translation>laut Plattform: Es wurde ausgeführt</translation>
    </message>
    <message>
        <source>the platform confirms: it is there again</source>
        <translation>laut Plattform: Es ist wieder da</translation>
    </message>
    <message>
        <source>it was not done: %1 is %2; it is not repeated automatically</source>
        <translation>es wurde nicht ausgeführt: %1 ist %2; es wird nicht automatisch wiederholt</translation>
    </message>
    <message>
        <source>it is not there: it was not recreated, or has ended; it is not repeated automatically</source>
        <translation>es ist nicht da: Es wurde nicht neu angelegt oder ist zu Ende; es wird nicht automatisch wiederholt</translation>
    </message>
    <message>
        <source>someone else stopped it</source>
        <translation>jemand anders hat es gestoppt</translation>
    </message>
    <message>
        <source>someone else stopped it: %1</source>
        <translation>jemand anders hat es gestoppt: %1</translation>
    </message>
    <message>
        <source>halted by the user; nothing was done</source>
        <translation>vom Benutzer angehalten; nichts wurde ausgeführt</translation>
    </message>
    <message>
        <source>halted, because another of these failed; nothing was done</source>
        <translation>angehalten, weil ein anderes davon fehlschlug; nichts wurde ausgeführt</translation>
    </message>
    <message>
        <source>the platform refused it, nothing was done: %1</source>
        <translation>die Plattform hat es abgelehnt, nichts wurde ausgeführt: %1</translation>
    </message>
    <message>
        <source>it changed between the checks and the call, nothing was done: %1</source>
        <translation>es hat sich zwischen den Prüfungen und dem Aufruf geändert, nichts wurde ausgeführt: %1</translation>
    </message>
    <message>
        <source>the platform asked to try later, nothing was done: %1</source>
        <translation>die Plattform bat darum, es später zu versuchen, nichts wurde ausgeführt: %1</translation>
    </message>
    <message>
        <source>the program ended before sending its call; nothing was done</source>
        <translation>das Programm endete, bevor sein Aufruf abging; nichts wurde ausgeführt</translation>
    </message>
    <message>
        <source>its price of the whole node is no more than that of one vCPU of it; the price book was used</source>
        <translation>sein Preis des ganzen Knotens ist nicht höher als der einer seiner vCPUs; das Preisbuch wurde verwendet</translation>
    </message>
    <message>
        <source>it has no price for the GPUs of these nodes</source>
        <translation>er hat keinen Preis für die GPUs dieser Knoten</translation>
    </message>
    <message>
        <source>It costs %1 a month.</source>
        <translation>Es kostet %1 im Monat.</translation>
    </message>
    <message>
        <source>Please stop it if it is no longer needed.</source>
        <translation>Bitte stoppen, wenn es nicht mehr gebraucht wird.</translation>
    </message>
    <message>
        <source>To keep it: set its label or tag gpu-ledger.io/protect to true.</source>
        <translation>Um es zu behalten: Label oder Tag gpu-ledger.io/protect auf true setzen.</translation>
    </message>
    <message>
        <source>To keep it: %1</source>
        <translation>Um es zu behalten: %1</translation>
    </message>
    <message>
        <source>%1 works on some of its GPUs: only what is idle on all of them is stopped</source>
        <translation>%1 arbeitet auf einem Teil seiner GPUs: Angehalten wird nur, was auf allen untätig ist</translation>
    </message>
    <message>
        <source>it waits for input while the GPU does no work: %1</source>
        <translation>es wartet auf Eingabedaten, während die GPU nicht arbeitet: %1</translation>
    </message>
    <message>
        <source>it waits for input while the GPU does no work</source>
        <translation>es wartet auf Eingabedaten, während die GPU nicht arbeitet</translation>
    </message>
    <message>
        <source>only a part of its cost ends when it is stopped: others work on one of its machines</source>
        <translation>nur ein Teil der Kosten endet, wenn es angehalten wird: Andere arbeiten auf einer seiner Maschinen</translation>
    </message>
    <message>
        <source>stopping saves nothing now: others use the same GPU, whose machine stays for them</source>
        <translation>Anhalten spart jetzt nichts: Andere nutzen dieselbe GPU, deren Maschine für sie bleibt</translation>
    </message>
    <message>
        <source>stopping saves nothing now: its machine stays for others that work on it</source>
        <translation>Anhalten spart jetzt nichts: Die Maschine bleibt für andere, die darauf arbeiten</translation>
    </message>
    <message>
        <source>its cost ends only when what else is idle on its machine is stopped too</source>
        <translation>die Kosten enden erst, wenn auch alles andere Untätige auf der Maschine angehalten wird</translation>
    </message>
    <message>
        <source>%1 MB/s moved over PCIe (busy at %2 MB/s or more)</source>
        <translation>%1 MB/s über PCIe übertragen, ausgelastet ab %2 MB/s</translation>
    </message>
    <message>
        <source>%1 MB/s moved over NVLink (busy at %2 MB/s or more)</source>
        <translation>%1 MB/s über NVLink übertragen, ausgelastet ab %2 MB/s</translation>
    </message>
    <message>
        <source>GPU memory read or written %1 of the time (%2 or more is high)</source>
        <translation>GPU-Speicher %1 der Zeit gelesen oder geschrieben, viel ab %2</translation>
    </message>
    <message>
        <source>CPUs of its host %1 busy (%2 or more is high)</source>
        <translation>CPUs seines Rechners zu %1 ausgelastet, viel ab %2</translation>
    </message>
    <message>
        <source>CPUs of its host waited %1 of the time for input or output (%2 or more is high)</source>
        <translation>CPUs seines Rechners warteten %1 der Zeit auf Ein- oder Ausgabe, viel ab %2</translation>
    </message>
    <message>
        <source>processes on its host waited %1 of the time for storage (%2 or more is high)</source>
        <translation>Prozesse auf seinem Rechner warteten %1 der Zeit auf Speichermedien, viel ab %2</translation>
    </message>
    <message>
        <source>about %1 requests served in the last %2</source>
        <translation>etwa %1 Anfragen in den letzten %2 bedient</translation>
    </message>
    <message>
        <source>no request in the last %1</source>
        <translation>keine Anfrage in den letzten %1</translation>
    </message>
    <message>
        <source>not stopped: the alert has resolved</source>
        <translation>nicht gestoppt: Der Alarm ist erledigt</translation>
    </message>
    <message>
        <source>not final, and may still change: %1</source>
        <translation>noch nicht endgültig, kann sich noch ändern: %1</translation>
    </message>
    <message>
        <source>the parts do not add up to the total, and the difference was booked as an adjustment: %1</source>
        <translation>die Teile ergeben nicht die Summe, und der Unterschied wurde als Anpassung gebucht: %1</translation>
    </message>
    <message>
        <source>may not %1: nothing of the bill is shown until it is allowed; the handbook has the policy, and in a member account the management account must also allow it</source>
        <translation>darf nicht: %1; bis das erlaubt ist, wird nichts von der Rechnung angezeigt. Die Richtlinie steht im Handbuch; bei einem Mitgliedskonto muss es auch das Verwaltungskonto erlauben</translation>
    </message>
    <message>
        <source>the provider charges for requests: %1 for this test, at least %2 for the first sync, %3 for each later one that asks again, and about %4 a month</source>
        <translation>der Anbieter berechnet Anfragen: %1 für diesen Test, mindestens %2 für die erste Synchronisierung, %3 für jede spätere, die erneut fragt, und etwa %4 im Monat</translation>
    </message>
    <message>
        <source>several sources report the cost of account %1, so it is counted more than once</source>
        <translation>mehrere Quellen melden die Kosten des Kontos %1, sie werden also mehrfach gezählt</translation>
    </message>
    <message numerus="yes">
        <source>%n more accounts</source>
        <translation>
            <numerusform>%n weiterem Konto</numerusform>
            <numerusform>%n weiteren Konten</numerusform>
        </translation>
    </message>
    <message>
        <source>several sources report the cost of account %1 and of %2, so it is counted more than once</source>
        <translation>mehrere Quellen melden die Kosten des Kontos %1 und die von %2, sie werden also mehrfach gezählt</translation>
    </message>
    <message>
        <source>the line type %1 is new: its lines count as adjustments by their unblended cost: %2</source>
        <translation>die Zeilenart %1 ist neu: Ihre Zeilen zählen mit den Kosten ohne Mischpreise (unblended cost) als Anpassung: %2</translation>
    </message>
    <message>
        <source>shares of pods in the cost of machines, which the lines of the machines have, were left out: %1</source>
        <translation>Anteile von Pods an den Kosten von Maschinen wurden weggelassen, weil die Zeilen der Maschinen sie schon enthalten: %1</translation>
    </message>
    <message>
        <source>an AWS Cost and Usage Report, by its columns</source>
        <translation>ein Cost and Usage Report von AWS, den Spalten nach</translation>
    </message>
    <message>
        <source>estimated from the machines that syncs saw, and never final: of each, up to %2 before it was first seen and after it was last seen are missing: %1</source>
        <translation>aus den Maschinen geschätzt, die Synchronisierungen sahen, und nie endgültig: Von jeder fehlen bis zu %2 vor dem ersten und nach dem letzten Mal, dass sie gesehen wurde: %1</translation>
    </message>
    <message>
        <source>may not %1: prices (%2) are not compared until it is allowed</source>
        <translation>darf nicht %1: Preise (%2) werden erst verglichen, wenn es erlaubt ist</translation>
    </message>
    <message>
        <source>prices can&apos;t be read: %1</source>
        <translation>Preise können nicht gelesen werden: %1</translation>
    </message>
    <message>
        <source>nothing can be stopped: %1</source>
        <translation>nichts kann gestoppt werden: %1</translation>
    </message>
    <message>
        <source>%1 is %2 again already; nothing was changed</source>
        <translation>%1 ist schon wieder %2; geändert wurde nichts</translation>
    </message>
    <message>
        <source>may not %1: machines without telemetry are not seen until it is allowed</source>
        <translation>darf nicht %1: Maschinen ohne Telemetrie werden nicht gesehen, bis es erlaubt ist</translation>
    </message>
    <message>
        <source>machines can&apos;t be listed: %1</source>
        <translation>Maschinen können nicht aufgelistet werden: %1</translation>
    </message>
    <message>
        <source>estimated from the nodes that were counted and your rate card, and never final: %1</source>
        <translation>aus den gezählten Knoten und Ihrer Preisliste geschätzt und nie endgültig: %1</translation>
    </message>
    <message>
        <source>for %1 nothing was counted, and that time costs nothing in the estimate</source>
        <translation>für %1 wurde nichts gezählt, und diese Zeit kostet in der Schätzung nichts</translation>
    </message>
    <message>
        <source>nodes that run now: %1; instance types: %2</source>
        <translation>Knoten, die jetzt laufen: %1; Instanztypen: %2</translation>
    </message>
    <message>
        <source>%1 has no samples now: no node runs, or the account may not read it</source>
        <translation>%1 hat jetzt keine Werte: Kein Knoten läuft, oder das Konto darf sie nicht lesen</translation>
    </message>
    <message>
        <source>the rate card has no price today for %1: what such nodes cost stays unknown</source>
        <translation>die Preisliste hat heute keinen Preis für %1: was solche Knoten kosten, bleibt unbekannt</translation>
    </message>
    <message>
        <source>files with plans: %1; groups of planned machines: %2</source>
        <translation>Dateien mit Plänen: %1; Gruppen geplanter Maschinen: %2</translation>
    </message>
    <message>
        <source>claimed savings: %1; tools: %2</source>
        <translation>angebliche Einsparungen: %1; Werkzeuge: %2</translation>
    </message>
    <message>
        <source>machines count only from the last operation on each, because the activity log can&apos;t be read: %1</source>
        <translation>Maschinen zählen erst ab dem letzten Vorgang an ihnen, weil das Aktivitätsprotokoll nicht gelesen werden kann: %1</translation>
    </message>
    <message>
        <source>may not %1: what machines without telemetry do stays unknown until it is allowed</source>
        <translation>darf nicht %1: was Maschinen ohne Telemetrie tun, bleibt unbekannt, bis es erlaubt ist</translation>
    </message>
    <message>
        <source>no machine reports %1: what they do is unknown where %2 does not run</source>
        <translation>keine Maschine meldet %1: was sie tun, ist unbekannt, wo %2 nicht läuft</translation>
    </message>
    <message>
        <source>owners of %1 can&apos;t be read: %2</source>
        <translation>Eigentümer von %1 sind nicht lesbar: %2</translation>
    </message>
    <message>
        <source>budgets at the provider: %1</source>
        <translation>Budgets beim Anbieter: %1</translation>
    </message>
    <message>
        <source>the provider&apos;s budgets can&apos;t be read: %1</source>
        <translation>Die Budgets des Anbieters sind nicht lesbar: %1</translation>
    </message>
    <message>
        <source>commitments at the provider: %1</source>
        <translation>Zusagen beim Anbieter: %1</translation>
    </message>
    <message>
        <source>the provider&apos;s commitments can&apos;t be read: %1</source>
        <translation>die Zusagen beim Anbieter können nicht gelesen werden: %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::PlannedTable</name>
    <message>
        <source>Resource</source>
        <translation>Ressource</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>GPUs of one machine</source>
        <translation>GPUs einer Maschine</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>Bedingungen</translation>
    </message>
    <message>
        <source>Machines</source>
        <translation>Maschinen</translation>
    </message>
    <message>
        <source>Machines that run all the time, in a month of 730 hours</source>
        <translation>Maschinen, die durchgehend laufen, in einem Monat von 730 Stunden</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>Geplant</translation>
    </message>
    <message>
        <source>Cost of a month by Infracost, from list prices</source>
        <translation>Kosten eines Monats nach Infracost, aus Listenpreisen</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>Cost of a month by Infracost before the change</source>
        <translation>Kosten eines Monats nach Infracost vor der Änderung</translation>
    </message>
    <message>
        <source>Paid per hour</source>
        <translation>Bezahlt je Stunde</translation>
    </message>
    <message>
        <source>What an hour of such a machine cost by your bills in the last 28 days of the data</source>
        <translation>Was eine Stunde einer solchen Maschine nach Ihren Rechnungen in den letzten 28 Tagen der Daten gekostet hat</translation>
    </message>
    <message>
        <source>At paid price</source>
        <translation>Zum bezahlten Preis</translation>
    </message>
    <message>
        <source>The planned hours at the price that you pay</source>
        <translation>Die geplanten Stunden zu dem Preis, den Sie bezahlen</translation>
    </message>
    <message>
        <source>Running now</source>
        <translation>Laufen jetzt</translation>
    </message>
    <message>
        <source>Machines of this type by your bills, on average</source>
        <translation>Maschinen dieses Typs nach Ihren Rechnungen, im Mittel</translation>
    </message>
    <message>
        <source>date unknown</source>
        <translation>Datum unbekannt</translation>
    </message>
    <message>
        <source>%1 of %2, in %3 a month</source>
        <comment>a file, its date, a currency</comment>
        <translation>%1 vom %2, in %3 je Monat</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>%1× %2</source>
        <comment>a number, a GPU model</comment>
        <translation>%1× %2</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>Own bills, the newest two days left out</source>
        <translation>Eigene Rechnungen, ohne die neuesten zwei Tage</translation>
    </message>
    <message>
        <source>No bill tells such machines</source>
        <translation>Keine Rechnung nennt solche Maschinen</translation>
    </message>
    <message>
        <source>%1, project %2</source>
        <comment>a file, a project of it</comment>
        <translation>%1, Projekt %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::PlannedViewModel</name>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>At list prices, own bills are not compared.</source>
        <translation>Bei Listenpreisen werden eigene Rechnungen nicht verglichen.</translation>
    </message>
    <message>
        <source>There are no final bill days to compare with.</source>
        <translation>Es gibt keine endgültigen Rechnungstage zum Vergleichen.</translation>
    </message>
    <message numerus="yes">
        <source>Left out without GPUs: %n group(s) of machines.</source>
        <translation>
            <numerusform>Ohne GPUs ausgelassen: %n Gruppe von Maschinen.</numerusform>
            <numerusform>Ohne GPUs ausgelassen: %n Gruppen von Maschinen.</numerusform>
        </translation>
    </message>
    <message>
        <source>A month has 730 hours; disks and all else of a resource are not in the amounts.</source>
        <translation>Ein Monat hat 730 Stunden; Datenträger und alles Übrige einer Ressource sind nicht in den Beträgen.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::PlatformRows</name>
    <message>
        <source>Kubeconfig</source>
        <translation>Kubeconfig</translation>
    </message>
    <message>
        <source>File with the cluster&apos;s address and how to log in there</source>
        <translation>Datei mit der Adresse des Clusters und der Anmeldung dort</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>The context of the file that belongs to this cluster</source>
        <translation>Der Kontext der Datei, der zu diesem Cluster gehört</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>AWS region whose machines are read</source>
        <translation>AWS-Region, deren Maschinen gelesen werden</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>as the AWS tools choose it</source>
        <translation>wie die AWS-Werkzeuge es wählen</translation>
    </message>
    <message>
        <source>Profile of the credentials on this computer; empty: the credential chain of the AWS tools</source>
        <translation>Profil der Zugangsdaten auf diesem Rechner; leer: die Suchreihenfolge der AWS-Werkzeuge</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Choose a kubeconfig</source>
        <translation>Kubeconfig auswählen</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Auswählen…</translation>
    </message>
    <message>
        <source>Choose a context</source>
        <translation>Kontext auswählen</translation>
    </message>
    <message>
        <source>the file&apos;s current one</source>
        <translation>der aktuelle der Datei</translation>
    </message>
    <message>
        <source>%1, the current one</source>
        <comment>name of a context</comment>
        <translation>%1, der aktuelle</translation>
    </message>
    <message>
        <source>File or folder</source>
        <translation>Datei oder Ordner</translation>
    </message>
    <message>
        <source>Choose a file or folder</source>
        <translation>Datei oder Ordner auswählen</translation>
    </message>
    <message>
        <source>AWS region of the bucket, or of the service that is asked</source>
        <translation>AWS-Region des Buckets oder des Dienstes, der gefragt wird</translation>
    </message>
    <message>
        <source>A folder…</source>
        <translation>Ein Ordner…</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner auswählen</translation>
    </message>
    <message>
        <source>A file…</source>
        <translation>Eine Datei…</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei auswählen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Presentation</name>
    <message>
        <source>Showback meeting</source>
        <translation>Kostenbesprechung</translation>
    </message>
    <message>
        <source>Previous slide</source>
        <translation>Vorige Folie</translation>
    </message>
    <message>
        <source>Next slide</source>
        <translation>Nächste Folie</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>End the presentation</source>
        <translation>Vorführung beenden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>slide</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1, slide %2 of %3</source>
        <translation>%1, Folie %2 von %3</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ProofDialog</name>
    <message>
        <source>Explained: %1</source>
        <translation>Erklärt: %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Close</source>
        <comment>a dialog</comment>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Source rows</source>
        <translation>Quellzeilen</translation>
    </message>
    <message>
        <source>The figure can&apos;t be explained</source>
        <translation>Die Zahl lässt sich nicht erklären</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Proof</source>
        <translation>Beweis</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ProofRows</name>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <comment>end of a time range</comment>
        <translation>Bis</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Held by</source>
        <translation>Belegt von</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>GPU-h</source>
        <translation>GPU-h</translation>
    </message>
    <message>
        <source>Per hour</source>
        <translation>Je Stunde</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Day (UTC)</source>
        <translation>Tag (UTC)</translation>
    </message>
    <message>
        <source>Resource</source>
        <translation>Ressource</translation>
    </message>
    <message>
        <source>Category</source>
        <translation>Kategorie</translation>
    </message>
    <message>
        <source>Charged</source>
        <translation>Belastet</translation>
    </message>
    <message>
        <source>Counted here</source>
        <translation>Hier gezählt</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n like it</source>
        <translation>
            <numerusform>%1 und %n gleiche</numerusform>
            <numerusform>%1 und %n gleiche</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ProofText</name>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Recomputed</source>
        <translation>Nachgerechnet</translation>
    </message>
    <message>
        <source>%1, the same</source>
        <comment>value</comment>
        <translation>%1, derselbe</translation>
    </message>
    <message>
        <source>%1, which differs: check the data folder</source>
        <comment>value</comment>
        <translation>%1, ein anderer: prüfen Sie den Datenordner</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>Preis</translation>
    </message>
    <message>
        <source>%1 a GPU-hour, %2, of %3</source>
        <comment>money, source, GPU-hours</comment>
        <translation>%1 je GPU-Stunde, %2, für %3</translation>
    </message>
    <message>
        <source>Split policy</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>Abfrage</translation>
    </message>
    <message>
        <source>shown from %1; recomputed from %2</source>
        <comment>tables</comment>
        <translation>gezeigt aus %1; nachgerechnet aus %2</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>%1, synced %2</source>
        <comment>source, time</comment>
        <translation>%1, geholt %2</translation>
    </message>
    <message>
        <source>%1, never synced</source>
        <comment>source</comment>
        <translation>%1, nie geholt</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Kennung</translation>
    </message>
    <message numerus="yes">
        <source>And %n smaller row(s) with %1.</source>
        <translation>
            <numerusform>Und %n kleinere Zeile mit %1.</numerusform>
            <numerusform>Und %n kleinere Zeilen mit %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>By current data</source>
        <translation>Nach den heutigen Daten</translation>
    </message>
    <message>
        <source>%1: what came later is an adjustment</source>
        <comment>value</comment>
        <translation>%1: was später kam, ist eine Anpassung</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <comment>time, person</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>time and person, reason</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>Abgeschlossen</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>SHA-256 %1</source>
        <translation>SHA-256 %1</translation>
    </message>
    <message>
        <source>Audit log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>entry %1, which names this record</source>
        <translation>Eintrag %1, der diese Aufzeichnung nennt</translation>
    </message>
    <message>
        <source>entry %1, which names another record: check the data folder</source>
        <translation>Eintrag %1, der eine andere Aufzeichnung nennt: prüfen Sie den Datenordner</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ReconcileCard</name>
    <message>
        <source>No bill is stored for this month</source>
        <translation>Für diesen Monat liegt keine Rechnung vor</translation>
    </message>
    <message>
        <source>Reconciled with the bill</source>
        <translation>Mit der Rechnung abgeglichen</translation>
    </message>
    <message>
        <source>Not reconciled with the bill</source>
        <translation>Stimmt nicht mit der Rechnung überein</translation>
    </message>
    <message>
        <source>Bill, %1</source>
        <translation>Rechnung, %1</translation>
    </message>
    <message>
        <source>Ledger</source>
        <translation>Hauptbuch</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>Unexplained</source>
        <translation>Ungeklärt</translation>
    </message>
    <message>
        <source>Not billed (estimated)</source>
        <translation>Nicht berechnet (geschätzt)</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
    <message>
        <source>All teams, %1</source>
        <translation>Alle Teams, %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Remark</name>
    <message>
        <source>counted already in %1</source>
        <translation>schon gezählt in %1</translation>
    </message>
    <message>
        <source>what it would save can&apos;t be computed</source>
        <translation>was es einsparen würde, lässt sich nicht berechnen</translation>
    </message>
    <message>
        <source>it would have saved nothing</source>
        <translation>es hätte nichts eingespart</translation>
    </message>
    <message>
        <source>its amount can&apos;t be added to the sum</source>
        <translation>der Betrag lässt sich nicht zur Summe addieren</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>the past has fewer than three whole weeks, so the three estimates are equal</source>
        <translation>der Zeitraum hat weniger als drei ganze Wochen, daher sind die drei Schätzungen gleich</translation>
    </message>
    <message>
        <source>fewer than 14 days of data</source>
        <translation>Daten von weniger als 14 Tagen</translation>
    </message>
    <message>
        <source>too much of what it held has no price</source>
        <translation>zu viel von dem, was belegt war, hat keinen Preis</translation>
    </message>
    <message>
        <source>the cost of its machines does not end: committed or own hardware</source>
        <translation>die Kosten der Maschinen enden nicht: vertraglich gebundene oder eigene Hardware</translation>
    </message>
    <message>
        <source>nothing shows whether its machines are rented</source>
        <translation>nichts zeigt, ob die Maschinen gemietet sind</translation>
    </message>
    <message>
        <source>hours replayed</source>
        <translation>nachgerechnete Stunden</translation>
    </message>
    <message>
        <source>GPU-hours committed or on own machines</source>
        <translation>GPU-Stunden auf gebundenen oder eigenen Maschinen</translation>
    </message>
    <message>
        <source>GPU-hours on machines that others used</source>
        <translation>GPU-Stunden auf Maschinen, die auch andere genutzt haben</translation>
    </message>
    <message>
        <source>GPU-hours on machines of unknown terms</source>
        <translation>GPU-Stunden auf Maschinen mit unbekannten Bedingungen</translation>
    </message>
    <message>
        <source>GPU-hours without a price</source>
        <translation>GPU-Stunden ohne Preis</translation>
    </message>
    <message>
        <source>node-hours off</source>
        <translation>Knotenstunden ausgeschaltet</translation>
    </message>
    <message>
        <source>node-hours present</source>
        <translation>Knotenstunden vorhanden</translation>
    </message>
    <message>
        <source>node-hours empty</source>
        <translation>Knotenstunden leer</translation>
    </message>
    <message>
        <source>nodes present (median)</source>
        <translation>vorhandene Knoten (Median)</translation>
    </message>
    <message>
        <source>nodes that sufficed (median)</source>
        <translation>Knoten, die genügt hätten (Median)</translation>
    </message>
    <message>
        <source>nodes that sufficed (most)</source>
        <translation>Knoten, die genügt hätten (Maximum)</translation>
    </message>
    <message>
        <source>nodes that sufficed if packed (median)</source>
        <translation>Knoten, die dicht gepackt genügt hätten (Median)</translation>
    </message>
    <message>
        <source>node-hours with at most a quarter of the GPUs held</source>
        <translation>Knotenstunden mit höchstens einem Viertel der GPUs belegt</translation>
    </message>
    <message>
        <source>GPU-hours free on nodes in use</source>
        <translation>freie GPU-Stunden auf genutzten Knoten</translation>
    </message>
    <message>
        <source>GPU-hours unallocated</source>
        <translation>GPU-Stunden ohne Zuordnung</translation>
    </message>
    <message>
        <source>node-hours too little observed</source>
        <translation>Knotenstunden, die zu wenig beobachtet wurden</translation>
    </message>
    <message>
        <source>GPU-hours of waiting for nodes to start</source>
        <translation>GPU-Stunden Wartezeit auf den Start von Knoten</translation>
    </message>
    <message>
        <source>work would have waited %1 GPU-hours in total for nodes to start</source>
        <translation>Arbeit hätte insgesamt %1 GPU-Stunden auf den Start von Knoten gewartet</translation>
    </message>
    <message>
        <source>the cloud may have no capacity when a node is needed again</source>
        <translation>die Cloud hat vielleicht keine Kapazität, wenn ein Knoten wieder gebraucht wird</translation>
    </message>
    <message>
        <source>the headroom is measured on the same past that is replayed</source>
        <translation>die Reserve ist am selben Zeitraum gemessen, der nachgerechnet wird</translation>
    </message>
    <message>
        <source>nodes of the pool that stay, because their cost does not end or it is unknown whether it does: %1 of %2</source>
        <translation>Knoten des Pools, die bleiben, weil ihre Kosten nicht enden oder das unbekannt ist: %1 von %2</translation>
    </message>
    <message>
        <source>work would have to move to other nodes, and what can&apos;t be interrupted can&apos;t move</source>
        <translation>Arbeit müsste auf andere Knoten umziehen, und was sich nicht unterbrechen lässt, kann nicht umziehen</translation>
    </message>
    <message>
        <source>work would have to move between nodes</source>
        <translation>Arbeit müsste zwischen Knoten umziehen</translation>
    </message>
    <message>
        <source>these machines are in no cluster, so nothing can scale them; what nobody uses is in the idle list</source>
        <translation>diese Maschinen sind in keinem Cluster, daher kann nichts sie skalieren; was niemand nutzt, steht in der Leerlaufliste</translation>
    </message>
    <message>
        <source>the empty nodes are committed, reserved or owned: their cost does not end with them</source>
        <translation>die leeren Knoten sind gebunden, reserviert oder eigene: ihre Kosten enden nicht mit ihnen</translation>
    </message>
    <message>
        <source>nothing shows whether the cost of the empty nodes ends with them</source>
        <translation>nichts zeigt, ob die Kosten der leeren Knoten mit ihnen enden</translation>
    </message>
    <message>
        <source>node-hours without a price: %1 of %2</source>
        <translation>Knotenstunden ohne Preis: %1 von %2</translation>
    </message>
    <message>
        <source>whole days of data: %1, needed: %2</source>
        <translation>ganze Tage mit Daten: %1, nötig: %2</translation>
    </message>
    <message>
        <source>the delay, the headroom (GPUs: %1) and the minimum keep every empty node</source>
        <translation>die Verzögerung, die Reserve (GPUs: %1) und das Minimum halten jeden leeren Knoten</translation>
    </message>
    <message>
        <source>can be scheduled as</source>
        <translation>nach Zeitplan schaltbar als</translation>
    </message>
    <message>
        <source>notebook</source>
        <translation>Notebook</translation>
    </message>
    <message>
        <source>development</source>
        <translation>Entwicklung</translation>
    </message>
    <message>
        <source>environment %1</source>
        <translation>Umgebung %1</translation>
    </message>
    <message>
        <source>namespace %1</source>
        <translation>Namespace %1</translation>
    </message>
    <message>
        <source>hours held</source>
        <translation>belegte Stunden</translation>
    </message>
    <message>
        <source>hours off</source>
        <translation>ausgeschaltete Stunden</translation>
    </message>
    <message>
        <source>hours with real work cut</source>
        <translation>Stunden mit echter Arbeit, die abgeschnitten würde</translation>
    </message>
    <message>
        <source>GPU-hours of real work cut</source>
        <translation>GPU-Stunden echter Arbeit, die abgeschnitten würde</translation>
    </message>
    <message>
        <source>hours off that were not observed</source>
        <translation>ausgeschaltete Stunden, die nicht beobachtet wurden</translation>
    </message>
    <message>
        <source>cost of the hours off</source>
        <translation>Kosten der ausgeschalteten Stunden</translation>
    </message>
    <message>
        <source>cost of the hours with real work cut</source>
        <translation>Kosten der Stunden mit abgeschnittener Arbeit</translation>
    </message>
    <message>
        <source>saved in the past replayed</source>
        <translation>im nachgerechneten Zeitraum gespart</translation>
    </message>
    <message>
        <source>real work ran in %1 of %2 off hours and would have been cut; these hours count as no saving</source>
        <translation>in %1 von %2 ausgeschalteten Stunden lief echte Arbeit, die abgeschnitten worden wäre; diese Stunden zählen nicht als Einsparung</translation>
    </message>
    <message>
        <source>it was not observed in %1 of %2 off hours; these hours count as no saving</source>
        <translation>in %1 von %2 ausgeschalteten Stunden wurde nicht beobachtet; diese Stunden zählen nicht als Einsparung</translation>
    </message>
    <message>
        <source>only %1 whole weeks of data, so the spread is not known</source>
        <translation>nur %1 ganze Wochen mit Daten, daher ist die Spanne nicht bekannt</translation>
    </message>
    <message>
        <source>part of the cost ends only if the schedule also stops what shares its machines: %1</source>
        <translation>ein Teil der Kosten endet nur, wenn der Zeitplan auch stoppt, was dieselben Maschinen nutzt: %1</translation>
    </message>
    <message>
        <source>part of the cost ends only if the schedule also stops what shares its machines: %1 and %2 more</source>
        <translation>ein Teil der Kosten endet nur, wenn der Zeitplan auch stoppt, was dieselben Maschinen nutzt: %1 und %2 weitere</translation>
    </message>
    <message>
        <source>part of what it held has no price and counts as no saving</source>
        <translation>ein Teil von dem, was belegt war, hat keinen Preis und zählt nicht als Einsparung</translation>
    </message>
    <message>
        <source>what it keeps in memory is lost at each stop</source>
        <translation>was im Speicher liegt, geht bei jedem Stopp verloren</translation>
    </message>
    <message>
        <source>no controller starts the pod again</source>
        <translation>kein Controller startet den Pod wieder</translation>
    </message>
    <message>
        <source>it is protected: %1</source>
        <translation>geschützt: %1</translation>
    </message>
    <message>
        <source>it was not observed in %1 of %2 off hours</source>
        <translation>in %1 von %2 ausgeschalteten Stunden wurde nicht beobachtet</translation>
    </message>
    <message>
        <source>real work ran in %1 of %2 off hours</source>
        <translation>in %1 von %2 ausgeschalteten Stunden lief echte Arbeit</translation>
    </message>
    <message>
        <source>it held nothing in the off hours</source>
        <translation>in den ausgeschalteten Stunden war nichts belegt</translation>
    </message>
    <message>
        <source>the hours off cost nothing</source>
        <translation>die ausgeschalteten Stunden kosten nichts</translation>
    </message>
    <message>
        <source>nothing was idle in the off hours</source>
        <translation>in den ausgeschalteten Stunden war nichts im Leerlauf</translation>
    </message>
    <message>
        <source>others keep its machines running in the off hours</source>
        <translation>andere halten die Maschinen in den ausgeschalteten Stunden in Betrieb</translation>
    </message>
    <message>
        <source>GPU-hours held</source>
        <translation>belegte GPU-Stunden</translation>
    </message>
    <message>
        <source>machine</source>
        <translation>Maschine</translation>
    </message>
    <message>
        <source>%1, %2 x unknown GPU model</source>
        <translation>%1, %2 x unbekanntes GPU-Modell</translation>
    </message>
    <message>
        <source>%1 x unknown GPU model</source>
        <translation>%1 x unbekanntes GPU-Modell</translation>
    </message>
    <message>
        <source>most GPUs in use at the same time</source>
        <translation>meiste GPUs gleichzeitig in Benutzung</translation>
    </message>
    <message>
        <source>%1 of %2 held on a machine</source>
        <translation>%1 von %2 belegten auf einer Maschine</translation>
    </message>
    <message>
        <source>memory in use (p99)</source>
        <translation>genutzter Speicher (p99)</translation>
    </message>
    <message>
        <source>memory needed</source>
        <translation>benötigter Speicher</translation>
    </message>
    <message>
        <source>memory of the card</source>
        <translation>Speicher der Karte</translation>
    </message>
    <message>
        <source>activity (p95)</source>
        <translation>Aktivität (p95)</translation>
    </message>
    <message>
        <source>GPU-hours with utilization alone</source>
        <translation>GPU-Stunden, von denen nur die Auslastung bekannt ist</translation>
    </message>
    <message>
        <source>MIG slice that holds it</source>
        <translation>MIG-Slice, in den es passt</translation>
    </message>
    <message>
        <source>%1 of a %2</source>
        <translation>%1 einer %2</translation>
    </message>
    <message>
        <source>proposed machine</source>
        <translation>vorgeschlagene Maschine</translation>
    </message>
    <message>
        <source>its price per hour</source>
        <translation>ihr Preis pro Stunde</translation>
    </message>
    <message>
        <source>source of its price</source>
        <translation>Quelle ihres Preises</translation>
    </message>
    <message>
        <source>its host</source>
        <translation>ihr Host</translation>
    </message>
    <message>
        <source>%1 vCPUs, %2</source>
        <translation>%1 vCPUs und %2</translation>
    </message>
    <message>
        <source>GPU-hours in which it would have been too small</source>
        <translation>GPU-Stunden, in denen sie zu klein gewesen wäre</translation>
    </message>
    <message>
        <source>part of the time in use</source>
        <translation>Anteil an der genutzten Zeit</translation>
    </message>
    <message>
        <source>GPU-hours that were not observed</source>
        <translation>GPU-Stunden, die nicht beobachtet wurden</translation>
    </message>
    <message>
        <source>GPU-hours of unknown memory use</source>
        <translation>GPU-Stunden mit unbekannter Speichernutzung</translation>
    </message>
    <message>
        <source>its price is that of another region, and it may not be offered in this one</source>
        <translation>der Preis ist der einer anderen Region, und in dieser wird sie vielleicht nicht angeboten</translation>
    </message>
    <message>
        <source>the region of its machines is unknown, so its price may be that of another one</source>
        <translation>die Region der Maschinen ist unbekannt, der Preis kann also der einer anderen sein</translation>
    </message>
    <message>
        <source>it would have been too small in %1 of the time in use</source>
        <translation>in %1 der genutzten Zeit wäre sie zu klein gewesen</translation>
    </message>
    <message>
        <source>memory or activity is unknown in %1 of its time</source>
        <translation>in %1 der Zeit sind Speicher oder Aktivität unbekannt</translation>
    </message>
    <message>
        <source>utilization says how long something ran, not how much of the GPU it used</source>
        <translation>die Auslastung sagt, wie lange etwas lief, nicht, wie viel der GPU es genutzt hat</translation>
    </message>
    <message>
        <source>each request may take longer on a slower card</source>
        <translation>jede Anfrage kann auf einer langsameren Karte länger dauern</translation>
    </message>
    <message>
        <source>work may take longer on a slower card</source>
        <translation>Arbeit kann auf einer langsameren Karte länger dauern</translation>
    </message>
    <message>
        <source>programs built for one GPU generation must be built for the other</source>
        <translation>Programme, die für eine GPU-Generation gebaut sind, müssen für die andere neu gebaut werden</translation>
    </message>
    <message>
        <source>double precision (FP64) is far slower on it</source>
        <translation>doppelte Genauigkeit (FP64) ist darauf viel langsamer</translation>
    </message>
    <message>
        <source>the CPUs and memory that it needs on the host are not reported</source>
        <translation>wie viele CPUs und wie viel Speicher auf dem Host nötig sind, wird nicht gemeldet</translation>
    </message>
    <message>
        <source>others used its machines in part of the past; these hours count as no saving</source>
        <translation>andere haben die Maschinen zeitweise genutzt; diese Stunden zählen nicht als Einsparung</translation>
    </message>
    <message>
        <source>others use its machines too, which stay</source>
        <translation>auch andere nutzen die Maschinen, die daher bleiben</translation>
    </message>
    <message>
        <source>it ran on several GPU models</source>
        <translation>es lief auf mehreren GPU-Modellen</translation>
    </message>
    <message>
        <source>its GPU model is not in the catalogue</source>
        <translation>das GPU-Modell steht nicht im Katalog</translation>
    </message>
    <message>
        <source>its activity is unknown in %1 of its time</source>
        <translation>in %1 der Zeit ist die Aktivität unbekannt</translation>
    </message>
    <message>
        <source>it used none of its GPUs: see the idle list</source>
        <translation>keine der belegten GPUs wurde genutzt: siehe die Leerlaufliste</translation>
    </message>
    <message>
        <source>its memory use is unknown in %1 of its time</source>
        <translation>in %1 der Zeit ist die Speichernutzung unbekannt</translation>
    </message>
    <message>
        <source>its memory use is above %1 of the card (p99), so nothing smaller is safe</source>
        <translation>die Speichernutzung liegt über %1 der Karte (p99), daher ist nichts Kleineres sicher</translation>
    </message>
    <message>
        <source>it has slices of a card already</source>
        <translation>es hat schon Slices einer Karte</translation>
    </message>
    <message>
        <source>its job spans several machines, and what it needs between them is not reported</source>
        <translation>der Job läuft über mehrere Maschinen, und was er zwischen ihnen braucht, wird nicht gemeldet</translation>
    </message>
    <message>
        <source>it ran in several clouds or regions</source>
        <translation>es lief in mehreren Clouds oder Regionen</translation>
    </message>
    <message>
        <source>the cloud of its machines is unknown, and so are other prices</source>
        <translation>die Cloud der Maschinen ist unbekannt, also auch andere Preise</translation>
    </message>
    <message>
        <source>the throughput of its GPU model is not in the catalogue</source>
        <translation>der Durchsatz des GPU-Modells steht nicht im Katalog</translation>
    </message>
    <message>
        <source>it uses several GPUs together, and whether these have NVLink is not known</source>
        <translation>es nutzt mehrere GPUs gemeinsam, und ob diese NVLink haben, ist nicht bekannt</translation>
    </message>
    <message>
        <source>no cheaper machine with a known price holds it</source>
        <translation>keine günstigere Maschine mit bekanntem Preis reicht aus</translation>
    </message>
    <message>
        <source>workloads that a slice holds</source>
        <translation>Workloads, die in einen Slice passen</translation>
    </message>
    <message>
        <source>cards that they held</source>
        <translation>Karten, die sie belegt haben</translation>
    </message>
    <message>
        <source>cards if packed onto slices</source>
        <translation>Karten, wenn auf Slices gepackt</translation>
    </message>
    <message>
        <source>card %1</source>
        <translation>Karte %1</translation>
    </message>
    <message>
        <source>a card must be free to get another layout, and a slice has no NVLink</source>
        <translation>eine Karte muss frei sein, um anders aufgeteilt zu werden, und ein Slice hat kein NVLink</translation>
    </message>
    <message>
        <source>a slice has no price of its own: money ends only when a machine can go</source>
        <translation>ein Slice hat keinen eigenen Preis: Kosten enden nur, wenn eine Maschine wegfallen kann</translation>
    </message>
    <message>
        <source>stop idle work first: demand that other proposals end is still part of this one</source>
        <translation>zuerst Leerlauf beenden: Bedarf, den andere Vorschläge beenden, ist hier noch enthalten</translation>
    </message>
    <message>
        <source>existing commitments leave %1 per month unused: find out first why they don&apos;t cover this</source>
        <translation>bestehende Zusagen lassen %1 pro Monat ungenutzt: zuerst klären, warum sie das nicht abdecken</translation>
    </message>
    <message>
        <source>machine-hours on demand</source>
        <translation>Maschinenstunden on-demand</translation>
    </message>
    <message>
        <source>coverage now</source>
        <translation>Abdeckung jetzt</translation>
    </message>
    <message>
        <source>coverage then</source>
        <translation>Abdeckung danach</translation>
    </message>
    <message>
        <source>on-demand price</source>
        <translation>On-Demand-Preis</translation>
    </message>
    <message>
        <source>%1 per machine-hour</source>
        <translation>%1 pro Maschinenstunde</translation>
    </message>
    <message>
        <source>on demand per month</source>
        <translation>on-demand pro Monat</translation>
    </message>
    <message>
        <source>its on-demand price is unknown</source>
        <translation>der On-Demand-Preis ist unbekannt</translation>
    </message>
    <message>
        <source>whole days of known demand: %1, needed: %2</source>
        <translation>ganze Tage mit bekanntem Bedarf: %1, nötig: %2</translation>
    </message>
    <message>
        <source>offer %1: %2</source>
        <translation>Angebot %1: %2</translation>
    </message>
    <message>
        <source>commitment</source>
        <translation>Zusage</translation>
    </message>
    <message>
        <source>%1, term in months: %2</source>
        <translation>%1, Laufzeit in Monaten: %2</translation>
    </message>
    <message>
        <source>%1 per machine-hour, level %2, saves %3 per month</source>
        <translation>%1 pro Maschinenstunde, Höhe %2, spart %3 pro Monat</translation>
    </message>
    <message>
        <source>as the bills charge for %1 until %2</source>
        <translation>wie die Rechnungen für %1 bis %2 berechnen</translation>
    </message>
    <message>
        <source>mean of the bills</source>
        <translation>Mittel der Rechnungen</translation>
    </message>
    <message>
        <source>its committed prices are in another currency than its on-demand price</source>
        <translation>die Preise mit Zusage sind in einer anderen Währung als der On-Demand-Preis</translation>
    </message>
    <message>
        <source>no committed price is known: the price book has none, and no bill has a commitment for this type</source>
        <translation>es ist kein Preis mit Zusage bekannt: das Preisbuch hat keinen, und keine Rechnung hat eine Zusage für diesen Typ</translation>
    </message>
    <message>
        <source>list prices have no committed prices: look at the effective cost</source>
        <translation>zu Listenpreisen gibt es keine Preise mit Zusage: die effektiven Kosten ansehen</translation>
    </message>
    <message>
        <source>no commitment is cheaper than on demand</source>
        <translation>keine Zusage ist günstiger als on-demand</translation>
    </message>
    <message>
        <source>the demand is too uneven: no level would have saved anything</source>
        <translation>der Bedarf ist zu ungleichmäßig: keine Höhe hätte etwas eingespart</translation>
    </message>
    <message>
        <source>less than two whole weeks of demand are known</source>
        <translation>der Bedarf von weniger als zwei ganzen Wochen ist bekannt</translation>
    </message>
    <message>
        <source>in half of the resampled weeks it would have saved nothing</source>
        <translation>in der Hälfte der neu gezogenen Wochen hätte sie nichts eingespart</translation>
    </message>
    <message>
        <source>its price or demand is too large to compute</source>
        <translation>der Preis oder der Bedarf ist zu groß zum Berechnen</translation>
    </message>
    <message>
        <source>level in machines</source>
        <translation>Höhe in Maschinen</translation>
    </message>
    <message>
        <source>utilization of the new commitment</source>
        <translation>Auslastung der neuen Zusage</translation>
    </message>
    <message>
        <source>effective savings rate now</source>
        <translation>effektive Einsparquote jetzt</translation>
    </message>
    <message>
        <source>effective savings rate then</source>
        <translation>effektive Einsparquote danach</translation>
    </message>
    <message>
        <source>break-even: loss of demand</source>
        <translation>Break-even: Rückgang des Bedarfs</translation>
    </message>
    <message>
        <source>break-even: part of the term</source>
        <translation>Break-even: Anteil der Laufzeit</translation>
    </message>
    <message>
        <source>it costs more than on demand if demand falls by more than %1, or ends before %2 of the term is over</source>
        <translation>sie kostet mehr als on-demand, wenn der Bedarf um mehr als %1 sinkt oder endet, bevor %2 der Laufzeit vorbei sind</translation>
    </message>
    <message>
        <source>shares of bill lines that have no hours and are left out: %1</source>
        <translation>Anteile von Rechnungszeilen, die keine Stunden haben und fehlen: %1</translation>
    </message>
    <message>
        <source>nothing says when %1 ran, so the demand is unknown</source>
        <translation>nichts sagt, wann %1 lief, daher ist der Bedarf unbekannt</translation>
    </message>
    <message>
        <source>used per month</source>
        <translation>genutzt pro Monat</translation>
    </message>
    <message>
        <source>unused per month</source>
        <translation>ungenutzt pro Monat</translation>
    </message>
    <message>
        <source>utilization</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>%1 of the hours</source>
        <translation>%1 der Stunden</translation>
    </message>
    <message>
        <source>%1 of the money</source>
        <translation>%1 des Geldes</translation>
    </message>
    <message>
        <source>machine-hours used</source>
        <translation>genutzte Maschinenstunden</translation>
    </message>
    <message>
        <source>machine-hours bought</source>
        <translation>gekaufte Maschinenstunden</translation>
    </message>
    <message>
        <source>on demand this would cost per month</source>
        <translation>on-demand würde das pro Monat kosten</translation>
    </message>
    <message>
        <source>effective savings rate</source>
        <translation>effektive Einsparquote</translation>
    </message>
    <message>
        <source>ended: the last days of the bills have nothing of it</source>
        <translation>beendet: die letzten Tage der Rechnungen enthalten nichts davon</translation>
    </message>
    <message>
        <source>what it covered is paid for on demand since, unless it was replaced</source>
        <translation>was sie abgedeckt hat, wird seitdem on-demand bezahlt, falls sie nicht ersetzt wurde</translation>
    </message>
    <message>
        <source>sunk until %1</source>
        <translation>gebunden bis %1</translation>
    </message>
    <message>
        <source>sunk until its end, which the bills do not give</source>
        <translation>gebunden bis zum Ende, das die Rechnungen nicht angeben</translation>
    </message>
    <message>
        <source>it ends on %1</source>
        <translation>sie endet am %1</translation>
    </message>
    <message>
        <source>it ends on %1; what it covers then costs %2 more per month on demand</source>
        <translation>sie endet am %1; was sie abdeckt, kostet danach on-demand %2 mehr pro Monat</translation>
    </message>
    <message>
        <source>ends</source>
        <translation>endet</translation>
    </message>
    <message>
        <source>dismissed: %1</source>
        <translation>verworfen: %1</translation>
    </message>
    <message>
        <source>put off until %1</source>
        <translation>zurückgestellt bis %1</translation>
    </message>
    <message>
        <source>it may serve requests, which wait or fail while its machine is taken away</source>
        <translation>es bedient vielleicht Anfragen, die warten oder fehlschlagen, während die Maschine entzogen wird</translation>
    </message>
    <message>
        <source>people work in it, and an interruption loses what they have open</source>
        <translation>Menschen arbeiten darin, und bei einer Unterbrechung geht verloren, was sie offen haben</translation>
    </message>
    <message>
        <source>it ran once, and fewer than 14 days are known</source>
        <translation>es lief einmal, und weniger als 14 Tage sind bekannt</translation>
    </message>
    <message>
        <source>it runs on spot machines already</source>
        <translation>es läuft schon auf Spot-Maschinen</translation>
    </message>
    <message>
        <source>too much of what it held has no on-demand price</source>
        <translation>zu viel von dem, was belegt war, hat keinen On-Demand-Preis</translation>
    </message>
    <message>
        <source>others keep running on its machines</source>
        <translation>andere laufen auf den Maschinen weiter</translation>
    </message>
    <message>
        <source>its machines are committed or owned: their cost goes on</source>
        <translation>die Maschinen sind gebunden oder eigene: ihre Kosten laufen weiter</translation>
    </message>
    <message>
        <source>it is not known whether its machines are rented on demand</source>
        <translation>es ist nicht bekannt, ob die Maschinen on-demand gemietet sind</translation>
    </message>
    <message>
        <source>it ran on several machine types or in several regions</source>
        <translation>es lief auf mehreren Maschinentypen oder in mehreren Regionen</translation>
    </message>
    <message>
        <source>the cloud or the type of its machines is not known</source>
        <translation>die Cloud oder der Typ der Maschinen ist nicht bekannt</translation>
    </message>
    <message>
        <source>no spot price of %1 in %2 is known</source>
        <translation>für %1 in %2 ist kein Spot-Preis bekannt</translation>
    </message>
    <message>
        <source>nothing is known about interruptions of %1 in %2: unknown, not zero</source>
        <translation>über Unterbrechungen von %1 in %2 ist nichts bekannt: unbekannt, nicht null</translation>
    </message>
    <message>
        <source>the scheduler&apos;s records do not say when its runs began and ended</source>
        <translation>die Aufzeichnungen des Schedulers sagen nicht, wann die Läufe begannen und endeten</translation>
    </message>
    <message>
        <source>nothing shows that it writes checkpoints, and without them %1 hours of work would take %2 hours, at %3 interruptions a month</source>
        <translation>nichts zeigt, dass es Sicherungspunkte schreibt, und ohne sie würden %1 Stunden Arbeit bei %3 Unterbrechungen im Monat %2 Stunden dauern</translation>
    </message>
    <message>
        <source>nothing shows that it writes checkpoints, and without them %1 hours of work would not end, at %2 interruptions a month</source>
        <translation>nichts zeigt, dass es Sicherungspunkte schreibt, und ohne sie würden %1 Stunden Arbeit bei %2 Unterbrechungen im Monat nicht enden</translation>
    </message>
    <message>
        <source>spot machines would not have been cheaper</source>
        <translation>Spot-Maschinen wären nicht günstiger gewesen</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>machine-hours on demand that it had to itself</source>
        <translation>Maschinenstunden on-demand, allein genutzt</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>hours of a run (median)</source>
        <translation>Stunden eines Laufs (Median)</translation>
    </message>
    <message>
        <source>hours of the longest run</source>
        <translation>Stunden des längsten Laufs</translation>
    </message>
    <message>
        <source>machines at the same time (most)</source>
        <translation>Maschinen gleichzeitig (Maximum)</translation>
    </message>
    <message>
        <source>restarts seen within runs</source>
        <translation>beobachtete Neustarts innerhalb von Läufen</translation>
    </message>
    <message>
        <source>cost of a machine-hour on demand</source>
        <translation>Kosten einer Maschinenstunde on-demand</translation>
    </message>
    <message>
        <source>price of a spot machine-hour (mean)</source>
        <translation>Preis einer Spot-Maschinenstunde (Mittel)</translation>
    </message>
    <message>
        <source>price of a spot machine-hour (lowest)</source>
        <translation>Preis einer Spot-Maschinenstunde (niedrigster)</translation>
    </message>
    <message>
        <source>price of a spot machine-hour (highest)</source>
        <translation>Preis einer Spot-Maschinenstunde (höchster)</translation>
    </message>
    <message>
        <source>source of the spot price</source>
        <translation>Quelle des Spot-Preises</translation>
    </message>
    <message>
        <source>own bills of %1 days</source>
        <translation>eigene Rechnungen von %1 Tagen</translation>
    </message>
    <message>
        <source>published discount to the on-demand price (%1)</source>
        <translation>veröffentlichter Rabatt auf den On-Demand-Preis (%1)</translation>
    </message>
    <message>
        <source>date of the spot price</source>
        <translation>Datum des Spot-Preises</translation>
    </message>
    <message>
        <source>source of the interruptions</source>
        <translation>Quelle der Unterbrechungen</translation>
    </message>
    <message>
        <source>intervals with and without capacity, of %1 traces</source>
        <translation>Zeiten mit und ohne Kapazität, aus %1 Traces</translation>
    </message>
    <message>
        <source>%1 own spot machines that vanished with work on them</source>
        <translation>%1 eigene Spot-Maschinen, die mitten in der Arbeit verschwanden</translation>
    </message>
    <message>
        <source>published rate: %1 of machines interrupted in a month (%2)</source>
        <translation>veröffentlichte Rate: %1 der Maschinen in einem Monat unterbrochen (%2)</translation>
    </message>
    <message>
        <source>date of the interruptions</source>
        <translation>Datum der Angaben zu Unterbrechungen</translation>
    </message>
    <message>
        <source>interruptions of a machine in a month of running</source>
        <translation>Unterbrechungen einer Maschine je Monat Betrieb</translation>
    </message>
    <message>
        <source>futures computed</source>
        <translation>berechnete Zukunftsverläufe</translation>
    </message>
    <message>
        <source>interruptions in a run (mean)</source>
        <translation>Unterbrechungen in einem Lauf (Mittel)</translation>
    </message>
    <message>
        <source>paid time lost to repeated work and restarts</source>
        <translation>bezahlte Zeit, die durch wiederholte Arbeit und Neustarts verloren geht</translation>
    </message>
    <message>
        <source>later end of a run (mean)</source>
        <translation>späteres Ende eines Laufs (Mittel)</translation>
    </message>
    <message>
        <source>effective discount (median)</source>
        <translation>effektiver Rabatt (Median)</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>Sicherungspunkte</translation>
    </message>
    <message>
        <source>by your assumption, every %1</source>
        <translation>nach eigener Annahme, alle %1</translation>
    </message>
    <message>
        <source>nothing shows any; assumed every %1</source>
        <translation>nichts zeigt welche; angenommen alle %1</translation>
    </message>
    <message>
        <source>best time between checkpoints of the longest run</source>
        <translation>bester Abstand der Sicherungspunkte im längsten Lauf</translation>
    </message>
    <message>
        <source>expected hours of the longest run without checkpoints</source>
        <translation>erwartete Stunden des längsten Laufs ohne Sicherungspunkte</translation>
    </message>
    <message>
        <source>GPU-hours on spot machines</source>
        <translation>GPU-Stunden auf Spot-Maschinen</translation>
    </message>
    <message>
        <source>its checkpoints are assumed: without any it may lose a whole run</source>
        <translation>die Sicherungspunkte sind angenommen: ohne sie kann ein ganzer Lauf verloren gehen</translation>
    </message>
    <message>
        <source>waiting for capacity is not in these figures, because only a rate is known</source>
        <translation>das Warten auf Kapazität ist in diesen Zahlen nicht enthalten, weil nur eine Rate bekannt ist</translation>
    </message>
    <message>
        <source>the published rate and discount may have changed since</source>
        <translation>die veröffentlichte Rate und der Rabatt können sich seitdem geändert haben</translation>
    </message>
    <message>
        <source>own machines that a scaler removed with work on them count as interruptions</source>
        <translation>eigene Maschinen, die ein Scaler mitten in der Arbeit entfernt hat, zählen als Unterbrechungen</translation>
    </message>
    <message>
        <source>the cloud may have no spot capacity when a run begins</source>
        <translation>die Cloud hat vielleicht keine Spot-Kapazität, wenn ein Lauf beginnt</translation>
    </message>
    <message>
        <source>machines of one run are taken to be interrupted together</source>
        <translation>es wird angenommen, dass die Maschinen eines Laufs gemeinsam unterbrochen werden</translation>
    </message>
    <message>
        <source>an interruption of one of its machines stops the whole run</source>
        <translation>die Unterbrechung einer seiner Maschinen stoppt den ganzen Lauf</translation>
    </message>
    <message>
        <source>%1 of its runs, by machine time, would find too little capacity to end</source>
        <translation>%1 der Läufe, nach Maschinenzeit, fänden zu wenig Kapazität, um zu enden</translation>
    </message>
    <message>
        <source>%1 of its runs, by machine time, would end more than %2 after their start, which is its deadline</source>
        <translation>nach Maschinenzeit würden %1 der Läufe nach der Frist von %2 ab ihrem Start enden</translation>
    </message>
    <message>
        <source>%1 of its runs, by machine time, would end more than %2 later than on demand</source>
        <translation>%1 der Läufe, nach Maschinenzeit, würden um mehr als %2 später enden als on-demand</translation>
    </message>
    <message>
        <source>runs that miss their deadline, by machine time</source>
        <translation>Läufe, die ihre Frist verpassen, nach Maschinenzeit</translation>
    </message>
    <message>
        <source>%1 of its runs, by machine time, would find too little capacity; they count as done on demand</source>
        <translation>%1 der Läufe, nach Maschinenzeit, fänden zu wenig Kapazität; sie zählen als on-demand erledigt</translation>
    </message>
    <message>
        <source>published discount to the list price of another region (%1)</source>
        <translation>veröffentlichter Rabatt auf den Listenpreis einer anderen Region (%1)</translation>
    </message>
    <message>
        <source>the list has its on-demand price in another region only, so its spot price may be higher or lower</source>
        <translation>die Liste kennt den On-demand-Preis nur in einer anderen Region, der Spot-Preis kann also höher oder niedriger sein</translation>
    </message>
    <message>
        <source>its only runs still go on, so it is not known how long one takes</source>
        <translation>die einzigen Läufe dauern noch an, wie lange einer dauert, ist also nicht bekannt</translation>
    </message>
    <message>
        <source>runs that still go on, taken to be at least as long as the longest that ended</source>
        <translation>noch andauernde Läufe, mindestens so lang angenommen wie der längste beendete</translation>
    </message>
    <message>
        <source>even with checkpoints every %1, %2 hours of work would take %3 hours, at %4 interruptions a month</source>
        <translation>selbst mit Sicherungspunkten alle %1 würden %2 Stunden Arbeit %3 Stunden dauern, bei %4 Unterbrechungen im Monat</translation>
    </message>
    <message>
        <source>even with checkpoints every %1, %2 hours of work would not end, at %3 interruptions a month</source>
        <translation>selbst mit Sicherungspunkten alle %1 würden %2 Stunden Arbeit nie enden, bei %3 Unterbrechungen im Monat</translation>
    </message>
    <message>
        <source>cost a month against the commitment</source>
        <translation>Kosten im Monat je nach Bindung</translation>
    </message>
    <message>
        <source>committed machines</source>
        <translation>fest gebuchte Maschinen</translation>
    </message>
    <message>
        <source>cost a month</source>
        <translation>Kosten im Monat</translation>
    </message>
    <message>
        <source>least cost: %1 machines</source>
        <translation>geringste Kosten: %1 Maschinen</translation>
    </message>
    <message>
        <source>all on demand</source>
        <translation>alles auf Abruf</translation>
    </message>
    <message>
        <source>nodes that were present and nodes that sufficed</source>
        <translation>Knoten, die da waren, und Knoten, die gereicht hätten</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>present</source>
        <translation>vorhanden</translation>
    </message>
    <message>
        <source>sufficed</source>
        <translation>hätten gereicht</translation>
    </message>
    <message>
        <source>cost against the time between checkpoints</source>
        <translation>Kosten je nach Zeit zwischen Checkpoints</translation>
    </message>
    <message>
        <source>time between checkpoints</source>
        <translation>Zeit zwischen Checkpoints</translation>
    </message>
    <message>
        <source>share of the on-demand cost</source>
        <translation>Anteil an den Kosten auf Abruf</translation>
    </message>
    <message>
        <source>cost on spot</source>
        <translation>Kosten auf Spot</translation>
    </message>
    <message>
        <source>on demand</source>
        <translation>auf Abruf</translation>
    </message>
    <message>
        <source>best: every %1</source>
        <translation>am besten: alle %1</translation>
    </message>
    <message>
        <source>counted: every %1</source>
        <translation>gerechnet: alle %1</translation>
    </message>
    <message>
        <source>GPU memory in use</source>
        <translation>Benutzter GPU-Speicher</translation>
    </message>
    <message>
        <source>memory of one GPU</source>
        <translation>Speicher einer GPU</translation>
    </message>
    <message>
        <source>GPU time in use that needed no more</source>
        <translation>benutzte GPU-Zeit, die nicht mehr brauchte</translation>
    </message>
    <message>
        <source>now: %1</source>
        <translation>jetzt: %1</translation>
    </message>
    <message>
        <source>proposed: %1</source>
        <translation>vorgeschlagen: %1</translation>
    </message>
    <message>
        <source>needed: %1</source>
        <translation>nötig: %1</translation>
    </message>
    <message>
        <source>GPUs by hour of the week</source>
        <translation>GPUs nach Stunde der Woche</translation>
    </message>
    <message>
        <source>hour of the week</source>
        <translation>Stunde der Woche</translation>
    </message>
    <message>
        <source>GPUs (mean)</source>
        <translation>GPUs (Mittel)</translation>
    </message>
    <message>
        <source>held</source>
        <translation>gehalten</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>off hours</source>
        <translation>Auszeiten</translation>
    </message>
    <message>
        <source>it states that it must not be interrupted</source>
        <translation>laut eigener Angabe darf es nicht unterbrochen werden</translation>
    </message>
    <message>
        <source>as it states, every %1</source>
        <translation>laut eigener Angabe alle %1</translation>
    </message>
    <message>
        <source>its history of capacity ends before this past does, and capacity may have changed since</source>
        <translation>die Aufzeichnung der Kapazität endet vor diesem Zeitraum, und die Kapazität kann sich seither geändert haben</translation>
    </message>
    <message>
        <source>the interruption history %1 was not used: %2</source>
        <translation>die Aufzeichnung der Unterbrechungen %1 wurde nicht verwendet: %2</translation>
    </message>
    <message>
        <source>its %1 can&apos;t be read and was not used: %2</source>
        <translation>seine Angabe %1 ist nicht lesbar und wurde nicht verwendet: %2</translation>
    </message>
    <message>
        <source>deadline after the start of a run, as it states</source>
        <translation>Frist ab dem Start eines Laufs, laut eigener Angabe</translation>
    </message>
    <message>
        <source>proposals that count before it leave too little of its demand, such as %1</source>
        <translation>Vorschläge, die vorher zählen, lassen zu wenig von seinem Bedarf übrig, etwa %1</translation>
    </message>
    <message>
        <source>once the proposals that count before it are done, buy for fewer machines: %1</source>
        <translation>sobald die Vorschläge umgesetzt sind, die vorher zählen, für weniger Maschinen kaufen: %1</translation>
    </message>
    <message>
        <source>machine-hours on demand that they leave</source>
        <translation>On-demand-Maschinenstunden, die sie übrig lassen</translation>
    </message>
    <message>
        <source>per month that the sum would be larger if %1 counted for its whole demand instead of what it overlaps with</source>
        <translation>pro Monat, um den die Summe größer wäre, wenn %1 für den ganzen Bedarf zählte statt der Vorschläge, mit denen er sich überschneidet</translation>
    </message>
    <message>
        <source>time zone of its team</source>
        <translation>Zeitzone seines Teams</translation>
    </message>
    <message>
        <source>holidays of its team in these hours</source>
        <translation>Feiertage seines Teams in diesen Stunden</translation>
    </message>
    <message>
        <source>node-hours off only if packed</source>
        <translation>nur bei dichter Belegung abgeschaltete Knotenstunden</translation>
    </message>
    <message>
        <source>node-hours kept up by small workloads</source>
        <translation>abgeschaltete Knotenstunden, die kleine Workloads verhindert haben</translation>
    </message>
    <message>
        <source>kept up by %1 on %2</source>
        <translation>in Betrieb gehalten von %1 auf %2</translation>
    </message>
    <message>
        <source>kept up by %1 (%2) on %3</source>
        <translation>in Betrieb gehalten von %1 (%2) auf %3</translation>
    </message>
    <message>
        <source>more cases kept up by small workloads: %1</source>
        <translation>in Betrieb gehalten von weiteren kleinen Workloads (%1)</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 node-hours, %2</source>
        <translation>%1 Knotenstunden, %2</translation>
    </message>
    <message>
        <source>minimum number of nodes, configured for this pool</source>
        <translation>Mindestzahl der Knoten, für diesen Pool konfiguriert</translation>
    </message>
    <message>
        <source>scale-down delay, configured for this pool</source>
        <translation>Frist, bis ein Knoten abgeschaltet wird, für diesen Pool konfiguriert</translation>
    </message>
    <message>
        <source>start-up time, configured for this pool</source>
        <translation>Startzeit, für diesen Pool konfiguriert</translation>
    </message>
    <message>
        <source>savings.pools has an entry for %1, which applies to no node pool in these data</source>
        <translation>die Konfiguration hat savings.pools für %1, aber diese Daten haben keine solche Knotengruppe</translation>
    </message>
    <message>
        <source>GPU-hours free on nodes with too few free GPUs for the jobs that waited</source>
        <translation>freie GPU-Stunden in Stücken, die für die wartenden Jobs zu klein waren</translation>
    </message>
    <message>
        <source>unknown: what waited in these hours was not recorded</source>
        <translation>unbekannt, denn was in diesen Stunden wartete, wurde nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>alternative %1: %2</source>
        <translation>Alternative %1: %2</translation>
    </message>
    <message>
        <source>%1 per machine-hour, in a different currency from the on-demand price</source>
        <translation>%1 pro Maschinenstunde, in einer anderen Währung als der On-Demand-Preis</translation>
    </message>
    <message>
        <source>%1, no upfront</source>
        <translation>%1, nichts im Voraus</translation>
    </message>
    <message>
        <source>%1, partial upfront: %2 per machine</source>
        <translation>%1, zum Teil im Voraus: %2 je Maschine</translation>
    </message>
    <message>
        <source>%1, all upfront: %2 per machine</source>
        <translation>%1, ganz im Voraus: %2 je Maschine</translation>
    </message>
    <message>
        <source>own offer from %1, dated %2</source>
        <translation>eigenes Angebot aus %1 vom %2</translation>
    </message>
    <message>
        <source>own offer from %1, date unknown</source>
        <translation>eigenes Angebot aus %1, Datum unbekannt</translation>
    </message>
    <message>
        <source>unreadable rows of own offers, not used: %1</source>
        <translation>Zeilen eigener Angebote, die nicht lesbar sind und nicht verwendet wurden: %1</translation>
    </message>
    <message>
        <source>own offers that are not commitments, not used: %1</source>
        <translation>eigene Angebote, die keine Zusagen sind und nicht verwendet wurden: %1</translation>
    </message>
    <message>
        <source>own commitment offers for machines that did not run on demand, not used: %1</source>
        <translation>eigene Angebote von Zusagen für Maschinen, die nicht on-demand liefen, und darum nicht verwendet wurden: %1</translation>
    </message>
    <message>
        <source>the history of %1 in %2 never shows capacity, so it is not known how long capacity lasts</source>
        <translation>die Aufzeichnung für %1 in %2 enthält keine Zeit mit Kapazität; wie lange Kapazität anhält, ist daher nicht bekannt</translation>
    </message>
    <message>
        <source>zones that it moves between</source>
        <translation>Zonen, zwischen denen sie wechselt</translation>
    </message>
    <message>
        <source>correlation of capacity between these zones (mean)</source>
        <translation>Korrelation der Kapazität dieser Zonen (Mittel)</translation>
    </message>
    <message>
        <source>monthly saving with the best zone alone (p50)</source>
        <translation>Ersparnis im Monat mit der besten Zone allein (p50)</translation>
    </message>
    <message>
        <source>the histories of its zones cover different times, so common failures are not in these figures</source>
        <translation>die Verläufe ihrer Zonen stammen aus verschiedenen Zeiten, gemeinsame Ausfälle sind in diesen Zahlen also nicht enthalten</translation>
    </message>
    <message>
        <source>all its zones are assumed to have the same spot price, and the cost of moving data between them is not included</source>
        <translation>für alle ihre Zonen zählt ein Spot-Preis, und Datentransfer zwischen ihnen zählt nicht</translation>
    </message>
    <message>
        <source>deadline, as it states</source>
        <translation>Frist, wie angegeben</translation>
    </message>
    <message>
        <source>%1 of its runs, by machine time, would end after its deadline, %2</source>
        <translation>%1 der Läufe, nach Maschinenzeit, würden nach %2 enden, der Frist</translation>
    </message>
    <message>
        <source>its deadline %1 is before the start of some runs (%2), which count as runs without a deadline</source>
        <translation>die Frist %1 liegt vor dem Beginn von %2 der Läufe, die als Läufe ohne Frist zählen</translation>
    </message>
    <message>
        <source>spot prices used in the futures</source>
        <translation>Spot-Preise in den Zukünften</translation>
    </message>
    <message>
        <source>those of the same days as the capacity</source>
        <translation>die der Tage, von denen die Kapazität stammt</translation>
    </message>
    <message>
        <source>drawn once per run, independently of its capacity</source>
        <translation>einer für jeden Lauf, unabhängig von seiner Kapazität</translation>
    </message>
    <message>
        <source>%1 of the %2 that were free while jobs waited; GPUs requested by the smallest job: %3</source>
        <translation>%1 von den %2, die frei waren, während Jobs warteten; GPUs, die der kleinste Job verlangte: %3</translation>
    </message>
    <message>
        <source>hours with a record of what waited</source>
        <translation>Stunden, für die aufgezeichnet ist, was wartete</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>only zone used, because moving between zones would save less or be refused</source>
        <translation>einzige Zone, die genutzt wird, weil der Wechsel zwischen Zonen weniger spart oder die Frist verfehlt</translation>
    </message>
    <message>
        <source>monthly saving if it moved between %1 zones (p50)</source>
        <translation>Ersparnis im Monat beim Wechsel zwischen %1 Zonen (p50)</translation>
    </message>
    <message>
        <source>%1 own spot machines that vanished with work on them, and %2 other times that the shutdown or loss of a node ended pods on such machines</source>
        <translation>%1 eigene Spot-Maschinen, die mitten in der Arbeit verschwanden, und %2 weitere Male, bei denen das Herunterfahren oder der Ausfall eines Knotens Pods auf solchen Maschinen beendete</translation>
    </message>
    <message>
        <source>own offer from %1, dated %2, age in days: %3</source>
        <translation>eigenes Angebot aus %1 vom %2, Alter in Tagen: %3</translation>
    </message>
    <message>
        <source>own price list whose offers are not used, because no sync has read it: %1</source>
        <translation>eigene Preisliste, deren Angebote nicht verwendet werden, weil kein Abgleich sie gelesen hat: %1</translation>
    </message>
    <message>
        <source>own price list %1 could not be read again; its offers are those of %2</source>
        <translation>Die eigene Preisliste %1 konnte nicht erneut gelesen werden; ihre Angebote sind vom %2</translation>
    </message>
    <message>
        <source>none, because no job waited for such GPUs</source>
        <translation>keine, denn kein Job wartete auf solche GPUs</translation>
    </message>
    <message>
        <source>unknown: nothing shows which kind of GPU the jobs that waited asked for</source>
        <translation>unbekannt: Nichts zeigt, welche Art von GPU die wartenden Jobs verlangten</translation>
    </message>
    <message>
        <source>GPU-hours free while jobs waited that asked for an unknown kind of GPU</source>
        <translation>GPU-Stunden, die frei waren, während Jobs warteten, die eine unbekannte Art von GPU verlangten</translation>
    </message>
    <message>
        <source>none of its runs was seen from beginning to end, so it is not known how long one takes</source>
        <translation>keiner der Läufe wurde von Anfang bis Ende gesehen, wie lange einer dauert, ist also nicht bekannt</translation>
    </message>
    <message>
        <source>runs that began before the first data, taken to be at least as long as the longest seen whole</source>
        <translation>vor den ersten Daten begonnene Läufe, mindestens so lang angenommen wie der längste ganz gesehene</translation>
    </message>
    <message>
        <source>prices in the history of capacity (%1)</source>
        <translation>Preise aus dem Verlauf der Verfügbarkeit (%1)</translation>
    </message>
    <message>
        <source>machine types that it moves between</source>
        <translation>Maschinentypen, zwischen denen sie wechselt</translation>
    </message>
    <message>
        <source>price of a spot machine-hour of %1 (mean)</source>
        <translation>Preis einer Spot-Maschinenstunde von %1 (Mittel)</translation>
    </message>
    <message>
        <source>source of the spot price of %1</source>
        <translation>Quelle des Spotpreises von %1</translation>
    </message>
    <message>
        <source>monthly saving with its own machine type alone (p50)</source>
        <translation>Ersparnis im Monat mit dem eigenen Maschinentyp allein (p50)</translation>
    </message>
    <message>
        <source>monthly saving if it moved between %1 (p50)</source>
        <translation>Ersparnis im Monat beim Wechsel zwischen %1 (p50)</translation>
    </message>
    <message>
        <source>on other machine types it is assumed to run no faster and without changes; images, drivers and settings are not checked</source>
        <translation>auf anderen Maschinentypen läuft sie nach Annahme nicht schneller und ohne Änderungen; Images, Treiber und Einstellungen werden nicht geprüft</translation>
    </message>
    <message>
        <source>the configuration says that work of its kind must not be interrupted</source>
        <translation>laut Konfiguration darf Arbeit dieser Art nicht unterbrochen werden</translation>
    </message>
    <message>
        <source>deadline after the start of a run, as the configuration says for its kind of work</source>
        <translation>Frist nach dem Start eines Laufs, laut Konfiguration für diese Art von Arbeit</translation>
    </message>
    <message>
        <source>it would not end</source>
        <translation>er würde nicht enden</translation>
    </message>
    <message>
        <source>the cost of moving data between its zones is not included</source>
        <translation>die Kosten der Datenübertragung zwischen den Zonen sind nicht enthalten</translation>
    </message>
    <message>
        <source>by what its pods write, about every %1</source>
        <translation>nach dem, was seine Pods schreiben, etwa alle %1</translation>
    </message>
    <message>
        <source>times that a pod began to write 64 MiB or more in five minutes</source>
        <translation>so oft begann ein Pod, mindestens 64 MiB in fünf Minuten zu schreiben</translation>
    </message>
    <message>
        <source>%1 in %2 hours of work</source>
        <translation>%1 in %2 Stunden Arbeit</translation>
    </message>
    <message>
        <source>what its pods write at such times may be something else than checkpoints</source>
        <translation>was seine Pods dann schreiben, sind vielleicht keine Checkpoints</translation>
    </message>
    <message>
        <source>spot prices of %1 (mean of 30 days over zones)</source>
        <translation>Spotpreise von %1 (Mittel von 30 Tagen über die Zonen)</translation>
    </message>
    <message>
        <source>chance of getting spot machines, by the cloud (1 to 10)</source>
        <translation>Aussicht auf Spot-Maschinen, laut Cloud (1 bis 10)</translation>
    </message>
    <message>
        <source>%1 (%2 machines of %3)</source>
        <translation>%1 (%2 Maschinen vom Typ %3)</translation>
    </message>
    <message>
        <source>%1 (one machine of %2)</source>
        <translation>%1 (eine Maschine vom Typ %2)</translation>
    </message>
    <message>
        <source>date of this chance</source>
        <translation>Datum dieser Aussicht</translation>
    </message>
    <message>
        <source>the cloud rates the chance of getting such machines now as low</source>
        <translation>die Cloud schätzt die Aussicht auf solche Maschinen derzeit als gering ein</translation>
    </message>
    <message>
        <source>the cloud rates the chance of getting such machines now as low, as it does whenever it is asked for one or two machine types</source>
        <translation>die Cloud schätzt die Aussicht auf solche Maschinen derzeit als gering ein, wie immer, wenn nach nur einem oder zwei Maschinentypen gefragt wird</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>%1 and one other</source>
        <translation>%1 und einem weiteren</translation>
    </message>
    <message>
        <source>%1 and %2 others</source>
        <translation>%1 und %2 weiteren</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Remedy</name>
    <message>
        <source>check the permissions of the file and its folder; the existing file is unchanged</source>
        <translation>die Rechte der Datei und ihres Ordners prüfen; die vorhandene Datei ist unverändert</translation>
    </message>
    <message>
        <source>free some space and try again; the existing file is unchanged</source>
        <translation>Platz schaffen und erneut versuchen; die vorhandene Datei ist unverändert</translation>
    </message>
    <message>
        <source>use an ISO 4217 code such as USD or EUR</source>
        <translation>einen Code nach ISO 4217 wie USD oder EUR verwenden</translation>
    </message>
    <message>
        <source>write it as 1234.56</source>
        <translation>in der Form 1234.56 schreiben</translation>
    </message>
    <message>
        <source>write it as 2026-11-01T00:00:00Z or 2026-11-01</source>
        <translation>in der Form 2026-11-01T00:00:00Z oder 2026-11-01 schreiben</translation>
    </message>
    <message>
        <source>write it as 5m, 2h, 90d or 1h30m</source>
        <translation>in der Form 5m, 2h, 90d oder 1h30m schreiben</translation>
    </message>
    <message>
        <source>use an IANA name such as Europe/Berlin or UTC</source>
        <translation>einen IANA-Namen wie Europe/Berlin oder UTC verwenden</translation>
    </message>
    <message>
        <source>choose coarser bins or a shorter range</source>
        <translation>gröbere Spalten oder einen kürzeren Zeitraum wählen</translation>
    </message>
    <message>
        <source>write a number from 0 to 1, such as 0.05</source>
        <translation>eine Zahl von 0 bis 1 schreiben, zum Beispiel 0.05</translation>
    </message>
    <message>
        <source>write an RE2 expression, and name the group that captures the team (?P&lt;team&gt;...)</source>
        <translation>einen RE2-Ausdruck schreiben; die Gruppe, die das Team erfasst, heißt (?P&lt;team&gt;...)</translation>
    </message>
    <message>
        <source>check its direction</source>
        <translation>die Richtung prüfen</translation>
    </message>
    <message>
        <source>set node labels, an instance type, a region, a GPU model or a cluster</source>
        <translation>Labels von Knoten, einen Instanztyp, eine Region, ein GPU-Modell oder einen Cluster angeben</translation>
    </message>
    <message>
        <source>keep only one of the two</source>
        <translation>nur eines von beiden behalten</translation>
    </message>
    <message>
        <source>see the commented sample configuration</source>
        <translation>siehe die kommentierte Beispielkonfiguration</translation>
    </message>
    <message>
        <source>lower residual_value: it can&apos;t exceed the price</source>
        <translation>residual_value senken: Er kann nicht über dem Preis liegen</translation>
    </message>
    <message>
        <source>write a positive number for two different currencies, such as 1.08</source>
        <translation>eine positive Zahl für zwei verschiedene Währungen schreiben, zum Beispiel 1.08</translation>
    </message>
    <message>
        <source>write it as &quot;1234.5&quot;</source>
        <translation>in der Form &quot;1234.5&quot; schreiben</translation>
    </message>
    <message>
        <source>write it as &quot;2.49&quot;</source>
        <translation>in der Form &quot;2.49&quot; schreiben</translation>
    </message>
    <message>
        <source>check the permissions of the file</source>
        <translation>die Rechte der Datei prüfen</translation>
    </message>
    <message>
        <source>correct the file and try again</source>
        <translation>die Datei berichtigen und erneut versuchen</translation>
    </message>
    <message>
        <source>choose another name, or change the existing source in the file</source>
        <translation>einen anderen Namen wählen oder die vorhandene Quelle in der Datei ändern</translation>
    </message>
    <message>
        <source>see gpuledger-cli sources add --help</source>
        <translation>siehe gpuledger-cli sources add --help</translation>
    </message>
    <message>
        <source>try again</source>
        <translation>erneut versuchen</translation>
    </message>
    <message>
        <source>see the sources with: sources list</source>
        <translation>die Quellen zeigt: sources list</translation>
    </message>
    <message>
        <source>allow reading and writing there, or choose another data folder</source>
        <translation>dort Lesen und Schreiben erlauben oder einen anderen Datenordner wählen</translation>
    </message>
    <message>
        <source>check the data folder, then try again</source>
        <translation>den Datenordner prüfen, dann erneut versuchen</translation>
    </message>
    <message>
        <source>free some space on this disk, then try again</source>
        <translation>auf diesem Datenträger Platz schaffen, dann erneut versuchen</translation>
    </message>
    <message>
        <source>group by fewer labels: every combination of team, cluster, model and environment is a group</source>
        <translation>nach weniger Labels gruppieren: jede Kombination aus Team, Cluster, Modell und Umgebung ist eine Gruppe</translation>
    </message>
    <message>
        <source>choose another data folder, or move that file away</source>
        <translation>einen anderen Datenordner wählen oder jene Datei beiseitelegen</translation>
    </message>
    <message>
        <source>open it without --read-only: it is then set aside and a new cache is created</source>
        <translation>ohne --read-only öffnen: Er wird dann beiseitegelegt und ein neuer Cache angelegt</translation>
    </message>
    <message>
        <source>run a sync first, or check the data folder</source>
        <translation>zuerst abgleichen oder den Datenordner prüfen</translation>
    </message>
    <message>
        <source>restart the program; the next sync fills the cache</source>
        <translation>das Programm neu starten; der nächste Abgleich füllt den Cache</translation>
    </message>
    <message>
        <source>install the newer version of GPU Ledger that wrote it, or choose another data folder</source>
        <translation>die neuere Version von GPU Ledger installieren, die ihn geschrieben hat, oder einen anderen Datenordner wählen</translation>
    </message>
    <message>
        <source>move the cache file away and sync again; the data that the sources still have is fetched again</source>
        <translation>die Cache-Datei beiseitelegen und neu abgleichen; was die Quellen noch haben, wird neu abgerufen</translation>
    </message>
    <message>
        <source>check auth.user</source>
        <translation>auth.user prüfen</translation>
    </message>
    <message>
        <source>mtls needs certificate and key, each the path of a PEM file</source>
        <translation>mtls braucht certificate und key, jeweils den Pfad einer PEM-Datei</translation>
    </message>
    <message>
        <source>put a signing proxy such as aws-sigv4-proxy in front of the server and use its address</source>
        <translation>einen signierenden Proxy wie aws-sigv4-proxy vor den Server setzen und dessen Adresse verwenden</translation>
    </message>
    <message>
        <source>store the value alone, without a line break</source>
        <translation>nur den Wert selbst ablegen, ohne Zeilenumbruch</translation>
    </message>
    <message>
        <source>the options are seed, gpus and days</source>
        <translation>die Optionen sind seed, gpus und days</translation>
    </message>
    <message>
        <source>check headers</source>
        <translation>headers prüfen</translation>
    </message>
    <message>
        <source>use https, or a loopback address such as a kubectl port-forward</source>
        <translation>https verwenden oder eine lokale Adresse, etwa über kubectl port-forward</translation>
    </message>
    <message>
        <source>check for a login page in front of the server, or set url to the final address</source>
        <translation>prüfen, ob eine Anmeldeseite vor dem Server steht, oder url auf die endgültige Adresse setzen</translation>
    </message>
    <message>
        <source>check HTTPS_PROXY</source>
        <translation>HTTPS_PROXY prüfen</translation>
    </message>
    <message>
        <source>check the host name, DNS and VPN</source>
        <translation>Hostnamen, DNS und VPN prüfen</translation>
    </message>
    <message>
        <source>check url and the proxy in front of the server</source>
        <translation>url und den Proxy vor dem Server prüfen</translation>
    </message>
    <message>
        <source>check url</source>
        <translation>url prüfen</translation>
    </message>
    <message>
        <source>check whether the server is overloaded or suspended</source>
        <translation>prüfen, ob der Server überlastet ist oder schläft</translation>
    </message>
    <message>
        <source>check that the server is running and that the port is right</source>
        <translation>prüfen, ob der Server läuft und der Port stimmt</translation>
    </message>
    <message>
        <source>write the server&apos;s address as https://host/path</source>
        <translation>die Adresse des Servers in der Form https://host/pfad schreiben</translation>
    </message>
    <message>
        <source>check the path of url: it must end before /api/v1</source>
        <translation>den Pfad von url prüfen: Er muss vor /api/v1 enden</translation>
    </message>
    <message>
        <source>see the built-in files in resources/exporters for examples</source>
        <translation>Beispiele sind die eingebauten Dateien in resources/exporters</translation>
    </message>
    <message>
        <source>check for a login page in front of the server; set a credential for this source, or use the internal address</source>
        <translation>prüfen, ob eine Anmeldeseite vor dem Server steht; dieser Quelle Zugangsdaten geben oder die interne Adresse verwenden</translation>
    </message>
    <message>
        <source>raise the server&apos;s query limits, or choose a shorter time range</source>
        <translation>die Abfragegrenzen des Servers erhöhen oder einen kürzeren Zeitraum wählen</translation>
    </message>
    <message>
        <source>add url: https://… of the Prometheus server</source>
        <translation>url: https://… des Prometheus-Servers ergänzen</translation>
    </message>
    <message>
        <source>start dcgm-exporter, or describe your metrics under exporters in the configuration</source>
        <translation>dcgm-exporter starten oder die eigenen Metriken unter exporters in der Konfiguration beschreiben</translation>
    </message>
    <message>
        <source>wait: the server asked for fewer requests</source>
        <translation>warten: Der Server bat um weniger Anfragen</translation>
    </message>
    <message>
        <source>sync later: the server asked for fewer requests, and the next sync continues from here</source>
        <translation>später abgleichen: Der Server bat um weniger Anfragen, und der nächste Abgleich macht hier weiter</translation>
    </message>
    <message>
        <source>check the disk, or delete the file and agree to the commands again</source>
        <translation>den Datenträger prüfen, oder die Datei löschen und den Befehlen neu zustimmen</translation>
    </message>
    <message>
        <source>check the permissions of the folder</source>
        <translation>die Rechte des Ordners prüfen</translation>
    </message>
    <message>
        <source>delete it and agree to the commands again</source>
        <translation>sie löschen und den Befehlen neu zustimmen</translation>
    </message>
    <message>
        <source>encode it as UTF-8</source>
        <translation>in UTF-8 schreiben</translation>
    </message>
    <message>
        <source>it must print the credential and nothing else</source>
        <translation>er darf nur die Zugangsdaten ausgeben, sonst nichts</translation>
    </message>
    <message>
        <source>run it in a terminal to see its output</source>
        <translation>in einem Terminal ausführen, um die Ausgabe zu sehen</translation>
    </message>
    <message>
        <source>run it in a terminal to see whether it waits for input</source>
        <translation>in einem Terminal ausführen, um zu sehen, ob er auf eine Eingabe wartet</translation>
    </message>
    <message>
        <source>use keychain:NAME, env:NAME or file:PATH</source>
        <translation>keychain:NAME, env:NAME oder file:PATH verwenden</translation>
    </message>
    <message>
        <source>add it with: secret-tool store --label=&apos;GPU Ledger&apos; service gpuledger name NAME</source>
        <translation>ergänzen mit: secret-tool store --label=&apos;GPU Ledger&apos; service gpuledger name NAME</translation>
    </message>
    <message>
        <source>log in to a desktop with a keychain, or use env:NAME or file:PATH</source>
        <translation>an einem Desktop mit Schlüsselbund anmelden, oder env:NAME oder file:PATH verwenden</translation>
    </message>
    <message>
        <source>unlock the keychain, or use env:NAME or file:PATH</source>
        <translation>den Schlüsselbund entsperren, oder env:NAME oder file:PATH verwenden</translation>
    </message>
    <message>
        <source>call it from a small script</source>
        <translation>es aus einem kleinen Skript aufrufen</translation>
    </message>
    <message>
        <source>check its permissions</source>
        <translation>die Rechte prüfen</translation>
    </message>
    <message>
        <source>check the path and its permissions</source>
        <translation>den Pfad und dessen Rechte prüfen</translation>
    </message>
    <message>
        <source>use its absolute path</source>
        <translation>den absoluten Pfad verwenden</translation>
    </message>
    <message>
        <source>use its absolute path, or a name that is on PATH</source>
        <translation>den absoluten Pfad verwenden oder einen Namen, der in PATH zu finden ist</translation>
    </message>
    <message>
        <source>use a program in a folder that only you or the system can write to</source>
        <translation>ein Programm in einem Ordner verwenden, den nur der eigene Benutzer oder das System beschreiben kann</translation>
    </message>
    <message>
        <source>use a program that only you or the system can change: chmod go-w PROGRAM</source>
        <translation>ein Programm verwenden, das nur der eigene Benutzer oder das System ändern kann: chmod go-w PROGRAMM</translation>
    </message>
    <message>
        <source>run in a terminal: gpuledger-cli sources test SOURCE; it shows what would run, and asks</source>
        <translation>in einem Terminal ausführen: gpuledger-cli sources test QUELLE; es zeigt, was ausgeführt würde, und fragt</translation>
    </message>
    <message>
        <source>set one under auth</source>
        <translation>unter auth setzen</translation>
    </message>
    <message>
        <source>set it for this program, or use keychain:NAME or file:PATH</source>
        <translation>für dieses Programm setzen, oder keychain:NAME oder file:PATH verwenden</translation>
    </message>
    <message>
        <source>restrict its permissions: chmod 600 FILE</source>
        <translation>die Rechte einschränken: chmod 600 DATEI</translation>
    </message>
    <message>
        <source>use a file that you own</source>
        <translation>eine eigene Datei verwenden</translation>
    </message>
    <message>
        <source>write the credential into it</source>
        <translation>die Zugangsdaten hineinschreiben</translation>
    </message>
    <message>
        <source>check auth of this source</source>
        <translation>auth dieser Quelle prüfen</translation>
    </message>
    <message>
        <source>give the account permission to query</source>
        <translation>dem Konto das Recht geben, Abfragen zu stellen</translation>
    </message>
    <message>
        <source>set HTTPS_PROXY with a login, or NO_PROXY for this host</source>
        <translation>HTTPS_PROXY mit Anmeldung setzen, oder NO_PROXY für diesen Host</translation>
    </message>
    <message>
        <source>check the server&apos;s log, or try again later</source>
        <translation>ins Protokoll des Servers sehen oder später erneut versuchen</translation>
    </message>
    <message>
        <source>set url to the final address</source>
        <translation>url auf die endgültige Adresse setzen</translation>
    </message>
    <message>
        <source>set NO_PROXY for this host, or ask the proxy&apos;s operator</source>
        <translation>NO_PROXY für diesen Host setzen oder den Betreiber des Proxys fragen</translation>
    </message>
    <message>
        <source>set the tenant of this source: headers: { X-Scope-OrgID: TENANT }</source>
        <translation>den Mandanten dieser Quelle setzen: headers: { X-Scope-OrgID: TENANT }</translation>
    </message>
    <message>
        <source>renew the server&apos;s certificate, or correct this computer&apos;s clock</source>
        <translation>das Zertifikat des Servers erneuern oder die Uhr dieses Rechners stellen</translation>
    </message>
    <message>
        <source>set tls.ca of this source to your company&apos;s certificate authority</source>
        <translation>tls.ca dieser Quelle auf die Zertifizierungsstelle der Firma setzen</translation>
    </message>
    <message>
        <source>use the host name that the certificate was issued for in url</source>
        <translation>in url den Hostnamen verwenden, für den das Zertifikat ausgestellt ist</translation>
    </message>
    <message>
        <source>ask the server&apos;s operator; verification can&apos;t be turned off</source>
        <translation>den Betreiber des Servers fragen; die Prüfung ist nicht abschaltbar</translation>
    </message>
    <message>
        <source>write it as command:PROGRAM ARGUMENT…</source>
        <translation>in der Form command:PROGRAMM ARGUMENT…</translation>
    </message>
    <message>
        <source>edit the file by hand</source>
        <translation>die Datei von Hand bearbeiten</translation>
    </message>
    <message>
        <source>review the current configuration and try again</source>
        <translation>die jetzige Konfiguration ansehen und erneut versuchen</translation>
    </message>
    <message>
        <source>write one in PromQL</source>
        <translation>einen in PromQL schreiben</translation>
    </message>
    <message>
        <source>the variables are $cluster, $node, $device and $index</source>
        <translation>die Variablen sind $cluster, $node, $device und $index</translation>
    </message>
    <message>
        <source>write the value itself</source>
        <translation>den Wert selbst schreiben</translation>
    </message>
    <message>
        <source>use quotes instead</source>
        <translation>stattdessen Anführungszeichen verwenden</translation>
    </message>
    <message>
        <source>choose a longer time range</source>
        <translation>einen längeren Zeitraum wählen</translation>
    </message>
    <message>
        <source>query the Prometheus server that knows this device</source>
        <translation>den Prometheus-Server abfragen, der dieses Gerät kennt</translation>
    </message>
    <message>
        <source>connect the Prometheus server that scrapes its exporter</source>
        <translation>den Prometheus-Server verbinden, der seinen Exporter abfragt</translation>
    </message>
    <message>
        <source>correct the expression</source>
        <translation>den Ausdruck berichtigen</translation>
    </message>
    <message>
        <source>choose a shorter time range or a longer step</source>
        <translation>einen kürzeren Zeitraum oder einen längeren Schritt wählen</translation>
    </message>
    <message>
        <source>narrow the expression to fewer series, for example with a label of the device</source>
        <translation>den Ausdruck auf weniger Reihen einschränken, zum Beispiel mit einem Label des Geräts</translation>
    </message>
    <message>
        <source>remove one of them</source>
        <translation>einen davon entfernen</translation>
    </message>
    <message>
        <source>see it below</source>
        <translation>er steht unten</translation>
    </message>
    <message>
        <source>shorten it</source>
        <translation>ihn kürzen</translation>
    </message>
    <message>
        <source>check its labels, or choose a longer time range</source>
        <translation>seine Labels prüfen oder einen längeren Zeitraum wählen</translation>
    </message>
    <message>
        <source>use another folder with --data, or omit the options to continue with this one</source>
        <translation>einen anderen Ordner mit --data verwenden, oder die Optionen weglassen, um mit diesem weiterzumachen</translation>
    </message>
    <message>
        <source>set TMPDIR to a folder that you can write to</source>
        <translation>TMPDIR auf einen beschreibbaren Ordner setzen</translation>
    </message>
    <message>
        <source>free some space in the folder for temporary files</source>
        <translation>im Ordner für temporäre Dateien Platz schaffen</translation>
    </message>
    <message>
        <source>restore the data folder from a backup; &quot;gpuledger-cli verify&quot; shows what else is damaged</source>
        <translation>den Datenordner aus einer Sicherung wiederherstellen; „gpuledger-cli verify“ zeigt, was sonst noch beschädigt ist</translation>
    </message>
    <message>
        <source>wait for the running sync to finish, then try again</source>
        <translation>warten, bis der laufende Abgleich fertig ist, dann erneut versuchen</translation>
    </message>
    <message>
        <source>shorten it, and keep the details elsewhere</source>
        <translation>sie kürzen und die Einzelheiten anderswo ablegen</translation>
    </message>
    <message>
        <source>the next sync tries again</source>
        <translation>der nächste Abgleich versucht es erneut</translation>
    </message>
    <message>
        <source>check the path of url: it must end before /allocation and /model</source>
        <translation>den Pfad von url prüfen: Er muss vor /allocation und /model enden</translation>
    </message>
    <message>
        <source>set its UTC offset to +00:00 so that its days begin at midnight UTC</source>
        <translation>seinen UTC-Versatz auf +00:00 setzen, damit seine Tage um Mitternacht UTC beginnen</translation>
    </message>
    <message>
        <source>add url: http://… of the OpenCost or Kubecost server</source>
        <translation>url: http://… des OpenCost- oder Kubecost-Servers ergänzen</translation>
    </message>
    <message>
        <source>the server computes each day from its Prometheus: give it more memory, or set timeout to 10m</source>
        <translation>der Server berechnet jeden Tag aus seinem Prometheus: ihm mehr Speicher geben oder timeout auf 10m setzen</translation>
    </message>
    <message>
        <source>check that url points to an OpenCost or Kubecost server and that no proxy truncates its responses</source>
        <translation>prüfen, ob url auf einen OpenCost- oder Kubecost-Server zeigt und kein Proxy dessen Antworten kürzt</translation>
    </message>
    <message>
        <source>responses above 96 MiB are not read: have each server report fewer clusters</source>
        <translation>Antworten über 96 MiB werden nicht gelesen: jeden Server von weniger Clustern berichten lassen</translation>
    </message>
    <message>
        <source>check the permissions of the file and its folder; nothing was changed</source>
        <translation>die Rechte der Datei und ihres Ordners prüfen; nichts wurde geändert</translation>
    </message>
    <message>
        <source>free some space and try again; nothing was changed</source>
        <translation>Platz schaffen und erneut versuchen; nichts wurde geändert</translation>
    </message>
    <message>
        <source>check its permissions, or set TMPDIR to another folder</source>
        <translation>die Rechte prüfen oder TMPDIR auf einen anderen Ordner setzen</translation>
    </message>
    <message>
        <source>free some space there, or set TMPDIR to another folder</source>
        <translation>dort Platz schaffen oder TMPDIR auf einen anderen Ordner setzen</translation>
    </message>
    <message>
        <source>see chargeback in the sample: gpuledger-cli sources add --sample</source>
        <translation>siehe chargeback im Muster: gpuledger-cli sources add --sample</translation>
    </message>
    <message>
        <source>add them to chargeback.accounts, or set chargeback.default_account</source>
        <translation>sie in chargeback.accounts aufnehmen oder chargeback.default_account setzen</translation>
    </message>
    <message>
        <source>request the report again from someone you trust</source>
        <translation>den Bericht noch einmal aus vertrauenswürdiger Quelle anfordern</translation>
    </message>
    <message>
        <source>request the file again from its author</source>
        <translation>die Datei noch einmal beim Ersteller anfordern</translation>
    </message>
    <message>
        <source>check the name and permissions of the file</source>
        <translation>Namen und Rechte der Datei prüfen</translation>
    </message>
    <message>
        <source>omit --month, or look up that month where the report was made</source>
        <translation>--month weglassen, oder dort nach diesem Monat sehen, wo der Bericht erstellt wurde</translation>
    </message>
    <message>
        <source>do this where the report was made</source>
        <translation>dies dort tun, wo der Bericht erstellt wurde</translation>
    </message>
    <message>
        <source>fetch it with: gpuledger-cli sync</source>
        <translation>abrufen mit: gpuledger-cli sync</translation>
    </message>
    <message>
        <source>install the newer version of GPU Ledger that wrote it</source>
        <translation>die neuere Version von GPU Ledger installieren, die sie geschrieben hat</translation>
    </message>
    <message>
        <source>if no one else can have read it, run chmod 600 on it; otherwise move it away, and a new key is created</source>
        <translation>kann ihn niemand sonst gelesen haben, chmod 600 darauf ausführen; sonst ihn beiseitelegen, dann wird ein neuer Schlüssel erzeugt</translation>
    </message>
    <message>
        <source>restore it from a backup, or move it away, and a new key is created</source>
        <translation>ihn aus einer Sicherung wiederherstellen oder beiseitelegen, dann wird ein neuer Schlüssel erzeugt</translation>
    </message>
    <message>
        <source>make the data folder writable: reports are signed with a key that is stored there</source>
        <translation>den Datenordner beschreibbar machen: Berichte werden mit einem Schlüssel signiert, der dort liegt</translation>
    </message>
    <message>
        <source>free some space and try again</source>
        <translation>Platz schaffen und erneut versuchen</translation>
    </message>
    <message>
        <source>settle one of them first</source>
        <translation>zuerst eine davon erledigen</translation>
    </message>
    <message>
        <source>wait until it has finished</source>
        <translation>warten, bis das abgeschlossen ist</translation>
    </message>
    <message>
        <source>pass ids from the idle list</source>
        <translation>Kennungen aus der Leerlaufliste angeben</translation>
    </message>
    <message>
        <source>see the checks with: act plan</source>
        <translation>die Prüfungen zeigt: act plan</translation>
    </message>
    <message>
        <source>review the plan again</source>
        <translation>den Plan noch einmal ansehen</translation>
    </message>
    <message>
        <source>see the ids with: idle --json</source>
        <translation>die Kennungen zeigt: idle --json</translation>
    </message>
    <message>
        <source>add the source again to bring back what was stopped through it</source>
        <translation>die Quelle wieder hinzufügen, um zurückzuholen, was über sie gestoppt wurde</translation>
    </message>
    <message>
        <source>omit --now</source>
        <translation>--now weglassen</translation>
    </message>
    <message>
        <source>run &quot;gpuledger-cli verify&quot; to see what else is damaged</source>
        <translation>„gpuledger-cli verify“ ausführen; es zeigt, was sonst noch beschädigt ist</translation>
    </message>
    <message>
        <source>free some space there and try again</source>
        <translation>dort Platz schaffen und erneut versuchen</translation>
    </message>
    <message>
        <source>see the actions with: act log</source>
        <translation>die Aktionen zeigt: act log</translation>
    </message>
    <message>
        <source>delete the file to reset the demo fleet to a state in which nothing is stopped</source>
        <translation>die Datei löschen: In der Demo-Flotte ist dann wieder nichts gestoppt</translation>
    </message>
    <message>
        <source>set path of this source, or use the built-in demo fleet</source>
        <translation>path dieser Quelle setzen oder die eingebaute Demo-Flotte verwenden</translation>
    </message>
    <message>
        <source>wait until the time set in actions.cooldown has passed</source>
        <translation>warten, bis die in actions.cooldown eingestellte Zeit vergangen ist</translation>
    </message>
    <message>
        <source>wait, or raise actions.max_per_hour in the configuration</source>
        <translation>warten oder actions.max_per_hour in der Konfiguration erhöhen</translation>
    </message>
    <message>
        <source>add auth: { type: sigv4, region: us-east-1, profile: NAME }</source>
        <translation>auth: { type: sigv4, region: us-east-1, profile: NAME } ergänzen</translation>
    </message>
    <message>
        <source>use a profile with keys, an assumed role or an SSO login</source>
        <translation>ein Profil mit Schlüsseln, einer angenommenen Rolle oder einer SSO-Anmeldung verwenden</translation>
    </message>
    <message>
        <source>log in again: aws sso login --profile PROFILE</source>
        <translation>neu anmelden: aws sso login --profile PROFIL</translation>
    </message>
    <message>
        <source>check source_profile in the AWS config file</source>
        <translation>source_profile in der Konfigurationsdatei von AWS prüfen</translation>
    </message>
    <message>
        <source>check auth.profile of this source and ~/.aws/config</source>
        <translation>auth.profile dieser Quelle und ~/.aws/config prüfen</translation>
    </message>
    <message>
        <source>run aws configure or aws sso login, and set the profile under auth</source>
        <translation>aws configure oder aws sso login ausführen und das Profil unter auth setzen</translation>
    </message>
    <message>
        <source>run aws configure sso</source>
        <translation>aws configure sso ausführen</translation>
    </message>
    <message>
        <source>correct this computer&apos;s clock: AWS accepts a difference of at most five minutes</source>
        <translation>die Uhr dieses Rechners stellen: AWS duldet höchstens fünf Minuten Unterschied</translation>
    </message>
    <message>
        <source>log in again or check the profile; the region may also need to be enabled</source>
        <translation>neu anmelden oder das Profil prüfen; vielleicht muss auch die Region freigeschaltet werden</translation>
    </message>
    <message>
        <source>ask your AWS administrator to allow this action on this resource</source>
        <translation>die Verwaltung des AWS-Kontos bitten, diese Aktion für diese Ressource zu erlauben</translation>
    </message>
    <message>
        <source>AWS limits requests per account and region; try again in a minute</source>
        <translation>AWS begrenzt die Anfragen je Konto und Region; in einer Minute erneut versuchen</translation>
    </message>
    <message>
        <source>check the path; it is relative to the kubeconfig</source>
        <translation>den Pfad prüfen; er gilt ab dem Ordner der kubeconfig</translation>
    </message>
    <message>
        <source>check tokenFile in the kubeconfig and the permissions of the file</source>
        <translation>tokenFile in der kubeconfig und die Rechte der Datei prüfen</translation>
    </message>
    <message>
        <source>convert it with gke-gcloud-auth-plugin</source>
        <translation>mit gke-gcloud-auth-plugin umstellen</translation>
    </message>
    <message>
        <source>convert it with kubelogin</source>
        <translation>mit kubelogin umstellen</translation>
    </message>
    <message>
        <source>check that server in the kubeconfig is an API server and that no login page is in front of it</source>
        <translation>prüfen, ob server in der kubeconfig ein API-Server ist und keine Anmeldeseite davor steht</translation>
    </message>
    <message>
        <source>log in with kubectl first, or use a token</source>
        <translation>zuerst mit kubectl anmelden oder ein Token verwenden</translation>
    </message>
    <message>
        <source>check what is running now</source>
        <translation>nachsehen, was jetzt läuft</translation>
    </message>
    <message>
        <source>set certificate-authority to the cluster&apos;s authority instead</source>
        <translation>stattdessen certificate-authority auf die Zertifizierungsstelle des Clusters setzen</translation>
    </message>
    <message>
        <source>set kubeconfig to the file and context to the name of its context</source>
        <translation>kubeconfig auf die Datei setzen und context auf den Namen ihres Kontexts</translation>
    </message>
    <message>
        <source>renew the kubeconfig with your provider&apos;s tool</source>
        <translation>die kubeconfig mit dem Werkzeug des Anbieters erneuern</translation>
    </message>
    <message>
        <source>set it in a script of your own that starts the program</source>
        <translation>in einem eigenen Skript setzen, das das Programm startet</translation>
    </message>
    <message>
        <source>set kubeconfig of this source, or KUBECONFIG</source>
        <translation>kubeconfig dieser Quelle oder KUBECONFIG setzen</translation>
    </message>
    <message>
        <source>see the contexts with: kubectl config get-contexts</source>
        <translation>die Kontexte zeigt: kubectl config get-contexts</translation>
    </message>
    <message>
        <source>check it with: kubectl config view</source>
        <translation>prüfen mit: kubectl config view</translation>
    </message>
    <message>
        <source>log in again with kubectl, or renew the token of this source</source>
        <translation>neu mit kubectl anmelden oder das Token dieser Quelle erneuern</translation>
    </message>
    <message>
        <source>grant this permission to the account of this source</source>
        <translation>dem Konto dieser Quelle dieses Recht geben</translation>
    </message>
    <message>
        <source>set actions: { stop_marked: true } in the configuration</source>
        <translation>actions: { stop_marked: true } in der Konfiguration setzen</translation>
    </message>
    <message>
        <source>review it and stop it yourself</source>
        <translation>selbst prüfen und selbst stoppen</translation>
    </message>
    <message>
        <source>mark less at once, or stop it yourself</source>
        <translation>weniger auf einmal vormerken oder selbst stoppen</translation>
    </message>
    <message>
        <source>check the role, or set a profile under auth</source>
        <translation>die Rolle prüfen oder unter auth ein Profil setzen</translation>
    </message>
    <message>
        <source>check AWS_CONTAINER_CREDENTIALS_FULL_URI</source>
        <translation>AWS_CONTAINER_CREDENTIALS_FULL_URI prüfen</translation>
    </message>
    <message>
        <source>sync again once the server has all its data; if the data was deleted there on purpose: sync --accept-gone</source>
        <translation>erneut abgleichen, wenn der Server wieder alle Daten hat; wurden sie dort absichtlich gelöscht: sync --accept-gone</translation>
    </message>
    <message>
        <source>check this computer&apos;s clock, or the value of --now</source>
        <translation>die Uhr dieses Rechners prüfen, oder den Wert von --now</translation>
    </message>
    <message>
        <source>run &quot;gpuledger-cli verify&quot; and report its output; the data stored so far is kept</source>
        <translation>„gpuledger-cli verify“ ausführen und die Ausgabe melden; die bisher gespeicherten Daten bleiben erhalten</translation>
    </message>
    <message>
        <source>check that url points to a Prometheus server and that no proxy truncates its responses</source>
        <translation>prüfen, ob url auf einen Prometheus-Server zeigt und kein Proxy dessen Antworten kürzt</translation>
    </message>
    <message>
        <source>run a sync first, and check that the clocks of this computer and the server agree</source>
        <translation>zuerst abgleichen, und prüfen, ob die Uhren dieses Rechners und des Servers übereinstimmen</translation>
    </message>
    <message>
        <source>close every window, then run &quot;gpuledger-cli verify --repair&quot;</source>
        <translation>alle Fenster schließen, dann „gpuledger-cli verify --repair“ ausführen</translation>
    </message>
    <message>
        <source>close every window and program that uses it, then try again</source>
        <translation>alle Fenster und Programme schließen, die ihn verwenden, dann erneut versuchen</translation>
    </message>
    <message>
        <source>run aws configure, or set another profile under auth</source>
        <translation>aws configure ausführen oder unter auth ein anderes Profil setzen</translation>
    </message>
    <message>
        <source>check the path of url (it must end before /api/v1), the tenant set in headers, and that this server scrapes any targets</source>
        <translation>prüfen: den Pfad von url (er muss vor /api/v1 enden), den in headers gesetzten Mandanten, und ob dieser Server überhaupt Ziele abfragt</translation>
    </message>
    <message>
        <source>choose fewer days</source>
        <translation>weniger Tage wählen</translation>
    </message>
    <message>
        <source>check its amounts, or export it in a currency with larger units</source>
        <translation>die Beträge prüfen, oder die Datei in einer Währung mit größeren Einheiten exportieren</translation>
    </message>
    <message>
        <source>`gpuledger-cli sources add --sample` writes a configuration to start from, and `gpuledger-cli demo` needs none</source>
        <translation>`gpuledger-cli sources add --sample` schreibt eine Konfiguration für den Anfang, und `gpuledger-cli demo` braucht keine</translation>
    </message>
    <message>
        <source>pass the file with --config</source>
        <translation>die Datei mit --config angeben</translation>
    </message>
    <message>
        <source>choose another folder</source>
        <translation>einen anderen Ordner wählen</translation>
    </message>
    <message>
        <source>choose another printer</source>
        <translation>einen anderen Drucker wählen</translation>
    </message>
    <message>
        <source>ask your AWS administrator to allow ce:GetCostAndUsage; for a member account, the management account must also allow access to Cost Explorer</source>
        <translation>bitten Sie Ihre AWS-Administration, ce:GetCostAndUsage zu erlauben; bei einem Mitgliedskonto muss auch das Verwaltungskonto den Zugriff auf den Cost Explorer erlauben</translation>
    </message>
    <message>
        <source>open Cost Explorer once in the AWS console; its data is there a day later</source>
        <translation>öffnen Sie den Cost Explorer einmal in der AWS-Konsole; einen Tag später sind seine Daten da</translation>
    </message>
    <message>
        <source>shorten first_sync of this source: Cost Explorer keeps days of the last 13 months</source>
        <translation>verkürzen Sie first_sync dieser Quelle: Der Cost Explorer hält Tage der letzten 13 Monate vor</translation>
    </message>
    <message>
        <source>raise requests of this source; the months that were answered are kept and not paid for again</source>
        <translation>erhöhen Sie requests dieser Quelle; bereits beantwortete Monate bleiben erhalten und werden nicht noch einmal bezahlt</translation>
    </message>
    <message>
        <source>sync in an hour; what was stored stays until then</source>
        <translation>synchronisieren Sie in einer Stunde; bis dahin bleibt, was gespeichert ist</translation>
    </message>
    <message>
        <source>check bucket and prefix; AWS writes the first files up to a day after an export was created</source>
        <translation>prüfen Sie bucket und prefix; AWS schreibt die ersten Dateien bis zu einem Tag, nachdem ein Export angelegt wurde</translation>
    </message>
    <message>
        <source>add the name of one of them to prefix; another bill is another source</source>
        <translation>ergänzen Sie prefix um den Namen eines davon; eine weitere Rechnung ist eine weitere Quelle</translation>
    </message>
    <message>
        <source>in AWS Data Exports, choose FOCUS as the table and text/csv with gzip as the format</source>
        <translation>wählen Sie in AWS Data Exports FOCUS als Tabelle und text/csv mit gzip als Format</translation>
    </message>
    <message>
        <source>restore it, or delete the manifest of this month as well</source>
        <translation>stellen Sie die Datei wieder her, oder löschen Sie auch das Manifest dieses Monats</translation>
    </message>
    <message>
        <source>store the secret&apos;s value, not its id, where auth.password refers to</source>
        <translation>speichern Sie dort, worauf auth.password verweist, den Wert des geheimen Clientschlüssels, nicht seine ID</translation>
    </message>
    <message>
        <source>create a new secret for the application, and store it</source>
        <translation>erstellen Sie einen neuen geheimen Clientschlüssel für die Anwendung, und speichern Sie ihn</translation>
    </message>
    <message>
        <source>check auth.user, the application (client) id, and tenant</source>
        <translation>prüfen Sie auth.user, die Anwendungs-ID (Client-ID), und tenant</translation>
    </message>
    <message>
        <source>check tenant of this source</source>
        <translation>prüfen Sie tenant dieser Quelle</translation>
    </message>
    <message>
        <source>enable the application in Microsoft Entra</source>
        <translation>aktivieren Sie die Anwendung in Microsoft Entra</translation>
    </message>
    <message>
        <source>correct this computer&apos;s clock</source>
        <translation>stellen Sie die Uhr dieses Rechners richtig</translation>
    </message>
    <message>
        <source>create a new key for the service account in Google Cloud, and store it</source>
        <translation>erstellen Sie in Google Cloud einen neuen Schlüssel für das Dienstkonto und speichern Sie ihn</translation>
    </message>
    <message>
        <source>log in again: gcloud auth application-default login</source>
        <translation>melden Sie sich neu an: gcloud auth application-default login</translation>
    </message>
    <message>
        <source>grant the account of this source the roles BigQuery Job User on the project that runs the queries and BigQuery Data Viewer on the dataset; without them nothing of this bill is shown</source>
        <translation>geben Sie dem Konto dieser Quelle die Rollen BigQuery Job User im Projekt, in dem die Abfragen laufen, und BigQuery Data Viewer am Dataset; ohne sie wird nichts von dieser Rechnung gezeigt</translation>
    </message>
    <message>
        <source>enable the BigQuery API and billing for the project that runs the queries</source>
        <translation>schalten Sie die BigQuery-API und die Abrechnung für das Projekt ein, in dem die Abfragen laufen</translation>
    </message>
    <message>
        <source>check project, dataset and table; Google creates the table up to a day after the export was switched on</source>
        <translation>prüfen Sie project, dataset und table; Google legt die Tabelle bis zu einem Tag nach dem Einschalten des Exports an</translation>
    </message>
    <message>
        <source>set table to the table of the standard or detailed usage cost export itself, not to a view or to another export</source>
        <translation>setzen Sie table auf die Tabelle des Standardexports oder des detaillierten Exports der Nutzungskosten selbst, nicht auf eine Ansicht oder einen anderen Export</translation>
    </message>
    <message>
        <source>raise most_scanned of this source, or use the standard export, which is smaller; Google charges for what a query scans</source>
        <translation>erhöhen Sie most_scanned dieser Quelle, oder verwenden Sie den Standardexport, der kleiner ist; Google berechnet, was eine Abfrage liest</translation>
    </message>
    <message>
        <source>wait until the next day, or raise the quota of queries of the project</source>
        <translation>warten Sie bis zum nächsten Tag, oder erhöhen Sie das Abfragekontingent des Projekts</translation>
    </message>
    <message>
        <source>set table to the standard export, which has fewer rows; machines are then not told apart</source>
        <translation>setzen Sie table auf den Standardexport, der weniger Zeilen hat; Maschinen werden dann nicht unterschieden</translation>
    </message>
    <message>
        <source>check account, container and prefix; Azure writes the first files up to a day after an export was created</source>
        <translation>account, container und prefix prüfen; Azure schreibt die ersten Dateien bis zu einem Tag, nachdem ein Export angelegt wurde</translation>
    </message>
    <message>
        <source>in Cost Management, choose cost and usage details (FOCUS) as the type of the export, and CSV as its format</source>
        <translation>in Cost Management als Typ des Exports Kosten- und Nutzungsdetails (FOCUS) wählen, und CSV als Format</translation>
    </message>
    <message>
        <source>write one row for each instance type, with the columns machine, gpus, currency and per_hour</source>
        <translation>schreiben Sie eine Zeile für jeden Instanztyp, mit den Spalten machine, gpus, currency und per_hour</translation>
    </message>
    <message>
        <source>write it with: infracost breakdown --format json --out-file FILE</source>
        <translation>schreiben Sie sie mit: infracost breakdown --format json --out-file FILE</translation>
    </message>
    <message>
        <source>add one of the kind infracost, with the path of its output: sources add plans --kind infracost --path FILE</source>
        <translation>fügen Sie eine der Art infracost hinzu, mit dem Pfad ihrer Ausgabe: sources add plans --kind infracost --path FILE</translation>
    </message>
    <message>
        <source>see Claimed savings in the chapter Connect</source>
        <translation>siehe Angebliche Einsparungen im Kapitel Verbinden</translation>
    </message>
    <message>
        <source>write it like: saved=Net savings, from=Month</source>
        <translation>so schreiben: saved=Net savings, from=Month</translation>
    </message>
    <message>
        <source>add one of the kind claims, with the path of a CSV file: sources add claims --kind claims --path FILE</source>
        <translation>eine der Art claims hinzufügen, mit dem Pfad einer CSV-Datei: sources add claims --kind claims --path FILE</translation>
    </message>
    <message>
        <source>set auth to { type: bearer, token: file:PATH } with the key file of a service account, the file of gcloud auth application-default login or the credential file of an identity pool, refer to a token, or leave auth out on a machine of Google Cloud</source>
        <translation>auth auf { type: bearer, token: file:PFAD } setzen, mit der Schlüsseldatei eines Dienstkontos, der Datei von gcloud auth application-default login oder der Zugangsdatei eines Identitätspools, auf ein Token verweisen, oder auth auf einem Rechner von Google Cloud weglassen</translation>
    </message>
    <message>
        <source>set auth to { type: bearer, token: file:PATH } with the credentials file of a service account, or refer to a token</source>
        <translation>auth auf { type: bearer, token: file:PFAD } mit der Zugangsdatei eines Dienstkontos setzen, oder auf ein Token verweisen</translation>
    </message>
    <message>
        <source>create a new authorized key for the service account: nebius iam auth-public-key generate</source>
        <translation>einen neuen autorisierten Schlüssel für das Dienstkonto erzeugen: nebius iam auth-public-key generate</translation>
    </message>
    <message>
        <source>renew the token, or check the authorized key of the service account and this computer&apos;s clock</source>
        <translation>das Token erneuern, oder den autorisierten Schlüssel des Dienstkontos und die Uhr dieses Computers prüfen</translation>
    </message>
    <message>
        <source>add the service account to a group with the role viewer in the project; stopping and starting need the role editor</source>
        <translation>das Dienstkonto in eine Gruppe mit der Rolle viewer im Projekt aufnehmen; zum Stoppen und Starten ist die Rolle editor nötig</translation>
    </message>
    <message>
        <source>check the id of the project</source>
        <translation>die ID des Projekts prüfen</translation>
    </message>
    <message>
        <source>attach a service account to this machine in Google Cloud, or set auth to { type: bearer, token: file:PATH } with a key file or a credential file</source>
        <translation>diesem Rechner in Google Cloud ein Dienstkonto zuordnen, oder auth auf { type: bearer, token: file:PFAD } setzen, mit einer Schlüsseldatei oder Zugangsdatei</translation>
    </message>
    <message>
        <source>unset GCE_METADATA_HOST, or set it to a loopback or link-local address</source>
        <translation>GCE_METADATA_HOST löschen oder auf eine Loopback- oder Link-Local-Adresse setzen</translation>
    </message>
    <message>
        <source>give the machine the access scope cloud-platform: gcloud compute instances set-service-account</source>
        <translation>dem Rechner den Zugriffsbereich cloud-platform geben: gcloud compute instances set-service-account</translation>
    </message>
    <message>
        <source>create the file again: gcloud iam workload-identity-pools create-cred-config, with subject tokens from a file or a URL</source>
        <translation>die Datei neu erzeugen: gcloud iam workload-identity-pools create-cred-config, mit Tokens aus einer Datei oder von einer URL</translation>
    </message>
    <message>
        <source>check credential_source of the credential file, and that a token is put there</source>
        <translation>credential_source der Zugangsdatei prüfen, und ob dort ein Token abgelegt wird</translation>
    </message>
    <message>
        <source>check audience and subject_token_type of the credential file, the provider of its identity pool with its conditions, and that the subject token has not expired</source>
        <translation>audience und subject_token_type der Zugangsdatei prüfen, den Anbieter ihres Identitätspools mit seinen Bedingungen, und ob das vorgelegte Token noch gültig ist</translation>
    </message>
    <message>
        <source>let the login act as the service account (Workload Identity User for an identity of a pool, else Service Account Token Creator), and enable the IAM Service Account Credentials API</source>
        <translation>die Anmeldung im Namen des Dienstkontos handeln lassen (Workload Identity User für eine Identität eines Pools, sonst Service Account Token Creator), und die IAM Service Account Credentials API aktivieren</translation>
    </message>
    <message>
        <source>set cloud to azure, coreweave, lambda, runpod, vastai or nebius</source>
        <translation>cloud auf azure, coreweave, lambda, runpod, vastai oder nebius setzen</translation>
    </message>
    <message>
        <source>set database and table to the table that AWS Glue has over the files of this export, not to a view; check workgroup, output and athena_url, too</source>
        <translation>database und table auf die Tabelle setzen, die AWS Glue über den Dateien dieses Exports hat, nicht auf eine Sicht; auch workgroup, output und athena_url prüfen</translation>
    </message>
    <message>
        <source>check that the table is over the files of this export, and add the month to it, for example by MSCK REPAIR TABLE or the crawler that made it</source>
        <translation>prüfen, ob die Tabelle über den Dateien dieses Exports liegt, und ihr den Monat hinzufügen, etwa mit MSCK REPAIR TABLE oder dem Crawler, der sie angelegt hat</translation>
    </message>
    <message>
        <source>raise most_scanned of this source, or the limit of the workgroup; Athena charges for what a query scans, which is less of Parquet than of CSV</source>
        <translation>most_scanned dieser Quelle oder die Grenze der Arbeitsgruppe erhöhen; Athena berechnet, was eine Abfrage liest, und das ist bei Parquet weniger als bei CSV</translation>
    </message>
    <message>
        <source>set output of this source to a folder in S3 that its credentials may write to, or workgroup to one that has such a folder</source>
        <translation>output dieser Quelle auf einen Ordner in S3 setzen, in den ihre Zugangsdaten schreiben dürfen, oder workgroup auf eine Arbeitsgruppe mit einem solchen Ordner</translation>
    </message>
    <message>
        <source>choose Parquet as the format of the export, which has fewer files, or leave out database and table</source>
        <translation>Parquet als Format des Exports wählen, das weniger Dateien hat, oder database und table weglassen</translation>
    </message>
    <message>
        <source>enable the Cloud Billing API in the project of the account: gcloud services enable cloudbilling.googleapis.com; without it no price of Google Cloud is compared</source>
        <translation>im Projekt des Kontos die Cloud Billing API aktivieren: gcloud services enable cloudbilling.googleapis.com; ohne sie wird kein Preis von Google Cloud verglichen</translation>
    </message>
    <message>
        <source>connect the bill of an account: sources add NAME with --kind aws-costs, azure-costs or gcp-billing</source>
        <translation>die Rechnung eines Kontos anbinden: sources add NAME mit --kind aws-costs, azure-costs oder gcp-billing</translation>
    </message>
    <message>
        <source>ask your AWS administrator to allow budgets:ViewBudget</source>
        <translation>den AWS-Administrator bitten, budgets:ViewBudget zu erlauben</translation>
    </message>
    <message>
        <source>assign the role Cost Management Reader to the account at this scope</source>
        <translation>dem Konto in diesem Bereich die Rolle Cost Management Reader zuweisen</translation>
    </message>
    <message>
        <source>grant the role Billing Account Viewer on the billing account, and enable the Cloud Billing Budget API in the project</source>
        <translation>die Rolle Billing Account Viewer für das Rechnungskonto gewähren und im Projekt die Cloud Billing Budget API aktivieren</translation>
    </message>
    <message>
        <source>ask your AWS administrator to allow ce:GetSavingsPlansUtilizationDetails, ce:GetSavingsPlansCoverage, ce:GetReservationUtilization and ce:GetReservationCoverage</source>
        <translation>bitten Sie Ihren AWS-Administrator, ce:GetSavingsPlansUtilizationDetails, ce:GetSavingsPlansCoverage, ce:GetReservationUtilization und ce:GetReservationCoverage zu erlauben</translation>
    </message>
    <message>
        <source>assign the roles Reservations Reader and Savings plan Reader to the account, which an administrator of the tenant can do</source>
        <translation>weisen Sie dem Konto die Rollen Reservations Reader und Savings plan Reader zu; das kann ein Administrator des Mandanten</translation>
    </message>
    <message>
        <source>grant the role Compute Viewer in the project, and enable the Compute Engine API in it</source>
        <translation>vergeben Sie die Rolle Compute Viewer im Projekt und aktivieren Sie darin die Compute Engine API</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::RuleCurveView</name>
    <message>
        <source>GPU-hours back</source>
        <translation>GPU-Stunden zurück</translation>
    </message>
    <message>
        <source>Idle hours back, of workloads</source>
        <translation>Leerlaufstunden zurück, von Workloads</translation>
    </message>
    <message>
        <source>Money back</source>
        <translation>Geld zurück</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>False stops</source>
        <translation>Falsche Stopps</translation>
    </message>
    <message>
        <source>%1 of %2, %3</source>
        <comment>false stops, stops, share</comment>
        <translation>%1 von %2, %3</translation>
    </message>
    <message>
        <source>Hours back against false stops</source>
        <translation>Stunden zurück gegen falsche Stopps</translation>
    </message>
    <message>
        <source>One time for all types</source>
        <translation>Eine Zeit für alle Arten</translation>
    </message>
    <message>
        <source>Rule in use</source>
        <translation>Geltende Regel</translation>
    </message>
    <message>
        <source>Enter or a click fills it in</source>
        <translation>Enter oder ein Klick trägt sie ein</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsActing</name>
    <message>
        <source>Stop…</source>
        <translation>Stoppen…</translation>
    </message>
    <message>
        <source>Mark to stop…</source>
        <translation>Zum Stoppen vormerken…</translation>
    </message>
    <message>
        <source>Undo the stop</source>
        <translation>Stopp rückgängig machen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsActs</name>
    <message>
        <source>The data end before now: sync first (F5).</source>
        <translation>Die Daten reichen nicht bis jetzt: erst abgleichen (F5).</translation>
    </message>
    <message>
        <source>Nothing of it is idle now, and only what is idle is stopped.</source>
        <translation>Nichts davon läuft jetzt leer, und nur was leer läuft, wird gestoppt.</translation>
    </message>
    <message>
        <source>What is idle of it is protected.</source>
        <translation>Was davon leer läuft, ist geschützt.</translation>
    </message>
    <message>
        <source>It was stopped already.</source>
        <translation>Es wurde schon gestoppt.</translation>
    </message>
    <message>
        <source>Stopped at %1</source>
        <comment>time</comment>
        <translation>Gestoppt am %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsAssumptions</name>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>Annahmen</translation>
    </message>
    <message>
        <source>Reset the assumptions</source>
        <translation>Annahmen zurücksetzen</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>an assumption and its value</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsBar</name>
    <message>
        <source>%1 %2</source>
        <comment>a part, its amount</comment>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsButtons</name>
    <message>
        <source>&amp;Stop…</source>
        <translation>&amp;Stoppen…</translation>
    </message>
    <message>
        <source>&amp;Undo the stop</source>
        <translation>Stopp &amp;rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;Accept…</source>
        <translation>&amp;Annehmen…</translation>
    </message>
    <message>
        <source>Take &amp;back</source>
        <translation>&amp;Zurücknehmen</translation>
    </message>
    <message>
        <source>&amp;More</source>
        <comment>actions</comment>
        <translation>&amp;Mehr</translation>
    </message>
    <message>
        <source>More actions for the proposal</source>
        <translation>Weitere Aktionen für den Vorschlag</translation>
    </message>
    <message>
        <source>&amp;Mark to stop…</source>
        <translation>Zum Stoppen vor&amp;merken…</translation>
    </message>
    <message>
        <source>&amp;Dismiss…</source>
        <translation>&amp;Verwerfen…</translation>
    </message>
    <message>
        <source>&amp;Remind me later…</source>
        <translation>Später &amp;erinnern…</translation>
    </message>
    <message>
        <source>Copy as &amp;ticket</source>
        <translation>Als &amp;Ticket kopieren</translation>
    </message>
    <message>
        <source>&amp;Export as workbook…</source>
        <translation>Als Arbeitsmappe &amp;exportieren…</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsChart</name>
    <message>
        <source>The chart can&apos;t be shown: %1</source>
        <comment>with the reason</comment>
        <translation>Das Diagramm kann nicht gezeigt werden: %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsChoices</name>
    <message>
        <source>%1: taken back.</source>
        <comment>a proposal</comment>
        <translation>%1: zurückgenommen.</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <comment>a proposal, what was decided</comment>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>The ticket was copied as Markdown.</source>
        <translation>Das Ticket wurde als Markdown kopiert.</translation>
    </message>
    <message>
        <source>How to do it was copied; nothing was run.</source>
        <translation>Die Anleitung wurde kopiert; nichts wurde ausgeführt.</translation>
    </message>
    <message>
        <source>Take back</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>Accept…</source>
        <translation>Annehmen…</translation>
    </message>
    <message>
        <source>Dismiss…</source>
        <translation>Verwerfen…</translation>
    </message>
    <message>
        <source>Remind me later…</source>
        <translation>Später erinnern…</translation>
    </message>
    <message>
        <source>Copy as ticket</source>
        <translation>Als Ticket kopieren</translation>
    </message>
    <message>
        <source>savings</source>
        <comment>part of a file&apos;s name</comment>
        <translation>ersparnisse</translation>
    </message>
    <message>
        <source>Export as workbook…</source>
        <translation>Als Arbeitsmappe exportieren…</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsPage</name>
    <message>
        <source>All</source>
        <comment>kinds of savings</comment>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Compare</source>
        <comment>prices of other offers</comment>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Kind of savings</source>
        <translation>Art der Einsparung</translation>
    </message>
    <message>
        <source>Proposals</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>Savings replay the past, and nothing was fetched for the chosen range.</source>
        <translation>Einsparungen spielen die Vergangenheit noch einmal durch, und für den gewählten Zeitraum wurde nichts abgerufen.</translation>
    </message>
    <message>
        <source>Choose a longer range.</source>
        <translation>Wählen Sie einen längeren Zeitraum.</translation>
    </message>
    <message>
        <source>Nothing to save was found</source>
        <translation>Nichts einzusparen gefunden</translation>
    </message>
    <message>
        <source>Nothing in %1 could have been given back, switched off, made smaller, moved to spot or committed.</source>
        <comment>a range of time</comment>
        <translation>Nichts in %1 hätte zurückgegeben, abgeschaltet, verkleinert, auf Spot verlegt oder vertraglich gebunden werden können.</translation>
    </message>
    <message>
        <source>A longer range may show more: most kinds need at least 14 days of data.</source>
        <translation>Ein längerer Zeitraum zeigt vielleicht mehr: Die meisten Arten brauchen Daten von mindestens 14 Tagen.</translation>
    </message>
    <message>
        <source>The savings can&apos;t be shown</source>
        <translation>Die Einsparungen können nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Savings of the data up to %1</source>
        <translation>Einsparungen der Daten bis %1</translation>
    </message>
    <message>
        <source>%1, with %2</source>
        <comment>what is shown, assumptions</comment>
        <translation>%1, mit %2</translation>
    </message>
    <message>
        <source>No proposal here</source>
        <translation>Hier ist kein Vorschlag</translation>
    </message>
    <message>
        <source>Nothing of this kind was found in %1.</source>
        <comment>a range of time</comment>
        <translation>Im Zeitraum %1 wurde nichts dieser Art gefunden.</translation>
    </message>
    <message>
        <source>The teams of the filter have none, and none is of several teams or nobody&apos;s.</source>
        <translation>Die Teams des Filters haben keinen, und keiner gehört mehreren Teams oder niemandem.</translation>
    </message>
    <message>
        <source>The other tabs have the rest.</source>
        <translation>Die übrigen stehen in den anderen Reitern.</translation>
    </message>
    <message>
        <source>Saves per month, %1</source>
        <comment>a quantile such as p50</comment>
        <translation>Spart im Monat, %1</translation>
    </message>
    <message>
        <source>Spend per month that it comes from</source>
        <translation>Kosten im Monat, von denen es kommt</translation>
    </message>
    <message>
        <source>Savings found in %1, %2</source>
        <comment>currency, a quantile such as p50</comment>
        <translation>Gefundene Einsparungen in %1, %2</translation>
    </message>
    <message>
        <source>Realized per month, %1: %2</source>
        <comment>a quantile such as p50, what was changed</comment>
        <translation>Pro Monat erreicht, %1: %2</translation>
    </message>
    <message>
        <source>Realized per month in %1, %2</source>
        <comment>currency, a quantile such as p50</comment>
        <translation>Pro Monat erreicht in %1, %2</translation>
    </message>
    <message>
        <source>No data in this range</source>
        <translation>Keine Daten in diesem Zeitraum</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsPanel</name>
    <message>
        <source>Selected proposal</source>
        <translation>Gewählter Vorschlag</translation>
    </message>
    <message>
        <source>How to do it</source>
        <translation>So geht es</translation>
    </message>
    <message>
        <source>Copy how</source>
        <translation>Anleitung kopieren</translation>
    </message>
    <message>
        <source>Owner %1</source>
        <translation>Eigentümer %1</translation>
    </message>
    <message>
        <source>Not counted: %1</source>
        <comment>with the reason</comment>
        <translation>Nicht gezählt: %1</translation>
    </message>
    <message>
        <source>State: %1</source>
        <translation>Stand: %1</translation>
    </message>
    <message>
        <source>Note: %1</source>
        <translation>Notiz: %1</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what was counted, its value</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Risks</source>
        <translation>Risiken</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>Annahmen</translation>
    </message>
    <message>
        <source>Details of the proposal</source>
        <translation>Einzelheiten des Vorschlags</translation>
    </message>
    <message>
        <source>%1 a month would end if none of it were used</source>
        <comment>amount</comment>
        <translation>%1 im Monat würden enden, wenn nichts davon genutzt würde</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsSummary</name>
    <message>
        <source>Realized</source>
        <translation>Erreicht</translation>
    </message>
    <message>
        <source>Savings found, without double counting</source>
        <translation>Gefundene Einsparungen, ohne Doppelzählung</translation>
    </message>
    <message>
        <source>Savings by kind</source>
        <translation>Einsparungen nach Art</translation>
    </message>
    <message>
        <source>Not known: %1</source>
        <translation>Nicht bekannt: %1</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Wird gemessen…</translation>
    </message>
    <message>
        <source>0 a month: nothing counts</source>
        <translation>0 im Monat: nichts zählt</translation>
    </message>
    <message>
        <source>a month</source>
        <translation>im Monat</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsTable</name>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>The workload, pool of nodes or machine type that it is about</source>
        <translation>Die Arbeitslast, der Knotenpool oder der Maschinentyp, um den es geht</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Whose it is; nothing: several teams, or nobody</source>
        <translation>Wem es gehört; nichts: mehreren Teams oder niemandem</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>What would be done</source>
        <translation>Was getan würde</translation>
    </message>
    <message>
        <source>Now, a month</source>
        <translation>Jetzt, im Monat</translation>
    </message>
    <message>
        <source>Saves</source>
        <translation>Spart</translation>
    </message>
    <message>
        <source>Saved per month: half of the replayed pasts saved more</source>
        <translation>Ersparnis im Monat: Die Hälfte der durchgespielten Vergangenheiten sparte mehr</translation>
    </message>
    <message>
        <source>p10–p90</source>
        <translation>p10–p90</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Stand</translation>
    </message>
    <message>
        <source>p10</source>
        <comment>column of amounts</comment>
        <translation>p10</translation>
    </message>
    <message>
        <source>Nine of ten replayed pasts saved more</source>
        <translation>Neun von zehn durchgespielten Vergangenheiten sparten mehr</translation>
    </message>
    <message>
        <source>p90</source>
        <comment>column of amounts</comment>
        <translation>p90</translation>
    </message>
    <message>
        <source>One of ten replayed pasts saved more</source>
        <translation>Eine von zehn durchgespielten Vergangenheiten sparte mehr</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>Währung</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Kennung</translation>
    </message>
    <message>
        <source>As the command line names it</source>
        <translation>Wie die Befehlszeile ihn nennt</translation>
    </message>
    <message>
        <source>To decide</source>
        <comment>proposals</comment>
        <translation>Zu entscheiden</translation>
    </message>
    <message>
        <source>Accepted</source>
        <comment>proposals</comment>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Later</source>
        <comment>proposals</comment>
        <translation>Später</translation>
    </message>
    <message>
        <source>Dismissed</source>
        <comment>proposals</comment>
        <translation>Verworfen</translation>
    </message>
    <message>
        <source>Not counted</source>
        <comment>proposals</comment>
        <translation>Nicht gezählt</translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s)</source>
        <translation>
            <numerusform>%n Vorschlag</numerusform>
            <numerusform>%n Vorschläge</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>title of a column, currency</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>From what nine of ten replayed pasts exceeded to what one of ten did, on one scale; the mark is the middle</source>
        <translation>Von dem, was neun von zehn nachgespielten Vergangenheiten übertrafen, bis zu dem, was eine von zehn übertraf, auf einer Skala; der Strich ist die Mitte</translation>
    </message>
    <message>
        <source>What was decided about it, or why it does not count</source>
        <translation>Was dazu entschieden wurde, oder warum es nicht zählt</translation>
    </message>
    <message>
        <source>Cost per month of 730 hours that would end if none of it were used; sunk money is not in it</source>
        <translation>Kosten je Monat von 730 Stunden, die enden würden, wenn nichts davon genutzt würde; schon gebundenes Geld ist nicht enthalten</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsText</name>
    <message>
        <source>Scale-down delay</source>
        <translation>Wartezeit vor dem Verkleinern</translation>
    </message>
    <message>
        <source>Headroom for arrivals</source>
        <translation>Reserve für neue Arbeit</translation>
    </message>
    <message>
        <source>Nodes kept on</source>
        <translation>Immer laufende Knoten</translation>
    </message>
    <message>
        <source>Off-hours</source>
        <translation>Ruhezeiten</translation>
    </message>
    <message>
        <source>Machine ends after</source>
        <translation>Maschine endet nach</translation>
    </message>
    <message>
        <source>Memory headroom</source>
        <translation>Speicherreserve</translation>
    </message>
    <message>
        <source>Activity headroom</source>
        <translation>Rechenreserve</translation>
    </message>
    <message>
        <source>Too small, production</source>
        <translation>Zu klein, Produktion</translation>
    </message>
    <message>
        <source>Too small, other work</source>
        <translation>Zu klein, andere Arbeit</translation>
    </message>
    <message>
        <source>Checkpoint every</source>
        <translation>Sicherungspunkt alle</translation>
    </message>
    <message>
        <source>Checkpoint takes</source>
        <translation>Sicherungspunkt dauert</translation>
    </message>
    <message>
        <source>Restart takes</source>
        <translation>Neustart dauert</translation>
    </message>
    <message>
        <source>May end later by</source>
        <translation>Darf später enden um</translation>
    </message>
    <message>
        <source>Demand changes by</source>
        <translation>Bedarf ändert sich um</translation>
    </message>
    <message>
        <source>Days of demand needed</source>
        <translation>Nötige Tage mit Bedarf</translation>
    </message>
    <message>
        <source>Capacity</source>
        <translation>Kapazität</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Zeitplan</translation>
    </message>
    <message>
        <source>Right-size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Spot</source>
        <translation>Spot</translation>
    </message>
    <message>
        <source>Commitments</source>
        <translation>Zusagen</translation>
    </message>
    <message>
        <source>best policy</source>
        <translation>beste Regel</translation>
    </message>
    <message>
        <source>none</source>
        <comment>no hours of the week</comment>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>an assumption and its value</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>What it saves can&apos;t be computed</source>
        <translation>Was es spart, lässt sich nicht berechnen</translation>
    </message>
    <message>
        <source>accepted by %1</source>
        <translation>angenommen von %1</translation>
    </message>
    <message>
        <source>accepted by %1 until %2</source>
        <translation>angenommen von %1 bis %2</translation>
    </message>
    <message>
        <source>dismissed: %1</source>
        <comment>with the reason</comment>
        <translation>verworfen: %1</translation>
    </message>
    <message>
        <source>again on %1</source>
        <translation>wieder am %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>kind of saving, and what it is about</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 a month</source>
        <comment>an amount</comment>
        <translation>%1 im Monat</translation>
    </message>
    <message>
        <source>the past is too short for a band</source>
        <translation>die Vergangenheit ist für eine Spanne zu kurz</translation>
    </message>
    <message>
        <source>left out as overlapping: %1</source>
        <translation>als Überschneidung weggelassen: %1</translation>
    </message>
    <message>
        <source>Nothing accepted yet</source>
        <translation>Noch nichts angenommen</translation>
    </message>
    <message>
        <source>%1 a month, measured for %2</source>
        <comment>amount, &quot;3 proposals&quot;</comment>
        <translation>%1 im Monat, gemessen für %2</translation>
    </message>
    <message numerus="yes">
        <source>%n proposal(s)</source>
        <translation>
            <numerusform>%n Vorschlag</numerusform>
            <numerusform>%n Vorschläge</numerusform>
        </translation>
    </message>
    <message>
        <source>projected %1</source>
        <translation>vorhergesagt %1</translation>
    </message>
    <message numerus="yes">
        <source>%n accepted, too early to measure</source>
        <translation>
            <numerusform>%n angenommen, für eine Messung zu früh</numerusform>
            <numerusform>%n angenommen, für eine Messung zu früh</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n accepted, can&apos;t be measured</source>
        <translation>
            <numerusform>%n angenommen, nicht messbar</numerusform>
            <numerusform>%n angenommen, nicht messbar</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n accepted, not measured yet</source>
        <translation>
            <numerusform>%n angenommen, noch nicht gemessen</numerusform>
            <numerusform>%n angenommen, noch nicht gemessen</numerusform>
        </translation>
    </message>
    <message>
        <source>The filter does not apply here: proposals and sums are of the whole fleet.</source>
        <translation>Der Filter gilt hier nicht: Vorschläge und Summen betreffen die ganze Flotte.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>two sentences</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>The rest of the filter does not apply here.</source>
        <translation>Der übrige Filter gilt hier nicht.</translation>
    </message>
    <message>
        <source>time without any held GPU before a node may leave, rounded up to whole hours</source>
        <translation>Zeit ohne belegte GPU, nach der ein Knoten gehen darf, auf ganze Stunden aufgerundet</translation>
    </message>
    <message>
        <source>percentile of the GPUs newly held in an hour for which empty nodes stay on</source>
        <translation>Perzentil der in einer Stunde neu belegten GPUs, für die leere Knoten anbleiben</translation>
    </message>
    <message>
        <source>nodes of each pool that always stay on</source>
        <translation>Knoten jedes Pools, die immer anbleiben</translation>
    </message>
    <message>
        <source>time until a new node can be used</source>
        <translation>Zeit, bis ein neuer Knoten benutzt werden kann</translation>
    </message>
    <message>
        <source>hours of the week to switch off, such as mon-fri 20-7, sat, sun; best: nights, weekends or both, whichever saves most</source>
        <translation>Stunden der Woche, in denen abgeschaltet wird, etwa Mo–Fr 20–7, Sa, So; beste Regel: Nächte, Wochenenden oder beides, je nachdem, was am meisten spart</translation>
    </message>
    <message>
        <source>off hours with real work above which a workload is not scheduled</source>
        <translation>Anteil der freien Stunden mit echter Arbeit, über dem ein Workload keinen Zeitplan bekommt</translation>
    </message>
    <message>
        <source>off hours without observation above which a workload is not scheduled</source>
        <translation>Anteil der nicht beobachteten freien Stunden, über dem ein Workload keinen Zeitplan bekommt</translation>
    </message>
    <message>
        <source>time from the stop of a workload to the end of its machine&apos;s cost</source>
        <translation>Zeit vom Stopp eines Workloads bis zum Ende der Kosten seiner Maschine</translation>
    </message>
    <message>
        <source>GPU memory above the 99th percentile of what was used</source>
        <translation>GPU-Speicher über dem 99. Perzentil des benutzten</translation>
    </message>
    <message>
        <source>throughput above the 95th percentile of what was used</source>
        <translation>Durchsatz über dem 95. Perzentil des benutzten</translation>
    </message>
    <message>
        <source>memory use (99th percentile) above which nothing smaller is proposed</source>
        <translation>Speichernutzung (99. Perzentil), über der nichts Kleineres vorgeschlagen wird</translation>
    </message>
    <message>
        <source>time in use in which a smaller machine may have been too small, for production</source>
        <translation>Anteil der Nutzungszeit, in dem eine kleinere Maschine zu klein gewesen sein darf, für Produktion</translation>
    </message>
    <message>
        <source>the same for development and batch work</source>
        <translation>dasselbe für Entwicklung und Batch-Arbeit</translation>
    </message>
    <message>
        <source>work between two checkpoints, where nothing says more</source>
        <translation>Arbeit zwischen zwei Checkpoints, wenn nichts Genaueres bekannt ist</translation>
    </message>
    <message>
        <source>time that writing a checkpoint takes</source>
        <translation>Zeit, die das Schreiben eines Checkpoints dauert</translation>
    </message>
    <message>
        <source>time until work goes on after an interruption</source>
        <translation>Zeit, bis die Arbeit nach einer Unterbrechung weitergeht</translation>
    </message>
    <message>
        <source>how much later than on-demand work may end</source>
        <translation>um wie viel später als auf On-Demand-Maschinen die Arbeit enden darf</translation>
    </message>
    <message>
        <source>expected change of the demand during the term</source>
        <translation>erwartete Änderung des Bedarfs während der Laufzeit</translation>
    </message>
    <message>
        <source>days of known demand below which nothing is proposed</source>
        <translation>Tage mit bekanntem Bedarf, unter denen nichts vorgeschlagen wird</translation>
    </message>
    <message>
        <source>no spread in the past</source>
        <translation>keine Streuung in der Vergangenheit</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>two amounts</comment>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>a day: Qt&apos;s date format</comment>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>Saves %1 a month; %2</source>
        <comment>amount, why there is no band</comment>
        <translation>Spart %1 im Monat; %2</translation>
    </message>
    <message>
        <source>Saves %1 a month; 80 % band from %2 to %3</source>
        <translation>Spart %1 im Monat; 80-%-Spanne von %2 bis %3</translation>
    </message>
    <message>
        <source>%1, by %2</source>
        <comment>who does it, until when</comment>
        <translation>%1, bis %2</translation>
    </message>
    <message>
        <source>between %1 and %2 if all rise and fall together</source>
        <translation>zwischen %1 und %2, wenn alle gemeinsam steigen und fallen</translation>
    </message>
    <message>
        <source>80 % band from %1 to %2</source>
        <translation>80-%-Spanne von %1 bis %2</translation>
    </message>
    <message>
        <source>Adds the lower and the upper ends of the proposals&apos; 80 % bands. That is too wide rather than too narrow, because they seldom all save much, or all little, at the same time</source>
        <translation>Addiert die unteren und die oberen Enden der 80-%-Spannen der Vorschläge. Das ist eher zu weit als zu eng, denn selten sparen alle zugleich viel oder alle zugleich wenig</translation>
    </message>
    <message>
        <source>projected %1, error %2</source>
        <comment>amount, signed percentage</comment>
        <translation>vorhergesagt %1, Abweichung %2</translation>
    </message>
    <message>
        <source>of this, %1 where %2 was projected, error %3</source>
        <comment>two amounts, signed percentage</comment>
        <translation>davon %1, wo %2 vorhergesagt war, Abweichung %3</translation>
    </message>
    <message>
        <source>of this, %1 where %2 was projected</source>
        <comment>two amounts</comment>
        <translation>davon %1, wo %2 vorhergesagt war</translation>
    </message>
    <message>
        <source>Listed are the proposals of %1 and what is of several teams or nobody&apos;s; the sums are of the whole fleet.</source>
        <translation>Aufgeführt sind die Vorschläge von %1 und was mehreren Teams oder niemandem gehört; die Summen betreffen die ganze Flotte.</translation>
    </message>
    <message>
        <source>%1, packed</source>
        <comment>a node pool whose work is moved together</comment>
        <translation>%1, gepackt</translation>
    </message>
    <message numerus="yes">
        <source>%n stop(s)</source>
        <translation>
            <numerusform>%n Stopp</numerusform>
            <numerusform>%n Stopps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stop(s), nothing claimed</source>
        <translation>
            <numerusform>%n Stopp, nichts angerechnet</numerusform>
            <numerusform>%n Stopps, nichts angerechnet</numerusform>
        </translation>
    </message>
    <message>
        <source>Node start-up</source>
        <translation>Start eines Knotens</translation>
    </message>
    <message>
        <source>Real work allowed</source>
        <translation>Erlaubte echte Arbeit</translation>
    </message>
    <message>
        <source>Unobserved time allowed</source>
        <translation>Erlaubte unbeobachtete Zeit</translation>
    </message>
    <message>
        <source>Memory use allowed</source>
        <translation>Erlaubte Speichernutzung</translation>
    </message>
    <message>
        <source>In the sum: %1, the rest overlaps with other proposals</source>
        <comment>amount</comment>
        <translation>In der Summe: %1, der Rest überschneidet sich mit anderen Vorschlägen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsTicket</name>
    <message>
        <source>Fact</source>
        <comment>head of a table</comment>
        <translation>Angabe</translation>
    </message>
    <message>
        <source>Value</source>
        <comment>head of a table</comment>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>none, or several</source>
        <translation>keines oder mehrere</translation>
    </message>
    <message>
        <source>Cost now, a month</source>
        <translation>Kosten jetzt, im Monat</translation>
    </message>
    <message>
        <source>Saves a month (p50)</source>
        <translation>Spart im Monat (p50)</translation>
    </message>
    <message>
        <source>80 % band (p10–p90)</source>
        <translation>80-%-Spanne (p10–p90)</translation>
    </message>
    <message>
        <source>Replayed past</source>
        <translation>Durchgespielte Vergangenheit</translation>
    </message>
    <message>
        <source>Not counted</source>
        <translation>Nicht gezählt</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Stand</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>Kennung</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Belege</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>label, value</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Risks</source>
        <translation>Risiken</translation>
    </message>
    <message>
        <source>Assumptions</source>
        <translation>Annahmen</translation>
    </message>
    <message>
        <source>How to do it</source>
        <translation>So geht es</translation>
    </message>
    <message>
        <source>In the sum, a month (p50)</source>
        <translation>In der Summe, pro Monat (p50)</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SavingsViewModel</name>
    <message>
        <source>State</source>
        <comment>what the rows of the table are grouped into</comment>
        <translation>Stand</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ScenarioButton</name>
    <message>
        <source>Scenario %1 was saved.</source>
        <comment>a name</comment>
        <translation>Szenario %1 wurde gespeichert.</translation>
    </message>
    <message>
        <source>Scenario %1 was deleted; the assumptions stay as they are.</source>
        <comment>a name</comment>
        <translation>Szenario %1 wurde gelöscht; die Annahmen bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>Szenario</translation>
    </message>
    <message>
        <source>Scenario: %1 (changed)</source>
        <comment>a name</comment>
        <translation>Szenario: %1 (geändert)</translation>
    </message>
    <message>
        <source>Scenario: %1</source>
        <comment>a name</comment>
        <translation>Szenario: %1</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Delete %1…</source>
        <comment>a scenario</comment>
        <translation>%1 löschen…</translation>
    </message>
    <message>
        <source>Scenario %1: %2 can&apos;t be used; the default is assumed instead.</source>
        <comment>a name, assumptions with their values</comment>
        <translation>Szenario %1: %2 ist nicht verwendbar; stattdessen gilt die Vorgabe.</translation>
    </message>
    <message>
        <source>Delete scenario</source>
        <translation>Szenario löschen</translation>
    </message>
    <message>
        <source>Delete %1?</source>
        <comment>a scenario</comment>
        <translation>%1 löschen?</translation>
    </message>
    <message>
        <source>The command line can&apos;t use it any more either. The assumptions of the page stay as they are.</source>
        <translation>Auch die Befehlszeile kann es dann nicht mehr verwenden. Die Annahmen der Seite bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>Scenario: default assumptions</source>
        <translation>Szenario: Standardannahmen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ScenarioDialog</name>
    <message>
        <source>Save it</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save the assumptions</source>
        <translation>Annahmen speichern</translation>
    </message>
    <message>
        <source>Name of the scenario</source>
        <translation>Name des Szenarios</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gespeichert…</translation>
    </message>
    <message>
        <source>Enter a name.</source>
        <translation>Einen Namen eingeben.</translation>
    </message>
    <message>
        <source>It replaces the scenario of this name.</source>
        <translation>Es ersetzt das Szenario dieses Namens.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SearchButton</name>
    <message>
        <source>Search or command</source>
        <translation>Suche oder Befehl</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Sharing</name>
    <message>
        <source>%1, %2</source>
        <comment>team, currency</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Idle, not paid by any team</source>
        <translation>Leerlauf, den kein Team zahlt</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Own cost</source>
        <translation>Eigene Kosten</translation>
    </message>
    <message>
        <source>As in the statement, with adjustments</source>
        <translation>Wie in der Aufstellung, mit Berichtigungen</translation>
    </message>
    <message>
        <source>Shared out</source>
        <translation>Umgelegt</translation>
    </message>
    <message>
        <source>What the rules move to the team, or from it</source>
        <translation>Was die Regeln dem Team zuschlagen oder abnehmen</translation>
    </message>
    <message>
        <source>Charged</source>
        <translation>Belastet</translation>
    </message>
    <message>
        <source>Sum of both</source>
        <translation>Summe von beidem</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SharingDialog</name>
    <message>
        <source>Apply rules</source>
        <translation>Regeln anwenden</translation>
    </message>
    <message>
        <source>What teams are charged</source>
        <translation>Was Teams belastet wird</translation>
    </message>
    <message>
        <source>Shared and idle cost: %1</source>
        <translation>Gemeinsame und Leerlaufkosten: %1</translation>
    </message>
    <message>
        <source>Close</source>
        <comment>a dialog</comment>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>vision 2, speech 1</source>
        <translation>vision 2, speech 1</translation>
    </message>
    <message>
        <source>Shared cost is paid</source>
        <translation>Gemeinsame Kosten zahlen</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Idle cost is paid</source>
        <translation>Leerlaufkosten zahlen</translation>
    </message>
    <message>
        <source>It can&apos;t be shown</source>
        <translation>Es kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Enter teams with their weights: vision 2, speech 1.</source>
        <translation>Teams mit ihren Gewichten eingeben: vision 2, speech 1.</translation>
    </message>
    <message>
        <source>Applied rules count for every open month and are written to your configuration. Closed months stay as they are.</source>
        <translation>Angewandte Regeln gelten für jeden offenen Monat und stehen dann in Ihrer Konfiguration. Abgeschlossene Monate bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>There is no configuration file: you can see what rules would do, but not apply them.</source>
        <translation>Es gibt keine Konfigurationsdatei: Regeln lassen sich ansehen, aber nicht anwenden.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ShowbackPage</name>
    <message>
        <source>Month</source>
        <translation>Monat</translation>
    </message>
    <message>
        <source>All teams</source>
        <translation>Alle Teams</translation>
    </message>
    <message>
        <source>Teams</source>
        <translation>Teams</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>Drucken…</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Close month…</source>
        <translation>Monat abschließen…</translation>
    </message>
    <message>
        <source>PDF, A4…</source>
        <translation>PDF, A4…</translation>
    </message>
    <message>
        <source>PDF, Letter…</source>
        <translation>PDF, Letter…</translation>
    </message>
    <message>
        <source>Workbook (XLSX)…</source>
        <translation>Arbeitsmappe (XLSX)…</translation>
    </message>
    <message>
        <source>Table (CSV)…</source>
        <translation>Tabelle (CSV)…</translation>
    </message>
    <message>
        <source>Web page (HTML)…</source>
        <translation>Webseite (HTML)…</translation>
    </message>
    <message>
        <source>A PDF for every team…</source>
        <translation>Ein PDF für jedes Team…</translation>
    </message>
    <message>
        <source>A workbook for every team…</source>
        <translation>Eine Arbeitsmappe für jedes Team…</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>Gespeichert: %1</translation>
    </message>
    <message numerus="yes">
        <source>Saved %n statements in %1</source>
        <translation>
            <numerusform>%n Abrechnung in %1 gespeichert</numerusform>
            <numerusform>%n Abrechnungen in %1 gespeichert</numerusform>
        </translation>
    </message>
    <message>
        <source>Writing statements: %1 of %2</source>
        <translation>Abrechnungen werden geschrieben: %1 von %2</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message numerus="yes">
        <source>Stopped after %n statement(s).</source>
        <translation>
            <numerusform>Nach %n Abrechnung angehalten.</numerusform>
            <numerusform>Nach %n Abrechnungen angehalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>The statement was not saved: %1</source>
        <translation>Die Abrechnung wurde nicht gespeichert: %1</translation>
    </message>
    <message>
        <source>The statement can&apos;t be shown</source>
        <translation>Die Abrechnung kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Older data</source>
        <translation>Ältere Daten</translation>
    </message>
    <message>
        <source>Nothing is stored for %1</source>
        <translation>Für %1 liegt nichts vor</translation>
    </message>
    <message>
        <source>Neither bills nor telemetry have been fetched for this month.</source>
        <translation>Für diesen Monat wurden weder Rechnungen noch Messwerte geholt.</translation>
    </message>
    <message>
        <source>Choose another month, or fetch it from a source that has it.</source>
        <translation>Einen anderen Monat wählen oder ihn aus einer Quelle holen, die ihn hat.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>month, cost</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre wenn</translation>
    </message>
    <message>
        <source>Split lens…</source>
        <translation>Aufteilung …</translation>
    </message>
    <message>
        <source>Shared and idle cost…</source>
        <translation>Gemeinsame und Leerlaufkosten …</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>Vorführen</translation>
    </message>
    <message>
        <source>Full screen, one team per slide</source>
        <translation>Vollbild, eine Folie je Team</translation>
    </message>
    <message>
        <source>Mark reviewed</source>
        <translation>Als geprüft</translation>
    </message>
    <message>
        <source>This team&apos;s statement</source>
        <translation>Die Abrechnung dieses Teams</translation>
    </message>
    <message>
        <source>The month, for every team</source>
        <translation>Den Monat, für jedes Team</translation>
    </message>
    <message>
        <source>%1, reviewed</source>
        <comment>month</comment>
        <translation>%1, geprüft</translation>
    </message>
    <message>
        <source>%1, closed</source>
        <comment>month</comment>
        <translation>%1, abgeschlossen</translation>
    </message>
    <message>
        <source>With savings (not in CSV)</source>
        <translation>Mit Einsparungen (nicht in CSV)</translation>
    </message>
    <message>
        <source>Finding what could be saved, for the statement…</source>
        <translation>Mögliche Einsparungen für die Abrechnung werden gesucht…</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ShowbackProofs</name>
    <message>
        <source>Billed, all teams</source>
        <translation>Berechnet, alle Teams</translation>
    </message>
    <message>
        <source>Estimated, all teams</source>
        <translation>Geschätzt, alle Teams</translation>
    </message>
    <message>
        <source>Without an owner</source>
        <translation>Ohne Eigentümer</translation>
    </message>
    <message>
        <source>Bill</source>
        <translation>Rechnung</translation>
    </message>
    <message>
        <source>Difference to bill</source>
        <translation>Differenz zur Rechnung</translation>
    </message>
    <message>
        <source>Unexplained</source>
        <translation>Ungeklärt</translation>
    </message>
    <message>
        <source>Ledger</source>
        <translation>Hauptbuch</translation>
    </message>
    <message>
        <source>Not billed (estimated)</source>
        <translation>Nicht berechnet (geschätzt)</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>figure, currency</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>figure, team</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Billed</source>
        <translation>Berechnet</translation>
    </message>
    <message>
        <source>Estimated</source>
        <translation>Geschätzt</translation>
    </message>
    <message>
        <source>Idle cost</source>
        <translation>Leerlaufkosten</translation>
    </message>
    <message>
        <source>GPU-hours</source>
        <translation>GPU-Stunden</translation>
    </message>
    <message>
        <source>Idle GPU-hours</source>
        <translation>Untätige GPU-Stunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>month, team</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>line, figure</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>GPU-hours without a price</source>
        <translation>GPU-Stunden ohne Preis</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>figure, workload</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Shared out</source>
        <translation>Umgelegt</translation>
    </message>
    <message>
        <source>Charged</source>
        <translation>Belastet</translation>
    </message>
    <message>
        <source>Change by price</source>
        <translation>Änderung durch den Preis</translation>
    </message>
    <message>
        <source>Change by work</source>
        <translation>Änderung durch die Arbeit</translation>
    </message>
    <message>
        <source>Change by efficiency</source>
        <translation>Änderung durch die Effizienz</translation>
    </message>
    <message>
        <source>Change by mix</source>
        <translation>Änderung durch den Mix</translation>
    </message>
    <message>
        <source>Other change</source>
        <translation>Sonstige Änderung</translation>
    </message>
    <message>
        <source>Change by other rules</source>
        <translation>Änderung durch andere Regeln</translation>
    </message>
    <message>
        <source>Change by late data</source>
        <translation>Änderung durch späte Daten</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ShowbackTeams</name>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Cost, %1</source>
        <translation>Kosten, %1</translation>
    </message>
    <message>
        <source>Bills and estimate together</source>
        <translation>Rechnungen und Schätzung zusammen</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Against the month before</source>
        <translation>Gegenüber dem Vormonat</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>How far its statement is signed off</source>
        <translation>Wie weit seine Abrechnung freigegeben ist</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SilenceDialog</name>
    <message>
        <source>Silence %1</source>
        <comment>an alert</comment>
        <translation>%1 stummschalten</translation>
    </message>
    <message>
        <source>For</source>
        <comment>a length of time</comment>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>It is still evaluated and shown, but nothing is sent about it.</source>
        <translation>Es wird weiter ausgewertet und gezeigt, aber nichts darüber gesendet.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Silence</source>
        <translation>Stummschalten</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourceCardView</name>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>source: its state</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>label: value</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Stop sync</source>
        <translation>Abgleich stoppen</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>Jetzt abgleichen</translation>
    </message>
    <message>
        <source>Stop sync of %1</source>
        <translation>Abgleich von %1 stoppen</translation>
    </message>
    <message>
        <source>Sync %1 now</source>
        <translation>%1 jetzt abgleichen</translation>
    </message>
    <message>
        <source>Stop test</source>
        <translation>Test stoppen</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>Stop test of %1</source>
        <translation>Test von %1 stoppen</translation>
    </message>
    <message>
        <source>Test %1</source>
        <translation>%1 testen</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>%1 bearbeiten</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Accept missing data…</source>
        <translation>Fehlende Daten hinnehmen…</translation>
    </message>
    <message>
        <source>Accept missing data at %1…</source>
        <comment>a source</comment>
        <translation>Fehlende Daten bei %1 hinnehmen…</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourceChecklist</name>
    <message>
        <source>Result of the test</source>
        <translation>Ergebnis des Tests</translation>
    </message>
    <message>
        <source>Testing</source>
        <translation>Test läuft</translation>
    </message>
    <message>
        <source>Usable</source>
        <translation>Brauchbar</translation>
    </message>
    <message>
        <source>Not usable</source>
        <translation>Unbrauchbar</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>a test</comment>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Stopped</source>
        <comment>a test</comment>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlt</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Owners</source>
        <translation>Eigentümer</translation>
    </message>
    <message>
        <source>Labels that could name the team: %1</source>
        <translation>Labels, die das Team nennen könnten: %1</translation>
    </message>
    <message>
        <source>Needs consent</source>
        <comment>a test</comment>
        <translation>Zustimmung nötig</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourceDialog</name>
    <message>
        <source>Add a source</source>
        <translation>Quelle hinzufügen</translation>
    </message>
    <message>
        <source>Kind of source</source>
        <translation>Art der Quelle</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>prod</source>
        <comment>example of a source&apos;s name</comment>
        <translation>prod</translation>
    </message>
    <message>
        <source>Shown on every figure that comes from this source</source>
        <translation>Steht bei jeder Zahl, die aus dieser Quelle kommt</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>the same as the name</source>
        <translation>wie der Name</translation>
    </message>
    <message>
        <source>Name of the cluster whose devices are seen here, unless they name it themselves</source>
        <translation>Name des Clusters, dessen Geräte hier zu sehen sind, wenn sie ihn nicht selbst nennen</translation>
    </message>
    <message>
        <source>GPU Ledger only reads there. Servers that speak the Prometheus protocol work too: Thanos, Mimir, VictoriaMetrics.</source>
        <translation>GPU Ledger liest dort nur. Auch Server, die das Protokoll von Prometheus sprechen, sind möglich: Thanos, Mimir, VictoriaMetrics.</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>Zugang</translation>
    </message>
    <message>
        <source>No login needed</source>
        <translation>Keine Anmeldung nötig</translation>
    </message>
    <message>
        <source>Bearer token</source>
        <translation>Bearer-Token</translation>
    </message>
    <message>
        <source>User and password</source>
        <translation>Benutzer und Passwort</translation>
    </message>
    <message>
        <source>Client certificate</source>
        <translation>Client-Zertifikat</translation>
    </message>
    <message>
        <source>User</source>
        <translation>Benutzer</translation>
    </message>
    <message>
        <source>reader</source>
        <comment>example of a user&apos;s name</comment>
        <translation>reader</translation>
    </message>
    <message>
        <source>Kept in</source>
        <translation>Aufbewahrt in</translation>
    </message>
    <message>
        <source>Keychain of the system</source>
        <translation>Schlüsselbund des Systems</translation>
    </message>
    <message>
        <source>Environment variable</source>
        <translation>Umgebungsvariable</translation>
    </message>
    <message>
        <source>File that only you can read</source>
        <translation>Datei, die niemand sonst lesen kann</translation>
    </message>
    <message>
        <source>Where the credential is</source>
        <translation>Wo die Zugangsdaten liegen</translation>
    </message>
    <message>
        <source>Under</source>
        <translation>Unter</translation>
    </message>
    <message>
        <source>Certificate file</source>
        <translation>Zertifikatsdatei</translation>
    </message>
    <message>
        <source>Certificate</source>
        <translation>Zertifikat</translation>
    </message>
    <message>
        <source>Key file</source>
        <translation>Schlüsseldatei</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Authority</source>
        <translation>Zertifizierungsstelle</translation>
    </message>
    <message>
        <source>those that the system trusts</source>
        <translation>alle, denen das System vertraut</translation>
    </message>
    <message>
        <source>PEM file of your own certificate authority; certificates are always verified</source>
        <translation>PEM-Datei der eigenen Zertifizierungsstelle; Zertifikate werden immer geprüft</translation>
    </message>
    <message>
        <source>Passwords and tokens are not typed here: the configuration only says where they are kept.</source>
        <translation>Passwörter und Token werden hier nicht eingegeben: die Konfiguration sagt nur, wo sie aufbewahrt sind.</translation>
    </message>
    <message>
        <source>Result of the test</source>
        <translation>Ergebnis des Tests</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Test again</source>
        <translation>Erneut testen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Where is it?</source>
        <translation>Wo ist sie?</translation>
    </message>
    <message>
        <source>What is found there</source>
        <translation>Was dort gefunden wird</translation>
    </message>
    <message>
        <source>How do we log in?</source>
        <translation>Wie melden wir uns an?</translation>
    </message>
    <message>
        <source>Stop test</source>
        <translation>Test stoppen</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Add source</source>
        <translation>Quelle hinzufügen</translation>
    </message>
    <message>
        <source>Add anyway</source>
        <translation>Trotzdem hinzufügen</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>%1 bearbeiten</translation>
    </message>
    <message>
        <source>The name stays: figures are kept under it</source>
        <translation>Der Name bleibt: unter ihm sind die Zahlen abgelegt</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>Wie in der Datei</translation>
    </message>
    <message>
        <source>Command, as in the file</source>
        <translation>Befehl, wie in der Datei</translation>
    </message>
    <message>
        <source>Save</source>
        <comment>a changed source</comment>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save anyway</source>
        <translation>Trotzdem speichern</translation>
    </message>
    <message>
        <source>It can always be read: what holds a GPU, what that belongs to, and what would happen if it were stopped.</source>
        <translation>Lesen ist immer möglich: was eine GPU hält, wozu das gehört und was geschähe, wenn es gestoppt würde.</translation>
    </message>
    <message>
        <source>Workloads may be stopped there, too</source>
        <translation>Workloads dürfen dort auch gestoppt werden</translation>
    </message>
    <message>
        <source>What may be done there?</source>
        <translation>Was ist dort erlaubt?</translation>
    </message>
    <message>
        <source>The name of this cluster in the figures: their workloads are found there by it</source>
        <translation>Der Name dieses Clusters in den Zahlen: unter ihm werden deren Workloads dort gefunden</translation>
    </message>
    <message>
        <source>The figures come from other sources, and the cluster must have the same name there. Nothing is stopped unless you allow it in the next step.</source>
        <translation>Die Zahlen kommen aus anderen Quellen, und der Cluster muss so heißen wie dort. Gestoppt wird nichts, solange der nächste Schritt es nicht erlaubt.</translation>
    </message>
    <message>
        <source>%1, the name in the keychain</source>
        <comment>an example</comment>
        <translation>%1, der Name im Schlüsselbund</translation>
    </message>
    <message>
        <source>%1, the name of the variable</source>
        <comment>an example</comment>
        <translation>%1, der Name der Variablen</translation>
    </message>
    <message>
        <source>%1, the path of the file</source>
        <comment>an example</comment>
        <translation>%1, der Pfad der Datei</translation>
    </message>
    <message>
        <source>Rights of its account, for stopping</source>
        <translation>Rechte des Kontos, zum Stoppen</translation>
    </message>
    <message>
        <source>Rights of its account</source>
        <translation>Rechte des Kontos</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the policy for stopping</source>
        <translation>Richtlinie zum Stoppen kopieren</translation>
    </message>
    <message>
        <source>Copy the policy</source>
        <translation>Richtlinie kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>GPU Ledger only reads there. What is billed takes precedence over the price book. Connect each bill once: an account that two sources report is counted twice.</source>
        <translation>GPU Ledger liest dort nur. Was berechnet wurde, geht der Preisliste vor. Jede Rechnung nur einmal verbinden: Ein Konto, das zwei Quellen melden, wird doppelt gezählt.</translation>
    </message>
    <message>
        <source>GPU Ledger only reads there. The prices are used for time that no bill covers.</source>
        <translation>GPU Ledger liest dort nur. Die Preise gelten für Zeit, die keine Rechnung abdeckt.</translation>
    </message>
    <message>
        <source>What must be allowed there?</source>
        <translation>Was muss dort erlaubt sein?</translation>
    </message>
    <message>
        <source>%1 of %2   %3</source>
        <comment>a step, their number, its title</comment>
        <translation>%1 von %2   %3</translation>
    </message>
    <message>
        <source>The cluster in the figures that has these machines; only needed to stop them</source>
        <translation>Der Cluster in den Zahlen, zu dem diese Maschinen gehören; nur nötig, um sie zu stoppen</translation>
    </message>
    <message>
        <source>What is billed takes precedence over the price book. Connect each bill once: an account that two sources report is counted twice. Nothing is stopped unless you allow it in the next step.</source>
        <translation>Was abgerechnet ist, hat Vorrang vor dem Preisbuch. Jede Rechnung nur einmal anbinden: Ein Konto, das zwei Quellen melden, zählt doppelt. Gestoppt wird nichts, solange es im nächsten Schritt nicht erlaubt wird.</translation>
    </message>
    <message>
        <source>Then what is idle can be stopped from here and brought back, each time only after all checks and a confirmation, and only as far as the platform itself allows it.</source>
        <translation>Dann kann von hier aus gestoppt und zurückgeholt werden, was im Leerlauf ist, jedes Mal erst nach allen Prüfungen und einer Bestätigung und nur, soweit die Plattform selbst es erlaubt.</translation>
    </message>
    <message>
        <source>Machines may be stopped there, too</source>
        <translation>Maschinen dürfen dort auch gestoppt werden</translation>
    </message>
    <message>
        <source>All machines with GPUs are listed, also those that no telemetry sees. To stop one that it sees, the cluster must have the same name there. Nothing is stopped unless you allow it in the next step.</source>
        <translation>Alle Maschinen mit GPUs werden aufgelistet, auch die, die keine Telemetrie sieht. Um eine zu stoppen, die sie sieht, muss der Cluster dort denselben Namen haben. Gestoppt wird nur, wenn es im nächsten Schritt erlaubt wird.</translation>
    </message>
    <message>
        <source>GPU Ledger only reads these files. Their machines with GPUs stand in the tab Compare of the page Savings, beside what such machines cost you now.</source>
        <translation>GPU Ledger liest diese Dateien nur. Ihre Maschinen mit GPUs stehen im Reiter Vergleich der Seite Einsparungen neben dem, was solche Maschinen Sie jetzt kosten.</translation>
    </message>
    <message>
        <source>GPU Ledger only reads these files. The claims stand in the tab Compare of the page Savings, beside your bills before and since.</source>
        <translation>GPU Ledger liest diese Dateien nur. Die Behauptungen stehen im Reiter Vergleich der Seite Einsparungen, neben Ihren Rechnungen davor und seitdem.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourceDraft</name>
    <message>
        <source>The address is missing, for example https://prometheus.example.org</source>
        <translation>Die Adresse fehlt, zum Beispiel https://prometheus.example.org</translation>
    </message>
    <message>
        <source>The name is missing: it is shown on every figure that comes from this source</source>
        <translation>Der Name fehlt: er steht bei jeder Zahl, die aus dieser Quelle kommt</translation>
    </message>
    <message>
        <source>A source with this name already exists</source>
        <translation>Eine Quelle mit diesem Namen gibt es schon</translation>
    </message>
    <message>
        <source>Both files are needed, the certificate and its key</source>
        <translation>Beide Dateien sind nötig, das Zertifikat und sein Schlüssel</translation>
    </message>
    <message>
        <source>The user is missing</source>
        <translation>Der Benutzer fehlt</translation>
    </message>
    <message>
        <source>Say where the credential is kept</source>
        <translation>Angeben, wo die Zugangsdaten aufbewahrt sind</translation>
    </message>
    <message>
        <source>Write the whole path, for example %1</source>
        <translation>Den ganzen Pfad angeben, zum Beispiel %1</translation>
    </message>
    <message>
        <source>The file has no context with this name</source>
        <translation>Die Datei hat keinen Kontext dieses Namens</translation>
    </message>
    <message>
        <source>A region looks like %1</source>
        <translation>Eine Region sieht so aus: %1</translation>
    </message>
    <message>
        <source>The region is missing, for example %1</source>
        <translation>Die Region fehlt, zum Beispiel %1</translation>
    </message>
    <message>
        <source>The name is missing: it is shown wherever something is stopped there</source>
        <translation>Der Name fehlt: er steht überall, wo dort etwas gestoppt wird</translation>
    </message>
    <message>
        <source>Missing: %1, for example %2</source>
        <comment>a setting, a value</comment>
        <translation>Es fehlt: %1, zum Beispiel %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourceLoss</name>
    <message>
        <source>, %1 nodes become %2</source>
        <translation>, aus %1 Knoten werden %2</translation>
    </message>
    <message>
        <source>, %1 node-hours become %2</source>
        <translation>, aus %1 Knotenstunden werden %2</translation>
    </message>
    <message>
        <source>, %1 GPU-hours become %2</source>
        <translation>, aus %1 GPU-Stunden werden %2</translation>
    </message>
    <message numerus="yes">
        <source>The server has less data for %n days than before: %1 instead of %2. The fuller figures are kept until you decide.</source>
        <translation>
            <numerusform>Der Server hat für %n Tag weniger Daten als vorher: %1 statt %2. Die vollständigeren Zahlen bleiben, bis Sie entscheiden.</numerusform>
            <numerusform>Der Server hat für %n Tage weniger Daten als vorher: %1 statt %2. Die vollständigeren Zahlen bleiben, bis Sie entscheiden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The server has less data for %n days than before. The fuller figures are kept until you decide.</source>
        <translation>
            <numerusform>Der Server hat für %n Tag weniger Daten als vorher. Die vollständigeren Zahlen bleiben, bis Sie entscheiden.</numerusform>
            <numerusform>Der Server hat für %n Tage weniger Daten als vorher. Die vollständigeren Zahlen bleiben, bis Sie entscheiden.</numerusform>
        </translation>
    </message>
    <message>
        <source>What the server says now replaces what is stored:</source>
        <translation>Was der Server jetzt sagt, ersetzt das Gespeicherte:</translation>
    </message>
    <message numerus="yes">
        <source>and %n more days</source>
        <translation>
            <numerusform>und %n weiterer Tag</numerusform>
            <numerusform>und %n weitere Tage</numerusform>
        </translation>
    </message>
    <message>
        <source>Every day is fetched again; where the server has less for other days too, that is accepted as well. The fuller figures can&apos;t be brought back unless the server has them again.</source>
        <translation>Jeder Tag wird neu abgefragt; wo der Server auch von anderen Tagen weniger hat, gilt auch das. Die vollständigeren Zahlen lassen sich nicht zurückholen, außer der Server hat sie wieder.</translation>
    </message>
    <message numerus="yes">
        <source>The last sync lacked %n series that were there before. That time is fetched again until you decide.</source>
        <translation>
            <numerusform>Dem letzten Abgleich fehlte %n Zeitreihe, die vorher da war. Diese Zeit wird weiter abgefragt, bis Sie entscheiden.</numerusform>
            <numerusform>Dem letzten Abgleich fehlten %n Zeitreihen, die vorher da waren. Diese Zeit wird weiter abgefragt, bis Sie entscheiden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n devices</source>
        <translation>
            <numerusform>%n Gerät</numerusform>
            <numerusform>%n Geräten</numerusform>
        </translation>
    </message>
    <message>
        <source>no device</source>
        <translation>keinem Gerät</translation>
    </message>
    <message numerus="yes">
        <source>From %1 to %2 the source lacks %n series (%3, %4 device-hours).</source>
        <comment>two times; devices; hours</comment>
        <translation>
            <numerusform>Von %1 bis %2 fehlt der Quelle %n Zeitreihe (von %3, %4 Gerätestunden).</numerusform>
            <numerusform>Von %1 bis %2 fehlen der Quelle %n Zeitreihen (von %3, %4 Gerätestunden).</numerusform>
        </translation>
    </message>
    <message>
        <source>No stored figure changes. But this time then counts as read: what the source may have for it later is no longer fetched, and what is missing stays unobserved, with no cost of its own.</source>
        <translation>Keine gespeicherte Zahl ändert sich. Aber diese Zeit gilt dann als gelesen: Was die Quelle später davon haben mag, wird nicht mehr abgefragt, und was fehlt, bleibt unbeobachtet und ohne eigene Kosten.</translation>
    </message>
    <message>
        <source>%1: %2 becomes less; the next sync finds out how much</source>
        <comment>a day; an amount</comment>
        <translation>%1: aus %2 wird weniger; wie viel, stellt der nächste Abgleich fest</translation>
    </message>
    <message>
        <source>%1: the server gives no price now, so %2 stays</source>
        <comment>a day; an amount</comment>
        <translation>%1: der Server nennt jetzt keinen Preis, darum bleiben %2</translation>
    </message>
    <message>
        <source>%1: %2 becomes %3</source>
        <comment>a day; two amounts</comment>
        <translation>%1: aus %2 werden %3</translation>
    </message>
    <message>
        <source>In all, %1 becomes %2.</source>
        <translation>Insgesamt werden aus %1 %2.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourceRow</name>
    <message numerus="yes">
        <source>%n more</source>
        <comment>sources</comment>
        <translation>
            <numerusform>%n weitere</numerusform>
            <numerusform>%n weitere</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourceTest</name>
    <message>
        <source>Checking what is there…</source>
        <translation>Es wird geprüft, was vorhanden ist…</translation>
    </message>
    <message>
        <source>The test was stopped.</source>
        <translation>Der Test wurde gestoppt.</translation>
    </message>
    <message>
        <source>%1 answers and can be used.</source>
        <comment>a product with its version</comment>
        <translation>%1 antwortet und ist brauchbar.</translation>
    </message>
    <message>
        <source>%1 answers, but no GPU activity was found.</source>
        <comment>a product with its version</comment>
        <translation>%1 antwortet, aber es wurde keine GPU-Aktivität gefunden.</translation>
    </message>
    <message>
        <source>A program would run to log in. Nothing was run: you have not agreed to it yet.</source>
        <translation>Zur Anmeldung würde ein Programm laufen. Nichts wurde gestartet: die Zustimmung fehlt noch.</translation>
    </message>
    <message>
        <source>%1 answers, but nothing can be stopped with these rights.</source>
        <comment>a product with its version</comment>
        <translation>%1 antwortet, aber mit diesen Rechten kann nichts gestoppt werden.</translation>
    </message>
    <message>
        <source>The bill can be read.</source>
        <translation>Die Rechnung ist lesbar.</translation>
    </message>
    <message>
        <source>No bill can be read there yet.</source>
        <translation>Dort ist noch keine Rechnung lesbar.</translation>
    </message>
    <message>
        <source>The plans can be read.</source>
        <translation>Die Pläne können gelesen werden.</translation>
    </message>
    <message>
        <source>No plan was found there.</source>
        <translation>Dort wurde kein Plan gefunden.</translation>
    </message>
    <message>
        <source>The claims can be read.</source>
        <translation>Die Behauptungen können gelesen werden.</translation>
    </message>
    <message>
        <source>No claim was found there.</source>
        <translation>Dort wurde keine Behauptung gefunden.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourcesPage</name>
    <message>
        <source>Where the figures come from</source>
        <translation>Woher die Zahlen kommen</translation>
    </message>
    <message>
        <source>Connect your own…</source>
        <translation>Eigene Quelle verbinden…</translation>
    </message>
    <message>
        <source>Add source…</source>
        <translation>Quelle hinzufügen…</translation>
    </message>
    <message>
        <source>The sources can&apos;t be shown</source>
        <translation>Die Quellen können nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>The owner rules were saved; all figures follow.</source>
        <translation>Die Eigentümerregeln wurden gespeichert; alle Zahlen folgen ihnen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Read the file again</source>
        <translation>Datei neu lesen</translation>
    </message>
    <message>
        <source>%1 was changed.</source>
        <comment>a source</comment>
        <translation>%1 wurde geändert.</translation>
    </message>
    <message>
        <source>Remove source</source>
        <translation>Quelle entfernen</translation>
    </message>
    <message>
        <source>Remove %1?</source>
        <comment>a source</comment>
        <translation>%1 entfernen?</translation>
    </message>
    <message>
        <source>%1 was removed. What it reported stays in the figures.</source>
        <comment>a source</comment>
        <translation>%1 wurde entfernt. Was sie berichtet hat, bleibt in den Zahlen.</translation>
    </message>
    <message>
        <source>Accept missing data</source>
        <translation>Fehlende Daten hinnehmen</translation>
    </message>
    <message>
        <source>Accept that %1 has less than before?</source>
        <comment>a source</comment>
        <translation>Annehmen, dass %1 weniger hat als vorher?</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SourcesViewModel</name>
    <message>
        <source>Syncing</source>
        <translation>Abgleich läuft</translation>
    </message>
    <message>
        <source>Up to date</source>
        <translation>Aktuell</translation>
    </message>
    <message>
        <source>Behind</source>
        <translation>Im Rückstand</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Not synced yet</source>
        <translation>Noch nicht abgeglichen</translation>
    </message>
    <message>
        <source>just now</source>
        <translation>gerade eben</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <comment>a time span</comment>
        <translation>vor %1</translation>
    </message>
    <message>
        <source>Last sync</source>
        <translation>Letzter Abgleich</translation>
    </message>
    <message>
        <source>Lag</source>
        <translation>Rückstand</translation>
    </message>
    <message>
        <source>Data until %1</source>
        <translation>Daten bis %1</translation>
    </message>
    <message>
        <source>Covers</source>
        <translation>Umfasst</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>two days</comment>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>two times</comment>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <comment>devices on nodes</comment>
        <translation>%1 auf %2</translation>
    </message>
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
            <numerusform>%n Knoten</numerusform>
            <numerusform>%n Knoten</numerusform>
        </translation>
    </message>
    <message>
        <source>Seen</source>
        <translation>Gesehen</translation>
    </message>
    <message>
        <source>Since the first sync</source>
        <translation>Seit dem ersten Abgleich</translation>
    </message>
    <message>
        <source>Several sources report on these clusters; the fleet is below</source>
        <translation>Mehrere Quellen berichten von diesen Clustern; die Flotte steht unten</translation>
    </message>
    <message>
        <source>Data received</source>
        <translation>Empfangene Daten</translation>
    </message>
    <message>
        <source>%1 values, %2 rejected, %3 gaps</source>
        <translation>%1 Werte, %2 abgelehnt, %3 Lücken</translation>
    </message>
    <message>
        <source>Averages over 5 minutes; rejected ones were impossible, gaps are time without any</source>
        <translation>Mittel über 5 Minuten; abgelehnte waren unmöglich, Lücken sind Zeit ohne Werte</translation>
    </message>
    <message>
        <source>Rights</source>
        <translation>Rechte</translation>
    </message>
    <message>
        <source>Read and stop</source>
        <translation>Lesen und stoppen</translation>
    </message>
    <message>
        <source>Read only</source>
        <translation>Nur lesen</translation>
    </message>
    <message>
        <source>May stop workloads where the platform allows it too, after you confirm</source>
        <translation>Darf nach Bestätigung Workloads stoppen, wo auch die Plattform es erlaubt</translation>
    </message>
    <message>
        <source>Nothing is ever changed through this source</source>
        <translation>Über diese Quelle wird nie etwas geändert</translation>
    </message>
    <message>
        <source>Nothing more is read from it. What it reported from %1 to %2 stays stored and stays in all figures.</source>
        <comment>two days</comment>
        <translation>Es wird nichts mehr aus ihr gelesen. Was sie von %1 bis %2 berichtet hat, bleibt gespeichert und in allen Zahlen.</translation>
    </message>
    <message>
        <source>Nothing has been read from it so far, so no figure changes.</source>
        <translation>Bisher wurde nichts aus ihr gelesen, daher ändert sich keine Zahl.</translation>
    </message>
    <message>
        <source>%1 lines, %2 rejected</source>
        <translation>%1 Zeilen, %2 abgelehnt</translation>
    </message>
    <message>
        <source>From new bills; sync --verbose shows which rows were rejected and why</source>
        <translation>Aus neuen Rechnungen; sync --verbose zeigt, welche Zeilen abgelehnt wurden und warum</translation>
    </message>
    <message>
        <source>%1 records, %2 rejected</source>
        <translation>%1 Datensätze, %2 abgelehnt</translation>
    </message>
    <message>
        <source>Machines and pods with GPUs, for each day that is over; reconcile shows how they differ from the ledger</source>
        <translation>Maschinen und Pods mit GPUs, für jeden vergangenen Tag; reconcile zeigt, wie sie vom Hauptbuch abweichen</translation>
    </message>
    <message>
        <source>Not tested yet</source>
        <translation>Noch nicht getestet</translation>
    </message>
    <message>
        <source>Testing</source>
        <translation>Test läuft</translation>
    </message>
    <message>
        <source>Usable</source>
        <translation>Brauchbar</translation>
    </message>
    <message>
        <source>Needs consent</source>
        <comment>a test</comment>
        <translation>Zustimmung nötig</translation>
    </message>
    <message>
        <source>Not usable</source>
        <translation>Unbrauchbar</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Region</source>
        <translation>Region</translation>
    </message>
    <message>
        <source>Profile</source>
        <translation>Profil</translation>
    </message>
    <message>
        <source>as the AWS tools choose it</source>
        <translation>wie die AWS-Werkzeuge es wählen</translation>
    </message>
    <message>
        <source>Kubeconfig</source>
        <translation>Kubeconfig</translation>
    </message>
    <message>
        <source>the usual one</source>
        <translation>die übliche</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>the file&apos;s current one</source>
        <translation>der aktuelle der Datei</translation>
    </message>
    <message>
        <source>Last test</source>
        <translation>Letzter Test</translation>
    </message>
    <message>
        <source>Since the program was started</source>
        <translation>Seit dem Start des Programms</translation>
    </message>
    <message>
        <source>Needs consent</source>
        <comment>a source</comment>
        <translation>Zustimmung nötig</translation>
    </message>
    <message>
        <source>Paid requests</source>
        <translation>Bezahlte Anfragen</translation>
    </message>
    <message>
        <source>%1 in %2, %3</source>
        <comment>a number of requests, a month, an amount</comment>
        <translation>%1 im %2, %3</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <comment>an amount, a source</comment>
        <translation>%1 von %2</translation>
    </message>
    <message numerus="yes">
        <source>Counted twice: %1 in %2, on %n days; billed %3.</source>
        <comment>an account, a month, amounts</comment>
        <translation>
            <numerusform>Doppelt gezählt: %1 im %2, an %n Tag; berechnet %3.</numerusform>
            <numerusform>Doppelt gezählt: %1 im %2, an %n Tagen; berechnet %3.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The same for %n more accounts and months.</source>
        <translation>
            <numerusform>Dasselbe gilt für %n weiteres Konto oder weiteren Monat.</numerusform>
            <numerusform>Dasselbe gilt für %n weitere Konten und Monate.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, all with telemetry</source>
        <translation>%1, alle mit Telemetrie</translation>
    </message>
    <message>
        <source>%1, %2 without telemetry</source>
        <translation>%1, davon %2 ohne Telemetrie</translation>
    </message>
    <message>
        <source>Machines with GPUs</source>
        <translation>Maschinen mit GPUs</translation>
    </message>
    <message>
        <source>From the cloud&apos;s own list. What a machine without telemetry does is unknown, and its time is unobserved.</source>
        <translation>Aus der Liste der Cloud selbst. Was eine Maschine ohne Telemetrie tut, ist unbekannt, und ihre Zeit ist unbeobachtet.</translation>
    </message>
    <message>
        <source>As telemetry names it: what runs there can be stopped through this source</source>
        <translation>Wie die Telemetrie ihn nennt: was dort läuft, kann über diese Quelle gestoppt werden</translation>
    </message>
    <message>
        <source>%1, none with telemetry</source>
        <translation>%1, keine mit Telemetrie</translation>
    </message>
    <message>
        <source>Project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>Subscription</source>
        <translation>Abonnement</translation>
    </message>
    <message>
        <source>What the planned machines would cost beside what such machines cost you now</source>
        <translation>Was die geplanten Maschinen kosten würden, neben dem, was solche Maschinen Sie jetzt kosten</translation>
    </message>
    <message>
        <source>Shown in</source>
        <translation>Gezeigt in</translation>
    </message>
    <message>
        <source>Savings, Compare</source>
        <comment>a page, its tab</comment>
        <translation>Einsparungen, Vergleich</translation>
    </message>
    <message>
        <source>What the tools claim to have saved beside what the bill has</source>
        <translation>Was die Werkzeuge gespart haben wollen, neben dem, was die Rechnung hat</translation>
    </message>
    <message>
        <source>What the provider charges for reading from it</source>
        <translation>Was der Anbieter für das Lesen berechnet</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SplitLens</name>
    <message>
        <source>%1, %2</source>
        <comment>team, currency</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>CPU of these machines</source>
        <translation>CPU dieser Maschinen</translation>
    </message>
    <message>
        <source>Memory of these machines</source>
        <translation>Arbeitsspeicher dieser Maschinen</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>GPU first</source>
        <translation>GPU zuerst</translation>
    </message>
    <message>
        <source>AWS</source>
        <translation>AWS</translation>
    </message>
    <message>
        <source>OpenCost</source>
        <translation>OpenCost</translation>
    </message>
    <message>
        <source>95 / 3 / 2</source>
        <translation>95 / 3 / 2</translation>
    </message>
    <message>
        <source>GPU first: the whole price of a machine goes to its GPUs, because no one else can use its CPU and memory. Statements use this split.</source>
        <translation>GPU zuerst: Der ganze Preis einer Maschine geht an ihre GPUs, weil sonst niemand CPU und Arbeitsspeicher nutzen kann. Abrechnungen verwenden diese Aufteilung.</translation>
    </message>
    <message>
        <source>AWS: weights of 9 for a GPU, 0.9 for a vCPU and 0.1 for a GiB of memory (AWS split cost allocation).</source>
        <translation>AWS: Gewichte 9 für eine GPU, 0,9 für eine vCPU und 0,1 für ein GiB Arbeitsspeicher (AWS split cost allocation).</translation>
    </message>
    <message>
        <source>OpenCost: the ratio of its default prices, 0.95 for a GPU, 0.031611 for a vCPU and 0.004237 for a GiB.</source>
        <translation>OpenCost: im Verhältnis seiner Vorgabepreise, 0,95 für eine GPU, 0,031611 für eine vCPU und 0,004237 für ein GiB.</translation>
    </message>
    <message>
        <source>95 / 3 / 2: percent for GPUs, CPU and memory, whatever the machine (Datadog).</source>
        <translation>95 / 3 / 2: Prozent für GPUs, CPU und Arbeitsspeicher, bei jeder Maschine (Datadog).</translation>
    </message>
    <message>
        <source>Who used CPU and memory is not observed, so their part belongs to no team. The parts of a machine always add up to its price.</source>
        <translation>Wer CPU und Arbeitsspeicher genutzt hat, wird nicht beobachtet; ihr Teil gehört keinem Team. Die Teile einer Maschine ergeben immer ihren Preis.</translation>
    </message>
    <message>
        <source>%1 %2 of machines whose vCPUs or memory are not known stay with their holders under AWS and OpenCost.</source>
        <comment>amount, currency</comment>
        <translation>%1 %2 von Maschinen, deren vCPUs oder Arbeitsspeicher nicht bekannt sind, bleiben unter AWS und OpenCost bei ihren Inhabern.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SplitLensDialog</name>
    <message>
        <source>Split lens: %1</source>
        <translation>Aufteilung: %1</translation>
    </message>
    <message>
        <source>What machines with GPUs cost each team, depending on how their price is split between GPUs, CPU and memory. Looking changes nothing.</source>
        <translation>Was Maschinen mit GPUs jedes Team kosten, je nachdem wie sich ihr Preis auf GPUs, CPU und Arbeitsspeicher verteilt. Ansehen ändert nichts.</translation>
    </message>
    <message>
        <source>Close</source>
        <comment>a dialog</comment>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Amounts</source>
        <translation>Beträge</translation>
    </message>
    <message>
        <source>Difference to GPU first</source>
        <translation>Unterschied zu „GPU zuerst“</translation>
    </message>
    <message>
        <source>Cost by split policy</source>
        <translation>Kosten nach Aufteilung</translation>
    </message>
    <message>
        <source>The split can&apos;t be shown</source>
        <translation>Die Aufteilung kann nicht gezeigt werden</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>No machine with GPUs</source>
        <translation>Keine Maschine mit GPUs</translation>
    </message>
    <message>
        <source>None has a cost in this month.</source>
        <translation>Keine hat in diesem Monat Kosten.</translation>
    </message>
    <message>
        <source>In %1, %2.</source>
        <comment>currency, cost view</comment>
        <translation>In %1, %2.</translation>
    </message>
    <message>
        <source>billed cost</source>
        <translation>berechnete Kosten</translation>
    </message>
    <message>
        <source>effective cost</source>
        <translation>effektive Kosten</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StaleBar</name>
    <message>
        <source>Sync now</source>
        <translation>Jetzt abgleichen</translation>
    </message>
    <message>
        <source>what happened since is not known, and nothing can be stopped from it.</source>
        <translation>was seither geschah, ist nicht bekannt, und aus ihnen lässt sich nichts stoppen.</translation>
    </message>
    <message>
        <source>Data end at %1, %2 before now: %3</source>
        <comment>time, age, what follows</comment>
        <translation>Die Daten enden am %1, %2 vor jetzt: %3</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <comment>names of sources</comment>
        <translation>
            <numerusform>%1 und %n weitere</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>Data of %1 end at %2 or later, the oldest %3 before now: %4</source>
        <comment>sources, time, age, what follows</comment>
        <translation>Die Daten von %1 enden am %2 oder später, die ältesten %3 vor jetzt: %4</translation>
    </message>
    <message>
        <source>Syncing…</source>
        <translation>Abgleich läuft …</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StandingText</name>
    <message>
        <source>%1, %2</source>
        <comment>who stopped it, when</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>who stopped it, why</comment>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StatementChart</name>
    <message>
        <source>Active</source>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Unallocated</source>
        <translation>Nicht belegt</translation>
    </message>
    <message>
        <source>Not observed</source>
        <translation>Nicht beobachtet</translation>
    </message>
    <message>
        <source>Everything else</source>
        <translation>Alles andere</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StatementDocument</name>
    <message>
        <source>This team has no figures in this month.</source>
        <translation>Dieses Team hat in diesem Monat keine Zahlen.</translation>
    </message>
    <message>
        <source>Total, %1</source>
        <translation>Summe, %1</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Posten</translation>
    </message>
    <message>
        <source>GPU-hours</source>
        <translation>GPU-Stunden</translation>
    </message>
    <message>
        <source>incl. estimated</source>
        <translation>inkl. Schätzung</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Teams</source>
        <translation>Teams</translation>
    </message>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Adjustments of closed months</source>
        <translation>Berichtigungen abgeschlossener Monate</translation>
    </message>
    <message>
        <source>Month</source>
        <translation>Monat</translation>
    </message>
    <message>
        <source>Amount</source>
        <translation>Betrag</translation>
    </message>
    <message>
        <source>Most expensive workloads</source>
        <translation>Teuerste Workloads</translation>
    </message>
    <message>
        <source>Workload</source>
        <translation>Workload</translation>
    </message>
    <message>
        <source>incl. idle</source>
        <translation>inkl. Leerlauf</translation>
    </message>
    <message>
        <source>Twelve months, %1</source>
        <translation>Zwölf Monate, %1</translation>
    </message>
    <message>
        <source>Who pays for shared and idle cost</source>
        <translation>Wer gemeinsame und Leerlaufkosten zahlt</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Savings</source>
        <translation>Einsparungen</translation>
    </message>
    <message>
        <source>Saving</source>
        <translation>Einsparung</translation>
    </message>
    <message>
        <source>Who</source>
        <translation>Wer</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>Währung</translation>
    </message>
    <message>
        <source>p10</source>
        <translation>p10</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p90</source>
        <translation>p90</translation>
    </message>
    <message>
        <source>Budgets of the month</source>
        <translation>Budgets des Monats</translation>
    </message>
    <message>
        <source>Available</source>
        <translation>Verfügbar</translation>
    </message>
    <message>
        <source>Spent</source>
        <translation>Ausgegeben</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Übrig</translation>
    </message>
    <message>
        <source>Forecast</source>
        <translation>Prognose</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>Unten</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Oben</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StatementExport</name>
    <message>
        <source>all-teams</source>
        <comment>part of a file&apos;s name</comment>
        <translation>alle-teams</translation>
    </message>
    <message>
        <source>statement</source>
        <comment>part of a file&apos;s name</comment>
        <translation>abrechnung</translation>
    </message>
    <message>
        <source>Export the statement</source>
        <translation>Abrechnung exportieren</translation>
    </message>
    <message>
        <source>Choose a folder for the statements</source>
        <translation>Ordner für die Abrechnungen wählen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StatementPrint</name>
    <message>
        <source>Page %1 of %2</source>
        <translation>Seite %1 von %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StatementSavings</name>
    <message numerus="yes">
        <source>Found: %n proposal(s)</source>
        <translation>
            <numerusform>Gefunden: %n Vorschlag</numerusform>
            <numerusform>Gefunden: %n Vorschläge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Realized so far: %n proposal(s)</source>
        <translation>
            <numerusform>Bisher erreicht: %n Vorschlag</numerusform>
            <numerusform>Bisher erreicht: %n Vorschläge</numerusform>
        </translation>
    </message>
    <message>
        <source>Accepted: %1</source>
        <comment>proposal</comment>
        <translation>Angenommen: %1</translation>
    </message>
    <message>
        <source>%1, by %2</source>
        <comment>person, day</comment>
        <translation>%1, bis %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>team, person</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Per month of 730 hours, as of %1; in no other figure.</source>
        <comment>day</comment>
        <translation>Im Monat von 730 Stunden, Stand %1; in keiner anderen Zahl enthalten.</translation>
    </message>
    <message>
        <source>Per month of 730 hours, as of %1, replayed from %2 to %3; in no other figure.</source>
        <comment>days</comment>
        <translation>Im Monat von 730 Stunden, Stand %1, nachgerechnet an %2 bis %3; in keiner anderen Zahl enthalten.</translation>
    </message>
    <message numerus="yes">
        <source>%n stop(s)</source>
        <translation>
            <numerusform>%n Stopp</numerusform>
            <numerusform>%n Stopps</numerusform>
        </translation>
    </message>
    <message>
        <source>Realized so far: %1</source>
        <comment>&quot;3 stops&quot;</comment>
        <translation>Bisher erreicht: %1</translation>
    </message>
    <message numerus="yes">
        <source>Realized so far: %n proposal(s), %1</source>
        <comment>&quot;3 stops&quot;</comment>
        <translation>
            <numerusform>Bisher erreicht: %n Vorschlag, %1</numerusform>
            <numerusform>Bisher erreicht: %n Vorschläge, %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StatementText</name>
    <message>
        <source>GPU cost statement: %1</source>
        <translation>GPU-Kostenabrechnung: %1</translation>
    </message>
    <message>
        <source>GPU cost statement: all teams</source>
        <translation>GPU-Kostenabrechnung: alle Teams</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>days · cost view</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>billed cost</source>
        <translation>berechnete Kosten</translation>
    </message>
    <message>
        <source>effective cost</source>
        <translation>effektive Kosten</translation>
    </message>
    <message>
        <source>Reviewed</source>
        <translation>Geprüft</translation>
    </message>
    <message>
        <source>Closed</source>
        <translation>Abgeschlossen</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>month year</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>No team</source>
        <translation>Kein Team</translation>
    </message>
    <message>
        <source>Draft, as of %1</source>
        <translation>Entwurf, Stand %1</translation>
    </message>
    <message>
        <source>Draft, as of %1: the month isn&apos;t over yet</source>
        <translation>Entwurf, Stand %1: der Monat läuft noch</translation>
    </message>
    <message>
        <source>Closed on %1</source>
        <translation>Abgeschlossen am %1</translation>
    </message>
    <message>
        <source>Reviewed on %1</source>
        <translation>Geprüft am %1</translation>
    </message>
    <message>
        <source>Closed on %1 by %2</source>
        <translation>Abgeschlossen am %1 von %2</translation>
    </message>
    <message>
        <source>Reviewed on %1 by %2</source>
        <translation>Geprüft am %1 von %2</translation>
    </message>
    <message>
        <source>1 – %1 %2 (UTC days)</source>
        <comment>last day, month</comment>
        <translation>1. – %1. %2 (UTC-Tage)</translation>
    </message>
    <message>
        <source>%1 (%2) against %3</source>
        <comment>amount, percent, month</comment>
        <translation>%1 (%2) gegenüber %3</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <comment>amount, month</comment>
        <translation>%1 gegenüber %2</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Active GPU time</source>
        <translation>Aktive GPU-Zeit</translation>
    </message>
    <message>
        <source>Idle GPU time, held</source>
        <translation>GPU-Zeit im Leerlauf, belegt</translation>
    </message>
    <message>
        <source>Unallocated GPU time</source>
        <translation>Nicht belegte GPU-Zeit</translation>
    </message>
    <message>
        <source>GPU time not observed</source>
        <translation>Nicht beobachtete GPU-Zeit</translation>
    </message>
    <message>
        <source>GPU time</source>
        <translation>GPU-Zeit</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>category, state</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>active</source>
        <translation>aktiv</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>unallocated</source>
        <translation>nicht belegt</translation>
    </message>
    <message>
        <source>not observed</source>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>Machines without GPUs</source>
        <translation>Maschinen ohne GPUs</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Databases</source>
        <translation>Datenbanken</translation>
    </message>
    <message>
        <source>AI services</source>
        <translation>KI-Dienste</translation>
    </message>
    <message>
        <source>Other services</source>
        <translation>Andere Dienste</translation>
    </message>
    <message>
        <source>Unused commitments</source>
        <translation>Ungenutzte Verpflichtungen</translation>
    </message>
    <message>
        <source>Fees of commitments</source>
        <translation>Gebühren für Verpflichtungen</translation>
    </message>
    <message>
        <source>Support</source>
        <translation>Support</translation>
    </message>
    <message>
        <source>Taxes</source>
        <translation>Steuern</translation>
    </message>
    <message>
        <source>Credits</source>
        <translation>Gutschriften</translation>
    </message>
    <message>
        <source>Refunds</source>
        <translation>Erstattungen</translation>
    </message>
    <message>
        <source>Adjustments by the provider</source>
        <translation>Berichtigungen des Anbieters</translation>
    </message>
    <message>
        <source>GPU time not on the bill</source>
        <translation>GPU-Zeit, die auf der Rechnung fehlt</translation>
    </message>
    <message>
        <source>Unexplained</source>
        <translation>Ungeklärt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>team, line</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, closed %2</source>
        <comment>month, day</comment>
        <translation>%1, abgeschlossen %2</translation>
    </message>
    <message>
        <source>Total with adjustments</source>
        <translation>Summe mit Berichtigungen</translation>
    </message>
    <message>
        <source>%1 have no price and are not in any sum.</source>
        <translation>%1 haben keinen Preis und sind in keiner Summe.</translation>
    </message>
    <message>
        <source>GPU time was fetched only from %1 to %2: what was used before and after is missing.</source>
        <translation>GPU-Zeit wurde nur vom %1 bis %2 geholt: was davor und danach genutzt wurde, fehlt.</translation>
    </message>
    <message>
        <source>GPU time pays the whole price of its machine, in equal shares (split policy gpu-first); held time is charged to its holder, even while idle; unallocated time to the node&apos;s owner.</source>
        <translation>GPU-Zeit zahlt den ganzen Preis ihrer Maschine, zu gleichen Teilen (Aufteilung gpu-first); belegte Zeit zahlt, wer sie belegt, auch im Leerlauf; nicht belegte Zeit zahlt der Eigentümer des Knotens.</translation>
    </message>
    <message>
        <source>%1 were held and idle: %2.</source>
        <comment>GPU-hours, money</comment>
        <translation>%1 waren belegt und im Leerlauf: %2.</translation>
    </message>
    <message>
        <source>%1 were held and idle: %2, which would have paid for %3 of %4 at this month&apos;s price.</source>
        <comment>GPU-hours, money, GPU-hours, GPU model</comment>
        <translation>%1 waren belegt und im Leerlauf: %2; das hätte beim Preis dieses Monats für %3 auf %4 gereicht.</translation>
    </message>
    <message>
        <source>at least %1</source>
        <comment>GPU-hours</comment>
        <translation>mindestens %1</translation>
    </message>
    <message>
        <source>to the holder</source>
        <translation>wer belegt hat</translation>
    </message>
    <message>
        <source>a line of its own</source>
        <translation>eine eigene Zeile</translation>
    </message>
    <message>
        <source>by cost</source>
        <translation>nach Kosten</translation>
    </message>
    <message>
        <source>by GPU-hours</source>
        <translation>nach GPU-Stunden</translation>
    </message>
    <message>
        <source>in equal parts</source>
        <translation>zu gleichen Teilen</translation>
    </message>
    <message>
        <source>by fixed weights</source>
        <translation>nach festen Gewichten</translation>
    </message>
    <message>
        <source>shared: %1, idle: %2</source>
        <comment>two rules</comment>
        <translation>gemeinsam: %1, Leerlauf: %2</translation>
    </message>
    <message>
        <source>Shared and idle cost by rule</source>
        <translation>Gemeinsame und Leerlaufkosten nach Regel</translation>
    </message>
    <message>
        <source>Idle cost that no team pays</source>
        <translation>Leerlaufkosten, die kein Team zahlt</translation>
    </message>
    <message>
        <source>Charged</source>
        <translation>Belastet</translation>
    </message>
    <message>
        <source>%1 is closed, and this program does not know the rules it was closed with: other rules can&apos;t be told apart from late data.</source>
        <comment>month</comment>
        <translation>%1 ist abgeschlossen, und die Regeln von damals kennt dieses Programm nicht: Andere Regeln lassen sich nicht von späten Daten trennen.</translation>
    </message>
    <message>
        <source>%1 is closed: late data is what became known since; other rules is the effect of the current settings.</source>
        <comment>month</comment>
        <translation>%1 ist abgeschlossen: Späte Daten sind, was seitdem bekannt wurde; andere Regeln die Wirkung der heutigen Einstellungen.</translation>
    </message>
    <message>
        <source>%1 have no owner, and may be this team&apos;s</source>
        <comment>money</comment>
        <translation>%1 haben keinen Eigentümer und gehören vielleicht diesem Team</translation>
    </message>
    <message>
        <source>%1 are for GPUs that several held at once, split equally because nothing measured who used how much</source>
        <comment>money</comment>
        <translation>%1 betreffen GPUs, die mehrere gleichzeitig hielten, zu gleichen Teilen geteilt, weil niemand maß, wer wie viel nutzte</translation>
    </message>
    <message>
        <source>; %1 of that at list prices of %2 and later, which are outdated</source>
        <comment>end of a sentence; money, date</comment>
        <translation>; davon %1 zu Listenpreisen vom %2 und später, die inzwischen veraltet sind</translation>
    </message>
    <message>
        <source>from %1 to %2 %3</source>
        <comment>amount, amount, currency</comment>
        <translation>von %1 bis %2 %3</translation>
    </message>
    <message>
        <source>The total may lie anywhere %1: %2.</source>
        <comment>range (from A to B), reasons</comment>
        <translation>Die Summe liegt irgendwo im Bereich %1: %2.</translation>
    </message>
    <message>
        <source>Other teams</source>
        <translation>Andere Teams</translation>
    </message>
    <message>
        <source>Rounding of what is shown</source>
        <translation>Rundung des Gezeigten</translation>
    </message>
    <message>
        <source>All teams</source>
        <translation>Alle Teams</translation>
    </message>
    <message>
        <source>Not billed (estimated)</source>
        <translation>Nicht berechnet (geschätzt)</translation>
    </message>
    <message>
        <source>Difference to bill</source>
        <translation>Differenz zur Rechnung</translation>
    </message>
    <message>
        <source>Bill</source>
        <translation>Rechnung</translation>
    </message>
    <message>
        <source>Costs before %1 were not kept with this month and are not in the chart.</source>
        <comment>month</comment>
        <translation>Die Kosten vor %1 wurden mit diesem Monat nicht festgehalten und fehlen im Diagramm.</translation>
    </message>
    <message>
        <source>Everything is estimated by OpenCost, Kubecost or the price book: no bill covers this time</source>
        <comment>start of a sentence</comment>
        <translation>Alles ist nach OpenCost, Kubecost oder der Preisliste geschätzt: keine Rechnung deckt diese Zeit ab</translation>
    </message>
    <message>
        <source>%1 of it are estimated by OpenCost, Kubecost or the price book, for time that no bill covers</source>
        <comment>start of a sentence; money</comment>
        <translation>%1 davon sind nach OpenCost, Kubecost oder der Preisliste geschätzt, für Zeit, die keine Rechnung abdeckt</translation>
    </message>
    <message>
        <source>%1 (%2 %3)</source>
        <comment>instance type, amount, currency</comment>
        <translation>%1 (%2 %3)</translation>
    </message>
    <message>
        <source>and others</source>
        <comment>end of a list</comment>
        <translation>und weitere</translation>
    </message>
    <message>
        <source>The bill has machines with GPUs of types that the price list lacks: %1.</source>
        <comment>list of types with money</comment>
        <translation>Die Rechnung enthält Maschinen mit GPUs von Typen, die in der Preisliste fehlen: %1.</translation>
    </message>
    <message>
        <source>No bill is stored for this month: everything is estimated by OpenCost, Kubecost or the price book.</source>
        <translation>Für diesen Monat liegt keine Rechnung vor: alles ist nach OpenCost, Kubecost oder der Preisliste geschätzt.</translation>
    </message>
    <message>
        <source>Difference to bill, all teams together: %1 %2; unexplained: %3 %2.</source>
        <comment>amount, currency, amount</comment>
        <translation>Differenz zur Rechnung, alle Teams zusammen: %1 %2; unerklärt: %3 %2.</translation>
    </message>
    <message>
        <source>Price</source>
        <translation>Preis</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Mix</source>
        <translation>Mischung</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Sonstiges</translation>
    </message>
    <message>
        <source>Change against %1</source>
        <comment>month</comment>
        <translation>Änderung gegenüber %1</translation>
    </message>
    <message>
        <source>Other rules or late data</source>
        <translation>Andere Regeln oder späte Daten</translation>
    </message>
    <message>
        <source>Other rules</source>
        <translation>Andere Regeln</translation>
    </message>
    <message>
        <source>Late data</source>
        <translation>Späte Daten</translation>
    </message>
    <message>
        <source>It has no owner: parts of it may belong to teams, which leaves %1.</source>
        <comment>range (from A to B)</comment>
        <translation>Sie haben keinen Eigentümer: Teile davon können Teams gehören, dann bleiben %1.</translation>
    </message>
    <message>
        <source>%1, %2 carried over</source>
        <comment>team, amount</comment>
        <translation>%1, %2 übertragen</translation>
    </message>
    <message>
        <source>Budgets: spent is the team&apos;s own cost; the forecast of the month&apos;s end lies between low and high with a probability of 80 %.</source>
        <translation>Budgets: Ausgegeben sind die eigenen Kosten des Teams; am Monatsende liegen sie mit einer Wahrscheinlichkeit von 80 % zwischen unten und oben.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StatusLine</name>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>%1, failed</source>
        <comment>age of a source&apos;s data</comment>
        <translation>%1, fehlgeschlagen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>not synced yet</source>
        <translation>noch nicht abgeglichen</translation>
    </message>
    <message>
        <source>%1, late</source>
        <comment>age of a source&apos;s data</comment>
        <translation>%1, verspätet</translation>
    </message>
    <message>
        <source>data until %1</source>
        <translation>Daten bis %1</translation>
    </message>
    <message numerus="yes">
        <source>%n GPUs</source>
        <translation>
            <numerusform>%n GPU</numerusform>
            <numerusform>%n GPUs</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 observed</source>
        <comment>share of paid GPU time</comment>
        <translation>%1 beobachtet</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>currency, time zone</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Observed is the share of the paid GPU time of the last 30 days with telemetry.</source>
        <translation>Beobachtet ist der Anteil der bezahlten GPU-Zeit der letzten 30 Tage, für den es Telemetrie gibt.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StopDialog</name>
    <message>
        <source>What is stopped</source>
        <translation>Was gestoppt wird</translation>
    </message>
    <message>
        <source>Simulated platform: nothing real is stopped.</source>
        <translation>Simulierte Plattform: Nichts Echtes wird gestoppt.</translation>
    </message>
    <message>
        <source>Stop idle workloads</source>
        <translation>Untätige Workloads stoppen</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>Wirkung</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Reason (optional; kept in the audit log)</source>
        <translation>Grund (optional; bleibt im Protokoll)</translation>
    </message>
    <message>
        <source>Number of workloads</source>
        <translation>Anzahl der Workloads</translation>
    </message>
    <message>
        <source>Check &amp;again</source>
        <translation>&amp;Erneut prüfen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Stoppen</translation>
    </message>
    <message>
        <source>Checking platform and telemetry…</source>
        <translation>Plattform und Telemetrie werden geprüft…</translation>
    </message>
    <message>
        <source>%1 Type %2 to continue.</source>
        <comment>why so much care, number</comment>
        <translation>%1 Geben Sie %2 ein, um fortzufahren.</translation>
    </message>
    <message>
        <source>&amp;Stop 1 workload</source>
        <translation>1 Workload &amp;stoppen</translation>
    </message>
    <message numerus="yes">
        <source>&amp;Stop %n workloads</source>
        <translation>
            <numerusform>%n Workload &amp;stoppen</numerusform>
            <numerusform>%n Workloads &amp;stoppen</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing can be stopped now</source>
        <translation>Jetzt kann nichts gestoppt werden</translation>
    </message>
    <message>
        <source>Checking the selection</source>
        <translation>Die Auswahl wird geprüft</translation>
    </message>
    <message>
        <source>Nothing selected can be stopped</source>
        <translation>Nichts Stoppbares ist gewählt</translation>
    </message>
    <message>
        <source>Frees %1; no price known</source>
        <translation>Macht %1 frei; kein Preis bekannt</translation>
    </message>
    <message>
        <source>The reason is too long.</source>
        <translation>Der Grund ist zu lang.</translation>
    </message>
    <message>
        <source>Copy as &amp;kubectl</source>
        <translation>Als &amp;kubectl kopieren</translation>
    </message>
    <message>
        <source>The commands that do the same, without the checks and the mark</source>
        <translation>Die Befehle, die dasselbe tun, ohne die Prüfungen und die Markierung</translation>
    </message>
    <message>
        <source>1 command copied.</source>
        <translation>1 Befehl kopiert.</translation>
    </message>
    <message numerus="yes">
        <source>%n commands copied.</source>
        <translation>
            <numerusform>%n Befehl kopiert.</numerusform>
            <numerusform>%n Befehle kopiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>1 workload can&apos;t be stopped with kubectl.</source>
        <translation>1 Workload lässt sich nicht mit kubectl stoppen.</translation>
    </message>
    <message numerus="yes">
        <source>%n workloads can&apos;t be stopped with kubectl.</source>
        <translation>
            <numerusform>%n Workload lässt sich nicht mit kubectl stoppen.</numerusform>
            <numerusform>%n Workloads lassen sich nicht mit kubectl stoppen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Frees %1; %2</source>
        <comment>GPUs, &quot;saves 1,234 USD a month&quot;</comment>
        <translation>Gibt %1 frei; %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StopTable</name>
    <message>
        <source>checking…</source>
        <translation>wird geprüft…</translation>
    </message>
    <message>
        <source>What is stopped</source>
        <translation>Was gestoppt wird</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Eigentümer</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message numerus="yes">
        <source>%n checks passed</source>
        <translation>
            <numerusform>%n Prüfung bestanden</numerusform>
            <numerusform>%n Prüfungen bestanden</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 checks passed, none failed</source>
        <translation>%1 von %2 Prüfungen bestanden, keine gescheitert</translation>
    </message>
    <message>
        <source>Stopping saves nothing: the machine is owned or committed to</source>
        <translation>Stoppen spart nichts: Die Maschine gehört Ihnen oder ist fest gebucht</translation>
    </message>
    <message>
        <source>Saves, %1 a month</source>
        <comment>currency</comment>
        <translation>Spart, %1 im Monat</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::StripRows</name>
    <message>
        <source>Held by</source>
        <translation>Belegt von</translation>
    </message>
    <message>
        <source>The metric shown above, or utilization</source>
        <translation>Die oben gezeigte Messgröße, sonst die Auslastung</translation>
    </message>
    <message>
        <source>Held, GPU-h</source>
        <translation>Belegt, GPU-h</translation>
    </message>
    <message>
        <source>GPU-hours held in this cell</source>
        <translation>In dieser Zelle belegte GPU-Stunden</translation>
    </message>
    <message>
        <source>Idle cost, %1</source>
        <translation>Leerlaufkosten, %1</translation>
    </message>
    <message>
        <source>Cost of held and idle time</source>
        <translation>Kosten der belegten Zeit im Leerlauf</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>Beobachtet</translation>
    </message>
    <message>
        <source>Observed share of paid time</source>
        <translation>Beobachteter Anteil der bezahlten Zeit</translation>
    </message>
    <message>
        <source>(unallocated)</source>
        <translation>(nicht belegt)</translation>
    </message>
    <message>
        <source>%1 in all columns of the heat map</source>
        <translation>%1 in allen Spalten der Heatmap</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>GPUs held on average in this cell</source>
        <translation>Im Mittel belegte GPUs in dieser Zelle</translation>
    </message>
    <message>
        <source>Over the week</source>
        <translation>Über die Woche</translation>
    </message>
    <message>
        <source>Over the day</source>
        <translation>Über den Tag</translation>
    </message>
    <message>
        <source>Over time</source>
        <translation>Im Verlauf</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SyncIndicator</name>
    <message>
        <source>Sync progress</source>
        <translation>Fortschritt des Abgleichs</translation>
    </message>
    <message>
        <source>Cancel sync</source>
        <translation>Abgleich abbrechen</translation>
    </message>
    <message>
        <source>Sync now</source>
        <translation>Jetzt abgleichen</translation>
    </message>
    <message>
        <source>Sync now  F5</source>
        <translation>Jetzt abgleichen  F5</translation>
    </message>
    <message>
        <source>Syncing…</source>
        <translation>Abgleich läuft…</translation>
    </message>
    <message>
        <source>Syncing %1</source>
        <comment>source</comment>
        <translation>Abgleich von %1</translation>
    </message>
    <message>
        <source> · %1 buckets/s</source>
        <translation> · %1 Werte/s</translation>
    </message>
    <message>
        <source> · %1 left</source>
        <translation> · noch %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::SyncNotice</name>
    <message numerus="yes">
        <source>%1 has less data for %n days than before; the fuller figures are kept until you decide.</source>
        <comment>a source</comment>
        <translation>
            <numerusform>%1 hat für %n Tag weniger Daten als vorher; die vollständigeren Zahlen bleiben, bis Sie entscheiden.</numerusform>
            <numerusform>%1 hat für %n Tage weniger Daten als vorher; die vollständigeren Zahlen bleiben, bis Sie entscheiden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sources have less data than before; the fuller figures are kept until you decide.</source>
        <translation>
            <numerusform>%n Quelle hat weniger Daten als vorher; die vollständigeren Zahlen bleiben, bis Sie entscheiden.</numerusform>
            <numerusform>%n Quellen haben weniger Daten als vorher; die vollständigeren Zahlen bleiben, bis Sie entscheiden.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::TableExport</name>
    <message>
        <source>Export the table</source>
        <translation>Tabelle exportieren</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>The table was not saved</source>
        <translation>Die Tabelle wurde nicht gespeichert</translation>
    </message>
    <message>
        <source>Workbooks (*.xlsx)</source>
        <translation>Arbeitsmappen (*.xlsx)</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::TableModel</name>
    <message>
        <source>Other</source>
        <comment>heading of the rows that are in no group</comment>
        <translation>Sonstige</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>a group: what is in it</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, s</source>
        <comment>title of a column in seconds</comment>
        <translation>%1, s</translation>
    </message>
    <message>
        <source>%1, UTC</source>
        <comment>title of a column of times</comment>
        <translation>%1, UTC</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::TargetChoice</name>
    <message>
        <source>No targets are configured</source>
        <translation>Keine Ziele konfiguriert</translation>
    </message>
    <message>
        <source>Nobody</source>
        <translation>Niemand</translation>
    </message>
    <message>
        <source>Send to: %1</source>
        <comment>targets</comment>
        <translation>Senden an: %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::TeamChangeTable</name>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Now, %1</source>
        <translation>Jetzt, %1</translation>
    </message>
    <message>
        <source>By the current rules</source>
        <translation>Nach den geltenden Regeln</translation>
    </message>
    <message>
        <source>Then, %1</source>
        <translation>Dann, %1</translation>
    </message>
    <message>
        <source>By the rules above</source>
        <translation>Nach den Regeln oben</translation>
    </message>
    <message>
        <source>Change, %1</source>
        <translation>Änderung, %1</translation>
    </message>
    <message>
        <source>What the team gains or loses</source>
        <translation>Was das Team gewinnt oder verliert</translation>
    </message>
    <message>
        <source>Change, GPU-h</source>
        <translation>Änderung, GPU-h</translation>
    </message>
    <message>
        <source>The same in GPU-hours</source>
        <translation>Dasselbe in GPU-Stunden</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::TeamTable</name>
    <message>
        <source>Team</source>
        <translation>Team</translation>
    </message>
    <message>
        <source>Owner of the GPU time</source>
        <translation>Eigentümer der GPU-Zeit</translation>
    </message>
    <message>
        <source>Spend, %1</source>
        <translation>Ausgaben, %1</translation>
    </message>
    <message>
        <source>Cost of all states in the range</source>
        <translation>Kosten aller Zustände im Zeitraum</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Against the previous period of the same length</source>
        <translation>Gegenüber dem gleich langen Zeitraum davor</translation>
    </message>
    <message>
        <source>Utilization</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>Mean activity while held</source>
        <translation>Mittlere Aktivität der belegten Zeit</translation>
    </message>
    <message>
        <source>Idle share</source>
        <translation>Leerlaufanteil</translation>
    </message>
    <message>
        <source>Idle cost as a share of all cost</source>
        <translation>Anteil der Leerlaufkosten an allen Kosten</translation>
    </message>
    <message>
        <source>Idle cost, %1</source>
        <translation>Leerlaufkosten, %1</translation>
    </message>
    <message>
        <source>Cost of held and idle time</source>
        <translation>Kosten der belegten Zeit im Leerlauf</translation>
    </message>
    <message>
        <source>Paid, GPU-h</source>
        <translation>Bezahlt, GPU-h</translation>
    </message>
    <message>
        <source>Paid GPU-hours in all states</source>
        <translation>Bezahlte GPU-Stunden in allen Zuständen</translation>
    </message>
    <message>
        <source>Observed</source>
        <translation>Beobachtet</translation>
    </message>
    <message>
        <source>Per day</source>
        <translation>Pro Tag</translation>
    </message>
    <message>
        <source>Cost of each day</source>
        <translation>Kosten jedes Tages</translation>
    </message>
    <message>
        <source>no price</source>
        <translation>kein Preis</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>Observed share of paid time, including time not fetched yet</source>
        <translation>Beobachteter Anteil der bezahlten Zeit, einschließlich noch nicht abgerufener</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Forecast of budget</source>
        <translation>Prognose vom Budget</translation>
    </message>
    <message>
        <source>Cost of GPU time expected at the end of the period, as a share of the budget</source>
        <translation>Kosten der GPU-Zeit, die am Ende des Zeitraums erwartet werden, als Anteil am Budget</translation>
    </message>
    <message>
        <source>Forecast, %1</source>
        <translation>Prognose, %1</translation>
    </message>
    <message>
        <source>Cost of GPU time expected at the end of this month (UTC days)</source>
        <translation>Kosten der GPU-Zeit, die am Ende dieses Monats erwartet werden (UTC-Tage)</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::TimeChoiceButton</name>
    <message>
        <source>Last 24 hours</source>
        <translation>Letzte 24 Stunden</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>Last 90 days</source>
        <translation>Letzte 90 Tage</translation>
    </message>
    <message>
        <source>This month</source>
        <translation>Dieser Monat</translation>
    </message>
    <message>
        <source>Last month</source>
        <translation>Letzter Monat</translation>
    </message>
    <message>
        <source>All time</source>
        <translation>Gesamte Zeit</translation>
    </message>
    <message>
        <source>Time range</source>
        <translation>Zeitraum</translation>
    </message>
    <message>
        <source>Custom range…</source>
        <translation>Eigener Zeitraum…</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::TimeRangeDialog</name>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Custom range</source>
        <translation>Eigener Zeitraum</translation>
    </message>
    <message>
        <source>To</source>
        <comment>end of a time range</comment>
        <translation>Bis</translation>
    </message>
    <message>
        <source>Times in %1</source>
        <translation>Zeiten in %1</translation>
    </message>
    <message>
        <source>Show this range</source>
        <translation>Diesen Zeitraum zeigen</translation>
    </message>
    <message>
        <source>The end must lie after the start.</source>
        <translation>Das Ende muss nach dem Anfang liegen.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::TopBar</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Help for this page</source>
        <translation>Hilfe zu dieser Seite</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::TypedConsent</name>
    <message>
        <source>Another controller manages some of this. Name it to stop it anyway:</source>
        <translation>Ein anderer Controller verwaltet etwas davon. Nennen Sie ihn, um es trotzdem zu stoppen:</translation>
    </message>
    <message>
        <source>Controllers to override</source>
        <translation>Zu übergehende Controller</translation>
    </message>
    <message>
        <source>argo-cd:NAME, hpa:NAME</source>
        <translation>argo-cd:NAME, hpa:NAME</translation>
    </message>
    <message>
        <source>Full name of %1</source>
        <translation>Vollständiger Name von %1</translation>
    </message>
    <message>
        <source>It can&apos;t be brought back as it was. Type %1 to stop it:</source>
        <translation>Es lässt sich nicht zurückholen, wie es war. Geben Sie %1 ein, um es zu stoppen:</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::UnitPrices</name>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Billed, %1/h</source>
        <translation>Berechnet, %1/h</translation>
    </message>
    <message>
        <source>Effective cost of a GPU-hour from bills, for time that the price book covers too</source>
        <translation>Effektive Kosten einer GPU-Stunde nach den Rechnungen, für Zeit, die auch die Preisliste abdeckt</translation>
    </message>
    <message>
        <source>List, %1/h</source>
        <translation>Liste, %1/h</translation>
    </message>
    <message>
        <source>The same hours by the price book</source>
        <translation>Dieselben Stunden nach der Preisliste</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>A warning where it is above 10 %: the price book, the contract or the matching is wrong</source>
        <translation>Eine Warnung über 10 %: Preisliste, Vertrag oder Zuordnung stimmt nicht</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::UnownedTable</name>
    <message>
        <source>Workload</source>
        <translation>Workload</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>Its own and its namespace&apos;s</source>
        <translation>Die eigenen und die des Namespace</translation>
    </message>
    <message>
        <source>GPU-h</source>
        <translation>GPU-h</translation>
    </message>
    <message>
        <source>Cost, %1</source>
        <translation>Kosten, %1</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::WaitingPanel</name>
    <message>
        <source>Show what holds its GPUs</source>
        <translation>Zeigen, was seine GPUs belegt</translation>
    </message>
    <message>
        <source>Selected job</source>
        <translation>Ausgewählter Job</translation>
    </message>
    <message>
        <source>cluster %1</source>
        <translation>Cluster %1</translation>
    </message>
    <message>
        <source>ns %1</source>
        <comment>namespace</comment>
        <translation>ns %1</translation>
    </message>
    <message>
        <source>Owner %1</source>
        <translation>Eigentümer: %1</translation>
    </message>
    <message>
        <source>Waiting for %1, since %2</source>
        <comment>length of time, time</comment>
        <translation>Wartet %1, seit dem %2</translation>
    </message>
    <message>
        <source>Needs %1</source>
        <comment>number of GPUs and their kind</comment>
        <translation>Braucht %1</translation>
    </message>
    <message>
        <source>What would serve it</source>
        <translation>Was ihm helfen würde</translation>
    </message>
    <message>
        <source>What keeps it waiting</source>
        <translation>Worauf er wartet</translation>
    </message>
    <message>
        <source>Idle GPUs</source>
        <translation>GPUs im Leerlauf</translation>
    </message>
    <message>
        <source>Idle GPUs on %1</source>
        <comment>a node</comment>
        <translation>GPUs im Leerlauf auf %1</translation>
    </message>
    <message>
        <source>%1 free</source>
        <comment>number of GPUs</comment>
        <translation>%1 frei</translation>
    </message>
    <message>
        <source>%1 held by %2</source>
        <comment>number of GPUs, workload</comment>
        <translation>%1 belegt von %2</translation>
    </message>
    <message>
        <source>%1, idle since %2</source>
        <comment>GPUs of a workload, time</comment>
        <translation>%1, im Leerlauf seit %2</translation>
    </message>
    <message>
        <source>They cost %1 a month</source>
        <comment>money</comment>
        <translation>Sie kosten %1 im Monat</translation>
    </message>
    <message>
        <source>%1 lost while it waited</source>
        <comment>money</comment>
        <translation>%1 verloren, während er wartete</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::WaitingTable</name>
    <message>
        <source>Waiting</source>
        <translation>Wartend</translation>
    </message>
    <message>
        <source>The job, or the queue that holds workloads back</source>
        <translation>Der Job oder die Warteschlange, die Workloads zurückhält</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>GPUs it needs, all on one node</source>
        <translation>GPUs, die er braucht, alle auf einem Knoten</translation>
    </message>
    <message>
        <source>Waiting for</source>
        <translation>Wartet seit</translation>
    </message>
    <message>
        <source>Time since it was created</source>
        <translation>Zeit, seit er angelegt wurde</translation>
    </message>
    <message>
        <source>Per month</source>
        <translation>Pro Monat</translation>
    </message>
    <message>
        <source>Cost of a month of the idle GPUs it could use: 730 hours, in %1. Headings count each GPU once</source>
        <translation>Kosten eines Monats der GPUs im Leerlauf, die er nutzen könnte: 730 Stunden, in %1. Überschriften zählen jede GPU einmal</translation>
    </message>
    <message>
        <source>Lost so far</source>
        <translation>Bisher verloren</translation>
    </message>
    <message>
        <source>Cost of these GPUs for the time in which it waited and they were idle, in %1</source>
        <translation>Kosten dieser GPUs für die Zeit, in der er wartete und sie im Leerlauf waren, in %1</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Eigentümer</translation>
    </message>
    <message>
        <source>The team that is waiting</source>
        <translation>Das Team, das wartet</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>The node that would serve it, or comes closest</source>
        <translation>Der Knoten, der ihm dienen würde oder am nächsten kommt</translation>
    </message>
    <message>
        <source>Would be served by</source>
        <translation>Bedient durch</translation>
    </message>
    <message>
        <source>The idle workloads that hold what it needs</source>
        <translation>Die Workloads im Leerlauf, die halten, was er braucht</translation>
    </message>
    <message>
        <source>Kind of GPU</source>
        <translation>Art der GPU</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Namespace</source>
        <translation>Namespace</translation>
    </message>
    <message>
        <source>Waiting since</source>
        <translation>Wartet seit dem</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <comment>number of workloads, their queue</comment>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <comment>two clauses</comment>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>1 waiting</source>
        <translation>1 wartet</translation>
    </message>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n wartet</numerusform>
            <numerusform>%n warten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::WaitingViewModel</name>
    <message>
        <source>Blocked by</source>
        <comment>what the rows of the table are grouped into</comment>
        <translation>Blockiert durch</translation>
    </message>
    <message>
        <source>1 job waiting for GPUs</source>
        <translation>1 Job wartet auf GPUs</translation>
    </message>
    <message numerus="yes">
        <source>%n jobs waiting for GPUs</source>
        <translation>
            <numerusform>%n Job wartet auf GPUs</numerusform>
            <numerusform>%n Jobs warten auf GPUs</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopping idle workloads would serve none of them</source>
        <translation>Workloads im Leerlauf zu stoppen würde keinem davon helfen</translation>
    </message>
    <message>
        <source>1 idle workload</source>
        <translation>1 Workload im Leerlauf</translation>
    </message>
    <message numerus="yes">
        <source>%n idle workloads</source>
        <translation>
            <numerusform>%n Workload im Leerlauf</numerusform>
            <numerusform>%n Workloads im Leerlauf</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Stopping %1 would serve %n of them</source>
        <translation>
            <numerusform>%1 zu stoppen würde %n davon helfen</numerusform>
            <numerusform>%1 zu stoppen würde %n davon helfen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, while %2 a month sits idle</source>
        <comment>a clause, money</comment>
        <translation>%1; derweil liegen %2 im Monat brach</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::Windows</name>
    <message>
        <source>The opened link can&apos;t be read; this is the previous view.</source>
        <translation>Der geöffnete Link ist nicht lesbar; dies ist die vorige Ansicht.</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::ZoomButtons</name>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Show all cells at once</source>
        <translation>Alle Zellen auf einmal zeigen</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoom</translation>
    </message>
    <message>
        <source>Show all</source>
        <comment>button: all cells at once</comment>
        <translation>Alles zeigen</translation>
    </message>
</context>
<context>
    <name>gpuledger::ui::main</name>
    <message>
        <source>Shows where a company&apos;s GPU money goes.
Example: gpuledger --demo</source>
        <translation>Zeigt, wohin das GPU-Geld einer Firma fließt.
Beispiel: gpuledger --demo</translation>
    </message>
    <message>
        <source>Configuration file.</source>
        <translation>Konfigurationsdatei.</translation>
    </message>
    <message>
        <source>Folder of the cache.</source>
        <translation>Ordner des Caches.</translation>
    </message>
    <message>
        <source>Show the built-in demo fleet.</source>
        <translation>Die eingebaute Demo-Flotte zeigen.</translation>
    </message>
    <message>
        <source>Freeze the clock at this time.</source>
        <translation>Die Uhr zu dieser Zeit anhalten.</translation>
    </message>
    <message>
        <source>Time zone to show times in.</source>
        <translation>Zeitzone, in der Zeiten gezeigt werden.</translation>
    </message>
    <message>
        <source>Page to open.</source>
        <translation>Seite, die geöffnet wird.</translation>
    </message>
    <message>
        <source>Print the names of the pages and exit.</source>
        <translation>Die Namen der Seiten ausgeben und enden.</translation>
    </message>
    <message>
        <source>Render one page to --out and exit.</source>
        <translation>Eine Seite nach --out zeichnen und enden.</translation>
    </message>
    <message>
        <source>Window size of --screenshot.</source>
        <translation>Fenstergröße von --screenshot.</translation>
    </message>
    <message>
        <source>light, dark or system.</source>
        <translation>light, dark oder system.</translation>
    </message>
    <message>
        <source>GPU Ledger can&apos;t start</source>
        <translation>GPU Ledger kann nicht starten</translation>
    </message>
    <message>
        <source>Write the statement of a month to --out, as PDF, and exit.</source>
        <translation>Die Abrechnung eines Monats als PDF nach --out schreiben und enden.</translation>
    </message>
    <message>
        <source>Team for --statement; otherwise all.</source>
        <translation>Team von --statement; sonst alle.</translation>
    </message>
    <message>
        <source>billed or effective, of --statement.</source>
        <translation>billed oder effective, für --statement.</translation>
    </message>
    <message>
        <source>A4 or Letter, of --statement.</source>
        <translation>A4 oder Letter, für --statement.</translation>
    </message>
    <message>
        <source>File of --screenshot (PNG) or --statement (PDF).</source>
        <translation>Datei von --screenshot (PNG) oder --statement (PDF).</translation>
    </message>
    <message>
        <source>Show this report file, read-only.</source>
        <translation>Diese Berichtsdatei zeigen, nur zum Lesen.</translation>
    </message>
    <message>
        <source>A gpuledger:// link or a report file (.gpureport) to open.</source>
        <translation>Ein Link gpuledger:// oder eine Berichtsdatei (.gpureport), die geöffnet werden soll.</translation>
    </message>
    <message>
        <source>signed here (%1)</source>
        <translation>hier signiert (%1)</translation>
    </message>
    <message>
        <source>signed by %1, a known signer</source>
        <translation>signiert von %1, den Sie kennen</translation>
    </message>
    <message>
        <source>signed by %1, an unknown signer</source>
        <translation>signiert von %1, einem unbekannten Unterzeichner</translation>
    </message>
    <message>
        <source>Report of %1, made %2 by %3; %4; read-only</source>
        <translation>Bericht für %1, gemacht am %2 von %3; %4; nur zum Lesen</translation>
    </message>
    <message>
        <source>an unknown user</source>
        <translation>einem unbekannten Benutzer</translation>
    </message>
    <message>
        <source>Add what could be saved to --statement.</source>
        <translation>Ergänzt --statement um das, was sich einsparen ließe.</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::AxisText</name>
    <message>
        <source>%1T</source>
        <comment>10^12, at an axis</comment>
        <translation>%1 Bio.</translation>
    </message>
    <message>
        <source>%1G</source>
        <comment>10^9, at an axis</comment>
        <translation>%1 Mrd.</translation>
    </message>
    <message>
        <source>%1M</source>
        <comment>10^6, at an axis</comment>
        <translation>%1 Mio.</translation>
    </message>
    <message>
        <source>%1k</source>
        <comment>thousands, at an axis</comment>
        <translation>%1 Tsd.</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::BandChart</name>
    <message>
        <source>Curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>a value of a line</comment>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>name of a point, what it is</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <comment>the ends of a range</comment>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>No data</source>
        <translation>Keine Daten</translation>
    </message>
    <message>
        <source>From %1 to %2</source>
        <translation>Von %1 bis %2</translation>
    </message>
    <message>
        <source>%1: lowest %2, highest %3</source>
        <translation>%1: kleinster Wert %2, größter %3</translation>
    </message>
    <message>
        <source>%1: unknown</source>
        <translation>%1: unbekannt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Value</source>
        <comment>of the x axis, as a number</comment>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::BusySign</name>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen …</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::Chart</name>
    <message>
        <source>%1: %2</source>
        <comment>item: its figures</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>No data</source>
        <comment>in a chart</comment>
        <translation>Keine Daten</translation>
    </message>
    <message>
        <source>Copy as picture</source>
        <translation>Als Bild kopieren</translation>
    </message>
    <message>
        <source>Copy as data</source>
        <translation>Als Daten kopieren</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::Chip</name>
    <message>
        <source>Remove filter %1</source>
        <translation>Filter %1 entfernen</translation>
    </message>
    <message>
        <source>%1 · click or Delete removes it</source>
        <comment>a filter</comment>
        <translation>%1 · Klick oder Entf entfernt ihn</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::ChipRow</name>
    <message>
        <source>Filters</source>
        <translation>Filter</translation>
    </message>
    <message numerus="yes">
        <source>%n more filters</source>
        <translation>
            <numerusform>%n weiterer Filter</numerusform>
            <numerusform>%n weitere Filter</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove %1</source>
        <comment>a filter</comment>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Remove all filters</source>
        <translation>Alle Filter entfernen</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::ChoiceButton</name>
    <message>
        <source>%1: %2</source>
        <comment>what is chosen: the choice</comment>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::DataTable</name>
    <message>
        <source>Filter rows</source>
        <translation>Zeilen filtern</translation>
    </message>
    <message>
        <source>Filter %1</source>
        <comment>name of a table</comment>
        <translation>%1 filtern</translation>
    </message>
    <message>
        <source>Close filter</source>
        <translation>Filter schließen</translation>
    </message>
    <message>
        <source>Clear filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>rows shown, of all</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Nothing matches “%1”</source>
        <translation>Nichts passt zu „%1“</translation>
    </message>
    <message>
        <source>Copy rows</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>Copy all rows</source>
        <translation>Alle Zeilen kopieren</translation>
    </message>
    <message>
        <source>Export as CSV…</source>
        <translation>Als CSV exportieren…</translation>
    </message>
    <message>
        <source>Sort ascending</source>
        <translation>Aufsteigend sortieren</translation>
    </message>
    <message>
        <source>Sort descending</source>
        <translation>Absteigend sortieren</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sortieren nach</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Reset columns</source>
        <translation>Spalten zurücksetzen</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::Heatmap</name>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>not observed</source>
        <comment>a cell without measurements</comment>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <comment>row, column: value</comment>
        <translation>%1, %2: %3</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>what stands behind a row</comment>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Copy as picture</source>
        <translation>Als Bild kopieren</translation>
    </message>
    <message>
        <source>Copy as data</source>
        <translation>Als Daten kopieren</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>value, not observed</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2: %3 %</source>
        <comment>value, what a cell is that is known only in part, share that is known</comment>
        <translation>%1, %2: %3 %</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::KeyFigureCard</name>
    <message>
        <source>better</source>
        <comment>a change</comment>
        <translation>besser</translation>
    </message>
    <message>
        <source>worse</source>
        <comment>a change</comment>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>up %1</source>
        <comment>a change</comment>
        <translation>%1 mehr</translation>
    </message>
    <message>
        <source>down %1</source>
        <comment>a change</comment>
        <translation>%1 weniger</translation>
    </message>
    <message>
        <source>not known</source>
        <comment>a figure</comment>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>title: figure</comment>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::LineChart</name>
    <message>
        <source>Lines over time</source>
        <translation>Linien über der Zeit</translation>
    </message>
    <message>
        <source>not observed</source>
        <comment>a value of a line</comment>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>day and month below an axis, in the notation of Qt</comment>
        <translation>d. MMM</translation>
    </message>
    <message>
        <source>d MMM yyyy</source>
        <comment>a date, in the notation of Qt</comment>
        <translation>d. MMM yyyy</translation>
    </message>
    <message>
        <source>No data</source>
        <translation>Keine Daten</translation>
    </message>
    <message>
        <source>%1: nothing observed</source>
        <translation>%1: nichts beobachtet</translation>
    </message>
    <message>
        <source>%1: lowest %2, highest %3, last %4</source>
        <translation>%1: niedrigster Wert %2, höchster %3, letzter %4</translation>
    </message>
    <message numerus="yes">
        <source>%n points not observed</source>
        <translation>
            <numerusform>%n Punkt nicht beobachtet</numerusform>
            <numerusform>%n Punkte nicht beobachtet</numerusform>
        </translation>
    </message>
    <message>
        <source>threshold %1</source>
        <translation>Schwelle %1</translation>
    </message>
    <message>
        <source>From %1 to %2</source>
        <translation>Von %1 bis %2</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::PointChart</name>
    <message>
        <source>Curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>name of a point, what it is</comment>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>No data</source>
        <translation>Keine Daten</translation>
    </message>
    <message>
        <source>%1 over %2; from %3 to %4</source>
        <comment>two axes, first and last point</comment>
        <translation>%1 über %2; von %3 bis %4</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::Skeleton</name>
    <message>
        <source>Loading</source>
        <comment>state of a page</comment>
        <translation>Wird geladen</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::Sparkline</name>
    <message>
        <source>nothing observed</source>
        <translation>nichts beobachtet</translation>
    </message>
    <message numerus="yes">
        <source>%n values</source>
        <comment>of a line</comment>
        <translation>
            <numerusform>%n Wert</numerusform>
            <numerusform>%n Werte</numerusform>
        </translation>
    </message>
    <message>
        <source>lowest %1, highest %2, last %3</source>
        <translation>niedrigster %1, höchster %2, letzter %3</translation>
    </message>
    <message numerus="yes">
        <source>%n not observed</source>
        <comment>of the values of a line</comment>
        <translation>
            <numerusform>%n nicht beobachtet</numerusform>
            <numerusform>%n nicht beobachtet</numerusform>
        </translation>
    </message>
    <message>
        <source>Line over time</source>
        <translation>Linie über der Zeit</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::StackedBarChart</name>
    <message>
        <source>Bars</source>
        <translation>Balken</translation>
    </message>
    <message>
        <source>not observed</source>
        <comment>a value of a bar</comment>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>No data</source>
        <translation>Keine Daten</translation>
    </message>
    <message numerus="yes">
        <source>%n bars, none observed</source>
        <translation>
            <numerusform>%n Balken, nicht beobachtet</numerusform>
            <numerusform>%n Balken, keiner beobachtet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bars from %1 to %2</source>
        <translation>
            <numerusform>%n Balken von %1 bis %2</numerusform>
            <numerusform>%n Balken von %1 bis %2</numerusform>
        </translation>
    </message>
    <message>
        <source>total %1</source>
        <translation>Summe %1</translation>
    </message>
    <message>
        <source>highest %1 on %2</source>
        <translation>höchster %1 am %2</translation>
    </message>
    <message>
        <source>budget %1</source>
        <translation>Budget %1</translation>
    </message>
    <message numerus="yes">
        <source>%n not observed</source>
        <comment>bars</comment>
        <translation>
            <numerusform>%n nicht beobachtet</numerusform>
            <numerusform>%n nicht beobachtet</numerusform>
        </translation>
    </message>
    <message>
        <source>not observed</source>
        <comment>of a bar</comment>
        <translation>nicht beobachtet</translation>
    </message>
    <message>
        <source>not final yet</source>
        <comment>of a bar</comment>
        <translation>noch nicht endgültig</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::TableFooter</name>
    <message>
        <source>%1: %2</source>
        <comment>title of a column, its total</comment>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>name of the total, its figures</comment>
        <translation>%1. %2</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::WaterfallChart</name>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>unknown</source>
        <comment>a change</comment>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Summe</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Running total</source>
        <translation>Laufende Summe</translation>
    </message>
    <message>
        <source>No data</source>
        <translation>Keine Daten</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>gpuledger::widgets::WeekGrid</name>
    <message>
        <source>%1 %2–%3: %4</source>
        <comment>day of the week, from, to, what the hour is</comment>
        <translation>%1 %2–%3: %4</translation>
    </message>
</context>
</TS>
