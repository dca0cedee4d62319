import { useDeferred } from '@/components/deferred'
import { Select } from '@/components/ui/select'
import { localName } from '@/lib/local-name'
import { messages } from '../messages'

/** A category of the directory; parent is null for a top category. */
export type CategoryChoice = { name: string; code: string; parent: string | null }

type CategorySelectProps = {
  id?: string
  label?: string
  categories: readonly CategoryChoice[]
  /** Code of the selected category; '' for all. */
  value: string
  onChange: (code: string) => void
  className?: string
}

/** Parents with their subcategories, 'All Categories' and 'All {name}' (SEARCH-02). */
export function CategorySelect({
  id,
  label,
  categories,
  value,
  onChange,
  className = '',
}: CategorySelectProps) {
  const parents = categories.filter((category) => category.parent === null)
  const nameOf = (code: string) => {
    const one = categories.find((category) => category.code === code)
    if (!one) return messages.allCategories
    return one.parent === null ? messages.allOf(localName(one.name)) : localName(one.name)
  }
  // The select is re-rendered together with its options, or it would lose its value.
  const isWhole = useDeferred()
  return (
    <Select
      {...(id !== undefined && { id })}
      {...(label !== undefined && { 'aria-label': label })}
      className={className}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {isWhole ? (
        <>
          <option value="">{messages.allCategories}</option>
          {parents.map((parent) => (
            <optgroup key={parent.code} label={localName(parent.name)}>
              <option value={parent.code}>{messages.allOf(localName(parent.name))}</option>
              {categories
                .filter((child) => child.parent === parent.code)
                .map((child) => (
                  <option key={child.code} value={child.code}>
                    {localName(child.name)}
                  </option>
                ))}
            </optgroup>
          ))}
        </>
      ) : (
        <option value={value}>{nameOf(value)}</option>
      )}
    </Select>
  )
}
