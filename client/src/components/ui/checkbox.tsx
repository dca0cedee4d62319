import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/lib/cn'

/** A checkbox and its label as a single target of 44 px. */
export function Checkbox({
  label,
  className,
  ...props
}: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }) {
  return (
    <label className={cn('flex min-h-11 items-center gap-3 text-base', className)}>
      <input type="checkbox" className="size-5 shrink-0 accent-primary" {...props} />
      <span>{label}</span>
    </label>
  )
}
