import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { controlLook, useFieldProps } from './field'

/** A native textarea that grows with its text. */
export function Textarea({ className, rows = 3, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      className={cn(controlLook, 'field-sizing-content py-2.5', className)}
      {...useFieldProps(props)}
      {...props}
    />
  )
}
