// Rows with the rows that they refer to.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cases, client } from './kit.mjs'

const ids = (...list) => list.map((id) => ({ id }))

describe('kinds of relationships', () => {
  cases([
    ['many-to-one', '/loans?select=id,members(name)&id=eq.1', {}, [{ id: 1, members: { name: 'Ana' } }]],
    ['many-to-one without a row', '/books?select=id,publishers(name)&id=eq.5', {}, [{ id: 5, publishers: null }]],
    ['one-to-many', '/members?select=name,loans(id)&loans.order=id&order=id', {},
      [{ name: 'Ana', loans: ids(1, 2) }, { name: 'Ben', loans: ids(3) }, { name: 'Cruz', loans: [] }]],
    ['one-to-one', '/books?select=id,covers(file)&id=in.(1,2)&order=id', {}, [{ id: 1, covers: { file: 'diamant.png' } }, { id: 2, covers: null }]],
    ['one-to-one, from the other side', '/covers?select=file,books(title)&book_id=eq.3', {}, [{ file: 'mensagem.png', books: { title: 'Mensagem' } }]],
    ['many-to-many through a junction', '/books?select=id,subjects(name)&subjects.order=name&id=eq.1', {}, [{ id: 1, subjects: [{ name: 'Barcelona' }, { name: 'War' }] }]],
    ['the junction itself', '/subjects?select=name,book_subjects(book_id)&id=eq.3', {}, [{ name: 'Sea', book_subjects: [{ book_id: 3 }] }]],
    ['several levels', '/members?select=name,loans(id,books(title,covers(width)))&id=eq.2', {},
      [{ name: 'Ben', loans: [{ id: 3, books: { title: 'La plaça del Diamant', covers: { width: 600 } } }] }]],
    ['the same table twice, renamed', '/publishers?select=name,novels:books(id),poems:books(id)&novels.genre=eq.novel&poems.genre=eq.poetry&novels.order=id&order=id&limit=2', {},
      [{ name: 'Club Editor', novels: ids(1, 2), poems: [] }, { name: 'Ática', novels: [], poems: ids(3) }]],
    ['a table to itself: children by the column', '/places?select=name,children:places!parent_id(name)&id=eq.1&children.order=id', {},
      [{ name: 'Library', children: [{ name: 'First floor' }, { name: 'Cellar' }] }]],
    ['a table to itself: the parent by the column', '/places?select=name,parent:parent_id(name)&id=eq.3', {}, [{ name: 'Reading room', parent: { name: 'First floor' } }]],
    ['keys in the order asked for', '/loans?select=id,members(name,id)&id=eq.1', {}, { text: '[{"id":1,"members":{"name":"Ana","id":1}}]' }],
    ['nothing but the embed', '/loans?select=books(id)&id=eq.2', {}, [{ books: { id: 3 } }]],
    ['an embed without columns', '/loans?select=id,books()&id=eq.2', {}, ids(2)],
  ])
})

describe('computed relationships', () => {
  cases([
    ['to one', '/authors?select=name,oldest_book(title)&id=eq.3', {}, [{ name: 'Ursula K. Le Guin', oldest_book: { title: 'Los desposeídos' } }]],
    ['to many', '/authors?select=name,compatriots(name)&id=eq.1', {}, [{ name: 'Mercè Rodoreda', compatriots: [] }]],
    ['filtered and inner', '/authors?select=id,oldest_book!inner(id)&oldest_book.genre=eq.poetry', {}, [{ id: 2, oldest_book: { id: 3 } }]],
  ])
})

describe('views', () => {
  cases([
    ['a view has the keys of its table', '/available_books?select=id,publishers(name)&id=eq.2', {}, [{ id: 2, publishers: { name: 'Club Editor' } }]],
    ['from the table to the view', '/publishers?select=name,available_books(id)&id=eq.1', {}, [{ name: 'Club Editor', available_books: [{ id: 2 }] }]],
    ['through a junction', '/available_books?select=id,subjects(name)&id=eq.2', {}, [{ id: 2, subjects: [{ name: 'Barcelona' }] }]],
    ['renamed columns', '/book_cards?select=title,loans(id)&book=eq.3', {}, [{ title: 'Mensagem', loans: [{ id: 2 }] }]],
  ])
})

