import { useSortable } from '@dnd-kit/sortable'
import { ChevronLeft, ChevronRight, Ellipsis, GripVertical, Star } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Picture } from '@/components/picture'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Menu } from '@/components/ui/menu'
import { cn } from '@/lib/cn'
import { messages } from '../messages'
import type { Photo } from '../model/photo'

type PhotoCardProps = {
  photo: Photo
  at: number
  total: number
  isCover: boolean
  onMove: (to: number) => void
  /** Handles a key; returns whether it moved the photo. */
  onKey: (key: string) => boolean
  onCover: (isCover: boolean) => void
  onCaption: () => void
  onDelete: () => void
}

// The touch target around the smaller visible square.
const overPicture = 'absolute top-1 grid size-11 place-items-center rounded-control'
const square = 'grid size-9 place-items-center rounded-control bg-surface'

/** A photo: the picture with a drag handle, its caption, and its actions. */
export function PhotoCard(props: PhotoCardProps) {
  const { photo, at, total, isCover, onMove, onKey, onCaption } = props
  const { setNodeRef, setActivatorNodeRef, listeners, transform, transition, isDragging } =
    useSortable({ id: photo.id })
  const name = messages.photo(at + 1, total)
  const handleKey = (event: KeyboardEvent) => {
    if (onKey(event.key)) event.preventDefault()
  }
  return (
    <li
      ref={setNodeRef}
      data-dragging={isDragging || undefined}
      className={cn('grid content-start gap-1', isDragging && 'relative z-10')}
      style={{
        transform: transform ? `translate3d(${transform.x}px, ${transform.y}px, 0)` : undefined,
        transition,
      }}
    >
      <div
        className={cn(
          'relative overflow-hidden rounded-card bg-sunken',
          isDragging && 'shadow-float outline-2 outline-primary',
        )}
      >
        <Picture
          url={photo.url}
          alt={photo.caption ?? name}
          sizes="(width < 48rem) 50vw, (width < 64rem) 33vw, 18rem"
          loading="lazy"
          decoding="async"
          draggable={false}
          className="aspect-4/3 w-full object-cover"
        />
        {total > 1 && (
          <button
            ref={setActivatorNodeRef}
            type="button"
            {...listeners}
            onKeyDown={handleKey}
            className={cn(
              overPicture,
              'start-1 cursor-grab touch-none',
              isDragging && 'cursor-grabbing',
            )}
          >
            <span className={square}>
              <GripVertical className="size-5" strokeWidth={1.75} aria-hidden />
            </span>
            <span className="sr-only">{messages.move(name)}</span>
          </button>
        )}
        <PhotoMenu {...props} name={name} />
        {isCover && (
          <Badge tone="primary" className="absolute start-2 bottom-2 bg-surface">
            <Star className="size-3.5" strokeWidth={1.75} aria-hidden />
            {messages.cover}
          </Badge>
        )}
      </div>
      {total > 1 && (
        <div className="-mx-2 flex">
          <Button
            variant="quiet"
            size="icon"
            aria-disabled={at === 0}
            onClick={() => onMove(at - 1)}
          >
            <ChevronLeft className="size-5" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{messages.earlier(name)}</span>
          </Button>
          <Button
            variant="quiet"
            size="icon"
            aria-disabled={at === total - 1}
            onClick={() => onMove(at + 1)}
          >
            <ChevronRight className="size-5" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{messages.later(name)}</span>
          </Button>
        </div>
      )}
      {photo.caption === null ? (
        <Button variant="link" size="inline" className="min-h-9 w-fit text-sm" onClick={onCaption}>
          {messages.addCaption}
          <span className="sr-only">: {name}</span>
        </Button>
      ) : (
        <p className="mt-2 line-clamp-3 text-sm [overflow-wrap:anywhere]">{photo.caption}</p>
      )}
    </li>
  )
}

function PhotoMenu({
  name,
  photo,
  isCover,
  onCover,
  onCaption,
  onDelete,
}: PhotoCardProps & { name: string }) {
  return (
    <Menu
      label={messages.more(name)}
      trigger={(trigger) => (
        <button {...trigger} type="button" className={cn(overPicture, 'end-1')}>
          <span className={square}>
            <Ellipsis className="size-5" strokeWidth={1.75} aria-hidden />
          </span>
          <span className="sr-only">{messages.more(name)}</span>
        </button>
      )}
      groups={[
        [
          {
            key: 'cover',
            label: isCover ? messages.resetCover : messages.setCover,
            onSelect: () => onCover(!isCover),
          },
          {
            key: 'caption',
            label: photo.caption === null ? messages.addCaption : messages.editCaption,
            onSelect: onCaption,
          },
        ],
        [{ key: 'delete', label: messages.delete, tone: 'danger', onSelect: onDelete }],
      ]}
    />
  )
}
