import { changedMembers, mergeImport, type ProductContent } from '#domain/catalog/product-content.ts'
import { productCanBecome } from '#domain/catalog/product-state.ts'
import { MADE } from '#domain/catalog/buyable.ts'
import type { ProductId } from '#shared/ids.ts'
import { formatUsd } from '#shared/money.ts'
import { CatalogFileError, type FileMistake } from './catalog-file-error.ts'
import type { ProductToImport } from './catalog-file.ts'
import type { StoredContent } from './product-store.ts'

// What a file of products comes to, before anything is written.

/** `file`: the file's content, with what a start compares at the next one. */
export type Plan = {
  row: number
  id: ProductId
  before: StoredContent | undefined
  file: ProductContent
  isFileNew: boolean
  after: ProductContent
  /** Addresses from before that the file has, and the shop not yet. */
  newFormerSlugs: readonly string[]
  variants: ProductToImport['variants']
}

const emptyContent: Omit<ProductContent, 'slug' | 'name' | 'description' | 'collection' | 'type'> = {
  externalId: null,
  badge: null,
  metadata: {},
  requiresOptions: false,
  providerProductId: null,
  colors: [],
  pictures: [],
  place: null,
  state: 'published',
  publishAt: null,
}

/** The product that each former address leads to. */
export type FormerSlugs = ReadonlyMap<string, ProductId>

/** @param slug where the product is now; renamed back to a former slug, it answers there itself */
const newOf = (named: readonly string[], id: ProductId, slug: string, known: FormerSlugs): string[] =>
  [...new Set(named)].filter((former) => former !== slug && known.get(former) !== id)

/** Without the ids of products that files made, a start could not tell its products from the owner's. */
export function planStart(
  current: ReadonlyMap<ProductId, StoredContent>,
  last: ReadonlyMap<ProductId, ProductContent>,
  products: readonly ProductToImport[],
  formerSlugs: FormerSlugs,
): Plan[] {
  return products.map(({ row, id, content, variants, ...rest }) => {
    if (id === undefined) throw new CatalogFileError([{ row, column: 'id', problem: 'Every product needs an id' }])
    const before = current.get(id)
    const file = { ...emptyContent, ...membersIn(content) } as ProductContent
    const known = last.get(id)
    const after = before ? mergeImport(known, before.content, file) : file
    return {
      ...{ row, id, before, file, variants, after },
      newFormerSlugs: newOf(rest.formerSlugs, id, after.slug, formerSlugs),
      isFileNew: !before || !known || changedMembers(known, file).length > 0,
    }
  })
}

export function planUpload(
  current: ReadonlyMap<ProductId, StoredContent>,
  products: readonly ProductToImport[],
  firstFreeId: ProductId,
  formerSlugs: FormerSlugs,
): Plan[] {
  const bySlug = new Map([...current].map(([id, { content }]) => [content.slug, id]))
  let free: number = firstFreeId
  return products.map(({ row, id: ownId, content, variants, ...rest }) => {
    const id = ownId ?? bySlug.get(content.slug) ?? (free++ as ProductId)
    const before = current.get(id)
    const given = membersIn(content)
    const isRenamed = before && given.slug !== before.content.slug && given.externalId === undefined
    const after = {
      ...(before?.content ?? emptyContent),
      ...given,
      ...(isRenamed && { externalId: before.content.externalId ?? before.content.slug }),
    } as ProductContent
    const newFormerSlugs = newOf(rest.formerSlugs, id, after.slug, formerSlugs)
    return { ...{ row, id, before, variants, after, newFormerSlugs }, file: after, isFileNew: true }
  })
}

/** What a file says, without what it leaves open. */
const membersIn = (content: ProductToImport['content']): ProductToImport['content'] =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined)) as ProductToImport['content']

/** Retires products that came from files and are not in this one. */
export function planMissing(
  current: ReadonlyMap<ProductId, StoredContent>,
  fromFiles: ReadonlyMap<ProductId, ProductContent>,
  products: readonly ProductToImport[],
): Plan[] {
  const named = new Set(products.map(({ id }) => id))
  const slugs = new Set(products.map(({ content }) => content.slug))
  return [...fromFiles].flatMap(([id, known]) => {
    const before = current.get(id)
    if (!before || named.has(id) || slugs.has(before.content.slug) || known.state === 'retired') return []
    const retired = { state: 'retired', publishAt: null } as const
    return {
      ...{ row: 0, id, before, variants: undefined, newFormerSlugs: [], isFileNew: true },
      file: { ...known, ...retired },
      after: { ...before.content, ...retired },
    }
  })
}

const REQUIRED = ['name', 'description', 'collection', 'type'] as const

/** What products may name. */
type Surroundings = { types: ReadonlySet<string>; collections: ReadonlySet<string>; formerSlugs: FormerSlugs }

/**
 * @throws CatalogFileError for unknown types and collections, what a new product lacks, states that a product cannot reach, and slugs of
 * other products
 */
export function refuseMistakes(
  plans: readonly Plan[],
  current: ReadonlyMap<ProductId, StoredContent>,
  { types, collections, formerSlugs }: Surroundings,
): void {
  const mistakes: FileMistake[] = []
  const slugs = new Map([...current].map(([id, { content }]) => [content.slug, id]))
  for (const { before } of plans) if (before) slugs.delete(before.content.slug)
  const slugsAfter = new Map([...slugs, ...plans.map(({ id, after }) => [after.slug, id] as const)])
  for (const { row, before, after, newFormerSlugs } of plans) {
    const refuse = (column: string, problem: string) => mistakes.push({ row, column, problem })
    for (const column of REQUIRED) if (after[column] === undefined) refuse(column, 'A new product needs it')
    if (row && after.type !== undefined && !types.has(after.type))
      refuse('type', `There is no product type “${after.type}”`)
    const isCollectionNew = after.collection !== undefined && after.collection !== before?.content.collection
    if (row && isCollectionNew && !collections.has(after.collection))
      refuse('collection', `There is no collection “${after.collection}”`)
    const owner = slugs.get(after.slug)
    if (owner !== undefined) refuse('slug', `${after.slug} is the slug of product ${owner}`)
    for (const slug of newFormerSlugs) {
      const [user, former] = [slugsAfter.get(slug), formerSlugs.get(slug)]
      if (user !== undefined) refuse('formerSlugs', `${slug} is the slug of product ${user}`)
      else if (former !== undefined) refuse('formerSlugs', `${slug} leads to product ${former}`)
    }
    const from = before?.content.state
    if (from && !productCanBecome(from, after.state)) refuse('state', `A ${from} product can’t become ${after.state}`)
    if (after.state === 'scheduled' && after.publishAt === null) refuse('publishAt', 'A scheduled product needs a time')
  }
  if (mistakes.length) throw new CatalogFileError(mistakes)
}

/** Variants on sale that cost more than they bring. */
export const pricesBelowCost = (products: readonly ProductToImport[]): FileMistake[] =>
  products.flatMap(({ row, rows, variants }) =>
    [...(variants?.values() ?? [])].flatMap(({ name, unitPrice, costCents, availability }, index) =>
      costCents !== null && unitPrice < costCents && availability === MADE
        ? [
            {
              row: rows?.[index] ?? row,
              column: 'price',
              problem: `${name} sells for ${formatUsd(unitPrice)} and costs ${formatUsd(costCents)}`,
            },
          ]
        : [],
    ),
  )
