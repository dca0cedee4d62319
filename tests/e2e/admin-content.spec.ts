import { service, tabTo } from './accounts'
import { find, setAdmin, newListings, newWord, rowsOf } from './admins'
import { expect, once, test } from './fixtures'
import { toast } from './photo-page'

test('ADMIN-BIZ-01 ADMIN-BIZ-02 ADMIN-BIZ-03 ADMIN-BIZ-04 RULE-28 ERR-59: businesses are found, viewed, edited and deleted', async ({
  page,
  person,
  checkAccessibility,
}) => {
  await setAdmin(person)
  const word = newWord()
  const listings = await newListings(word, 21)
  const [first, second] = listings
  if (!first || !second) throw new Error('no listings')
  await service().from('services').insert({
    business_id: first.id,
    name: 'Haircut',
    price: 20,
    duration: 30,
  })
  await page.goto('/admin')
  await find(page, first.display_id.toLowerCase(), 1)
  await expect(rowsOf(page)).toContainText([first.name])
  await find(page, '', 20)
  await page.getByLabel('Type', { exact: true }).selectOption(`Type ${word}`)
  await expect(page.getByText('1 to 20 of 21')).toBeVisible()
  await page.getByRole('link', { name: 'Page 2', exact: true }).click()
  await expect(rowsOf(page)).toHaveCount(1)
  // A search starts at the first page again, within the type.
  await find(page, `${word} 01`, 1)
  await expect(page).toHaveURL(
    (url) => url.searchParams.get('type') === `Type ${word}` && !url.searchParams.has('page'),
  )
  const row = rowsOf(page)
  await expect(row.getByRole('link', { name: 'View' })).toHaveAttribute(
    'href',
    `/business/${first.id}`,
  )
  await row.getByRole('link', { name: 'Edit' }).click()
  await expect(page).toHaveURL(`/business/edit/${first.id}`)
  await page.goBack()

  const dialog = page.getByRole('dialog')
  await row.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByRole('heading', { name: `Delete ${first.name}?` })).toBeVisible()
  await expect(dialog).toContainText('Services: 1')
  await expect(dialog).toContainText('This action cannot be undone.')
  await checkAccessibility()
  await page.keyboard.press('Escape')
  await expect(row).toHaveCount(1)
  await row.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete business' }).click()
  await expect(toast(page)).toContainText('Business deleted')
  await expect(page.getByText('No businesses found matching your criteria')).toBeVisible()
  await page.goto(`/admin?q=${word}&page=2`)
  // Twenty are left, so there is no second page any more.
  await expect(page).toHaveURL(`/admin?q=${word}`)
  await expect(rowsOf(page)).toHaveCount(20)

  // Another admin is faster.
  await find(page, second.name, 1)
  await row.getByRole('button', { name: 'Delete' }).click()
  await service().from('businesses').delete().eq('id', second.id)
  await dialog.getByRole('button', { name: 'Delete business' }).click()
  await expect(toast(page)).toContainText(`Somebody else had deleted ${second.name} already.`)
})

test('ADMIN-BIZ-05 ERR-55 ERR-56 S-51: lists that cannot be loaded say so, and no more than is safe', once, async ({
  page,
  person,
}) => {
  await setAdmin(person)
  const answer = { status: 400, json: { code: 'XX000', message: 'secret of the server' } }
  await page.route('**/rpc/admin_*', (route) => route.fulfill(answer))
  await page.goto('/admin')
  const alert = page.getByRole('alert').filter({ has: page.getByRole('button') })
  await expect(alert).toContainText('Failed to load businesses: Some of the information')
  await page.getByRole('search').getByRole('textbox').fill('bar')
  await expect(alert.getByText('Failed to load businesses', { exact: true })).toBeVisible()
  await expect(rowsOf(page)).toHaveCount(0)
  for (const name of ['Users', 'Categories', 'Locations']) {
    await page.getByRole('tab', { name, exact: true }).click()
    await expect(alert).toContainText(`Failed to load ${name.toLowerCase()}`)
    await expect(rowsOf(page)).toHaveCount(0)
  }
  await expect(page.getByText('secret of the server')).toHaveCount(0)
  await page.unroute('**/rpc/admin_*')
  await alert.getByRole('button', { name: 'Try Again' }).click()
  await expect(rowsOf(page).first()).toBeVisible()
})

