import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { locationsQuery } from '../api/locations'
import { messages } from '../messages'
import type { ListKind } from '../model/list'
import { type Location, slugText } from '../model/location'
import { useList } from '../model/use-list'
import { dayText } from '../model/words'
import { AdminList } from './admin-list'
import { DeleteLocationDialog } from './delete-location-dialog'
import { LocationDialog } from './location-dialog'
import { editAndDelete } from './row-actions'

const texts = messages.locations
const kind: ListKind = {
  tab: 'locations',
  sorts: ['original', 'slug', 'created_at'],
  defaultSort: { key: 'original', descending: false },
}

type OpenDialog = { what: 'add' } | { what: 'edit' | 'delete'; location: Location }

/** Locations and their slugs: search, add, edit, delete (ADMIN-LOC-01 to ADMIN-LOC-09). */
export function LocationsPanel() {
  const address = useList(kind)
  const query = useQuery(locationsQuery(address.list))
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const [removals, setRemovals] = useState(0)
  const close = () => setOpenDialog(null)
  return (
    <>
      <AdminList
        words={texts}
        errorTitle={texts.error}
        address={address}
        query={query}
        rowName={({ original }) => original}
        columns={[
          {
            key: 'original',
            header: texts.name,
            isSortable: true,
            isTitle: true,
            cell: ({ original }) => (
              <span className="font-semibold [overflow-wrap:anywhere]">{original}</span>
            ),
          },
          {
            key: 'slug',
            header: texts.slugHeader,
            isSortable: true,
            cell: ({ slug }) => <span className="text-muted">{slugText(slug)}</span>,
          },
          {
            key: 'created_at',
            header: messages.created,
            isSortable: true,
            cell: (location) => dayText(location.created_at),
          },
          editAndDelete<Location>({
            words: texts,
            nameOf: ({ original }) => original,
            onEdit: (location) => setOpenDialog({ what: 'edit', location }),
            onDelete: (location) => setOpenDialog({ what: 'delete', location }),
          }),
        ]}
        actions={
          <Button onClick={() => setOpenDialog({ what: 'add' })}>
            <Plus className="size-5" strokeWidth={1.75} aria-hidden />
            {texts.add}
          </Button>
        }
        removals={removals}
      />
      {(openDialog?.what === 'add' || openDialog?.what === 'edit') && (
        <LocationDialog
          location={openDialog.what === 'add' ? null : openDialog.location}
          onClose={close}
          onSaved={({ original }) => {
            close()
            const title = openDialog.what === 'add' ? texts.added : texts.updated
            showToast({ title, text: original, tone: 'success' })
          }}
        />
      )}
      {openDialog?.what === 'delete' && (
        <DeleteLocationDialog
          location={openDialog.location}
          onClose={close}
          onDone={(isDeleted) => {
            close()
            setRemovals(removals + 1)
            const { original } = openDialog.location
            const text = isDeleted ? original : messages.alreadyGone(original)
            showToast({ title: texts.deleted, text, tone: isDeleted ? 'success' : 'info' })
          }}
        />
      )}
    </>
  )
}
