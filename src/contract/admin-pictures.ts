import * as z from 'zod/mini'
import { pictureModels, pictureViews, shownViews, viewsOf } from '#domain/pictures/picture-models.ts'
import { call } from './call.ts'
import type { ProductId } from '#shared/ids.ts'
import { isoMoment, pathId, shortText, singleLineText } from './wire.ts'

/**
 * `product` and `hero` differ in their sizes. A `drawing` is printed; `printer` pictures are the printer's, `blank` ones its pictures of
 * blanks, `composed` ones ours.
 */
export const pictureKinds = ['product', 'hero', 'drawing', 'printer', 'blank', 'composed', 'logo', 'icon'] as const
const uploadKinds = ['product', 'hero', 'drawing', 'logo'] as const
export type UploadKind = (typeof uploadKinds)[number]

/** A picture's name without width and extension; contains a hash of what it was made from. */
const pictureFile = z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{7,119}$/))

/** Shares of a drawing's visible pixels, the most frequent color first. */
const Colors = z.array(z.object({ hex: z.string(), share: z.number() }))

/** A picture in our own sizes: `/pictures/<file>.<width>.webp` and, if `avif`, `.avif`. */
export const StoredPicture = z.object({
  file: z.string(),
  kind: z.enum(pictureKinds),
  alt: z.string(),
  src: z.string(),
  srcSet: z.string(),
  avif: z.boolean(),
  /** In pixels, the widest first; `width` and `height` are the widest file's. */
  widths: z.array(z.int()),
  width: z.int(),
  height: z.int(),
  createdAt: isoMoment,
  /** Of a drawing or a logo: the original's size in pixels and its colors. */
  drawing: z.optional(
    z.object({
      width: z.int(),
      height: z.int(),
      isVector: z.boolean(),
      /** Whether some of its ground is transparent: without it, it covers the product as a rectangle. */
      hasTransparency: z.boolean(),
      /** Colors of everything visible, and of the edge toward the cloth. */
      ink: Colors,
      edge: Colors,
    }),
  ),
})
export type StoredPicture = z.output<typeof StoredPicture>
export type Drawing = NonNullable<StoredPicture['drawing']>

const hex = z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Please enter a color such as #2b2b2e'))
const share = z.coerce.number('Please enter a number').check(z.gte(0, 'Too small'), z.lte(1, 'Too large'))
const size = z.coerce.number('Please enter a number').check(z.gte(0.02, 'Too small'), z.lte(1, 'Too large'))

const NO_SUCH_VIEW = 'The product has no such view'

/** The box into which the drawing is fitted: center and size as shares of the print area; y grows downwards. */
const Placement = z.object({ x: share, y: share, width: size, height: size })

const ComposedPicture = z.object({
  view: z.enum(pictureViews),
  color: z.string(),
  /** Null until it is made. */
  picture: z.nullable(StoredPicture),
})

/** The pictures of a drawing on a product, while they are made. */
export const Composition = z.object({
  id: z.string(),
  state: z.enum(['working', 'done', 'failed']),
  /** What the owner can do, if it failed. */
  failure: z.nullable(z.string()),
  made: z.int(),
  total: z.int(),
  /** In the order of colors, then views. */
  pictures: z.array(ComposedPicture),
})
export type Composition = z.output<typeof Composition>

const ofFile = z.object({ file: pictureFile })

/** Its body is no JSON. */
export const pictureUploadCalls = {
  upload: call({
    method: 'POST',
    path: '/api/admin/pictures',
    access: 'owner',
    summary:
      'Stores an uploaded picture in our sizes. The body is the file itself: PNG, JPEG, WebP or AVIF, for drawings and logos also SVG; at most 50 MB.',
    query: z.object({
      kind: z.enum(uploadKinds),
      /** What the picture shows, for people who cannot see it. */
      alt: shortText(3, 250, 'Please describe what the picture shows'),
    }),
    body: 'bytes',
    answer: StoredPicture,
    refusals: [
      ...(['picture_too_large', 'picture_type', 'picture_damaged', 'picture_too_many_pixels'] as const),
      ...(['picture_too_small', 'picture_too_complex', 'svg_unsafe', 'upload_too_slow'] as const),
    ],
  }),
}

