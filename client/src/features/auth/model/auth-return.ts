/** Whether an address of home is in truth a return from a link of ours. */
export function isAuthReturn(params: URLSearchParams): boolean {
  return params.has('code') || params.has('error_code')
}
