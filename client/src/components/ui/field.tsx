import { CircleAlert } from 'lucide-react'
import { createContext, type ReactNode, use, useId } from 'react'
import { cn } from '@/lib/cn'

type FieldIds = { control: string; describedBy: string | undefined; invalid: boolean }

const FieldContext = createContext<FieldIds | null>(null)

export type FieldProps = {
  label: string
  /** Always shown, under the label. */
  help?: ReactNode
  /** The error message; if set, the control is marked as invalid. */
  error?: string | undefined
  /** Shows the label to screen readers only, if the context already says it. */
  hideLabel?: boolean
  className?: string
  children: ReactNode
}

/** Label, help and error around one control, linked by id for assistive technology. */
export function Field({ label, help, error, hideLabel, className, children }: FieldProps) {
  const id = useId()
  const helpId = `${id}-help`
  const errorId = `${id}-error`
  const described = cn(help !== undefined && helpId, error !== undefined && errorId)
  return (
    <FieldContext
      value={{
        control: id,
        describedBy: described === '' ? undefined : described,
        invalid: error !== undefined,
      }}
    >
      <div className={cn('grid content-start gap-1.5', className)}>
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-semibold'}>
          {label}
        </label>
        {help !== undefined && (
          <div id={helpId} className="text-sm text-muted">
            {help}
          </div>
        )}
        {children}
        {error !== undefined && (
          <p id={errorId} className="flex items-start gap-1.5 text-sm text-danger">
            <CircleAlert className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} aria-hidden />
            {error}
          </p>
        )}
      </div>
    </FieldContext>
  )
}

/**
 * Returns the props that a control inside a Field needs; its own props win, so it also works
 * outside of one.
 */
export function useFieldProps(own: { id?: string | undefined }) {
  const field = use(FieldContext)
  if (!field) return {}
  return {
    id: own.id ?? field.control,
    'aria-describedby': field.describedBy,
    'aria-invalid': field.invalid || undefined,
  }
}

/** The common style of text controls: a border with sufficient contrast (3:1), red when invalid. */
export const controlClass =
  'w-full rounded-control border border-control bg-surface px-3.5 text-base transition-colors placeholder:text-muted hover:border-ink disabled:bg-sunken disabled:text-muted aria-invalid:border-danger'
