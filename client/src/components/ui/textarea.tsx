import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { controlClass, useFieldProps } from './field'

const lineRem = 1.5
const paddingRem = 1.375

/** A native textarea: as high as its rows at first, growing with its text. */
export function Textarea({ className, style, rows = 3, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      rows={rows}
      style={{ minHeight: `${rows * lineRem + paddingRem}rem`, ...style }}
      className={cn(controlClass, 'field-sizing-content py-2.5', className)}
      {...useFieldProps(props)}
      {...props}
    />
  )
}
