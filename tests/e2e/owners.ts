import type { Page } from '@playwright/test'
import { service } from './accounts'
import { expect, type Person } from './fixtures'

export type Shop = { id: string; name: string; owner: string }

/** Gives a person the seller role. */
export async function makeSeller({ id }: { id: string }): Promise<void> {
  const { error } = await service().from('profiles').update({ role: 'owner' }).eq('id', id)
  if (error) throw error
}

/** A business of a person, who becomes a seller. */
export async function shopOf(person: { id: string }, name = 'Perruqueria Nou Estil'): Promise<Shop> {
  await makeSeller(person)
  const { data, error } = await service()
    .from('businesses')
    .insert({
      owner_id: person.id,
      name,
      type: 'Hair Salons',
      location: 'Andorra la Vella, Andorra',
      is_claimed: true,
    })
    .select('id')
    .single()
  if (error) throw error
  return { id: data.id, name, owner: person.id }
}

/** Gives a person a plan, as if it had been paid for. */
export async function givePlan({ id }: { id: string }, tier: string): Promise<void> {
  const { data, error } = await service()
    .from('subscription_plans')
    .select('id')
    .eq('tier', tier)
    .single()
  if (error) throw error
  const { error: refused } = await service()
    .from('user_subscriptions')
    .upsert({ user_id: id, plan_id: data.id, subscribed: true }, { onConflict: 'user_id' })
  if (refused) throw refused
}

/** Ends a person's plan. */
export async function endPlan({ id }: { id: string }): Promise<void> {
  const { error } = await service()
    .from('user_subscriptions')
    .update({ subscribed: false })
    .eq('user_id', id)
  if (error) throw error
}

/** Photos of a business with external URLs and captions 'Photo 1' and so on. */
export async function addPhotos({ id }: Shop, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    business_id: id,
    photo_url: `https://example.com/${index + 1}.png`,
    caption: `Photo ${index + 1}`,
    display_order: index,
  }))
  const { error } = await service().from('business_photos').insert(rows)
  if (error) throw error
}

/** The stored captions of a business's photos, in order. */
export async function storedCaptions({ id }: Shop): Promise<(string | null)[]> {
  const { data, error } = await service()
    .from('business_photos')
    .select('caption')
    .eq('business_id', id)
    .order('display_order')
  if (error) throw error
  return data.map(({ caption }) => caption)
}

/** The stored files of a business, by name within its folder. */
export async function storedFiles({ id, owner }: Shop): Promise<string[]> {
  const { data, error } = await service().storage.from('business-photos').list(`${owner}/${id}`)
  if (error) throw error
  return data.map(({ name }) => name)
}

/** The cover of a business; null if it has none. */
export async function storedCover({ id }: Shop): Promise<string | null> {
  const { data, error } = await service()
    .from('businesses')
    .select('image_url')
    .eq('id', id)
    .single()
  if (error) throw error
  return data.image_url
}

/** Presses a button that opens the payment provider's page, and returns that page. */
export async function provider(page: Page, button: string): Promise<Page> {
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('button', { name: button }).click(),
  ])
  await expect(opened.getByText('These are test payments')).toBeVisible()
  return opened
}
