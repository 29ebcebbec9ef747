import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { house } from '#site/house.ts'
import type { Logo } from '#site/settings.ts'
import type { SiteSettings } from '#site/shop-rules.ts'
import { paths } from '#contract/paths.ts'
import { iconAddress, iconSizes } from '#domain/pictures/logo.ts'
import { readSiteSettingsCached } from '#server/settings/site-settings.ts'
import type { Needs } from '#server/shop.ts'
import type { App } from './app.ts'

const icons = new URL('../../../pictures/icons/', import.meta.url)
/** Made by `npm run icons` from the label's mark. */
const iconFiles = ['touch-180.png', 'icon-192.png', 'icon-512.png', 'maskable-512.png'] as const

/** Hours, not a year: their addresses never change. */
const CACHE_CONTROL = 'public, max-age=86400'

const manifestOf = ({ name, tagline, logo }: SiteSettings) => ({
  name,
  short_name: name,
  description: tagline,
  id: paths.home,
  start_url: paths.home,
  scope: paths.home,
  display: 'standalone',
  lang: 'en',
  background_color: house.colors.background,
  theme_color: house.colors.primary,
  categories: ['shopping'],
  icons: logo ? logoIcons(logo) : houseIcons,
  shortcuts: [{ name: 'All products', url: paths.products }],
})

const houseIcons = [
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
]

/** Their margin is wide enough for every mask. */
const logoIcons = (logo: Logo) => [
  { src: iconAddress(logo, 192), sizes: '192x192', type: 'image/png' },
  { src: iconAddress(logo, 512), sizes: '512x512', type: 'image/png' },
  { src: iconAddress(logo, 512), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
]

/** What search engines and home screens ask for: robots.txt, the web app manifest and its icons. */
export function robotsAndManifestRoutes({ http }: App, { config, db }: Needs<'config' | 'db'>): void {
  // Pages that are nobody's business say so themselves (noindex); a crawler must be let in to read it.
  http.get('/robots.txt', { schema: { hide: true } }, (request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', CACHE_CONTROL)
      .send(
        [
          'User-agent: *',
          'Disallow: /api/',
          'Disallow: /webhooks/',
          '',
          `Sitemap: ${config.publicUrl ?? `http://${request.host}`}/sitemap.xml`,
          '',
        ].join('\n'),
      ),
  )
  http.get('/manifest.webmanifest', { schema: { hide: true } }, async (_, reply) =>
    reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', CACHE_CONTROL)
      .send(JSON.stringify(manifestOf(await readSiteSettingsCached(db)))),
  )
  const mark = readFileSync(new URL('../../../pictures/designs/mark.svg', import.meta.url))
  // Pages name one address, whatever the icon is; browsers go by what it answers.
  http.get('/favicon.svg', { schema: { hide: true } }, async (_, reply) => {
    const { logo } = await readSiteSettingsCached(db)
    if (logo) return reply.header('cache-control', 'no-cache').redirect(iconAddress(logo, 48))
    return reply.type('image/svg+xml').header('cache-control', CACHE_CONTROL).send(mark)
  })
  for (const file of iconFiles) {
    const bytes = readFileSync(new URL(file, icons))
    const size = iconSizes.find((side) => file.endsWith(`-${side}.png`)) ?? 512
    const send = async (reply: FastifyReply) => {
      const { logo } = await readSiteSettingsCached(db)
      if (logo) return reply.header('cache-control', 'no-cache').redirect(iconAddress(logo, size))
      return reply.type('image/png').header('cache-control', CACHE_CONTROL).send(bytes)
    }
    http.get(`/icons/${file}`, { schema: { hide: true } }, (_, reply) => send(reply))
    // Phones ask for this one without being told.
    if (file === 'touch-180.png')
      http.get('/apple-touch-icon.png', { schema: { hide: true } }, (_, reply) => send(reply))
  }
}
