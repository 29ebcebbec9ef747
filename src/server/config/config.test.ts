import { describe, expect, test } from 'vitest'
import { ConfigError, isLive, readConfig, type Config } from './config.ts'

/** A signing secret's random part. */
const randomPart = 'Vd81kTqLw0ZpXb7RyG5uNc3e'

const environment = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: `whsec_${randomPart}`,
  PAYPAL_CLIENT_ID: 'A1',
  PAYPAL_CLIENT_SECRET: 'E1',
  PAYPAL_WEBHOOK_ID: 'WH-1',
  PRINTFUL_TOKEN: 't',
  PRINTFUL_WEBHOOK_SECRET: '6f1c0a9e5b7d43c28ea1',
  SMTP_URL: 'smtp://127.0.0.1:1',
  PUBLIC_URL: 'https://shop.example',
}

const mistakesIn = (env: Record<string, string | undefined>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return error instanceof ConfigError ? error.mistakes : [String(error)]
  }
}

describe('the configuration', () => {
  test('a live shop with all keys starts', () => {
    expect(mistakesIn(environment)).toEqual([])
  })

  test('a live shop whose PayPal address is a simulator does not start (S90)', () => {
    expect(mistakesIn({ ...environment, PAYPAL_API_BASE: 'http://127.0.0.1:4011' })).toEqual([
      'PAYPAL_API_BASE points at this machine, but the shop is live.',
    ])
  })

  test('only a shop whose providers are all simulated follows another clock than the machine’s', () => {
    const simulated = {
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_API_BASE: 'http://127.0.0.1:1',
      PAYPAL_API_BASE: 'http://127.0.0.1:1',
      PRINTFUL_API_BASE: 'http://127.0.0.1:1',
    }
    const refused = expect.stringMatching(/^CLOCK_FILE is for shops with simulated providers only/)
    const withClock = { ...environment, CLOCK_FILE: '/clock' }
    expect(mistakesIn(withClock)).toEqual([refused])
    expect(mistakesIn({ ...withClock, ...simulated, STRIPE_API_BASE: undefined, SHOP_MODE: 'sandbox' })).toEqual([
      refused,
    ])
    expect(mistakesIn({ ...withClock, ...simulated })).toEqual([])
  })

  test('a live shop begins with no backup: the demo’s days never become a real shop’s', () => {
    expect(mistakesIn({ ...environment, INITIAL_BACKUP: '/demo.backup.gz' })).toEqual([
      expect.stringMatching(/^INITIAL_BACKUP is for sandboxes/),
    ])
  })

  test('a replica without its primary database is a mistake', () => {
    expect(mistakesIn({ ...environment, DATABASE_REPLICA_URL: 'postgres://127.0.0.1/shop' })).toEqual([
      'DATABASE_REPLICA_URL is set, but DATABASE_URL is not: the embedded database has no replica.',
    ])
  })

  test('all missing settings are reported together', () => {
    const { PAYPAL_CLIENT_ID: _, PAYPAL_WEBHOOK_ID: __, ...rest } = environment
    expect(mistakesIn(rest)).toEqual(['PAYPAL_CLIENT_ID is missing.', 'PAYPAL_WEBHOOK_ID is missing.'])
  })
})

// The kinds of keys and addresses, by the providers' documentation.
const secretKeys = { sk_live_1: 'real', rk_live_1: 'real', sk_test_1: 'test', sk_org_1: '?' } as const
const publishableKeys = { pk_live_1: 'real', pk_test_1: 'test' } as const
const stripeBases = { '': 'own', 'http://127.0.0.1:4011': 'elsewhere' } as const
const paypalBases = {
  '': 'real',
  'https://api-m.paypal.com.': 'real',
  'https://api-m.sandbox.paypal.com': 'test',
  'https://api-m.paypal.com.evil.example': 'elsewhere',
} as const
const printfulBases = { '': 'real', 'https://api.printful.com@evil.example': 'elsewhere' } as const

const entries = <Key extends string, Value>(all: Record<Key, Value>) => Object.entries(all) as [Key, Value][]

