/** A pin whose tip is the middle of its lower edge. */
export function Pin() {
  return (
    <svg viewBox="0 0 44 52" width="44" height="52" aria-hidden focusable="false">
      <path
        d="M22 51C22 51 39 33 39 19.5a17 17 0 1 0-34 0C5 33 22 51 22 51Z"
        className="fill-primary stroke-surface"
        strokeWidth="2"
      />
      <circle cx="22" cy="19.5" r="6.5" className="fill-on-primary" />
    </svg>
  )
}
