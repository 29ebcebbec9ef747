import type { QueryClient } from '@tanstack/react-query'
import { shares } from '#site/collections/shares.ts'
import type { PageSettings } from '#site/settings.ts'
import type { AnswerOf } from '#contract/call.ts'
import type { CollectionView, collectionCalls } from '#contract/collections.ts'
import type { ReviewPage } from '#contract/reviews.ts'
import type { ListingPage, Product, ProductCard, ProductWithRelated } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import type { CollectionPicture } from '#domain/catalog/collection-theme.ts'
import { findCollection } from '#domain/catalog/collections.ts'
import { pictureAlt } from '#domain/catalog/gallery.ts'
import { iconAddress } from '#domain/pictures/logo.ts'
import { addressIn, languages, spokenAddress, spokenLocale } from '#shared/language.ts'
import { decimalFromCents } from '#shared/money.ts'
import { collectionsQuery, configQuery, providerDetailQuery } from '#web/api/queries.ts'
import { siteOf } from '#web/api/use-site.ts'
import { dropOf, dropsQuery } from '#web/drops/use-drop.ts'
import type { PageFacts } from './page-route.ts'
import {
  breadcrumbs,
  collectionThings,
  dropThing,
  organization,
  productList,
  productThings,
  type Thing,
} from './structured-data.ts'

const cardsOnPage = (queries: QueryClient): ProductCard[] =>
  queries.getQueriesData<ListingPage>({ queryKey: ['GET /api/listing'] }).flatMap(([, page]) => page?.products ?? [])

const productOfPage = (queries: QueryClient, canonical: string | undefined): Product | undefined =>
  queries
    .getQueriesData<ProductWithRelated>({ queryKey: ['GET /api/products/:id'] })
    .flatMap(([, detail]) => detail?.product ?? [])
    .find(({ id }) => canonical === paths.product(id))

type Page = {
  origin: string
  /** React's markup: title and description are read from it. */
  html: string
  facts: PageFacts
  queries: QueryClient
  /** Whether search engines may index it. */
  isPublic: boolean
}

/**
 * Open Graph and schema.org data for search engines and link previews. Only the server writes it, so browsers do not load the
 * code; React leaves unknown head tags alone.
 */
export function headTags({ origin, html, facts, queries, isPublic }: Page): string {
  if (!isPublic) return '<meta name="robots" content="noindex"/>'
  const { canonical } = facts
  const site = siteOf(queries.getQueryData(configQuery.queryKey))
  const product = productOfPage(queries, canonical)
  return [
    ...otherLanguages(origin, canonical),
    ...shareTags({ origin, html, canonical, product, site, picture: pictureOf(facts, product, queries) }),
    ...blocks(structuredDataOf({ origin, facts, product, products: cardsOnPage(queries), site, queries })),
  ].join('')
}

function pictureOf(facts: PageFacts, product: Product | undefined, queries: QueryClient): SharedPicture {
  const { canonical } = facts
  const first = product?.images[0]
  const drop = dropOfPage(facts, product, queries)
  if (drop && drop.share !== null && drop.state !== 'ended')
    return { src: `/pictures/${drop.share}.${SHARED.width}.webp`, ...SHARED, alt: `${drop.title}, a limited drop` }
  if (product?.shareImage) {
    const alt = pictureAlt(product.name, { view: 'front and in use', color: first?.color ?? null })
    return { src: product.shareImage, ...SHARED, alt }
  }
  if (product && first) return { ...first, alt: pictureAlt(product.name, first) }
  const share = sharePictureOf(facts, queries)
  if (share) {
    const { file, width, height, alt } = share
    return { src: `/pictures/${file}.${width}.webp`, width, height, alt }
  }
  const key = canonical === paths.products ? 'products' : 'label'
  const { file, width, height } = shares[key]
  const { name, logo } = siteOf(queries.getQueryData(configQuery.queryKey))
  if (key === 'label' && logo) return { src: iconAddress(logo, 512), width: 512, height: 512, alt: `${name} logo` }
  return {
    src: `/pictures/${file}.${width}.webp`,
    width,
    height,
    alt: shareAlts(siteOf(queries.getQueryData(configQuery.queryKey)))[key],
  }
}

/** In pixels: the size that every social network shows uncropped. */
const SHARED = { width: 1200, height: 630 } as const

/** The drop whose page this is: of this product, or of this collection. */
function dropOfPage({ canonical, collection }: PageFacts, product: Product | undefined, queries: QueryClient) {
  const view = viewOf(queries, collection)
  return queries
    .getQueryData(dropsQuery.queryKey)
    ?.drops.find(({ productId, collectionId }) =>
      product
        ? productId === product.id
        : view && collectionId === view.id && canonical === paths.collection(view.slug),
    )
}

/** Of the page's own collection, on the home page of the first. */
function sharePictureOf({ canonical, collection: id }: PageFacts, queries: QueryClient): CollectionPicture | null {
  if (canonical === paths.home) return queries.getQueryData(collectionsQuery.queryKey)?.collections[0]?.share ?? null
  return viewOf(queries, id)?.share ?? null
}

