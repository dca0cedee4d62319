import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { QueryState } from '@/components/query-state'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { showToast } from '@/components/ui/toast'
import { photoKeys } from '../api/keys'
import { photosQuery } from '../api/queries'
import { messages } from '../messages'
import { roomFor } from '../model/photo'
import { isSendable, sendable } from '../model/tray'
import { trayOf, useTrayItems } from '../model/trays'
import { DropArea } from './drop-area'
import { PhotoGrid } from './photo-grid'
import { UploadTray } from './upload-tray'
import { Usage } from './usage'

export type PhotosPanelProps = {
  userId: string
  businessId: string
  /** URL of the cover picture. */
  cover: string | null
  /** The plan's maximum number of photos; null: no limit. */
  allowed: number | null
  plansHref: string
  /** Called to refetch everything that shows photos and covers. */
  onChanged: () => void
}

/** The photos of a business: the plan's limit, uploads, and existing photos (OWNER-22 to 26). */
export function PhotosPanel({
  userId,
  businessId,
  cover,
  allowed,
  plansHref,
  onChanged,
}: PhotosPanelProps) {
  const client = useQueryClient()
  const query = useQuery(photosQuery(businessId))
  const tray = trayOf(businessId)
  const items = useTrayItems(tray)
  const handleAdded = useCallback(() => {
    showToast({ title: messages.added, tone: 'success' })
    void client.invalidateQueries({ queryKey: photoKeys.list(businessId) })
    onChanged()
  }, [client, businessId, onChanged])
  const handleFiles = useCallback((files: File[]) => void tray.choose(files), [tray])
  return (
    <QueryState query={query} errorTitle={messages.loadFailed} pending={<PhotosSkeleton />}>
      {(photos) => {
        const room = roomFor(photos.length, allowed)
        return (
          <div className="grid gap-8 *:min-w-0">
            <div className="grid gap-4 *:min-w-0">
              <Usage
                used={photos.length}
                allowed={allowed}
                keepsFiles={sendable(items, room).length < items.filter(isSendable).length}
                plansHref={plansHref}
              />
              <DropArea isFirst={photos.length === 0 && items.length === 0} onFiles={handleFiles} />
              <UploadTray
                tray={tray}
                items={items}
                room={room}
                onSend={(ids) => void tray.send(ids, userId, handleAdded)}
              />
            </div>
            <PhotoGrid
              photos={photos}
              cover={cover}
              businessId={businessId}
              onChanged={onChanged}
            />
          </div>
        )
      }}
    </QueryState>
  )
}

/** A placeholder for photos that are loading. */
export function PhotosSkeleton() {
  return (
    <SkeletonGroup label={messages.pending} className="grid gap-4">
      <Skeleton className="h-6 w-44" />
      <Skeleton className="h-44 rounded-panel sm:h-36" />
      <div className="mt-4 grid grid-cols-2 gap-4 md:grid-cols-3 lg:grid-cols-4">
        {[0, 1, 2, 3].map((index) => (
          <Skeleton key={index} className="aspect-4/3 rounded-card" />
        ))}
      </div>
    </SkeletonGroup>
  )
}
