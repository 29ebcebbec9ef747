import * as z from 'zod/mini'
import { decimalFromCents, type Cents } from '#shared/money.ts'
import type { SyncProductId, VariantId } from '#shared/ids.ts'
import { SECOND_MS } from '#shared/time.ts'
import type { ReportUnknownValue } from '#server/providers/unknown-values.ts'
import { ProviderUnavailable } from '../provider-errors.ts'
import { requireAnswer, type Ask } from './calls.ts'
import {
  envelope,
  headOf,
  id,
  maybeId,
  productOf,
  productShape,
  syncProductShape,
  syncVariantShape,
  variantOf,
  word,
  type SyncProduct,
  type SyncProductHead,
  type SyncVariant,
} from './shapes.ts'

/** Variants of one product. */
export const VARIANTS_MAX = 100

/** A drawing on a placement. Printful fits the file into the placement's print area, so it has the area's proportions. */
type PrintFile = {
  /** Such as `front` or `embroidery_chest_left`. */
  placement: string
  /** A public address that stays the same; a file that Printful has read is not read again. */
  url: string
  /** Embroidery in the drawing's own colors, for an extra cost. */
  unlimitedColors?: boolean
}

export type NewVariant = {
  /** Ours, at most 64 of `A-Z a-z 0-9 _ -`; unique in the Printful store. */
  externalId: string
  /** Printful's catalog variant. */
  catalogVariantId: number
  retailPrice: Cents
  sku: string
  files: readonly PrintFile[]
  /** Such as `thread_colors_chest_left` with up to six colors, or `stitch_color` with one. */
  options: readonly { id: string; value: string | boolean | readonly string[] }[]
}

export type NewStoreProduct = {
  /** Our slug; unique in the Printful store. */
  externalId: string
  name: string
  /** A public address of a picture. */
  thumbnailUrl: string | null
  /** At most `VARIANTS_MAX`. */
  variants: readonly NewVariant[]
}

/** What changes of a product in the store. With `variants`, those that are not listed are deleted; known ones keep what is not given. */
type StoreProductChange = {
  externalId?: string
  name?: string
  thumbnailUrl?: string
  variants?: readonly (NewVariant | (Partial<NewVariant> & { id: VariantId }))[]
}

/** A product of the store as its owner made it there. JSON, so it can be stored. */
export type StoreProduct = SyncProductHead & {
  /** Of its first variant: `Unisex Staple T-Shirt (Black / S)`. */
  blankTitle: string
  /** ISO 8601, of its oldest file: Printful does not say when a product was made. */
  madeAt: string | null
  /** Without those that its owner ignores over there. */
  variants: (SyncVariant & {
    /** Whether it is tied to a blank. */
    isSynced: boolean
    /** Where it is printed. Empty without a file. */
    placements: string[]
  })[]
  ignoredVariants: VariantId[]
}

const fileStates = ['waiting', 'ok', 'failed'] as const

/** A file in Printful's library. It reads files after the call, so the first state is `waiting`. */
type LibraryFile = {
  id: number
  url: string | null
  state: (typeof fileStates)[number]
  /** In pixels; null before it was read. */
  width: number | null
  height: number | null
  dpi: number | null
}

export type StoreProductCalls = {
  /** @throws ProviderRefusal with code `NotFound` */
  getStoreProduct(id: SyncProductId): Promise<StoreProduct>
  /** @param externalId ours. @returns undefined when the store has no such product */
  findProduct(externalId: string): Promise<SyncProduct | undefined>
  /**
   * Creates a product with its variants, or finds the one that an earlier call created: after ProviderUnavailable it may exist, and
   * calling again is safe.
   * @throws ProviderRefusal with Printful's sentence; then nothing was created
   */
  createProduct(product: NewStoreProduct): Promise<SyncProduct>
  /** @throws ProviderRefusal with Printful's sentence; then nothing changed */
  changeProduct(id: SyncProductId, change: StoreProductChange): Promise<SyncProduct>
  /** @throws ProviderRefusal with Printful's sentence, `NotFound` for a variant that the store no longer has */
  changePrice(id: VariantId, price: Cents): Promise<void>
  /** Deletes a product with its variants. Deleting it again does nothing. */
  deleteProduct(id: SyncProductId): Promise<void>
  /** Adds a file by its public address, or finds the one that was added before by the same address. */
  addFile(url: string): Promise<LibraryFile>
  /** @throws ProviderRefusal for an unknown file */
  getFile(id: number): Promise<LibraryFile>
  /** Thread colors nearest to a picture's, as `#rrggbb`. @param url its public address */
  suggestThreadColors(url: string): Promise<string[]>
}

/** Printful prepares all variants before it answers. */
const TIMEOUT_MS = 30 * SECOND_MS
const background = { urgency: 'background' } as const

const libraryFileShape = z.object({
  id,
  url: word,
  status: word,
  width: maybeId,
  height: maybeId,
  dpi: maybeId,
})

const colors = z.nullish(z.array(z.string()))
/** The description has the colors beside the code; the API's example, in its result. */
const threadColorsShape = z.object({
  thread_colors: colors,
  result: z.nullish(z.object({ thread_colors: colors })),
})

