import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { variants } from '@/lib/cn'

const look = variants(
  'flex items-start gap-3 rounded-control px-4 py-3 text-sm',
  {
    tone: {
      info: 'bg-primary-soft',
      success: 'bg-success-soft',
      warning: 'bg-warning-soft',
      danger: 'bg-danger-soft',
    },
  },
  { tone: 'info' },
)

const icons = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert }
const iconColors = {
  info: 'text-primary',
  success: 'text-success',
  warning: 'text-warning',
  danger: 'text-danger',
}

type AlertProps = {
  tone?: keyof typeof icons
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** A message next to where something happened: a title, what was kept, what to do. */
export function Alert({ tone = 'info', title, children, action }: AlertProps) {
  const Icon = icons[tone]
  return (
    <div className={look({ tone })} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon
        className={`mt-0.5 size-5 shrink-0 ${iconColors[tone]}`}
        strokeWidth={1.75}
        aria-hidden
      />
      <div className="grid min-w-0 flex-1 gap-1">
        <p className="font-semibold">{title}</p>
        {children !== undefined && <div className="text-ink">{children}</div>}
        {action !== undefined && <div className="mt-2">{action}</div>}
      </div>
    </div>
  )
}
