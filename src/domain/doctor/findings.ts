import type { SiteSettings } from '#site/shop-rules.ts'
import { DAY_MS, HOUR_MS } from '#shared/time.ts'

/** The result of one check. `inconclusive`: no answer came, or the provider does not report it; `what` explains which. */
export type Finding = {
  /** Unique within a run. */
  name: string
  state: 'passed' | 'failed' | 'inconclusive'
  what: string
  /** How to fix it, in one sentence; always present unless the check passed. */
  fix?: string
}

export const passed = (name: string, what: string): Finding => ({ name, state: 'passed', what })
export const failed = (name: string, what: string, fix: string): Finding => ({ name, state: 'failed', what, fix })
export const inconclusive = (name: string, what: string, fix: string): Finding => ({
  name,
  state: 'inconclusive',
  what,
  fix,
})

/** Which money the keys move, as the keys themselves show. */
export type KeyKinds = {
  /** Whether the shop takes real orders. */
  isLive: boolean
  isRehearsal: boolean
  stripeLive: boolean
  publishableKey: string
  paypalLive: boolean
}

/** Checks that all keys move the same kind of money, and that it matches the shop's mode. */
export function modesFinding({ isLive, isRehearsal, stripeLive, publishableKey, paypalLive }: KeyKinds): Finding {
  const name = 'modes'
  if (publishableKey.startsWith('pk_live_') !== stripeLive)
    return failed(
      name,
      'Stripe’s two keys are from different modes: one moves real money, the other test money.',
      'Set STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY to a pair from the same page of the dashboard.',
    )
  if (stripeLive !== paypalLive)
    return failed(
      name,
      stripeLive
        ? 'Cards take real money, PayPal takes test money.'
        : 'PayPal takes real money, cards take test money.',
      'Use live keys for both, or test keys for both (with PayPal’s test address in PAYPAL_API_BASE).',
    )
  if (isLive && !stripeLive && !isRehearsal)
    return failed(
      name,
      'The shop is live, but its keys only move test money.',
      'Set live keys for Stripe and PayPal, or set up a rehearsal (docs/operations.md).',
    )
  if (!isLive && stripeLive)
    return failed(name, 'The shop is not live, but its keys move real money.', 'Set SHOP_MODE=live, or use test keys.')
  return passed(name, `All keys move ${stripeLive ? 'real' : 'test'} money.`)
}

/** Whether invoices say what tax authorities and buyers' software want to know about the seller. */
export function invoicesFinding({ seller, sellerNumbers }: Pick<SiteSettings, 'seller' | 'sellerNumbers'>): Finding {
  const name = 'invoices'
  if (!seller.name) return passed(name, 'No seller is entered in Settings, Invoices: customers get receipts alone.')
  if (!sellerNumbers.register && !sellerNumbers.taxNumber)
    return failed(
      name,
      'The seller has neither a register nor a tax number, so most invoices have no structured form.',
      'Enter the seller’s numbers in Settings, Invoices.',
    )
  return passed(name, `Invoices name ${seller.name}.`)
}

/** A webhook endpoint as the provider has it. */
export type Endpoint = { url: string; events: readonly string[]; isOn: boolean }

/**
 * Checks that a provider sends us every event we need.
 * @param wanted our endpoint, and the events by name
 * @param settings where to set it up at the provider
 */
export function webhookFinding(
  name: string,
  wanted: { url: string; events: readonly string[] },
  endpoints: readonly Endpoint[],
  settings: string,
): Finding {
  const ours = endpoints.filter(({ url }) => url === wanted.url)
  if (ours.length === 0)
    return failed(
      name,
      endpoints.length > 0 ? 'Its events go to a different URL.' : 'It has no webhook.',
      `Add this shop’s webhook URL ${settings}, with the events listed in docs/operations.md, Going live.`,
    )
  const on = ours.filter(({ isOn }) => isOn)
  if (on.length === 0) return failed(name, 'This shop’s webhook is turned off there.', `Turn it on ${settings}.`)
  const subscribedEvents = new Set(on.flatMap(({ events }) => events))
  const missing = subscribedEvents.has('*') ? [] : wanted.events.filter((event) => !subscribedEvents.has(event))
  if (missing.length > 0)
    return failed(name, `It does not send ${missing.join(', ')}.`, `Add these events ${settings}.`)
  return passed(name, `It sends this shop all ${wanted.events.length} event types it needs.`)
}

