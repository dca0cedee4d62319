import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { controlClass, useFieldProps } from './field'

/** The native select, which works best on phones. Children are option elements. */
export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={cn('relative block', className)}>
      <select
        className={cn(controlClass, 'h-11 appearance-none pe-10')}
        {...useFieldProps(props)}
        {...props}
      />
      <ChevronDown
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-5 text-muted"
        strokeWidth={1.75}
        aria-hidden
      />
    </span>
  )
}
