import { describe, expect, test } from 'vitest'
import { ConfigError, isLive, readConfig, type Config } from './config.ts'

/** As much as a signing secret has after its beginning. */
const whole = 'Vd81kTqLw0ZpXb7RyG5uNc3e'

const environment = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: `whsec_${whole}`,
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
  test('of a live shop with all of its keys has no mistake', () => {
    expect(mistakesIn(environment)).toEqual([])
  })

  test('refuses a live shop whose wallet is a simulator on this machine (S90)', () => {
    expect(mistakesIn({ ...environment, PAYPAL_API_BASE: 'http://127.0.0.1:4011' })).toEqual([
      'PAYPAL_API_BASE points at this machine, but the shop is live.',
    ])
  })

  test('a replica without the server that it follows is a mistake', () => {
    expect(mistakesIn({ ...environment, DATABASE_REPLICA_URL: 'postgres://127.0.0.1/shop' })).toEqual([
      'DATABASE_REPLICA_URL is set, but DATABASE_URL is not: the embedded database has no replica.',
    ])
  })

  test('says all that is missing at once', () => {
    const { PAYPAL_CLIENT_ID: _, PAYPAL_WEBHOOK_ID: __, ...rest } = environment
    expect(mistakesIn(rest)).toEqual(['PAYPAL_CLIENT_ID is missing.', 'PAYPAL_WEBHOOK_ID is missing.'])
  })
})

// What a key or an address moves, by the providers' own documents.
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

/** Every mode, key of each kind and address of each kind together. */
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
                // A key that does not say what it is may be anything at Stripe, and is nothing at a simulator.
                const key = secret === '?' ? (stripe === 'own' ? 'real' : 'elsewhere') : secret
                yield { env, kinds: { key, publishable, stripe, paypal, printful } }
              }
}
type Kinds = ReturnType<typeof combinations> extends Generator<{ kinds: infer K }> ? K : never

const paymentsAreReal = ({ key, publishable, paypal }: Kinds) => [key, publishable, paypal].includes('real')

/** Whether a shop starts with these, and as what. */
function expected(mode: string, allows: boolean, kinds: Kinds): 'sandbox' | 'guarded' | 'rehearsal' | 'refused' {
  const { key, publishable, stripe, paypal, printful } = kinds
  const isAnythingReal = paymentsAreReal(kinds) || printful === 'real'
  const isEverythingReal =
    key === 'real' && publishable === 'real' && stripe === 'own' && paypal === 'real' && printful === 'real'
  const isSimulated = stripe === 'elsewhere' || paypal === 'elsewhere'
  const said = mode || (isAnythingReal || stripe === 'own' ? 'live' : 'sandbox')
  if (said === 'sandbox') return isAnythingReal ? 'refused' : 'sandbox'
  if (isEverythingReal) return 'guarded'
  if (!allows || paymentsAreReal(kinds)) return 'refused'
  if (!isAnythingReal) return 'rehearsal'
  return isSimulated ? 'refused' : 'guarded'
}

const known = { owner: { OWNER_USERNAME: 'owner', OWNER_PASSWORD: 'owner-demo' }, tokens: { METRICS_TOKEN: 'x' } }

