import { existsSync, readFileSync } from 'node:fs'
import type { PageAssets } from '#contract/page.ts'

/** The output of tools/build.ts. */
export const dist = new URL('../../../dist/', import.meta.url)

type Manifest = Record<string, { file: string; css?: string[]; assets?: string[]; imports?: string[] }>

const fileOf = (name: string): URL => new URL(`client/.vite/${name}.json`, dist)
const readManifest = (name: string): Manifest => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Manifest

/**
 * Returns a function from a page's modules to the files it needs.
 * @throws Error when the bundle is missing
 */
export function bundleAssets(): (modules: readonly string[]) => PageAssets {
  const [manifest, earlyManifest] = [readManifest('manifest'), readManifest('early')]
  const entry = manifest['src/web/app/entry-client.tsx']
  const early = earlyManifest['src/web/app/entry-before-hydration.ts']
  if (!entry || !early) throw new Error('The bundle has no entry. Run "node tools/build.ts" again.')
  const known = new Map<string, PageAssets>()
  const assetsOf = (modules: readonly string[]): PageAssets => {
    const scripts = new Set<string>()
    const styles = new Set<string>()
    const fonts = new Set<string>()
    const add = (key: string) => {
      const chunk = manifest[key]
      if (!chunk || scripts.has(chunk.file)) return
      scripts.add(chunk.file)
      for (const file of chunk.css ?? []) styles.add(file)
      for (const file of chunk.assets ?? []) if (/-first-[\w-]+\.woff2$/.test(file)) fonts.add(file)
      for (const imported of chunk.imports ?? []) add(imported)
    }
    for (const key of ['src/web/app/entry-client.tsx', ...modules]) add(key)
    scripts.delete(entry.file)
    const link = (file: string) => `/${file}`
    return {
      early: link(early.file),
      app: link(entry.file),
      parts: [...scripts].map(link),
      styles: [...styles].map(link),
      fonts: [...fonts].map(link),
    }
  }
  return (modules) => {
    const page = modules.join(' ')
    const assets = known.get(page) ?? assetsOf(modules)
    known.set(page, assets)
    return assets
  }
}

/** Fonts of emails, by the beginning of their files' names in the bundle. */
const mailFonts = { fraunces: 'fraunces-latin-', 'instrument-sans': 'instrument-sans-latin-' } as const

/** Name and contents of the fonts that emails load. */
export function bundleFonts(): { name: string; bytes: Buffer }[] {
  const files = Object.values(readManifest('manifest')).flatMap(({ assets = [] }) => assets)
  return Object.entries(mailFonts).flatMap(([name, start]) => {
    const file = files.find((candidate) => candidate.startsWith(`assets/${start}`))
    return file ? [{ name, bytes: readFileSync(new URL(`client/${file}`, dist)) }] : []
  })
}

let styles: readonly string[] | undefined

/** The style sheets of every page; none if the pages are not built. */
export const bundleStyles = (): readonly string[] =>
  (styles ??= existsSync(fileOf('early')) ? bundleAssets()([]).styles : [])
