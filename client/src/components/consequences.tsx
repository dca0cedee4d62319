type ConsequencesProps = { title: string; items: readonly string[] }

/** The consequences of a deletion, in its confirmation dialog: a heading, and one line each. */
export function Consequences({ title, items }: ConsequencesProps) {
  return (
    <div className="grid gap-1">
      <h3 className="text-base text-ink">{title}</h3>
      <ul className="nums list-disc ps-5 text-sm text-muted">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}