describe('what a shop may do with its keys and addresses', () => {
  test('follows from what is at stake, in every mode with every key and address: real money has no sandbox (L01)', () => {
    let tried = 0
    for (const { env, kinds } of combinations()) {
      const told = JSON.stringify(env)
      const started = expected(env.SHOP_MODE, env.ALLOW_SANDBOX === '1', kinds)
      const mistakes = mistakesIn({ ...environment, ...env })
      tried += 1
      if (started === 'refused') {
        expect(mistakes.length, told).toBeGreaterThan(0)
        for (const mistake of mistakes) expect(mistake, told).toMatch(/^[A-Z_]+ (?:is|points|does) .*\.$/)
        continue
      }
      expect(mistakes, told).toEqual([])
      const config = readConfig({ ...environment, ...env })
      expect(standing(config), told).toBe(started)
      expect([isLive(config, 'stripe'), isLive(config, 'paypal')], told).toEqual([
        kinds.key === 'real',
        kinds.paypal === 'real',
      ])
      // The people of the demo live in a sandbox alone; what everybody knows is no secret where something is at stake.
      expect([config.owner?.isDemo ?? false, config.demoPartner !== undefined], told).toEqual(
        started === 'sandbox' ? [true, true] : [false, false],
      )
      expect(mistakesIn({ ...environment, ...env, ...known.owner }).length, told).toBe(started === 'guarded' ? 1 : 0)
      expect(mistakesIn({ ...environment, ...env, ...known.tokens }).length, told).toBe(started === 'guarded' ? 1 : 0)
    }
    expect(tried).toBe(768)
  })

  test.each([
    [
      { SHOP_MODE: 'sandbox' },
      'STRIPE_SECRET_KEY is a live key, but SHOP_MODE is sandbox. Take the test key, or set SHOP_MODE=live.',
    ],
    [
      { SHOP_MODE: 'sandbox', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' },
      'PAYPAL_API_BASE is PayPal’s live address, which is its default, but SHOP_MODE is sandbox. Set https://api-m.sandbox.paypal.com or a simulator, or set SHOP_MODE=live.',
    ],
    [{ STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, 'STRIPE_PUBLISHABLE_KEY is a test key, but the shop is live.'],
    [
      { ALLOW_SANDBOX: '1', PAYPAL_API_BASE: 'http://127.0.0.1:1' },
      'ALLOW_SANDBOX is for test money: it excuses nothing while STRIPE_SECRET_KEY is a live key.',
    ],
    [
      {
        STRIPE_SECRET_KEY: 'sk_test_1',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
        STRIPE_API_BASE: 'http://127.0.0.1:1',
        PRINTFUL_API_BASE: 'http://127.0.0.1:2',
      },
      'STRIPE_API_BASE points at this machine, but the shop is live, since PAYPAL_API_BASE is PayPal’s live address, which is its default.',
    ],
  ])('is said in a sentence: %o (L01)', (env, sentence) => {
    expect(mistakesIn({ ...environment, ...env })).toContain(sentence)
  })

  test('is nothing where nobody has a key', () => {
    expect(mistakesIn({}).every((mistake) => mistake.endsWith(' is missing.'))).toBe(true)
  })
})

const standing = ({ mode, isGuarded }: Config) => (mode === 'sandbox' ? 'sandbox' : isGuarded ? 'guarded' : 'rehearsal')

describe('secrets of a live shop', () => {
  test.each([
    ['OWNER_PASSWORD', 'password1234', 'OWNER_PASSWORD is too easy to guess'],
    ['OWNER_PASSWORD', 'Owner-2026-!', 'OWNER_PASSWORD is too easy to guess'],
    ['OWNER_PASSWORD', 'kxv9wqm', 'OWNER_PASSWORD must have at least 12 characters'],
    ['OWNER_PASSWORD', 'owner-demo', 'OWNER_PASSWORD is the demo’s'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_', 'STRIPE_WEBHOOK_SECRET is nothing but the beginning'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_x', 'STRIPE_WEBHOOK_SECRET is not a whole signing secret'],
    ['STRIPE_WEBHOOK_SECRET', `whsec_${whole},whsec_1`, 'STRIPE_WEBHOOK_SECRET is not a whole signing secret'],
    ['STRIPE_WEBHOOK_SECRET', `${whole}${whole}`, 'STRIPE_WEBHOOK_SECRET is not a whole signing secret'],
    ['PRINTFUL_WEBHOOK_SECRET', 'x', 'PRINTFUL_WEBHOOK_SECRET is too easy to guess'],
    ['PRINTFUL_WEBHOOK_SECRET', 'xyxyxyxyxyxyxyxyxyxyxyxy', 'PRINTFUL_WEBHOOK_SECRET is too easy to guess'],
    ['METRICS_TOKEN', 'x', 'METRICS_TOKEN is too easy to guess'],
    ['METRICS_TOKEN', 'passwordpassword1234', 'METRICS_TOKEN is too easy to guess'],
  ])('%s=%s is refused with its own sentence (L02)', (name, value, sentence) => {
    const mistakes = mistakesIn({ ...environment, OWNER_USERNAME: 'owner', [name]: value })
    expect(mistakes).toEqual([expect.stringContaining(sentence)])
    // A secret of one sign cannot be told from the sentence's own letters.
    if (value.length > 6) expect(mistakes.join()).not.toContain(value)
  })

  test('that are made by chance are taken, several for Stripe’s events among them (L02)', () => {
    const good = {
      OWNER_USERNAME: 'owner',
      OWNER_PASSWORD: 'sleeps on ingots',
      STRIPE_WEBHOOK_SECRET: `whsec_${whole}, whsec_${Array.from(whole).toReversed().join('')}`,
      METRICS_TOKEN: '8d0c6f0a7b1e4935a2f4c6d8',
    }
    expect(mistakesIn({ ...environment, ...good })).toEqual([])
  })

  test('the beginning of all signing secrets signs nothing, in any mode, nor does nothing at all (L02)', () => {
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
