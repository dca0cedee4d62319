Deno.serve(() => new Response('Hello World'))
