import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { controlClass, useFieldProps } from './field'

/** A native input, linked to the Field around it. */
export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input className={cn(controlClass, 'h-11', className)} {...useFieldProps(props)} {...props} />
  )
}
