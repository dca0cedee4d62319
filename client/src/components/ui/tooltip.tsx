import { type CSSProperties, type ReactNode, useEffect, useId, useRef, useState } from 'react'

/** How long the pointer must rest before a tooltip opens (UI-05). */
const tooltipDelayMs = 700

type Anchor = CSSProperties & { anchorName?: string; positionAnchor?: string }

/**
 * Additional text for the control inside, for pointer and keyboard. It must only repeat or refine:
 * touch users never see it.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const bubble = useRef<HTMLSpanElement>(null)
  const name = `--${id.replace(/[^\w-]/g, '')}`
  const anchored: Anchor = { anchorName: name }
  const placed: Anchor = { positionAnchor: name }

  const show = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(true), tooltipDelayMs)
  }
  const hide = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (open) bubble.current?.showPopover()
  }, [open])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for the control inside, is not one itself
    <span
      className="inline-flex"
      style={anchored}
      onPointerEnter={(event) => event.pointerType !== 'touch' && show()}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      {open && (
        <span
          ref={bubble}
          id={id}
          role="tooltip"
          popover="manual"
          className="overlay-tooltip"
          style={placed}
        >
          {text}
        </span>
      )}
    </span>
  )
}
