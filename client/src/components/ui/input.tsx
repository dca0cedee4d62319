import type { ComponentProps } from 'react'
import { cn } from '@/lib/cn'
import { controlLook, useFieldProps } from './field'

/** A native input, linked to the Field around it. */
export function Input({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input className={cn(controlLook, 'h-11', className)} {...useFieldProps(props)} {...props} />
  )
}
