import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type { PageRequest } from '#contract/page.ts'
import type * as Renderer from '#web/app/render.tsx'
import { bundleAssets } from '#server/http/bundle.ts'

// Renders a page with React alone, in a loop: node tools/bench/render-floor.ts <shop> <path> <seconds>. Prints renders per second.

const [shop = '', path = '', seconds = ''] = process.argv.slice(2)
process.env['NODE_ENV'] = 'production'
const file = join(import.meta.dirname, '../../dist/server/render.js')
const { preparePage, renderToString } = (await import(pathToFileURL(file).href)) as typeof Renderer

const preparedPage = await preparePage({
  url: path,
  language: 'en',
  origin: shop,
  ask: async (requestedPath) => {
    const answer = await fetch(shop + requestedPath)
    return { status: answer.status, body: await answer.json() }
  },
  assets: bundleAssets(),
  config: (await (await fetch(`${shop}/api/config`)).json()) as PageRequest['config'],
  year: new Date().getFullYear(),
})
if (preparedPage instanceof Response) throw new Error(`${path} is a redirect.`)

const rendersPerSecond = (ms: number): number => {
  const startedAt = performance.now()
  let times = 0
  for (; performance.now() - startedAt < ms; times += 1) renderToString(preparedPage.tree)
  return (times * 1000) / (performance.now() - startedAt)
}
// Warms up the JIT compiler.
rendersPerSecond(1000)
console.log(rendersPerSecond(Number(seconds) * 1000).toFixed(2))
