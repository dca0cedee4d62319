// Passes what the function writes to its console on as whole messages with their level, so that a
// message of several lines is one record of the server's log.
const LEVELS = ['debug', 'info', 'warn', 'error'] // by Deno's numbers
const MAX_LENGTH = 10_000 // characters of one message, as on Supabase's platform

export function captureConsole(send) {
  const { Console } = Deno[Deno.internal]
  if (typeof Console !== 'function') return // another version of Deno: the server reads single lines
  const captured = new Console((text, level) => {
    const message = text.replace(/\n$/, '')
    const rest = message.length - MAX_LENGTH
    send(LEVELS[level] ?? 'info', rest > 0 ? `${message.slice(0, MAX_LENGTH)}… (${rest} more characters)` : message)
  })
  globalThis.console = captured
}
