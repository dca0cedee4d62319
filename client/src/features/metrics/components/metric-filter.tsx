import { ListFilter } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Popover } from '@/components/ui/popover'
import { messages } from '../messages'
import { type MetricsAddress, metricsOf, shownOf } from '../model/address'
import type { MetricKey } from '../model/metric'

type MetricFilterProps = {
  address: MetricsAddress
  onChange: (change: Partial<MetricsAddress>) => void
}

/** Selects which figures of the open tab are shown (METRICS-17). */
export function MetricFilter({ address, onChange }: MetricFilterProps) {
  const keys = metricsOf(address)
  const hidden = keys.length - shownOf(keys, address).length
  const setShown = (key: MetricKey, isShown: boolean) => {
    const others = address.hidden.filter((one) => one !== key)
    onChange({ hidden: isShown ? others : [...others, key] })
  }
  return (
    <Popover
      label={messages.filterTitle}
      align="end"
      // Uses the available height above or below its button, and scrolls.
      className="w-72 max-h-[calc(100%-0.75rem)] p-3 [position-try-order:most-height]"
      trigger={(props) => (
        <Button {...props} variant="outline" className="max-sm:flex-1 max-sm:px-2">
          <ListFilter className="size-4" strokeWidth={1.75} aria-hidden />
          {hidden === 0 ? messages.filter : messages.filtered(hidden)}
        </Button>
      )}
    >
      {() => (
        <div className="grid gap-2">
          <div className="flex min-h-11 items-center justify-between gap-3">
            <p className="font-semibold">{messages.filterTitle}</p>
            {hidden > 0 && <ShowAll address={address} onChange={onChange} />}
          </div>
          <ul>
            {keys.map((key) => (
              <li key={key}>
                <Checkbox
                  label={messages.metric[key]}
                  checked={!address.hidden.includes(key)}
                  onChange={({ target }) => setShown(key, target.checked)}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Popover>
  )
}

/** Shows the hidden figures of the open tab. */
export function ShowAll({ address, onChange }: MetricFilterProps) {
  const keys = metricsOf(address)
  return (
    <Button
      variant="outline"
      onClick={() => onChange({ hidden: address.hidden.filter((key) => !keys.includes(key)) })}
    >
      {messages.showAll}
    </Button>
  )
}
