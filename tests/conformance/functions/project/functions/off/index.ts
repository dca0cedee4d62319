Deno.serve(() => new Response('off'))
