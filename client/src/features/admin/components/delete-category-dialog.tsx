import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { Alert } from '@/components/ui/alert'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { toAppError } from '@/lib/errors'
import { countText } from '@/lib/formats'
import { categoryNamesQuery, categoryUseQuery, useDeleteCategory } from '../api/categories'
import { messages } from '../messages'
import type { Category } from '../model/category'
import { refusalText } from '../model/refusal'
import { DeletionEffects } from './deletion-effects'

const texts = messages.categories
// SQLSTATE foreign_key_violation: the category contains businesses.
const stillUsed = '23503'

export type CategoryRemoval = { wasThere: boolean; moved: number; movedTo: string }

type DeleteCategoryDialogProps = {
  category: Category
  onDone: (removal: CategoryRemoval) => void
  onClose: () => void
}

/**
 * Asks for confirmation before a category is deleted, and where its businesses should move
 * (ADMIN-CAT-04, RULE-28).
 */
export function DeleteCategoryDialog({ category, onDone, onClose }: DeleteCategoryDialogProps) {
  const { id, name } = category
  const use = useQuery(categoryUseQuery(id))
  const names = useQuery(categoryNamesQuery)
  const [moveTo, setMoveTo] = useState('')
  const [isMissing, setMissing] = useState(false)
  const remove = useDeleteCategory()
  const others = names.data?.filter((other) => other.id !== id) ?? []
  const isUsed = (use.data ?? 0) > 0

  const handleConfirm = () => {
    if (isUsed && moveTo === '') return setMissing(true)
    remove.mutate(
      { id, moveTo: isUsed ? moveTo : null },
      {
        onSuccess: (moved) =>
          onDone({
            wasThere: moved !== null,
            moved: moved ?? 0,
            movedTo: others.find((other) => other.id === moveTo)?.name ?? '',
          }),
        onError: () => void Promise.all([use.refetch(), names.refetch()]),
      },
    )
  }

  return (
    <ConfirmDialog
      open
      onClose={() => !remove.isPending && onClose()}
      title={texts.deleteTitle(name)}
      confirmLabel={isUsed ? texts.moveConfirm : texts.deleteConfirm}
      pending={remove.isPending}
      onConfirm={handleConfirm}
      text={
        <div className="grid gap-5">
          {remove.isError && (
            <Alert tone="danger" title={texts.deleteError}>
              {toAppError(remove.error).code === stillUsed
                ? texts.usedMeanwhile
                : refusalText(remove.error)}
            </Alert>
          )}
          <DeletionEffects query={use} lines={1}>
            {(count) => (
              <p className="nums">{count > 0 ? texts.used(countText(count)) : texts.unused}</p>
            )}
          </DeletionEffects>
          {isUsed && (
            <Field label={texts.moveTo} error={moveError(names.isError, isMissing)}>
              <Select
                value={moveTo}
                onChange={(event) => {
                  setMoveTo(event.target.value)
                  setMissing(false)
                }}
              >
                <option value="">{texts.moveChoose}</option>
                {others.map((other) => (
                  <option key={other.id} value={other.id}>
                    {other.name}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          <p>{messages.final}</p>
        </div>
      }
    />
  )
}

function moveError(isUnread: boolean, isMissing: boolean): string | undefined {
  if (isUnread) return texts.othersFailed
  return isMissing ? texts.moveChoose : undefined
}
