// Responds with the requested media type.
const bytes = new Uint8Array([0, 1, 254, 255])
const kinds: Record<string, () => Response> = {
  json: () => Response.json({ kind: 'json' }),
  text: () => new Response('text'),
  bytes: () => new Response(bytes, { headers: { 'content-type': 'application/octet-stream' } }),
  pdf: () => new Response(bytes, { headers: { 'content-type': 'application/pdf' } }),
  form: () => {
    const form = new FormData()
    form.set('kind', 'form')
    return new Response(form)
  },
  events: () => {
    const parts = ['data: 1\n\n', 'data: 2\n\n']
    const stream = new ReadableStream({
      async pull(out) {
        const part = parts.shift()
        part ? out.enqueue(new TextEncoder().encode(part)) : out.close()
      },
    })
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
  },
  empty: () => new Response(null, { status: 204 }),
}
Deno.serve(async (request) => kinds[await request.text()]())