test('ADMIN-CAT-01 ADMIN-CAT-02 ADMIN-CAT-03 ADMIN-CAT-04 ADMIN-CAT-05 RULE-28 ERR-46 ERR-60: categories are added, edited and deleted', async ({
  page,
  person,
  checkAccessibility,
}, info) => {
  await setAdmin(person)
  const word = newWord()
  const store = service().from('categories')
  await page.goto('/admin?tab=categories')
  await find(page, word, 0)
  await expect(page.getByText('No categories found matching your criteria')).toBeVisible()

  // Added by keyboard alone.
  const dialog = page.getByRole('dialog')
  await tabTo(page, page.getByRole('button', { name: 'Add category' }))
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Please enter a name')
  await page.keyboard.type('  food ')
  await page.keyboard.press('Tab')
  await page.keyboard.type('no emoji')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Please enter one emoji, or nothing')
  await checkAccessibility()
  await dialog.getByLabel('Icon').fill('✂')
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('There is a category of this name already')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill(word)
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Category added')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText(['✂'])
  if (info.project.name === 'desktop') {
    await expect(page.getByRole('columnheader')).toHaveText([
      'Name',
      'Icon',
      'Created date',
      'Actions',
    ])
  }

  // Two admins edit it at once: the second sees the first one's change before overwriting it.
  const row = rowsOf(page)
  await row.getByRole('button', { name: 'Edit' }).click()
  await expect(dialog.getByLabel('Icon')).toHaveValue('✂')
  await store.update({ icon: '🍋' }).eq('name', word)
  await dialog.getByLabel('Name').fill(`${word} two`)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog.getByRole('status').last()).toContainText(
    `Error updating categorySomebody else changed it meanwhile. It is now 🍋 ${word}.`,
  )
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(toast(page)).toContainText('Category updated')
  await expect(row).toContainText([`${word} two`])

  // A category in use is deleted after its businesses were moved.
  const { data: category } = await store.select('id').eq('name', `${word} two`).single()
  const { data: other } = await store
    .insert({ name: `${word} other` })
    .select('id')
    .single()
  const [listing] = await newListings(word, 1)
  const places = service().from('business_categories')
  await places.insert({ business_id: listing?.id, category_id: category?.id })
  await row.first().getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toContainText('Businesses in it: 1. Choose the category they go to')
  await expect(dialog).toContainText('This action cannot be undone.')
  await dialog.getByRole('button', { name: 'Move and delete' }).click()
  await expect(dialog.getByLabel('Move them to')).toHaveAttribute('aria-invalid', 'true')
  await checkAccessibility()
  await dialog.getByLabel('Move them to').selectOption(`${word} other`)
  await dialog.getByRole('button', { name: 'Move and delete' }).click()
  await expect(toast(page)).toContainText(
    `Category deletedBusinesses that are in ${word} other now: 1`,
  )
  await expect(row).toHaveCount(1)
  const { data: left } = await places.select('category_id').eq('business_id', listing?.id)
  expect(left).toEqual([{ category_id: other?.id }])

  // Deleted by another admin while it is edited.
  await places.delete().eq('business_id', listing?.id)
  await row.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Name').fill(`${word} three`)
  await store.delete().eq('id', other?.id)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Somebody else deleted this category')
})

test('ADMIN-LOC-01 ADMIN-LOC-02 ADMIN-LOC-03 ADMIN-LOC-04 ADMIN-LOC-05 ADMIN-LOC-06 ADMIN-LOC-07 ADMIN-LOC-08 ADMIN-LOC-09 C-54 RULE-28 ERR-47 ERR-60: locations and their slugs', async ({
  page,
  person,
  checkAccessibility,
}, info) => {
  await setAdmin(person)
  const word = newWord()
  const name = `Màlaga ${word}`
  const store = service().from('url_mappings')
  await page.goto('/admin?tab=locations')
  // Ordered by name; mappings of categories are not in this list.
  await expect(rowsOf(page).first()).toContainText('Andorra')
  await find(page, 'real estate', 0)
  await expect(page.getByText('No locations found matching your criteria')).toBeVisible()

  const dialog = page.getByRole('dialog')
  const nameField = dialog.getByLabel('Name')
  const slugField = dialog.getByLabel('URL slug')
  const add = dialog.getByRole('button', { name: 'Add location' })
  await page.getByRole('button', { name: 'Add location' }).click()
  await expect(dialog).toContainText('Only lowercase letters, numbers and hyphens')
  await add.click()
  await expect(dialog).toContainText('Please enter a name')
  // Leaving the name field generates the slug, with plain letters for accented ones.
  await nameField.fill(name)
  await page.keyboard.press('Tab')
  await expect(slugField).toHaveValue(`malaga-${word}`)
  await slugField.fill('Mála ga')
  await add.click()
  await expect(dialog).toContainText('with single hyphens between them')
  await checkAccessibility()
  await slugField.fill('madrid')
  await add.click()
  await expect(dialog).toContainText('Another location has this slug already')
  await slugField.fill('')
  await page.keyboard.press('Enter')
  await expect(toast(page)).toContainText('Location added')
  await find(page, `malaga ${word}`, 1)
  const row = rowsOf(page)
  await expect(row).toContainText([name])
  await expect(row).toContainText([`/malaga-${word}/`])
  if (info.project.name === 'desktop') {
    const headers = page.getByRole('columnheader')
    await expect(headers).toHaveText(['Name', 'URL Slug', 'Created', 'Actions'])
  }

  await row.getByRole('button', { name: 'Edit' }).click()
  await slugField.fill('')
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog).toContainText('Please enter a slug')
  await nameField.fill('MADRID')
  await page.keyboard.press('Tab')
  await slugField.fill(`costa-${word}`)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(dialog).toContainText('There is a location of this name already')
  await nameField.fill(name)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(toast(page)).toContainText('Location updated')
  await expect(row).toContainText([`/costa-${word}/`])

  await row.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog).toContainText(`Its name no longer leads to /costa-${word}/.`)
  await expect(dialog).toContainText('This action cannot be undone.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await store.select('id').eq('slug', `costa-${word}`)).data).toHaveLength(1)
  await row.getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete location' }).click()
  await expect(toast(page)).toContainText('Location deleted')
  expect((await store.select('id').eq('slug', `costa-${word}`)).data).toHaveLength(0)
})
