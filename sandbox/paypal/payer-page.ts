import type { Answer, Call } from '#sandbox/kit/types.ts'
import type { Needs, StoredOrder } from './books.ts'
import { approveOrder, getOrder, hasFreeAddress } from './orders.ts'
import { payer } from './shapes.ts'

/**
 * PayPal's page for a payer who was sent there, instead of a window: they choose one of their addresses, and go back to the shop
 * with `token` and `PayerID`, or to its other address if they cancel.
 */

type SavedAddress = {
  address_line_1: string
  admin_area_2: string
  admin_area_1?: string
  postal_code: string
  country_code: string
}

const savedAddresses: readonly SavedAddress[] = [
  {
    address_line_1: '500 Howard Street',
    admin_area_2: 'San Francisco',
    admin_area_1: 'CA',
    postal_code: '94105',
    country_code: 'US',
  },
  { address_line_1: 'Unter den Linden 77', admin_area_2: 'Berlin', postal_code: '10117', country_code: 'DE' },
  { address_line_1: 'Park Street 12', admin_area_2: 'Reykjavik', postal_code: '101', country_code: 'IS' },
  { address_line_1: '23 Street No. 105', admin_area_2: 'La Habana', postal_code: '10400', country_code: 'CU' },
]

/** @throws PaypalError for an unknown or expired order */
export function payerPage(needs: Needs, { method, query, raw }: Call): Answer {
  const form = method === 'POST' ? new URLSearchParams(raw.toString('utf8')) : undefined
  const order = getOrder(needs, form?.get('token') ?? query.get('token') ?? '')
  if (!form) return { status: 200, body: page(order), headers: { 'content-type': 'text/html; charset=utf-8' } }
  const choice = form.get('choice') ?? 'cancel'
  const { return_url: returnUrl, cancel_url: cancelUrl } = order.experience
  const back = new URL((choice === 'cancel' ? cancelUrl : returnUrl) ?? needs.base())
  back.searchParams.set('token', order.id)
  if (choice !== 'cancel') {
    const address = savedAddresses[Number(form.get('address'))]
    const course = choice === 'decline' ? 'INSTRUMENT_DECLINED' : choice === 'hold' ? 'hold' : 'complete'
    approveOrder(needs, order.id, course, { ...(address && { address }) })
    back.searchParams.set('PayerID', payer.id)
  }
  return { status: 303, headers: { location: back.href } }
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)

const addressChoice = (address: SavedAddress, index: number): string =>
  `<label><input type="radio" name="address" value="${index}"${index === 0 ? ' checked' : ''}> <span>${[
    `${payer.given} ${payer.surname}`,
    address.address_line_1,
    [address.admin_area_2, address.admin_area_1, address.postal_code, address.country_code].filter(Boolean).join(' '),
  ]
    .map(escaped)
    .join('<br>')}</span></label>`

const page = ({ id, unit, experience }: StoredOrder): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox wallet</title><link rel="icon" href="data:,">
<style>
  body { margin: 0; padding: 24px; font: 400 1rem/1.5 system-ui, sans-serif; color: #10223f; background: #f4f6f9; }
  main { max-width: 26rem; margin: 0 auto; padding: 24px; background: #fff; border-radius: 14px; }
  h1 { margin: 0 0 8px; font-size: 1.3rem; }
  label { display: flex; gap: 12px; align-items: flex-start; padding: 12px 0; border-top: 1px solid #d9dee7; }
  fieldset { margin: 16px 0; padding: 0; border: 0; }
  legend { padding: 0; font-weight: 600; }
  button { box-sizing: border-box; width: 100%; min-height: 46px; margin-top: 10px; font: inherit; font-weight: 600; color: #10223f; background: #fff;
    border: 1px solid #7d8595; border-radius: 8px; }
  .first { color: #fff; background: #1d4fb8; border-color: #1d4fb8; }
  summary { min-height: 24px; margin-top: 16px; }
</style>
<main><h1>Sandbox wallet</h1>
<p>${escaped(`${unit.amount.value} ${unit.amount.currency_code} to ${experience.brand_name ?? 'the shop'}`)}. An imitation of PayPal’s page: no money moves.</p>
<form method="post" action="/checkoutnow"><input type="hidden" name="token" value="${escaped(id)}">
${
  hasFreeAddress({ experience })
    ? `<fieldset><legend>Ship to</legend>${savedAddresses.map(addressChoice).join('')}</fieldset>`
    : ''
}
<button class="first" name="choice" value="approve">${experience.user_action === 'PAY_NOW' ? 'Pay now' : 'Continue'}</button>
<button name="choice" value="cancel">Cancel</button>
<details><summary>Other outcomes</summary>
<button name="choice" value="hold">Approve, then hold</button>
<button name="choice" value="decline">Approve, then decline</button></details>
</form></main></html>`
