import { useMutation } from '@tanstack/react-query'
import { Button, type ButtonProps } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'

type ProviderButtonProps = Pick<ButtonProps, 'variant' | 'className' | 'children'> & {
  /** Returns the URL of the provider's page. */
  page: () => Promise<string>
  /** The message if there is none. */
  failed: string
}

/**
 * Opens a page of the payment provider in another tab (SUB-05, SUB-06). The tab is opened at once,
 * since browsers block later pop-ups, and redirected when the URL is known. It has no access to
 * this page (S-38).
 */
export function ProviderButton({ page, failed, ...props }: ProviderButtonProps) {
  const opening = useMutation({
    mutationFn: async (tab: Window | null) => {
      const address = await page()
      if (tab === null) window.location.assign(address)
      else tab.location.replace(address)
    },
    onError: (error, tab) => {
      tab?.close()
      showToast({ title: failed, text: describeError(error), tone: 'danger' })
    },
  })
  const handleClick = () => {
    const tab = window.open('about:blank', '_blank')
    if (tab) tab.opener = null
    opening.mutate(tab)
  }
  return <Button {...props} pending={opening.isPending} onClick={handleClick} />
}
