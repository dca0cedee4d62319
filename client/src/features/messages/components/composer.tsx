import { ImagePlus, SendHorizontal, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Textarea } from '@/components/ui/textarea'
import { acceptedTypes, checkFile } from '@/lib/photo-file'
import { useSend } from '../api/mutations'
import { messages } from '../messages'
import { draftKey, readDraft, storeDraft } from '../model/draft'
import { sendFailure } from '../model/failure'

const maxPhotos = 4
const maxCharacters = 2000

type ComposerProps = {
  userId: string
  businessId: string
  /** The customer whom an owner replies to; null if the message goes to the business's owner. */
  customerId: string | null
  /** Called when the user types, and when nothing is left of it. */
  onTyping?: (isTyping: boolean) => void
  onSent: (conversationId: string | null) => void
}

/** The input for a message. Its text is kept until it has been sent (MSG-03). */
export function Composer({ userId, businessId, customerId, onTyping, onSent }: ComposerProps) {
  const key = draftKey(userId, businessId, customerId)
  const [text, setText] = useState(() => readDraft(key))
  const [photos, setPhotos] = useState<readonly File[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const send = useSend(userId)
  const isEmpty = text.trim() === '' && photos.length === 0

  const write = (next: string) => {
    setText(next)
    storeDraft(key, next)
    onTyping?.(next.trim() !== '')
  }
  const submit = () => {
    if (isEmpty || send.isPending) return
    setProblem(null)
    send.mutate(
      { businessId, customerId, text: text.trim(), photos },
      {
        onSuccess: (conversationId) => {
          // What was typed or chosen meanwhile stays.
          const rest = readDraft(key)
          setText(rest)
          setPhotos((chosen) => chosen.filter((photo) => !photos.includes(photo)))
          onTyping?.(rest !== '')
          onSent(conversationId)
        },
        onError: (error) => setProblem(sendFailure(error)),
      },
    )
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  // Enter sends on devices with a keyboard; with Shift, and on phones, it inserts a new line.
  const handleKey = (event: KeyboardEvent) => {
    const sends = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing
    if (!sends || !window.matchMedia('(pointer: fine)').matches) return
    event.preventDefault()
    submit()
  }
  const handleFiles = async (files: readonly File[]) => {
    const added = [...photos, ...files].slice(0, maxPhotos)
    const checks = await Promise.all(added.map((photo) => checkFile(photo)))
    const wrong = checks.find((check) => check.problem !== null)?.problem
    if (wrong) setProblem(wrong === 'too-large' ? messages.tooLarge : messages.wrongType)
    else setProblem(photos.length + files.length > maxPhotos ? messages.tooManyPhotos : null)
    setPhotos(added.filter((_, index) => checks[index]?.problem === null))
  }

  return (
    <form onSubmit={handleSubmit} className="grid gap-2 border-t border-line p-3">
      {problem !== null && (
        <p role="alert" className="text-sm text-danger">
          <strong>{messages.sendFailed}.</strong> {problem}
        </p>
      )}
      <ChosenPhotos
        photos={photos}
        onRemove={(photo) => setPhotos(photos.filter((other) => other !== photo))}
      />
      <div className="flex items-end gap-2">
        <PhotoButton
          isFull={photos.length >= maxPhotos}
          onChoose={(files) => void handleFiles(files)}
        />
        <Textarea
          rows={1}
          value={text}
          maxLength={maxCharacters}
          aria-label={messages.field}
          placeholder={messages.placeholder}
          className="max-h-40 flex-1 resize-none"
          onChange={(event) => write(event.target.value)}
          onKeyDown={handleKey}
        />
        <Button
          type="submit"
          size="icon"
          title={messages.send}
          pending={send.isPending}
          disabled={isEmpty}
        >
          <SendHorizontal className="size-5" strokeWidth={1.75} aria-hidden />
          <span className="sr-only">{messages.send}</span>
        </Button>
      </div>
    </form>
  )
}

function PhotoButton({ isFull, onChoose }: { isFull: boolean; onChoose: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant="quiet"
        size="icon"
        title={messages.attach}
        disabled={isFull}
        onClick={() => input.current?.click()}
      >
        <ImagePlus className="size-5" strokeWidth={1.75} aria-hidden />
        <span className="sr-only">{messages.attach}</span>
      </Button>
      <input
        ref={input}
        type="file"
        accept={acceptedTypes}
        multiple
        hidden
        aria-label={messages.attach}
        onChange={(event) => {
          onChoose([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}

type ChosenPhotosProps = { photos: readonly File[]; onRemove: (photo: File) => void }

function ChosenPhotos({ photos, onRemove }: ChosenPhotosProps) {
  if (photos.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2">
      {photos.map((photo) => (
        <li
          key={`${photo.name}-${photo.size}-${photo.lastModified}`}
          className="flex max-w-full items-center gap-1 rounded-chip bg-sunken ps-3 text-sm"
        >
          <span className="truncate">{photo.name}</span>
          <Button
            variant="quiet"
            size="icon"
            title={messages.removePhoto(photo.name)}
            onClick={() => onRemove(photo)}
          >
            <X className="size-4" strokeWidth={1.75} aria-hidden />
            <span className="sr-only">{messages.removePhoto(photo.name)}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}
