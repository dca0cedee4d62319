import { cn } from '@/lib/cn'

/** A placeholder in the size of the content. Set the size by class. */
export function Skeleton({ className }: { className?: string }) {
  return <div className={cn('animate-pulse rounded-chip bg-sunken', className)} aria-hidden />
}

/** Announces to screen readers that content is loading. */
export function SkeletonGroup({
  label,
  className,
  children,
}: {
  label: string
  className?: string
  children: React.ReactNode
}) {
  return (
    <div className={className} role="status">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  )
}
