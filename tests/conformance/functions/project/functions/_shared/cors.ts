export const corsHeaders = {
  'Access-Control-Allow-Origin': 'https://app.example',
  'Access-Control-Allow-Headers': 'authorization, x-client-info, apikey, content-type',
}
