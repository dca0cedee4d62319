import { type ComponentProps, useId } from 'react'

type SwitchProps = Omit<ComponentProps<'input'>, 'type' | 'role'> & {
  label: string
  help: string
  checked: boolean
}

/** A setting that is on or off and takes effect at once: label and switch are a single target. */
export function Switch({ label, help, checked, ...props }: SwitchProps) {
  const id = useId()
  return (
    <label className="flex min-h-11 items-start justify-between gap-6 py-3">
      <span className="grid gap-0.5">
        <span id={`${id}-label`} className="font-semibold">
          {label}
        </span>
        <span id={`${id}-help`} className="text-muted text-sm">
          {help}
        </span>
      </span>
      <span className="relative mt-0.5 inline-flex shrink-0">
        <input
          type="checkbox"
          role="switch"
          checked={checked}
          aria-checked={checked}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-help`}
          className="peer h-7 w-12 cursor-pointer appearance-none rounded-full border border-control bg-sunken transition-colors checked:border-primary checked:bg-primary forced-colors:appearance-auto"
          {...props}
        />
        <span
          aria-hidden
          className="pointer-events-none absolute top-1 left-1 size-5 rounded-full bg-muted transition-transform peer-checked:translate-x-5 peer-checked:bg-on-primary forced-colors:hidden"
        />
      </span>
    </label>
  )
}
