import { cn } from '@/lib/cn'

/** The logo: one tile, four petals around a square. public/favicon.svg has the same shapes. */
function LogoMark({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 64 64"
      className={cn('rounded-chip', className)}
      aria-hidden
      focusable="false"
    >
      <path fill="#f6f0e4" d="M0 0h64v64H0z" />
      <path
        fill="#1d3a8f"
        d="M32 32C18 32 9 23 9 9c14 0 23 9 23 23Zm0 0c0-14 9-23 23-23 0 14-9 23-23 23Zm0 0c14 0 23 9 23 23-14 0-23-9-23-23Zm0 0c0 14-9 23-23 23 0-14 9-23 23-23Z"
      />
      <path
        fill="#d9a441"
        d="m32 0 7 9-7 9-7-9 7-9Zm0 46 7 9-7 9-7-9 7-9ZM0 32l9-7 9 7-9 7-9-7Zm46 0 9-7 9 7-9 7-9-7Z"
      />
      <circle cx="32" cy="32" r="7" fill="#c4512d" />
    </svg>
  )
}

/** Logo and name, for header and footer. */
export function Logo({ className, nameClassName }: { className?: string; nameClassName?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2.5', className)}>
      <LogoMark className="size-8" />
      <span className={cn('font-display text-xl font-bold tracking-tight', nameClassName)}>
        Plaza
      </span>
    </span>
  )
}
