import { type FormEvent, useRef, useState } from 'react'

type CodeEntryOptions = {
  /** The number of characters of a code. */
  length: number
  /** The message for a code that is too short. */
  missing: string
  /** Verifies the code; a thrown error is shown. */
  check: (code: string) => Promise<void>
  /** Returns the message for an error. */
  explain: (thrown: unknown) => string
}

/** The state of a form that asks for one code and submits it. */
export function useCodeEntry({ length, missing, check, explain }: CodeEntryOptions) {
  const input = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const [isPending, setPending] = useState(false)

  const send = async (typed: string) => {
    if (typed.length < length) {
      setProblem(missing)
      return input.current?.focus()
    }
    setPending(true)
    setProblem(undefined)
    try {
      await check(typed)
    } catch (error) {
      setProblem(explain(error))
      input.current?.select()
    } finally {
      setPending(false)
    }
  }

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void send(code)
  }

  const clear = () => {
    setCode('')
    setProblem(undefined)
  }

  return { input, code, setCode, problem, isPending, send, handleSubmit, clear }
}
