import { createHmac } from 'node:crypto'

const stepMs = 30_000
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}

/** The code of an authenticator app in a step of 30 seconds (RFC 6238). */
function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 0xf
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000
  return String(number).padStart(6, '0')
}

/** How long a returned code is valid, at least. */
const usableMs = 10_000

/**
 * An authenticator app for a secret. It never returns a code twice: the server accepts a step once,
 * and one step on either side of its clock. So three codes are available at once, or two if the
 * oldest is about to expire; for another it waits until the clock has advanced.
 */
export class Authenticator {
  private last = 0

  constructor(private readonly secret: string) {}

  async code(): Promise<string> {
    const now = () => Math.floor(Date.now() / stepMs)
    const oldest = Math.floor((Date.now() + usableMs) / stepMs) - 1
    const next = Math.max(this.last + 1, oldest)
    while (next > now() + 1) await new Promise((resolve) => setTimeout(resolve, 250))
    this.last = next
    return codeAt(this.secret, next)
  }

  /** Returns a code that is wrong for all nearby steps. */
  wrong(): string {
    const step = Math.floor(Date.now() / stepMs)
    const near = [-3, -2, -1, 0, 1, 2, 3].map((away) => codeAt(this.secret, step + away))
    return ['000000', '111111', '222222'].find((code) => !near.includes(code)) ?? '333333'
  }
}