/** Signatures are valid for five minutes; a clock that is a minute off will get there. */
const CLOCK_OFF_MAX_MS = 60_000

/** @param theirs from the provider's answer @param ours this machine's, at the same time */
export function clockFinding(theirs: Date | undefined, ours: Date): Finding {
  const name = 'clock'
  const fix = 'Synchronize this machine’s clock with a time server (NTP).'
  if (!theirs) return inconclusive(name, 'The provider’s answer does not include the time.', fix)
  const off = Math.round((ours.getTime() - theirs.getTime()) / 1000)
  if (Math.abs(off) * 1000 > CLOCK_OFF_MAX_MS)
    return failed(
      name,
      `This machine’s clock is ${Math.abs(off)} seconds ${off > 0 ? 'ahead' : 'behind'}; at 300 seconds, every webhook is rejected.`,
      fix,
    )
  return passed(name, 'This machine’s clock agrees with the provider’s.')
}

const TOKEN_WARNING_MS = 14 * DAY_MS

/** Printful's API does not report when a private token expires. */
export function tokenFinding(expires: Date | undefined, now: Date): Finding {
  const name = 'printful token'
  if (!expires)
    return inconclusive(
      name,
      'It works, but Printful’s API does not report when it expires.',
      'Set PRINTFUL_TOKEN_EXPIRES to the date in the developer portal to get a warning two weeks before.',
    )
  const day = expires.toISOString().slice(0, 10)
  const left = expires.getTime() - now.getTime()
  if (left > TOKEN_WARNING_MS) return passed(name, `It works, and expires on ${day}.`)
  const fix = 'Create a new token in the developer portal, set PRINTFUL_TOKEN and PRINTFUL_TOKEN_EXPIRES, and restart.'
  return failed(name, left > 0 ? `It expires on ${day}.` : `It expired on ${day}.`, fix)
}

/** How our products match Printful's, as of the last syncs. */
export type Mapping = {
  variants: number
  /** Slugs of visible products without a Printful product, or with no variant left. */
  unmapped: readonly string[]
  /** Variants that no sync has found at Printful. */
  unseen: number
  /** Variants that Printful no longer has, pending the owner's decision. */
  missing: number
  /** When all products were last compared. */
  comparedAt: Date | null
}

const NAMED = 5

/** @param staleAfterMs how old the last comparison may be */
export function mappingFinding(mapping: Mapping, now: Date, staleAfterMs: number): Finding {
  const { variants, unmapped, unseen, missing: gone, comparedAt } = mapping
  const name = 'mapping'
  if (unmapped.length > 0)
    return failed(
      name,
      `Visible in the shop, but without a variant at Printful: ${joinNames(unmapped)}.`,
      'Set our slug as the external ID of the Printful product and run npm run owner -- sync, or hide the product in the admin.',
    )
  if (gone > 0)
    return failed(
      name,
      `Printful no longer has ${gone} of our variants.`,
      'Accept or decline the pending changes at /admin/catalog or with npm run owner -- sync --list.',
    )
  if (unseen > 0)
    return failed(
      name,
      `No sync has found ${unseen} of our variants at Printful.`,
      'Compare them at /admin/catalog or with npm run owner -- sync.',
    )
  // A new shop has nothing to compare.
  if (variants > 0 && (!comparedAt || now.getTime() - comparedAt.getTime() > staleAfterMs))
    return failed(
      name,
      comparedAt
        ? `Our products were last compared with Printful’s on ${comparedAt.toISOString()}.`
        : 'Our products were never compared with Printful’s.',
      'Compare them at /admin/catalog or with npm run owner -- sync.',
    )
  return passed(name, `Printful has all ${variants} variants.`)
}

const joinNames = (all: readonly string[]): string =>
  all.length > NAMED ? `${all.slice(0, NAMED).join(', ')} and ${all.length - NAMED} more` : all.join(', ')

const MIB = 1024 ** 2
const FREE_MIN_MIB = 1024

export function diskFinding(freeBytes: number): Finding {
  const free = Math.floor(freeBytes / MIB)
  const what = `${free} MiB free on the data disk.`
  return free < FREE_MIN_MIB
    ? failed('disk', what, 'Free up space, or move DATA_DIR to a larger disk.')
    : passed('disk', what)
}

