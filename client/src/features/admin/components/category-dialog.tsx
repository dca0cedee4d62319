import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { FormField } from '@/components/form-field'
import { Input } from '@/components/ui/input'
import { useSaveCategory } from '../api/categories'
import { messages } from '../messages'
import {
  type Category,
  type CategoryForm,
  categorySchema,
  categoryText,
  toForm,
} from '../model/category'
import { RowFormDialog } from './row-form-dialog'
import { useRowSave } from './use-row-save'

const texts = messages.categories

type CategoryDialogProps = {
  /** Null when adding one. */
  category: Category | null
  onSaved: (typed: CategoryForm) => void
  onClose: () => void
}

/** Adds a category or edits it (ADMIN-CAT-03). */
export function CategoryDialog({ category, onSaved, onClose }: CategoryDialogProps) {
  const save = useSaveCategory()
  const form = useForm<CategoryForm>({
    resolver: zodResolver(categorySchema),
    defaultValues: toForm(category),
  })

  const { obstacle, send } = useRowSave({
    row: category,
    form,
    save: save.mutateAsync,
    textOf: categoryText,
    taken: () => ({ field: 'name', text: texts.nameTaken }),
    onSaved,
  })

  return (
    <RowFormDialog
      title={category === null ? texts.addTitle : texts.editTitle(category.name)}
      saveLabel={category === null ? texts.add : messages.save}
      isNew={category === null}
      isPending={save.isPending}
      isDirty={form.formState.isDirty}
      obstacle={obstacle}
      words={texts}
      onSubmit={(event) => void form.handleSubmit(send)(event)}
      onClose={onClose}
    >
      <FormField form={form} name="name" label={texts.name}>
        {(control) => <Input {...control} autoComplete="off" data-autofocus />}
      </FormField>
      <FormField form={form} name="icon" label={texts.icon} help={texts.iconHelp}>
        {(control) => <Input {...control} autoComplete="off" className="max-w-24 text-xl" />}
      </FormField>
    </RowFormDialog>
  )
}
