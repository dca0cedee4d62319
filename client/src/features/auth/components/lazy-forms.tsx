import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '@/components/lazy-part'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { preloadSupabase } from '@/lib/supabase'
import { messages } from '../messages'

type Forms = typeof import('./forms')

// The forms import react-hook-form and zod, which are larger than the rest of the screen, so the
// frame renders without them. Once they are loaded, the next form renders at once, so that no typed
// text is lost between two forms.
const WithForms = lazyPart(async () => {
  const forms = await import('./forms')
  preloadSupabase()
  return ({ children }: { children: (forms: Forms) => ReactNode }) => children(forms)
})

/** A placeholder for a form that is loading, as high as its fields and the whole form. */
export function LoadingForm({
  fields,
  className,
  children,
}: {
  fields: number
  className: string
  /** The form, or a function that renders it from the loaded forms. */
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
