import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { Link } from 'react-router'
import type { Column } from '@/components/data-table'
import { type AdminReport, decideReports, reportQuery, reportsQuery } from '../api/reports'
import { testToolsQuery } from '../api/test-tools'
import { messages } from '../messages'
import { bulkSize } from '../model/bulk'
import { type ListKind, rowToRead } from '../model/list'
import { isPending, reportStatuses, reportTypes } from '../model/request'
import { useList } from '../model/use-list'
import { dayText } from '../model/words'
import { requestMessages } from '../request-messages'
import { testMessages } from '../test-messages'
import type { RequestAction } from './action-dialog'
import { ChoiceFilter } from './choice-filter'
import { Facts } from './facts'
import { RequestsPanel } from './requests-panel'
import { SampleReports } from './sample-reports'
import { StatusFilter, statusColumn, statusFact } from './status'
import { WithAvatar } from './with-avatar'

const texts = requestMessages.reports
const kind: ListKind = {
  tab: 'reports',
  filters: ['status', 'type'],
  sorts: [],
  defaultSort: { key: 'created_at', descending: true },
}

const decision = {
  isFor: isPending,
  done: texts.updated,
  doneAll: texts.allUpdated,
  failed: texts.updateFailed,
  failedAll: texts.updateAllFailed,
  batch: bulkSize,
} as const

const actions: readonly RequestAction<AdminReport>[] = [
  {
    ...decision,
    icon: Check,
    label: texts.resolve,
    bulkLabel: () => texts.resolveMany,
    title: texts.resolveTitle,
    titleAll: texts.resolveAllTitle,
    text: texts.resolveText,
    act: (ids) => decideReports(ids, 'resolved'),
  },
  {
    ...decision,
    icon: X,
    label: texts.reject,
    bulkLabel: () => texts.rejectMany,
    title: texts.rejectTitle,
    titleAll: texts.rejectAllTitle,
    text: texts.rejectText,
    act: (ids) => decideReports(ids, 'rejected'),
  },
]

/** Reports: search, details, decisions, samples (ADMIN-REPORT-01 to ADMIN-REPORT-08). */
export function ReportsPanel() {
  const address = useList(kind)
  const query = useQuery(reportsQuery(address.list))
  const isEmpty = query.data?.total === 0
  const { data: tools } = useQuery({ ...testToolsQuery, enabled: isEmpty })
  return (
    <RequestsPanel
      words={texts}
      address={address}
      query={query}
      opened={useQuery(reportQuery(rowToRead(address.list, query.data)))}
      columns={columns}
      nameOf={({ reason }) => reason}
      noteOf={(report) => `${typeOf(report)} · ${entityOf(report)}`}
      filter={
        <>
          <StatusFilter address={address} statuses={reportStatuses} />
          <ChoiceFilter
            address={address}
            name="type"
            label={texts.type}
            any={texts.anyType}
            options={reportTypes.map((value) => ({ value, label: texts.types[value] ?? value }))}
          />
        </>
      }
      actions={actions}
      selectedText={texts.selected}
      {...(tools?.is_on && {
        whenEmpty: { text: testMessages.sampleText, action: <SampleReports /> },
      })}
      details={(report) => <ReportDetails report={report} />}
    />
  )
}

function typeOf({ type }: AdminReport): string {
  return texts.types[type] ?? type
}

/** A user without a name still exists. */
function entityOf({ entity_name, entity_link }: AdminReport): string {
  return entity_name ?? (entity_link === null ? texts.entityGone : messages.users.unnamed)
}

function nameOfReporter({ reporter_name }: AdminReport): string {
  return reporter_name ?? messages.users.unnamed
}

const columns: readonly Column<AdminReport>[] = [
  {
    key: 'entity',
    header: texts.entity,
    cell: (report) => (
      <WithAvatar name={entityOf(report)} src={report.entity_image}>
        <span className="grid min-w-0">
          <span className="font-semibold [overflow-wrap:anywhere]">{entityOf(report)}</span>
          <span className="text-sm text-muted">
            {typeOf(report)}
            {report.entity_preview !== null && `: ${report.entity_preview}`}
          </span>
        </span>
      </WithAvatar>
    ),
  },
  {
    key: 'reason',
    header: texts.reason,
    isTitle: true,
    cell: ({ reason }) => <span className="block min-w-28 [overflow-wrap:anywhere]">{reason}</span>,
  },
  { key: 'reporter', header: texts.reporter, isMinor: true, cell: nameOfReporter },
  statusColumn,
  {
    key: 'date',
    header: texts.date,
    cell: ({ created_at }) => <span className="whitespace-nowrap">{dayText(created_at)}</span>,
  },
]

function ReportDetails({ report }: { report: AdminReport }) {
  return (
    <Facts
      facts={[
        statusFact(report),
        { label: texts.type, value: typeOf(report) },
        {
          label: texts.entity,
          value:
            report.entity_link === null ? (
              entityOf(report)
            ) : (
              <Link className="text-primary underline underline-offset-4" to={report.entity_link}>
                {entityOf(report)}
              </Link>
            ),
        },
        ...(report.entity_preview === null
          ? []
          : [{ label: texts.types.review ?? '', value: report.entity_preview }]),
        { label: texts.reason, value: report.reason },
        { label: texts.details, value: report.details },
        { label: texts.reporter, value: nameOfReporter(report) },
        { label: texts.date, value: dayText(report.created_at) },
      ]}
    />
  )
}
