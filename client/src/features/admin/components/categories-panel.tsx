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

const texts = messages.categories
const kind: ListKind = {
  tab: 'categories',
  sorts: ['name', 'created_at'],
  defaultSort: { key: 'name', descending: false },
}

type OpenDialog = { what: 'add' } | { what: 'edit' | 'delete'; category: Category }

/** Categories: search, add, edit, delete (ADMIN-CAT-01 to ADMIN-CAT-05). */
export function CategoriesPanel() {
  const address = useList(kind)
  const query = useQuery(categoriesQuery(address.list))
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
        rowName={({ name }) => name}
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
            cell: (category) => dayText(category.created_at),
          },
          editAndDelete<Category>({
            words: texts,
            nameOf: ({ name }) => name,
            onEdit: (category) => setOpenDialog({ what: 'edit', category }),
            onDelete: (category) => setOpenDialog({ what: 'delete', category }),
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
        <CategoryDialog
          category={openDialog.what === 'add' ? null : openDialog.category}
          onClose={close}
          onSaved={({ name }) => {
            close()
            const title = openDialog.what === 'add' ? texts.added : texts.updated
            showToast({ title, text: name, tone: 'success' })
          }}
        />
      )}
      {openDialog?.what === 'delete' && (
        <DeleteCategoryDialog
          category={openDialog.category}
          onClose={close}
          onDone={(removal) => {
            close()
            setRemovals(removals + 1)
            tell(openDialog.category.name, removal)
          }}
        />
      )}
    </>
  )
}

function tell(name: string, { wasThere, moved, movedTo }: CategoryRemoval): void {
  const text = movedTo === '' ? name : texts.moved(countText(moved), movedTo)
  showToast(
    wasThere
      ? { title: texts.deleted, text, tone: 'success' }
      : { title: texts.deleted, text: messages.alreadyGone(name) },
  )
}
