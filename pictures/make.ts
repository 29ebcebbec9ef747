/**
 * `npm run pictures`: makes the missing finished pictures of the demo catalog, those of its measures, the large ones of its
 * collections and those for link previews; removes pictures that are no longer used, and writes `finished/index.json`,
 * which the shop reads.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { typeMeasures, type TypeMeasures } from '#sandbox/catalog/measures.ts'
import { demoProducts } from '#sandbox/catalog/products.ts'
import { MEASURES_VIEW } from '#domain/catalog/gallery.ts'
import { renderOf, viewsOf, type PictureModel, type PictureView } from '#domain/pictures/picture-models.ts'
import { clothVersionOf, grainOf } from '#server/pictures/cloth.ts'
import { BACKGROUND, compose, COMPOSER_VERSION, type Dyes, type Print } from '#server/pictures/compose.ts'
import { hasPasses, openView, passFilesOf, type View } from '#server/pictures/passes.ts'
import { demoPrint } from './demo-prints.ts'
import { drawMeasures, MEASURES_VERSION, scaleBeside } from './measures.ts'
import { packRendered } from './pack.ts'
import { listStale } from './stale-views.ts'

const here = import.meta.dirname
const passes = join(here, 'passes')
const finishedFolder = join(here, 'finished')

const WEBP = { quality: 82, effort: 5, smartSubsample: true }
const WEBP_OF_CLOTH = { ...WEBP, quality: 75 } // threads hide what it loses, and would double a file

/** A picture's entry in `index.json`; its files are `<file>.<width>.webp`. */
type Entry = {
  type: string
  view: string
  /** The catalog's name of the color. */
  color: string
  design: string
  file: string
  /** In pixels, the widest first; `width` and `height` are the widest file's. */
  widths: readonly number[]
  width: number
  height: number
}

/** A picture that the shop may show, and how to make it. */
type PictureToMake = Omit<Entry, 'file'> & {
  /** Names the picture's files, up to their hash. */
  stem: string
  /** The rendered files it is made from; undefined where they are missing. */
  passes: readonly string[] | undefined
  /** The other inputs that affect the result. */
  recipe: string
  draw: () => Promise<Sharp>
  webp?: typeof WEBP
  /** Scatters the tones of its files, as far as film does: else a pale wall shows the squares that WebP is made of. */
  grain?: number
}

const kebab = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

