import { type ReactNode, useId } from 'react'

type ChoiceCardsProps<K extends string> = {
  /** The name of the radio buttons. */
  name: string
  label: string
  options: readonly { value: K; label: string; text: ReactNode; isDisabled?: boolean }[]
  value: K | null
  error?: string | undefined
  onChange: (value: K) => void
}

/** A choice of a few options that each say what they mean, as radio buttons. */
export function ChoiceCards<K extends string>(props: ChoiceCardsProps<K>) {
  const { name, label, options, value, error, onChange } = props
  const errorId = useId()
  return (
    <fieldset className="grid gap-2" aria-describedby={error === undefined ? undefined : errorId}>
      <legend className="mb-2 text-sm font-semibold">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex cursor-pointer items-start gap-3 rounded-control border border-control p-3 has-checked:border-primary has-checked:bg-primary-soft has-disabled:cursor-default has-disabled:opacity-55"
        >
          <input
            type="radio"
            name={name}
            className="mt-0.5 size-5 shrink-0 accent-primary"
            checked={value === option.value}
            disabled={option.isDisabled}
            onChange={() => onChange(option.value)}
          />
          <span className="grid gap-0.5">
            <span className="font-semibold">{option.label}</span>
            <span className="text-sm text-muted">{option.text}</span>
          </span>
        </label>
      ))}
      {error !== undefined && (
        <p id={errorId} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
