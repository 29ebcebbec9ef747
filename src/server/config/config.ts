import { X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { label } from '#site/label.ts'
import { readBic, readIban } from '#domain/partners/payout-account.ts'
import type { PaymentProvider } from '#shared/ids.ts'
import { isTimeZone, type TimeZone } from '#shared/time-zone.ts'
import { Secret } from './secret.ts'
import { isOnThisMachine, decideMode, OFFICIAL, readModeHints } from './shop-mode.ts'
import { listWeakSecrets, STRIPE_WEBHOOK_PREFIX } from './weak-secrets.ts'

/** The environment variables, read once and checked together (docs/operations.md lists them). */
export type Config = {
  mode: 'live' | 'sandbox'
  /** A live shop that may use test keys: `ALLOW_SANDBOX=1`, and no payment is real. */
  isRehearsal: boolean
  /** Real money or goods are at stake: no demo users, no weak secrets. */
  isGuarded: boolean
  host: string
  port: number
  /** Base of links in emails and of the origin check; unset: the request's own Host, loopback names only. */
  publicUrl: string | undefined
  trustedProxies: string[]
  databaseUrl: Secret | undefined
  /** Requests that wait longer for a database connection are refused as busy. */
  databaseWaitMs: number
  /** A read replica, for data that may be a few seconds old. */
  databaseReplicaUrl: Secret | undefined
  /** An absolute path, or `memory://`. */
  dataDir: string
  /** A file that says how far the shop's clock is ahead of the machine's, in sandboxes only. */
  clockFile: string | undefined
  stripe: {
    secretKey: Secret
    /** Whether the key moves real money; a payment of the other mode never becomes an order. */
    live: boolean
    publishableKey: string
    /** All are accepted, for rotation. */
    webhookSecrets: Secret[]
    apiBase: string
    scriptUrl: string
    /** Where Stripe publishes Apple Pay's domain verification file. */
    applePayFile: string
  }
  paypal: {
    /** Public: browsers see it too. */
    clientId: string
    clientSecret: Secret
    /** The id of our webhook; PayPal's signatures include it. */
    webhookId: string
    /** Whether the API's address moves real money; a payment of the other mode never becomes an order. */
    live: boolean
    apiBase: string
    scriptUrl: string
    /** PEM of the authority that must have issued PayPal's signing certificates, instead of the public ones. */
    certificateAuthority: string | undefined
  }
  printful: {
    token: Secret
    /** When the token expires; Printful's API does not return it. */
    tokenExpires: Date | undefined
    storeId: string | undefined
    webhookSecret: Secret
    apiBase: string
  }
  /** The network whose rounds decide raffles. */
  drand: { apiBase: string; chainHash: string; publicKey: string; genesisTime: number; period: number }
  mail: { url: Secret; from: string }
  /** The IMAP mailbox of the support email, in which customers' replies arrive; unset: they are answered there by hand. */
  mailbox: Secret | undefined
  owner: { username: string; password: Secret; isDemo: boolean } | undefined
  /** A partner with a well-known password, in sandboxes only. */
  demoPartner:
    | {
        username: string
        password: Secret
        partner: {
          displayName: string
          channelUrl: string
          code: string
          links: { code: string; path: string; campaign: string }[]
        }
      }
    | undefined
  /** Bearer token of `/metrics`; unset: `/metrics` answers 404. */
  metricsToken: Secret | undefined
  rateLimitScale: number
  /** Limits against card testing that an honest family never reaches. */
  cardTesting: {
    declinesPerCheckout: number
    /** Within an hour. */
    declinesPerAddress: number
    /** Within an hour. */
    unpaidStartsPerAddress: number
  }
  /** How long a client may take to send its request or read the answer before its connection is closed. */
  slowClientMs: number
  sweepIntervalMs: number
  quoteTtlMs: number
  /** How long a shopper may change or cancel a paid order, unless the owner’s settings say otherwise. */
  changeWindowMinutes: number
  /** Who pays for shipping: the shop, or the shopper at the printer's rate. */
  shipping: 'free' | 'partner'
  jobLeaseS: number
  /** How long `/readyz` answers 503 before a stop closes the port: time for a load balancer to stop sending requests. */
  drainMs: number
  /** How long a commission is held back for refunds before payout. */
  commissionHoldingDays: number
  /** The account that pays partners, for the bank's payment file. */
  payingAccount: { name: string; iban: string; bic: string | null } | null
  /** Where the days of reports begin. */
  reportTimeZone: TimeZone
  /** A backup that a sandbox's new database begins with. */
  initialBackup: string | undefined
  /** The shop's own catalog file, imported when it has changed. */
  catalogFile: string | undefined
  /** A sandbox's reviews for its demo catalog, imported when they have changed. */
  demoReviewsFile: string | undefined
  /** Where an import may fetch pictures: public addresses by https, or, for tests, any. */
  pictureSources: 'public' | 'any'
  sync: {
    intervalMs: number
    /** What a sync changes without asking: availability only, or everything. */
    applies: 'stock' | 'everything'
  }
  /** The sandbox's pages that the ribbon links to. */
  sandboxLinks: { mailbox: string; cards: string } | null
}

/** The base of links outside of a request. */
export const baseUrlOf = ({ publicUrl, port }: Pick<Config, 'publicUrl' | 'port'>): string =>
  publicUrl ?? `http://127.0.0.1:${port}`

/** Whether a provider's payments are real money. */
export const isLive = (config: Pick<Config, PaymentProvider>, provider: PaymentProvider): boolean =>
  config[provider].live

type Environment = Readonly<Record<string, string | undefined>>

/** All mistakes in the environment, one sentence each. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}

const demoPartner: NonNullable<Config['demoPartner']> = {
  username: 'partner',
  password: new Secret('partner-demo'),
  partner: {
    displayName: label.channel.name,
    channelUrl: label.channel.url,
    code: 'bullion',
    links: [
      { code: 'bullion-rudy', path: '/RudyCollection', campaign: 'Channel description' },
      { code: 'bullion-all', path: '/products', campaign: 'Pinned comment' },
    ],
  },
}

/** @throws ConfigError with one sentence per mistake */
export function readConfig(env: Environment): Config {
  const mistakes: string[] = []
  const read = createReader(env, mistakes)

  const bases = {
    STRIPE_API_BASE: read.providerBase('STRIPE_API_BASE', OFFICIAL.stripe),
    PAYPAL_API_BASE: read.providerBase('PAYPAL_API_BASE', OFFICIAL.paypal),
    PRINTFUL_API_BASE: read.providerBase('PRINTFUL_API_BASE', OFFICIAL.printful),
  }
  const hints = readModeHints({
    ...bases,
    STRIPE_SECRET_KEY: read.text('STRIPE_SECRET_KEY', ''),
    STRIPE_PUBLISHABLE_KEY: read.text('STRIPE_PUBLISHABLE_KEY', ''),
    PAYPAL_CLIENT_ID: read.text('PAYPAL_CLIENT_ID', ''),
    PRINTFUL_TOKEN: read.text('PRINTFUL_TOKEN', ''),
  })
  const isReal = (...settings: readonly string[]) =>
    hints.some(({ setting, stakes }) => stakes === 'real' && settings.includes(setting))
  const wanted = {
    mode: read.choice('SHOP_MODE', ['live', 'sandbox']),
    allowsSandbox: read.optional('ALLOW_SANDBOX') === '1',
  }
  const { mode, isGuarded, isRehearsal, mistakes: misplaced } = decideMode(wanted, hints)
  const sandbox = mode === 'sandbox'
  const config: Config = {
    mode,
    isRehearsal,
    isGuarded,
    host: read.text('HOST', '127.0.0.1'),
    port: read.number('PORT', 3000, { from: 0, to: 65535 }),
    publicUrl: read.origin('PUBLIC_URL'),
    trustedProxies: read.list('TRUSTED_PROXIES'),
    databaseUrl: read.secret('DATABASE_URL'),
    databaseWaitMs: read.number('DATABASE_WAIT_MS', 1000, { from: 100, to: 60_000 }),
    databaseReplicaUrl: read.secret('DATABASE_REPLICA_URL'),
    dataDir: dataDirFrom(read.text('DATA_DIR', './data')),
    clockFile: read.optional('CLOCK_FILE'),
    stripe: {
      secretKey: read.required('STRIPE_SECRET_KEY'),
      live: isReal('STRIPE_SECRET_KEY'),
      publishableKey: read.required('STRIPE_PUBLISHABLE_KEY').reveal(),
      webhookSecrets: webhookSecretsFrom(read, mistakes),
      apiBase: bases.STRIPE_API_BASE,
      scriptUrl: read.url('STRIPE_SCRIPT', 'https://js.stripe.com/endive/stripe.js'),
      applePayFile: read.url('STRIPE_APPLE_PAY_FILE', `https://stripe.com/files/apple-pay/${APPLE_PAY_FILE}`),
    },
    paypal: {
      clientId: read.required('PAYPAL_CLIENT_ID').reveal(),
      clientSecret: read.required('PAYPAL_CLIENT_SECRET'),
      webhookId: read.required('PAYPAL_WEBHOOK_ID').reveal(),
      // PayPal's keys do not show their mode, but each mode has its own address.
      live: isReal('PAYPAL_API_BASE'),
      apiBase: bases.PAYPAL_API_BASE,
      scriptUrl: read.url('PAYPAL_SCRIPT', paypalScriptAt(bases.PAYPAL_API_BASE)),
      certificateAuthority: read.certificate('PAYPAL_CERTIFICATE_AUTHORITY'),
    },
    printful: {
      token: read.required('PRINTFUL_TOKEN'),
      tokenExpires: read.day('PRINTFUL_TOKEN_EXPIRES'),
      storeId: read.optional('PRINTFUL_STORE_ID'),
      webhookSecret: read.required('PRINTFUL_WEBHOOK_SECRET'),
      apiBase: bases.PRINTFUL_API_BASE,
    },
    drand: {
      apiBase: read.url('DRAND_API_BASE', 'https://api.drand.sh').replace(/\/$/, ''),
      chainHash: read.text('DRAND_CHAIN_HASH', QUICKNET.chainHash),
      publicKey: read.text('DRAND_PUBLIC_KEY', QUICKNET.publicKey),
      genesisTime: read.number('DRAND_GENESIS', QUICKNET.genesisTime, { from: 1, to: 4_102_444_800 }),
      period: read.number('DRAND_PERIOD_S', QUICKNET.period, { from: 1, to: 3600 }),
    },
    mail: { url: read.required('SMTP_URL'), from: read.text('MAIL_FROM', label.supportEmail) },
    mailbox: mailboxFrom(read, mistakes),
    owner: ownerFrom(read, sandbox),
    demoPartner: sandbox ? demoPartner : undefined,
    metricsToken: read.secret('METRICS_TOKEN'),
    rateLimitScale: read.number('RATE_LIMIT_SCALE', 1, { from: 0.01, to: 1_000_000, fraction: true }),
    cardTesting: {
      declinesPerCheckout: read.number('CARD_DECLINES_PER_CHECKOUT', 5, { from: 1, to: 1000 }),
      declinesPerAddress: read.number('CARD_DECLINES_PER_ADDRESS', 15, { from: 1, to: 100_000 }),
      unpaidStartsPerAddress: read.number('UNPAID_STARTS_PER_ADDRESS', 30, { from: 1, to: 100_000 }),
    },
    slowClientMs: read.number('SLOW_CLIENT_S', 15, { from: 1, to: 300 }) * 1000,
    sweepIntervalMs: read.number('SWEEP_INTERVAL_S', 300, { from: 1, to: 86_400 }) * 1000,
    quoteTtlMs: read.number('QUOTE_TTL_S', 1800, { from: 1, to: 86_400 }) * 1000,
    changeWindowMinutes: read.number('CHANGE_WINDOW_S', 3600, { from: 0, to: 86_400 }) / 60,
    shipping: read.oneOf('SHIPPING', ['free', 'partner'], 'free'),
    jobLeaseS: read.number('JOB_LEASE_S', 20, { from: 10, to: 3600 }),
    drainMs: read.number('DRAIN_S', 0, { from: 0, to: 60 }) * 1000,
    commissionHoldingDays: read.number('COMMISSION_HOLDING_DAYS', 30, { from: 0, to: 365 }),
    payingAccount: payingAccountOf(read),
    reportTimeZone: read.timeZone('REPORT_TIME_ZONE', label.timeZone),
    initialBackup: read.optional('INITIAL_BACKUP'),
    catalogFile: read.optional('CATALOGUE_FILE'),
    demoReviewsFile: sandbox ? read.optional('DEMO_REVIEWS_FILE') : undefined,
    pictureSources: read.oneOf('PICTURE_SOURCES', ['public', 'any'], 'public'),
    sync: {
      intervalMs: read.number('SYNC_INTERVAL_S', 900, { from: 60, to: 86_400 }) * 1000,
      applies: read.oneOf('SYNC_APPLIES', ['stock', 'everything'], 'stock'),
    },
    sandboxLinks: sandboxLinksFrom(env, sandbox),
  }
  if (config.databaseReplicaUrl && !config.databaseUrl)
    mistakes.push('DATABASE_REPLICA_URL is set, but DATABASE_URL is not: the embedded database has no replica.')
  mistakes.push(...misplaced)
  if (config.clockFile && !Object.values(bases).every(isOnThisMachine))
    mistakes.push(
      'CLOCK_FILE is for shops with simulated providers only: a real one refuses and misdates what comes at another time. Remove it.',
    )
  if (isGuarded && config.initialBackup)
    mistakes.push('INITIAL_BACKUP is for sandboxes. Remove it, and restore a backup with npm run owner -- restore.')
  if (isGuarded && config.pictureSources === 'any')
    mistakes.push('PICTURE_SOURCES=any is for tests: an import could read addresses of your own network. Remove it.')
  if (isGuarded) mistakes.push(...listMissingGuards(config))
  if (mistakes.length) throw new ConfigError(mistakes)
  return config
}

/** The League of Entropy's network quicknet (https://docs.drand.love/developer/http-api, its `/info`). */
const QUICKNET = {
  chainHash: '52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971',
  publicKey:
    '83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a',
  genesisTime: 1_692_803_367,
  period: 3,
} as const

/** Apple fetches it from `/.well-known`. */
export const APPLE_PAY_FILE = 'apple-developer-merchantid-domain-association'

/** PayPal's script must be of the same mode as the API's address (developer.paypal.com, JavaScript SDK v6). */
export const paypalScriptAt = (apiBase: string): string =>
  new URL(apiBase).hostname === 'api-m.sandbox.paypal.com'
    ? 'https://www.sandbox.paypal.com/web-sdk/v6/core'
    : 'https://www.paypal.com/web-sdk/v6/core'

/** Checked in every mode: with an empty secret or the bare prefix, anybody could sign events. */
function webhookSecretsFrom(read: ReturnType<typeof createReader>, mistakes: string[]): Secret[] {
  const all = read.required('STRIPE_WEBHOOK_SECRET').reveal()
  const secrets = read.list('STRIPE_WEBHOOK_SECRET')
  if (all && (secrets.length === 0 || secrets.includes(STRIPE_WEBHOOK_PREFIX)))
    mistakes.push(
      `STRIPE_WEBHOOK_SECRET has only the prefix of all signing secrets (${STRIPE_WEBHOOK_PREFIX}). Copy the whole secret.`,
    )
  return secrets.map((secret) => new Secret(secret))
}

/** Plain IMAP only on this machine: a password must not cross a network unencrypted. */
function mailboxFrom(read: ReturnType<typeof createReader>, mistakes: string[]): Secret | undefined {
  const value = read.optional('IMAP_URL')
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && url.username && (url.protocol === 'imaps:' || (url.protocol === 'imap:' && isOnThisMachine(value))))
    return new Secret(value)
  mistakes.push('IMAP_URL must be like imaps://user:password@imap.mail.example; imap: is only for this machine.')
  return undefined
}

