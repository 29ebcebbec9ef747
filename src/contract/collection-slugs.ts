import { languages } from '#shared/language.ts'
import { paths } from './paths.ts'

/** First words of addresses that are no page of `paths`. */
const otherWords = [
  ...['api', 'assets', 'pictures', 'themes', 'icons', 'webhooks', 'paypal', 'r', 'embed', 'sitemap', 'product'],
  ...[
    'collection',
    'collections',
    'search',
    'desk',
    'invitation',
    'gift-card',
    'raffle',
    'raffle-entry',
    'healthz',
    'readyz',
    'metrics',
    'openapi',
    'well-known',
  ],
  // Names that the theme sheet and partner downloads use.
  ...['house', 'new', 'all', 'none'],
  ...languages,
]

const pageWords = Object.values(paths).flatMap((path) => (typeof path === 'string' ? (path.split('/')[1] ?? []) : []))

/** Slugs that would hide a page of the shop. */
export const isReservedSlug = (slug: string): boolean => pageWords.includes(slug) || otherWords.includes(slug)
