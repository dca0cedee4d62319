import { corsHeaders } from '../_shared/cors.ts'

const env = (name: string) => Deno.env.get(name) ?? ''
const count = async (key: string, token: string) => {
  const answer = await fetch(`${env('SUPABASE_URL')}/rest/v1/notes?select=id`, { headers: { apikey: key, Authorization: `Bearer ${token}` } })
  return (await answer.json()).length
}

Deno.serve(async (request) => {
  if (request.method === 'OPTIONS') return new Response('ok', { headers: corsHeaders })
  const [anon, service] = [env('SUPABASE_ANON_KEY'), env('SUPABASE_SERVICE_ROLE_KEY')]
  const keys = JSON.parse(env('SUPABASE_SECRET_KEYS'))
  return Response.json({
    greeting: env('GREETING'), database: env('SUPABASE_DB_URL').split(':')[0], jwks: Array.isArray(JSON.parse(env('SUPABASE_JWKS')).keys),
    secret: keys.default.startsWith('sb_secret_'), home: env('HOME'), jwtSecret: env('JWT_SECRET'),
    asAnon: await count(anon, anon), asService: await count(service, service),
  }, { headers: corsHeaders })
})
