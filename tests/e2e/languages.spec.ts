import { followLink, mailedLink, newEmail, newPassword, service } from './accounts'
import { bookableShopOf } from './bookable-shops'
import { expect, newPerson, once, test, whole } from './fixtures'

// Public pages and mails in Spanish, Catalan and English (issue 19).

/** The links to the page in other languages. */
const switchName = /^(Language|Idioma)$/

test('the footer leads to the same page in another language, and its links stay in it', async ({ page, checkAccessibility }) => {
  await page.goto('/c/barcelona')
  const languages = page.getByRole('navigation', { name: switchName })
  await expect(languages.getByRole('link', { name: 'English' })).toHaveAttribute('aria-current', 'true')
  await languages.getByRole('link', { name: 'Català' }).click()
  await expect(page).toHaveURL('/ca/c/barcelona')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Negocis a Barcelona')
  await expect(page).toHaveTitle('Negocis a Barcelona · Plaza')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ca')
  await checkAccessibility()

  await page.getByRole('heading', { name: 'Categories', level: 2 }).first().scrollIntoViewIfNeeded()
  await page.getByRole('main').getByRole('link', { name: /^Bellesa i spas/ }).click()
  await expect(page).toHaveURL('/ca/c/barcelona/beautysvc')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bellesa i spas a Barcelona')
  await page.getByRole('article').first().getByRole('link').first().click()
  await expect(page).toHaveURL(/\/ca\/business\//)
  await expect(page.getByRole('heading', { name: 'Serveis', exact: true })).toBeVisible()
  await checkAccessibility()
  await page.goBack()
  await expect(page).toHaveURL('/ca/c/barcelona/beautysvc')
})

test('home is Spanish, and English for those who chose it', async ({ page, checkAccessibility }) => {
  await page.goto('/')
  const headline = page.getByRole('heading', { level: 1 })
  await expect(headline).toHaveText('Descubre los mejores servicios cerca de ti')
  const languages = page.getByRole('navigation', { name: switchName })
  await expect(languages.getByRole('link', { name: 'Español' })).toHaveAttribute('aria-current', 'true')
  await languages.getByRole('link', { name: 'English' }).click()
  await expect(page).toHaveURL('/en')
  await expect(headline).toHaveText('Find the best services near you')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await checkAccessibility()
  // Also from pages that have no language in their path.
  await page.getByRole('contentinfo').getByRole('link', { name: 'About Plaza' }).click()
  await expect(page).toHaveURL('/about')
  await page.getByRole('link', { name: 'Plaza, home' }).click()
  await expect(page).toHaveURL('/en')
  await languages.getByRole('link', { name: 'Español' }).click()
  await expect(page).toHaveURL('/es')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Acerca de Plaza' }).click()
  await expect(page.getByRole('heading', { name: 'Por qué una plaza' })).toBeVisible()
  await page.getByRole('link', { name: 'Plaza, inicio' }).click()
  await expect(page).toHaveURL('/es')
})

test('numbers, times and what is missing are in the language, too', once, async ({ page, request }) => {
  await page.goto('/es/search?find_loc=Barcelona')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Negocios en Barcelona')
  await expect(page.getByText(/^\d+ de [\d.]+ resultados \(página 1 de \d+\)$/)).toBeVisible()
  await expect(page.getByText(/^Valoración: \d,\d de 5/).first()).toBeAttached()
  await expect(page.getByRole('combobox', { name: 'Categoría' }).locator('option').first()).toHaveText('Todas las categorías')

  const gone = await request.get('/ca/no-such-page')
  expect(gone.status()).toBe(404)
  await page.goto('/ca/no-such-page')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vaja! No trobem la pàgina')
  const moved = await request.get('/ca/c/sevilla', { maxRedirects: 0 })
  expect([moved.status(), moved.headers().location]).toEqual([301, '/ca/c/seville'])
})

test('stored texts of Plaza are in the language, too; those of owners stay as they are', once, async ({ page, request }) => {
  const shop = await bookableShopOf(await newPerson())
  expect(await whole(request, `/es/business/${shop.id}`)).toContain('<span>Peluquerías</span>')
  await page.goto(`/es/business/${shop.id}`)
  const main = page.getByRole('main')
  await expect(main.getByText('Peluquerías', { exact: true }).first()).toBeVisible()
  await expect(main.getByText('Haircut', { exact: true })).toBeVisible()
  await expect(main.getByText('Hair Salons')).toHaveCount(0)
  await page.goto('/es/unsubscribe')
  await expect(page.getByRole('alert')).toContainText('Este enlace no está completo')
  await page.goto('/es/plans')
  await expect(page.getByRole('article', { name: 'Free' })).toContainText('Una ficha con todo lo que un cliente necesita')
  await expect(page.getByRole('article', { name: 'Pro' }).getByRole('link')).toHaveText('Entrar y elegir')
})

test('each page names itself in all languages, and each of them names the others', once, async ({ request, baseURL }) => {
  const shop = await bookableShopOf(await newPerson())
  const alternatesOf = async (address: string) => {
    const html = await whole(request, address)
    const canonical = html.match(/<link rel="canonical" href="([^"]*)"/)?.[1]
    const all = [...html.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g)].map(([, language, href]) => [language, href])
    return { canonical, all: Object.fromEntries(all) as Record<string, string>, html }
  }
  for (const path of ['/', '/about', '/search', '/search/barcelona', '/c/barcelona', '/c/barcelona/beautysvc', `/business/${shop.id}`]) {
    const { canonical, all } = await alternatesOf(path)
    expect(Object.keys(all).toSorted(), path).toEqual(['ca', 'en', 'es', 'x-default'])
    expect(all['x-default'], path).toBe(canonical)
    for (const language of ['es', 'ca', 'en']) {
      const address = all[language] ?? ''
      const other = await alternatesOf(address)
      expect(other.canonical, address).toBe(address)
      expect(other.all, address).toEqual(all)
      expect(other.html, address).toContain(`<html lang="${language}"`)
    }
  }
  expect((await alternatesOf('/ca')).all.es).toBe(`${baseURL}/`)
})