/** Caches by key: a file that fifty pictures share is read once. */
function memoize<Value>(make: (key: string) => Promise<Value>) {
  const made = new Map<string, Promise<Value>>()
  return (key: string) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

const svgOf = memoize((design) => readFile(join(here, 'designs', `${design}.svg`)))
const digestOf = memoize(async (file) =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex'),
)

let openedView: { base: string; view: Promise<View> } | undefined

/** One view at a time: each is some 30 MB, and the list is ordered by view. */
function viewOf(base: string) {
  if (openedView?.base !== base) openedView = { base, view: openView(base) }
  return openedView.view
}

/** A picture is offered as large as its view was rendered, and smaller. */
function sizesOf(base: string) {
  const note = `${base}.json`
  const rendered = existsSync(note) ? (JSON.parse(readFileSync(note, 'utf8')) as { size: number }).size : WIDEST
  const width = Math.min(WIDEST, rendered)
  return { widths: [width, ...[640, 320].filter((wide) => wide < width)], width, height: width }
}

const WIDEST = 960

async function productPicture(
  { color, design, stem }: Pick<PictureToMake, 'color' | 'design' | 'stem'>,
  { type, view, dyes, print }: { type: PictureModel; view: PictureView; dyes: Dyes; print: (svg: Buffer) => Print },
): Promise<PictureToMake> {
  const made = print(await svgOf(design))
  const base = join(passes, renderOf(type, view, design, made.placement))
  const recipe = [
    COMPOSER_VERSION,
    WEBP_OF_CLOTH,
    dyes,
    { ...made, drawing: made.drawing.toString(), cloth: clothVersionOf(type) },
  ]
  const draw = async () => {
    const opened = await viewOf(base)
    return compose(opened, dyes, made, grainOf(type, opened))
  }
  return {
    ...{ type, view, color, design, stem, ...sizesOf(base), draw, webp: WEBP_OF_CLOTH },
    passes: hasPasses(base) ? passFilesOf(base) : undefined,
    recipe: JSON.stringify(recipe),
  }
}

for (const view of await packRendered()) console.log(`packed   ${view}`)

const catalogPictures = demoProducts.flatMap((product) => {
  const { type, design, colors } = product
  return colors.flatMap(({ name, hex, accent }) =>
    viewsOf(type).map((view) =>
      productPicture(
        { color: name, design, stem: `${type}.${view}.${kebab(name)}.${design}` },
        { type, view, dyes: { hex, ...(accent && { accent }) }, print: (svg) => demoPrint(product, svg, hex) },
      ),
    ),
  )
})

/** One for all products of a type, or of a size that a name has: they show neither dye nor design. */
function measuresPicture(measures: TypeMeasures): PictureToMake {
  const { type, onlyFor = '' } = measures
  const base = join(passes, `${type}.front`)
  return {
    ...{ type, view: MEASURES_VIEW, color: '', design: onlyFor, ...sizesOf(base) },
    stem: [type, MEASURES_VIEW, ...(onlyFor ? [kebab(onlyFor)] : [])].join('.'),
    passes: hasPasses(base) ? passFilesOf(base) : undefined,
    recipe: JSON.stringify([
      COMPOSER_VERSION,
      MEASURES_VERSION,
      WEBP_OF_CLOTH,
      clothVersionOf(type),
      measures,
      scaleBeside(measures),
    ]),
    draw: async () => drawMeasures(await viewOf(base), measures),
    webp: WEBP_OF_CLOTH,
  }
}

/** Where a product has no picture, or a broken one: the brand's mark, which nobody takes for the product. */
async function fallbackPicture(): Promise<PictureToMake> {
  const [mark, size, ground] = [await svgOf('mark'), 960, BACKGROUND[0]]
  return {
    ...{ type: 'default', view: 'front', color: '', design: 'mark', stem: 'default', passes: [] },
    ...{ widths: [size, 640, 320], width: size, height: size },
    recipe: JSON.stringify([WEBP, ground, mark.toString()]),
    draw: async () =>
      sharp({ create: { width: size, height: size, channels: 3, background: ground } }).composite([
        {
          input: await sharp(mark, { density: 200 })
            .resize(size / 4)
            .png()
            .toBuffer(),
        },
      ]),
  }
}

/** In levels: the least that WebP keeps. */
const GRAIN = 2.4

const WIDE = { widths: [1600, 800, 480], width: 1600, height: 900 } as const

const SQUARE = { widths: [1200, 640], width: 1200, height: 1200 } as const

/** The large picture of each collection, a clay figure, and that of all three; those of pages of no collection. */
const heroPictures: readonly PictureToMake[] = (
  [
    ['rudy', 'Gold', { ...WIDE, webp: WEBP, grain: GRAIN }],
    ['sherlock', 'Moor', { ...WIDE, webp: WEBP }],
    ['example', 'Meadow', { ...WIDE, webp: WEBP }],
    ['together', 'Evening', { ...WIDE, webp: WEBP }],
    ['letters', 'Rose', { ...WIDE, webp: WEBP, grain: GRAIN }],
    ['parcel', 'Dusk', { ...WIDE, webp: WEBP, grain: GRAIN }],
    ['workshop', 'Linen', { ...SQUARE, webp: WEBP_OF_CLOTH }],
  ] as const
).map(([design, color, kind]) => {
  const rendered = join(passes, `hero.${design}.png`)
  return {
    ...{ type: 'hero', view: 'front', color, design, stem: `hero.${design}`, ...kind },
    passes: existsSync(rendered) ? [rendered] : undefined,
    recipe: JSON.stringify('grain' in kind ? [kind.webp, kind.grain] : kind.webp),
    draw: async () => sharp(rendered),
  }
})

const SHARED = { widths: [1200], width: 1200, height: 630, view: 'share', color: '' } as const

/** The picture of a link preview: a product as it is and in use; for a collection its large picture; for the brand its mark. */
async function sharePictures(made: readonly Entry[]): Promise<PictureToMake[]> {
  const mark = await svgOf('mark')
  const find = (of: Partial<Entry>) =>
    made.find((entry) => Object.entries(of).every(([key, value]) => entry[key as keyof Entry] === value))
  const stretched = ({ file, width }: Entry, wide: number, high: number) =>
    sharp(join(finishedFolder, `${file}.${width}.webp`))
      .resize(wide, high, { fit: 'cover', position: 'centre' })
      .toBuffer()
  const share = (design: string, shown: readonly (Entry | undefined)[], layout: readonly number[]): PictureToMake[] => {
    const parts = shown.flatMap((entry) => entry ?? [])
    if (parts.length < shown.length) return []
    const draw = async () => {
      const tiles = await Promise.all(parts.map((part, i) => stretched(part, layout[i] ?? 0, 630)))
      const lefts = parts.map((_, i) => layout.slice(0, i).reduce((sum, wide) => sum + wide, 0))
      const corner = await sharp(mark, { density: 200 }).resize(84, 84).png().toBuffer()
      return sharp({ create: { width: 1200, height: 630, channels: 3, background: '#26241f' } }).composite([
        ...tiles.map((input, i) => ({ input, left: lefts[i] ?? 0, top: 0 })),
        { input: corner, left: 28, top: 518 },
      ])
    }
    const recipe = JSON.stringify([WEBP, layout, parts.map(({ file }) => file), mark.toString(), 1])
    return [{ type: 'share', design, stem: `share.${design}`, ...SHARED, passes: [], recipe, draw }]
  }
  const ofProduct = ({ type, design, colors, slug }: (typeof demoProducts)[number]) =>
    share(
      slug,
      ['front', 'lifestyle'].map((view) => find({ type, design, view, ...(colors[0] && { color: colors[0].name }) })),
      [570, 630],
    )
  const inUse = (['t-shirt', 'mug', 'hat', 'pillow'] as const).map((type) => find({ type, view: 'lifestyle' }))
  const label: PictureToMake = {
    ...{ type: 'share', design: 'label', stem: 'share.label', ...SHARED, passes: [] },
    recipe: JSON.stringify([WEBP, mark.toString()]),
    draw: async () =>
      sharp({ create: { width: 1200, height: 630, channels: 3, background: '#26241f' } }).composite([
        { input: await sharp(mark, { density: 600 }).resize(420, 420).png().toBuffer() },
      ]),
  }
  return [
    ...demoProducts.flatMap(ofProduct),
    ...['rudy', 'sherlock', 'example'].flatMap((design) => share(design, [find({ type: 'hero', design })], [1200])),
    ...share('products', inUse, [300, 300, 300, 300]),
    label,
  ]
}

async function listWanted() {
  const others = await Promise.all([...catalogPictures, fallbackPicture()])
  const all = [...others, ...heroPictures, ...typeMeasures.map(measuresPicture)]
  // Two products may differ in text only; one picture then serves both.
  return [...new Map(all.map((picture) => [picture.stem, picture])).values()].sort((a, b) => (a.stem < b.stem ? -1 : 1))
}

/** Lighter and darker by chance, but the same each time. */
async function grained(picture: Sharp, grain: number): Promise<Sharp> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  let state = 1
  const chance = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32 - 0.5
  for (let i = 0; i < data.length; i += channels) {
    const lighter = (chance() + chance() + chance() + chance()) * grain * Math.sqrt(3)
    for (let c = i; c < i + channels; c++) data[c] = Math.min(255, Math.max(0, Math.round((data[c] ?? 0) + lighter)))
  }
  return sharp(data, { raw: { width, height, channels } })
}

