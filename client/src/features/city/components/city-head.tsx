import { Badge } from '@/components/ui/badge'
import { Breadcrumb, type Crumb } from '@/components/ui/breadcrumb'
import { paths } from '@/lib/paths'
import { messages } from '../messages'

/** Breadcrumb, title and number of businesses (CITY-01, CITY-05). */
export function CityHead({
  crumbs,
  title,
  count,
}: {
  crumbs: Crumb[]
  title: string
  count: number | undefined
}) {
  return (
    <header className="grid gap-3">
      <Breadcrumb crumbs={[{ key: 'home', label: messages.home, to: paths.home }, ...crumbs]} />
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="text-2xl [overflow-wrap:anywhere] sm:text-3xl">{title}</h1>
        {count !== undefined && (
          <Badge tone="primary" className="nums">
            {messages.count(count)}
          </Badge>
        )}
      </div>
    </header>
  )
}
