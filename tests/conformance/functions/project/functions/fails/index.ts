Deno.serve(async (request) => {
  const { how } = await request.json()
  if (how === 'exit') Deno.exit(1)
  if (how === 'throw') throw new Error('oops')
  if (how === 'own') return Response.json({ reason: 'mine' }, { status: 422, headers: { 'x-own': 'yes' } })
  return new Response('fine')
})
