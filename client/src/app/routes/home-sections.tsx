import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { TileCover } from '@/components/tile/tile-cover'
import { ButtonLink } from '@/components/ui/button'
import { language } from '@/lib/language'
import { localName } from '@/lib/local-name'
import { paths } from '@/lib/paths'
import { slugify } from '@/lib/text'
import { homeCities, homeMessages as messages } from './home-messages'

/** The headline, the search below it, and the mosaic of categories beside them. */
export function Hero({ mosaic, children }: { mosaic: ReactNode; children: ReactNode }) {
  return (
    <div className="page grid items-center gap-x-14 gap-y-10 pt-6 lg:grid-cols-[1.05fr_1fr] lg:pt-10">
      <div className="grid gap-5">
        <h1 className="text-3xl font-bold tracking-[-0.03em] sm:text-4xl xl:text-5xl">
          {messages.hero}
        </h1>
        <p className="max-w-[44ch] text-lg text-muted">{messages.heroText}</p>
        <div className="grid gap-2">{children}</div>
      </div>
      <section aria-labelledby="popular-categories">
        <h2 id="popular-categories" className="sr-only">
          {messages.categories}
        </h2>
        {mosaic}
      </section>
    </div>
  )
}

/** Six cities as a row of tiles, each with its page (HOME-08). */
export function Cities() {
  return (
    <section aria-labelledby="cities" className="page">
      <h2 id="cities" className="mb-5 text-2xl">
        {messages.cities}
      </h2>
      <ul className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-6">
        {homeCities.map((city) => (
          <li key={city.name}>
            <Link to={paths.city(slugify(city.name))} className="group grid gap-2 rounded-card">
              <span className="block overflow-hidden rounded-card">
                <TileCover
                  category={city.tile}
                  zoom={0.8}
                  className="aspect-3/2 transition-transform duration-200 group-hover:scale-[1.03]"
                />
              </span>
              <span lang={language} className="font-semibold group-hover:text-primary">
                {localName(city.name)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The banner that invites owners (HOME-09). */
export function OwnerBand() {
  return (
    <section aria-labelledby="owners" className="page">
      <div className="grid overflow-hidden rounded-panel bg-sunken md:grid-cols-[1fr_20rem]">
        <div className="grid justify-items-start gap-3 p-6 sm:p-10">
          <h2 id="owners" className="text-2xl">
            {messages.ownerTitle}
          </h2>
          <p className="max-w-[52ch] text-muted">{messages.ownerText}</p>
          <ButtonLink to={paths.ownerSignUp} className="mt-2">
            {messages.addBusiness}
          </ButtonLink>
        </div>
        <TileCover category="beautysvc" className="min-h-24" />
      </div>
    </section>
  )
}
