// Reading tables and views: columns, filters, order, pages and counts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cases, check, client, json, send } from './kit.mjs'

const ids = (...list) => list.map((id) => ({ id }))

describe('columns', () => {
  cases([
    ['all', '/subjects?order=id&limit=2', {}, [{ id: 1, name: 'Barcelona' }, { id: 2, name: 'War' }]],
    ['some, renamed, cast', '/books?select=name:title,pages::text,cost:price::integer&id=eq.1', {}, [{ name: 'La plaça del Diamant', pages: '256', cost: 19 }]],
    ['a star and more', '/subjects?select=*,label:name&id=eq.1', {}, [{ id: 1, name: 'Barcelona', label: 'Barcelona' }]],
    ['white space around names', '/subjects?select=id, name&id=eq.1', {}, [{ id: 1, name: 'Barcelona' }]],
    ['JSON paths', '/books?select=stars:details->stars,details->film->>by,details->awards->0,last:details->awards->>-1&id=eq.4', {},
      [{ stars: 5, by: null, awards: 'Hugo', last: 'Nebula' }]],
    ['a path with a cast', '/books?select=stars:details->>stars::int&id=eq.1', {}, [{ stars: 5 }]],
    ['paths into a composite and an array', '/publishers?select=seat->>city,code:seat->>"post code"&id=eq.1', {}, [{ city: 'Barcelona', code: '08001' }]],
    ['an array by its index', '/books?select=tag:tags->>0&id=eq.1', {}, [{ tag: 'classic' }]],
    ['computed columns', '/authors?select=name,initials&id=eq.3', {}, [{ name: 'Ursula K. Le Guin', initials: 'UKLG' }]],
    ['a path into a computed column', '/books?select=shelf->>letter,n:shelf->row&id=eq.2', {}, [{ letter: 'M', n: 2 }]],
    ['a star leaves computed columns out', '/authors?id=eq.5', {}, [{ id: 5, name: 'Unknown', born: null, country: null }]],
    ['a generated column', '/books?select=title_length&id=eq.3', {}, [{ title_length: 8 }]],
    ['an unknown column', '/books?select=nope', {}, { status: 400, error: { code: '42703', message: 'column books.nope does not exist' } }],
  ])
})

test('each plain type is written as PostgreSQL writes it', async () => {
  check(await send('/measures?id=eq.1&select=*'), {
    text: `[{"id":1,"small":7,"big":9007199254740993,"single":1.5,"double":2.25,"exact":12.340,"yes":true,"text":"naïve \\"quoted\\" \\\\ ☕","fixed":"ab ","bytes":"\\\\x00ff",` +
      '"moment":"2024-02-29T10:00:00.5+00:00","local":"2024-02-29T10:00:00","clock":"10:00:00","span":"1 day 02:00:00","uid":"6f1b6d1c-0000-4000-8000-000000000001",' +
      '"plain":{"b": 1,  "a": [1,2]},"binary_json":{"a": [1, 2], "b": 1},"matrix":[[1,2],[3,4]],"net":"10.0.0.1/8","place":{"street":"x","city":"y","post code":null},' +
      `"search":"'sea':2 'wind':1","xml":"<a>1</a>"}]`,
  })
  const { id, ...rest } = json(await send('/measures?id=eq.2'))[0]
  assert.equal(id, 2)
  assert.ok(Object.values(rest).every((value) => value === null))
})

