/** Where supabase-js keeps the session (AUTH-25). */
export const sessionKey = 'plaza.auth'
