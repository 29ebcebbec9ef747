import { label } from '#site/label.ts'
import { type PublicConfig, type ShopContent } from '#contract/public-config.ts'
import type { SurchargeTerm } from '#domain/catalog/shipping-terms.ts'
import type { Config } from '#server/config/config.ts'
import type { Needs } from '#server/shop.ts'
import type { App } from '#server/http/app.ts'
import { readSiteTextCached } from '#server/http/site-text.ts'
import { serve } from '#server/http/serve.ts'
import { readCollectionLinks } from './collection-routes.ts'
import { readSurcharges } from './surcharges.ts'

/** The public part of the configuration, without secrets. */
const publicConfigOf = (
  { stripe, paypal, mode, sandboxLinks, shipping: whoPays }: Config,
  content: ShopContent,
  links: Pick<PublicConfig, 'collections' | 'themeSheet'>,
  surcharges: readonly SurchargeTerm[] | null,
): PublicConfig => ({
  stripe: {
    publishableKey: stripe.publishableKey,
    scriptUrl: stripe.scriptUrl,
    ...(stripe.apiBase !== 'https://api.stripe.com' && { apiBase: stripe.apiBase }),
  },
  paypal: { clientId: paypal.clientId, scriptUrl: paypal.scriptUrl },
  sandbox: mode === 'sandbox',
  sandboxLinks,
  ...links,
  content: { ...content, banner: bannerAt(whoPays, content.banner) },
  shipping: surcharges && {
    isFree: whoPays === 'free',
    surcharges: surcharges.map((term) => ({ ...term, countries: [...term.countries] })),
  },
})

/** The default banner promises free shipping, so it is replaced when shoppers pay for it; the owner's own text stays. */
const bannerAt = (whoPays: Config['shipping'], banner: string): string =>
  whoPays === 'partner' && banner === label.bannerText ? label.bannerTextWhereShippingCosts : banner

export const readPublicConfig = async ({ config, db }: Needs<'config' | 'db'>): Promise<PublicConfig> =>
  publicConfigOf(config, await readSiteTextCached(db), await readCollectionLinks(db), await readSurcharges(db))

export const publicConfigRoutes = (app: App, shop: Needs<'config' | 'db'>) =>
  serve(app, 'publicConfig', { read: () => readPublicConfig(shop) })
