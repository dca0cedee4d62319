import { service } from './accounts'
import { newUsers } from './admins'
import { expect, hold, once, test } from './fixtures'
import { shopOf } from './owners'

/** Creates a review for each rating, each by a different person. */
async function review(businessId: string, ratings: number[]) {
  const users = await newUsers('Client', ratings.length)
  const { error } = await service()
    .from('reviews')
    .insert(
      ratings.map((rating, index) => ({
        business_id: businessId,
        user_id: users[index],
        rating,
        comment: `A visit worth ${rating} stars.`,
      })),
    )
  if (error) throw error
}

test('METRICS-33 METRICS-34 METRICS-35 METRICS-36 METRICS-37 C-59: reviews by group, and a response that is kept', async ({
  page,
  person,
  checkAccessibility,
}) => {
  const shop = await shopOf(person)
  await review(shop.id, [5, 4, 2])
  await page.goto('/dashboard?tab=businesses&part=reviews')
  const groups = page.getByRole('tablist', { name: 'Which reviews' }).getByRole('tab')
  await expect(groups).toHaveText(['All3', 'Positive2', 'Neutral0', 'Needs Attention1'])
  const reviews = page.getByRole('article')
  await expect(reviews).toHaveCount(3)
  await checkAccessibility()
  await groups.nth(2).click()
  await expect(page.getByText('No reviews in this category')).toBeVisible()
  await groups.nth(3).click()
  await expect(page).toHaveURL(/reviews=negative/)
  await expect(reviews).toHaveCount(1)
  await expect(reviews).toContainText('A visit worth 2 stars.')

  const send = reviews.getByRole('button', { name: 'Send' })
  const box = reviews.getByRole('textbox', { name: /^Respond to/ })
  await expect(send).toBeDisabled()
  await box.fill('   ')
  await expect(send).toBeDisabled()
  await box.fill('  We are sorry, and make it good.  ')
  const release = await hold(page, '**/rest/v1/review_responses*')
  await send.click()
  await expect(reviews.getByRole('button', { name: 'Sending...' })).toBeDisabled()
  release()
  await expect(reviews.getByText('Your response')).toBeVisible()
  await expect(box).toHaveCount(0)
  await checkAccessibility()
  await page.reload()
  await expect(reviews).toContainText('We are sorry, and make it good.')
  await page.goto(`/business/${shop.id}`)
  await expect(page.getByText('We are sorry, and make it good.')).toBeVisible()
})

test('METRICS-37: a response that was sent elsewhere first is not sent twice', once, async ({
  page,
  person,
}) => {
  const shop = await shopOf(person)
  await review(shop.id, [3])
  await page.goto('/dashboard?tab=businesses&part=reviews')
  const box = page.getByRole('textbox', { name: /^Respond to/ })
  await box.fill('Thank you.')
  const { data } = await service().from('reviews').select('id').eq('business_id', shop.id).single()
  await service().from('review_responses').insert({ review_id: data?.id, content: 'Earlier' })
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('This review has a response already.')).toBeVisible()
  await expect(box).toHaveValue('Thank you.')
})
