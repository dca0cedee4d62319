import { useMutation } from '@tanstack/react-query'
import { Button, type ButtonProps } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'

type ProviderButtonProps = Pick<ButtonProps, 'variant' | 'className' | 'children'> & {
  /** Gives the address of the provider's page. */
  page: () => Promise<string>
  /** What is said where there is none. */
  failed: string
}

/**
 * Opens a page of the payment provider in another tab (SUB-05, SUB-06). The tab is opened with the
 * press, since browsers block one that comes later, and sent on once the address is there. It
 * cannot reach this one (S-38).
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
