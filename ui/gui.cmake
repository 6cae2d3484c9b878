# SPDX-License-Identifier: GPL-3.0-or-later
# The window. Folders: format (values to text), viewmodels (no widgets), pages, window.
add_library(gpuledger_ui STATIC
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/closemonthdialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/decisiondialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/idleruledialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/idleruleform.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/leavealonedialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/markdialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/meetingbars.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/meetingslideview.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/ownerruledialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/presentation.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/proofdialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/sharingdialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/splitlensdialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/stopdialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/typedconsent.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/timerangedialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/commandconsentpanel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/formrows.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/platformrows.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/sourcechecklist.cpp
  ${CMAKE_CURRENT_LIST_DIR}/dialogs/sourcedialog.cpp
  ${CMAKE_CURRENT_LIST_DIR}/export/exportfile.cpp ${CMAKE_CURRENT_LIST_DIR}/export/statementchart.cpp
  ${CMAKE_CURRENT_LIST_DIR}/export/statementdocument.cpp ${CMAKE_CURRENT_LIST_DIR}/export/statementexport.cpp
  ${CMAKE_CURRENT_LIST_DIR}/export/statementprint.cpp
  ${CMAKE_CURRENT_LIST_DIR}/export/tableexport.cpp
  ${CMAKE_CURRENT_LIST_DIR}/format/language.cpp
  ${CMAKE_CURRENT_LIST_DIR}/format/localtext.cpp
  ${CMAKE_CURRENT_LIST_DIR}/format/pricetext.cpp
  ${CMAKE_CURRENT_LIST_DIR}/navigation.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/activitypage.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/coveragebar.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/deviceadapter.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/devicecharts.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/devicepage.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/devicefigures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/devicetables.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/documentview.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/explainmenu.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/expressionfield.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/factlist.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/firstrun.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/heatmappage.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/heatmapstrip.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/zoombuttons.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/idleevidencepanel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/idlepage.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/idlestop.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/idlewaiting.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/overviewadapter.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/overviewcharts.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/overviewcomparison.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/overviewdays.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/overviewfigures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/overviewpage.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/overviewteams.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/ownerrulescard.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/ownerrulespreview.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/ownertables.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/page.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/reconcilecard.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/showbackfigures.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/showbackpage.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/showbackteams.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/sourcecardview.cpp
  ${CMAKE_CURRENT_LIST_DIR}/pages/sourcespage.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/actioncontroller.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/actionwords.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/activitytable.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/asciicollation.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/askablerange.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/asker.h
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/billsteptext.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/deviceviewmodel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/dimensionvalues.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/extraserieslist.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/filterchips.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/configurationsaver.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/heatmapmatrix.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/heatmapviewmodel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/idleruletables.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/idleruletrial.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/idletable.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/idletext.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/idleviewmodel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/meeting.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/navigator.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/overviewviewmodel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/ownerrulesviewmodel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/ownerruletext.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/prooftable.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/scope.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/showbackviewmodel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/sourcedraft.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/sourcesviewmodel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/contextfinder.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/sourcefields.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/sourceloss.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/sourcetest.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/sharingtable.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/spendtables.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/splitlenstable.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/statementsheet.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/stoptable.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/synccontroller.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/syncnotice.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/tablemodel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/tablemodeldata.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/tableorder.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/taskrunner.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/waitingtable.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/waitingviewmodel.cpp
  ${CMAKE_CURRENT_LIST_DIR}/viewmodels/windowlayout.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/alertbar.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/commandpalette.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/commands.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/damagebar.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/filterbar.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/filterpopup.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/helpwindow.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/mainwindow.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/navigationrail.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/noticebar.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/picturetaker.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/searchbutton.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/singleinstance.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/statementwriter.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/stalebar.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/statusline.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/syncindicator.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/desktopnotice.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/systemtheme.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/timechoice.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/topbar.cpp
  ${CMAKE_CURRENT_LIST_DIR}/window/windows.cpp)
gpuledger_alone(gpuledger_ui dialogs/decisiondialog.cpp dialogs/leavealonedialog.cpp dialogs/markdialog.cpp
  dialogs/ownerruledialog.cpp dialogs/presentation.cpp dialogs/sharingdialog.cpp dialogs/sourcechecklist.cpp
  dialogs/sourcedialog.cpp dialogs/splitlensdialog.cpp dialogs/stopdialog.cpp)
gpuledger_alone(gpuledger_ui export/statementdocument.cpp)
gpuledger_alone(gpuledger_ui pages/overviewdays.cpp pages/overviewteams.cpp pages/ownertables.cpp pages/showbackteams.cpp
  pages/sourcecardview.cpp)
gpuledger_alone(gpuledger_ui viewmodels/configurationsaver.cpp viewmodels/idleruletrial.cpp viewmodels/overviewviewmodel.cpp
  viewmodels/prooftable.cpp viewmodels/showbackviewmodel.cpp viewmodels/splitlenstable.cpp viewmodels/tablemodeldata.cpp
  viewmodels/tableorder.cpp)
gpuledger_alone(gpuledger_ui window/filterpopup.cpp window/navigationrail.cpp window/noticebar.cpp window/statusline.cpp)
set_target_properties(gpuledger_ui PROPERTIES AUTOMOC ON)
target_link_libraries(gpuledger_ui PUBLIC gpuledger_app gpuledger_format gpuledger_widgets Qt6::Widgets Qt6::PrintSupport
  Qt6::Network Qt6::DBus)
gpuledger_translations(gpuledger_ui ${CMAKE_SOURCE_DIR}/translations/gpuledger_de.ts
  ${CMAKE_SOURCE_DIR}/translations/gpuledger_en.ts)
gpuledger_handbook(gpuledger_ui)
gpuledger_unity(gpuledger_ui)
gpuledger_precompile(window gpuledger_ui)

add_executable(gpuledger ${CMAKE_CURRENT_LIST_DIR}/main.cpp)
target_link_libraries(gpuledger PRIVATE gpuledger_ui gpuledger_connectors)
target_compile_definitions(gpuledger PRIVATE GPULEDGER_VERSION="${PROJECT_VERSION}")
