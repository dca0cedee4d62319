import { WifiOff } from 'lucide-react'
import { useConnection } from '@/lib/connection'

/** Shows at once that the browser is offline, and what still works. */
export function OfflineNote({ className = '' }: { className?: string }) {
  const isOffline = useConnection() === 'offline'
  return (
    <div role="status" lang="en">
      {isOffline && (
        <p className={`flex items-center gap-2 bg-sunken py-2 text-sm ${className}`}>
          <WifiOff className="size-4 shrink-0" strokeWidth={1.75} aria-hidden />
          You are offline. What you see stays here; nothing can be saved or booked.
        </p>
      )}
    </div>
  )
}