const filesOf = ({ file, widths }: Pick<Entry, 'file' | 'widths'>) => widths.map((width) => `${file}.${width}.webp`)

/** The picture's name with its hash; undefined when it has neither passes nor files. */
async function nameOf({ stem, passes: needed, recipe, widths }: PictureToMake, there: readonly string[]) {
  if (needed) {
    const hash = createHash('sha256').update(recipe)
    for (const file of needed) hash.update(await digestOf(file))
    return `${stem}.${hash.digest('hex').slice(0, 10)}`
  }
  // Passes come from a slow tool that few people have installed: a finished picture stays valid without them.
  const ending = new RegExp(`^\\.[0-9a-f]{10}\\.${widths[0]}\\.webp$`)
  const found = there.find((file) => file.startsWith(stem) && ending.test(file.slice(stem.length)))
  return found?.slice(0, stem.length + '.0123456789'.length)
}

async function main() {
  await mkdir(finishedFolder, { recursive: true })
  const there = (await readdir(finishedFolder)).filter((file) => file.endsWith('.webp'))
  const entries: Entry[] = []
  let [made, missing] = [0, 0]

  const makeMissing = async (picture: PictureToMake) => {
    const file = await nameOf(picture, there)
    if (!file) {
      console.log(`missing  ${picture.stem}: no passes; pictures/render.sh makes them`)
      missing++
      return
    }
    const { type, view, color, design, widths, width, height } = picture
    const entry = { type, view, color, design, file, widths, width, height }
    entries.push(entry)
    if (filesOf(entry).every((name) => there.includes(name))) return

    const pixels = await (await picture.draw()).png({ compressionLevel: 0 }).toBuffer()
    for (const wide of widths) {
      const sized = sharp(pixels).resize(wide)
      await (picture.grain ? await grained(sized, picture.grain) : sized)
        .webp(picture.webp ?? WEBP)
        .toFile(join(finishedFolder, `${file}.${wide}.webp`))
    }
    console.log(`made     ${file}`)
    made++
  }
  for (const picture of await listWanted()) await makeMissing(picture)
  // These are composed from the others.
  for (const picture of await sharePictures(entries)) await makeMissing(picture)

  const shown = new Set(entries.flatMap(filesOf))
  const stale = there.filter((file) => !shown.has(file))
  for (const file of stale) {
    await rm(join(finishedFolder, file))
    console.log(`removed  ${file}`)
  }
  await writeFile(join(finishedFolder, 'index.json'), `${JSON.stringify(entries)}\n`.replaceAll('},{', '},\n{'))
  // A partial module would not compile: pages then keep their present pictures.
  if (missing === 0)
    for (const [type, module] of Object.entries(siteModules))
      await writeFile(join(here, `../src/site/collections/${module.name}.ts`), siteModule(entries, type, module))

  let bytes = 0
  for (const file of shown) bytes += (await stat(join(finishedFolder, file))).size
  const megabytes = (bytes / 1e6).toFixed(1)
  console.log(`${entries.length} pictures, ${megabytes} MB: ${made} made, ${stale.length} removed, ${missing} missing`)
  for (const view of listStale())
    console.log(`stale    ${view}: its scripts have changed; pictures/render.sh renders it`)
  if (missing > 0) process.exitCode = 1
}

