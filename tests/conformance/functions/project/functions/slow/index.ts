// Answers after the milliseconds it is told, and counts who came.
let came = 0
Deno.serve(async (request) => {
  const { ms } = await request.json()
  if (ms === undefined) return Response.json({ came })
  came++
  await new Promise((done) => setTimeout(done, ms))
  return new Response('slow')
})
