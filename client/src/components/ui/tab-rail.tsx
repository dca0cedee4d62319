import { useMediaQuery } from '@/lib/use-media-query'
import { Tabs, type TabsProps, type TabsStyle } from './tabs'

const wideScreen = '(min-width: 64rem)'

const rail: TabsStyle = {
  frame: 'grid grid-cols-[11rem_minmax(0,1fr)] items-start gap-x-10',
  list: 'sticky top-20 flex flex-col gap-1',
  tab: 'w-full rounded-control text-start',
  open: 'bg-primary-soft text-primary',
  closed: 'text-muted hover:bg-sunken hover:text-ink',
}

/** Tabs in a column on the left if there is space, for a panel with many parts. */
export function TabRail<K extends string>(props: Omit<TabsProps<K>, 'vertical'>) {
  const isWide = useMediaQuery(wideScreen)
  return <Tabs {...props} {...(isWide && { vertical: rail })} />
}
