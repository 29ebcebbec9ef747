import type { RoomView } from '#contract/drops.ts'
import { dropPaths } from '#contract/drop-paths.ts'
import { paths } from '#contract/paths.ts'
import { spokenAddress } from '#shared/language.ts'
import { say } from '#words/say.ts'
import { html, type Html } from '#server/http/html.ts'
import { PLAIN_BUTTON } from '#server/http/plain-form.ts'
import { plainPage } from '#server/http/plain-page.ts'

// Pages of a drop without the app: thousands look at them at the same time, and again every few seconds.

type Shown = {
  drop: { title: string; collectionId: string | null }
  /** The page of its product or collection. */
  goods: string
  shopName: string
}

type DropPage = {
  heading: string
  sentences: readonly string[]
  /** Forms and links. */
  actions: readonly Html[]
  head?: Html
  /** What keeps the page up to date; unset where nothing changes. */
  room?: { id: number; kind: RoomView['kind']; askAgainS: number }
}

function dropPage({ heading, sentences, actions, head, room }: DropPage, { drop, shopName }: Shown): string {
  const state =
    room && html` id="room" data-room="${room.id}" data-kind="${room.kind}" data-ask-again="${room.askAgainS}"`
  return plainPage({
    ...{ title: `${heading} – ${drop.title}`, shopName, collection: drop.collectionId },
    ...(head && { head }),
    body: html`<header class="shell py-6">
        <a class="font-display text-[1.375rem]" href="${spokenAddress(paths.home)}">${shopName}</a>
      </header>
      <main class="shell grid min-h-[60vh] content-center justify-items-start gap-5 pt-10 pb-16 sm:pt-14" ${state}>
        <p class="eyebrow text-ink-soft">${drop.title}</p>
        <h1 id="heading" class="text-headline">${heading}</h1>
        <div id="sentences" role="status" class="grid max-w-[38em] gap-3 text-lg text-ink-soft">
          ${sentences.map((text) => html`<p>${text}</p>`)}
        </div>
        ${actions}
      </main>`,
  })
}

/** A button that posts to an address. */
const postButton = (action: string, text: string): Html =>
  html`<form method="post" action="${spokenAddress(action)}">
    <button type="submit" class="${PLAIN_BUTTON}">${text}</button>
  </form>`

const linkButton = (to: string, text: string): Html =>
  html`<p><a class="${PLAIN_BUTTON}" href="${spokenAddress(to)}">${text}</a></p>`
const link = (to: string, text: string): Html =>
  html`<p><a class="link-line" href="${spokenAddress(to)}">${text}</a></p>`

/** What a form without JavaScript led to. */
export const answerPage = ({ heading, sentence }: { heading: string; sentence: string }, shown: Shown): string =>
  dropPage({ heading, sentences: [sentence], actions: [linkButton(shown.goods, say('Back to its page'))] }, shown)

export function roomPage(
  { kind, heading, sentences, askAgainS }: RoomView,
  shown: Shown & { drop: { id: number } },
): string {
  const { drop, goods } = shown
  const room = dropPaths.room(drop.id)
  const back = link(goods, drop.title)
  const actions: Readonly<Record<RoomView['kind'], readonly Html[]>> = {
    ...{ closed: [back], before: [back], drawing: [], waiting: [back], paused: [back], over: [back] },
    outside: [postButton(room, say('Get in line')), back],
    in: [linkButton(goods, say('Choose your piece')), link(paths.cart, say('To your cart'))],
    used: [linkButton(paths.checkout, say('To your checkout'))],
    missed: [postButton(room, say('Get in line again')), back],
    sold_out: [linkButton(goods, say('To the waiting list'))],
  }
  return dropPage(
    {
      ...{ heading, sentences, actions: actions[kind], room: { id: drop.id, kind, askAgainS } },
      head: html`<noscript><meta http-equiv="refresh" content="${askAgainS}" /></noscript>
        <script type="module" src="${dropPaths.roomScript}"></script>`,
    },
    shown,
  )
}