describe('filters', () => {
  const filters = {
    'id=eq.4': [4],
    'id=neq.4': [1, 2, 3, 5, 6],
    'pages=gt.305': [2, 4],
    'pages=gte.305': [2, 4, 5],
    'pages=lt.256': [3],
    'pages=lte.256': [1, 3],
    'pages=gt.100&pages=lt.300': [1],
    'title=like.M*': [2, 3],
    'title=like.*%25*': [1, 2, 3, 4, 5, 6],
    'title=like.100\\%25*': [6],
    'title=ilike.mir*': [2],
    'title=match.^M.*m$': [3],
    'title=imatch.^MI': [2],
    'title=like(any).{M*,Los*}': [2, 3, 4],
    'title=ilike(all).{m*,*trencat}': [2],
    'title=not.like(any).{M*,Los*}': [1, 5, 6],
    'id=eq(any).{1,4}': [1, 4],
    'id=not.eq(any).{1,4}': [2, 3, 5, 6],
    'pages=gt(all).{100,300}': [2, 4, 5],
    'id=in.(1,4,99)': [1, 4],
    'id=not.in.(1,4)': [2, 3, 5, 6],
    'id=in.()': [],
    'title=in.("100% wool, *knitted*",Mensagem)': [3, 6],
    'pages=is.null': [6],
    'pages=not.is.null': [1, 2, 3, 4, 5],
    'pages=is.not_null': [1, 2, 3, 4, 5],
    'pages=isdistinct.256': [2, 3, 4, 5, 6],
    'pages=not.isdistinct.256': [1],
    'genre=eq.poetry': [3],
    'published=gte.1974-06-01': [2, 5],
    'tags=cs.{classic,war}': [1],
    'tags=cs.{"a,b"}': [6],
    'tags=cd.{classic,sea}': [2, 3, 5],
    'tags=ov.{sea,utopia}': [3, 4],
    'tags=eq.{utopia}': [4],
    'details=cs.{"stars":5}': [1, 3, 4],
    'details=cd.{"stars":1,"x":2}': [5, 6],
    'in_print=cs.[1980-01-01,1980-02-01)': [1, 2],
    'in_print=ov.[1940-01-01,1945-01-01]': [3],
    'in_print=sl.[1955-01-01,1960-01-01)': [3],
    'in_print=sr.[1955-01-01,1960-01-01)': [1, 2, 4],
    'in_print=nxr.[1962-05-01,2000-01-01)': [2, 3],
    'in_print=nxl.[1962-05-01,1963-01-01)': [1, 2, 4],
    'in_print=adj.[1950-01-01,1955-01-01)': [3],
    'title=fts.wave': [5],
    'title=fts(simple).mensagem|mirall': [2, 3],
    'title=plfts(simple).the mind': [5],
    'title=phfts(simple).in the mind': [5],
    'title=wfts(simple).mirall or mensagem': [2, 3],
    'title=wfts(simple)."the wave" -mind': [],
    'title=not.fts(simple).mirall': [1, 3, 4, 5, 6],
    'details->>stars=eq.4': [2],
    'details->stars=gt.4': [1, 3, 4],
    'details->film->>year=eq.1982': [1],
    'details->awards->>0=eq.Hugo': [4],
    'details->>film=is.null': [2, 3, 4, 5, 6],
    'tags->>0=eq.utopia': [4],
    'title_length=eq.8': [3],
    'shelf->>letter=eq.M': [2, 3],
    'or=(id.eq.1,pages.gt.400)': [1, 2],
    'and=(pages.gt.100,or(id.eq.1,id.eq.3))': [1],
    'not.or=(id.lt.3,id.gt.4)': [3, 4],
    'or=(not.and(id.gt.1,id.lt.6),id.in.(3))': [1, 3, 6],
    'not.and=(pages.gt.100,genre.eq.novel)': [3, 5, 6],
    'or=(title.eq."100% wool, *knitted*",tags.cs.{sea})': [3, 6],
    'or=(details->>stars.eq.1,title.like(any).{"M*"})': [2, 3, 6],
    'or=(title.not.fts(simple).mirall,id.eq.2)': [1, 2, 3, 4, 5, 6],
  }
  for (const [filter, want] of Object.entries(filters)) {
    test(filter, async () => check(await send(`/books?select=id&order=id&${filter}`), { json: ids(...want) }, filter))
  }
  cases([
    ['is true, false, unknown', '/members?select=id,name&active=is.unknown', {}, [{ id: 3, name: 'Cruz' }]],
    ['is true', '/members?select=id&active=is.true', {}, ids(1)],
    ['not is true', '/members?select=id&active=not.is.true&order=id', {}, ids(2, 3)],
    ['the case of is does not matter', '/members?select=id&active=IS.TRUE', {}, { status: 400, error: 'PGRST100' }],
    ['text without regard to case, as citext has it', '/members?select=id&email=eq.ANA@example.com', {}, ids(1)],
    ['a tsvector column', '/measures?select=id&search=fts(simple).wind%26sea', {}, ids(1)],
    ['by a computed column', '/authors?select=id&initials=eq.FP', {}, ids(2)],
    ['a path into a composite', '/publishers?select=id&seat->>city=eq.Lisboa', {}, ids(2)],
    ['a value that is no number', '/books?id=eq.x', {}, { status: 400, error: { code: '22P02', message: 'invalid input syntax for type integer: "x"' } }],
    ['a word that is no operator', '/books?id=equals.1', {}, { status: 400, error: { code: 'PGRST100', message: '"failed to parse filter (equals.1)" (line 1, column 1)' } }],
    ['a language that is none', '/books?title=fts(klingon).x', {}, { status: 400, error: '42704' }],
  ])
})

