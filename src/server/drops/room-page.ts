import type { RoomView } from '#contract/drops.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { paths } from '#contract/paths.ts'
import { house } from '#site/house.ts'
import { bundleStyles } from '#server/http/bundle.ts'

// Pages of a drop without the app: thousands look at them at the same time, and again every few seconds.

type PlainPage = {
  title: string
  shopName: string
  /** Whose colors it has; null: the label's. */
  collection: string | null
  /** Above the heading. */
  eyebrow: string
  heading: string
  sentences: readonly string[]
  /** HTML of forms and links. */
  actions: string
  /** HTML for the head. */
  head?: string
  /** HTML attributes of the part that is kept up to date. */
  data?: string
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => signs[sign] ?? sign)
const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const BUTTON =
  'inline-flex min-h-12 items-center justify-center gap-2.5 rounded-card px-6 py-2.5 text-center font-semibold leading-tight bg-button text-ivory hover:bg-button-hover'

function plainPage(page: PlainPage): string {
  const { title, shopName, collection, eyebrow, heading, sentences, actions, head = '', data = '' } = page
  const links = [...bundleStyles(), paths.themeSheet('house')].map((file) => `<link rel="stylesheet" href="${file}">`)
  return `<!doctype html>
<html lang="en" data-collection="${escapeHtml(collection ?? house.id)}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)} | ${escapeHtml(shopName)}</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">${links.join('')}${head}
</head>
<body>
<header class="shell py-6"><a class="font-display text-[1.375rem]" href="${paths.home}">${escapeHtml(shopName)}</a></header>
<main class="shell grid min-h-[60vh] content-center justify-items-start gap-5 pt-10 pb-16 sm:pt-14"${data}>
<p class="eyebrow text-ink-soft">${escapeHtml(eyebrow)}</p>
<h1 id="heading" class="text-headline">${escapeHtml(heading)}</h1>
<div id="sentences" role="status" class="grid max-w-[38em] gap-3 text-lg text-ink-soft">${sentences.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}</div>
${actions}
</main>
</body>
</html>
`
}

/** A button that posts to an address. */
const postButton = (action: string, text: string): string =>
  `<form method="post" action="${action}"><button type="submit" class="${BUTTON}">${escapeHtml(text)}</button></form>`

const linkButton = (to: string, text: string): string =>
  `<p><a class="${BUTTON}" href="${escapeHtml(to)}">${escapeHtml(text)}</a></p>`

type Shown = { drop: { title: string; collectionId: string | null }; goods: string; shopName: string }

/** What a form without JavaScript led to. */
export const answerPage = (
  { heading, sentence }: { heading: string; sentence: string },
  { drop, goods, shopName }: Shown,
): string =>
  plainPage({
    ...{ title: `${heading} – ${drop.title}`, shopName, collection: drop.collectionId, eyebrow: drop.title },
    ...{ heading, sentences: [sentence], actions: linkButton(goods, 'Back to its page') },
  })

/** @param goods the page of its product or collection */
export function roomPage(view: RoomView, { drop, goods, shopName }: Shown & { drop: { id: number } }): string {
  const room = dropPaths.room(drop.id)
  const back = `<p><a class="link-line" href="${escapeHtml(goods)}">${escapeHtml(drop.title)}</a></p>`
  const actions: Readonly<Record<RoomView['kind'], string>> = {
    ...{ closed: back, before: back, drawing: '', waiting: back, paused: back, over: back },
    outside: postButton(room, 'Get in line') + back,
    in: linkButton(goods, 'Choose your piece') + `<p><a class="link-line" href="${paths.cart}">To your cart</a></p>`,
    used: linkButton(paths.checkout, 'To your checkout'),
    missed: postButton(room, 'Get in line again') + back,
    sold_out: linkButton(goods, 'To the waiting list'),
  }
  const { kind, heading, sentences, askAgainS } = view
  return plainPage({
    ...{ shopName, heading, sentences, collection: drop.collectionId, eyebrow: drop.title },
    title: `${heading} – ${drop.title}`,
    actions: actions[kind],
    data: ` id="room" data-room="${drop.id}" data-kind="${kind}" data-ask-again="${askAgainS}"`,
    head: `<noscript><meta http-equiv="refresh" content="${askAgainS}"></noscript><script type="module" src="${dropPaths.roomScript}"></script>`,
  })
}
