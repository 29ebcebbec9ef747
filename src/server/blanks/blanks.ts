import { Readable } from 'node:stream'
import {
  BLANKS_A_PAGE,
  type Blank,
  type BlankPrintArea,
  type BlankSummary,
  type BlankVariant,
} from '#contract/admin-blanks.ts'
import { ROW_ID_MAX } from '#contract/wire.ts'
import { findPrinterPictures, readStoredFile, takePrinterPicture } from '#server/pictures/pictures.ts'
import type { PrinterPictures } from '#server/pictures/pictures.ts'
import type { Reader } from '#server/db/db.ts'
import { Refusal } from '#server/http/refusal.ts'
import { withTimeout } from '#server/limits/timeout.ts'
import type { PrinterBlank, PrinterPrintArea } from '#server/providers/printful/blanks.ts'
import { ProviderRefusal, ProviderUnavailable, UnusableResponse } from '#server/providers/provider-errors.ts'
import { findSetting, saveSetting } from '#server/settings/settings.ts'
import type { Needs } from '#server/shop.ts'
import { ZERO, type Cents } from '#shared/money.ts'
import { after, DAY_MS } from '#shared/time.ts'
import type { BlankDetails } from './schema.ts'
import {
  countMade,
  findRow,
  listCategories,
  listSummaryRows,
  listTitles,
  lockRow,
  markDiscontinued,
  replaceCategories,
  saveCosts,
  saveDetails,
  saveSummaries,
  type BlankRow,
} from './store.ts'

/** When the printer's list was read last, as ISO text. */
const LIST_READ_AT = 'blanks listed at'
/** The copy is as old as this at most, while the printer answers. */
export const FRESH_MS = DAY_MS

export const findListReadAt = (db: Reader): Promise<string | undefined> => findSetting(db, LIST_READ_AT)

type BlankNeeds = Needs<'db' | 'clock' | 'printful'>

/**
 * Reads the printer's list and categories. What the list no longer has is discontinued.
 * @throws ProviderUnavailable also when the list has lost more than half of its blanks: then nothing changes
 */
export async function readBlankList({ db, clock, printful }: BlankNeeds): Promise<void> {
  const [blanks, categories] = await Promise.all([printful.listBlanks(), printful.listBlankCategories()])
  const made = await countMade(db)
  if (blanks.length === 0 || blanks.length * 2 < made)
    throw new ProviderUnavailable('printful', new Error(`Its catalog has ${blanks.length} blanks instead of ${made}.`))
  const now = clock.now()
  await db.transaction(async (tx) => {
    await saveSummaries(tx, blanks, now)
    await markDiscontinued(
      tx,
      blanks.map(({ id }) => id),
      now,
    )
    await replaceCategories(tx, categories)
    await saveSetting(tx, LIST_READ_AT, now.toISOString())
  })
}

/**
 * Reads a blank with its sizes and print areas, and keeps what its variants cost before.
 * @throws ProviderRefusal when the printer has no such blank
 */
export async function readBlank({ db, clock, printful }: BlankNeeds, id: number): Promise<void> {
  const read = await printful.getBlank(id)
  const sizeTables = await printful.listSizeTables(id)
  const printAreas: PrinterPrintArea[] = []
  for (const { key } of read.techniques) printAreas.push(...(await printful.listPrintAreas(id, key)))
  if (printAreas.length === 0) {
    const technique = (read.techniques.find(({ isDefault }) => isDefault) ?? read.techniques[0])?.key ?? ''
    printAreas.push(...(await printful.listPrintAreas(id, null)).map((area) => ({ ...area, technique })))
  }
  const now = clock.now()
  await db.transaction(async (tx) => {
    const { description, originCountry, fulfillmentDays, placements, options, variants, ...summary } = read
    await saveSummaries(tx, [summary], now)
    const before = (await lockRow(tx, id))?.details?.variants ?? []
    const compared = compareVariants(before, variants, now)
    const details: BlankDetails = {
      description,
      originCountry,
      fulfillmentDays,
      variants: compared,
      sizeTables,
      printAreas: withCosts(printAreas, placements),
      options,
    }
    await saveDetails(tx, id, {
      ...{ details, fetchedAt: now, costsReadAt: now, costChangedAt: lastChangeOf(compared) },
      ...rangeOf(compared.flatMap(({ cost, discontinuedAt }) => (cost === null || discontinuedAt ? [] : [cost]))),
    })
  })
}

