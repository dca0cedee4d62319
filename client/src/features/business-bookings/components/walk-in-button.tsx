import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { Button } from '@/components/ui/button'
import type { BookedBusiness } from '../api/queries'
import { messages } from '../messages'

const AddDialog = lazyPart(async () => (await import('./booking-dialogs')).AddDialog)

/** Opens the form for a customer who called or walked in. */
export function WalkInButton({ business }: { business: BookedBusiness }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus className="size-5" strokeWidth={1.75} aria-hidden />
        {messages.walkInAdd}
      </Button>
      <Suspense>
        {isOpen && <AddDialog business={business} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
