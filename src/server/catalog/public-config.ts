import { SECOND_MS } from '#shared/time.ts'
import { label } from '#site/label.ts'
import { defaultSettings, type SiteSettings } from '#site/shop-rules.ts'
import type { PublicConfig } from '#contract/public-config.ts'
import type { SurchargeTerm } from '#domain/catalog/shipping-terms.ts'
import { aheadOf } from '#server/config/clock.ts'
import type { Config } from '#server/config/config.ts'
import type { Needs } from '#server/shop.ts'
import type { App } from '#server/http/app.ts'
import { readChangedSettingsCached, whoPaysShipping } from '#server/settings/site-settings.ts'
import { serve } from '#server/http/serve.ts'
import { readCollectionLinks } from './collection-routes.ts'
import { readSurcharges } from './surcharges.ts'

/** The public part of the configuration, without secrets. */
const publicConfigOf = (
  { config, clock }: Needs<'config' | 'clock'>,
  changed: Partial<SiteSettings>,
  links: Pick<PublicConfig, 'collections' | 'themeSheet'>,
  surcharges: readonly SurchargeTerm[] | null,
): PublicConfig => {
  const { stripe, paypal, mode, sandboxLinks } = config
  const { upcoming } = { ...defaultSettings, ...changed }
  const whoPays = whoPaysShipping(config, changed)
  // In whole seconds, so that answers stay the same.
  const aheadMs = mode === 'sandbox' ? Math.round(aheadOf(clock) / SECOND_MS) * SECOND_MS : 0
  return {
    stripe: {
      publishableKey: stripe.publishableKey,
      scriptUrl: stripe.scriptUrl,
      ...(stripe.apiBase !== 'https://api.stripe.com' && { apiBase: stripe.apiBase }),
    },
    paypal: { clientId: paypal.clientId, scriptUrl: paypal.scriptUrl },
    sandbox: mode === 'sandbox',
    ...(aheadMs !== 0 && { aheadMs }),
    sandboxLinks,
    ...links,
    content: { banner: changed.banner ?? defaultBanner(whoPays), upcoming },
    site: changed,
    shipping: shippingTermsOf(config, changed, surcharges),
  }
}

/** @param surcharges null if they could not be read */
export const shippingTermsOf = (
  config: Config,
  changed: Partial<SiteSettings>,
  surcharges: readonly SurchargeTerm[] | null,
): PublicConfig['shipping'] =>
  surcharges && {
    isFree: whoPaysShipping(config, changed) === 'free',
    surcharges: surcharges.map((term) => ({ ...term, countries: [...term.countries] })),
  }

/** The label's banner promises free shipping, so another one replaces it when shoppers pay for it. */
const defaultBanner = (whoPays: Config['shipping']): string =>
  whoPays === 'partner' ? label.bannerTextWhereShippingCosts : label.bannerText

export const readPublicConfig = async (shop: Needs<'config' | 'clock' | 'db'>): Promise<PublicConfig> =>
  publicConfigOf(
    shop,
    await readChangedSettingsCached(shop.db),
    await readCollectionLinks(shop.db),
    await readSurcharges(shop.db),
  )

export const publicConfigRoutes = (app: App, shop: Needs<'config' | 'clock' | 'db'>) =>
  serve(app, 'publicConfig', { read: () => readPublicConfig(shop) })
