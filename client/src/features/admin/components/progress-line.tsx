type ProgressLineProps = { text: string; value: number; max: number }

/** A progress bar with its text below. */
export function ProgressLine({ text, value, max }: ProgressLineProps) {
  return (
    <div className="grid gap-1">
      <progress
        className="w-full accent-primary"
        aria-label={text}
        value={value}
        max={Math.max(max, 1)}
      />
      <p className="nums text-sm text-muted" role="status">
        {text}
      </p>
    </div>
  )
}
