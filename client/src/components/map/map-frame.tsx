import { Component, type ReactNode, Suspense } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { cn } from '@/lib/cn'
import { useInView } from '@/lib/use-in-view'
import { messages } from './messages'

type MapFrameProps = {
  /** Gives the frame its size. */
  className?: string
  /** Shown until the map is, and in its place where it cannot be. */
  placeholder?: ReactNode
  /** A lazy component with a `PlaceMap` in it: the library comes once the frame is near the screen. */
  children: ReactNode
}

/** The place of a map: its size from the start, the map once it is near the screen. */
export function MapFrame({
  className,
  placeholder = <Skeleton className="size-full rounded-none" />,
  children,
}: MapFrameProps) {
  const [ref, isNear] = useInView<HTMLDivElement>()
  return (
    <div ref={ref} className={cn('relative isolate overflow-hidden bg-sunken', className)}>
      <div className="absolute inset-0 -z-1">{placeholder}</div>
      {isNear && (
        <LoadBoundary>
          <Suspense>{children}</Suspense>
        </LoadBoundary>
      )}
    </div>
  )
}

/** Says that there is no map, over the placeholder. */
export function MapMissing() {
  return (
    <p className="absolute inset-x-3 bottom-3 m-auto w-fit rounded-control bg-surface px-3 py-2 text-sm text-muted">
      {messages.failed}
    </p>
  )
}

/** The library may fail to come; what stands around the map does not need it. */
class LoadBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <MapMissing /> : this.props.children
  }
}
