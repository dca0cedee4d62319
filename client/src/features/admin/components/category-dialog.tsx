import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Input } from '@/components/ui/input'
import { toAppError } from '@/lib/errors'
import { useSaveCategory } from '../api/categories'
import { messages } from '../messages'
import {
  type Category,
  type CategoryForm,
  categorySchema,
  categoryText,
  toForm,
} from '../model/category'
import type { Obstacle } from './obstacle-alert'
import { RowFormDialog } from './row-form-dialog'

const words = messages.categories
const nameTaken = '23505'

type CategoryDialogProps = {
  /** Null for one that is to be added. */
  category: Category | null
  onSaved: (typed: CategoryForm) => void
  onClose: () => void
}

/** Adds a category or edits it (ADMIN-CAT-03). */
export function CategoryDialog({ category, onSaved, onClose }: CategoryDialogProps) {
  const [before, setBefore] = useState(category)
  const [obstacle, setObstacle] = useState<Obstacle | null>(null)
  const save = useSaveCategory()
  const form = useForm<CategoryForm>({
    resolver: zodResolver(categorySchema),
    defaultValues: toForm(category),
  })

  const handleSubmit = form.handleSubmit(async (typed) => {
    setObstacle(null)
    try {
      const saved = await save.mutateAsync({ typed, before })
      if (saved.state === 'saved') return onSaved(typed)
      if (saved.state === 'gone') return setObstacle({ kind: 'gone' })
      setBefore(saved.now)
      setObstacle({ kind: 'changed', now: categoryText(saved.now) })
    } catch (error) {
      if (toAppError(error).code !== nameTaken) setObstacle({ kind: 'failed', error })
      else form.setError('name', { message: words.nameTaken }, { shouldFocus: true })
    }
  })

  return (
    <RowFormDialog
      title={category === null ? words.addTitle : words.editTitle(category.name)}
      saveLabel={category === null ? words.add : messages.save}
      isNew={category === null}
      isPending={save.isPending}
      obstacle={obstacle}
      words={words}
      onSubmit={(event) => void handleSubmit(event)}
      onClose={onClose}
    >
      <FormField form={form} name="name" label={words.name}>
        {(control) => <Input {...control} autoComplete="off" data-autofocus />}
      </FormField>
      <FormField form={form} name="icon" label={words.icon} help={words.iconHelp}>
        {(control) => <Input {...control} autoComplete="off" className="max-w-24 text-xl" />}
      </FormField>
    </RowFormDialog>
  )
}