/** The printer's variants with what we knew of them; those that it no longer has come last. */
function compareVariants(
  before: readonly BlankVariant[],
  variants: PrinterBlank['variants'],
  now: Date,
): BlankVariant[] {
  const known = new Map(before.map((variant) => [variant.id, variant]))
  const made = new Set(variants.map(({ id }) => id))
  const at = now.toISOString()
  return [
    ...variants.map((variant) => {
      const old = known.get(variant.id)
      const isChanged = old !== undefined && old.cost !== null && variant.cost !== null && old.cost !== variant.cost
      return {
        ...variant,
        // A cost that is missing for once is the last one.
        cost: variant.cost ?? old?.cost ?? null,
        costBefore: isChanged ? old.cost : (old?.costBefore ?? null),
        costChangedAt: isChanged ? at : (old?.costChangedAt ?? null),
        discontinuedAt: null,
      }
    }),
    ...before
      .filter(({ id }) => !made.has(id))
      .map((variant) => ({
        ...variant,
        isInStock: false,
        regions: [],
        discontinuedAt: variant.discontinuedAt ?? at,
      })),
  ]
}

function withCosts(areas: readonly PrinterPrintArea[], placements: PrinterBlank['placements']): BlankPrintArea[] {
  const costs = new Map(placements.map((each) => [each.placement, each]))
  const seen = new Set<string>()
  return areas.flatMap((area) => {
    // Printful repeats placements that two techniques share.
    const key = `${area.placement} ${area.width} ${area.height} ${area.variantIds.join()}`
    if (seen.has(key)) return []
    seen.add(key)
    const { extraCost = ZERO, unlimitedColorsCost = null } = costs.get(area.placement) ?? {}
    return [{ ...area, extraCost, unlimitedColorsCost }]
  })
}

/** The last of all changes of costs. */
function lastChangeOf(variants: readonly BlankVariant[]): Date | null {
  const last = variants
    .flatMap(({ costChangedAt }) => costChangedAt ?? [])
    .toSorted()
    .at(-1)
  return last === undefined ? null : new Date(last)
}

function rangeOf(costs: readonly Cents[]): { costFromCents: Cents | null; costToCents: Cents | null } {
  const sorted = costs.toSorted((a, b) => a - b)
  return { costFromCents: sorted[0] ?? null, costToCents: sorted.at(-1) ?? null }
}

/** Reads what a blank's variants cost, in one call. @throws ProviderUnavailable */
export async function readCosts({ db, clock, printful }: BlankNeeds, id: number): Promise<void> {
  const costs = await printful.listCosts(id).catch((error: unknown) => {
    // One blank's answer that cannot be read must not keep all others from being read; what was known stays.
    if (error instanceof UnusableResponse) return undefined
    // Gone between the list and now: the next list says so.
    if (error instanceof ProviderRefusal && error.code === 'NotFound') return new Map<number, Cents>()
    throw error
  })
  const read = costs && rangeOf([...costs.values()])
  await db.transaction((tx) => saveCosts(tx, id, { ...read, costsReadAt: clock.now() }))
}

/** @throws Refusal `unknown_picture`, also while the printer's files don't answer */
export async function readBlankPicture(shop: BlankNeeds & Needs<'pictureProcess'>, id: number) {
  const row = id > ROW_ID_MAX ? undefined : await findRow(shop.db, id)
  if (!row?.imageUrl) throw new Refusal('unknown_picture')
  try {
    const { file, widths } = await takePrinterPicture(shop, { sourceUrl: row.imageUrl, alt: row.title, kind: 'blank' })
    const stored = await readStoredFile(shop.db, `${file}.${Math.max(...widths)}.webp`)
    if (!stored) throw new Refusal('unknown_picture')
    return { name: `blank-${id}.webp`, type: stored.type, bytes: Readable.from([stored.body]) }
  } catch (error) {
    if (error instanceof ProviderUnavailable || error instanceof ProviderRefusal || error instanceof Refusal)
      throw new Refusal('unknown_picture')
    throw error
  }
}

type BlankRequest = { search?: string | undefined; category?: number | undefined; page?: number | undefined }

/** A page of the printer's catalog. Reads it from the printer if that never happened. */
export async function listBlanks(shop: BlankNeeds, { search = '', category, page = 1 }: BlankRequest) {
  const readAt = (await findListReadAt(shop.db)) ?? (await readFirstList(shop))
  const [rows, categories] = await Promise.all([listSummaryRows(shop.db), listCategories(shop.db)])
  const pathOf = pathsOf(categories)
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const all = rows.map((row) => ({ row, path: pathOf(row.categoryId) }))
  const found = all.filter(
    ({ row, path }) =>
      (category === undefined || path.some(({ id }) => id === category)) &&
      matches(words, [String(row.id), row.title, row.brand, row.model, row.kind, ...path.map(({ title }) => title)]),
  )
  const shown = found.slice((page - 1) * BLANKS_A_PAGE, page * BLANKS_A_PAGE)
  const pictures = await picturesOf(
    shop.db,
    shown.map(({ row }) => row),
  )
  const counts = Map.groupBy(
    all.flatMap(({ path }) => path.map(({ id }) => id)),
    (id) => id,
  )
  return {
    blanks: shown.map(({ row, path }) => summaryOf(row, path, pictures)),
    total: found.length,
    categories: categories.flatMap((one) => {
      const blanks = counts.get(one.id)?.length ?? 0
      return blanks > 0 ? [{ ...one, blanks }] : []
    }),
    readAt: readAt ?? null,
  }
}