test('who signs up in Catalan is led back to Catalan pages, with mails in Catalan', once, async ({ page }) => {
  await page.goto('/ca/auth?mode=register')
  const email = newEmail('catalan')
  await page.getByLabel('Nom complet').fill('Ona Vidal')
  await page.getByLabel('Correu electrònic').fill(email)
  await page.getByLabel('Contrasenya', { exact: true }).fill(newPassword)
  await page.getByLabel('Repeteix la contrasenya').fill(newPassword)
  await page.getByRole('button', { name: 'Crea el compte' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mira el teu correu')
  const link = await mailedLink(email, 'confirmation')
  expect(link).not.toBe('')
  const mails: { subject: string }[] = await (await page.request.get(`/inbox/messages?to=${encodeURIComponent(email)}`)).json()
  expect(mails[0]?.subject).toBe('Confirma el teu correu')
  await followLink(page, email, 'confirmation')
  await expect(page.getByText('Hola!')).toBeVisible()
  await expect(page).toHaveURL(/\/ca(\/|$|\?)/)
  await expect(page.getByRole('link', { name: 'Missatges' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Notificacions' })).toBeVisible()
  await page.goto('/ca/dashboard')
  await expect(page).toHaveURL('/ca/dashboard')
})

test('a page that needs an account sends to sign-in and back in its language', once, async ({ page }) => {
  await page.goto('/es/bookings')
  await expect(page).toHaveURL('/es/auth')
  await expect(page.getByRole('button', { name: 'Iniciar sesión', exact: true })).toBeVisible()
})

test('the language of mails is chosen in the settings', once, async ({ page, person }) => {
  await page.goto('/profile?tab=notifications')
  const choice = page.getByLabel('Language of mails')
  await expect(choice).toHaveValue('en')
  await choice.selectOption('Català')
  await expect.poll(async () => (await service().auth.admin.getUserById(person.id)).data.user?.user_metadata.language).toBe('ca')
  // The server has it before the page has its answer.
  await expect.poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('plaza.auth') ?? '{}').user?.user_metadata.language)).toBe('ca')
  await page.reload()
  await expect(choice).toHaveValue('ca')
})