/** The entries of a type as a module, for pages that name these pictures. Each type has its own file: a browser loads only what its page shows. */
function siteModule(entries: readonly Entry[], type: string, { name, keys, says }: SiteModule): string {
  const products: readonly string[] = demoProducts.map(({ slug }) => slug)
  const lines = entries
    .filter((entry) => entry.type === type && !products.includes(entry.design))
    .toSorted((a, b) => a.design.localeCompare(b.design))
    .map(
      ({ design, file, widths, width, height }) =>
        `  ${design}: { file: '${file}', widths: [${widths.join(', ')}], width: ${width}, height: ${height} },\n`,
    )
  return `// Written by \`npm run pictures\`.
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'

type Key = ${keys}

/** ${says} */
export const ${name}: Readonly<Record<Key, Omit<CollectionPicture, 'alt'>>> = {
${lines.join('')}}\n`
}

type SiteModule = { name: string; keys: string; says: string }

const siteModules = {
  hero: {
    name: 'heroes',
    keys: "'rudy' | 'sherlock' | 'example' | 'letters' | 'parcel' | 'together' | 'workshop'",
    says: 'The large pictures of the collections, of all animals together, and of pages of no collection.',
  },
  share: {
    name: 'shares',
    keys: "'rudy' | 'sherlock' | 'example' | 'label' | 'products'",
    says: 'What a shared link to a page shows: of a collection, of the listing, of every other.',
  },
} satisfies Record<string, SiteModule>

await main()
