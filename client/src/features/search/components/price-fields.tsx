import { useState } from 'react'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { env } from '@/lib/env'
import { filterMessages } from '../filter-messages'
import type { FilterDraft } from '../model/filter-draft'
import { readPrice } from '../model/read-filters'

type PriceFieldsProps = {
  value: Pick<FilterDraft, 'priceMin' | 'priceMax'>
  onChange: (part: Partial<FilterDraft>) => void
}

/** The minimum and maximum price of a service. */
export function PriceFields({ value, onChange }: PriceFieldsProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-semibold">{filterMessages.priceTitle}</legend>
      <div className="grid grid-cols-2 gap-4">
        <PriceField
          label={filterMessages.priceMin}
          value={value.priceMin}
          onChange={(priceMin) => onChange({ priceMin })}
        />
        <PriceField
          label={filterMessages.priceMax}
          value={value.priceMax}
          onChange={(priceMax) => onChange({ priceMax })}
        />
      </div>
    </fieldset>
  )
}

type PriceFieldProps = { label: string; value: number; onChange: (price: number) => void }

/** Keeps the text as typed; an invalid price means no restriction. */
function PriceField({ label, value, onChange }: PriceFieldProps) {
  const [text, setText] = useState(value > 0 ? String(value) : '')
  return (
    <Field label={`${label} (${env.currency})`}>
      <Input
        inputMode="decimal"
        maxLength={9}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          onChange(readPrice(target.value.replace(',', '.')))
        }}
      />
    </Field>
  )
}
