import { type PublicConfig, type ShopContent } from '#contract/public-config.ts'
import type { Config } from '#server/config/config.ts'
import type { Needs } from '#server/shop.ts'
import type { App } from './app.ts'
import { hasWholeCatalogue } from './catalogue-size.ts'
import { readContent } from './content.ts'
import { serve } from './serve.ts'

/** What the browser may know of the configuration: publishable keys and addresses, never a secret. */
const publicConfigOf = (
  { stripe, paypal, mode, sandboxLinks }: Config,
  content: ShopContent,
  wholeCatalogue: boolean,
): PublicConfig => ({
  stripe: {
    publishableKey: stripe.publishableKey,
    scriptUrl: stripe.scriptUrl,
    ...(stripe.apiBase !== 'https://api.stripe.com' && { apiBase: stripe.apiBase }),
  },
  paypal: { clientId: paypal.clientId, scriptUrl: paypal.scriptUrl },
  sandbox: mode === 'sandbox',
  sandboxLinks,
  content,
  wholeCatalogue,
})

export const readPublicConfig = async ({ config, db }: Needs<'config' | 'db'>): Promise<PublicConfig> =>
  publicConfigOf(config, await readContent(db), await hasWholeCatalogue(db))

export const publicConfigRoutes = (app: App, shop: Needs<'config' | 'db'>) =>
  serve(app, 'publicConfig', { read: () => readPublicConfig(shop) })
