import {
  Accessibility,
  CalendarCheck,
  Check,
  CircleParking,
  CreditCard,
  type LucideIcon,
  PawPrint,
  ShoppingBag,
  Snowflake,
  Sun,
  Truck,
  Wifi,
} from 'lucide-react'
import { localName } from '@/lib/local-name'
import { parseAmenities } from '../model/business-details'
import { messages } from '../page-messages'

const icons: Record<string, LucideIcon> = {
  accessibility: Accessibility,
  calendar: CalendarCheck,
  parking: CircleParking,
  'credit-card': CreditCard,
  'paw-print': PawPrint,
  'shopping-bag': ShoppingBag,
  snowflake: Snowflake,
  sun: Sun,
  truck: Truck,
  wifi: Wifi,
}

/** The amenities of a business (BIZ-09). */
export function AmenityList({ stored }: { stored: unknown }) {
  const amenities = parseAmenities(stored)
  if (amenities.length === 0) return <p className="text-muted">{messages.noAmenities}</p>
  return (
    <ul className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3">
      {amenities.map(({ name, icon }) => {
        const Icon = icons[icon] ?? Check
        return (
          <li key={name} className="flex items-center gap-3">
            <Icon className="size-5 shrink-0 text-primary" strokeWidth={1.75} aria-hidden />
            {localName(name)}
          </li>
        )
      })}
    </ul>
  )
}
