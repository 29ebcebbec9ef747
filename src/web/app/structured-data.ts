import type { DayRange } from '#site/policies.ts'
import type { PageSettings } from '#site/settings.ts'
import type { ReviewPage } from '#contract/reviews.ts'
import type { DropView } from '#contract/drops.ts'
import type { Product, SyncVariant } from '#contract/catalog.ts'
import { paths } from '#contract/paths.ts'
import { isBuyable } from '#domain/catalog/buyable.ts'
import { pictureIn } from '#domain/catalog/gallery.ts'
import { STARS_MAX } from '#domain/reviews/review.ts'
import { mainCountries } from '#domain/checkout/countries.ts'
import { logoAddress } from '#domain/pictures/logo.ts'
import { decimalFromCents } from '#shared/money.ts'
import { say, sayKnown } from '#words/say.ts'

/** A schema.org thing as JSON-LD. */
export type Thing = { '@type': string; [property: string]: unknown }

const CURRENCY = 'USD'
const HOME_COUNTRY = 'US'
const SCHEMA = 'https://schema.org/'

/** The store, with its return policy. @param origin without a trailing slash */
export const organization = (origin: string, site: PageSettings): Thing => ({
  '@type': 'OnlineStore',
  '@id': `${origin}/#organization`,
  name: site.name,
  slogan: sayKnown(site.tagline),
  url: `${origin}/`,
  logo: origin + (site.logo ? logoAddress(site.logo, 'png') : '/icons/icon-512.png'),
  email: site.supportEmail,
  contactPoint: {
    '@type': 'ContactPoint',
    contactType: 'customer service',
    email: site.supportEmail,
    url: `${origin}${paths.contact}`,
    availableLanguage: 'en',
  },
  sameAs: site.social.map(({ url }) => url),
  hasMerchantReturnPolicy: returnPolicy(origin, site),
})

/** @param steps after the home page */
export const breadcrumbs = (
  origin: string,
  site: PageSettings,
  steps: readonly { name: string; path: string }[],
): Thing => ({
  '@type': 'BreadcrumbList',
  itemListElement: [{ name: site.name, path: paths.home }, ...steps].map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: `${origin}${path}`,
  })),
})

export const productList = (origin: string, products: readonly Named[]): Thing => ({
  '@type': 'ItemList',
  numberOfItems: products.length,
  itemListElement: products.map(({ id, name }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    url: `${origin}${paths.product(id)}`,
  })),
})

type Named = Pick<Product, 'id' | 'name'>

type NamedCollection = { displayName: string; slug: string }

export const collectionThings = (
  origin: string,
  site: PageSettings,
  { displayName, slug }: NamedCollection,
  products: readonly Named[],
): Thing[] => [
  breadcrumbs(origin, site, [{ name: sayKnown(displayName), path: paths.collection(slug) }]),
  productList(origin, products),
]

/** A limited sale as an event. @param path of the page of its product or collection */
export const dropThing = (origin: string, path: string, { title, startsAt, endsAt, state }: DropView): Thing => ({
  '@type': 'SaleEvent',
  name: title,
  startDate: startsAt,
  ...(endsAt !== null && { endDate: endsAt }),
  eventStatus: `${SCHEMA}EventScheduled`,
  eventAttendanceMode: `${SCHEMA}OnlineEventAttendanceMode`,
  location: { '@type': 'VirtualLocation', url: origin + path },
  organizer: { '@id': `${origin}/#organization` },
  offers: {
    '@type': 'Offer',
    url: origin + path,
    validFrom: startsAt,
    availability: `${SCHEMA}${availabilities[state]}`,
  },
})

const availabilities: Readonly<Record<DropView['state'], string>> = {
  ...{ draft: 'OutOfStock', scheduled: 'PreOrder', open: 'LimitedAvailability', paused: 'LimitedAvailability' },
  ...{ sold_out: 'SoldOut', ended: 'SoldOut', released: 'InStock' },
}

type ProductOnPage = {
  origin: string
  site: PageSettings
  product: Product
  theme: NamedCollection | undefined
  reviews: ReviewPage | undefined
  /** What it is sold by. */
  drop?: DropView | undefined
}

/** Of people who bought it; demo reviews are no opinion. */
function reviewThings(page: ReviewPage | undefined) {
  if (!page?.real) return {}
  return {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: page.real.rating,
      reviewCount: page.real.count,
      bestRating: STARS_MAX,
    },
    review: page.reviews
      .filter(({ isDemo }) => !isDemo)
      .map(({ stars, name, words, writtenAt }) => ({
        '@type': 'Review',
        reviewRating: { '@type': 'Rating', ratingValue: stars, bestRating: STARS_MAX },
        author: { '@type': 'Person', name },
        datePublished: writtenAt.slice(0, 10),
        reviewBody: words,
      })),
  }
}

/**
 * A ProductGroup with one member per variant, each with its own URL, price, picture and availability. A plain Product when
 * Printful's detail is missing or there is only one variant.
 */
