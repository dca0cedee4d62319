import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { countText } from '@/lib/formats'
import { categoriesQuery } from '../api/categories'
import { messages } from '../messages'
import type { Category } from '../model/category'
import type { ListKind } from '../model/list'
import { useList } from '../model/use-list'
import { dayText } from '../model/words'
import { AdminList } from './admin-list'
import { CategoryDialog } from './category-dialog'
import { type CategoryRemoval, DeleteCategoryDialog } from './delete-category-dialog'
import { editAndDelete } from './row-actions'

const words = messages.categories
const kind: ListKind = {
  tab: 'categories',
  sorts: ['name', 'created_at'],
  defaultSort: { key: 'name', descending: false },
}

type Asked = { what: 'add' } | { what: 'edit' | 'delete'; category: Category }

/** Categories: search, add, edit, delete (ADMIN-CAT-01 to ADMIN-CAT-05). */
export function CategoriesPanel() {
  const address = useList(kind)
  const query = useQuery(categoriesQuery(address.list))
  const [asked, setAsked] = useState<Asked | null>(null)
  const [removals, setRemovals] = useState(0)
  const close = () => setAsked(null)
  return (
    <>
      <AdminList
        words={words}
        errorTitle={words.error}
        address={address}
        query={query}
        rowName={({ name }) => name}
        columns={[
          {
            key: 'name',
            header: words.name,
            isSortable: true,
            isTitle: true,
            cell: ({ name }) => (
              <span className="font-semibold [overflow-wrap:anywhere]">{name}</span>
            ),
          },
          {
            key: 'icon',
            header: words.icon,
            cell: ({ icon }) =>
              icon === null ? (
                <span className="text-muted">{messages.none}</span>
              ) : (
                <span className="text-xl">{icon}</span>
              ),
          },
          {
            key: 'created_at',
            header: words.createdDate,
            isSortable: true,
            cell: (category) => dayText(category.created_at),
          },
          editAndDelete<Category>({
            words,
            nameOf: ({ name }) => name,
            onEdit: (category) => setAsked({ what: 'edit', category }),
            onDelete: (category) => setAsked({ what: 'delete', category }),
          }),
        ]}
        actions={
          <Button onClick={() => setAsked({ what: 'add' })}>
            <Plus className="size-5" strokeWidth={1.75} aria-hidden />
            {words.add}
          </Button>
        }
        removals={removals}
      />
      {(asked?.what === 'add' || asked?.what === 'edit') && (
        <CategoryDialog
          category={asked.what === 'add' ? null : asked.category}
          onClose={close}
          onSaved={({ name }) => {
            close()
            const title = asked.what === 'add' ? words.added : words.updated
            showToast({ title, text: name, tone: 'success' })
          }}
        />
      )}
      {asked?.what === 'delete' && (
        <DeleteCategoryDialog
          category={asked.category}
          onClose={close}
          onDone={(removal) => {
            close()
            setRemovals(removals + 1)
            tell(asked.category.name, removal)
          }}
        />
      )}
    </>
  )
}

function tell(name: string, { wasThere, moved, movedTo }: CategoryRemoval): void {
  const text = movedTo === '' ? name : words.moved(countText(moved), movedTo)
  showToast(
    wasThere
      ? { title: words.deleted, text, tone: 'success' }
      : { title: words.deleted, text: messages.alreadyGone(name) },
  )
}
