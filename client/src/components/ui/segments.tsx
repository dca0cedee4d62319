import { useId } from 'react'
import { cn } from '@/lib/cn'

type SegmentsProps<K extends string> = {
  label: string
  options: readonly { key: K; label: string }[]
  value: K
  onChange: (key: K) => void
}

/** A choice of a few options side by side, as radio buttons. */
export function Segments<K extends string>({ label, options, value, onChange }: SegmentsProps<K>) {
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-control border border-control bg-surface p-1">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.key}
          className={cn(
            'inline-flex min-h-11 cursor-pointer items-center rounded-control px-4 font-semibold',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
            value === option.key ? 'bg-primary text-on-primary' : 'hover:bg-sunken',
          )}
        >
          <input
            type="radio"
            className="sr-only"
            name={name}
            value={option.key}
            checked={value === option.key}
            onChange={() => onChange(option.key)}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
