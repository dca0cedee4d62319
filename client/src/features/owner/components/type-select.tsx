import type { ComponentProps } from 'react'
import { Select } from '@/components/ui/select'
import { detailsMessages as words } from '../details-messages'

/** A category of the directory; parent is null for a top category. */
export type CategoryChoice = { name: string; code: string; parent: string | null }

type TypeSelectProps = ComponentProps<'select'> & {
  /** A stored type that is not a category's name remains an option. */
  stored: string
  categories: readonly CategoryChoice[]
}

/** The type of a business: the name of a category (RULE-10). */
export function TypeSelect({ stored, categories, ...props }: TypeSelectProps) {
  const parents = categories.filter(({ parent }) => parent === null)
  const isOther = stored !== '' && !categories.some(({ name }) => name === stored)
  return (
    <Select {...props}>
      <option value="">{words.typeChoose}</option>
      {isOther && (
        <optgroup label={words.typeStored}>
          <option value={stored}>{stored}</option>
        </optgroup>
      )}
      {parents.map((parent) => (
        <optgroup key={parent.code} label={parent.name}>
          <option value={parent.name}>{parent.name}</option>
          {categories
            .filter((child) => child.parent === parent.code && child.name !== parent.name)
            .map((child) => (
              <option key={child.code} value={child.name}>
                {child.name}
              </option>
            ))}
        </optgroup>
      ))}
    </Select>
  )
}
