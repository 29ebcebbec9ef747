import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import type { PageRequest } from '#contract/page.ts'
import type * as Renderer from '#web/app/render.tsx'
import { bundleAssets } from '#server/http/bundle.ts'

// React alone on a page's tree, in a loop: node tools/bench/render-floor.ts <shop> <path> <seconds>. Prints how often a second.

const [shop = '', path = '', seconds = ''] = process.argv.slice(2)
process.env['NODE_ENV'] = 'production'
const file = join(import.meta.dirname, '../../dist/server/render.js')
const { preparePage, renderToString } = (await import(pathToFileURL(file).href)) as typeof Renderer

const preparedPage = await preparePage({
  url: path,
  origin: shop,
  ask: async (asked) => {
    const answer = await fetch(shop + asked)
    return { status: answer.status, body: await answer.json() }
  },
  assets: bundleAssets(),
  config: (await (await fetch(`${shop}/api/config`)).json()) as PageRequest['config'],
})
if (preparedPage instanceof Response) throw new Error(`${path} leads elsewhere.`)

const timesWithin = (ms: number): number => {
  const begun = performance.now()
  let times = 0
  for (; performance.now() - begun < ms; times += 1) renderToString(preparedPage.tree)
  return (times * 1000) / (performance.now() - begun)
}
// The first second is the compiler's.
timesWithin(1000)
console.log(timesWithin(Number(seconds) * 1000).toFixed(2))
