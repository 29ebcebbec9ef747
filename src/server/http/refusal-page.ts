import type { FastifyRequest } from 'fastify'
import { house } from '#site/house.ts'
import { paths } from '#contract/paths.ts'
import { bundleStyles } from './bundle.ts'

/** Whether a person's browser waits for a page: it came by a link or sent a plain form. Calls are answered in JSON. */
export const wantsPage = ({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '') && !/^\/(?:api|webhooks|paypal|assets|pictures)(?:[/?]|$)/.test(url)

/** A refusal as a static page in the shop's style, without the app. */
export function refusalPage(
  message: string,
  { url, method }: Pick<FastifyRequest, 'url' | 'method'>,
  shopName: string,
): string {
  // A form posts to the address of a page.
  const back = method === 'POST' ? (url.split('?')[0] ?? paths.home) : paths.home
  const links = [...bundleStyles(), paths.themeSheet('house')].map((file) => `<link rel="stylesheet" href="${file}">`)
  return `<!doctype html>
<html lang="en" data-collection="${house.id}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>That didn’t work | ${escape(shopName)}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">${links.join('')}
</head>
<body>
<main class="shell grid min-h-[60vh] content-center justify-items-start gap-6 py-20">
<h1 class="text-headline">That didn’t work</h1>
<p class="max-w-[38em] text-lg text-ink-soft">${escape(message)}</p>
<p><a class="link-line" href="${escape(back)}">${method === 'POST' ? 'Back to the page' : 'Back to Home'}</a></p>
</main>
</body>
</html>
`
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign)
