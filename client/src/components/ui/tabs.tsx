import { type KeyboardEvent, type ReactNode, useEffect, useId } from 'react'
import { cn } from '@/lib/cn'

type Tab<K extends string> = {
  key: K
  label: string
  /** A count or a mark next to the label. */
  badge?: ReactNode
  content: ReactNode
}

export type TabsProps<K extends string> = {
  label: string
  tabs: readonly Tab<K>[]
  /** The open tab; store it in the URL. */
  value: K
  onChange: (key: K) => void
  /** The styles of vertical tabs; see TabRail. */
  vertical?: TabsStyle
}

export type TabsStyle = {
  frame?: string
  list: string
  tab: string
  open: string
  closed: string
  panel?: string
}

const rowClass: TabsStyle = {
  list: 'flex gap-1 overflow-x-auto border-line border-b',
  tab: '-mb-px border-b-2',
  open: 'border-primary text-primary',
  closed: 'border-transparent text-muted hover:text-ink',
  panel: 'pt-6',
}

/** Tabs with a roving focus: arrow keys move and open, Tab continues into the panel. */
export function Tabs<K extends string>({ label, tabs, value, onChange, vertical }: TabsProps<K>) {
  const id = useId()
  const look = vertical ?? rowClass
  const open = tabs.find((tab) => tab.key === value) ?? tabs[0]
  const openTab = `${id}-tab-${open?.key}`

  // If the row is wider than the screen, scrolls the open tab into view, also after a phone was
  // rotated or a badge has appeared.
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
    for (const other of row.children) observer.observe(other)
    return () => observer.disconnect()
  }, [openTab])

  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    // The tab with the focus: the URL may still name the previous one.
    const focused = document.activeElement?.id
    const at = tabs.findIndex((tab) => `${id}-tab-${tab.key}` === focused)
    const target = {
      [vertical ? 'ArrowDown' : 'ArrowRight']: (at + 1) % tabs.length,
      [vertical ? 'ArrowUp' : 'ArrowLeft']: (at - 1 + tabs.length) % tabs.length,
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
    <div className={look.frame}>
      <div
        role="tablist"
        aria-label={label}
        aria-orientation={vertical && 'vertical'}
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
          className={look.panel}
        >
          {open.content}
        </div>
      )}
    </div>
  )
}
