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
  /** Address of the picture that is the cover. */
  cover: string | null
  businessId: string
  onChanged: () => void
}

/** The photos there are, and what can be done with them (OWNER-23 to 26). */
export function PhotoGrid({ photos, cover, businessId, onChanged }: PhotoGridProps) {
  const [deleting, setDeleting] = useState<Photo | null>(null)
  const [captioned, setCaptioned] = useState<Photo | null>(null)
  const options = { businessId, onChanged }
  const reorder = useReorder(options)
  const setCover = useSetCover(options)
  const remove = useDeletePhoto(options)

  // What opened the dialog is gone with the photo: the focus goes to what is left.
  const isDeleting = deleting !== null
  const wasDeleting = useRef(false)
  useEffect(() => {
    const isOver = wasDeleting.current && !isDeleting
    wasDeleting.current = isDeleting
    if (!isOver || document.activeElement !== document.body) return
    const next = document.getElementById(headingId) ?? document.getElementById(chooseId)
    next?.focus()
  }, [isDeleting])

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
          if (deleting) remove.mutate(deleting, { onSettled: () => setDeleting(null) })
        }}
      />
      <CaptionDialog photo={captioned} onClose={() => setCaptioned(null)} {...options} />
    </>
  )
}
