import { lazy, type ReactNode, Suspense } from 'react'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import { messages } from '../messages'

// The forms bring react-hook-form and zod, more than all the rest of the screen weighs: the frame
// is drawn without them.
const loadForms = () => import('./forms')

export const SignInForm = lazy(async () => ({ default: (await loadForms()).SignInForm }))
export const SignUpForm = lazy(async () => ({ default: (await loadForms()).SignUpForm }))
export const ForgotPasswordForm = lazy(async () => ({
  default: (await loadForms()).ForgotPasswordForm,
}))
export const PhoneForm = lazy(async () => ({ default: (await loadForms()).PhoneForm }))
export const PhoneCode = lazy(async () => ({ default: (await loadForms()).PhoneCode }))
export const SecondFactorStep = lazy(async () => ({
  default: (await loadForms()).SecondFactorStep,
}))
export const NewPasswordForm = lazy(async () => ({ default: (await loadForms()).NewPasswordForm }))

/** Keeps the place of a form that is on its way, in the size of its fields and of its whole. */
export function LateForm({
  fields,
  className,
  children,
}: {
  fields: number
  className: string
  children: ReactNode
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
      {children}
    </Suspense>
  )
}