/** The collection whose page this is. */
const viewOf = (queries: QueryClient, id: string | undefined): CollectionView | undefined =>
  id === undefined
    ? undefined
    : queries
        .getQueriesData<AnswerOf<typeof collectionCalls.read>>({ queryKey: ['GET /api/collections/:word'] })
        .flatMap(([, answer]) => answer?.collection ?? [])
        .find((view) => view.id === id)

/** The page in every language; English also for all others. */
const otherLanguages = (origin: string, canonical: string | undefined): string[] =>
  canonical === undefined
    ? []
    : [...languages, 'x-default' as const].map((language) => {
        const address = origin + (language === 'x-default' ? canonical : addressIn(language, canonical))
        return `<link rel="alternate" hreflang="${language}" href="${escapeHtml(address)}"/>`
      })

const shareAlts = ({ name }: PageSettings): Readonly<Record<'products' | 'label', string>> => ({
  products: 'A t-shirt, a mug, a hat and a pillow in use',
  label: `${name} logo`,
})

type SharedPicture = { src: string; width: number; height: number; alt: string }

type SharedPage = {
  origin: string
  html: string
  canonical: string | undefined
  product: Product | undefined
  site: PageSettings
  picture: SharedPicture
}

function shareTags({ origin, html, canonical, product, site, picture }: SharedPage): string[] {
  // React has already escaped them, for text and for attributes.
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1]
  const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1]
  const tag = (name: string, escaped: string | undefined, kind = 'property') =>
    escaped === undefined ? '' : `<meta ${kind}="${name}" content="${escaped}"/>`
  return [
    tag('og:site_name', escapeHtml(site.name)),
    tag('og:type', product ? 'product' : 'website'),
    tag('og:locale', spokenLocale().replace('-', '_')),
    tag('og:title', title),
    tag('og:description', description),
    tag('og:url', canonical && escapeHtml(origin + spokenAddress(canonical))),
    tag('og:image', escapeHtml(origin + picture.src)),
    tag('og:image:type', picture.src.endsWith('.png') ? 'image/png' : 'image/webp'),
    tag('og:image:width', String(picture.width)),
    tag('og:image:height', String(picture.height)),
    tag('og:image:alt', escapeHtml(picture.alt)),
    ...(product
      ? [tag('product:price:amount', decimalFromCents(product.price)), tag('product:price:currency', 'USD')]
      : []),
    tag('twitter:card', isWide(picture) ? 'summary_large_image' : 'summary', 'name'),
  ]
}

/** A square picture in a wide card would be cropped at top and bottom. */
const isWide = ({ width, height }: SharedPicture): boolean => width >= height * 1.5

const HTML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => HTML_ENTITIES[character] ?? character)

type StructuredDataInput = {
  origin: string
  facts: PageFacts
  product: Product | undefined
  products: readonly ProductCard[]
  site: PageSettings
  queries: QueryClient
}

function structuredDataOf({ origin, facts, product, products, site, queries }: StructuredDataInput): Thing[] {
  const { canonical, collection } = facts
  if (product) {
    const { providerProductId: id } = product
    const detail = id === null ? undefined : queries.getQueryData(providerDetailQuery(id).queryKey)
    const isShippingFree = queries.getQueryData(configQuery.queryKey)?.shipping?.isFree ?? false
    const collections = queries.getQueryData(configQuery.queryKey)?.collections ?? []
    const theme = findCollection(collections, product.collection)
    const [[, reviews] = []] = queries.getQueriesData<ReviewPage>({ queryKey: ['GET /api/products/:id/reviews'] })
    const drop = dropOf(queries.getQueryData(dropsQuery.queryKey)?.drops ?? [], product)
    return productThings(
      { origin, site, product, theme, reviews, drop },
      detail?.result.sync_variants ?? [],
      isShippingFree,
    )
  }
  const view = viewOf(queries, collection)
  if (view && canonical === paths.collection(view.slug)) {
    const drops = queries.getQueryData(dropsQuery.queryKey)?.drops ?? []
    const own = drops.filter(({ collectionId }) => collectionId === view.id)
    return [
      ...collectionThings(origin, site, view, products),
      ...own.map((drop) => dropThing(origin, paths.collection(view.slug), drop)),
    ]
  }
  if (canonical === paths.products)
    return [breadcrumbs(origin, site, [{ name: 'All products', path: paths.products }]), productList(origin, products)]
  return [organization(origin, site)]
}

/** `<` is escaped, so no product text can close the block. The content security policy does not apply to data blocks. */
const blocks = (things: readonly Thing[]): string[] =>
  things.length === 0
    ? []
    : [
        `<script type="application/ld+json">${JSON.stringify({
          '@context': 'https://schema.org',
          '@graph': things,
        }).replaceAll('<', '\\u003c')}</script>`,
      ]
