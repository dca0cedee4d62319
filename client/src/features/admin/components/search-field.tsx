import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useSearchText } from '@/lib/use-search-text'
import { messages } from '../messages'

type SearchFieldProps = { label: string; value: string; onChange: (text: string) => void }

/** The search text of a list; it is written to the URL after a debounce. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const { text, type, send, put } = useSearchText(value, onChange)
  const input = useRef<HTMLInputElement>(null)
  const handleClear = () => {
    put('')
    send('')
    input.current?.focus()
  }
  return (
    <search className="min-w-0 grow sm:max-w-sm">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          send(text)
        }}
      >
        <Field label={label}>
          <span className="relative block">
            <Search
              className="pointer-events-none absolute inset-y-0 start-3 my-auto size-5 text-muted"
              strokeWidth={1.75}
              aria-hidden
            />
            <Input
              ref={input}
              value={text}
              className="px-11"
              autoComplete="off"
              maxLength={100}
              enterKeyHint="search"
              onChange={(event) => type(event.target.value)}
            />
            {text !== '' && (
              <Button
                variant="quiet"
                size="icon"
                className="absolute inset-y-0 end-0"
                onClick={handleClear}
              >
                <X className="size-5" strokeWidth={1.75} aria-hidden />
                <span className="sr-only">{messages.clearSearch}</span>
              </Button>
            )}
          </span>
        </Field>
      </form>
    </search>
  )
}
