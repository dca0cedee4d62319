import { useQuery } from '@tanstack/react-query'
import { Check, ClipboardCheck, X } from 'lucide-react'
import { useState } from 'react'
import type { Column } from '@/components/data-table'
import { Badge } from '@/components/ui/badge'
import { showToast } from '@/components/ui/toast'
import { type AdminClaim, claimQuery, claimsQuery, decideClaim } from '../api/claims'
import { type ListKind, rowToRead } from '../model/list'
import { isPending, reviewStatuses } from '../model/request'
import { useList } from '../model/use-list'
import { dayText } from '../model/words'
import { requestMessages } from '../request-messages'
import type { RequestAction } from './action-dialog'
import { businessOf, ClaimDetails } from './claim-details'
import { RequestsPanel } from './requests-panel'
import { ReviewClaimDialog } from './review-claim-dialog'
import { StatusFilter, statusColumn } from './status'
import { WithAvatar } from './with-avatar'

const texts = requestMessages.claims
const kind: ListKind = {
  tab: 'claims',
  filters: ['status'],
  sorts: [],
  defaultSort: { key: 'submitted_at', descending: true },
}

const common = {
  isFor: isPending,
  failed: texts.failed,
  failedAll: texts.failed,
  // A claim may be refused for its own reason (ADMIN-CLAIM-04).
  batch: 1,
} as const

const actions: readonly RequestAction<AdminClaim>[] = [
  {
    ...common,
    icon: Check,
    label: texts.approve,
    bulkLabel: texts.approveMany,
    title: texts.reviewTitle,
    titleAll: texts.approveTitle,
    text: texts.approveText,
    done: texts.approved,
    doneAll: texts.allApproved,
    act: ([id = '']) => decideClaim(id, 'approved'),
  },
  {
    ...common,
    icon: X,
    label: texts.reject,
    bulkLabel: texts.rejectMany,
    title: texts.reviewTitle,
    titleAll: texts.rejectTitle,
    text: texts.rejectText,
    done: texts.rejected,
    doneAll: texts.allRejected,
    act: ([id = '']) => decideClaim(id, 'rejected'),
  },
]

/** Claims: search, details, review one by one or many at once (ADMIN-CLAIM-01 to ADMIN-CLAIM-10). */
export function ClaimsPanel() {
  const address = useList(kind)
  const query = useQuery(claimsQuery(address.list))
  const [reviewed, setReviewed] = useState<AdminClaim | null>(null)
  const { status = '' } = address.list.filters
  const isFiltered = reviewStatuses.some((one) => one === status)
  return (
    <>
      <RequestsPanel
        words={{ ...texts, empty: isFiltered ? texts.emptyOf(status) : texts.empty }}
        address={address}
        query={query}
        opened={useQuery(claimQuery(rowToRead(address.list, query.data)))}
        columns={columns}
        nameOf={businessOf}
        noteOf={({ full_name }) => full_name}
        filter={<StatusFilter address={address} statuses={reviewStatuses} />}
        actions={actions}
        ownActions={(claim) =>
          isPending(claim)
            ? [
                {
                  label: texts.review,
                  icon: ClipboardCheck,
                  onSelect: () => {
                    address.open('')
                    setReviewed(claim)
                  },
                },
              ]
            : []
        }
        details={(claim) => <ClaimDetails claim={claim} />}
      />
      {reviewed && (
        <ReviewClaimDialog
          claim={reviewed}
          onClose={() => setReviewed(null)}
          onDecided={(decision) => {
            setReviewed(null)
            showToast({ title: texts[decision], text: businessOf(reviewed), tone: 'success' })
          }}
        />
      )}
    </>
  )
}

const columns: readonly Column<AdminClaim>[] = [
  {
    key: 'claimant',
    header: texts.claimant,
    cell: ({ full_name, business_email, claimant }) => (
      <WithAvatar name={full_name} src={claimant.avatar_url}>
        <span className="grid min-w-32">
          <span className="font-semibold [overflow-wrap:anywhere]">{full_name}</span>
          <span className="text-sm text-muted [overflow-wrap:anywhere]">{business_email}</span>
        </span>
      </WithAvatar>
    ),
  },
  {
    key: 'business',
    header: texts.business,
    isTitle: true,
    cell: (claim) => (
      <span className="grid min-w-28">
        <span className="font-semibold [overflow-wrap:anywhere]">{businessOf(claim)}</span>
        <span className="text-sm font-normal text-muted">{claim.business.location}</span>
      </span>
    ),
  },
  {
    key: 'role',
    header: texts.role,
    isMinor: true,
    cell: ({ role_at_company }) => role_at_company,
  },
  {
    key: 'method',
    header: texts.method,
    cell: ({ verification_method, verified_at }) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        {texts.methods[verification_method] ?? verification_method}
        {verified_at !== null && <Badge tone="success">{texts.proven}</Badge>}
      </span>
    ),
  },
  statusColumn,
  {
    key: 'submitted_at',
    header: texts.submitted,
    isMinor: true,
    cell: ({ submitted_at }) => dayText(submitted_at),
  },
]
