import { readFile } from 'node:fs/promises'
import { service } from './accounts'
import { newListings, newWord } from './admins'
import { download } from './downloads'
import { expect, hold, once, test } from './fixtures'
import { figure, metrics, tab, today } from './metric-screens'
import { addPhotos, givePlan, type Shop, shopOf } from './owners'

test.describe('visits', () => {
  // Robots are not counted, and the test browser identifies itself as one.
  const firefox = (version: number) =>
    `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
  test.use({ userAgent: firefox(140) })

  /** The current figures of a business. */
  async function rowOf(shop: Shop, columns: string) {
    const { error: notMade } = await service().rpc('refresh_metrics')
    if (notMade) throw notMade
    const { data } = await service()
      .from('business_metrics')
      .select(columns)
      .eq('business_id', shop.id)
      .maybeSingle()
    return data
  }

  test('METRICS-18 METRICS-17 SUB-07: visitor actions at a promoted place are in the owner’s figures', once, async ({
    page,
    person,
    browser,
  }) => {
    await givePlan(person, 'premium')
    const word = newWord()
    const shop = await shopOf(person, `Perruqueria ${word}`)
    await addPhotos(shop, 1)
    const { error } = await service()
      .from('businesses')
      .update({
        phone: '+376 000 123',
        website: 'https://example.com',
        latitude: 42.5063,
        longitude: 1.5218,
        is_promoted: true,
      })
      .eq('id', shop.id)
    if (error) throw error
    await newListings(word, 2)

    // The owner's own visit, with all its events, is over before the visitor comes.
    await page.goto(`/business/${shop.id}`)
    await expect(page.getByRole('heading', { level: 1, name: shop.name })).toBeVisible()
    await page.getByRole('link', { name: '+376 000 123' }).dispatchEvent('click')
    await page.goto('about:blank')

    const context = await browser.newContext({
      userAgent: firefox(141),
      viewport: page.viewportSize(),
      baseURL: process.env.SUPABASE_URL,
    })
    await context.route(/example\.com|google|openstreetmap/, (route) => route.fulfill({ body: '' }))
    const visitor = await context.newPage()
    await visitor.goto(`/search?find_desc=${word}`)
    const cards = visitor.getByRole('article').filter({ hasText: word })
    await expect(cards).toHaveCount(3)
    // Only the client knows which promoted place was opened.
    await expect(visitor.locator('#first-view')).toHaveCount(0)
    await expect(cards.first()).toContainText(shop.name)
    await expect(cards.first()).toContainText('Promoted')
    await expect(cards.nth(1)).not.toContainText('Promoted')
    await cards.first().getByRole('link', { name: shop.name }).click()
    await expect(visitor.getByRole('heading', { level: 1, name: shop.name })).toBeVisible()
    await visitor.getByRole('link', { name: '+376 000 123' }).click()
    await visitor.getByRole('link', { name: 'example.com' }).click()
    await visitor.getByRole('link', { name: 'Directions' }).click()
    await visitor.bringToFront()
    await visitor.getByRole('region', { name: 'Photos' }).getByRole('button').first().click()
    await expect(visitor.getByRole('dialog')).toBeVisible()

    await expect
      .poll(() =>
        rowOf(
          shop,
          'metric_date, num_search_views, num_total_page_views, num_calls, url_clicks, num_directions_and_map_views, num_photo_views, total_leads',
        ),
      )
      .toEqual({
        metric_date: today(),
        num_search_views: 1,
        num_total_page_views: 1,
        num_calls: 1,
        url_clicks: 1,
        num_directions_and_map_views: 1,
        num_photo_views: 1,
        total_leads: 3,
      })
    await context.close()

    await page.goto(`${metrics}&view=engagement&days=7`)
    await expect(figure(page, 'Page views')).toContainText(/Page views\s*1/)
    await expect(figure(page, 'Search appearances')).toContainText(/appearances\s*1/)
    await expect(figure(page, 'Photo views')).toContainText(/Photo views\s*1/)
    await tab(page, 'Overview').click()
    await expect(figure(page, 'Calls')).toContainText(/Calls\s*1/)
    await expect(figure(page, 'Total leads')).toContainText(/leads\s*3/)
    await tab(page, 'Advertising').click()
    await expect(page.getByRole('switch', { name: 'Promote this business' })).toBeChecked()
    await expect(figure(page, 'Impressions')).toContainText(/Impressions\s*1/)
    await expect(figure(page, 'Click-through rate')).toContainText('100.00%')
    await expect(figure(page, 'Ad cost')).toContainText('$0.00')
    await expect(figure(page, 'Ad-driven leads')).toContainText(/leads\s*3/)
    const { path } = await download(page, 'Export', 'Summary, CSV')
    const lines = (await readFile(path, 'utf8')).split('\r\n')
    for (const line of [
      'Page views,count,1,0,100,up',
      'Total leads,count,3,0,100,up',
      'Search appearances,count,1,0,100,up',
      'Impressions,count,1,0,100,up',
      'Ad-driven calls,count,1,0,100,up',
    ]) {
      expect(lines).toContain(line)
    }
  })

  test('METRICS-17: a press before the client runs is counted when it does', once, async ({
    person,
    browser,
  }) => {
    const shop = await shopOf(person)
    const { error } = await service()
      .from('businesses')
      .update({ phone: '+376 000 124' })
      .eq('id', shop.id)
    if (error) throw error
    const context = await browser.newContext({
      userAgent: firefox(142),
      baseURL: process.env.SUPABASE_URL,
    })
    const visitor = await context.newPage()
    const letIn = await hold(visitor, '**/assets/*.js')
    await visitor.goto(`/business/${shop.id}`, { waitUntil: 'commit' })
    // Following it stops loading the page, whose script has not run.
    await visitor.locator('#first-view').getByRole('link', { name: '+376 000 124' }).click()
    letIn()
    await expect
      .poll(() => rowOf(shop, 'num_calls, num_total_page_views'))
      .toEqual({ num_calls: 1, num_total_page_views: 1 })
    await context.close()
  })
})
