import { DAY_MS } from '#shared/time.ts'

/**
 * What the doctor says of one thing.
 * `unknown`: nobody could be asked, or the provider answers no such question; then `what` says which of the two.
 */
export type Finding = {
  /** Of one name there is one finding. */
  name: string
  state: 'well' | 'wrong' | 'unknown'
  what: string
  /** What mends it, in one sentence; there is one wherever it is not well. */
  fix?: string
}

export const passed = (name: string, what: string): Finding => ({ name, state: 'well', what })
export const failed = (name: string, what: string, fix: string): Finding => ({ name, state: 'wrong', what, fix })
export const inconclusive = (name: string, what: string, fix: string): Finding => ({
  name,
  state: 'unknown',
  what,
  fix,
})

/** What the keys themselves say of the money that they move. */
export type KeyKinds = {
  /** Whether the shop takes real orders. */
  isLive: boolean
  isRehearsal: boolean
  stripeLive: boolean
  publishableKey: string
  paypalLive: boolean
}

/** Whether all keys move the same kind of money, and the kind that the shop is for. */
export function modesFinding({ isLive, isRehearsal, stripeLive, publishableKey, paypalLive }: KeyKinds): Finding {
  const name = 'modes'
  if (publishableKey.startsWith('pk_live_') !== stripeLive)
    return failed(
      name,
      'Stripe’s two keys are of different modes: one moves real money, the other test money.',
      'Set STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY to a pair from the same page of the dashboard.',
    )
  if (stripeLive !== paypalLive)
    return failed(
      name,
      `${stripeLive ? 'Cards' : 'The wallet'} take real money, ${stripeLive ? 'the wallet' : 'cards'} test money.`,
      'Use live keys for both, or test keys and PayPal’s address for them (PAYPAL_API_BASE) for both.',
    )
  if (isLive && !stripeLive && !isRehearsal)
    return failed(
      name,
      'The shop is live, and its keys move test money only.',
      'Set the live keys of Stripe and PayPal, or say that it is a rehearsal (docs/operations.md).',
    )
  if (!isLive && stripeLive)
    return failed(name, 'The shop is not live, and its keys move real money.', 'Set SHOP_MODE=live, or test keys.')
  return passed(name, `All keys move ${stripeLive ? 'real' : 'test'} money.`)
}

/** An address that a provider sends events to. */
export type Endpoint = { url: string; events: readonly string[]; isOn: boolean }

/**
 * Whether a provider sends us all that we need to hear.
 * @param wanted our address for its events, and the events by name
 * @param settings where at the provider it is set
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
      endpoints.length > 0 ? 'Its events go to another address than this shop’s.' : 'It sends its events nowhere.',
      `Add the address of this shop (docs/operations.md, Going live) ${settings}, with the events that stand there.`,
    )
  const on = ours.filter(({ isOn }) => isOn)
  if (on.length === 0)
    return failed(name, 'The address of this shop is switched off there.', `Switch it on ${settings}.`)
  const subscribedEvents = new Set(on.flatMap(({ events }) => events))
  const missing = subscribedEvents.has('*') ? [] : wanted.events.filter((event) => !subscribedEvents.has(event))
  if (missing.length > 0)
    return failed(name, `It does not tell of ${missing.join(', ')}.`, `Choose these events as well ${settings}.`)
  return passed(name, `It tells this shop of all ${wanted.events.length} kinds of events that it needs.`)
}

/** Signatures are good for five minutes: a clock that is a minute off is on its way there. */
const CLOCK_OFF_MAX_MS = 60_000

/** @param theirs by the provider's own answer @param ours this machine's, at the same moment */
export function clockFinding(theirs: Date | undefined, ours: Date): Finding {
  const name = 'clock'
  const fix = 'Let the machine’s clock be set by a time service (NTP).'
  if (!theirs) return inconclusive(name, 'The provider’s answer does not say what time it is.', fix)
  const off = Math.round((ours.getTime() - theirs.getTime()) / 1000)
  if (Math.abs(off) * 1000 > CLOCK_OFF_MAX_MS)
    return failed(
      name,
      `The clock of this machine is ${Math.abs(off)} seconds ${off > 0 ? 'ahead' : 'behind'}; from 300 on, every webhook is refused.`,
      fix,
    )
  return passed(name, 'The clock of this machine agrees with the provider’s.')
}

const TOKEN_WARNING_MS = 14 * DAY_MS

/** A private token of the print partner ends on a day that its interface does not tell. */
export function tokenFinding(expires: Date | undefined, now: Date): Finding {
  const name = 'printful token'
  if (!expires)
    return inconclusive(
      name,
      'It is taken; Printful does not tell by its interface when it ends.',
      'Set PRINTFUL_TOKEN_EXPIRES to the day that the developer portal shows, and you are told two weeks before.',
    )
  const day = expires.toISOString().slice(0, 10)
  const left = expires.getTime() - now.getTime()
  if (left > TOKEN_WARNING_MS) return passed(name, `It is taken, and ends on ${day}.`)
  const fix = 'Make a new token in the developer portal, set PRINTFUL_TOKEN and PRINTFUL_TOKEN_EXPIRES, and restart.'
  return failed(name, left > 0 ? `It ends on ${day}.` : `It ended on ${day}.`, fix)
}

