import { useQuery } from '@tanstack/react-query'
import { FileText, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { QueryState } from '@/components/query-state'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Skeleton, SkeletonGroup } from '@/components/ui/skeleton'
import type { ClaimDocument } from '@/lib/claim-documents'
import { describeError } from '@/lib/error-text'
import { useAddDocument, useRemoveDocument } from '../api/documents'
import { documentsQuery } from '../api/queries'
import { messages } from '../messages'
import { acceptedDocuments, documentRefusal } from '../model/document'

type ClaimDocumentsProps = { claimId: string; userId: string }

/** The documents of an open claim: they can be added and deleted until it is decided (S-48). */
export function ClaimDocuments({ claimId, userId }: ClaimDocumentsProps) {
  const section = useRef<HTMLElement>(null)
  const query = useQuery(documentsQuery(userId, claimId))
  const add = useAddDocument(userId, claimId)
  const remove = useRemoveDocument(claimId)
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="claim-documents"
      className="grid gap-3 outline-none"
    >
      <div className="grid gap-1">
        <h3 id="claim-documents" className="text-lg">
          {messages.documents}
        </h3>
        <p className="text-sm text-muted">{messages.documentsText}</p>
      </div>
      <QueryState
        query={query}
        errorTitle={messages.documentsFailed}
        pending={
          <SkeletonGroup label={messages.documentsPending}>
            <Skeleton className="h-11 rounded-control" />
          </SkeletonGroup>
        }
      >
        {(documents) => (
          <DocumentList
            documents={documents}
            isBusy={remove.isPending}
            onRemove={(document) => {
              section.current?.focus()
              add.reset()
              remove.mutate(document)
            }}
          />
        )}
      </QueryState>
      {remove.isError && (
        <Alert tone="danger" title={messages.removeFailed}>
          {documentRefusal(remove.error) ?? describeError(remove.error)}
        </Alert>
      )}
      <AddDocument add={add} onChoose={remove.reset} />
    </section>
  )
}

type DocumentListProps = {
  documents: readonly ClaimDocument[]
  isBusy: boolean
  onRemove: (document: ClaimDocument) => void
}

function DocumentList({ documents, isBusy, onRemove }: DocumentListProps) {
  if (documents.length === 0) return <p className="text-sm">{messages.noDocuments}</p>
  return (
    <ul className="grid gap-2">
      {documents.map((document) => (
        <li
          key={document.key}
          className="flex min-w-0 items-center gap-2 rounded-control border border-line ps-3"
        >
          <FileText className="size-5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
          <span className="min-w-0 flex-1 py-2 text-sm [overflow-wrap:anywhere]">
            {document.name}
          </span>
          <Button variant="quiet" size="icon" disabled={isBusy} onClick={() => onRemove(document)}>
            <X className="size-4" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{messages.removeDocument(document.name)}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

type AddDocumentProps = { add: ReturnType<typeof useAddDocument>; onChoose: () => void }

function AddDocument({ add, onChoose }: AddDocumentProps) {
  const input = useRef<HTMLInputElement>(null)
  const [sent, setSent] = useState(0)
  const choose = (file: File | undefined) => {
    if (!file) return
    onChoose()
    setSent(0)
    add.mutate({ file, onProgress: setSent })
  }
  return (
    <div className="grid gap-2">
      {add.isError && (
        <Alert tone="danger" title={messages.documentFailed}>
          {documentRefusal(add.error) ?? describeError(add.error)}
        </Alert>
      )}
      {add.isPending && (
        <progress
          className="w-full accent-primary"
          aria-label={messages.sending(add.variables.file.name)}
          value={sent}
        />
      )}
      <input
        ref={input}
        type="file"
        hidden
        accept={acceptedDocuments}
        onChange={({ target }) => {
          choose(target.files?.[0])
          // Selecting the same file again must trigger a change event.
          target.value = ''
        }}
      />
      <Button variant="outline" pending={add.isPending} onClick={() => input.current?.click()}>
        {messages.addDocument}
      </Button>
      <p className="text-sm text-muted">{messages.documentRules}</p>
    </div>
  )
}
