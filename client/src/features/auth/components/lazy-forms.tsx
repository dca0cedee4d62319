import { type ReactNode, Suspense } from 'react'
import { part } from '@/components/part'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { preloadSupabase } from '@/lib/supabase'
import { messages } from '../messages'

type Forms = typeof import('./forms')

// The forms bring react-hook-form and zod, more than all the rest of the screen weighs: the frame
// is drawn without them. Once they are there, the next form is drawn at once, so that nothing that
// somebody types meanwhile falls between two.
const WithForms = part(async () => {
  const forms = await import('./forms')
  preloadSupabase()
  return ({ children }: { children: (forms: Forms) => ReactNode }) => children(forms)
})

/** Keeps the place of a form that is on its way, in the size of its fields and of its whole. */
export function LateForm({
  fields,
  className,
  children,
}: {
  fields: number
  className: string
  /** The form, or how it is made of what was loaded. */
  children: ReactNode | ((forms: Forms) => ReactNode)
}) {
  const rows = Array.from({ length: fields }, (_, row) => row)
  return (
    <Suspense
      fallback={
        <SkeletonGroup label={messages.formLoading} className={className}>
          <div className="appear-late grid gap-4">
            {rows.map((row) => (
              <div key={row} className="grid gap-1.5">
                <Skeleton className="h-5 w-24" />
                <Skeleton className="h-11" />
              </div>
            ))}
            <Skeleton className="h-13" />
          </div>
        </SkeletonGroup>
      }
    >
      {typeof children === 'function' ? <WithForms>{children}</WithForms> : children}
    </Suspense>
  )
}
