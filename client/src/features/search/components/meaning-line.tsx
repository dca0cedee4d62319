import { Link } from 'react-router'
import { meaningMessages as messages } from '../meaning-messages'
import { understood } from '../model/meaning'

type MeaningLineProps = {
  findDesc: string
  meaning: Parameters<typeof understood>[1]
  /** Returns the URL of the same search with another text. */
  hrefOf: (findDesc: string) => string
}

/** Shows how a text was interpreted, if not literally. */
export function MeaningLine({ findDesc, meaning, hrefOf }: MeaningLineProps) {
  const meant = understood(findDesc, meaning)
  if (!meant || meant.text === '') return null
  return (
    <p className="min-h-10 text-sm [overflow-wrap:anywhere] sm:min-h-5">
      {messages.resultsInstead}{' '}
      <Link to={hrefOf(meant.text)} className="reach font-semibold text-primary hover:underline">
        {meant.text}
      </Link>
      <span className="text-muted">. {messages.unknownWords(meant.unknown)}</span>
    </p>
  )
}
