// A browser's WebAuthn in plain Node, for unmodified supabase-js: an authenticator
// in software (ES256, without attestation) behind navigator.credentials.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const bytes = (source) => Buffer.from(source instanceof ArrayBuffer ? new Uint8Array(source) : source)
const sha256 = (data) => createHash('sha256').update(data).digest()
const uint32 = (number) => Buffer.from([number >>> 24, number >>> 16, number >>> 8, number])
const present = 1
const verified = 4
const withKey = 64

class Credential {
  constructor(id, response) {
    this.id = id.toString('base64url')
    this.rawId = id
    this.type = 'public-key'
    this.response = response
    this.authenticatorAttachment = 'platform'
  }

  getClientExtensionResults() {
    return {}
  }
}

/** Makes this process act as a browser at an origin, whose authenticator keeps one key per site. */
export function beBrowser(origin) {
  const location = new URL(origin)
  const keys = new Map()

  const clientData = (type, challenge) =>
    Buffer.from(JSON.stringify({ type, challenge: bytes(challenge).toString('base64url'), origin: location.origin, crossOrigin: false }))
  const data = (party, flags, count) => Buffer.concat([sha256(party), Buffer.from([flags]), uint32(count)])

  async function create({ publicKey }) {
    if (publicKey.rp.id !== location.hostname) throw new DOMException('not this site', 'SecurityError')
    if (publicKey.excludeCredentials?.some(({ id }) => keys.has(bytes(id).toString('base64url')))) {
      throw new DOMException('registered already', 'InvalidStateError')
    }
    const id = randomBytes(16)
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = pair.publicKey.export({ format: 'jwk' })
    keys.set(id.toString('base64url'), { id, pair, count: 0, party: publicKey.rp.id, handle: bytes(publicKey.user.id) })
    const cose = Buffer.concat([
      Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 32]),
      Buffer.from(y, 'base64url'),
    ])
    const authData = Buffer.concat([data(publicKey.rp.id, present | verified | withKey, 0), Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
    const attestationObject = Buffer.concat([Buffer.from('\xa3cfmtdnonegattStmt\xa0hauthDataX', 'latin1'), Buffer.from([authData.length]), authData])
    return new Credential(id, { clientDataJSON: clientData('webauthn.create', publicKey.challenge), attestationObject })
  }

  async function get({ publicKey }) {
    const allowed = publicKey.allowCredentials?.map(({ id }) => bytes(id).toString('base64url'))
    const key = [...keys.values()].find(({ id, party }) => party === publicKey.rpId && (!allowed || allowed.includes(id.toString('base64url'))))
    if (!key) throw new DOMException('no key of this site', 'NotAllowedError')
    const authenticatorData = data(key.party, present | verified, ++key.count)
    const clientDataJSON = clientData('webauthn.get', publicKey.challenge)
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), key.pair.privateKey)
    return new Credential(key.id, { authenticatorData, clientDataJSON, signature, userHandle: key.handle })
  }

  const listeners = { addEventListener() {}, removeEventListener() {} }
  const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  define('BroadcastChannel', undefined) // would keep the process running
  define('PublicKeyCredential', Credential)
  define('navigator', { credentials: { create, get }, userAgent: 'node' })
  define('document', { visibilityState: 'visible', ...listeners })
  define('window', Object.assign(globalThis, { location, ...listeners }))
}
