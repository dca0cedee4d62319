// Reads the development inbox.

import { eventually } from './eventually.mjs'

/** The inbox of the server at a URL. */
export function inboxAt(url) {
  /**
   * All mails to an address, newest first, once there are at least `atLeast`: they arrive shortly
   * after the response.
   */
  async function mailsTo(address, atLeast = 1) {
    return eventually(`${atLeast} mails to ${address}`, async () => {
      const mails = await (await fetch(`${url}/inbox/messages?to=${encodeURIComponent(address)}`)).json()
      return mails.length >= atLeast && mails
    })
  }

  /** Code and link of the newest mail to an address. */
  async function letterTo(address, atLeast = 1) {
    const [mail] = await mailsTo(address, atLeast)
    return { code: /\b(\d{6})\b/.exec(mail.text)[1], link: new URL(/https?:\/\/\S+/.exec(mail.text)?.[0] ?? url) }
  }

  return { mailsTo, letterTo }
}

export const { mailsTo, letterTo } = inboxAt(process.env.SUPABASE_URL)