async function readFirstList(shop: BlankNeeds): Promise<string | undefined> {
  try {
    await withTimeout(readBlankList(shop), () => undefined)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
  }
  return findListReadAt(shop.db)
}

const matches = (words: readonly string[], texts: readonly (string | null)[]): boolean => {
  const text = texts.join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

type Category = { id: number; parentId: number | null; title: string }

/** @returns the categories from the root to one, itself included */
function pathsOf(categories: readonly Category[]): (id: number | null) => Category[] {
  const byId = new Map(categories.map((one) => [one.id, one]))
  return (id) => {
    const path: Category[] = []
    for (let one = byId.get(id ?? 0); one && !path.includes(one); one = byId.get(one.parentId ?? 0)) path.unshift(one)
    return path
  }
}

const picturesOf = (db: Reader, rows: readonly Pick<BlankRow, 'imageUrl'>[]): Promise<PrinterPictures> =>
  findPrinterPictures(
    db,
    rows.flatMap(({ imageUrl }) => imageUrl ?? []),
  )

/** What we took over is served like our other pictures; until then, asking for it takes it over. */
const pictureOf = ({ id, imageUrl }: Pick<BlankRow, 'id' | 'imageUrl'>, pictures: PrinterPictures): string | null =>
  imageUrl === null ? null : (pictures.get(imageUrl)?.src ?? `/api/admin/blanks/${id}/picture`)

const summaryOf = (
  row: Omit<BlankRow, 'details'>,
  path: readonly Category[],
  pictures: PrinterPictures,
): BlankSummary => ({
  id: row.id,
  title: row.title,
  brand: row.brand,
  model: row.model,
  kind: row.kind,
  categoryId: row.categoryId,
  category: path.map(({ title }) => title),
  techniques: row.techniques,
  variantCount: row.variantCount,
  picture: pictureOf(row, pictures),
  costFrom: row.costFromCents,
  costTo: row.costToCents,
  costsReadAt: row.costsReadAt?.toISOString() ?? null,
  discontinuedAt: row.discontinuedAt?.toISOString() ?? null,
  costChangedAt: row.costChangedAt?.toISOString() ?? null,
  fetchedAt: row.fetchedAt?.toISOString() ?? null,
})

/** Of blanks by id, as far as our copy has them; the printer is not asked. */
export const listBlankTitles = async (
  db: Reader,
  ids: readonly number[],
): Promise<Map<number, { title: string; isDiscontinued: boolean }>> =>
  new Map(
    (await listTitles(db, ids)).map(({ id, title, discontinuedAt }) => [
      id,
      { title, isDiscontinued: discontinuedAt !== null },
    ]),
  )

/** Our copy of a blank, however old. @returns undefined when it was never opened */
async function findBlank(db: Reader, id: number): Promise<Blank | undefined> {
  const row = await findRow(db, id)
  if (!row?.details) return undefined
  const { details } = row
  const path = pathsOf(await listCategories(db))(row.categoryId)
  const made = details.variants.filter(({ discontinuedAt }) => discontinuedAt === null)
  return {
    ...summaryOf(row, path, await picturesOf(db, [row])),
    ...details,
    colors: colorsOf(made),
    sizes: sizesOf(made),
  }
}

/**
 * A blank, read from the printer if our copy is missing or older than a day. While the printer does not answer, an old copy is shown.
 * @throws Refusal `unknown_blank`; `blank_not_read` without a copy, while the printer does not answer
 */
export async function showBlank(shop: BlankNeeds, id: number): Promise<Blank> {
  const row = await findRow(shop.db, id)
  const isFresh = row?.fetchedAt && row.fetchedAt > after(shop.clock.now(), -FRESH_MS)
  if (!isFresh) {
    try {
      await withTimeout(readBlank(shop, id), () => undefined)
    } catch (error) {
      if (error instanceof ProviderRefusal && !row?.details) throw new Refusal('unknown_blank')
      if (!(error instanceof ProviderRefusal || error instanceof ProviderUnavailable)) throw error
    }
  }
  const found = await findBlank(shop.db, id)
  if (!found) throw new Refusal('blank_not_read')
  return found
}

const colorsOf = (variants: readonly BlankVariant[]): Blank['colors'] =>
  [...Map.groupBy(variants, ({ color }) => color)].flatMap(([name, same]) => {
    const [first] = same
    if (name === null || !first) return []
    return [{ name, hex: first.hex, hex2: first.hex2, isInStock: same.some(({ isInStock }) => isInStock) }]
  })

const sizesOf = (variants: readonly BlankVariant[]): string[] => [
  ...new Set(variants.flatMap(({ size }) => size ?? [])),
]