describe('which relationship is meant', () => {
  const ambiguous = {
    code: 'PGRST201', message: "Could not embed because more than one relationship was found for 'books' and 'authors'",
    hint: "Try changing 'authors' to one of the following: 'authors!books_author_id_fkey', 'authors!books_translator_id_fkey'. Find the desired relationship in the 'details' key.",
    details: [
      { cardinality: 'many-to-one', embedding: 'books with authors', relationship: 'books_author_id_fkey using books(author_id) and authors(id)' },
      { cardinality: 'many-to-one', embedding: 'books with authors', relationship: 'books_translator_id_fkey using books(translator_id) and authors(id)' },
    ],
  }
  cases([
    ['two foreign keys are ambiguous', '/books?select=id,authors(name)', {}, { status: 300, error: ambiguous }],
    ['by the constraint', '/books?select=id,authors!books_translator_id_fkey(name)&id=eq.4', {}, [{ id: 4, authors: { name: 'Matilde Horne' } }]],
    ['by the column', '/books?select=id,authors!author_id(name)&id=eq.4', {}, [{ id: 4, authors: { name: 'Ursula K. Le Guin' } }]],
    ['the column alone', '/books?select=id,translator:translator_id(name)&id=eq.4', {}, [{ id: 4, translator: { name: 'Matilde Horne' } }]],
    ['both, renamed', '/books?select=author:authors!author_id(name),translator:authors!translator_id(name)&id=eq.1', {}, [{ author: { name: 'Mercè Rodoreda' }, translator: null }]],
    ['by the constraint, to many', '/authors?select=id,books!books_translator_id_fkey(id)&id=eq.4', {}, [{ id: 4, books: ids(4) }]],
    ['by the junction', '/books?select=id,subjects!book_subjects(name)&id=eq.4', {}, [{ id: 4, subjects: [{ name: 'Anarchism' }] }]],
    ['no relationship', '/members?select=id,covers(file)', {},
      { status: 400, error: { code: 'PGRST200', message: "Could not find a relationship between 'members' and 'covers' in the schema cache",
        details: "Searched for a foreign key relationship between 'members' and 'covers' in the schema 'public', but no matches were found." } }],
    ['a hint that fits nothing', '/books?select=id,authors!nope(name)', {},
      { status: 400, error: { code: 'PGRST200', details: "Searched for a foreign key relationship between 'books' and 'authors' using the hint 'nope' in the schema 'public', but no matches were found." } }],
    ['a name nearly right', '/members?select=id,loan(id)', {}, { status: 400, error: { code: 'PGRST200', hint: "Perhaps you meant 'loans' instead of 'loan'." } }],
  ])
})

describe('filters, order and pages of embeds', () => {
  cases([
    ['filter, order, limit and offset', '/publishers?select=id,books(id)&books.pages=gt.90&books.order=pages.desc&books.limit=1&books.offset=1&id=eq.1', {}, [{ id: 1, books: ids(1) }]],
    ['a tree of conditions', '/publishers?select=id,books(id)&books.or=(genre.eq.poetry,pages.gt.400)&id=eq.1', {}, [{ id: 1, books: ids(2) }]],
    ['a filter leaves the parents', '/publishers?select=id,books(id)&books.genre=eq.poetry&order=id', {}, [{ id: 1, books: [] }, { id: 2, books: ids(3) }, { id: 3, books: [] }]],
    ['!inner filters the parents', '/publishers?select=id,books!inner(id)&books.genre=eq.poetry', {}, [{ id: 2, books: ids(3) }]],
    ['!inner over two levels', '/members?select=id,loans!inner(books!inner(id))&loans.books.genre=eq.poetry', {}, [{ id: 1, loans: [{ books: { id: 3 } }] }]],
    ['!left is the default', '/publishers?select=id,books!left(id)&books.genre=eq.comics&id=eq.1', {}, [{ id: 1, books: [] }]],
    ['a hint and !inner', '/books?select=id,authors!translator_id!inner(name)', {}, [{ id: 4, authors: { name: 'Matilde Horne' } }]],
    ['an empty inner embed only filters', '/books?select=id,subjects!inner()&subjects.name=eq.Sea', {}, ids(3)],
    ['embeds that are null', '/books?select=id,covers()&covers=is.null&order=id', {}, ids(2, 4, 5, 6)],
    ['embeds that are not null', '/books?select=id,covers()&covers=not.is.null&order=id', {}, ids(1, 3)],
    ['null embeds in a tree', '/books?select=id,covers(),loans()&or=(covers.is.null,loans.is.null)&order=id', {}, ids(2, 4, 5, 6)],
    ['null embeds by the name they are given', '/books?select=id,c:covers()&c=not.is.null&order=id', {}, ids(1, 3)],
    ['filters by the name they are given', '/publishers?select=id,list:books!inner(id)&list.genre=eq.poetry', {}, [{ id: 2, list: ids(3) }]],
    ['filters by the table of an embed with another name, deprecated', '/publishers?select=id,list:books!inner(id)&books.genre=eq.poetry', {},
      { json: [{ id: 2, list: ids(3) }], headers: { Warning: '299 PostgRESTv16.1 "Embedded resource was referenced by relation name even though it has an alias. This is deprecated and will stop working in a future release. Update `books` to `list` in query string filters, orders or limits."' } }],
    ['order by a column of a to-one embed', '/loans?select=id,members(name)&order=members(name).desc,id', {},
      [{ id: 3, members: { name: 'Ben' } }, { id: 1, members: { name: 'Ana' } }, { id: 2, members: { name: 'Ana' } }]],
    ['order by a to-many embed', '/members?select=id,loans(id)&order=loans(id)', {},
      { status: 400, error: { code: 'PGRST118', message: "A related order on 'loans' is not possible", details: "'members' and 'loans' do not form a many-to-one or one-to-one relationship" } }],
    ['order within an embed by its own embed', '/publishers?select=id,books(id,author:authors!author_id(name))&books.order=author(name),id&id=eq.1', {},
      [{ id: 1, books: [{ id: 1, author: { name: 'Mercè Rodoreda' } }, { id: 2, author: { name: 'Mercè Rodoreda' } }] }]],
    ['a filter on what is not embedded', '/books?select=id&covers.width=gt.1', {},
      { status: 400, error: { code: 'PGRST108', message: "'covers' is not an embedded resource in this request", hint: "Verify that 'covers' is included in the 'select' query parameter." } }],
    ['an embed compared', '/books?select=id,covers(file)&covers=eq.1', {},
      { status: 400, error: { code: 'PGRST120', message: "Bad operator on the 'covers' embedded resource", details: 'Only is null or not is null filters are allowed on embedded resources' } }],
  ])
})