export function createStoreProductCalls(ask: Ask, report: ReportUnknownValue): StoreProductCalls {
  async function findProduct(externalId: string): Promise<SyncProduct | undefined> {
    const path = `/store/products/@${encodeURIComponent(externalId)}`
    const answer = await ask('GET', path, envelope(productShape), background)
    const found = answer && productOf(answer.result)
    if (found && found.externalId !== externalId)
      throw new ProviderUnavailable('printful', new Error('The response is about another product.'))
    return found
  }

  async function getProduct(id: number): Promise<SyncProduct> {
    const answer = await ask('GET', `/store/products/${id}`, envelope(productShape), background)
    return productOf(requireAnswer(answer).result)
  }

  function libraryFileOf({ id, url, status, width, height, dpi }: z.output<typeof libraryFileShape>): LibraryFile {
    const state = fileStates.find((known) => known === status)
    if (!state) report('file status', status ?? 'none')
    return {
      id,
      url: url ?? null,
      state: state ?? 'waiting',
      width: width ?? null,
      height: height ?? null,
      dpi: dpi ?? null,
    }
  }

  return {
    async getStoreProduct(id) {
      const answer = await ask('GET', `/store/products/${id}`, envelope(productShape), background)
      return storeProductOf(requireAnswer(answer).result)
    },
    findProduct,
    async createProduct(product) {
      const existing = await findProduct(product.externalId)
      if (existing) return existing
      try {
        const body = {
          sync_product: {
            external_id: product.externalId,
            name: product.name,
            ...(product.thumbnailUrl && { thumbnail: product.thumbnailUrl }),
          },
          sync_variants: product.variants.map(variantBody),
        }
        const options = { ...background, body, timeoutMs: TIMEOUT_MS }
        const { result } = requireAnswer(await ask('POST', '/store/products', envelope(syncProductShape), options))
        return await getProduct(result.id)
      } catch (error) {
        // The answer may be lost, or another of our calls was first: what counts is what the store has.
        const created = await findProduct(product.externalId).catch(() => undefined)
        if (created) return created
        throw error
      }
    },
    async changeProduct(id, { externalId, name, thumbnailUrl, variants }) {
      const body = {
        sync_product: {
          ...(externalId && { external_id: externalId }),
          ...(name && { name }),
          ...(thumbnailUrl && { thumbnail: thumbnailUrl }),
        },
        ...(variants && { sync_variants: variants.map(variantBody) }),
      }
      const options = { ...background, own: 'change', body, timeoutMs: TIMEOUT_MS } as const
      requireAnswer(await ask('PUT', `/store/products/${id}`, envelope(syncProductShape), options))
      return getProduct(id)
    },
    async changePrice(id, price) {
      const options = { ...background, body: { retail_price: decimalFromCents(price) } }
      const { result } = requireAnswer(await ask('PUT', `/store/variants/${id}`, envelope(syncVariantShape), options))
      if (variantOf(result).unitPrice !== price)
        throw new ProviderUnavailable('printful', new Error('The variant came back with another price.'))
    },
    async deleteProduct(id) {
      await ask('DELETE', `/store/products/${id}`, z.unknown(), { ...background, timeoutMs: TIMEOUT_MS })
    },
    async addFile(url) {
      const answer = await ask('POST', '/files', envelope(libraryFileShape), { ...background, body: { url } })
      return libraryFileOf(requireAnswer(answer).result)
    },
    async getFile(id) {
      return libraryFileOf(
        requireAnswer(await ask('GET', `/files/${id}`, envelope(libraryFileShape), background)).result,
      )
    },
    async suggestThreadColors(url) {
      const options = { ...background, body: { file_url: url }, timeoutMs: TIMEOUT_MS }
      const answer = requireAnswer(await ask('POST', '/files/thread-colors', threadColorsShape, options))
      const found = answer.result?.thread_colors ?? answer.thread_colors ?? []
      return found.filter((color) => /^#[0-9a-f]{6}$/i.test(color)).map((color) => color.toLowerCase())
    },
  }
}

function storeProductOf({ sync_product, sync_variants }: z.output<typeof productShape>): StoreProduct {
  const kept = (sync_variants ?? []).filter(({ is_ignored }) => is_ignored !== true)
  const times = kept.flatMap(({ files }) => (files ?? []).flatMap(({ created }) => created ?? []))
  return {
    ...headOf(sync_product),
    // `Unisex Staple T-Shirt | Bella + Canvas 3001 (Black / S)`.
    blankTitle: (kept[0]?.product?.name ?? '').replace(/ \([^()]*\)$/, ''),
    madeAt: times.length ? new Date(Math.min(...times) * SECOND_MS).toISOString() : null,
    ignoredVariants: (sync_variants ?? []).flatMap(({ id, is_ignored }) => (is_ignored ? (id as VariantId) : [])),
    variants: kept.map((variant) => ({
      ...variantOf(variant),
      isSynced: variant.synced !== false && typeof variant.variant_id === 'number',
      placements: (variant.files ?? []).flatMap(({ type }) => (type === 'preview' ? [] : (type ?? 'default'))),
    })),
  }
}

const variantBody = (variant: Partial<NewVariant> & { id?: VariantId }) => ({
  ...(variant.id && { id: variant.id }),
  ...(variant.externalId && { external_id: variant.externalId }),
  ...(variant.catalogVariantId && { variant_id: variant.catalogVariantId }),
  ...(variant.retailPrice !== undefined && { retail_price: decimalFromCents(variant.retailPrice) }),
  ...(variant.sku && { sku: variant.sku }),
  ...(variant.files && {
    files: variant.files.map(({ placement, url, unlimitedColors }) => ({
      type: placement,
      url,
      ...(unlimitedColors && { options: [{ id: 'full_color', value: true }] }),
    })),
  }),
  ...(variant.options && { options: variant.options.map(({ id, value }) => ({ id, value })) }),
})
