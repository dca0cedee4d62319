import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { messages } from '../messages'

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setCopied] = useState(false)
  const Icon = isCopied ? Check : Copy
  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      showToast({ title: messages.copyFailed, tone: 'danger' })
    }
  }
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => void handleCopy()}>
        <Icon className="size-4" strokeWidth={1.75} aria-hidden />
        {isCopied ? messages.copied : label}
      </Button>
      <span role="status" className="sr-only">
        {isCopied && messages.copied}
      </span>
    </>
  )
}
