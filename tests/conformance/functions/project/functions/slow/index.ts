// Responds after the requested number of milliseconds, and counts the requests.
let came = 0
Deno.serve(async (request) => {
  const { ms } = await request.json()
  if (ms === undefined) return Response.json({ came })
  came++
  await new Promise((done) => setTimeout(done, ms))
  return new Response('slow')
})
