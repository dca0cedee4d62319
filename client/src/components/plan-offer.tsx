import { Check } from 'lucide-react'
import { useId } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { paths } from '@/lib/paths'

type PlanOfferProps = {
  title: string
  text: string
  /** What the larger plan includes. */
  offer: readonly string[]
}

/**
 * Describes what a larger plan would show here, for owners whose plan does not include it (SUB-07).
 */
export function PlanOffer({ title, text, offer }: PlanOfferProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid justify-items-start gap-4 rounded-panel border border-line bg-surface p-5 sm:p-8"
    >
      <h3 id={id} className="text-xl">
        {title}
      </h3>
      <p className="text-muted">{text}</p>
      <ul className="grid gap-2">
        {offer.map((line) => (
          <li key={line} className="flex items-start gap-2">
            <Check className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={1.75} aria-hidden />
            {line}
          </li>
        ))}
      </ul>
      <ButtonLink to={paths.plans}>See the plans</ButtonLink>
    </section>
  )
}
