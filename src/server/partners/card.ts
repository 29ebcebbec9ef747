import type { CollectionTheme } from '#domain/catalog/collection-theme.ts'
import type { Product } from '#contract/catalog.ts'
import type { DropView } from '#contract/drops.ts'
import { collectionInPath, type Collection } from '#domain/catalog/collections.ts'
import { productOfPage } from '#domain/partners/pages.ts'
import { formatClockTime } from '#domain/orders/clock-time.ts'
import { cents, formatUsd } from '#shared/money.ts'
import { themeOf } from '#server/catalog/collections.ts'

/** In CSS pixels; the text stays readable on small pages. */
export const CARD = { width: 640, height: 260 } as const
const PICTURE = 228
const EDGE = 16

export type CardSubject = {
  theme: CollectionTheme
  title: string
  /** `$24.95`, or `from $24.95`. */
  priceText: string
  /** What is limited about it, and when; it changes within minutes. */
  limited?: string | undefined
  /** A picture's path on this shop. */
  picture: string | undefined
}

/** What the card of a page shows: its product, or the first of several. @returns undefined when the product no longer exists */
export function cardSubjectOf(
  path: string,
  products: readonly Product[],
  collections: readonly Collection[],
  shopName: string,
  drops: readonly DropView[] = [],
): CardSubject | undefined {
  const idOrSlug = productOfPage(path)
  if (idOrSlug !== undefined) {
    const product = products.find(({ id, slug }) => String(id) === idOrSlug || slug === idOrSlug)
    return product && ofProduct(product, themeOf(collections, product.collection), drops)
  }
  const named = collectionInPath(path.split('?')[0] ?? path, collections)
  const shown = named ? products.filter(({ collection }) => collection === named.id) : products
  const [first] = shown
  if (!first) return undefined
  const lowest = cents(Math.min(...shown.map(({ price }) => price)))
  return {
    theme: named ?? themeOf(collections, ''),
    title: named ? named.displayName : `${shopName}: all products`,
    priceText: `from ${formatUsd(lowest)}`,
    limited: limitedText(named && drops.find(({ collectionId }) => collectionId === named.id)),
    picture: smallestOf(first),
  }
}

const ofProduct = (product: Product, theme: CollectionTheme, drops: readonly DropView[]): CardSubject => ({
  theme,
  title: product.name,
  priceText: `${product.priceRange.from === product.priceRange.to ? '' : 'from '}${formatUsd(product.price)}`,
  limited: limitedText(
    drops.find(({ productId, collectionId }) => productId === product.id || collectionId === product.collection),
  ),
  picture: smallestOf(product),
})

/** A card has no script, so it names the moment instead of counting down. */
function limitedText(drop: DropView | undefined): string | undefined {
  if (!drop) return undefined
  const { state, startsAt, endsAt, pieces } = drop
  const count = pieces === null ? 'Numbered' : `${pieces} numbered pieces`
  if (state === 'scheduled') return `${count}, from ${formatClockTime(new Date(startsAt))}`
  if (state === 'open')
    return endsAt === null ? `${count}, on sale now` : `${count}, until ${formatClockTime(new Date(endsAt))}`
  return state === 'sold_out' ? 'Sold out' : undefined
}

/** The smallest size: it is drawn at 228 px and embedded in every card. */
const smallestOf = ({ images }: Product): string | undefined => images[0]?.srcSet.split(', ').at(-1)?.split(' ')[0]

const LINE_LETTERS = 24
const LINES_MAX = 3

/** Wraps a title; text that does not fit ends in an ellipsis. */
function linesOf(title: string): string[] {
  const lines: string[] = []
  for (const word of title.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= LINE_LETTERS) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  const visible = lines.slice(0, LINES_MAX).map((line) => line.slice(0, LINE_LETTERS + 4))
  if (lines.length > LINES_MAX) visible[LINES_MAX - 1] = `${visible[LINES_MAX - 1]} …`
  return visible
}

const XML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeXml = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '').replaceAll(/[&<>"]/g, (character) => XML_ENTITIES[character] ?? character)

/**
 * The card as one self-contained SVG: embedded in another site's page, it cannot load anything else.
 * @param picture WebP
 */
export function drawCard(
  { theme, title, priceText, limited }: CardSubject,
  picture: Uint8Array | undefined,
  shopName: string,
): string {
  const { colors } = theme
  const lines = linesOf(title)
  const textX = EDGE + PICTURE + 32
  const serif = `font-family="Georgia, 'Times New Roman', serif"`
  const sans = `font-family="'Helvetica Neue', Helvetica, Arial, sans-serif"`
  const box = `x="${EDGE}" y="${EDGE}" width="${PICTURE}" height="${PICTURE}"`
  const rows = lines.map(
    (line, index) =>
      `<text x="${textX}" y="${74 + index * 34}" ${serif} font-size="26" font-weight="600" fill="${colors.textPrimary}">${escapeXml(line)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}" viewBox="0 0 ${CARD.width} ${CARD.height}" role="img" aria-label="${escapeXml(`${title}, ${priceText}`)}">
<title>${escapeXml(`${title}, ${priceText}`)}</title>
<rect x="0.5" y="0.5" width="${CARD.width - 1}" height="${CARD.height - 1}" rx="8" fill="${colors.surface}" stroke="${colors.cardBorder}"/>
<clipPath id="c"><rect ${box} rx="5"/></clipPath>
${picture ? `<image ${box} clip-path="url(#c)" preserveAspectRatio="xMidYMid slice" href="data:image/webp;base64,${Buffer.from(picture).toString('base64')}"/>` : `<rect ${box} rx="5" fill="${colors.background}"/>`}
<text x="${textX}" y="38" ${sans} font-size="13" fill="${colors.textSecondary}">${escapeXml(theme.displayName)}</text>
${rows.join('\n')}
<text x="${textX}" y="${EDGE + PICTURE - 34}" ${sans} font-size="24" font-weight="600" fill="${colors.textPrimary}">${escapeXml(priceText)}</text>
<text x="${textX}" y="${EDGE + PICTURE - 8}" ${sans} font-size="13" fill="${colors.textSecondary}">${escapeXml(limited ?? `Made to order by ${shopName}`)}</text>
<rect x="${textX}" y="${EDGE + PICTURE - 70}" width="36" height="3" fill="${colors.accent}"/>
</svg>
`
}