describe('names', () => {
  const table = encodeURIComponent('Größe & Maß')
  cases([
    ['spaces, dots, commas, quotes and Unicode', `/${table}?select=*&id=eq.1`, {},
      [{ id: 1, 'full title': 'eins', 'a.b': 10, 'käse,brot': 'gouda', 'say "hi"': 'hello', '(x)': 7, 'año:1': 1999 }]],
    ['selected in quotes', `/${table}?select="full title","a.b","käse,brot","say \\"hi\\"","(x)","año:1"&id=eq.1`, {},
      [{ 'full title': 'eins', 'a.b': 10, 'käse,brot': 'gouda', 'say "hi"': 'hello', '(x)': 7, 'año:1': 1999 }]],
    ['renamed in quotes', `/${table}?select="x, y":"a.b"&id=eq.1`, {}, [{ 'x, y': 10 }]],
    ['filtered', `/${table}?select=id&"a.b"=eq.20`, {}, ids(2)],
    ['a space needs no quotes', `/${table}?select=full title&full title=eq.two words`, {}, [{ 'full title': 'two words' }]],
    ['in a tree of conditions', `/${table}?select=id&or=("käse,brot".eq."a,b","(x)".eq.0)`, {}, ids(2)],
    ['ordered', `/${table}?select=id&order="a.b".desc`, {}, ids(2, 1)],
    ['quotes within a value', `/${table}?select=id&"say \\"hi\\""=in.("say \\"x\\"")`, {}, ids(2)],
    ['an injection is a name like any other', '/books?select=id"; drop table books; --', {}, { status: 400, error: 'PGRST100' }],
  ])
})

describe('order', () => {
  cases([
    ['by two columns', '/books?select=id&order=genre.desc,id.desc&limit=3', {}, ids(6, 5, 3)],
    ['nulls last', '/books?select=id&order=pages.desc.nullslast&limit=1', {}, ids(2)],
    ['nulls first', '/books?select=id&order=pages.asc.nullsfirst&limit=1', {}, ids(6)],
    ['by a JSON path', '/books?select=id&order=details->stars.nullslast,id&limit=2', {}, ids(6, 2)],
    ['by a path into a composite', '/publishers?select=id&order=seat->>city.desc.nullslast&limit=1', {}, ids(2)],
    ['by a computed column', '/authors?select=id&order=initials&limit=1', {}, ids(2)],
    ['a direction that is none', '/books?order=id.up', {}, { status: 400, error: 'PGRST100' }],
  ])
})

describe('pages and counts', () => {
  cases([
    ['limit and offset', '/books?select=id&order=id&limit=2&offset=3', {}, { json: ids(4, 5), headers: { 'Content-Range': '3-4/*' } }],
    ['limit 0 is an empty page', '/books?select=id&limit=0', {}, { json: [], headers: { 'Content-Range': '*/*' } }],
    ['a Range header', '/books?select=id&order=id', { 'Range-Unit': 'items', range: '1-2' }, { json: ids(2, 3), headers: { 'Content-Range': '1-2/*' } }],
    ['an open Range', '/books?select=id&order=id', { range: '4-' }, { json: ids(5, 6) }],
    ['an exact count of a part is 206', '/books?select=id&order=id&limit=2', { prefer: 'count=exact' },
      { status: 206, json: ids(1, 2), headers: { 'Content-Range': '0-1/6', 'Preference-Applied': 'count=exact' } }],
    ['an exact count of all is 200', '/books?select=id&pages=gt.300&order=id', { prefer: 'count=exact' }, { json: ids(2, 4, 5), headers: { 'Content-Range': '0-2/3' } }],
    ['no rows, counted', '/books?id=eq.0', { prefer: 'count=exact' }, { json: [], headers: { 'Content-Range': '*/0' } }],
    ['past the end', '/books?offset=10', { prefer: 'count=exact' },
      { status: 416, headers: { 'Content-Range': '*/6' },
        error: { code: 'PGRST103', message: 'Requested range not satisfiable', details: 'An offset of 10 was requested, but there are only 6 rows.', hint: null } }],
    ['past the end without a count is an empty page', '/books?offset=10', {}, { json: [], headers: { 'Content-Range': '*/*' } }],
    ['an end before its beginning', '/books', { range: '3-1' }, { status: 416, error: { code: 'PGRST103', details: 'The lower boundary must be lower than or equal to the upper boundary in the Range header.' } }],
    ['a negative limit', '/books?limit=-1', {}, { status: 416, error: { code: 'PGRST103', details: 'Limit should be greater than or equal to zero.' } }],
    ['HEAD', 'HEAD /books', { prefer: 'count=exact' }, { text: '', headers: { 'Content-Range': '0-5/6', 'Content-Type': 'application/json; charset=utf-8' } }],
  ])
  for (const kind of ['planned', 'estimated']) {
    test(`count=${kind} is PostgreSQL's guess`, async () => {
      const answer = await send('/books?select=id&limit=1', { prefer: `count=${kind}` })
      assert.match(answer.headers.get('content-range'), /^0-0\/\d+$/)
      assert.equal(answer.headers.get('preference-applied'), `count=${kind}`)
    })
  }
})

