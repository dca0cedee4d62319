// Unmodified supabase-js against separate servers: phones, with a fake Twilio, and anonymous users.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { claimsOf, newAddress, newNumber, newPassword, password, press, refused, succeed } from './account.mjs'
import { home, service } from './own.mjs'

const place = await home()
after(place.remove)

const testNumber = '376600999'
let twilio
let plaza
before(async () => {
  twilio = await service(({ body }) =>
    new URLSearchParams(body).get('To') === '+37660000123' ? { status: 400, json: { code: 21211, message: 'no such number' } } : { json: { sid: 'SM1', status: 'queued' } },
  )
  plaza = await place.serve({
    GOTRUE_EXTERNAL_PHONE_ENABLED: 'true', GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: 'true', GOTRUE_SMS_PROVIDER: 'twilio',
    GOTRUE_SMS_TWILIO_ACCOUNT_SID: 'AC1', GOTRUE_SMS_TWILIO_AUTH_TOKEN: 'hush', GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: '+15550100',
    GOTRUE_SMS_TWILIO_URL: twilio.url, GOTRUE_SMS_TEST_OTP: `${testNumber}:246810`, GOTRUE_SMS_TEMPLATE: 'Plaza: {{ .Code }}',
    GOTRUE_MAILER_AUTOCONFIRM: 'false', GOTRUE_RATE_LIMIT_SMS_SENT: '1000', GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'true',
  })
})

/** The newest message to a number that Twilio was asked to send. */
function textTo(number) {
  const found = twilio.asked.map(({ body, headers, path }) => ({ form: new URLSearchParams(body), headers, path })).findLast(({ form }) => form.get('To').endsWith(number))
  return { ...found, code: /Plaza: (\d{6})/.exec(found.form.get('Body'))[1] }
}

async function phoneMember() {
  const supabase = plaza.client()
  const phone = newNumber()
  succeed(await supabase.auth.signUp({ phone, password }))
  const { user, session } = succeed(await supabase.auth.verifyOtp({ phone, token: textTo(phone).code, type: 'sms' }))
  return { supabase, phone, user, session }
}

