import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/lib/cn'
import { formatMoney } from '@/lib/money'
import { formatDuration } from '@/lib/time'
import type { Service } from '../model/business-details'
import { messages } from '../page-messages'

/** Number of services shown before 'View all services' (BIZ-08). */
const popularServiceCount = 4

type ServiceListProps = {
  services: readonly Service[]
  /** Id of the service being booked. */
  chosen: string | null
  /** Null if nothing can be booked. */
  onBook: ((service: Service) => void) | null
}

/** The services by name, each with its Book button (BIZ-08, BIZ-12). */
export function ServiceList({ services, chosen, onBook }: ServiceListProps) {
  const [all, setAll] = useState(false)
  if (services.length === 0) return <p className="text-muted">{messages.noServices}</p>
  const shown = all ? services : services.slice(0, popularServiceCount)
  return (
    <div className="grid justify-items-start gap-4">
      <ul className="w-full divide-y divide-line border-line border-y">
        {shown.map((service) => (
          <li key={service.id} className="flex items-center gap-4 py-3.5">
            <div className="grid min-w-0 flex-1 gap-0.5">
              <h3 className="font-text text-base font-semibold tracking-normal [overflow-wrap:anywhere]">
                {service.name}
              </h3>
              {service.description && <p className="text-sm text-muted">{service.description}</p>}
              <p className="text-sm text-muted">{formatDuration(service.duration)}</p>
            </div>
            <span className="nums font-semibold">{formatMoney(service.price)}</span>
            {onBook && (
              <Button
                variant={service.id === chosen ? 'soft' : 'outline'}
                className={cn('px-5')}
                aria-label={`${messages.book} ${service.name}`}
                aria-pressed={service.id === chosen}
                onClick={() => onBook(service)}
              >
                {messages.book}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!all && services.length > popularServiceCount && (
        <Button variant="outline" onClick={() => setAll(true)}>
          {messages.allServices}
        </Button>
      )}
    </div>
  )
}
