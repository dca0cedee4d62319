import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { showToast } from '@/components/ui/toast'
import { describeError } from '@/lib/error-text'
import { saveFile } from '@/lib/save-file'
import { exportAccount } from '../api/mutations'
import { messages } from '../messages'

/** Downloads the user's data as a file. */
export function ExportData() {
  const { mutate, isPending, error } = useMutation({
    mutationFn: exportAccount,
    onSuccess: (text) => {
      saveFile('plaza-account.json', 'application/json', text)
      showToast({ title: messages.exportDone, tone: 'success' })
    },
  })
  return (
    <div className="grid justify-items-start gap-4">
      {error && (
        <Alert tone="danger" title={messages.exportError}>
          {describeError(error)}
        </Alert>
      )}
      <Button variant="outline" pending={isPending} onClick={() => mutate()}>
        <Download className="size-5" strokeWidth={1.75} aria-hidden />
        {messages.exportButton}
      </Button>
    </div>
  )
}
