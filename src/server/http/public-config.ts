import { publicConfigCalls, type PublicConfig, type ShopContent } from '#contract/public-config.ts'
import type { Config } from '#server/config/config.ts'
import type { Needs } from '#server/shop.ts'
import type { App } from './app.ts'
import { readContent } from './content.ts'
import { serve } from './serve.ts'

/** What the browser may know of the configuration: publishable keys and addresses, never a secret. */
export const publicConfigOf = ({ stripe, paypal, mode, sandboxLinks }: Config, content: ShopContent): PublicConfig => ({
  stripe: {
    publishableKey: stripe.publishableKey,
    scriptUrl: stripe.scriptUrl,
    ...(stripe.apiBase !== 'https://api.stripe.com' && { apiBase: stripe.apiBase }),
  },
  paypal: { clientId: paypal.clientId, scriptUrl: paypal.scriptUrl },
  sandbox: mode === 'sandbox',
  sandboxLinks,
  content,
})

export const publicConfigRoutes = (app: App, { config, db }: Needs<'config' | 'db'>) =>
  serve(app, publicConfigCalls, { read: async () => publicConfigOf(config, await readContent(db)) })
