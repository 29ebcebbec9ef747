import { readFileSync } from 'node:fs'
import { enableCompileCache, findPackageJSON, flushCompileCache, registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

// How modules are loaded, before any is: imported first and for that alone (decision 0046).

/** What Node made of a source is kept beside the built pages; where nothing can be written, it is made at each start. */
enableCompileCache(fileURLToPath(new URL('../dist/modules', import.meta.url)))
// A shop that is killed has written nothing at its end.
setTimeout(flushCompileCache, 5000).unref()

type Entry = string | { import?: Entry; default?: Entry }
const fileOf = (entry: Entry | undefined): string | undefined =>
  typeof entry === 'object' ? fileOf(entry.import ?? entry.default) : entry

/**
 * Node reads the package.json of a package again for each of its modules. That of drizzle-orm is 180 KB: half a second and
 * 200 MB for a hundred modules, so its modules are found by a list that is read once.
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
