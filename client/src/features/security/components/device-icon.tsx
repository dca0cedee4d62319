import { CircleQuestionMark, Monitor, Smartphone, Tablet } from 'lucide-react'
import type { DeviceKind } from '../model/device'

const icons = { phone: Smartphone, tablet: Tablet, computer: Monitor, unknown: CircleQuestionMark }

/** The icon of a device; its name is next to it. */
export function DeviceIcon({ kind }: { kind: DeviceKind }) {
  const Icon = icons[kind]
  return (
    <span className="grid size-11 shrink-0 place-items-center rounded-control bg-sunken text-muted">
      <Icon className="size-5" strokeWidth={1.75} aria-hidden />
    </span>
  )
}