/** Every combination of modes, kinds of keys and kinds of addresses. */
function* combinations() {
  for (const SHOP_MODE of ['', 'sandbox', 'live'])
    for (const ALLOW_SANDBOX of ['', '1'])
      for (const [STRIPE_SECRET_KEY, secret] of entries(secretKeys))
        for (const [STRIPE_PUBLISHABLE_KEY, publishable] of entries(publishableKeys))
          for (const [STRIPE_API_BASE, stripe] of entries(stripeBases))
            for (const [PAYPAL_API_BASE, paypal] of entries(paypalBases))
              for (const [PRINTFUL_API_BASE, printful] of entries(printfulBases)) {
                const bases = { STRIPE_API_BASE, PAYPAL_API_BASE, PRINTFUL_API_BASE }
                const env = { SHOP_MODE, ALLOW_SANDBOX, STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, ...bases }
                // A key of unknown kind could be live at Stripe itself, and is harmless at a simulator.
                const key = secret === '?' ? (stripe === 'own' ? 'real' : 'elsewhere') : secret
                yield { env, kinds: { key, publishable, stripe, paypal, printful } }
              }
}
type Kinds = ReturnType<typeof combinations> extends Generator<{ kinds: infer K }> ? K : never

const paymentsAreReal = ({ key, publishable, paypal }: Kinds) => [key, publishable, paypal].includes('real')

function expected(mode: string, allows: boolean, kinds: Kinds): 'sandbox' | 'guarded' | 'rehearsal' | 'refused' {
  const { key, publishable, stripe, paypal, printful } = kinds
  const isAnythingReal = paymentsAreReal(kinds) || printful === 'real'
  const isEverythingReal =
    key === 'real' && publishable === 'real' && stripe === 'own' && paypal === 'real' && printful === 'real'
  const isSimulated = stripe === 'elsewhere' || paypal === 'elsewhere'
  const effectiveMode = mode || (isAnythingReal || stripe === 'own' ? 'live' : 'sandbox')
  if (effectiveMode === 'sandbox') return isAnythingReal ? 'refused' : 'sandbox'
  if (isEverythingReal) return 'guarded'
  if (!allows || paymentsAreReal(kinds)) return 'refused'
  if (!isAnythingReal) return 'rehearsal'
  return isSimulated ? 'refused' : 'guarded'
}

const publicSecrets = {
  owner: { OWNER_USERNAME: 'owner', OWNER_PASSWORD: 'owner-demo' },
  tokens: { METRICS_TOKEN: 'x' },
}

