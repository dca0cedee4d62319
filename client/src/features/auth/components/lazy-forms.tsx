import { type ReactNode, Suspense, use } from 'react'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { messages } from '../messages'

type Forms = typeof import('./forms')

// The forms bring react-hook-form and zod, more than all the rest of the screen weighs: the frame
// is drawn without them. Once they are there, the next form is drawn at once, so that nothing that
// somebody types meanwhile falls between two.
let forms: Forms | undefined
let pending: Promise<Forms> | undefined

function loadForms(): Promise<Forms> {
  pending ??= import('./forms').then(
    (loaded) => {
      forms = loaded
      return loaded
    },
    (error) => {
      pending = undefined
      throw error
    },
  )
  return pending
}

function WithForms({ children }: { children: (forms: Forms) => ReactNode }) {
  return children(forms ?? use(loadForms()))
}

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
