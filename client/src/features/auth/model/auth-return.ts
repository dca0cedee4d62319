/** Reports whether a URL of home is actually the target of one of our mailed links. */
export function isAuthReturn(params: URLSearchParams): boolean {
  return params.has('code') || params.has('error_code')
}
