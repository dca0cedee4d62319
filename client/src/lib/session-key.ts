/** The storage key of supabase-js's session (AUTH-25). */
export const sessionKey = 'plaza.auth'
