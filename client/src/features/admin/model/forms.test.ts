import { describe, expect, it } from 'vitest'
import { categorySchema, isEmoji } from './category'
import { addedSchema, editedSchema, slugText, takenField } from './location'

type Schema = typeof categorySchema | typeof addedSchema | typeof editedSchema

function complaints(schema: Schema, typed: object): Record<string, string> {
  const issues = schema.safeParse(typed).error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]))
}

describe('ADMIN-CAT-03: a category', () => {
  it('needs a name of at most 50 characters', () => {
    expect(complaints(categorySchema, { name: ' ', icon: '' })).toEqual({
      name: 'Please enter a name',
    })
    expect(complaints(categorySchema, { name: 'a'.repeat(51), icon: '' })).toEqual({
      name: 'The name cannot exceed 50 characters',
    })
  })
  it('is stored without blanks around it', () => {
    expect(categorySchema.parse({ name: ' Cafés ', icon: ' ☕ ' })).toEqual({
      name: 'Cafés',
      icon: '☕',
    })
  })
  it.each(['☕', '✂', '✂️', '🇦🇩', '👩‍🍳', '1️⃣'])('takes %s as an icon', (icon) =>
    expect(isEmoji(icon)).toBe(true),
  )
  it.each(['x', '☕☕', '1', '<b>'])('does not take %s', (icon) =>
    expect(complaints(categorySchema, { name: 'a', icon })).toEqual({
      icon: 'Please enter one emoji, or nothing',
    }),
  )
})

describe('ADMIN-LOC-04, ADMIN-LOC-05, ADMIN-LOC-07: a location', () => {
  it('needs a name', () => {
    expect(complaints(addedSchema, { original: ' ', slug: 'a' })).toEqual({
      original: 'Please enter a name',
    })
  })
  it('may be added without a slug, if one can be made', () => {
    expect(complaints(addedSchema, { original: 'Màlaga', slug: ' ' })).toEqual({})
    expect(complaints(addedSchema, { original: '北京', slug: '' })).toEqual({
      slug: 'No slug can be made from this name. Please enter one',
    })
  })
  it('is not edited without a slug', () => {
    expect(complaints(editedSchema, { original: 'Màlaga', slug: ' ' })).toEqual({
      slug: 'Please enter a slug',
    })
  })
  it.each(['Madrid', 'má', 'a b', '-a', 'a-', 'a--b', 'a/b'])('has no slug like %s', (slug) =>
    expect(complaints(editedSchema, { original: 'a', slug })).toEqual({
      slug: 'Only lowercase letters and numbers, with single hyphens between them',
    }),
  )
  it('has a slug of at most 50 characters', () => {
    expect(complaints(editedSchema, { original: 'a', slug: 'a'.repeat(51) })).toEqual({
      slug: 'The slug cannot exceed 50 characters',
    })
  })
  it('ADMIN-LOC-02: shows the slug as /slug/', () => expect(slugText('madrid')).toBe('/madrid/'))
  it('knows which field is taken by the index that refused it', () => {
    const refused = (index: string) => `duplicate key violates unique constraint "${index}"`
    expect(takenField(refused('url_mappings_original_key'))).toBe('original')
    expect(takenField(refused('url_mappings_type_slug_key'))).toBe('slug')
  })
})
