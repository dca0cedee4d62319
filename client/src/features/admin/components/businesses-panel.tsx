import { useQuery } from '@tanstack/react-query'
import { Eye, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Column } from '@/components/data-table'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'
import { paths } from '@/lib/paths'
import { type AdminBusiness, businessesQuery, businessTypesQuery } from '../api/businesses'
import { messages } from '../messages'
import { isNarrowed, type ListKind } from '../model/list'
import { type ListAddress, useList } from '../model/use-list'
import { dayText } from '../model/words'
import { AdminList } from './admin-list'
import { ChoiceFilter } from './choice-filter'
import { DeleteBusinessDialog } from './delete-business-dialog'
import { RowActions } from './row-actions'

const texts = messages.businesses
const kind: ListKind = {
  tab: 'businesses',
  filters: ['type'],
  sorts: ['name', 'type', 'location', 'created_at'],
  defaultSort: { key: 'created_at', descending: true },
}

/** Businesses: search, view, edit, deletion (ADMIN-BIZ-01 to ADMIN-BIZ-05). */
export function BusinessesPanel({ onDeleted }: { onDeleted: () => void }) {
  const address = useList(kind)
  const query = useQuery(businessesQuery(address.list))
  const [openDialog, setOpenDialog] = useState<AdminBusiness | null>(null)
  const [removals, setRemovals] = useState(0)
  const reason = query.error === null ? '' : describeError(query.error)
  const isSearch = isNarrowed(address.list)
  return (
    <>
      <AdminList
        words={texts}
        errorTitle={isSearch ? texts.searchError : texts.error(reason)}
        {...(!isSearch && { errorText: '' })}
        address={address}
        query={query}
        rowName={({ name }) => name}
        columns={columns(setOpenDialog)}
        filter={<TypeFilter address={address} />}
        removals={removals}
      />
      {openDialog && (
        <DeleteBusinessDialog
          business={openDialog}
          onClose={() => setOpenDialog(null)}
          onDone={(isDeleted) => {
            setOpenDialog(null)
            setRemovals(removals + 1)
            onDeleted()
            showToast({
              title: texts.deleted,
              text: isDeleted ? openDialog.name : messages.alreadyGone(openDialog.name),
              tone: isDeleted ? 'success' : 'info',
            })
          }}
        />
      )}
    </>
  )
}

function columns(onDelete: (business: AdminBusiness) => void): Column<AdminBusiness>[] {
  return [
    {
      key: 'name',
      header: texts.name,
      isSortable: true,
      isTitle: true,
      cell: ({ name, display_id }) => (
        <div className="grid min-w-40">
          <span className="font-semibold [overflow-wrap:anywhere]">{name}</span>
          <span className="nums text-xs font-normal text-muted">{display_id}</span>
        </div>
      ),
    },
    { key: 'type', header: texts.type, isSortable: true, cell: ({ type }) => type },
    { key: 'location', header: texts.location, isSortable: true, cell: ({ location }) => location },
    {
      key: 'owner',
      header: texts.owner,
      cell: ({ owner }) =>
        owner ? (
          (owner.full_name ?? messages.users.unnamed)
        ) : (
          <span className="text-muted">{texts.noOwner}</span>
        ),
    },
    {
      key: 'created_at',
      header: texts.added,
      isMinor: true,
      isSortable: true,
      cell: ({ created_at }) => <span className="whitespace-nowrap">{dayText(created_at)}</span>,
    },
    {
      key: 'actions',
      header: messages.actions,
      align: 'end',
      isActions: true,
      cell: (business) => (
        <RowActions
          name={business.name}
          actions={[
            { label: texts.view, icon: Eye, to: paths.business(business.id) },
            { label: texts.edit, icon: Pencil, to: paths.businessEdit(business.id) },
            {
              label: texts.delete,
              icon: Trash2,
              tone: 'danger',
              onSelect: () => onDelete(business),
            },
          ]}
        />
      ),
    },
  ]
}

function TypeFilter({ address }: { address: ListAddress }) {
  const { data: types = [], isError } = useQuery(businessTypesQuery)
  return (
    <ChoiceFilter
      address={address}
      name="type"
      label={texts.type}
      any={texts.anyType}
      options={types.map((type) => ({ value: type, label: type }))}
      isOpenEnded
      error={isError ? texts.typesFailed : undefined}
    />
  )
}