export const adminPictureCalls = {
  pictures: call({
    method: 'GET',
    path: '/api/admin/pictures',
    access: 'owner',
    summary: 'Stored pictures, latest first; `before` continues before that picture.',
    query: z.object({ kind: z.optional(z.enum(pictureKinds)), before: z.optional(pictureFile) }),
    answer: z.object({ pictures: z.array(StoredPicture), hasMore: z.boolean() }),
    refusals: [],
  }),
  drawingColors: call({
    method: 'GET',
    path: '/api/admin/pictures/:file/colors',
    access: 'owner',
    summary: 'How well a drawing stands out on each of these colors.',
    params: ofFile,
    query: z.object({ hex: z.union([hex, z.array(hex).check(z.maxLength(200))]) }),
    answer: z.object({
      colors: z.array(z.object({ hex: z.string(), fit: z.enum(['good', 'weak', 'poor']), standsOut: z.number() })),
    }),
    refusals: ['unknown_picture'],
  }),
  preview: call({
    method: 'GET',
    path: '/api/admin/pictures/:file/preview',
    access: 'owner',
    summary: 'The drawing on a product, 640 pixels wide: one view, one color. A WebP file.',
    params: ofFile,
    query: z
      .extend(Placement, {
        model: z.enum(pictureModels),
        view: z.enum(pictureViews),
        hex,
        /** The second color of a product that has two. */
        accent: z.optional(hex),
        technique: z.enum(['print', 'embroidery']),
      })
      .check(z.refine(({ model, view }) => viewsOf(model).includes(view), { error: NO_SUCH_VIEW, path: ['view'] })),
    answer: 'file',
    refusals: ['unknown_picture', 'picture_too_complex'],
  }),
  compose: call({
    method: 'POST',
    path: '/api/admin/compositions',
    access: 'owner',
    summary:
      'Starts making the pictures of a drawing on a product, in each color and view. The same request continues the same work.',
    body: z
      .object({
        drawing: pictureFile,
        model: z.enum(pictureModels),
        technique: z.enum(['print', 'embroidery']),
        placement: Placement,
        colors: z
          .array(z.object({ name: singleLineText(60, 'Please name the color'), hex, accent: z.optional(hex) }))
          .check(z.minLength(1, 'Please choose a color'), z.maxLength(40, 'Please choose at most 40 colors')),
        views: z
          .array(z.enum(pictureViews))
          .check(z.minLength(1, 'Please choose a view'), z.maxLength(pictureViews.length)),
      })
      .check(
        z.refine(({ model, views }) => views.every((view) => viewsOf(model).includes(view)), {
          error: NO_SUCH_VIEW,
          path: ['views'],
        }),
      ),
    answer: Composition,
    refusals: ['unknown_picture'],
  }),
  composition: call({
    method: 'GET',
    path: '/api/admin/compositions/:id',
    access: 'owner',
    summary: 'How far the pictures of a drawing on a product are.',
    params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{20}$/)) }),
    answer: Composition,
    refusals: ['unknown_picture'],
  }),
}

const alt = shortText(3, 250, 'Please describe what the picture shows')
const ofProduct = z.object({ id: pathId<ProductId>() })

/** A product's pictures in the order that shoppers see; `version` is the product's. */
const ProductPictures = z.object({
  version: z.int(),
  /** The colors to choose from, by name. */
  colors: z.array(z.string()),
  pictures: z.array(
    z.object({ file: z.string(), src: z.string(), alt: z.string(), color: z.nullable(z.string()), view: z.string() }),
  ),
})
export type ProductPictures = z.output<typeof ProductPictures>

export const productPictureCalls = {
  productPictures: call({
    method: 'GET',
    path: '/api/admin/products/:id/pictures',
    access: 'read_catalog',
    summary: 'A product’s pictures, in the order that shoppers see.',
    params: ofProduct,
    answer: ProductPictures,
    refusals: ['unknown_product'],
  }),
  saveProductPictures: call({
    method: 'PUT',
    path: '/api/admin/products/:id/pictures',
    access: 'owner',
    summary: 'Sets a product’s pictures and their order; refused when somebody else saved it since `version`.',
    params: ofProduct,
    body: z.object({
      version: z.int().check(z.gte(1)),
      pictures: z
        .array(
          z.object({
            file: z.string().check(z.maxLength(200)),
            alt,
            color: z.nullable(singleLineText(60, 'Please choose a color')),
            view: z.enum(shownViews, 'Please choose a view'),
          }),
        )
        .check(z.maxLength(200, 'Please use at most 200 pictures')),
    }),
    answer: z.object({ done: z.string() }),
    refusals: ['unknown_product', 'product_changed', 'unknown_picture'],
  }),
}