export function productThings(
  { origin, site, product, theme, reviews, drop }: ProductOnPage,
  variants: readonly SyncVariant[],
  isShippingFree: boolean,
): Thing[] {
  const shipping = shippingDetails(product, isShippingFree, site)
  const url = `${origin}${paths.product(product.id)}`
  const facts = {
    name: product.name,
    description: product.description,
    url,
    brand: { '@type': 'Brand', name: site.name },
    ...(product.keywords && { keywords: product.keywords.join(', ') }),
    image: product.images.slice(0, 8).map(({ src }) => origin + src),
    ...reviewThings(reviews),
  }
  const terms = {
    hasMerchantReturnPolicy: { '@id': `${origin}/#returns` },
    shippingDetails: shipping.map((_, index) => ({ '@id': `${url}#shipping-${index + 1}` })),
  }
  const offer = (address: string, price: string, isAvailable: boolean) => ({
    '@type': 'Offer',
    url: address,
    price,
    priceCurrency: CURRENCY,
    itemCondition: `${SCHEMA}NewCondition`,
    availability: `${SCHEMA}${isAvailable ? (drop ? availabilities[drop.state] : 'InStock') : 'OutOfStock'}`,
    ...(drop && { availabilityStarts: drop.startsAt }),
    seller: { '@id': `${origin}/#organization` },
    ...terms,
  })
  const member = (variant: SyncVariant) => {
    const address = `${origin}${paths.variant(product.id, variant.id)}`
    const picture = pictureIn(product.images, variant.color)
    return {
      '@type': 'Product',
      sku: String(variant.id),
      name: variant.name,
      ...(variant.color && { color: variant.color }),
      ...(variant.size && { size: variant.size }),
      ...(picture && { image: origin + picture.src }),
      offers: offer(address, variant.retail_price, isBuyable({ availability: variant.availability_status })),
    }
  }
  const variesBy = (['color', 'size'] as const).filter(
    (name) => new Set(variants.map((variant) => variant[name])).size > 1,
  )
  const productThing: Thing =
    variants.length > 1
      ? {
          '@type': 'ProductGroup',
          '@id': url,
          ...facts,
          productGroupID: String(product.id),
          variesBy: variesBy.map((name) => SCHEMA + name),
          hasVariant: variants.map(member),
        }
      : {
          '@type': 'Product',
          '@id': url,
          ...facts,
          sku: String(variants[0]?.id ?? product.id),
          offers: offer(url, decimalFromCents(product.price), product.available),
        }
  return [
    breadcrumbs(origin, site, [
      theme
        ? { name: sayKnown(theme.displayName), path: paths.collection(theme.slug) }
        : { name: say('All products'), path: paths.products },
      { name: product.name, path: paths.product(product.id) },
    ]),
    productThing,
    ...(drop ? [dropThing(origin, paths.product(product.id), drop)] : []),
    { '@id': `${origin}/#organization`, '@type': 'OnlineStore', name: site.name, url: `${origin}/` },
    returnPolicy(origin, site),
    ...shipping.map((details, index) => ({ ...details, '@id': `${url}#shipping-${index + 1}` })),
  ]
}

/**
 * Made to order: faulty, wrong or damaged items can be returned at our cost, a change of mind cannot (specification, section 9,
 * Policy text).
 */
const returnPolicy = (origin: string, { returnDays }: PageSettings): Thing => ({
  '@type': 'MerchantReturnPolicy',
  '@id': `${origin}/#returns`,
  applicableCountry: mainCountries,
  returnPolicyCategory: `${SCHEMA}MerchantReturnFiniteReturnWindow`,
  merchantReturnDays: returnDays,
  itemCondition: `${SCHEMA}DamagedCondition`,
  itemDefectReturnFees: `${SCHEMA}FreeReturn`,
  refundType: `${SCHEMA}FullRefund`,
  merchantReturnLink: `${origin}${paths.shippingReturns}`,
})

/** Free, or the surcharge, for each country we deliver to. Empty when the shopper pays the carrier's rate. */
function shippingDetails({ surcharge, blockedCountries }: Product, isFree: boolean, site: PageSettings): Thing[] {
  if (!isFree) return []
  const open = mainCountries.filter((code) => !blockedCountries?.includes(code))
  const hasSurcharge = (code: string) => surcharge?.countries.includes(code) ?? false
  const free = open.filter((code) => !hasSurcharge(code))
  const { processingDays, standardDays, internationalDays } = site
  const to = (codes: readonly string[], price: string): Thing[] => {
    const [home, abroad] = [
      codes.filter((code) => code === HOME_COUNTRY),
      codes.filter((code) => code !== HOME_COUNTRY),
    ]
    return [
      ...(home.length > 0 ? [shippingTo(home, price, processingDays, standardDays)] : []),
      ...(abroad.length > 0 ? [shippingTo(abroad, price, processingDays, internationalDays)] : []),
    ]
  }
  return [...to(free, '0'), ...(surcharge ? to(open.filter(hasSurcharge), decimalFromCents(surcharge.amount)) : [])]
}

const shippingTo = (countries: readonly string[], price: string, handling: DayRange, transit: DayRange): Thing => ({
  '@type': 'OfferShippingDetails',
  shippingRate: { '@type': 'MonetaryAmount', value: price, currency: CURRENCY },
  shippingDestination: { '@type': 'DefinedRegion', addressCountry: countries },
  deliveryTime: {
    '@type': 'ShippingDeliveryTime',
    handlingTime: businessDays(handling),
    transitTime: businessDays(transit),
  },
})

const businessDays = ({ from, to }: DayRange) => ({
  '@type': 'QuantitativeValue',
  minValue: from,
  maxValue: to,
  unitCode: 'DAY',
})
