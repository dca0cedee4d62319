import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { rectSortingStrategy, SortableContext } from '@dnd-kit/sortable'
import { useLayoutEffect, useRef, useState } from 'react'
import { messages } from '../messages'
import { moveTo, type Photo, placeAfterKey } from '../model/photo'
import { PhotoCard } from './photo-card'

type PhotoListProps = {
  photos: readonly Photo[]
  cover: string | null
  onOrder: (wanted: Photo[]) => void
  /** Null removes the cover. */
  onCover: (photo: Photo | null) => void
  onCaption: (photo: Photo) => void
  onDelete: (photo: Photo) => void
}

export const headingId = 'photos-there'

// How far a press moves before it drags; on touch screens also how long it must rest.
const mouse = { activationConstraint: { distance: 4 } }
const touch = { activationConstraint: { delay: 120, tolerance: 8 } }

/** The photos in order, which can be changed by mouse, touch and keyboard (OWNER-23). */
export function PhotoList({
  photos,
  cover,
  onOrder,
  onCover,
  onCaption,
  onDelete,
}: PhotoListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [said, setSaid] = useState('')
  const sensors = useSensors(useSensor(MouseSensor, mouse), useSensor(TouchSensor, touch))

  // A moved node loses the focus; it is focused again in its new place.
  const focused = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (photos.length > 0 && focused.current instanceof HTMLElement) focused.current.focus()
    focused.current = null
  }, [photos])

  const move = (from: number, to: number) => {
    if (from === to || from < 0 || to < 0 || to >= photos.length) return
    const { activeElement } = document
    focused.current = list.current?.contains(activeElement) ? activeElement : null
    onOrder(moveTo(photos, from, to))
    setSaid(messages.moved(to + 1, photos.length))
  }
  const handleDragEnd = ({ active, over }: DragEndEvent) => {
    const at = (id: unknown) => photos.findIndex((photo) => photo.id === id)
    if (over) move(at(active.id), at(over.id))
  }
  const handleKey = (key: string, at: number): boolean => {
    const to = placeAfterKey(key, { at, count: photos.length, columns: columnsOf(list.current) })
    if (to !== null) move(at, to)
    return to !== null
  }

  return (
    <section aria-labelledby={headingId} className="grid gap-4">
      <div className="grid gap-1">
        <h2 id={headingId} tabIndex={-1} className="w-fit text-xl">
          {messages.yours}
        </h2>
        {photos.length > 1 && <p className="text-sm text-muted">{messages.orderHint}</p>}
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={handleDragEnd}
        accessibility={{ screenReaderInstructions: { draggable: '' }, announcements: silent }}
      >
        <SortableContext items={photos.map(({ id }) => id)} strategy={rectSortingStrategy}>
          <ul
            ref={list}
            className="grid grid-cols-2 gap-x-3 gap-y-5 sm:gap-x-4 md:grid-cols-3 lg:grid-cols-4"
          >
            {photos.map((photo, at) => (
              <PhotoCard
                key={photo.id}
                photo={photo}
                at={at}
                total={photos.length}
                isCover={photo.url === cover}
                onMove={(to) => move(at, to)}
                onKey={(key) => handleKey(key, at)}
                onCover={(isCover) => onCover(isCover ? photo : null)}
                onCaption={() => onCaption(photo)}
                onDelete={() => onDelete(photo)}
              />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
    </section>
  )
}

// Our own live region announces the result, with the same text for every way of moving.
const silent = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
}

function columnsOf(list: HTMLElement | null): number {
  if (!list) return 1
  return getComputedStyle(list).gridTemplateColumns.split(' ').length
}