describe('other kinds of tables', () => {
  cases([
    ['a view', '/available_books?select=id&order=id', {}, ids(2, 4, 5, 6)],
    ['a materialized view', '/genre_totals?genre=eq.novel', {}, [{ genre: 'novel', books: 3, pages: 1051 }]],
    ['a foreign table', '/suppliers?name=like.*SL', {}, [{ id: 1, name: 'Llibres SL' }]],
    ['a partitioned table', '/visits?select=branch,visitors&day=gte.2024-05-02&order=day', {}, [{ branch: 'Port', visitors: 40 }, { branch: 'Centre', visitors: 150 }]],
    ['a partition is no table of its own', '/visits_2025', {}, { status: 404, error: { code: 'PGRST205', message: "Could not find the table 'public.visits_2025' in the schema cache" } }],
  ])
})

describe('postgrest-js', () => {
  const books = () => client().from('books')
  test('filters', async () => {
    const found = async (query) => {
      const { data, error } = await query.order('id')
      assert.equal(error, null)
      return data.map(({ id }) => id)
    }
    const select = () => books().select('id')
    assert.deepEqual(await found(select().eq('genre', 'poetry')), [3])
    assert.deepEqual(await found(select().in('title', ['Mensagem', '100% wool, *knitted*'])), [3, 6])
    assert.deepEqual(await found(select().contains('tags', ['classic', 'war'])), [1])
    assert.deepEqual(await found(select().containedBy('tags', ['classic', 'sea'])), [2, 3, 5])
    assert.deepEqual(await found(select().overlaps('tags', ['sea', 'utopia'])), [3, 4])
    assert.deepEqual(await found(select().contains('details', { stars: 5 })), [1, 3, 4])
    assert.deepEqual(await found(select().rangeGt('in_print', '[1955-01-01,1960-01-01)')), [1, 2, 4])
    assert.deepEqual(await found(select().rangeAdjacent('in_print', '[1950-01-01,1955-01-01)')), [3])
    assert.deepEqual(await found(select().textSearch('title', 'wave', { config: 'english' })), [5])
    assert.deepEqual(await found(select().textSearch('title', 'mirall or mensagem', { type: 'websearch', config: 'simple' })), [2, 3])
    assert.deepEqual(await found(select().likeAnyOf('title', ['M%', 'Los%'])), [2, 3, 4])
    assert.deepEqual(await found(select().ilikeAllOf('title', ['m%', '%trencat'])), [2])
    assert.deepEqual(await found(select().match({ genre: 'novel', publisher_id: 3 })), [4])
    assert.deepEqual(await found(select().not('pages', 'is', null).lt('pages', 100)), [3])
    assert.deepEqual(await found(select().or('id.eq.1,pages.gt.400')), [1, 2])
    assert.deepEqual(await found(select().is('pages', null)), [6])
  })
  test('order, range, count, head, csv', async () => {
    const page = await books().select('id', { count: 'exact' }).order('pages', { ascending: false, nullsFirst: false }).range(0, 1)
    assert.deepEqual([page.status, page.count, page.data], [206, 6, ids(2, 4)])
    const head = await books().select('*', { count: 'exact', head: true })
    assert.deepEqual([head.count, head.data, head.error], [6, null, null])
    const csv = await books().select('id,tags').eq('id', 1).csv()
    assert.equal(csv.data, 'id,tags\n1,"{classic,war}"')
  })
  test('single and maybeSingle', async () => {
    assert.deepEqual((await books().select('id').eq('id', 1).single()).data, { id: 1 })
    assert.equal((await books().select('id').single()).error.code, 'PGRST116')
    assert.equal((await books().select('id').eq('id', 0).maybeSingle()).data, null)
  })
})
