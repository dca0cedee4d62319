import modules from 'node:module'

/**
 * Makes `import.meta.main` true in a module that is not imported yet, as upstream's runtime does for
 * functions. The module cannot be deno's main module: what that imports is not subject to permissions.
 */
export function markAsMain(address) {
  const hooks = modules.registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (url !== address) return loaded
      hooks.deregister()
      const text = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
      return { ...loaded, source: `import.meta.main = true;${text}` } // on the same line
    },
  })
}