/** How our products stand to the partner's, by the last synchronizations. */
export type Mapping = {
  variants: number
  /** Products that are shown and have nothing at the partner, or no variant left; their slugs. */
  unmapped: readonly string[]
  /** Variants that no synchronization has seen at the partner. */
  unseen: number
  /** Variants that the partner no longer has, where the owner was not heard yet. */
  missing: number
  /** When all products were compared last. */
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
      `Shown, and without a variant at the printer: ${joinNames(unmapped)}.`,
      'Give the printer’s product our slug as its external id and run npm run owner -- sync, or hide ours in the admin.',
    )
  if (gone > 0)
    return failed(
      name,
      `The printer no longer has ${gone} of our variants.`,
      'Say yes or no to the waiting changes at /admin/catalog or with npm run owner -- sync --list.',
    )
  if (unseen > 0)
    return failed(
      name,
      `No synchronization has seen ${unseen} of our variants at the printer.`,
      'Run npm run owner -- sync, and read its remarks.',
    )
  if (!comparedAt || now.getTime() - comparedAt.getTime() > staleAfterMs)
    return failed(
      name,
      comparedAt
        ? `Our products were last compared with the printer’s on ${comparedAt.toISOString()}.`
        : 'Our products were never compared with the printer’s.',
      'Run npm run owner -- sync, and read its remarks.',
    )
  return passed(name, `All ${variants} variants are known to the printer.`)
}

const joinNames = (all: readonly string[]): string =>
  all.length > NAMED ? `${all.slice(0, NAMED).join(', ')} and ${all.length - NAMED} more` : all.join(', ')

const MIB = 1024 ** 2
const FREE_MIN_MIB = 1024

export function diskFinding(freeBytes: number): Finding {
  const free = Math.floor(freeBytes / MIB)
  const what = `${free} MiB are free where the data lies.`
  return free < FREE_MIN_MIB
    ? failed('disk', what, 'Make room, or move DATA_DIR to a larger disk.')
    : passed('disk', what)
}

/** The scopes that a token of the print partner must have, each for reading at least. */
const SCOPES = ['orders', 'sync_products', 'webhooks']

export function scopesFinding(scopes: readonly string[]): Finding {
  const name = 'printful scopes'
  const may = (wanted: string) => scopes.includes(wanted) || (wanted === 'webhooks' && scopes.includes('webhooks/read'))
  const missing = SCOPES.filter((scope) => !may(scope))
  return missing.length > 0
    ? failed(
        name,
        `The token may not touch ${missing.join(', ')}.`,
        'Make a token with these scopes in the developer portal and set PRINTFUL_TOKEN.',
      )
    : passed(name, 'The token may do all that the shop does.')
}

/** PostgreSQL's own number of its version, such as 130004. */
const DATABASE_VERSION_MIN = 130_000

/** @param migrations how many it has, and how many this version of the shop brings */
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
      `It has ${migrations.applied} migrations, and this version of the shop knows ${migrations.ours}.`,
      migrations.applied < migrations.ours
        ? 'Start the shop, which brings them up to date.'
        : 'Run the newer version of the shop, which has used this database already.',
    )
  const major = Math.floor(version / 10_000)
  if (version < DATABASE_VERSION_MIN)
    return failed(name, `PostgreSQL ${major} is older than 13.`, 'Move the database to PostgreSQL 13 or newer.')
  if (isEmbedded && isLive)
    return failed(
      name,
      'The embedded database may lose its last seconds when the machine loses power.',
      'Move to a server with npm run owner -- move-to-postgres, and set DATABASE_URL.',
    )
  return passed(name, `PostgreSQL ${major}${isEmbedded ? ', embedded,' : ''} has all migrations.`)
}

/** What browsers refused to load on pages of ours, as they reported it. */
export type PolicyViolation = { directive: string; blocked: string; page: string; count: number }

/** One report may be a browser's extension; the same from several visits is not. */
const VIOLATIONS_MIN = 5

/** @param violations of the last seven days, on the pages that take payment */
export function policyFinding(violations: readonly PolicyViolation[]): Finding {
  const name = 'content policy'
  const frequent = violations.filter(({ count }) => count >= VIOLATIONS_MIN)
  if (frequent.length === 0)
    return passed(name, 'No browser reported anything on the payment pages that does not belong there.')
  const named = frequent
    .slice(0, NAMED)
    .map(({ directive, blocked, page, count }) => `${blocked} (${directive}, ${count} times on ${page})`)
  return failed(
    name,
    `Browsers refused to load on the payment pages: ${named.join('; ')}.`,
    'Run npm run check:scripts. A provider that has moved needs a new release of the shop; anything else is an attack or a browser extension.',
  )
}
