import { Menu as MenuIcon, X } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { Button } from '@/components/ui/button'
import { messages } from './messages'
import type { ShellAccount } from './use-account'

const loadLinks = () => import('./mobile-links')
// Not used on wide screens.
const MobileLinks = lazyPart(async () => (await loadLinks()).MobileLinks)

/** The header's links on narrow screens, folded behind one button (NAV-06). */
export function MobileMenu({ account }: { account: ShellAccount }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const Icon = open ? X : MenuIcon
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape folds the menu from anywhere inside it
    <div className="lg:hidden" onKeyDown={(event) => event.key === 'Escape' && close()}>
      <Button
        variant="quiet"
        size="icon"
        aria-expanded={open}
        aria-controls={id}
        onPointerEnter={() => void loadLinks()}
        onFocus={() => void loadLinks()}
        onClick={() => setOpen(!open)}
      >
        <Icon className="size-6" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.menu}</span>
      </Button>
      <div
        id={id}
        hidden={!open}
        className="absolute inset-x-0 top-full max-h-[calc(100dvh-4rem)] overflow-y-auto border-line border-y bg-ground pb-6"
      >
        <Suspense>{open && <MobileLinks account={account} onFollow={close} />}</Suspense>
      </div>
    </div>
  )
}
