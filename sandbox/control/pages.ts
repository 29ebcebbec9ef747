import type { DeliveryRecord } from '../kit/webhooks.ts'
import type { LoggedCall, ProviderLedger } from '../kit/types.ts'
import type { Mail, Mailbox } from '../mailbox/mailbox.ts'
import { decimalOf } from '../printful/decimal.ts'
import { cardSentinels, otherSentinels, walletSentinels } from '../sentinels.ts'
import type { Sentinel } from '../sentinels.ts'
import { Html, html } from './html.ts'
import { style } from './style.ts'

const STYLE = new Html(style)
const CURRENT = html`aria-current="page"`

type Place = '/' | '/mail' | '/cards'

const places: readonly [Place, string][] = [
  ['/', 'Overview'],
  ['/mail', 'Mailbox'],
  ['/cards', 'Test cards'],
]

/** @param shopUrl undefined until the shop is known */
function page(title: string, here: Place | undefined, shopUrl: string | undefined, content: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – Sandbox</title>
        <style>
          ${STYLE}
        </style>
        <script src="/live.js" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="bar">
          <div>
            <strong>Sandbox</strong> <span>no real money, no real parcels</span>
            <nav aria-label="Sandbox">
              ${places.map(([path, name]) => html`<a href="${path}" ${path === here && CURRENT}>${name}</a>`)}
              ${shopUrl !== undefined && html`<a href="${shopUrl}">Shop</a>`}
            </nav>
          </div>
        </header>
        <main id="content">${content}</main>
      </body>
    </html>`.text
}

type Overview = {
  now: Date
  speed: number
  shopUrl: string | undefined
  ledger: ProviderLedger
  calls: readonly LoggedCall[]
  deliveries: readonly DeliveryRecord[]
  notSimulated: readonly LoggedCall[]
  failing: ReturnType<Mailbox['failing']>
  /** The section with the current faults and the forms for more. */
  trouble: Html
}

export function overviewPage(view: Overview): string {
  return page(
    'Overview',
    '/',
    view.shopUrl,
    html`
      <div>
        <h1>The world around the shop</h1>
        <p class="lead">
          The card processor, the wallet, the printer and the mail server run on this machine. The shop talks to them
          over HTTP and SMTP exactly as it would to the real ones. Here you can read its email, move time forward, and
          ship orders.
        </p>
      </div>
      <ul class="tiles">
        ${
          view.shopUrl !== undefined &&
          html`<li>
            <a href="${view.shopUrl}"><strong>Shop</strong>Buy something with a test card.</a>
          </li>`
        }
        <li>
          <a href="/mail"><strong>Mailbox</strong>Every email that the shop sends.</a>
        </li>
        <li>
          <a href="/cards"><strong>Test cards and magic inputs</strong>What to type to make things work or fail.</a>
        </li>
        <li>
          <a href="/style-guide"><strong>Style guide</strong>Every component, in every state and collection.</a>
        </li>
      </ul>
      ${timeSection(view)}
      <section class="card" aria-labelledby="orders-title" data-live="/orders">${ordersSection(view.ledger)}</section>
      <div class="pair">${paymentsSection(view.ledger)} ${mailOutageSection(view)}</div>
      ${view.trouble} ${trafficSection(view)} ${apiSection()} ${honestySection(view)}
    `,
  )
}

function timeSection({ now, speed }: Overview): Html {
  return html`<section class="card" aria-labelledby="time-title">
    <h2 id="time-title">Time</h2>
    <p>
      Sandbox time: <time datetime="${now.toISOString()}"><strong>${formatMoment(now)}</strong></time
      >.
      ${
        speed > 0
          ? `Production and parcels move ${speed} times faster than real time: one of their days takes ${formatDuration(86_400 / speed)}.`
          : 'Production and parcels move only when you move them.'
      }
      An order goes into production after one day, ships after three and is delivered after five.
    </p>
    <form method="post" action="/control/clock" class="row">
      <button name="advance" value="1h">One hour later</button>
      <button name="advance" value="1d">One day later</button>
      <button name="advance" value="7d">One week later</button>
    </form>
  </section>`
}

const stepsByStatus: Record<string, readonly [change: string, label: string][]> = {
  pending: [
    ['advance', 'Start production'],
    ['ship', 'Ship'],
    ['hold', 'Hold'],
    ['fail', 'Fail'],
    ['cancel', 'Cancel'],
  ],
  inprocess: [
    ['ship', 'Ship'],
    ['hold', 'Hold'],
    ['fail', 'Fail'],
    ['cancel', 'Cancel'],
  ],
  partial: [
    ['ship', 'Ship the rest'],
    ['deliver', 'Deliver'],
  ],
  onhold: [
    ['release', 'Release'],
    ['cancel', 'Cancel'],
  ],
  fulfilled: [
    ['deliver', 'Deliver'],
    ['return', 'Return'],
  ],
}

const statusLabels: Record<string, [text: string, tone: '' | 'good' | 'bad']> = {
  draft: ['Draft', ''],
  pending: ['Awaiting production', ''],
  inprocess: ['In production', ''],
  onhold: ['On hold', 'bad'],
  failed: ['Failed', 'bad'],
  canceled: ['Canceled', 'bad'],
  partial: ['Partially shipped', ''],
  fulfilled: ['Shipped', 'good'],
}

const ORDERS_LISTED = 25

/** The inside of the section, which is fetched again and again while the page is open. */
export function ordersSection({ partner_orders, shipments }: ProviderLedger): Html {
  const rows = partner_orders.slice(0, ORDERS_LISTED).map((order) => {
    const parcels = shipments.filter(({ order_id }) => order_id === order.id)
    const arrived = parcels.length > 0 && parcels.every(({ status }) => status !== 'shipped')
    const [label, tone] = statusLabels[order.status] ?? [order.status, '']
    const steps = order.status === 'fulfilled' && arrived ? [] : (stepsByStatus[order.status] ?? [])
    const pieces = order.items.reduce((sum, { quantity }) => sum + quantity, 0)
    return html`<tr>
      <th scope="row"><span class="number">${order.external_id || order.id}</span></th>
      <td data-label="Status"><span class="tag ${tone}">${label}</span></td>
      <td data-label="Items">${pieces}</td>
      <td data-label="Parcels">
        ${parcels.length === 0 ? 'none yet' : parcels.map(({ tracking_number, status }) => html`<div>${tracking_number} <span class="tag ${status === 'delivered' && 'good'}">${status}</span></div>`)}
      </td>
      <td>
        <form method="post" action="/control/world" class="row">
          <input type="hidden" name="provider" value="printful" />
          <input type="hidden" name="id" value="${order.id}" />
          ${steps.map(([change, step], index) => html`<button name="change" value="${change}" class="${index > 0 && 'light'}" aria-label="${step} ${order.external_id || order.id}">${step}</button>`)}
        </form>
      </td>
    </tr>`
  })
  const more = partner_orders.length - rows.length
  return html`<h2 id="orders-title">Orders at the printer</h2>
    ${
      rows.length === 0
        ? html`<p class="empty">No orders yet. Buy something in the shop, and its order appears here.</p>`
        : html`<table>
              <thead>
                <tr>
                  <th scope="col">Order</th>
                  <th scope="col">Status</th>
                  <th scope="col">Items</th>
                  <th scope="col">Parcels</th>
                  <th scope="col">Actions</th>
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>
            ${more > 0 && html`<p class="empty">and ${more} older orders.</p>`}`
    }`
}

function paymentsSection({ payments, refunds }: ProviderLedger): Html {
  const latest = payments.slice(0, 10)
  return html`<section class="card" aria-labelledby="payments-title">
    <h2 id="payments-title">Payments at the providers</h2>
    ${
      latest.length === 0
        ? html`<p class="empty">None yet.</p>`
        : html`<table>
            <thead>
              <tr>
                <th scope="col">Payment</th>
                <th scope="col">Amount</th>
                <th scope="col">Status</th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              ${latest.map(({ provider, id, amount_cents, currency, status }) => {
                const made = refunds.filter((refund) => refund.payment_id === id && !/fail/i.test(refund.status))
                const returned = made.reduce((sum, refund) => sum + refund.amount_cents, 0)
                return html`<tr>
                  <th scope="row" class="wrap">${id}</th>
                  <td data-label="Amount">
                    ${decimalOf(amount_cents)} ${currency.toUpperCase()}
                    ${returned > 0 && html`<div>refunded ${decimalOf(returned)}</div>`}
                  </td>
                  <td data-label="Status">
                    <span class="tag ${/succeeded|completed/i.test(status) && 'good'}">${status}</span>
                  </td>
                  <td>
                    ${provider === 'paypal' && status === 'PENDING' && reviewForm(id)}
                    ${made.map((refund) => failRefundForm(refund.provider, refund.id))}
                  </td>
                </tr>`
              })}
            </tbody>
          </table>`
    }
  </section>`
}

/** A payment that PayPal holds for review. */
const reviewForm = (order: string): Html =>
  html`<form method="post" action="/control/world" class="row">
    <input type="hidden" name="provider" value="paypal" />
    <input type="hidden" name="order" value="${order}" />
    <button name="change" value="release" aria-label="Release ${order}">Release</button>
    <button name="change" value="deny" class="light" aria-label="Deny ${order}">Deny</button>
  </form>`

/** The shopper's bank returns a refund, which can take weeks. */
const failRefundForm = (provider: string, refund: string): Html =>
  html`<form method="post" action="/control/world" class="row">
    <input type="hidden" name="provider" value="${provider}" />
    <input type="hidden" name="refund" value="${refund}" />
    <button name="change" value="fail_refund" class="light" aria-label="Fail refund ${refund}">Fail refund</button>
  </form>`

function mailOutageSection({ failing }: Overview): Html {
  return html`<section class="card" aria-labelledby="mail-title">
    <h2 id="mail-title">Email failures</h2>
    <form method="post" action="/control/world">
      <input type="hidden" name="provider" value="smtp" />
      <input type="hidden" name="change" value="fail_next" />
      <div class="row">
        <div>
          <label for="fail-to">Fail the next email to</label>
          <input id="fail-to" name="to" type="email" required placeholder="ada@example.com" />
        </div>
        <div>
          <label for="fail-code">How</label>
          <select id="fail-code" name="code">
            <option value="451">temporarily (451)</option>
            <option value="550">permanently (550)</option>
          </select>
        </div>
        <button>Fail</button>
      </div>
    </form>
    ${
      failing.length > 0 &&
      html`<p>Will fail: ${failing.map(({ to, code }) => html`<span class="tag bad">${to}, ${code}</span> `)}</p>`
    }
  </section>`
}

function trafficSection({ calls, deliveries }: Overview): Html {
  const lastCalls = calls.slice(-20).toReversed()
  const lastEvents = deliveries.slice(-20).toReversed()
  return html`<section class="card" aria-labelledby="traffic-title">
    <h2 id="traffic-title">Traffic</h2>
    <details>
      <summary>The shop’s last calls (${lastCalls.length})</summary>
      ${
        lastCalls.length === 0
          ? html`<p class="empty">None yet.</p>`
          : html`<table>
              <thead>
                <tr>
                  <th scope="col">To</th>
                  <th scope="col">Call</th>
                  <th scope="col">Answer</th>
                </tr>
              </thead>
              <tbody>
                ${lastCalls.map(
                  ({ provider, method, path, status, key }) =>
                    html`<tr>
                      <th scope="row">${provider}</th>
                      <td>
                        <code>${method} ${path}</code>${key !== undefined && html` <span class="empty">${key}</span>`}
                      </td>
                      <td data-label="Answer">
                        <span class="tag ${status >= 400 || status === 0 ? 'bad' : 'good'}">${status || 'none'}</span>
                      </td>
                    </tr>`,
                )}
              </tbody>
            </table>`
      }
    </details>
    <details>
      <summary>Webhooks to the shop (${lastEvents.length})</summary>
      ${
        lastEvents.length === 0
          ? html`<p class="empty">None yet.</p>`
          : html`<table>
              <thead>
                <tr>
                  <th scope="col">Event</th>
                  <th scope="col">State</th>
                  <th scope="col">Resend</th>
                </tr>
              </thead>
              <tbody>
                ${lastEvents.map(
                  ({ provider, type, event, state, attempts }) =>
                    html`<tr>
                      <th scope="row">${provider} ${type}</th>
                      <td data-label="State">
                        <span class="tag ${state === 'delivered' && 'good'}">${state.replace('_', ' ')}</span>,
                        attempts: ${attempts.length}
                      </td>
                      <td>
                        <form method="post" action="/control/webhooks/redeliver/${encodeURIComponent(event)}">
                          <button class="light" aria-label="Resend ${type} ${event}">Resend</button>
                        </form>
                      </td>
                    </tr>`,
                )}
              </tbody>
            </table>`
      }
    </details>
  </section>`
}

const calls: readonly [call: string, does: string][] = [
  ['POST /control/clock', '{"advance":"2d"}: minutes (m), hours (h), days (d) or seconds (s)'],
  [
    'POST /control/rules',
    'adds a fault: {"provider":"printful","match":{"method":"POST","path":"/orders"},"when":"after","do":"reset","times":1}; GET lists, DELETE clears',
  ],
  ['POST /control/chaos', '{"seed":7,"rate":0.2}: one call in five fails, the same ones every time; DELETE ends it'],
  [
    'POST /control/webhooks',
    '{"provider","type","drop","duplicate","delayMs","hold","release","shuffle","sign","body"}; GET lists the events',
  ],
  [
    'POST /control/break, /control/unbreak',
    'the same as the buttons above: {"what":"answers" or "events","provider","kind","calls"}',
  ],
  ['POST /control/webhooks/flush', 'sends everything that is waiting or held'],
  ['POST /control/webhooks/redeliver/{event}', 'sends one event again'],
  [
    'POST /control/world',
    'changes something: {"provider":"printful","change":"ship","external_id":"…","parcel":1,"of":2}',
  ],
  ['POST /control/reset', 'deletes everything but the seed data'],
  ['GET /control/log?since=0', 'every call with its response'],
  ['GET /control/ledger', 'each provider’s records'],
  ['GET /control/env', 'the environment variables that point a shop to these providers'],
  ['GET /mail, /mail/{id}', 'emails, as JSON with Accept: application/json; DELETE /mail empties the mailbox'],
]

const apiSection = (): Html =>
  html`<section class="card" aria-labelledby="api-title">
    <h2 id="api-title">The same over HTTP, for tests</h2>
    <details>
      <summary>Endpoints</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Call</th>
            <th scope="col">Does</th>
          </tr>
        </thead>
        <tbody>
          ${calls.map(
            ([call, does]) =>
              html`<tr>
                <th scope="row"><code>${call}</code></th>
                <td>${does}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </section>`

const notSimulatedHere: readonly string[] = [
  'Fraud scoring (Radar), exemptions from authentication, wallets stored with the card processor (Link), automatic payouts: you trigger each one.',
  'Real tax: only published standard rates of countries, states and provinces, of fourteen US cities and a few islands. No reduced rates by product, no tax holidays, no thresholds; elsewhere in the US the state’s rate alone.',
  'Real shipping prices: each region has one flat table.',
  'PayPal: authorizations, several sellers in one order, stored payment methods, cards inside PayPal, and the page that a redirected payer would see.',
  'Carriers: a parcel is in transit, delivered or returned, nothing in between; tracking numbers are not real.',
  'Exchange rates: everything is in US dollars.',
  'Printful’s mockup generator, file library, product editor, and version 2 of its API except for parcels.',
  'Spam filters: an email that arrives here could be filtered elsewhere.',
]

function honestySection({ notSimulated }: Overview): Html {
  const missing = [...new Set(notSimulated.map(({ provider, method, path }) => `${provider}: ${method} ${path}`))]
  return html`<section class="card" aria-labelledby="honest-title">
    <h2 id="honest-title">What is not simulated</h2>
    <ul class="plain">
      ${notSimulatedHere.map((line) => html`<li>${line}</li>`)}
    </ul>
    ${
      missing.length > 0 &&
      html`<p class="notice">
        The shop made calls that exist at the provider but not here:
        ${missing.map((call) => html`<code>${call}</code> `)}
      </p>`
    }
  </section>`
}

export function cardsPage(shopUrl: string | undefined): string {
  return page(
    'Test cards and magic inputs',
    '/cards',
    shopUrl,
    html`
      <div>
        <h1>Test cards and magic inputs</h1>
        <p class="lead">
          Use any future date, any security code and any postal code. Other card numbers are refused: never type a real
          one.
        </p>
      </div>
      <section class="card" aria-labelledby="cards-title">
        <h2 id="cards-title">Cards</h2>
        ${sheet('Card number', 'Name', cardSentinels)}
      </section>
      <section class="card" aria-labelledby="magic-title">
        <h2 id="magic-title">Magic inputs</h2>
        ${sheet('Type this', 'Where', otherSentinels)}
      </section>
      <section class="card" aria-labelledby="wallet-title">
        <h2 id="wallet-title">The PayPal window</h2>
        ${sheet('Choose this', 'Where', walletSentinels)}
      </section>
    `,
  )
}

const sheet = (input: string, where: string, sentinels: readonly Sentinel[]): Html =>
  html`<table>
    <thead>
      <tr>
        <th scope="col">${input}</th>
        <th scope="col">${where}</th>
        <th scope="col">What happens</th>
      </tr>
    </thead>
    <tbody>
      ${sentinels.map(
        (sentinel) =>
          html`<tr>
            <th scope="row"><span class="number">${sentinel.input}</span></th>
            <td data-label="${where}">${sentinel.where}</td>
            <td>${sentinel.happens}</td>
          </tr>`,
      )}
    </tbody>
  </table>`

export function mailboxPage(mails: readonly Mail[], shopUrl: string | undefined): string {
  return page(
    'Mailbox',
    '/mail',
    shopUrl,
    html`
      <div>
        <h1>Mailbox</h1>
        <p class="lead">Every email that the shop sent. Nothing leaves this machine.</p>
      </div>
      <section class="card" aria-label="Emails">
        ${
          mails.length === 0
            ? html`<p class="empty">No emails yet. A paid order sends its confirmation here.</p>`
            : html`<table>
                <thead>
                  <tr>
                    <th scope="col">Subject</th>
                    <th scope="col">To</th>
                    <th scope="col">Arrived</th>
                  </tr>
                </thead>
                <tbody>
                  ${mails.map(
                    ({ id, subject, to, date }) =>
                      html`<tr>
                        <th scope="row"><a href="/mail/${id}">${subject || '(no subject)'}</a></th>
                        <td data-label="To">${to}</td>
                        <td data-label="Arrived"><time datetime="${date}">${formatMoment(new Date(date))}</time></td>
                      </tr>`,
                  )}
                </tbody>
              </table>`
        }
      </section>
      ${
        mails.length > 0 &&
        html`<form method="post" action="/mail/empty"><button class="light">Empty the mailbox</button></form>`
      }
    `,
  )
}

export function mailPage(mail: Mail, shopUrl: string | undefined): string {
  return page(
    mail.subject || 'Email',
    '/mail',
    shopUrl,
    html`
      <div>
        <p><a href="/mail">All emails</a></p>
        <h1>${mail.subject || '(no subject)'}</h1>
      </div>
      <section class="card" aria-label="Envelope">
        <dl>
          <dt>From</dt>
          <dd>${mail.from}</dd>
          <dt>To</dt>
          <dd>${mail.to}</dd>
          <dt>Arrived</dt>
          <dd><time datetime="${mail.date}">${formatMoment(new Date(mail.date))}</time></dd>
          <dt>Message id</dt>
          <dd>${mail.messageId}</dd>
        </dl>
      </section>
      ${
        mail.html !== '' &&
        html`<section class="card" aria-labelledby="shown-title">
          <h2 id="shown-title">Preview</h2>
          <iframe
            title="Email preview"
            src="/mail/${mail.id}/body"
            sandbox="allow-popups allow-popups-to-escape-sandbox"
          ></iframe>
        </section>`
      }
      <section class="card" aria-labelledby="text-title">
        <h2 id="text-title">Plain text</h2>
        ${mail.text === '' ? html`<p class="empty">This email has no text part.</p>` : html`<pre tabindex="0">${mail.text}</pre>`}
      </section>
      <section class="card" aria-labelledby="reply-title">
        <h2 id="reply-title">Reply</h2>
        <form method="post" action="/mail/${mail.id}/reply">
          <p><label for="words">As ${mail.to}, to the address that the email is answered to</label></p>
          <p><textarea id="words" name="words" rows="4" required></textarea></p>
          <p><button type="submit">Send reply</button></p>
        </form>
      </section>
      <section class="card" aria-labelledby="raw-title">
        <h2 id="raw-title">Source</h2>
        <details>
          <summary>Raw message</summary>
          <pre tabindex="0">${mail.raw}</pre>
        </details>
      </section>
    `,
  )
}

export function messagePage(title: string, message: string, shopUrl: string | undefined): string {
  return page(
    title,
    undefined,
    shopUrl,
    html`<div>
      <h1>${title}</h1>
      <p class="notice" role="alert">${message}</p>
      <p><a href="/">Back to the overview</a></p>
    </div>`,
  )
}

const moments = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
const formatMoment = (date: Date): string => `${moments.format(date)} UTC`

/** @param seconds in real time */
function formatDuration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} seconds`
  return seconds < 5400 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
}