/** A nightly backup is this old at most, with time for a slow night. */
const BACKUP_WITHIN_MS = 36 * HOUR_MS

/** @param notedAt when the last proven backup was noted; undefined: never */
export function backupFinding(notedAt: Date | undefined, now: Date, isLive: boolean): Finding {
  const fix = 'See why the nightly backup failed, and run it by hand.'
  if (notedAt)
    return now.getTime() - notedAt.getTime() > BACKUP_WITHIN_MS
      ? failed('backup', `The last backup is from ${notedAt.toISOString()}.`, fix)
      : passed('backup', `The last backup is from ${notedAt.toISOString()}.`)
  return isLive
    ? inconclusive(
        'backup',
        'No backup was noted here, so a night without one would not be noticed.',
        'End each nightly backup with `npm run owner -- backed-up`.',
      )
    : passed('backup', 'No money is at stake here, and no backup was noted.')
}

/** The scopes a Printful token must have, and what does not work without; reading is enough for webhooks. */
const SCOPES: Readonly<Record<string, string>> = {
  orders: 'no order is printed',
  sync_products: 'the catalog cannot be read, and no product can be created',
  file_library: 'no drawing reaches the printer, so no product can be created',
  webhooks: 'the shop cannot check where Printful sends events',
}

export function scopesFinding(scopes: readonly string[]): Finding {
  const name = 'printful scopes'
  const may = (wanted: string) => scopes.includes(wanted) || (wanted === 'webhooks' && scopes.includes('webhooks/read'))
  const missing = Object.entries(SCOPES).filter(([scope]) => !may(scope))
  return missing.length > 0
    ? failed(
        name,
        `The token has no access to ${missing.map(([scope, without]) => `${scope} (${without})`).join(', ')}.`,
        `Create a token with the scopes ${Object.keys(SCOPES).join(', ')} in the developer portal and set PRINTFUL_TOKEN.`,
      )
    : passed(name, 'The token has every scope the shop needs.')
}

/** As in `server_version_num`, such as 130004. */
const DATABASE_VERSION_MIN = 130_000

/** @param migrations how many the database has applied, and how many this version of the shop has */
export function databaseFinding({
  version,
  migrations,
  isEmbedded,
  isLive,
}: {
  version: number
  migrations: { applied: number; ours: number }
  isEmbedded: boolean
  isLive: boolean
}): Finding {
  const name = 'database'
  if (migrations.applied !== migrations.ours)
    return failed(
      name,
      `It has ${migrations.applied} migrations, but this version of the shop has ${migrations.ours}.`,
      migrations.applied < migrations.ours
        ? 'Start the shop to apply the missing migrations.'
        : 'Run the newer version of the shop that has already used this database.',
    )
  const major = Math.floor(version / 10_000)
  if (version < DATABASE_VERSION_MIN)
    return failed(name, `PostgreSQL ${major} is older than 13.`, 'Move the database to PostgreSQL 13 or newer.')
  if (isEmbedded && isLive)
    return failed(
      name,
      'The embedded database can lose its last seconds in a power failure.',
      'Move to a server with npm run owner -- move-to-postgres, and set DATABASE_URL.',
    )
  return passed(name, `PostgreSQL ${major}${isEmbedded ? ', embedded,' : ''} has all migrations.`)
}

/** What browsers blocked on our pages, as they reported it. */
export type PolicyViolation = { directive: string; blocked: string; page: string; count: number }

/** A single report may come from a browser extension; the same from several visits does not. */
const VIOLATIONS_MIN = 5

/** @param violations from the last seven days, on payment pages */
export function policyFinding(violations: readonly PolicyViolation[]): Finding {
  const name = 'content policy'
  const frequent = violations.filter(({ count }) => count >= VIOLATIONS_MIN)
  if (frequent.length === 0) return passed(name, 'No browser reported anything unexpected on the payment pages.')
  const named = frequent
    .slice(0, NAMED)
    .map(({ directive, blocked, page, count }) => `${blocked} (${directive}, ${count} times on ${page})`)
  return failed(
    name,
    `Browsers blocked on the payment pages: ${named.join('; ')}.`,
    'Run npm run check:scripts. If a provider has moved, the shop needs a new release; anything else is an attack or a browser extension.',
  )
}
