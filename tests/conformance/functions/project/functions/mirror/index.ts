Deno.serve(async (request) => {
  const type = request.headers.get('content-type') ?? ''
  const body = type.startsWith('multipart/form-data')
    ? await Promise.all([...(await request.formData())].map(async ([name, value]) => [name, typeof value === 'string' ? value : await value.text()]))
    : await request.text()
  const { pathname, search } = new URL(request.url)
  return Response.json({ method: request.method, pathname, search, type, body, headers: Object.fromEntries(request.headers) })
})
