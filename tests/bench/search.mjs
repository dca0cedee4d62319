// Measures the duration of searches, one after the other, on a server whose database has volume
// data:
//   bin/plaza seed --volume 1000000 && bin/plaza serve
//   SUPABASE_URL=… SUPABASE_ANON_KEY=… node tests/bench/search.mjs [rounds]
// Prints milliseconds over HTTP for each kind of search: the rows of a page and their count, as the
// client requests them.
import { figures, timed } from './times.mjs'

const { SUPABASE_URL: url, SUPABASE_ANON_KEY: key } = process.env
const rounds = Number(process.argv[2] ?? 24)

const surnames = ['Montoya', 'Ortega', 'Benítez', 'Lahoz', 'Núñez', 'Peña', 'Ibáñez', 'Gallardo', 'Puig', 'Casals', 'Etxeberria', 'García', 'López', 'Vega', 'Sanz']
const firsts = ['Lola', 'Rafael', 'Carmen', 'Montserrat', 'Jordi', 'Aina', 'Pere', 'Maite', 'Iker', 'Sofía', 'Íñigo']
const trades = [
  'peluquería', 'dentista', 'restaurante', 'fontanero', 'abogado', 'gimnasio', 'bar', 'taller mecánico', 'yoga', 'pizzería',
  'panadería', 'veterinario', 'hotel', 'óptica', 'cerrajero', 'hairdresser', 'advocat', 'forn', 'plumber', 'lawyer',
]
const services = [
  'masaje relajante', 'limpieza dental', 'empaste', 'cambio de aceite', 'uñas de gel', 'corte de pelo', 'clases de piano', 'desatasco',
  'declaración de la renta', 'paella', 'pinchazo', 'blanqueamiento dental', 'fisio', 'vacuna',
]
const places = ['Madrid', 'Barcelona', 'Sevilla', 'Andorra', 'Málaga', 'Bilbao', 'Murcia', 'Encamp']
const categories = ['hair', 'restaurants', 'Beauty & Spas', 'dentists', 'bars', 'auto']
const common = ['sol', 'luna', 'mar', 'norte', 'olivo', 'brisa', 'casa', 'plaza']
const errors = ['peluqeria', 'dentsta', 'restorante', 'fontanro', 'abogao', 'gimnacio', 'vetrinario', 'pizeria', 'sevila', 'cerajero']
const pairs = ['pe', 'ma', 'ba', 'ru', 'ca', 'so', 'la', 're', 'zu', 'ig']
const streets = ['Calle Olivo', 'Calle Faro, Madrid', 'Alameda', 'Calle Sol', 'Calle Luna']
const sentences = [
  'quiero cortarme el pelo en sevilla', 'donde arreglar mi coche en madrid', 'cortarse el pelo', 'me duele una muela',
  'get my hair cut in barcelona', 'clases de piano en bilbao',
]
const points = [
  { near_latitude: '40.4168', near_longitude: '-3.7038' }, { near_latitude: '41.3874', near_longitude: '2.1686' },
  { near_latitude: '42.5063', near_longitude: '1.5218' }, { near_latitude: '37.3891', near_longitude: '-5.9845' },
]
const distances = ['1', '5', '20', '100']
const boxes = ['{40.40,-3.72,40.43,-3.68}', '{41.3,2.0,41.5,2.3}', '{40,-5,43,3}', '{27,-18,44,5}', '{45,-9,48,-5}']
const day = (i) => new Date(Date.now() + (1 + (i % 10)) * 86_400_000).toISOString().slice(0, 10)
const at = (list, i) => list[i % list.length]

