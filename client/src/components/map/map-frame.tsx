import { Component, type ReactNode, Suspense } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { cn } from '@/lib/cn'
import { useInView } from '@/lib/use-in-view'
import { messages } from './messages'

type MapFrameProps = {
  /** Determines the frame's size. */
  className?: string
  /** Shown until the map has loaded, and instead of it if it cannot be shown. */
  placeholder?: ReactNode
  /**
   * A lazy component that contains a `PlaceMap`: the library loads when the frame is near the
   * viewport.
   */
  children: ReactNode
}

/**
 * The frame of a map: it has its size from the start, and renders the map once it is near the
 * viewport.
 */
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

/** Shows over the placeholder that there is no map. */
export function MapMissing() {
  return (
    <p className="absolute inset-x-3 bottom-3 m-auto w-fit rounded-control bg-surface px-3 py-2 text-sm text-muted">
      {messages.failed}
    </p>
  )
}

/** The library may fail to load; what surrounds the map does not need it. */
class LoadBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    return this.state.failed ? <MapMissing /> : this.props.children
  }
}
