import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '..')
const ASSETS = join(ROOT, 'dist/client/assets')
const STAMP = join(ROOT, 'dist/stamp.json')

/** `sources`: hash of the built sources. `assets`: file names that the build wrote. */
type Stamp = { sources: string; assets: string[] }

/**
 * Builds the pages' browser bundle and renderer, when a source has changed since the last build.
 * @returns false when everything was up to date; Vite is not even loaded then
 * @throws what Vite throws when a source does not compile
 */
export async function build(): Promise<boolean> {
  const sources = hashOfSources()
  const last = readStamp()
  if (isUpToDate(sources)) return false

  process.env['NODE_ENV'] = 'production'
  const { createBuilder } = await import('vite')
  const builder = await createBuilder({ root: ROOT, logLevel: 'warn' })
  await builder.buildApp()

  const assets = assetsOfManifests()
  dropOlderThan([...assets, ...(last?.assets ?? [])])
  for (const name of assets) compress(join(ASSETS, name))
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(STAMP, JSON.stringify({ sources, assets } satisfies Stamp))
  return true
}

/** The same in a process of its own: its memory goes when it ends. @throws Error with what Vite printed */
export async function buildApart(): Promise<boolean> {
  if (isUpToDate()) return false
  await promisify(execFile)(process.execPath, [import.meta.filename])
  return true
}

const isUpToDate = (sources = hashOfSources()): boolean =>
  readStamp()?.sources === sources && existsSync(join(ROOT, 'dist/server/render.js'))

function hashOfSources(): string {
  const files = globSync(
    [
      'src/{web,site,contract,domain,shared,words}/**/*.{ts,tsx,css,svg,woff2}',
      'vite.config.ts',
      'tools/build.ts',
      'package-lock.json',
    ],
    { cwd: ROOT },
  )
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .toSorted()
  const hash = createHash('sha256')
  for (const path of files)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0')
  return hash.digest('hex')
}

function readStamp(): Stamp | undefined {
  if (!existsSync(STAMP)) return undefined
  return JSON.parse(readFileSync(STAMP, 'utf8')) as Stamp
}

type ManifestChunk = { file: string; css?: string[]; assets?: string[] }

function assetsOfManifests(): string[] {
  const chunks = ['manifest', 'early'].flatMap((name) =>
    Object.values(
      JSON.parse(readFileSync(join(ROOT, `dist/client/.vite/${name}.json`), 'utf8')) as Record<string, ManifestChunk>,
    ),
  )
  const files = chunks.flatMap(({ file, css = [], assets = [] }) => [file, ...css, ...assets])
  return [...new Set(files.map((file) => basename(file)))]
}

/** A page in a shared cache may outlive a deploy by minutes: the previous build's files stay, older ones go. */
function dropOlderThan(currentAssets: readonly string[]): void {
  for (const name of globSync('*', { cwd: ASSETS })) {
    if (!currentAssets.includes(name.replace(/\.(br|gz)$/, ''))) rmSync(join(ASSETS, name), { force: true })
  }
}

/** Compresses at the highest level at build time, so no request waits for it. Fonts and pictures are compressed already. */
function compress(path: string): void {
  if (!/\.(js|css|svg)$/.test(path) || existsSync(`${path}.br`)) return
  const bytes = readFileSync(path)
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = performance.now()
  const built = await build()
  console.log(built ? `Pages built in ${Math.round(performance.now() - startedAt)} ms` : 'Pages are up to date')
}
