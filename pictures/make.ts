/**
 * `npm run pictures`: makes the finished pictures of the demo catalogue that are missing, removes those that nothing shows
 * any more, and writes `finished/index.json`, which the shop reads.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoProducts } from '#sandbox/catalogue/products.ts'
import { compose, COMPOSER_VERSION, openView, passNames } from './compose.ts'
import type { Dyes, Place, View } from './compose.ts'
import { places, views } from './places.ts'

const WIDTH = 640 // pixels; the pictures are square
const QUALITY = 84

const here = import.meta.dirname
const passes = join(here, 'passes')
const finished = join(here, 'finished')

/** One picture that the shop may show: what it is of, and what it is made from. */
type Wanted = {
  type: string
  view: string
  /** The catalogue's name of the colour. */
  colour: string
  design: string
  /** Names the picture's file, up to its hash. */
  stem: string
  /** Path of the view's passes, without `.light.png` and so on. */
  base: string
  dyes: Dyes
  place: Place
}

const kebab = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** What a product without a picture of its own shows: a plain tote with the label's mark. */
const fallback: Wanted = {
  type: 'default',
  view: 'front',
  colour: 'Oatmeal',
  design: 'mark',
  stem: 'default',
  base: join(passes, 'tote.front'),
  dyes: { hex: '#ded3bf' },
  place: { x: 0.5, y: 0.5, width: 0.46, height: 0.46 },
}

function listWanted(): Wanted[] {
  const wanted = demoProducts.flatMap(({ type, design, colours }) =>
    colours.flatMap((dyes) =>
      views.map((view) => ({
        type,
        view,
        colour: dyes.name,
        design,
        stem: `${type}.${view}.${kebab(dyes.name)}.${design}`,
        base: join(passes, `${type}.${view}`),
        dyes: { hex: dyes.hex, ...(dyes.accent && { accent: dyes.accent }) },
        place: places[type][view],
      })),
    ),
  )
  // Two products may differ in words only; one picture then serves both.
  const byStem = new Map([...wanted, fallback].map((picture) => [picture.stem, picture]))
  return [...byStem.values()].sort((a, b) => (a.stem < b.stem ? -1 : 1))
}

const passesOf = (base: string) => passNames.map((name) => `${base}.${name}.png`)

const digestOf = async (files: readonly string[]) => {
  const hash = createHash('sha256')
  for (const file of files) hash.update(await readFile(file))
  return hash.digest('hex')
}

/** Remembers by key, so that a view shared by fifty pictures is hashed and opened once. */
function once<Value>(make: (key: string) => Promise<Value>) {
  const made = new Map<string, Promise<Value>>()
  return (key: string) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

async function main() {
  await mkdir(finished, { recursive: true })
  const there = (await readdir(finished)).filter((file) => file.endsWith('.webp'))
  const suffix = `.${WIDTH}.webp`
  const passDigest = once((base) => digestOf(passesOf(base)))
  const svgOf = once((design) => readFile(join(here, 'designs', `${design}.svg`)))
  const [entries, made, kept, missing]: [object[], string[], Set<string>, string[]] = [[], [], new Set(), []]
  let opened: { base: string; view: View } | undefined

  for (const { type, view, colour, design, stem, base, dyes, place } of listWanted()) {
    let file: string | undefined
    if (passesOf(base).every((pass) => existsSync(pass))) {
      const svg = await svgOf(design)
      const recipe = JSON.stringify([COMPOSER_VERSION, await passDigest(base), dyes, place, WIDTH, QUALITY])
      file = `${stem}.${createHash('sha256').update(recipe).update(svg).digest('hex').slice(0, 10)}`
      if (!there.includes(file + suffix)) {
        if (opened?.base !== base) opened = { base, view: await openView(base) }
        const picture = await compose(opened.view, dyes, { svg, place })
        const webp = picture.resize(WIDTH).webp({ quality: QUALITY, effort: 5, smartSubsample: true })
        await writeFile(join(finished, file + suffix), await webp.toBuffer())
        made.push(file)
      }
    } else {
      // Passes are made by a slow tool that few have: a finished picture stays good without them.
      file = there.find((name) => name.startsWith(`${stem}.`) && name.split('.').length === stem.split('.').length + 3)
      file = file?.slice(0, -suffix.length)
      if (!file) {
        missing.push(stem)
        continue
      }
    }
    kept.add(file + suffix)
    entries.push({ type, view, colour, design, file, widths: [WIDTH], width: WIDTH, height: WIDTH })
  }

  const stale = there.filter((file) => !kept.has(file))
  for (const file of stale) await rm(join(finished, file))
  await writeFile(join(finished, 'index.json'), `${JSON.stringify(entries, null, 1)}\n`)

  let bytes = 0
  for (const file of kept) bytes += (await stat(join(finished, file))).size
  for (const file of made) console.log(`made     ${file}`)
  for (const file of stale) console.log(`removed  ${file}`)
  for (const stem of missing) console.log(`missing  ${stem}: no passes; pictures/render.sh makes them`)
  console.log(
    `${entries.length} pictures, ${(bytes / 1e6).toFixed(1)} MB: ${made.length} made, ${stale.length} removed, ${missing.length} missing`,
  )
  if (missing.length > 0) process.exitCode = 1
}

await main()
