import { readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const OUT = join(ROOT, 'dist/style-guide')
const ENTRY = 'sandbox/style-guide/entry.tsx'

type BuiltGuide = { script: string; styles: readonly string[] }
type ServedAsset = { status: number; type: string; text: string | Buffer; headers?: Record<string, string> }

/** Only its own build runs and loads; a gallery's frame sizes itself by an attribute. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; font-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'"

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}

let buildOnce: Promise<BuiltGuide> | undefined

/** The page with every component of `src/web/ui` in every state; built on the first request. */
export async function styleGuidePage(): Promise<ServedAsset> {
  buildOnce ??= build()
  buildOnce.catch(() => {
    buildOnce = undefined
  })
  const { script, styles } = await buildOnce
  const links = styles.map((file) => `<link rel="stylesheet" href="/style-guide/${file}">`).join('')
  return {
    status: 200,
    type: 'text/html; charset=utf-8',
    headers: { 'content-security-policy': POLICY },
    text: `<!doctype html><html lang="en" data-collection="rudy"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Style guide</title><link rel="icon" href="data:,">${links}<script type="module" src="/style-guide/${script}"></script></head><body id="root"></body></html>`,
  }
}

/** @param name of a built file; any other name is not found */
export async function styleGuideAsset(name: string): Promise<ServedAsset | undefined> {
  await (buildOnce ??= build())
  const type = types[extname(name)]
  try {
    return type === undefined
      ? undefined
      : { status: 200, type, text: readFileSync(join(OUT, 'assets', basename(name))) }
  } catch {
    return undefined
  }
}

type Manifest = Record<string, { file: string; css?: string[] }>

async function build(): Promise<BuiltGuide> {
  process.env['NODE_ENV'] = 'production'
  const vite = await import('vite')
  await vite.build({
    root: ROOT,
    base: '/style-guide/',
    logLevel: 'warn',
    environments: {
      client: { build: { outDir: OUT, emptyOutDir: true, rolldownOptions: { input: ENTRY } } },
    },
  })
  const manifest = JSON.parse(readFileSync(join(OUT, '.vite/manifest.json'), 'utf8')) as Manifest
  const entry = manifest[ENTRY]
  if (!entry) throw new Error('The style guide was built without its entry.')
  return { script: entry.file, styles: Object.values(manifest).flatMap(({ css = [] }) => css) }
}
