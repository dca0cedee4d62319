import { useQuery } from '@tanstack/react-query'
import { countText } from '@/lib/formats'
import { categoriesQuery } from '../api/categories'
import { messages } from '../messages'
import type { ListKind } from '../model/list'
import { useList } from '../model/use-list'
import { dayText } from '../model/words'
import { CategoryDialog } from './category-dialog'
import { type CategoryRemoval, DeleteCategoryDialog } from './delete-category-dialog'
import { EditableList } from './editable-list'

const texts = messages.categories
const kind: ListKind = {
  tab: 'categories',
  sorts: ['name', 'created_at'],
  defaultSort: { key: 'name', descending: false },
}

/** Categories: search, add, edit, delete (ADMIN-CAT-01 to ADMIN-CAT-05). */
export function CategoriesPanel() {
  const address = useList(kind)
  const query = useQuery(categoriesQuery(address.list))
  return (
    <EditableList
      words={texts}
      address={address}
      query={query}
      nameOf={({ name }) => name}
      columns={[
        {
          key: 'name',
          header: texts.name,
          isSortable: true,
          isTitle: true,
          cell: ({ name }) => (
            <span className="font-semibold [overflow-wrap:anywhere]">{name}</span>
          ),
        },
        {
          key: 'icon',
          header: texts.icon,
          cell: ({ icon }) =>
            icon === null ? (
              <span className="text-muted">{messages.none}</span>
            ) : (
              <span className="text-xl">{icon}</span>
            ),
        },
        {
          key: 'created_at',
          header: texts.createdDate,
          isSortable: true,
          cell: ({ created_at }) => dayText(created_at),
        },
      ]}
      form={({ row, onSaved, onClose }) => (
        <CategoryDialog category={row} onClose={onClose} onSaved={({ name }) => onSaved(name)} />
      )}
      removal={({ row, onDone, onClose }) => (
        <DeleteCategoryDialog
          category={row}
          onClose={onClose}
          onDone={(removal) => onDone(deletedToast(row.name, removal))}
        />
      )}
    />
  )
}

function deletedToast(name: string, { wasThere, moved, movedTo }: CategoryRemoval) {
  if (!wasThere) return { title: texts.deleted, text: messages.alreadyGone(name) }
  const text = movedTo === '' ? name : texts.moved(countText(moved), movedTo)
  return { title: texts.deleted, text, tone: 'success' as const }
}
