import { readFileSync } from 'node:fs'
import { enableCompileCache, findPackageJSON, flushCompileCache, registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

// Sets up how modules are loaded, so it must be imported first (decision 0046).

/** Caches compiled modules beside the built pages; without write access they are compiled at each start. */
enableCompileCache(fileURLToPath(new URL('../dist/modules', import.meta.url)))
// A shop that is killed cannot flush the cache at exit.
setTimeout(flushCompileCache, 5000).unref()

type Entry = string | { import?: Entry; default?: Entry }
const fileOf = (entry: Entry | undefined): string | undefined =>
  typeof entry === 'object' ? fileOf(entry.import ?? entry.default) : entry

/**
 * Node parses a package's package.json again for each of its modules. For drizzle-orm's 180 KB that costs half a second and 200 MB, so
 * its modules are resolved from a list that is read once.
 */
const packageFile = findPackageJSON('drizzle-orm', import.meta.url) ?? ''
const root = pathToFileURL(packageFile).href.replace(/package\.json$/, '')
const { exports } = JSON.parse(readFileSync(packageFile, 'utf8')) as { exports: Record<string, Entry> }

registerHooks({
  resolve(specifier, context, next) {
    const file = specifier.startsWith('drizzle-orm')
      ? fileOf(exports[`.${specifier.slice('drizzle-orm'.length)}`])
      : undefined
    if (file !== undefined) return { url: new URL(file, root).href, format: 'module', shortCircuit: true }
    if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.startsWith(root))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    return next(specifier, context)
  },
})