const kinds = {
  everything: () => ({}),
  place: (i) => ({ find_loc: at(places, i) }),
  category: (i) => ({ category: at(categories, i) }),
  'category in a place': (i) => ({ find_loc: at(places, i), category: at(categories, i >> 1) }),
  name: (i) => ({ find_desc: `${at(firsts, i)} ${at(surnames, i * 7)}` }),
  surname: (i) => ({ find_desc: at(surnames, i) }),
  trade: (i) => ({ find_desc: at(trades, i) }),
  'trade in a place': (i) => ({ find_desc: at(trades, i * 3), find_loc: at(places, i) }),
  service: (i) => ({ find_desc: at(services, i) }),
  'service in a place': (i) => ({ find_desc: at(services, i), find_loc: at(places, i * 3) }),
  'common word': (i) => ({ find_desc: at(common, i) }),
  'common word in a place': (i) => ({ find_desc: at(common, i), find_loc: at(places, i) }),
  'two letters': (i) => ({ find_desc: at(pairs, i) }),
  'typing error': (i) => ({ find_desc: at(errors, i) }),
  sentence: (i) => ({ find_desc: at(sentences, i) }),
  rating: (i) => ({ find_desc: at(trades, i), find_loc: at(places, i), min_rating: '4' }),
  amenity: (i) => ({ find_desc: at(trades, i), with_amenities: '{WiFi}' }),
  street: (i) => ({ find_loc: at(streets, i) }),
  'open now': () => ({ open_now: 'true' }),
  'trade open now': (i) => ({ find_desc: at(trades, i), open_now: 'true' }),
  'free on a day': (i) => ({ free_on: day(i) }),
  'trade free on a day': (i) => ({ find_desc: at(trades, i), free_on: day(i) }),
  'place free on a day': (i) => ({ find_loc: at(places, i), free_on: day(i) }),
  price: (i) => ({ min_price: `${10 + i}`, max_price: `${30 + i}` }),
  'trade for a price': (i) => ({ find_desc: at(trades, i), max_price: `${15 + i}` }),
  'near by': (i) => ({ ...at(points, i), within_km: at(distances, i) }),
  'trade near by': (i) => ({ find_desc: at(trades, i), ...at(points, i), within_km: at(distances, i) }),
  'around a town': (i) => ({ find_desc: at(trades, i), find_loc: at(['Girona', 'Toledo', 'Alcorcón', 'Getxo'], i), within_km: '100' }),
  bounds: (i) => ({ bounds: at(boxes, i) }),
  'trade in bounds': (i) => ({ find_desc: at(trades, i), bounds: at(boxes, i) }),
  'all filters': (i) => ({
    find_desc: at(trades, i), find_loc: at(places, i), min_rating: '3', open_now: 'true', free_on: day(i), max_price: '80',
    ...at(points, i), within_km: '100', bounds: '{35,-10,44,4}', sort_by: 'price',
  }),
  'by distance': (i) => ({ ...at(points, i), sort_by: 'distance' }),
  'trade by distance': (i) => ({ find_desc: at(trades, i), find_loc: at(places, i), sort_by: 'distance' }),
  'by price': (i) => ({ sort_by: 'price', min_price: `${i}` }),
  'trade by price': (i) => ({ find_desc: at(trades, i), find_loc: at(places, i), sort_by: 'price' }),
  'by rating': (i) => ({ find_desc: at(trades, i), sort_by: 'rating' }),
  'newest of a trade': (i) => ({ find_desc: at(trades, i), sort_by: 'newest' }),
  'newest in a place': (i) => ({ find_loc: at(places, i), sort_by: 'newest' }),
  nothing: (i) => ({ find_desc: at(['xyzzy', 'qwrt zxcv', 'peluqueria wxyz'], i), find_loc: at(['Toledo', 'Girona'], i) }),
}

const timeOf = async (name, parameters) =>
  (await timed(`${url}/rest/v1/rpc/${name}?${new URLSearchParams(parameters)}`, { headers: { apikey: key } })).time

const typed = ['ma', 'gi', 'giro', 'gerna', 'san', 'barc', 'mdrid', 'la se', 'coru', 'xyzzy']
const columns = 'id,name,type,location,rating,combined_rating,user_ratings_total'

const all = { rows: [], counts: [] }
console.log(`${''.padEnd(24)}rows: p50, p95, worst; counts: p50, p95, worst`)
for (const [kind, terms] of Object.entries(kinds)) {
  const rows = []
  const counts = []
  for (let i = 0; i < rounds; i++) {
    rows.push(await timeOf('best_businesses', { ...terms(i), select: columns, limit: '12' }))
    const { sort_by: _, ...counted } = terms(i)
    counts.push(await timeOf('count_businesses', counted))
  }
  all.rows.push(...rows)
  all.counts.push(...counts)
  console.log(`${kind.padEnd(24)}${figures(rows)}   ${figures(counts)}`)
}
console.log(`${'all'.padEnd(24)}${figures(all.rows)}   ${figures(all.counts)}`)

const suggestions = []
for (let i = 0; i < 4 * rounds; i++) suggestions.push(await timeOf('suggest_places', { term: at(typed, i) }))
console.log(`${'suggest_places'.padEnd(24)}${figures(suggestions)}`)
const alternatives = []
for (let i = 0; i < rounds; i++) {
  alternatives.push(await timeOf('search_alternatives', { find_desc: at(services, i), find_loc: at(['Girona', 'Toledo', 'Encamp'], i), min_rating: '4.9' }))
}
console.log(`${'search_alternatives'.padEnd(24)}${figures(alternatives)}`)
