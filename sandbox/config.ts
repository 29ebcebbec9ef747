import { readConfig, type Config } from '#server/config/config.ts'

/** Nothing listens there: a test that calls a provider sets its address. */
const NOWHERE = '127.0.0.1:1'

/** The minimal configuration of a shop, for tests of a part; `settings` override it. */
export const configWith = (settings: Readonly<Record<string, string>> = {}): Config =>
  readConfig({
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_BASE: `http://${NOWHERE}`,
    PAYPAL_CLIENT_ID: 'A1',
    PAYPAL_CLIENT_SECRET: 'E1',
    PAYPAL_WEBHOOK_ID: 'WH-1',
    PAYPAL_API_BASE: `http://${NOWHERE}`,
    PRINTFUL_TOKEN: 'secret',
    PRINTFUL_WEBHOOK_SECRET: 'w',
    PRINTFUL_API_BASE: `http://${NOWHERE}`,
    SMTP_URL: `smtp://${NOWHERE}`,
    ...settings,
  })
