import { useEffect, useRef, useState } from 'react'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { useDeletePhoto, useReorder, useSetCover } from '../api/mutations'
import { messages } from '../messages'
import type { Photo } from '../model/photo'
import { CaptionDialog } from './caption-dialog'
import { chooseId } from './drop-area'
import { headingId, PhotoList } from './photo-list'

type PhotoGridProps = {
  photos: readonly Photo[]
  /** URL of the cover picture. */
  cover: string | null
  businessId: string
  onChanged: () => void
}

/** The photos and their actions (OWNER-23 to 26). */
export function PhotoGrid({ photos, cover, businessId, onChanged }: PhotoGridProps) {
  const [deleting, setDeleting] = useState<Photo | null>(null)
  const [captioned, setCaptioned] = useState<Photo | null>(null)
  const options = { businessId, onChanged }
  const reorder = useReorder(options)
  const setCover = useSetCover(options)
  const remove = useDeletePhoto(options)

  // The button that opened the dialog is removed with the photo, before or after the dialog, so the
  // focus moves to the remaining grid.
  const isDeleting = deleting !== null
  const deleted = useRef<string>(undefined)
  useEffect(() => {
    const isThere = photos.some(({ id }) => id === deleted.current)
    if (isDeleting || isThere || deleted.current === undefined) return
    deleted.current = undefined
    if (document.activeElement !== document.body) return
    document.getElementById(photos.length > 0 ? headingId : chooseId)?.focus()
  }, [isDeleting, photos])

  return (
    <>
      {photos.length > 0 && (
        <PhotoList
          photos={photos}
          cover={cover}
          onOrder={(wanted) => reorder.mutate(wanted)}
          onCover={(photo) => setCover.mutate(photo)}
          onCaption={setCaptioned}
          onDelete={setDeleting}
        />
      )}
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(null)}
        title={messages.deleteTitle}
        text={
          <div className="grid gap-2">
            <p>{messages.deleteText}</p>
            {deleting?.url === cover && <p>{messages.deleteCoverText}</p>}
          </div>
        }
        confirmLabel={messages.delete}
        pending={remove.isPending}
        onConfirm={() => {
          if (!deleting) return
          remove.mutate(deleting, {
            onSuccess: () => {
              deleted.current = deleting.id
            },
            onSettled: () => setDeleting(null),
          })
        }}
      />
      {captioned && (
        <CaptionDialog photo={captioned} onClose={() => setCaptioned(null)} {...options} />
      )}
    </>
  )
}
