import { useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page-header'
import { TileCover } from '@/components/tile/tile-cover'
import { Badge } from '@/components/ui/badge'
import { EmptyState } from '@/components/ui/empty-state'
import { cn } from '@/lib/cn'
import { pageTitle, usePageMeta } from '@/lib/page-meta'
import infoPages from '../info-pages.json'
import { allChip, chips, findChip, sampleBusinesses } from './categoria-ejemplo-data'

const { title, intro } = infoPages.es['categoria-ejemplo']

/** A fixed example of a category page, in Spanish (ROUTE-18, ROUTE-19). */
export function Component() {
  usePageMeta({ title: pageTitle(title), description: intro, lang: 'es' })
  const [params, setParams] = useSearchParams()
  const chip = findChip(params.get('filtro'))
  const found = sampleBusinesses.filter((one) => chip === allChip || one.chips.includes(chip))
  return (
    <div className="page">
      <PageHeader title={title} text={intro} />
      <fieldset className="mb-8 flex flex-wrap gap-2">
        <legend className="sr-only">Filtros</legend>
        {chips.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === chip}
            className={cn(
              'min-h-11 rounded-full border px-4 text-sm font-semibold transition-colors',
              name === chip
                ? 'border-primary bg-primary text-on-primary'
                : 'border-control bg-surface hover:bg-sunken',
            )}
            onClick={() => setParams(name === allChip ? {} : { filtro: name }, { replace: true })}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <div aria-live="polite">
        {found.length === 0 ? (
          <EmptyState title="No hay resultados para este filtro." />
        ) : (
          <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
            {found.map((business) => (
              <li key={business.name} className="grid content-start gap-3">
                <TileCover category="auto" id={business.name} className="aspect-4/3 rounded-card" />
                <div className="grid gap-1.5">
                  <h2 className="text-lg">{business.name}</h2>
                  <p className="text-sm text-muted">{business.text}</p>
                  <p className="flex gap-1.5">
                    {business.chips.map((name) => (
                      <Badge key={name}>{name}</Badge>
                    ))}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