describe('phones', () => {
  test('sign-up: a message by Twilio, a code, a session; then the password', async () => {
    const phone = newNumber()
    const supabase = plaza.client()
    const { user, session } = succeed(await supabase.auth.signUp({ phone, password }))
    assert.equal(session, null)
    assert.equal(user.phone, phone)
    const { form, path, headers, code } = textTo(phone)
    assert.equal(path, '/2010-04-01/Accounts/AC1/Messages.json')
    assert.equal(headers.authorization, `Basic ${btoa('AC1:hush')}`)
    assert.deepEqual([form.get('To'), form.get('From')], [`+${phone}`, '+15550100'])
    refused(await supabase.auth.signInWithPassword({ phone, password }), 400, 'phone_not_confirmed')
    const verified = succeed(await supabase.auth.verifyOtp({ phone, token: code, type: 'sms' }))
    assert.deepEqual(verified.user.app_metadata, { provider: 'phone', providers: ['phone'] })
    assert.equal(claimsOf(verified.session.access_token).amr[0].method, 'otp')
    refused(await supabase.auth.verifyOtp({ phone, token: code, type: 'sms' }), 403, 'otp_expired')
    succeed(await supabase.auth.signInWithPassword({ phone: `+${phone}`, password }))
    refused(await supabase.auth.signInWithPassword({ phone, password: 'wrong' }), 400, 'invalid_credentials')
  })

  test('a known number is answered as a new one', async () => {
    const { phone, user } = await phoneMember()
    const again = succeed(await plaza.client().auth.signUp({ phone, password: newPassword }))
    assert.equal(again.user.phone, phone)
    assert.notEqual(again.user.id, user.id)
  })

  test('API-05: sign-in by a code; five wrong ones end it', async () => {
    const { phone, user } = await phoneMember()
    const supabase = plaza.client()
    assert.equal(succeed(await supabase.auth.signInWithOtp({ phone })).messageId, 'SM1')
    assert.equal(succeed(await plaza.client().auth.signInWithOtp({ phone: newNumber() })).messageId, 'SM1') // same response as for a known number
    const again = succeed(await supabase.auth.verifyOtp({ phone, token: textTo(phone).code, type: 'sms' }))
    assert.equal(again.user.id, user.id)
    succeed(await supabase.auth.signInWithOtp({ phone, options: { channel: 'sms' } }))
    const { code } = textTo(phone)
    for (let i = 1; i <= 5; i++) {
      refused(await supabase.auth.verifyOtp({ phone, token: String((Number(code) + i) % 1_000_000).padStart(6, '0'), type: 'sms' }), 403, 'otp_expired')
    }
    refused(await supabase.auth.verifyOtp({ phone, token: code, type: 'sms' }), 403, 'otp_expired')
    refused(await supabase.auth.signInWithOtp({ phone: newNumber(), options: { shouldCreateUser: false } }), 422, 'otp_disabled')
    refused(await supabase.auth.signInWithOtp({ phone, options: { channel: 'pigeon' } }), 400, 'validation_failed')
  })

  test('one code at two places at once opens one session', async () => {
    const { phone } = await phoneMember()
    succeed(await plaza.client().auth.signInWithOtp({ phone }))
    const { code } = textTo(phone)
    const tries = await Promise.all(Array.from({ length: 6 }, () => plaza.client().auth.verifyOtp({ phone, token: code, type: 'sms' })))
    assert.equal(tries.filter(({ error }) => error === null).length, 1)
    for (const { error } of tries) assert.ok(error === null || error.code === 'otp_expired', error?.code)
  })

  test('another number is confirmed by its code', async () => {
    const { supabase, phone } = await phoneMember()
    const moved = newNumber()
    const { user } = succeed(await supabase.auth.updateUser({ phone: moved }))
    assert.deepEqual([user.phone, user.new_phone], [phone, moved])
    succeed(await supabase.auth.resend({ type: 'phone_change', phone }))
    const changed = succeed(await supabase.auth.verifyOtp({ phone: moved, token: textTo(moved).code, type: 'phone_change' }))
    assert.equal(changed.user.phone, moved)
    refused(await supabase.auth.signInWithPassword({ phone, password }), 400, 'invalid_credentials')
    const other = await phoneMember()
    refused(await other.supabase.auth.updateUser({ phone: moved }), 422, 'phone_exists')
  })

  test('a fixed code needs no message', async () => {
    const supabase = plaza.client()
    const before = twilio.asked.length
    assert.equal(succeed(await supabase.auth.signInWithOtp({ phone: testNumber })).messageId, 'test-otp')
    assert.equal(twilio.asked.length, before)
    succeed(await supabase.auth.verifyOtp({ phone: testNumber, token: '246810', type: 'sms' }))
  })

  test('a message that the provider refuses', async () => {
    refused(await plaza.client().auth.signInWithOtp({ phone: '37660000123' }), 422, 'sms_send_failed')
    refused(await plaza.client().auth.signUp({ phone: '+0 12', password }), 400, 'validation_failed')
    assert.doesNotMatch(plaza.log(), /hush/)
  })

  test('a nonce is sent to a signed-in user', async () => {
    const { supabase, phone } = await phoneMember()
    succeed(await supabase.auth.reauthenticate())
    assert.match(textTo(phone).code, /^\d{6}$/)
    refused(await plaza.client().auth.reauthenticate(), 400, undefined)
  })
})

describe('anonymous users', () => {
  test('sign in, and have no address to send a nonce to', async () => {
    const supabase = plaza.client()
    const { user, session } = succeed(await supabase.auth.signInAnonymously({ options: { data: { theme: 'dark' } } }))
    assert.equal(user.is_anonymous, true)
    assert.deepEqual(user.user_metadata, { theme: 'dark' })
    const claims = claimsOf(session.access_token)
    assert.deepEqual([claims.is_anonymous, claims.amr[0].method, claims.role], [true, 'anonymous', 'authenticated'])
    refused(await supabase.auth.reauthenticate(), 400, 'validation_failed')
    refused(await supabase.auth.updateUser({ password }), 422, 'validation_failed')
  })

  test('become permanent by an address', async () => {
    const supabase = plaza.client()
    const { user } = succeed(await supabase.auth.signInAnonymously())
    const email = newAddress()
    const waiting = succeed(await supabase.auth.updateUser({ email })).user
    assert.deepEqual([waiting.is_anonymous, waiting.new_email], [true, email])
    assert.match((await press((await plaza.letterTo(email)).link)).hash, /access_token=/)
    const after = succeed(await supabase.auth.refreshSession())
    assert.deepEqual([after.user.id, after.user.is_anonymous, after.user.email], [user.id, false, email])
    assert.equal(claimsOf(after.session.access_token).is_anonymous, false)
    assert.deepEqual(after.user.app_metadata.providers, ['email'])
  })

  test('become permanent by a number', async () => {
    const supabase = plaza.client()
    succeed(await supabase.auth.signInAnonymously())
    const phone = newNumber()
    succeed(await supabase.auth.updateUser({ phone }))
    const { user } = succeed(await supabase.auth.verifyOtp({ phone, token: textTo(phone).code, type: 'phone_change' }))
    assert.deepEqual([user.is_anonymous, user.phone], [false, phone])
  })
})
