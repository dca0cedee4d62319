import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import type { ListAddress } from '../model/use-list'

type ChoiceFilterProps = {
  address: ListAddress
  /** Its name in the URL. */
  name: string
  label: string
  /** The choice that shows everything. */
  any: string
  options: readonly { value: string; label: string }[]
  /** Other values are possible, too: one in the URL stays selected. */
  isOpenEnded?: boolean
  error?: string | undefined
}

/** Restricts a list to one value. */
export function ChoiceFilter(props: ChoiceFilterProps) {
  const { address, name, label, any, options, isOpenEnded = false, error } = props
  const inUrl = address.list.filters[name] ?? ''
  const isKnown = options.some((option) => option.value === inUrl)
  const value = isKnown || isOpenEnded ? inUrl : ''
  return (
    <Field label={label} className="min-w-40 max-w-full max-sm:grow" error={error}>
      <Select
        value={value}
        onChange={(event) => address.change({ filters: { [name]: event.target.value } })}
      >
        <option value="">{any}</option>
        {!isKnown && value !== '' && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </Field>
  )
}
