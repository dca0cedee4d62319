import { type CSSProperties, type ReactNode, useEffect, useId, useRef, useState } from 'react'

/** How long a pointer rests before a tooltip opens (UI-05). */
const tooltipDelayMs = 700

type Anchor = CSSProperties & { anchorName?: string; positionAnchor?: string }

/**
 * A word more about the control inside, for pointer and keyboard. It repeats or
 * refines; nothing may be said only here, because touch never sees it.
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
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for the control inside, is none itself
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
