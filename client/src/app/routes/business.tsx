import { type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs, useParams } from 'react-router'
import { queryClient } from '@/app/query-client'
import { startLoading } from '@/app/start-loading'
import { businessQuery } from '@/features/businesses/api/detail-queries'
import { categoriesQuery } from '@/features/directory/api/queries'
import { BusinessScreen } from './business-screen'

export function loader({ params }: LoaderFunctionArgs) {
  return startLoading(
    queryClient.prefetchQuery(businessQuery(params.id ?? '')),
    queryClient.prefetchQuery(categoriesQuery),
  )
}

/** Choosing a service, day or time changes the URL, but not the loaded data. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname
}

/** /business/{id} and /biz/{slug}: the key may be an id, a slug or a url_path (ROUTE-14, ROUTE-15). */
export function Component() {
  const { id = '' } = useParams()
  return <BusinessScreen key={id} businessKey={id} />
}
