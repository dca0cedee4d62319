import { useState } from 'react'

/** The file that is being read, and how far. */
export function useReading() {
  const [name, setName] = useState('')
  const [share, setShare] = useState(0)
  return {
    name,
    share,
    setShare,
    begin: (file: string) => {
      setName(file)
      setShare(0)
    },
  }
}
