import type { FastifyReply } from 'fastify'
import { house } from '#site/house.ts'
import { paths } from '#contract/paths.ts'
import { spokenLanguage } from '#shared/language.ts'
import { bundleStyles } from './bundle.ts'
import { html, type Html } from './html.ts'

type PlainPage = {
  title: string
  shopName: string
  /** Whose colors it has; null: the label's. */
  collection?: string | null
  /** For the head. */
  head?: Html
  body: Html
}

/** A static page in the shop's style, without the app. */
export function plainPage({ title, shopName, collection, head, body }: PlainPage): string {
  const styles = [...bundleStyles(), paths.themeSheet('house')].map(
    (file) => html`<link rel="stylesheet" href="${file}" />`,
  )
  return html`<!doctype html>
    <html lang="${spokenLanguage()}" data-collection="${collection ?? house.id}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} | ${shopName}</title>
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        ${styles}${head}
      </head>
      <body>
        ${body}
      </body>
    </html> `.toString()
}

/** One person's page: no cache keeps it. */
export const sendPlainPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page)
