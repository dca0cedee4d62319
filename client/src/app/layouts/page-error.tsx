import { useLocation, useNavigate } from 'react-router'
import { ErrorAlert } from '@/components/error-boundary'
import { pageTitle, usePageMeta } from '@/lib/page-meta'

/** A screen that could not be drawn or loaded: header and footer stay, and one can try again (UI-06). */
export function PageError() {
  const navigate = useNavigate()
  const location = useLocation()
  usePageMeta({ title: pageTitle('Something went wrong') })
  return (
    <div className="page min-h-[60dvh] py-16">
      <h1 className="sr-only">Something went wrong</h1>
      <ErrorAlert
        title="Something went wrong"
        onRetry={() => void navigate(location, { replace: true })}
      />
    </div>
  )
}
