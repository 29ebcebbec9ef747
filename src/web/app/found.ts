import type { QueryClient } from '@tanstack/react-query'
import { label } from '#brand/label.ts'
import type { Picture, Product } from '#contract/catalogue.ts'
import { paths } from '#contract/paths.ts'
import { altOf } from '#domain/catalogue/gallery.ts'
import { inListingOrder } from '#domain/catalogue/listing-order.ts'
import { decimalFromCents } from '#kernel/money.ts'
import { providerDetailQuery } from '#web/api/queries.ts'
import type { PageFacts } from './routes.tsx'
import {
  breadcrumbs,
  collectionThings,
  organization,
  productList,
  productThings,
  type Thing,
} from './structured-data.ts'

type Page = {
  origin: string
  /** The page as React wrote it: title and description are taken from there, so that they are said once. */
  html: string
  facts: PageFacts
  queries: QueryClient
  products: readonly Product[]
  /** Whether anybody may be led here by a search engine. */
  isPublic: boolean
}

/**
 * What only search engines and link previews read: Open Graph, and the page in the words of schema.org. Written into the head on
 * the server alone, so that no browser loads the code for it; React leaves what it does not know in a head where it is.
 */
export function headForFinders({ origin, html, facts, queries, products, isPublic }: Page): string {
  if (!isPublic) return '<meta name="robots" content="noindex"/>'
  const { canonical } = facts
  const product = canonical === undefined ? undefined : products.find(({ id }) => canonical === paths.product(id))
  return [
    ...shareTags({ origin, html, canonical, product, picture: pictureOf(facts, product, products) }),
    ...blocks(thingsOf({ origin, facts, product, products, queries })),
  ].join('')
}

/** The product's own picture; a collection's first; else the first of all. */
function pictureOf(facts: PageFacts, product: Product | undefined, products: readonly Product[]) {
  const inOrder = inListingOrder(products)
  const shown = product ?? inOrder.find(({ collection }) => collection === facts.collection) ?? inOrder[0]
  const picture = shown?.images[0]
  return picture && { picture, alt: altOf(shown.name, picture) }
}

type Shared = {
  origin: string
  html: string
  canonical: string | undefined
  product: Product | undefined
  picture: { picture: Picture; alt: string } | undefined
}

function shareTags({ origin, html, canonical, product, picture }: Shared): string[] {
  // As React wrote them they are escaped already, for a text as for an attribute.
  const title = /<title>([^<]*)<\/title>/.exec(html)?.[1]
  const description = /<meta name="description" content="([^"]*)"/.exec(html)?.[1]
  const tag = (name: string, escaped: string | undefined, kind = 'property') =>
    escaped === undefined ? '' : `<meta ${kind}="${name}" content="${escaped}"/>`
  return [
    tag('og:site_name', escape(label.name)),
    tag('og:type', product ? 'product' : 'website'),
    tag('og:locale', 'en_US'),
    tag('og:title', title),
    tag('og:description', description),
    tag('og:url', canonical && escape(origin + canonical)),
    ...(picture
      ? [
          tag('og:image', escape(origin + picture.picture.src)),
          tag('og:image:type', 'image/webp'),
          tag('og:image:width', String(picture.picture.width)),
          tag('og:image:height', String(picture.picture.height)),
          tag('og:image:alt', escape(picture.alt)),
        ]
      : []),
    ...(product
      ? [tag('product:price:amount', decimalFromCents(product.price)), tag('product:price:currency', 'USD')]
      : []),
    tag('twitter:card', isWide(picture?.picture) ? 'summary_large_image' : 'summary', 'name'),
  ]
}

/** A square in a wide frame would lose its head and feet. */
const isWide = (picture: Picture | undefined): boolean => picture !== undefined && picture.width >= picture.height * 1.5

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign)

type Known = {
  origin: string
  facts: PageFacts
  product: Product | undefined
  products: readonly Product[]
  queries: QueryClient
}

function thingsOf({ origin, facts, product, products, queries }: Known): Thing[] {
  const { canonical, collection } = facts
  if (product) {
    const { providerProductId: id } = product
    const detail = id === null ? undefined : queries.getQueryData(providerDetailQuery(id).queryKey)
    return productThings(origin, product, detail?.result.sync_variants ?? [])
  }
  const inOrder = inListingOrder(products)
  if (collection && canonical === paths.collection(collection)) return collectionThings(origin, collection, inOrder)
  if (canonical === paths.products)
    return [breadcrumbs(origin, [{ name: 'All products', path: paths.products }]), productList(origin, inOrder)]
  return [organization(origin)]
}

/** `<` is written as an escape, so that no text of a product can close the block; a data block is no script to any policy. */
const blocks = (things: readonly Thing[]): string[] =>
  things.length === 0
    ? []
    : [
        `<script type="application/ld+json">${JSON.stringify({
          '@context': 'https://schema.org',
          '@graph': things,
        }).replaceAll('<', '\\u003c')}</script>`,
      ]
