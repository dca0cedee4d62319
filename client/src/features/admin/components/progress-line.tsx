type ProgressLineProps = { text: string; value: number; max: number }

/** A progress bar with its text below. */
export function ProgressLine({ text, value, max }: ProgressLineProps) {
  return (
    <div className="grid gap-2">
      <progress
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-primary"
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
