import { LoaderCircle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { cn, variants } from '@/lib/cn'

/** Styles for buttons and links that look like buttons. */
export const buttonClass = variants(
  'inline-flex items-center justify-center gap-2 rounded-control font-semibold whitespace-nowrap transition-colors select-none disabled:opacity-55 aria-disabled:opacity-55',
  {
    variant: {
      primary: 'bg-primary text-on-primary hover:bg-primary-strong active:bg-primary-strong',
      outline: 'border border-control bg-surface hover:bg-sunken active:bg-sunken',
      quiet: 'hover:bg-sunken active:bg-sunken',
      soft: 'bg-primary-soft text-primary hover:bg-sunken active:bg-sunken',
      danger: 'bg-danger text-on-danger hover:brightness-92 active:brightness-85',
      link: 'text-primary underline decoration-from-font underline-offset-4 hover:text-primary-strong',
    },
    size: {
      sm: 'min-h-9 px-3 text-sm max-lg:min-h-11',
      md: 'min-h-11 px-4 text-base',
      lg: 'min-h-13 px-6 text-base',
      icon: 'size-11 shrink-0',
      inline: 'reach px-0',
    },
  },
  { variant: 'primary', size: 'md' },
)

type Look = NonNullable<Parameters<typeof buttonClass>[0]>

export type ButtonProps = ComponentProps<'button'> & Look & { pending?: boolean }

/** A native button. `pending` disables it, keeps its width and shows that an action is running. */
export function Button({
  variant,
  size,
  pending = false,
  className,
  children,
  disabled,
  type = 'button',
  ...props
}: ButtonProps) {
  return (
    <button
      type={type}
      disabled={disabled === true || pending}
      aria-busy={pending || undefined}
      className={buttonClass(look(variant, size), cn('relative', className))}
      {...props}
    >
      {pending && (
        <LoaderCircle className="absolute size-5 animate-spin" strokeWidth={1.75} aria-hidden />
      )}
      <span className={cn('inline-flex items-center gap-2', pending && 'opacity-0')}>
        {children}
      </span>
    </button>
  )
}

/** A link that looks like a button. */
export function ButtonLink({
  variant,
  size,
  className,
  ...props
}: ComponentProps<typeof Link> & Look) {
  return <Link className={buttonClass(look(variant, size), className)} {...props} />
}

function look(variant: Look['variant'], size: Look['size']): Look {
  return { ...(variant && { variant }), ...(size && { size }) }
}
