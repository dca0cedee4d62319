import { word } from 'word'

Deno.serve(() => new Response(word))
