import { useQuery } from '@tanstack/react-query'
import { Check, Trash2, X } from 'lucide-react'
import type { Column } from '@/components/data-table'
import {
  type AdminApplication,
  applicationQuery,
  applicationsQuery,
  decideApplications,
  deleteApplications,
} from '../api/applications'
import { messages } from '../messages'
import { bulkSize } from '../model/bulk'
import { type ListKind, rowToRead } from '../model/list'
import { isPending, reviewStatuses } from '../model/request'
import { useList } from '../model/use-list'
import { dayText } from '../model/words'
import { requestMessages } from '../request-messages'
import type { RequestAction } from './action-dialog'
import { Facts } from './facts'
import { RequestsPanel } from './requests-panel'
import { StatusFilter, statusColumn, statusFact } from './status'
import { WithAvatar } from './with-avatar'

const texts = requestMessages.applications
const kind: ListKind = {
  tab: 'applications',
  filters: ['status'],
  sorts: [],
  defaultSort: { key: 'created_at', descending: true },
}

const decision = {
  isFor: isPending,
  failed: texts.updateFailed,
  failedAll: texts.updateAllFailed,
  batch: bulkSize,
} as const

const actions: readonly RequestAction<AdminApplication>[] = [
  {
    ...decision,
    icon: Check,
    label: texts.approve,
    bulkLabel: () => texts.approveMany,
    title: texts.approveTitle,
    titleAll: texts.approveAllTitle,
    text: texts.approveText,
    done: texts.approved,
    doneAll: texts.allApproved,
    act: (ids) => decideApplications(ids, 'approved'),
  },
  {
    ...decision,
    icon: X,
    label: texts.reject,
    bulkLabel: () => texts.rejectMany,
    title: texts.rejectTitle,
    titleAll: texts.rejectAllTitle,
    text: texts.rejectText,
    done: texts.rejected,
    doneAll: texts.allRejected,
    act: (ids) => decideApplications(ids, 'rejected'),
  },
  {
    icon: Trash2,
    label: texts.delete,
    bulkLabel: () => texts.deleteMany,
    tone: 'danger',
    isFor: () => true,
    title: texts.deleteTitle,
    titleAll: texts.deleteAllTitle,
    text: texts.deleteText,
    done: texts.deleted,
    doneAll: texts.allDeleted,
    failed: texts.deleteFailed,
    failedAll: texts.deleteFailed,
    batch: bulkSize,
    act: deleteApplications,
  },
]

/** Seller applications: search, details, decisions, deletion (ADMIN-APP-01 to ADMIN-APP-06). */
export function ApplicationsPanel() {
  const address = useList(kind)
  const query = useQuery(applicationsQuery(address.list))
  return (
    <RequestsPanel
      words={texts}
      address={address}
      query={query}
      opened={useQuery(applicationQuery(rowToRead(address.list, query.data)))}
      columns={columns}
      nameOf={({ business_name }) => business_name}
      noteOf={nameOfApplicant}
      filter={<StatusFilter address={address} statuses={reviewStatuses} />}
      actions={actions}
      details={(application) => <ApplicationDetails application={application} />}
    />
  )
}

function nameOfApplicant({ applicant }: AdminApplication): string {
  return applicant.full_name ?? messages.users.unnamed
}

const columns: readonly Column<AdminApplication>[] = [
  {
    key: 'business',
    header: texts.business,
    isTitle: true,
    cell: ({ business_name, business_type }) => (
      <span className="grid min-w-0">
        <span className="font-semibold [overflow-wrap:anywhere]">{business_name}</span>
        <span className="text-sm font-normal text-muted">{business_type}</span>
      </span>
    ),
  },
  {
    key: 'applicant',
    header: texts.applicant,
    cell: (application) => (
      <WithAvatar name={nameOfApplicant(application)} src={application.applicant.avatar_url}>
        <span className="break-words">{nameOfApplicant(application)}</span>
      </WithAvatar>
    ),
  },
  { key: 'location', header: texts.location, isMinor: true, cell: ({ location }) => location },
  statusColumn,
  {
    key: 'date',
    header: texts.date,
    cell: ({ created_at }) => <span className="whitespace-nowrap">{dayText(created_at)}</span>,
  },
]

function ApplicationDetails({ application }: { application: AdminApplication }) {
  const { applicant } = application
  return (
    <div className="grid gap-6">
      <Facts
        facts={[
          statusFact(application),
          {
            label: texts.applicant,
            value: `${nameOfApplicant(application)} · ${applicant.display_id ?? ''}`,
          },
          { label: texts.business, value: application.business_name },
          { label: messages.businesses.type, value: application.business_type },
          { label: texts.location, value: application.location },
          { label: texts.description, value: application.business_description },
          { label: texts.date, value: dayText(application.created_at) },
        ]}
      />
      {application.superseded_at !== null && (
        <p className="text-sm text-muted">{texts.superseded}</p>
      )}
    </div>
  )
}
