import { useQuery } from '@tanstack/react-query'
import { locationsQuery } from '../api/locations'
import { messages } from '../messages'
import type { ListKind } from '../model/list'
import { slugText } from '../model/location'
import { useList } from '../model/use-list'
import { dayText } from '../model/words'
import { DeleteLocationDialog } from './delete-location-dialog'
import { EditableList } from './editable-list'
import { LocationDialog } from './location-dialog'

const texts = messages.locations
const kind: ListKind = {
  tab: 'locations',
  sorts: ['original', 'slug', 'created_at'],
  defaultSort: { key: 'original', descending: false },
}

/** Locations and their slugs: search, add, edit, delete (ADMIN-LOC-01 to ADMIN-LOC-09). */
export function LocationsPanel() {
  const address = useList(kind)
  const query = useQuery(locationsQuery(address.list))
  return (
    <EditableList
      words={texts}
      address={address}
      query={query}
      nameOf={({ original }) => original}
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
          cell: ({ created_at }) => dayText(created_at),
        },
      ]}
      form={({ row, onSaved, onClose }) => (
        <LocationDialog
          location={row}
          onClose={onClose}
          onSaved={({ original }) => onSaved(original)}
        />
      )}
      removal={({ row, onDone, onClose }) => (
        <DeleteLocationDialog
          location={row}
          onClose={onClose}
          onDone={(isDeleted) =>
            onDone(
              isDeleted
                ? { title: texts.deleted, text: row.original, tone: 'success' }
                : { title: texts.deleted, text: messages.alreadyGone(row.original) },
            )
          }
        />
      )}
    />
  )
}
