// The project's hooks, on separate servers: as database functions and as HTTP services with a
// signature.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { claimsOf, newAddress, newNumber, password, refused, succeed } from './account.mjs'
import { home, service } from './own.mjs'

const place = await home()
after(place.remove)

const secret = Buffer.alloc(32, 7)
const hook = (name, uri) => ({
  [`GOTRUE_HOOK_${name}_ENABLED`]: 'true',
  [`GOTRUE_HOOK_${name}_URI`]: uri,
  [`GOTRUE_HOOK_${name}_SECRETS`]: `v1,whsec_${secret.toString('base64')}`,
})

/** Returns the event that a service received, after checking its signature. */
function signed({ headers, body }) {
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  assert.equal(headers['webhook-signature'], `v1,${createHmac('sha256', secret).update(text).digest('base64')}`)
  return JSON.parse(body)
}

test('functions: claims of a token, before and after an account is created', async () => {
  const plaza = await place.serve({
    GOTRUE_MAILER_AUTOCONFIRM: 'true',
    ...hook('CUSTOM_ACCESS_TOKEN', 'pg-functions://postgres/hooks/add_claims'),
    ...hook('BEFORE_USER_CREATED', 'pg-functions://postgres/hooks/only_residents'),
    ...hook('AFTER_USER_CREATED', 'pg-functions://postgres/hooks/greet'),
  })
  const supabase = plaza.client()
  const email = newAddress()
  const { session } = succeed(await supabase.auth.signUp({ email, password }))
  const claims = claimsOf(session.access_token)
  assert.deepEqual([claims.shop, claims.asked_by, claims.email], ['Can Test', 'password', email])
  const refreshed = succeed(await supabase.auth.refreshSession()).session
  assert.deepEqual([claimsOf(refreshed.access_token).shop, claimsOf(refreshed.access_token).asked_by], ['Can Test', 'token_refresh'])

  const stranger = 'ada@elsewhere.test'
  const { message } = refused(await plaza.client().auth.signUp({ email: stranger, password }), 403, 'unexpected_failure')
  assert.equal(message, 'Residents only')
  refused(await plaza.client().auth.signInWithPassword({ email: stranger, password }), 400, 'invalid_credentials')

  // The second call for an address fails, and so does creating its account.
  const { user } = succeed(await plaza.admin().auth.admin.getUserById(session.user.id))
  succeed(await plaza.admin().auth.admin.deleteUser(user.id))
  assert.equal((await plaza.client().auth.signUp({ email, password })).error.status, 500)
  refused(await plaza.client().auth.signInWithPassword({ email, password }), 400, 'invalid_credentials')
})

describe('services', () => {
  test('mails and messages go there instead, signed', async () => {
    const shop = await service(() => ({ json: {} }))
    const plaza = await place.serve({
      GOTRUE_EXTERNAL_PHONE_ENABLED: 'true', GOTRUE_RATE_LIMIT_EMAIL_SENT: '1000', GOTRUE_RATE_LIMIT_SMS_SENT: '1000',
      ...hook('SEND_EMAIL', `${shop.url}/mail`), ...hook('SEND_SMS', `${shop.url}/text`),
    })
    const email = newAddress()
    succeed(await plaza.client().auth.signUp({ email, password }))
    const mail = signed(shop.asked.at(-1))
    assert.deepEqual([shop.asked.at(-1).path, mail.user.email, mail.email_data.email_action_type], ['/mail', email, 'signup'])
    assert.equal(mail.metadata.name, 'send-email')
    assert.equal(JSON.stringify(mail).includes('encrypted_password'), false)
    succeed(await plaza.client().auth.verifyOtp({ token_hash: mail.email_data.token_hash, type: 'signup' }))
    assert.equal((await fetch(`${plaza.url}/inbox/messages?to=${email}`).then((answer) => answer.json())).length, 0)

    const phone = newNumber()
    succeed(await plaza.client().auth.signInWithOtp({ phone }))
    const text = signed(shop.asked.at(-1))
    assert.deepEqual([shop.asked.at(-1).path, text.sms.phone, text.user.phone], ['/text', phone, phone])
    succeed(await plaza.client().auth.verifyOtp({ phone, token: text.sms.otp, type: 'sms' }))
  })

  test('a refused action has no effect, and can be repeated', async () => {
    let busy = true
    const shop = await service(() => ({ json: busy ? { error: { http_code: 422, message: 'Closed on Sundays' } } : {} }))
    const plaza = await place.serve({
      GOTRUE_EXTERNAL_PHONE_ENABLED: 'true', GOTRUE_SMS_MAX_FREQUENCY: '60s', GOTRUE_RATE_LIMIT_EMAIL_SENT: '1000', GOTRUE_RATE_LIMIT_SMS_SENT: '1000',
      ...hook('SEND_EMAIL', shop.url), ...hook('SEND_SMS', shop.url),
    })
    const [email, phone] = [newAddress(), newNumber()]
    assert.equal(refused(await plaza.client().auth.signUp({ email, password }), 422, 'unexpected_failure').message, 'Closed on Sundays')
    refused(await plaza.client().auth.signUp({ phone, password }), 422, 'unexpected_failure')
    const { users } = succeed(await plaza.admin().auth.admin.listUsers())
    assert.equal(users.some((user) => user.email === email), false)
    busy = false
    succeed(await plaza.client().auth.signUp({ email, password }))
    succeed(await plaza.client().auth.signUp({ phone, password }))
  })

  test('a password attempt, and claims that are not allowed', async () => {
    let claims = (given) => ({ ...given, tier: 'gold' })
    const shop = await service(({ path, body }) => {
      const question = JSON.parse(body)
      if (path === '/claims') return { json: { claims: claims(question.claims) } }
      return { json: question.valid ? { decision: 'continue' } : { decision: 'reject', message: 'Not like this' } }
    })
    const plaza = await place.serve({
      GOTRUE_MAILER_AUTOCONFIRM: 'true',
      ...hook('CUSTOM_ACCESS_TOKEN', `${shop.url}/claims`), ...hook('PASSWORD_VERIFICATION_ATTEMPT', `${shop.url}/password`),
    })
    const email = newAddress()
    const { session } = succeed(await plaza.client().auth.signUp({ email, password }))
    assert.equal(claimsOf(session.access_token).tier, 'gold')
    const { message } = refused(await plaza.client().auth.signInWithPassword({ email, password: 'wrong' }), 400, 'invalid_credentials')
    assert.equal(message, 'Not like this')
    assert.equal(signed(shop.asked.at(-1)).valid, false)
    assert.equal(shop.asked.some(({ body }) => body.includes(password) || body.includes('wrong')), false)
    claims = ({ sub: _, ...rest }) => rest
    const failed = await plaza.send('POST /token?grant_type=password', { body: { email, password } })
    assert.deepEqual([failed.status, failed.json.error_code], [500, 'unexpected_failure'])
    assert.match(failed.json.msg, /sub is required/)
  })
})
