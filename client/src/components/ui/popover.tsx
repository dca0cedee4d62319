import {
  type ButtonHTMLAttributes,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react'
import { cn } from '@/lib/cn'

export type TriggerProps = Pick<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'aria-expanded' | 'aria-haspopup' | 'popoverTarget' | 'style' | 'type'
>

export type PopoverProps = {
  /** Renders the button that opens it; spread the argument on it. */
  trigger: (props: TriggerProps) => ReactNode
  /** The accessible name of the popover. */
  label: string
  /** `group` is for a list of links: a disclosure, which is not announced as a pop-up. */
  role?: 'dialog' | 'menu' | 'group'
  align?: 'start' | 'center' | 'end'
  className?: string
  onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void
  /** The content, rendered only while the popover is open. Call `close` after a choice. */
  children: (close: () => void) => ReactNode
}

type Anchor = CSSProperties & { anchorName?: string; positionAnchor?: string }

const firstStop = 'input, [role^="menuitem"], a[href], button'

/** Returns the element to focus on opening: the one marked for it, or else the first control. */
function firstFocus(panel: HTMLElement): HTMLElement | null {
  return panel.querySelector<HTMLElement>('[data-autofocus]') ?? panel.querySelector(firstStop)
}

/**
 * A popover next to its button, based on the native popover: above everything, closed by Escape or
 * a press elsewhere, positioned with CSS anchors.
 */
export function Popover({
  trigger,
  label,
  role = 'dialog',
  align = 'start',
  className,
  onKeyDown,
  children,
}: PopoverProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const name = `--${id.replace(/[^\w-]/g, '')}`
  const anchored: Anchor = { anchorName: name }
  const placed: Anchor = { positionAnchor: name }

  return (
    <>
      {trigger({
        type: 'button',
        popoverTarget: id,
        'aria-expanded': open,
        'aria-haspopup': role === 'group' ? undefined : role,
        style: anchored,
      })}
      {/* biome-ignore lint/a11y: the role is given, the rule cannot see which; keys are those of a menu */}
      <div
        ref={panel}
        id={id}
        role={role}
        aria-label={label}
        popover="auto"
        data-align={align}
        className={cn('overlay-popover', className)}
        style={placed}
        onKeyDown={onKeyDown}
        onBeforeToggle={(event) => {
          if (event.newState === 'open') setOpen(true)
        }}
        onToggle={(event) => {
          // Unmount the content only now: the browser returns the focus from an element that is
          // still inside.
          if (event.newState === 'closed') return setOpen(false)
          firstFocus(event.currentTarget)?.focus({ preventScroll: true })
        }}
      >
        {open && children(() => panel.current?.hidePopover())}
      </div>
    </>
  )
}