describe('the mode that keys and addresses allow', () => {
  test('a shop with real money or goods at stake never runs as a sandbox, with any combination of keys and addresses (L01)', () => {
    let combinationsTried = 0
    for (const { env, kinds } of combinations()) {
      const settings = JSON.stringify(env)
      const started = expected(env.SHOP_MODE, env.ALLOW_SANDBOX === '1', kinds)
      const mistakes = mistakesIn({ ...environment, ...env })
      combinationsTried += 1
      if (started === 'refused') {
        expect(mistakes.length, settings).toBeGreaterThan(0)
        for (const mistake of mistakes) expect(mistake, settings).toMatch(/^[A-Z_]+ (?:is|points|does) .*\.$/)
        continue
      }
      expect(mistakes, settings).toEqual([])
      const config = readConfig({ ...environment, ...env })
      expect(startKindOf(config), settings).toBe(started)
      expect([isLive(config, 'stripe'), isLive(config, 'paypal')], settings).toEqual([
        kinds.key === 'real',
        kinds.paypal === 'real',
      ])
      // Demo users exist only in a sandbox, and a guarded shop refuses secrets that everybody knows.
      expect([config.owner?.isDemo ?? false, config.demoPartner !== undefined], settings).toEqual(
        started === 'sandbox' ? [true, true] : [false, false],
      )
      expect(mistakesIn({ ...environment, ...env, ...publicSecrets.owner }).length, settings).toBe(
        started === 'guarded' ? 1 : 0,
      )
      expect(mistakesIn({ ...environment, ...env, ...publicSecrets.tokens }).length, settings).toBe(
        started === 'guarded' ? 1 : 0,
      )
    }
    expect(combinationsTried).toBe(768)
  })

  test.each([
    [
      { SHOP_MODE: 'sandbox' },
      'STRIPE_SECRET_KEY is a live key, but SHOP_MODE is sandbox. Use the test key, or set SHOP_MODE=live.',
    ],
    [
      { SHOP_MODE: 'sandbox', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' },
      'PAYPAL_API_BASE is PayPal’s live address, which is its default, but SHOP_MODE is sandbox. Set https://api-m.sandbox.paypal.com or a simulator, or set SHOP_MODE=live.',
    ],
    [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'STRIPE_PUBLISHABLE_KEY is a test key, but the shop is live.'],
    [
      { ALLOW_SANDBOX: '1', PAYPAL_API_BASE: 'http://127.0.0.1:1' },
      'ALLOW_SANDBOX does not apply while STRIPE_SECRET_KEY is a live key: it is for test money only.',
    ],
    [
      {
        STRIPE_SECRET_KEY: 'sk_test_1',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
        STRIPE_API_BASE: 'http://127.0.0.1:1',
        PRINTFUL_API_BASE: 'http://127.0.0.1:2',
      },
      'STRIPE_API_BASE points at this machine, but the shop is live, because PAYPAL_API_BASE is PayPal’s live address, which is its default.',
    ],
  ])('the start fails with a sentence that names the setting: %o (L01)', (env, sentence) => {
    expect(mistakesIn({ ...environment, ...env })).toContain(sentence)
  })

  test('without any keys, only missing settings are reported', () => {
    expect(mistakesIn({}).every((mistake) => mistake.endsWith(' is missing.'))).toBe(true)
  })
})

const startKindOf = ({ mode, isGuarded }: Config) =>
  mode === 'sandbox' ? 'sandbox' : isGuarded ? 'guarded' : 'rehearsal'

describe('secrets of a live shop', () => {
  test.each([
    ['OWNER_PASSWORD', 'password1234', 'OWNER_PASSWORD is too easy to guess'],
    ['OWNER_PASSWORD', 'Owner-2026-!', 'OWNER_PASSWORD is too easy to guess'],
    ['OWNER_PASSWORD', 'kxv9wqm', 'OWNER_PASSWORD must have at least 12 characters'],
    ['OWNER_PASSWORD', 'owner-demo', 'OWNER_PASSWORD is the demo password'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_', 'STRIPE_WEBHOOK_SECRET has only the prefix'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_x', 'STRIPE_WEBHOOK_SECRET is not a complete signing secret'],
    ['STRIPE_WEBHOOK_SECRET', `whsec_${randomPart},whsec_1`, 'STRIPE_WEBHOOK_SECRET is not a complete signing secret'],
    ['STRIPE_WEBHOOK_SECRET', `${randomPart}${randomPart}`, 'STRIPE_WEBHOOK_SECRET is not a complete signing secret'],
    ['PRINTFUL_WEBHOOK_SECRET', 'x', 'PRINTFUL_WEBHOOK_SECRET is too easy to guess'],
    ['PRINTFUL_WEBHOOK_SECRET', 'xyxyxyxyxyxyxyxyxyxyxyxy', 'PRINTFUL_WEBHOOK_SECRET is too easy to guess'],
    ['METRICS_TOKEN', 'x', 'METRICS_TOKEN is too easy to guess'],
    ['METRICS_TOKEN', 'passwordpassword1234', 'METRICS_TOKEN is too easy to guess'],
  ])('a live shop refuses the weak secret %s=%s (L02)', (name, value, sentence) => {
    const mistakes = mistakesIn({ ...environment, OWNER_USERNAME: 'owner', [name]: value })
    expect(mistakes).toEqual([expect.stringContaining(sentence)])
    // The sentence may contain a very short secret by chance.
    if (value.length > 6) expect(mistakes.join()).not.toContain(value)
  })

  test('random secrets are accepted, including several for Stripe’s events (L02)', () => {
    const good = {
      OWNER_USERNAME: 'owner',
      OWNER_PASSWORD: 'sleeps on ingots',
      STRIPE_WEBHOOK_SECRET: `whsec_${randomPart}, whsec_${Array.from(randomPart).toReversed().join('')}`,
      METRICS_TOKEN: '8d0c6f0a7b1e4935a2f4c6d8',
    }
    expect(mistakesIn({ ...environment, ...good })).toEqual([])
  })

  test('an empty signing secret, or only its prefix, is refused in every mode (L02)', () => {
    const local = 'http://127.0.0.1:1'
    const sandbox = {
      ...environment,
      ...{ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1', STRIPE_API_BASE: local },
      ...{ PAYPAL_API_BASE: local, PRINTFUL_API_BASE: local },
    }
    for (const secret of ['whsec_', 'whsec_1,whsec_', ',', ' , '])
      expect(mistakesIn({ ...sandbox, STRIPE_WEBHOOK_SECRET: secret }), secret).toHaveLength(1)
    const { webhookSecrets } = readConfig({ ...sandbox, STRIPE_WEBHOOK_SECRET: 'whsec_1,' }).stripe
    expect(webhookSecrets.map((secret) => secret.reveal())).toEqual(['whsec_1'])
  })
})
