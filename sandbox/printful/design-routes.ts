import type { z } from 'zod'

import type { Answer, Call } from '../kit/types.ts'
import { ok, PrintfulError } from './answers.ts'
import type { Catalog } from './catalog.ts'
import { render, type Library, type LibraryFile } from './library.ts'
import { mockupBody, taskV1, type Mockups } from './mockups.ts'
import type { StoreProduct, StoreVariant } from './products.ts'
import { libraryFile, productDetail, syncProduct, syncVariant, type View } from './shapes.ts'
import { createBody, fileBody, threadColorsBody, variantBody, type Store } from './store.ts'

/** Groups in the path are passed on. */
export type Route = readonly [
  method: string,
  path: RegExp,
  answer: (call: Call, id: string) => Answer | Promise<Answer>,
]

type Limiter = { count(): Record<string, string> }

/** Calls from a blank to a product in the store: the catalog, files, mockups, creating and changing. */
export const designRoutes = ({
  catalog,
  library,
  mockups,
  made,
  changes,
  mockupCalls,
  view,
  getProduct,
  getVariant,
  bodyOf,
}: {
  catalog: Catalog
  library: Library
  mockups: Mockups
  made: Store
  changes: Limiter
  mockupCalls: Limiter
  view: View
  getProduct: (id: string) => StoreProduct
  getVariant: (id: string) => { product: StoreProduct; variant: StoreVariant }
  bodyOf: <T>(call: Call, schema: z.ZodType<T>) => T
}): readonly Route[] => [
  ['POST', /^\/store\/products$/, (call) => ok(syncProduct(made.create(bodyOf(call, createBody)), view))],
  [
    'PUT',
    /^\/store\/products\/([^/]+)$/,
    (call, id) => {
      const announced = changes.count()
      const changed = made.change(getProduct(id), bodyOf(call, createBody))
      return { ...ok(syncProduct(changed, view)), headers: announced }
    },
  ],
  [
    'DELETE',
    /^\/store\/products\/([^/]+)$/,
    (_, id) => {
      const product = getProduct(id)
      made.remove(product)
      return ok(productDetail(product, view))
    },
  ],
  [
    'PUT',
    /^\/store\/variants\/([^/]+)$/,
    (call, id) => {
      const { product, variant } = getVariant(id)
      return ok(syncVariant(product, made.changeVariant(product, variant, bodyOf(call, variantBody)), view))
    },
  ],
  [
    'POST',
    /^\/files$/,
    (call) => {
      const { url, filename, visible } = bodyOf(call, fileBody)
      const file = library.add(url, { ...(filename && { filename }), visible: visible !== false && visible !== 0 })
      return ok(libraryFile(file, view.origin))
    },
  ],
  ['GET', /^\/files\/(\d+)$/, (_, id) => ok(libraryFile(fileOf(library, id), view.origin))],
  [
    'POST',
    /^\/files\/thread-colors$/,
    async (call) => {
      const thread_colors = await library.threadColors(bodyOf(call, threadColorsBody).file_url)
      return ok({ thread_colors })
    },
  ],
  [
    'GET',
    /^\/products$/,
    ({ query }) =>
      ok(catalog.list((query.get('category_id') ?? '').split(',').filter(Boolean).map(Number), view.origin)),
  ],
  ['GET', /^\/products\/(\d+)$/, (_, id) => ok(catalog.detail(Number(id), view.origin))],
  [
    'GET',
    /^\/products\/(\d+)\/sizes$/,
    ({ query }, id) => ok(catalog.sizes(Number(id), (query.get('unit') ?? 'inches').split(','))),
  ],
  ['GET', /^\/categories$/, () => ok({ categories: catalog.categories() })],
  [
    'GET',
    /^\/mockup-generator\/printfiles\/(\d+)$/,
    ({ query }, id) => ok(catalog.printfilesOf(Number(id), query.get('technique'))),
  ],
  [
    'POST',
    /^\/mockup-generator\/create-task\/(\d+)$/,
    (call, id) => {
      const announced = mockupCalls.count()
      const task = mockups.create(Number(id), bodyOf(call, mockupBody))
      return { ...ok(taskV1(task, view.origin)), headers: announced }
    },
  ],
  ['GET', /^\/mockup-generator\/task$/, ({ query }) => ok(taskV1(mockups.get(query.get('task_key')), view.origin))],
]

function fileOf(library: Library, id: string): LibraryFile {
  const file = library.find(Number(id))
  if (!file) throw new PrintfulError(404, 'Not Found')
  return file
}

const PREVIEW_WIDTH = 1000

/**
 * The preview of a variant that was created: the blank's color with what is printed on its first placement. Or of a file.
 * @param name as in their addresses
 */
export async function previewOfFile(
  name: string,
  products: readonly StoreProduct[],
  made: Store,
  library: Library,
): Promise<Buffer | undefined> {
  const [, kind, id] = /^(preview|file)-(\d+)-/.exec(name) ?? []
  if (kind === 'file') return library.find(Number(id))?.image
  for (const product of kind ? products : []) {
    const variant = product.variants.find((one) => String(one.id) === id)
    const [first] = variant ? made.printsOf(variant) : []
    if (variant && first?.file.image)
      return render(
        product.hexes[variant.color] ?? null,
        [{ image: first.file.image, position: first.position }],
        PREVIEW_WIDTH,
        'webp',
      )
  }
  return undefined
}
