import { WifiOff } from 'lucide-react'
import { useConnection } from '@/lib/connection'
import { language } from '@/lib/language'
import { messages } from './ui/messages'

/** Shows at once that the browser is offline, and what still works. */
export function OfflineNote({ className = '' }: { className?: string }) {
  const isOffline = useConnection() === 'offline'
  return (
    <div role="status" lang={language}>
      {isOffline && (
        <p className={`flex items-center gap-2 bg-sunken py-2 text-sm ${className}`}>
          <WifiOff className="size-4 shrink-0" strokeWidth={1.75} aria-hidden />
          {messages.offline} {messages.offlineText}
        </p>
      )}
    </div>
  )
}