describe('spread', () => {
  cases([
    ['to one', '/loans?select=id,...members(borrower:name)&id=eq.1', {}, [{ id: 1, borrower: 'Ana' }]],
    ['to one without a row', '/books?select=id,...publishers(publisher:name)&id=eq.5', {}, [{ id: 5, publisher: null }]],
    ['over two levels', '/loans?select=id,...books(title,...publishers(publisher:name))&id=eq.2', {}, [{ id: 2, title: 'Mensagem', publisher: 'Ática' }]],
    ['to many', '/members?select=name,...loans(loan_ids:id,lent:lent_on)&loans.order=id&order=id&limit=2', {},
      [{ name: 'Ana', loan_ids: [1, 2], lent: ['2025-01-10', '2025-03-01'] }, { name: 'Ben', loan_ids: [3], lent: ['2025-05-05'] }]],
    ['to many through a junction', '/books?select=id,...subjects(names:name)&subjects.order=name&id=eq.1', {}, [{ id: 1, names: ['Barcelona', 'War'] }]],
    ['to many without rows', '/members?select=name,...loans(loan_ids:id)&id=eq.3', {}, [{ name: 'Cruz', loan_ids: [] }]],
  ])
})

describe('after writing and on functions', () => {
  const row = { prefer: 'return=representation' }
  cases([
    ['insert', 'POST /loans?select=book_id,books(title),members(name)', { ...row, body: { book_id: 4, member_id: 2 } },
      { status: 201, json: [{ book_id: 4, books: { title: 'Los desposeídos' }, members: { name: 'Ben' } }] }],
    ['update', 'PATCH /loans?id=eq.2&select=id,books(title)', { ...row, body: { renewals: 3 } }, [{ id: 2, books: { title: 'Mensagem' } }]],
    ['delete', 'DELETE /loans?id=eq.3&select=id,members(name)', row, [{ id: 3, members: { name: 'Ben' } }]],
    ['upsert', 'POST /publishers?select=id,books(id)&books.order=id', { body: { id: 1, name: 'Club' }, prefer: 'return=representation, resolution=merge-duplicates' }, { status: 200, json: [{ id: 1, books: ids(1, 2) }] }],
    ['a function of rows', '/rpc/longer_than?min_pages=390&select=id,publishers(name)', {}, [{ id: 2, publishers: { name: 'Club Editor' } }]],
    ['a function of one row', '/rpc/book_of?id=3&select=id,subjects(name)', {}, { json: { id: 3, subjects: [{ name: 'Sea' }] } }],
    ['a filter on a function\'s embed', '/rpc/longer_than?min_pages=1&select=id,covers!inner(width)&covers.width=lt.500', {}, [{ id: 3, covers: { width: 480 } }]],
  ])
})

test('postgrest-js: embeds, their filters and orders', async () => {
  const { data, error } = await client().from('members')
    .select('name, loans!inner(id, books(title))')
    .gt('loans.renewals', 0)
    .order('id', { referencedTable: 'loans', ascending: false })
    .limit(1, { referencedTable: 'loans' })
    .order('name')
  assert.equal(error, null)
  assert.deepEqual(data, [
    { name: 'Ana', loans: [{ id: 2, books: { title: 'Mensagem' } }] },
    { name: 'Ben', loans: [{ id: 3, books: { title: 'La plaça del Diamant' } }] },
  ])
  const either = await client().from('publishers').select('id, books(id)').or('genre.eq.poetry,pages.gt.400', { referencedTable: 'books' }).eq('id', 1)
  assert.deepEqual(either.data, [{ id: 1, books: ids(2) }])
})