const dataDirFrom = (value: string) => (value.startsWith('memory://') ? value : resolve(value))

/** The bank's payment file needs an IBAN. */
function payingAccountOf(read: ReturnType<typeof createReader>): Config['payingAccount'] {
  const iban = read.checked('PAYOUT_IBAN', readIban, 'an IBAN such as DE89 3704 0044 0532 0130 00')
  const bic = read.checked('PAYOUT_BIC', readBic, 'a BIC such as COBADEFFXXX')
  return iban === undefined ? null : { name: read.text('PAYOUT_NAME', label.name), iban, bic: bic ?? null }
}

function ownerFrom(read: ReturnType<typeof createReader>, sandbox: boolean): Config['owner'] {
  const username = read.optional('OWNER_USERNAME')
  const password = read.secret('OWNER_PASSWORD')
  if (username && password) return { username, password, isDemo: false }
  return sandbox ? { username: 'owner', password: new Secret('owner-demo'), isDemo: true } : undefined
}

function sandboxLinksFrom(env: Environment, sandbox: boolean): Config['sandboxLinks'] {
  const port = env['SANDBOX_PORT']
  const base = port ? `http://127.0.0.1:${port}` : undefined
  return sandbox && base ? { mailbox: `${base}/mail`, cards: `${base}/cards` } : null
}

