import type { KeyboardEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { cn } from '@/lib/cn'
import { Popover, type TriggerProps } from './popover'

type MenuItem = { key: string; label: string; icon?: ReactNode } & (
  | { to: string }
  | { onSelect: () => void; tone?: 'danger' }
)

const itemClass =
  'flex min-h-11 w-full items-center gap-3 rounded-chip px-3 text-start text-base hover:bg-sunken focus-visible:bg-sunken focus-visible:outline-offset-[-2px]'

/**
 * Moves focus among the items with arrow keys, Home, End and first letters, as the menu pattern
 * requires.
 */
function handleMenuKey(event: KeyboardEvent<HTMLDivElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitem"]')]
  const at = items.findIndex((item) => item === document.activeElement)
  const next = nextItem(event.key, items, at)
  if (!next) return
  event.preventDefault()
  next.focus()
}

function nextItem(key: string, items: HTMLElement[], at: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(at + 1) % items.length]
  if (key === 'ArrowUp') return items.at(at <= 0 ? -1 : at - 1)
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1) return undefined
  const fromNext = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  const letter = key.toLowerCase()
  return fromNext.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter))
}

type MenuProps = {
  trigger: (props: TriggerProps) => ReactNode
  label: string
  /** Groups are separated by a line. */
  groups: MenuItem[][]
  /** Shown above the items: for example the account's name. */
  header?: ReactNode
}

/** A button with a menu of actions and links. */
export function Menu({ trigger, label, groups, header }: MenuProps) {
  return (
    <Popover
      trigger={trigger}
      label={label}
      role="menu"
      align="end"
      className="w-max min-w-40 max-w-64 p-1.5"
      onKeyDown={handleMenuKey}
    >
      {(close) => (
        <>
          {header}
          {groups.map((items, index) => (
            // biome-ignore lint/a11y/useSemanticElements: a menu's groups are not form fields
            <div
              key={items[0]?.key}
              role="group"
              className={cn(index > 0 && 'mt-1.5 border-line border-t pt-1.5')}
            >
              {items.map((item) =>
                'to' in item ? (
                  <Link
                    key={item.key}
                    to={item.to}
                    role="menuitem"
                    tabIndex={-1}
                    className={itemClass}
                    onClick={close}
                  >
                    {item.icon}
                    {item.label}
                  </Link>
                ) : (
                  <button
                    key={item.key}
                    type="button"
                    role="menuitem"
                    tabIndex={-1}
                    className={cn(itemClass, item.tone === 'danger' && 'text-danger')}
                    onClick={() => {
                      close()
                      item.onSelect()
                    }}
                  >
                    {item.icon}
                    {item.label}
                  </button>
                ),
              )}
            </div>
          ))}
        </>
      )}
    </Popover>
  )
}
