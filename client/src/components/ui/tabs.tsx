import { type KeyboardEvent, type ReactNode, useEffect, useId } from 'react'
import { cn } from '@/lib/cn'
import { useMediaQuery } from '@/lib/use-media-query'

export type Tab<K extends string> = {
  key: K
  label: string
  /** A count or a mark beside the label. */
  badge?: ReactNode
  content: ReactNode
}

type TabsProps<K extends string> = {
  label: string
  tabs: readonly Tab<K>[]
  /** Which tab is open; keep it in the address. */
  value: K
  onChange: (key: K) => void
  /** A rail at the left on wide screens: for many tabs, as of a panel. */
  rail?: boolean
}

const wideScreen = '(min-width: 64rem)'

const rowLook = {
  list: 'flex gap-1 overflow-x-auto border-line border-b',
  tab: '-mb-px border-b-2',
  open: 'border-primary text-primary',
  closed: 'border-transparent text-muted hover:text-ink',
}
const railLook = {
  list: 'sticky top-20 flex flex-col gap-1',
  tab: 'w-full rounded-control text-start',
  open: 'bg-primary-soft text-primary',
  closed: 'text-muted hover:bg-sunken hover:text-ink',
}

/** Tabs with a roving focus: arrows move and open, Tab goes on into the panel. */
export function Tabs<K extends string>({ label, tabs, value, onChange, rail }: TabsProps<K>) {
  const id = useId()
  const isRail = useMediaQuery(wideScreen) && rail === true
  const look = isRail ? railLook : rowLook
  const open = tabs.find((tab) => tab.key === value) ?? tabs[0]
  const openTab = `${id}-tab-${open?.key}`

  // Where the row is wider than the screen, the open tab is in sight; also once a phone was turned.
  useEffect(() => {
    const tab = document.getElementById(openTab)
    const row = tab?.parentElement
    if (!tab || !row) return
    const observer = new ResizeObserver(() => {
      const [inner, outer] = [tab.getBoundingClientRect(), row.getBoundingClientRect()]
      row.scrollLeft +=
        Math.max(0, inner.right - outer.right) + Math.min(0, inner.left - outer.left)
    })
    observer.observe(row)
    return () => observer.disconnect()
  }, [openTab])

  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex((tab) => tab.key === open?.key)
    const target = {
      [isRail ? 'ArrowDown' : 'ArrowRight']: (at + 1) % tabs.length,
      [isRail ? 'ArrowUp' : 'ArrowLeft']: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key]
    const next = target === undefined ? undefined : tabs[target]
    if (!next) return
    event.preventDefault()
    onChange(next.key)
    document.getElementById(`${id}-tab-${next.key}`)?.focus()
  }

  return (
    <div
      className={isRail ? 'grid grid-cols-[12rem_minmax(0,1fr)] items-start gap-x-10' : undefined}
    >
      <div
        role="tablist"
        aria-label={label}
        aria-orientation={isRail ? 'vertical' : undefined}
        className={look.list}
        onKeyDown={handleKey}
      >
        {tabs.map((tab) => {
          const selected = tab.key === open?.key
          return (
            <button
              key={tab.key}
              type="button"
              role="tab"
              id={`${id}-tab-${tab.key}`}
              aria-selected={selected}
              aria-controls={`${id}-panel`}
              tabIndex={selected ? 0 : -1}
              className={cn(
                'inline-flex min-h-11 items-center gap-2 px-3 font-semibold whitespace-nowrap transition-colors focus-visible:outline-offset-[-2px]',
                look.tab,
                selected ? look.open : look.closed,
              )}
              onClick={() => onChange(tab.key)}
            >
              {tab.label}
              {tab.badge}
            </button>
          )
        })}
      </div>
      {open && (
        <div
          role="tabpanel"
          id={`${id}-panel`}
          aria-labelledby={`${id}-tab-${open.key}`}
          className={isRail ? undefined : 'pt-6'}
        >
          {open.content}
        </div>
      )}
    </div>
  )
}
