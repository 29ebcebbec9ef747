import type { FastifyRequest } from 'fastify'
import { paths } from '#contract/paths.ts'
import { splitLanguage, spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { html } from './html.ts'
import { plainPage } from './plain-page.ts'

/** Whether a person's browser waits for a page: it came by a link or sent a plain form. Calls are answered in JSON. */
export const wantsPage = ({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '') && !/^\/(?:api|webhooks|paypal|assets|pictures)(?:[/?]|$)/.test(url)

/** A refusal as a static page, in the spoken language. @param url may have a language */
export function refusalPage(
  message: string,
  { url, method }: Pick<FastifyRequest, 'url' | 'method'>,
  shopName: string,
): string {
  const title = say('That didn’t work')
  // A form posts to the address of a page.
  const page = splitLanguage(url).path.split('?')[0] ?? paths.home
  const back = spokenAddress(method === 'POST' ? page : paths.home)
  return plainPage({
    title,
    shopName,
    body: html`<main class="shell grid min-h-[60vh] content-center justify-items-start gap-6 py-20">
      <h1 class="text-headline">${title}</h1>
      <p class="max-w-[38em] text-lg text-ink-soft">${message}</p>
      <p>
        <a class="link-line" href="${back}">${method === 'POST' ? say('Back to the page') : say('Back to Home')}</a>
      </p>
    </main>`,
  })
}