/** What a guarded shop must have. */
function listMissingGuards({ publicUrl, owner, stripe, printful, metricsToken }: Config): string[] {
  const mistakes: string[] = []
  if (!publicUrl) mistakes.push('PUBLIC_URL is missing: a live shop needs its own address for links and cookies.')
  else if (!publicUrl.startsWith('https:')) mistakes.push('PUBLIC_URL must start with https: when the shop is live.')
  return [
    ...mistakes,
    ...listWeakSecrets({
      owner: owner && { username: owner.username, password: owner.password.reveal() },
      stripeWebhookSecrets: stripe.webhookSecrets.map((secret) => secret.reveal()),
      printfulWebhookSecret: printful.webhookSecret.reveal(),
      metricsToken: metricsToken?.reveal(),
    }),
  ]
}

function createReader(env: Environment, mistakes: string[]) {
  const optional = (name: string) => env[name]?.trim() || undefined
  const url = (name: string, fallback: string) => {
    const value = optional(name) ?? fallback
    if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value.replace(/\/$/, '')
    mistakes.push(`${name} must be an address such as ${fallback}.`)
    return fallback
  }
  const mistake = (name: string) => {
    mistakes.push(`${name} must be a CA certificate in PEM format, with or without line breaks.`)
    return undefined
  }
  const choice = <const T extends string>(name: string, choices: readonly T[]): T | undefined => {
    const value = optional(name)
    const found = choices.find((option) => option === value)
    if (value && !found) mistakes.push(`${name} must be one of: ${choices.join(', ')}.`)
    return found
  }
  return {
    optional,
    url,
    text: (name: string, fallback: string) => optional(name) ?? fallback,
    list: (name: string) =>
      (optional(name) ?? '')
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean),
    secret: (name: string) => {
      const value = optional(name)
      return value ? new Secret(value) : undefined
    },
    required: (name: string) => {
      const value = optional(name)
      if (!value) mistakes.push(`${name} is missing.`)
      return new Secret(value ?? '')
    },
    number: (name: string, fallback: number, range: { from: number; to: number; fraction?: boolean }) => {
      const text = optional(name)
      if (text === undefined) return fallback
      const value = Number(text)
      if (value >= range.from && value <= range.to && (range.fraction || Number.isInteger(value))) return value
      mistakes.push(`${name} must be a ${range.fraction ? '' : 'whole '}number from ${range.from} to ${range.to}.`)
      return fallback
    },
    choice,
    oneOf: <const T extends string>(name: string, choices: readonly T[], fallback: T): T =>
      choice(name, choices) ?? fallback,
    /** @param form the expected form, with an example */
    checked: (name: string, readAs: (text: string) => string | undefined, form: string) => {
      const text = optional(name)
      const value = text === undefined ? undefined : readAs(text)
      if (text !== undefined && value === undefined) mistakes.push(`${name} must be ${form}.`)
      return value
    },
    timeZone: (name: string, fallback: TimeZone): TimeZone => {
      const value = optional(name) ?? fallback
      if (isTimeZone(value)) return value
      mistakes.push(`${name} must be the name of a time zone, such as ${fallback}.`)
      return fallback
    },
    day: (name: string) => {
      const value = optional(name)
      if (!value) return undefined
      const day = new Date(`${value}T00:00:00Z`)
      if (/^\d{4}-\d\d-\d\d$/.test(value) && day.toJSON()?.startsWith(value)) return day
      mistakes.push(`${name} must be a day such as 2027-01-31.`)
      return undefined
    },
    certificate: (name: string) => {
      const value = optional(name)
      if (!value) return undefined
      const body = value.replace(/-----[A-Z ]+-----|\s/g, '').match(/.{1,64}/g) ?? []
      const pem = ['-----BEGIN CERTIFICATE-----', ...body, '-----END CERTIFICATE-----'].join('\n')
      try {
        return new X509Certificate(pem).ca ? pem : mistake(name)
      } catch {
        return mistake(name)
      }
    },
    origin: (name: string) => {
      const value = optional(name)
      if (!value) return undefined
      if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return new URL(value).origin
      mistakes.push(`${name} must be an address such as https://shop.example.`)
      return undefined
    },
    /** Plain http only on this machine: keys must not cross a network unencrypted. */
    providerBase: (name: string, official: string) => {
      const base = url(name, official)
      if (base.startsWith('http:') && !isOnThisMachine(base))
        mistakes.push(`${name} must start with https: unless it points to this machine.`)
      return base
    },
  }
}
